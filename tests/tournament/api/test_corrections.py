"""Corrections through the open interface: looked at with all they move, made, finished, dropped, undone."""

from unittest.mock import Mock
from uuid import uuid4

import pytest
from django.db import connection, transaction

from referee.models import Penalty
from referee.services import corrections
from referee.services.checks import check_deal
from referee.services.foresight import what_would_move
from referee.services.penalties import give_penalty
from tests.referee.correction_scene import Scene
from tests.tournament.api.conftest import organiser_of
from tests.tournament.api.test_organising import good
from tests.tournament.api.test_refusals import problem
from tournament.models import Draw, Round

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def played(django_db_setup, django_db_blocker):
    """Built once; what a test does to it is rolled back with the test."""
    with django_db_blocker.unblock(), transaction.atomic():
        scene = Scene()
        scene.sender = organiser_of(scene.event, scene.organiser)
        yield scene
        transaction.set_rollback(True)


def _penalty(scene, entry):
    outcome = give_penalty(
        actor=scene.chief,
        event=scene.event,
        round=scene.round,
        entry=entry,
        rule="迟到",
        points=-40,
        reason="迟到",
        command_id=uuid4(),
    )
    return outcome.body["penalty"]


def _body(scene, kind):
    """What is sent for a change of a kind, which is the ending of its address."""
    table = scene.round.draws.get().tables.get(number=1)
    seats = {seat.direction: seat.entry for seat in table.seats.all()}
    numbers = [entry.number for entry in seats.values()]
    deal = {"table": 1, "deal": 1, "version": 1}
    bodies = {
        "deal": deal | {"record": scene.other_record()},
        "void": deal,
        "penalty": {"entry": seats["N"].number, "rule": "犹豫", "points": "-55"},
        "walkover": {
            "match": table.match.number,
            "absent": numbers[:1],
            "scores": [{"entry": one, "points": 60 * place} for place, one in enumerate(numbers)],
        },
        "seats": {
            "table": 1,
            "sat": [{"seat": "N", "at": "W"}, {"seat": "W", "at": "N"}],
            "deals": [{"deal": 1, "version": 1}, {"deal": 2, "version": 1}],
        },
        "tables": {"first": {"table": 1, "seat": "N"}, "second": {"table": 2, "seat": "N"}},
        "substitute": {"table": 1, "seat": "N", "name": "替补甲", "after_deals": 1},
        "ruling": {"annul_from": 1, "opponents": "stated", "opponents_points": 30},
    }
    return {"penalty": _penalty(scene, seats["W"])} if kind == "penalty-cancel" else bodies.get(kind, {})


def _propose(scene, kind, body=None, **more):
    """The answer to a proposal; a ruling is on the entry in seat N of table 1."""
    path = f"/rounds/1/corrections/{kind}"
    if kind == "ruling":
        seat = scene.round.draws.get().tables.get(number=1).seats.get(direction="N")
        path = f"/entries/{seat.entry.number}/rulings"
    sent = (body or _body(scene, kind)) | {"reason": "记分表抄错"} | more
    return scene.sender.post(path, sent)


def _make(scene, shown, **how):
    number = shown["correction"]["number"]
    return scene.sender.post(f"/corrections/{number}/apply", {"seen": shown["seen"]} | how)


@pytest.mark.parametrize(
    "kind",
    ["deal", "void", "penalty", "penalty-cancel", "walkover", "seats", "tables", "substitute", "ruling"],
)
def test_every_kind_is_foreseen_made_and_undone(played, kind):
    body = _body(played, kind)
    before = (played.totals(), played.stored()[2])
    shown = good(_propose(played, kind, body), 201)
    assert (played.totals(), played.stored()[2]) == before
    assert bool(shown["moves"]["standings"]) == (kind != "substitute")
    assert (shown["correction"]["kind"], shown["correction"]["state"]) == (kind.replace("-", "_"), "proposed")
    path = f"/corrections/{shown['correction']['number']}"
    assert good(played.sender.get(path))["seen"] == shown["seen"]

    made = good(_make(played, shown))
    assert made["correction"]["state"] == "applied"
    assert made["moves"] == shown["moves"]
    assert (played.totals() != before[0]) == (kind != "substitute")

    undo = good(played.sender.post(f"{path}/undo", {"reason": "改回"}), 201)
    good(_make(played, undo))
    assert played.totals() == before[0]
    assert good(played.sender.get(path))["correction"]["state"] == "undone"
    problem(played.sender.post(f"{path}/undo", {"reason": "再改"}), 409)


def test_others_can_write_while_it_is_worked_out_what_a_correction_moves(played, monkeypatch):
    outside, depths = len(connection.savepoint_ids), []

    def watched(**asked):
        depths.append(len(connection.savepoint_ids))
        return what_would_move(**asked)

    monkeypatch.setattr(corrections, "what_would_move", watched)
    monkeypatch.setattr(corrections, "read", None)  # what a look within the transaction would begin with
    shown = good(_propose(played, "penalty"), 201)
    assert good(_make(played, shown))["moves"] == shown["moves"]
    path = f"/corrections/{shown['correction']['number']}"
    undo = good(played.sender.post(f"{path}/undo", {"reason": "改回"}), 201)
    assert good(_make(played, undo))["correction"]["state"] == "applied"
    assert depths == [outside] * 4


def test_a_proposal_whose_answer_was_cut_off_is_shown_when_it_is_sent_again(played, monkeypatch):
    path, body = "/rounds/1/corrections/penalty", _body(played, "penalty") | {"reason": "补罚"}
    with monkeypatch.context() as broken:
        broken.setattr(corrections, "what_would_move", Mock(side_effect=RuntimeError))
        with pytest.raises(RuntimeError):
            played.sender.post(path, body, key="proposal-1")
    (made,) = played.event.corrections.all()

    again = played.sender.post(path, body, key="proposal-1")
    shown = good(again, 201)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert (shown["correction"]["number"], bool(shown["moves"]["standings"])) == (made.number, True)
    good(_make(played, shown))
    assert good(played.sender.post(path, body, key="proposal-1"), 201) == shown
    assert played.event.corrections.count() == 1


def test_a_walkover_on_record_is_taken_back_as_a_correction(played):
    before = played.totals()
    good(_make(played, good(_propose(played, "walkover"), 201)))
    match = played.deal.table.match.number
    shown = good(_propose(played, "walkover-undo", {"match": match}), 201)
    good(_make(played, shown))
    assert played.totals() == before


def test_a_ruling_on_an_entry_is_listed_and_lifted(played):
    before = played.totals()
    good(_make(played, good(_propose(played, "ruling"), 201)))
    entry = played.deal.table.seats.get(direction="N").entry.number
    (ruling,) = good(played.sender.get(f"/entries/{entry}/rulings"))["results"]
    assert (ruling["unranked"], ruling["annul_from"], ruling["opponents_points"]) == (True, 1, 30)
    assert ruling["lifted_at"] is None
    lift = f"/entries/{entry}/rulings/lift"
    good(_make(played, good(played.sender.post(lift, {"reason": "查清"}), 201)))
    assert played.totals() == before
    problem(played.sender.post(lift, {"reason": "再"}), 409)


def test_results_are_kept_or_annulled_from_a_round_on(played):
    shown = good(_propose(played, "ruling", {"annul_from": 2}), 201)
    assert not any(row["after"] == 1 and row["rows"] and _moved(row) for row in shown["moves"]["standings"])
    problem(_propose(played, "ruling", {"annul_from": 77}), 422)
    problem(_propose(played, "ruling", {"unranked": False}), 422)
    kept = good(_propose(played, "ruling", {"annul_from": None}), 201)
    assert not any(_moved(row) for row in kept["moves"]["standings"])


def _moved(after):
    """Whether a total differs after a round; a rank may."""
    return any(row["total"][0] != row["total"][1] for row in after["rows"])


def test_a_deal_waits_for_somebody_else_and_is_then_finished(played):
    made = good(_make(played, good(_propose(played, "deal"), 201)))
    assert [one["code"] for one in made["waiting"]] == ["waits_for_check"]
    path = f"/corrections/{made['correction']['number']}/finish"
    problem(played.sender.post(path), 422)
    check_deal(actor=played.chief, deal=played.deal, version=2, relation="referee", command_id=uuid4())
    done = good(played.sender.post(path))
    assert done["waiting"] == []
    assert done["correction"]["published_at"]
    assert played.event.rounds.get(number=1).state == Round.State.CLOSED
    problem(played.sender.post(path), 409)


def test_later_draws_are_kept_or_made_anew_by_choice(played):
    old = Draw.objects.get(round__number=2, state=Draw.State.PUBLISHED)
    body = _body(played, "walkover")
    shown = good(_propose(played, "walkover", body), 201)
    assert shown["moves"]["draws"][0]["broken"]
    problem(_make(played, shown, redraw_from=77), 422)
    made = good(_make(played, shown, redraw_from=2, note="弃权"))
    assert (made["correction"]["redrawn_from"], made["correction"]["note"]) == (2, "弃权")
    old.refresh_from_db()
    assert old.state == Draw.State.WITHDRAWN


def test_what_was_recorded_since_the_look_is_looked_at_first(played):
    shown = good(_propose(played, "penalty"), 201)
    _penalty(played, played.deal.table.seats.get(direction="N").entry)
    assert problem(_make(played, shown), 409)["errors"][0]["code"] == "moves_changed"
    path = f"/corrections/{shown['correction']['number']}"
    good(_make(played, good(played.sender.get(path))))


def test_a_proposal_is_dropped_and_not_made_then(played):
    shown = good(_propose(played, "void"), 201)
    path = f"/corrections/{shown['correction']['number']}"
    assert good(played.sender.post(f"{path}/drop"))["correction"]["state"] == "dropped"
    problem(_make(played, shown), 409)
    assert [one["state"] for one in good(played.sender.get("/corrections"))["results"]] == ["dropped"]


def test_a_proposal_that_cannot_be_made_any_more_says_why(played):
    shown = good(_propose(played, "void"), 201)
    good(_make(played, good(_propose(played, "void"), 201)))
    now = good(played.sender.get(f"/corrections/{shown['correction']['number']}"))
    assert now["seen"] == ""
    assert now["refused"]


@pytest.mark.parametrize(
    ("kind", "change", "status"),
    [
        ("deal", {"version": 7}, 409),
        ("deal", {"table": 77}, 409),
        ("deal", {"record": {"captures": {"Z": ["SQ"]}}}, 422),
        ("deal", {"record": 7}, 422),
        ("deal", {"appeal": 77}, 422),
        ("void", {"reason": ""}, 422),
        ("penalty", {"entry": 77}, 409),
        ("penalty", {"points": "a lot"}, 422),
        ("penalty-cancel", {"penalty": 999_999}, 422),
        ("walkover", {"absent": [77]}, 409),
        ("walkover", {"match": 77}, 409),
        ("walkover-undo", {"match": 1}, 409),
        ("seats", {"sat": [{"seat": "N", "at": "Z"}]}, 422),
        ("seats", {"deals": []}, 422),
        ("tables", {"second": {"table": 77, "seat": "N"}}, 422),
        ("tables", {"second": {"table": 1, "seat": "W"}}, 422),
        ("substitute", {"name": ""}, 422),
        ("substitute", {"player": 77}, 409),
        ("ruling", {"opponents": "nothing"}, 422),
        ("ruling", {"from": 1}, 422),
    ],
)
def test_what_cannot_be_made_is_not_put_on_record(played, kind, change, status):
    body = _body(played, kind)
    problem(_propose(played, kind, body | change | {"reason": "x"}, **change), status)
    assert not played.event.corrections.exists()


def test_where_others_go_by_a_round_nothing_changes_at_once(played):
    given, walkover, seats = (_body(played, kind) for kind in ("penalty", "walkover", "seats"))
    penalty, match = _body(played, "penalty-cancel")["penalty"], walkover.pop("match")
    seats.pop("table")
    why = {"reason": "迟到"}
    table = "/rounds/1/tables/1"
    good(_make(played, good(_propose(played, "seats"), 201)))
    (exchange,) = good(played.sender.get(f"{table}/seats"))["results"]
    before = played.stored()
    for path, body in [
        ("/penalties", given | {"round": 1}),
        (f"/penalties/{penalty}/cancel", {}),
        (f"/rounds/1/matches/{match}/walkover", walkover),
        (f"/rounds/1/matches/{match}/walkover/undo", {}),
        (f"{table}/seats", seats),
        (f"{table}/seats/{exchange['id']}/undo", {}),
        ("/rounds/1/exchange", _body(played, "tables") | {"deals": []}),
    ]:
        refused = problem(played.sender.post(path, body | why), 409)
        assert refused["errors"][0]["code"] == "correction_needed", path
    assert played.stored() == before


def test_a_penalty_at_a_seat_is_proposed_where_others_go_by_the_round(played):
    body = {"seat": "N", "rule": "迟到", "points": -5, "reason": "迟到"}
    before = Penalty.objects.count()
    answer = good(played.sender.post("/rounds/1/tables/1/penalties", body))
    found = good(played.sender.get(f"/corrections/{answer['outcome']['correction']}"))
    assert (found["correction"]["kind"], found["correction"]["state"]) == ("penalty", "proposed")
    assert Penalty.objects.count() == before
    good(_make(played, found))
    assert Penalty.objects.count() == before + 1
