"""The organiser's page of tokens: made, shown once, listed with its last use, revoked."""

import pytest
from django.test import Client

from tests.factories import actor, make_event, make_tournament, make_user
from tournament.models import ApiToken, AuditRow
from tournament.services.tokens import create_token

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return make_event(entries=4)


@pytest.fixture
def organiser(event):
    return make_user("organiser", event.tournament)


@pytest.fixture
def browser(organiser):
    client = Client(headers={"accept-language": "en"})
    client.force_login(organiser)
    return client


def address(event):
    return f"/manage/t/{event.tournament.slug}/tokens/"


def sent(browser, where, **values):
    form = browser.get(address(where)).context["form"]
    facts = {"name": "scoreboard", "purpose": "read", "days": 7, "command_id": form["command_id"].value()}
    return facts | values


def test_the_secret_is_shown_once_and_not_stored(browser, event):
    facts = sent(browser, event)
    page = browser.post(address(event), facts)
    secret = page.context["shown"]["secret"]
    assert secret in page.content.decode()
    assert page.headers["Cache-Control"] == "no-store"
    again = browser.post(address(event), facts, follow=True)
    assert secret not in again.content.decode()
    assert ApiToken.objects.get().name == "scoreboard"
    assert not any(secret in str(vars(row)) for row in [*ApiToken.objects.all(), *AuditRow.objects.all()])
    used = Client().get(
        f"/api/v1/public/tournaments/{event.tournament.slug}", headers={"authorization": f"Bearer {secret}"}
    )
    assert used.status_code == 404  # nothing of it is public yet, but the token was good


def test_the_list_says_when_a_token_was_last_used_and_from_where(browser, event):
    secret = browser.post(address(event), sent(browser, event)).context["shown"]["secret"]
    assert "never" in browser.get(address(event)).content.decode()
    Client().get(
        "/api/v1/public/tournaments", headers={"authorization": f"Bearer {secret}"}, REMOTE_ADDR="192.0.2.9"
    )
    assert "192.0.2.9" in browser.get(address(event)).content.decode()


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"purpose": "record"}, "token_table"),
        ({"purpose": "record", "table_number": 1}, "token_event"),
        ({"table_number": 1}, "token_bound"),
        ({"name": " "}, "required"),
        ({"days": 0}, "min_value"),
        ({"days": 5000}, "max_value"),
        ({"purpose": "everything"}, "invalid_choice"),
    ],
)
def test_a_token_that_cannot_be_is_refused_beside_its_field(browser, event, values, code):
    page = browser.post(address(event), sent(browser, event, **values))
    assert page.status_code == 400
    assert not ApiToken.objects.exists()
    # What a service refuses carries its code in no form error: its message stands beside the field.
    codes = {one.code for errors in page.context["form"].errors.as_data().values() for one in errors}
    assert page.context["form"].errors
    assert code.startswith("token_") or code in codes


def test_an_event_of_another_tournament_cannot_be_chosen(browser, event):
    other = make_event()
    values = {"purpose": "record", "event": other.pk, "table_number": 1}
    assert browser.post(address(event), sent(browser, event, **values)).status_code == 400


def test_a_name_stays_taken_after_revoking(browser, event):
    browser.post(address(event), sent(browser, event))
    token = ApiToken.objects.get()
    form = browser.get(address(event)).context["tokens"][0]["form"]
    revoke = f"{address(event)}{token.pk}/revoke/"
    page = browser.post(revoke, {"command_id": form["command_id"].value()}, follow=True)
    assert "revoked" in page.content.decode()
    assert not ApiToken.objects.get().living
    page = browser.post(address(event), sent(browser, event))
    assert page.status_code == 400
    assert "There is or was a token" in page.content.decode()


def test_a_token_of_another_tournament_is_not_there(browser, event):
    other = make_tournament()
    maker = actor(make_user("organiser", other))
    token, _secret = create_token(actor=maker, tournament=other, purpose="read", name="x", days=1)
    assert browser.post(f"{address(event)}{token.pk}/revoke/", {}).status_code == 404
    token.refresh_from_db()
    assert token.living


def test_making_and_revoking_stand_in_the_audit_trail(browser, event):
    browser.post(address(event), sent(browser, event))
    assert AuditRow.objects.filter(action="token.create", tournament=event.tournament).count() == 1
