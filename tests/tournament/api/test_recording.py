"""Recording at a table with a token for it: what its tablet may, and no more."""

from random import Random

import pytest

from referee.models import DealVersion
from tests.played import random_record
from tests.tournament.api.conftest import Sender
from tests.tournament.api.test_organising import good
from tests.tournament.api.test_refusals import problem
from tournament.models import AuditRow, Draw

RECORD = random_record(Random(5))
ENTRY = {"record": RECORD, "entered_seat": "N"}


def test_a_deal_is_recorded_checked_undone_and_declared_void(scene):
    sender = scene.recording()
    done = good(sender.post("/deals/2/record", ENTRY))
    assert done["outcome"]["version"] == 1
    assert done["table"]["next"] == 3
    good(sender.post("/deals/2/undo", {"version": 1, "reason": "typed wrong"}))
    good(sender.post("/deals/2/record", ENTRY | {"based_on": 2}))
    good(sender.post("/deals/2/check", {"version": 3, "relation": "next", "seat": "W"}))
    good(sender.post("/deals/3/void", {"version": 0, "reason": "redealt"}))
    states = DealVersion.objects.filter(deal__number=2).order_by("number").values_list("state", flat=True)
    assert list(states) == ["recorded", "withdrawn", "recorded"]


def test_the_table_is_read_with_what_comes_next(scene):
    table = good(scene.recording().get(""))["table"]
    assert table["playing"]
    assert table["next"] == 2
    assert [seat["seat"] for seat in table["seats"]] == ["N", "W", "S", "E"]


def test_a_referee_is_called_and_the_call_taken_back(scene):
    sender = scene.recording()
    assert good(sender.post("/call", {"seat": "E"}))["table"]["call"]
    assert not good(sender.post("/call/withdraw"))["table"]["call"]


def test_a_seat_disputes_a_deal(scene):
    sender = scene.recording()
    good(sender.post("/deals/2/record", ENTRY))
    body = {"version": 1, "seat": "S", "verdict": "dispute", "reason": "not so"}
    good(sender.post("/deals/2/sign", body))
    assert AuditRow.objects.filter(action__startswith="deal.").latest("id").actor_name.startswith("[")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/stop", {"reason": "x"}),
        ("/resume", {"reason": "x"}),
        ("/deals/1/correct", {"version": 1, "record": RECORD, "reason": "x"}),
    ],
)
def test_what_needs_a_referee_needs_a_token_to_organise(scene, path, body):
    problem(scene.recording().post(path, body), 403)
    if path != "/resume":
        good(scene.organising(f"{scene.of_event}/rounds/1/tables/1").post(path, body))


def test_a_stale_deal_answers_with_both_sides(scene):
    sender = scene.recording()
    good(sender.post("/deals/2/record", ENTRY))
    other = {"record": random_record(Random(6)), "entered_seat": "W"}
    body = problem(sender.post("/deals/2/record", other), 409)
    assert body["current"]["version"] == 1
    assert body["offered"]["captures"] == other["record"]["captures"]


def test_faults_of_a_record_name_card_and_seat(scene):
    wrong = {**RECORD, "captures": {**RECORD["captures"], "N": ["SQ"], "E": ["SQ"]}}
    errors = problem(scene.recording().post("/deals/2/record", ENTRY | {"record": wrong}), 422)["errors"]
    assert any(one["card"] == "SQ" for one in errors)


def test_a_sent_again_deal_is_stored_once(scene):
    sender = scene.recording()
    answers = [sender.post("/deals/2/record", ENTRY, key="tablet-7-deal-2") for _n in range(2)]
    assert answers[0].json() == answers[1].json()
    assert DealVersion.objects.filter(deal__number=2).count() == 1


def test_a_withdrawn_draw_and_a_table_that_is_none(scene):
    sender = scene.recording()
    Draw.objects.update(state=Draw.State.WITHDRAWN)
    errors = problem(sender.post("/deals/2/record", ENTRY), 409)["errors"]
    assert errors[0]["code"] == "draw_not_published"
    whole = Sender(scene.token()[1], f"{scene.of_event}/rounds/1/tables/")
    problem(whole.get("77"), 404)
