"""People, penalties and the list of changes."""

import pytest
from django.contrib.auth import get_user_model

from referee.models import Penalty
from tests.factories import make_event, make_published_draw, make_user
from tests.pages import hidden_fields
from tournament.queries.access import given_tables

pytestmark = pytest.mark.django_db

EVENT = "/manage/t/cup/e/ge-ren-sai/"


def test_new_account_shows_its_password_once(organiser, send, client):
    answer = send(
        "/manage/t/cup/people/account/",
        {"account-username": "ref9", "account-role": "table_referee"},
        page="/manage/t/cup/people/",
    )

    page = answer.content.decode()
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.context["shown"]["password"] in page
    assert "ref9" in organiser.get("/manage/t/cup/people/").content.decode()
    assert answer.context["shown"]["password"] not in organiser.get("/manage/t/cup/people/").content.decode()


def test_account_sent_twice_is_made_once_and_its_password_not_shown_again(organiser):
    page = organiser.get("/manage/t/cup/people/").content.decode()
    address = "/manage/t/cup/people/account/"
    values = {**hidden_fields(page, address), "account-username": "ref9", "account-role": "table_referee"}

    assert organiser.post(address, values).status_code == 200
    again = organiser.post(address, values, follow=True)

    assert [str(one) for one in again.context["messages"]] == [
        "This has been done already. If the password was not noted, make a new one."
    ]
    assert get_user_model().objects.filter(username="ref9").count() == 1


def test_role_lost_meanwhile_is_a_plain_403(organiser, tournament, monkeypatch):
    page = organiser.get("/manage/t/cup/people/").content.decode()
    address = "/manage/t/cup/people/account/"
    values = {**hidden_fields(page, address), "account-username": "ref9", "account-role": "table_referee"}
    monkeypatch.setattr("tournament.services.permissions.access.can_organise", lambda user, tournament: False)

    # The view's own check holds the function it was made with; the service asks again.
    assert organiser.post(address, values).status_code == 403
    assert not get_user_model().objects.filter(username="ref9").exists()


def test_account_faults_are_shown_on_the_people_page(organiser, send):
    make_user(username="taken")

    answer = send(
        "/manage/t/cup/people/account/",
        {"account-username": "taken", "account-role": "organiser"},
        page="/manage/t/cup/people/",
    )

    assert answer.status_code == 400
    assert set(answer.context["account_form"].errors) == {"username"}


def test_penalty_is_given_once_and_cancelled_with_a_reason(organiser, send, tournament):
    event = make_event(entries=8, tournament=tournament, slug="ge-ren-sai")
    draw = make_published_draw(event)
    page = organiser.get(f"{EVENT}penalties/").content.decode()
    values = {
        **hidden_fields(page),
        "entry": str(event.entries.first().pk),
        "round": str(draw.round.pk),
        "rule": "迟到",
        "points": "−３０",
        "reason": "迟到六分钟",
    }
    for _again in range(2):
        assert organiser.post(f"{EVENT}penalties/", values).status_code == 302
    penalty = Penalty.objects.get()
    assert penalty.points == -30

    refused = send(f"{EVENT}penalties/{penalty.pk}/cancel/", {"reason": " "})
    assert refused.status_code == 400
    assert send(f"{EVENT}penalties/{penalty.pk}/cancel/", {"reason": "误会"}).status_code == 302
    penalty.refresh_from_db()
    assert penalty.cancel_reason == "误会"
    assert "Cancelled by organiser" in organiser.get(f"{EVENT}penalties/").content.decode()


def test_audit_page_filters(organiser, send, tournament):
    make_published_draw(make_event(entries=8, tournament=tournament, slug="ge-ren-sai"))
    send(f"{EVENT}entries/3/withdraw/", {"reason": "生病了"})
    address = f"{EVENT}changes/"

    assert len(organiser.get(address).context["rows"]) > 8
    found = organiser.get(address, {"area": "entry", "words": "生病"}).context["rows"]
    assert [one["row"].action for one in found] == ["entry.withdraw"]
    assert found[0]["changes"] == [("State", "taking part", "withdrawn")]
    assert organiser.get(address, {"person": "organiser"}).context["page"].paginator.count == 1
    assert organiser.get(address, {"last_day": "2000-01-01"}).context["page"].paginator.count == 0
    assert organiser.get(address, {"first_day": "nonsense"}).status_code == 200
    everything = organiser.get("/manage/t/cup/changes/").context["page"].paginator.count
    assert everything >= organiser.get(address).context["page"].paginator.count


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("1-4, 7", {1, 2, 3, 4, 7}), ("１－３，５", {1, 2, 3, 5}), ("2、3", {2, 3}), ("", set()), ("8", {8})],
)
def test_tables_are_read_as_people_write_them(organiser, send, tournament, text, numbers):
    event = make_event(tournament=tournament, slug="ge-ren-sai")
    referee = make_user("table_referee", tournament)

    assert send(f"{EVENT}referees/", {"tables": text}).status_code == 302
    assert given_tables(referee, event) == numbers


@pytest.mark.parametrize("text", ["0", "4-1", "x", "1-99999"])
def test_wrong_tables_are_refused_with_what_was_typed(organiser, send, tournament, text):
    make_event(tournament=tournament, slug="ge-ren-sai")
    make_user("table_referee", tournament)

    page = send(f"{EVENT}referees/", {"tables": text})

    assert page.status_code == 400
    assert f'value="{text}"' in page.content.decode()


def test_entry_edited_by_two_at_once_shows_what_is_stored_beside_what_was_typed(organiser, tournament):
    event = make_event(entries=1, tournament=tournament, slug="ge-ren-sai")
    address = f"{EVENT}entries/1/"
    mine, theirs = ({**hidden_fields(organiser.get(address).content.decode()), **_ENTRY} for _ in range(2))
    assert organiser.post(address, {**theirs, "name": "别人改的"}).status_code == 302

    answer = organiser.post(address, {**mine, "name": "我改的"})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "别人改的" in page
    assert 'value="我改的"' in page
    assert event.entries.get().name == "别人改的"

    assert organiser.post(address, {**_ENTRY, **hidden_fields(page), "name": "我改的"}).status_code == 302
    assert event.entries.get().name == "我改的"


_ENTRY = {"number": "1", "club": "甲队", "first_round": "1", "start_points": "0"}
