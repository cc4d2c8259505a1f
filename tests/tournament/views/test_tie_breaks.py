"""The organiser's page of tie-breaks and lots, and what the pages of standings say of them."""

import pytest

from tests.played import drawn_round, played_event, update_results
from tournament.models import AuditRow, EntryResult
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish_round

pytestmark = pytest.mark.django_db

PAGE = "/manage/t/cup/e/main/standings/tie-breaks/"
LOTS = "/manage/t/cup/e/main/standings/lots/"
STANDINGS = "/manage/t/cup/e/main/standings/"


@pytest.fixture
def event(tournament):
    """Four players at a table, all equal after a byes-free first round."""
    event = played_event(["甲", "乙", "丙", "丁"], tournament=tournament, slug="main")
    table = drawn_round(event, 1).tables.get()
    update_results(table)
    EntryResult.objects.update(deals=1, complete=True, points=0, value=0)
    return event


def test_tie_breaks_are_chosen_in_order_and_shown_again(organiser, send, event):
    sent = send(PAGE, {"order": ["buchholz", "lot"]})
    assert (sent.status_code, sent["Location"]) == (302, PAGE)
    event.refresh_from_db()
    assert event.options["tie_breaks"] == ["buchholz", "lot"]
    assert _shown(organiser.get(PAGE)) == ["buchholz", "lot"]


def _shown(answer):
    return [one.key for one in answer.context["form"].chosen]


@pytest.mark.parametrize(
    ("step", "order"),
    [
        ("up:lot", ["lot", "buchholz"]),
        ("down:buchholz", ["lot", "buchholz"]),
        ("up:buchholz", ["buchholz", "lot"]),
        ("down:lot", ["buchholz", "lot"]),
        ("drop:buchholz", ["lot"]),
        ("add:games_won", ["buchholz", "lot", "games_won"]),
        ("add:lot", ["buchholz", "lot"]),
        ("up:games_won", ["buchholz", "lot"]),
        ("add:match_points", ["buchholz", "lot"]),
        ("sideways:lot", ["buchholz", "lot"]),
    ],
)
def test_a_step_changes_the_order_shown_and_stores_nothing(send, event, step, order):
    answer = send(PAGE, {"order": ["buchholz", "lot"], "step": step})
    assert answer.status_code == 200
    assert _shown(answer) == order
    assert not {one.key for one in answer.context["form"].others} & set(order)
    event.refresh_from_db()
    assert "tie_breaks" not in event.options


def test_every_tie_break_can_be_dropped(send, event):
    send(PAGE, {"order": ["lot"]})
    assert send(PAGE, {"order": []}).status_code == 302
    event.refresh_from_db()
    assert event.options["tie_breaks"] == []


@pytest.mark.parametrize("order", [["lot", "lot"], ["match_points"], ["made-up"]])
def test_an_order_that_cannot_be_is_refused_on_the_page(send, event, order):
    answer = send(PAGE, {"order": order})
    assert answer.status_code == 400
    assert answer.context["form"].errors
    event.refresh_from_db()
    assert "tie_breaks" not in event.options


def test_lots_are_drawn_once_however_often_it_is_asked(organiser, send, event):
    send(PAGE, {"order": ["lot"]})
    assert "4 entries have no lot yet" in organiser.get(STANDINGS).content.decode()
    assert send(LOTS, page=PAGE).status_code == 302
    event.refresh_from_db()
    lots = event.options["lots"]
    assert sorted(lots) == ["1", "2", "3", "4"]
    shown = organiser.get(STANDINGS)
    assert "no lot yet" not in shown.content.decode()
    rows = shown.context["standings"].rows
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    assert [lots[str(row.entry.number)] for row in rows] == sorted(lots.values())
    # The lots people drew are shown, not the rankings' own way of counting.
    first, second = sorted(lots.values())[:2]
    assert f"{first} › {second}" in shown.content.decode()
    assert LOTS not in organiser.get(PAGE).content.decode()
    assert AuditRow.objects.filter(action="event.lots").count() == 1


def test_lots_are_not_drawn_by_opening_an_address(organiser, event):
    assert organiser.get(LOTS).status_code == 405


def test_public_standings_say_what_put_one_ahead(client, event):
    event.options = {"tie_breaks": ["lot"], "lots": {"1": 30, "2": 20, "3": 10, "4": 40}}
    event.save()
    EntryResult.objects.filter(entry__name="丁").update(points=50, value=50)
    for table in event.rounds.get(number=1).draws.get().tables.all():
        from tests.played import played_deal

        played_deal(table, 1)
    publish_round(actor=SYSTEM, round=event.rounds.get(number=1))
    client.cookies["django_language"] = "en"
    page = client.get("/t/cup/main/standings/").content.decode()
    assert "ahead of the next by" in page
    assert "drawn lot" in page
