"""People, their tables, and tokens through the open interface."""

import pytest
from django.contrib.auth import authenticate, get_user_model

from tests.factories import make_tournament, make_user
from tests.tournament.api.test_organising import good
from tests.tournament.api.test_refusals import problem
from tournament.models import ApiAnswer, ApiToken, Membership, Role


@pytest.fixture
def sender(scene):
    return scene.organising(scene.base)


def test_an_account_is_made_and_its_password_is_told_once_and_kept_nowhere(sender):
    body = {"username": "caipan", "full_name": "裁判甲", "role": "table_referee"}
    made = sender.post("people/accounts", body, key="an-account-key")
    password = good(made, 201)["password"]
    assert authenticate(username="caipan", password=password) is not None
    again = sender.post("people/accounts", body, key="an-account-key")
    assert good(again, 201) == {"username": "caipan", "password": None}
    assert all(password not in str(answer.body) for answer in ApiAnswer.objects.all())
    people = {row["username"]: row for row in good(sender.get("people"))["results"]}
    assert (people["caipan"]["role"], people["caipan"]["resettable"]) == ("table_referee", True)
    fresh = good(sender.post(f"people/{people['caipan']['id']}/password"))["password"]
    assert fresh != password
    assert authenticate(username="caipan", password=fresh) is not None
    problem(sender.post("people/accounts", body), 422)


def test_nobody_takes_over_an_account_that_has_powers_elsewhere(sender, scene):
    chief = make_user(Role.CHIEF_REFEREE, scene.tournament)
    Membership.objects.create(user=chief, tournament=make_tournament(), role=Role.ORGANISER)
    row = next(one for one in good(sender.get("people"))["results"] if one["username"] == chief.username)
    assert not row["resettable"]
    errors = problem(sender.post(f"people/{row['id']}/password"), 422)["errors"]
    assert errors[0]["code"] == "password_not_yours"


def test_a_role_is_given_and_taken_and_the_last_organiser_stays(sender, scene):
    other = make_user()
    given = good(sender.post("people", {"username": other.username, "role": "chief_referee"}), 201)
    assert Membership.objects.filter(user=other, role="chief_referee").exists()
    assert sender.change("delete", f"people/{given['id']}").status_code == 204
    assert not Membership.objects.filter(user=other).exists()
    assert get_user_model().objects.filter(pk=other.pk).exists()
    problem(sender.get(f"people/{given['id']}"), 404)
    own = next(row for row in good(sender.get("people"))["results"] if row["role"] == "organiser")
    assert (
        problem(sender.change("delete", f"people/{own['id']}"), 422)["errors"][0]["code"] == "last_organiser"
    )
    problem(sender.post("people", {"username": "nobody-of-that-name", "role": "organiser"}), 422)


def test_a_person_of_another_tournament_is_not_there(sender):
    stranger = Membership.objects.get(user=make_user("organiser", make_tournament()))
    problem(sender.get(f"people/{stranger.pk}"), 404)
    problem(sender.post(f"people/{stranger.pk}/password"), 404)


def test_table_referees_are_given_tables(scene):
    referee = make_user(Role.TABLE_REFEREE, scene.tournament)
    sender = scene.organising()
    body = {"username": referee.username, "tables": [2, 1, 2]}
    assert good(sender.post("/referees", body)) == {"username": referee.username, "tables": [1, 2]}
    assert good(sender.get("/referees"))["results"] == [{"username": referee.username, "tables": [1, 2]}]
    assert good(sender.post("/referees", body | {"tables": []}))["tables"] == []
    problem(sender.post("/referees", {"username": scene.organiser.username, "tables": [1]}), 422)


def test_tokens_are_listed_without_their_secrets_and_revoked(sender, scene):
    token, secret = scene.token("record", table=1, name="一号桌")
    response = sender.get("tokens")
    row = next(one for one in good(response)["results"] if one["id"] == token.pk)
    assert (row["name"], row["event"], row["table"], row["revoked_at"]) == ("一号桌", "singles", 1, None)
    assert secret not in response.content.decode()
    assert token.digest not in response.content.decode()
    assert good(sender.post(f"tokens/{token.pk}/revoke"))["revoked_at"]
    assert not ApiToken.objects.get(pk=token.pk).living
    assert sender.send("post", "tokens", {}).status_code == 405
