"""Workbooks through the open interface: ordered ones, score sheets, lists of penalties."""

from datetime import timedelta
from unittest import mock

import pytest
from django.utils import timezone

from referee.models import DealVersion, Penalty
from tests.factories import make_event, make_published_draw
from tests.tournament.api.test_organising import good
from tests.tournament.api.test_refusals import problem
from tests.tournament.excel.files import xlsx
from tests.tournament.excel.papers import filled
from tournament.models import WorkbookOrder
from tournament.tasks import workbooks
from tournament.views.manage.downloads import XLSX

#: Who was dealt the key cards, and what North, West, South and East captured.
DEAL = ["W", "W", "E", "E", "♠Q ♥AK", None, "♦J ♣10 ♥Q-2", None]
OTHER = ["W", "W", "E", "E", "♠Q ♥AKQ", None, "♦J ♣10 ♥J-2", None]
HEAD = ["Round", "Table", "Deal", "Number", "Player", "Rule", "Reason", "Points"]


def sent(sender, path, data, **more):
    return sender.send("post", path, data=data, content_type=XLSX, **more)


# --- ordered --------------------------------------------------------------------------------------------


def test_a_workbook_is_ordered_watched_and_fetched(scene, django_capture_on_commit_callbacks):
    sender = scene.organising(scene.base)
    with django_capture_on_commit_callbacks() as work:
        order = good(sender.post("workbooks", {"event": "singles"}), 201)
    assert (order["event"], order["state"], order["lost"]) == ("singles", "waiting", False)
    problem(sender.get(f"workbooks/{order['id']}/results.xlsx"), 404)
    # One under way is taken, not ordered twice.
    assert good(sender.post("workbooks", {"event": "singles"}), 201)["id"] == order["id"]
    for one in work:
        one()
    now = good(sender.get(f"workbooks/{order['id']}"))
    assert (now["state"], now["done"]) == ("ready", now["steps"] - 1)
    file = sender.get(f"workbooks/{order['id']}/results.xlsx")
    assert (file.headers["Content-Type"], file.content[:2]) == (XLSX, b"PK")
    assert [one["id"] for one in good(sender.get("workbooks"))["results"]] == [order["id"]]
    WorkbookOrder.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    problem(sender.get(f"workbooks/{order['id']}/results.xlsx"), 404)


def test_a_workbook_of_the_whole_tournament_is_ordered_and_of_no_other_event(scene):
    sender = scene.organising(scene.base)
    assert good(sender.post("workbooks"), 201)["event"] is None
    problem(sender.post("workbooks", {"event": "nowhere"}), 422)


def test_the_workbook_of_a_large_event_is_not_made_while_somebody_waits(scene):
    with mock.patch.object(workbooks, "MOST_DEALS_AT_ONCE", 0):
        refused = problem(scene.organising().get("/results.xlsx"), 409)
    assert refused["errors"][0]["code"] == "workbook_large"


# --- score sheets ---------------------------------------------------------------------------------------


@pytest.fixture
def sets(scene):
    """Of an event in play, of sets of 16 deals."""
    plan = {"kind": "set", "deals": 16}
    event = make_event(entries=8, tournament=scene.tournament, slug="sets", plan=plan)
    make_published_draw(event)
    return scene.organising(f"{scene.base}events/sets/rounds/1")


def test_score_sheets_go_out_blank_and_come_back_as_deals(sets):
    before = DealVersion.objects.count()
    blank = sets.get("/paper/sheets.xlsx")
    assert blank.headers["Content-Type"] == XLSX
    data = filled(blank.content, {(1, 1): DEAL, (2, 5): DEAL})
    plan = good(sent(sets, "/paper/preview", data))
    assert plan["ok"]
    assert [(one["table"], one["deal"], one["status"]) for one in plan["lines"]] == [
        (1, 1, "new"),
        (2, 5, "new"),
    ]
    assert DealVersion.objects.count() == before
    for _again in range(2):
        done = good(sent(sets, "/paper", data, key="sheets-of-round-1"))
        assert [one["status"] for one in done["lines"]] == ["new", "new"]
    assert DealVersion.objects.count() == before + 2
    assert {one["status"] for one in good(sent(sets, "/paper/preview", data))["lines"]} == {"same"}
    assert sets.get("/paper/cards.xlsx").content[:2] == b"PK"
    assert sets.send("get", "/paper").status_code == 405


def test_a_deal_that_differs_from_what_is_on_record_stays_as_it_is(sets):
    blank = sets.get("/paper/sheets.xlsx").content
    good(sent(sets, "/paper", filled(blank, {(1, 1): DEAL})))
    stored = DealVersion.objects.latest("id").record
    done = good(sent(sets, "/paper", filled(blank, {(1, 1): OTHER})))
    assert [one["status"] for one in done["lines"]] == ["conflict"]
    assert DealVersion.objects.latest("id").record == stored


def test_sheets_with_a_fault_store_nothing(sets):
    before = DealVersion.objects.count()
    blank = sets.get("/paper/sheets.xlsx").content
    wrong = ["W", "W", "E", "E", "♠Q ♥AK", None, "♦J ♥Q-2", None]  # who has ♣10?
    data = filled(blank, {(1, 1): DEAL, (1, 2): wrong})
    plan = good(sent(sets, "/paper/preview", data))
    assert not plan["ok"]
    assert plan["faults"][0]["message"]
    errors = problem(sent(sets, "/paper", data), 422)["errors"]
    assert {one["field"] for one in errors} == {one["cell"] for one in plan["faults"]}
    assert DealVersion.objects.count() == before
    problem(sent(sets, "/paper", b"no workbook"), 422)
    problem(sets.post("/paper"), 415)


# --- lists of penalties ---------------------------------------------------------------------------------


def test_penalties_of_a_list_are_looked_at_and_given_once(scene):
    make_published_draw(make_event(entries=8, tournament=scene.tournament, slug="fresh"))
    sender = scene.organising(f"{scene.base}events/fresh")
    assert sender.get("/penalties.xlsx").headers["Content-Type"] == XLSX
    data = xlsx([HEAD, [1, None, None, 3, "", "迟到", "晚到十分钟", -25]])
    plan = good(sent(sender, "/penalties/import/preview", data))
    assert (plan["ok"], plan["lines"]) == (True, [{"row": 2, "entry": 3, "round": 1, "status": "new"}])
    assert not Penalty.objects.exists()
    good(sent(sender, "/penalties/import", data))
    assert [row["points"] for row in good(sender.get("/penalties"))["results"]] == [-25]
    again = good(sent(sender, "/penalties/import", data))
    assert [one["status"] for one in again["lines"]] == ["unchanged"]
    assert Penalty.objects.count() == 1
    wrong = xlsx([HEAD, [1, None, None, 99, "", "迟到", "晚到", -25]])
    assert not good(sent(sender, "/penalties/import/preview", wrong))["ok"]
    problem(sent(sender, "/penalties/import", wrong), 422)
