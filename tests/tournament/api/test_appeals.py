"""Appeals through the open interface: by an entry's own code, at the desk, step by step to their effect."""

import pytest
from django.db import transaction

from referee.models import Appeal, JoinAttempt
from referee.services.appeals import WRONG_PER_ENTRY
from referee.services.corrections import propose_correction
from tests.referee.test_appeals import Scene
from tests.tournament.api.conftest import organiser_of, reader_of
from tests.tournament.api.test_organising import good
from tests.tournament.api.test_refusals import problem

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def appealed(django_db_setup, django_db_blocker):
    """Built once; what a test does to it is rolled back with the test."""
    with django_db_blocker.unblock(), transaction.atomic():
        scene = Scene()
        scene.sender = organiser_of(scene.event, scene.organiser)
        scene.public = reader_of(scene.event)
        yield scene
        transaction.set_rollback(True)


def _body(scene, **more):
    return {"round": 1, "table": 1, "deal": 1, "entry": scene.number_at(1), "statement": "羊是我吃的"} | more


def _own(scene, **more):
    return _body(scene, code=scene.code(scene.number_at(1))) | more


def test_an_entry_appeals_with_its_own_code_and_without_a_token(appealed):
    filed = good(appealed.public.post("/appeals", _own(appealed)), 201)
    assert filed["state"] == "filed"
    shown = good(appealed.sender.get(f"/appeals/{filed['number']}"))
    assert (shown["entry"], shown["statement"], shown["at_desk"]) == (
        appealed.number_at(1),
        "羊是我吃的",
        False,
    )
    assert set(shown["record"]["captures"]) <= set("NWSE")
    assert [step["action"] for step in shown["steps"]] == ["file"]
    problem(appealed.public.post("/appeals", _own(appealed)), 409)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"deal": 77}, 409),
        ({"table": 2}, 422),
        ({"statement": ""}, 422),
        ({"code": "AAAA-AAAA"}, 422),
        ({"code": "ü" * 20}, 422),
        ({"entry": 0}, 422),
    ],
)
def test_what_is_no_appeal_is_refused(appealed, change, status):
    problem(appealed.public.post("/appeals", _own(appealed, **change)), status)
    assert not Appeal.objects.exists()


def test_wrong_codes_are_counted_though_they_are_refused(appealed):
    for _n in range(WRONG_PER_ENTRY):
        problem(appealed.public.post("/appeals", _own(appealed, code="AAAA-AAAA")), 422)
    assert JoinAttempt.objects.filter(good=False).count() == WRONG_PER_ENTRY
    problem(appealed.public.post("/appeals", _own(appealed)), 429)


def test_an_entry_follows_its_appeals_with_its_code_and_learns_no_names(appealed):
    number = appealed.number_at(1)
    who = {"entry": number, "code": appealed.code(number)}
    assert good(appealed.public.post("/appeals/follow", who)) == []
    filed = good(appealed.public.post("/appeals", _own(appealed)), 201)
    ruled = {"action": "rule", "statement": "按记录", "outcome": "rejected"}
    good(appealed.sender.post(f"/appeals/{filed['number']}/steps", ruled))
    (one,) = good(appealed.public.post("/appeals/follow", who))
    assert (one["number"], one["state"], one["outcome"]) == (filed["number"], "ruled", "rejected")
    assert [(step["action"], step["text"]) for step in one["steps"]] == [
        ("file", "羊是我吃的"),
        ("rule", "按记录"),
    ]
    assert appealed.organiser.user.username not in str(one)
    problem(appealed.public.post("/appeals/follow", who | {"entry": number % 8 + 1}), 422)


def test_the_time_for_appeals_is_read_and_set_with_its_version(appealed):
    assert good(appealed.sender.get("/appeal-time")) == {"minutes": 60}
    assert good(appealed.sender.change("put", "/appeal-time", {"minutes": 0})) == {"minutes": 0}
    problem(appealed.public.post("/appeals", _own(appealed)), 422)
    filed = good(appealed.sender.post("/appeals", _body(appealed)), 201)
    assert (filed["at_desk"], filed["deadline"]) == (True, None)
    problem(appealed.sender.send("put", "/appeal-time", {"minutes": 5}), 428)
    problem(appealed.sender.change("put", "/appeal-time", {"minutes": 99_999}), 422)


def test_an_appeal_goes_step_by_step_to_its_effect(appealed):
    path = f"/appeals/{good(appealed.sender.post('/appeals', _body(appealed)), 201)['number']}"
    problem(appealed.sender.post(f"{path}/steps", {"action": "rule", "statement": "按记录"}), 422)
    ruled = {"action": "rule", "statement": "按记录", "outcome": "rejected"}
    assert good(appealed.sender.post(f"{path}/steps", ruled))["state"] == "ruled"
    taken = {"action": "escalate", "statement": "不服"}
    assert good(appealed.sender.post(f"{path}/steps", taken))["state"] == "committee"
    decided = {"action": "decide", "statement": "应改", "outcome": "upheld"}
    closed = good(appealed.sender.post(f"{path}/steps", decided))
    assert (closed["state"], closed["outcome"]) == ("closed", "upheld")
    assert [one["action"] for one in closed["steps"]] == ["file", "rule", "escalate", "decide"]
    problem(appealed.sender.post(f"{path}/steps", decided), 409)
    assert closed["correction"] is None

    body = {"table": 1, "deal": 1, "version": 1, "reason": "申诉成立", "appeal": 1}
    proposed = good(appealed.sender.post("/rounds/1/corrections/void", body), 201)
    number = proposed["correction"]["number"]
    assert good(appealed.sender.get(path))["correction"] == number
    assert [one["correction"] for one in good(appealed.sender.get("/appeals"))["results"]] == [number]


def test_a_correction_made_before_is_named_as_the_effect(appealed):
    path = f"/appeals/{good(appealed.sender.post('/appeals', _body(appealed)), 201)['number']}"
    made = propose_correction(
        actor=appealed.organiser,
        round=appealed.event.rounds.select_related("event__tournament").get(number=1),
        kind="void",
        change={"table": 1, "deal": 1, "version": 1},
        reason="误记",
    )
    shown = good(appealed.sender.post(f"{path}/effect", {"correction": made.number}))
    assert shown["correction"] == made.number
    problem(appealed.sender.post(f"{path}/effect", {"correction": 77}), 422)


def test_entries_have_codes_each_one_of_its_own(appealed):
    codes = good(appealed.sender.get("/entry-codes"))["results"]
    assert [one["entry"] for one in codes] == list(range(1, 9))
    assert appealed.sender.post("/entry-codes").status_code == 204
    assert good(appealed.sender.get("/entry-codes"))["results"] == codes
