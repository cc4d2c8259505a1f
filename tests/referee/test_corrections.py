"""Corrections: looked at with all they move, made, published anew, and taken back."""

from uuid import uuid4

import pytest
from django.db import transaction

from referee.models import Correction, DealCheck
from referee.queries import check_of, current_version
from referee.queries.gone_by import weighs
from referee.services import corrections
from referee.services.checks import check_deal
from referee.services.corrections import (
    apply_correction,
    drop_correction,
    finish_correction,
    look_ahead,
    moves_mark,
    propose_undo,
    waits_for,
)
from referee.services.penalties import give_penalty
from referee.services.trail_facts import check_facts
from tests.factories import actor, make_user
from tests.referee.correction_scene import Scene
from tournament.models import AuditRow, Draw, EntryResult, Publication, Round
from tournament.queries.published import Published
from tournament.queries.standings import event_standings
from tournament.services.audit import SYSTEM
from tournament.services.draw import withdraw_draw
from tournament.services.entries import withdraw_entry
from tournament.services.errors import Conflict, NotAllowed, Refused
from tournament.services.results import rebuild_event_results
from tournament.services.rounds import reopen_round
from tournament.views.manage.correction_view import deal_figures

pytestmark = pytest.mark.django_db

Kind, State = Correction.Kind, Correction.State
What = Publication.What


@pytest.fixture(scope="module")
def scene(django_db_setup, django_db_blocker):
    """Built once; what a test does to it is rolled back with the test."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield Scene()
        transaction.set_rollback(True)


def _public(scene, what=What.STANDINGS, number=1):
    return Published(scene.event).publication(what, number)


def test_looking_ahead_tells_what_moves_and_leaves_nothing_behind(scene):
    before = scene.stored()
    correction = scene.propose()
    rows = AuditRow.objects.count()

    moves = look_ahead(actor=scene.organiser, correction=correction).moves

    assert scene.stored() == before
    assert AuditRow.objects.count() == rows
    assert current_version(scene.deal).number == 1
    (first, second) = moves["standings"]
    assert (first["after"], first["published"], second["after"]) == (1, True, 2)
    seated = {seat.entry.number for seat in scene.deal.table.seats.all()}
    changed = {row["entry"] for row in first["rows"] if row["total"][0] != row["total"][1]}
    assert changed
    assert changed <= seated
    (later,) = moves["draws"]
    assert (later["round"], later["deals"], later["possible"]) == (2, 0, True)
    assert later["broken"]

    made = scene.make(correction, by=scene.chief)
    now = {row.entry.number: row for row in event_standings(scene.event, 1).rows}
    for row in first["rows"]:
        assert now[row["entry"]].rank == row["rank"][1]
        assert str(now[row["entry"]].total) == str(row["total"][1])
    assert made.moves == moves


def test_a_deal_corrected_by_two_is_checked_published_and_named(scene):
    correction = scene.propose(by=scene.chief)
    made = scene.make(correction, by=scene.organiser)

    check = check_of(current_version(scene.deal))
    assert (check.relation, check.user) == (DealCheck.Relation.REFEREE, scene.organiser.user)
    assert made.state == State.APPLIED
    assert made.published_at is not None
    assert scene.event.rounds.get(number=1).state == Round.State.CLOSED
    for what in (What.RESULTS, What.STANDINGS):
        assert (_public(scene, what).version, _public(scene, what).note) == (2, "记分表抄错")
    shown = {row["entry"]: row["total"] for row in _public(scene).payload["rows"]}
    assert shown == {number: int(total) for number, total in scene.totals().items()}
    assert rebuild_event_results(scene.event) == 0
    assert Draw.objects.filter(round__number=2, state=Draw.State.PUBLISHED).count() == 1


def test_a_deal_corrected_by_one_waits_for_somebody_else_and_then_goes_on(scene):
    made = scene.make(scene.propose())
    assert made.published_at is None
    assert [one.code for one in waits_for(made)] == ["waits_for_check"]
    assert _public(scene).version == 1
    assert scene.event.rounds.get(number=1).state == Round.State.PLAYING
    with pytest.raises(Refused) as refused:
        finish_correction(actor=scene.organiser, correction=made)
    assert refused.value.code == "waits_for_check"

    check_deal(actor=scene.chief, deal=scene.deal, version=2, relation="referee", command_id=uuid4())
    made = finish_correction(actor=scene.organiser, correction=made)

    assert made.published_at is not None
    assert _public(scene).version == 2
    assert scene.event.rounds.get(number=1).state == Round.State.CLOSED
    with pytest.raises(Conflict):
        finish_correction(actor=scene.organiser, correction=made)


def test_nothing_is_published_without_a_deal_that_waits_for_its_check(scene):
    waiting = scene.make(scene.propose())
    penalty = scene.make(scene.propose(Kind.PENALTY, _kinds(scene)[Kind.PENALTY], by=scene.chief))
    assert [one.code for one in waits_for(penalty)] == ["waits_for_other"]
    assert (_public(scene).version, _public(scene, What.RESULTS).version) == (1, 1)

    check_deal(actor=scene.chief, deal=scene.deal, version=2, relation="referee", command_id=uuid4())
    for one in (penalty, waiting):
        assert finish_correction(actor=scene.organiser, correction=one).published_at is not None
    assert _public(scene, What.RESULTS).payload["complete"]
    assert scene.event.rounds.get(number=1).state == Round.State.CLOSED


def test_a_correction_undone_before_it_was_finished_leaves_the_round_closed(scene):
    before = scene.stored()
    waiting = scene.make(scene.propose())
    assert scene.event.rounds.get(number=1).state == Round.State.PLAYING
    undo = scene.make(propose_undo(actor=scene.organiser, correction=waiting, reason="误改"))
    assert undo.published_at is not None
    assert scene.stored()[:-1] == before[:-1]  # the results are public anew: the record has a new number


def test_later_draws_are_made_anew_where_the_organiser_says_so(scene):
    old = Draw.objects.get(round__number=2, state=Draw.State.PUBLISHED)
    correction = scene.propose(by=scene.chief)
    moves = look_ahead(actor=scene.organiser, correction=correction).moves

    made = scene.make(correction, redraw_from=2)

    old.refresh_from_db()
    new = Draw.objects.get(round__number=2, state=Draw.State.PUBLISHED)
    assert old.state == Draw.State.WITHDRAWN
    assert new.seed == old.seed
    assert made.redrawn_from == 2
    met = {frozenset(match.sides.values_list("entry__number", flat=True)) for match in new.matches.all()}
    for instead in moves["draws"][0]["instead"]:
        assert frozenset(instead) in met
    assert Published(scene.event).publication(What.DRAW, 2).version == 3


def test_a_round_played_since_is_kept_unless_its_deals_are_given_up_expressly(scene):
    scene.play(Draw.objects.get(round__number=2, state=Draw.State.PUBLISHED))
    correction = scene.propose(by=scene.chief)
    moves = look_ahead(actor=scene.organiser, correction=correction).moves
    assert (moves["draws"][0]["deals"], moves["draws"][0]["closed"]) == (6, True)
    before = scene.stored()
    with pytest.raises(Refused) as refused:
        scene.make(correction, redraw_from=2)
    assert refused.value.code == "deals_recorded"
    assert scene.stored() == before

    scene.make(correction, redraw_from=2, with_deals=True)
    assert scene.event.rounds.get(number=2).state == Round.State.PLAYING
    assert not EntryResult.objects.filter(round__number=2).exists()


def test_only_an_affected_round_is_drawn_anew(scene):
    correction = scene.propose(by=scene.chief)
    with pytest.raises(Refused) as refused:
        scene.make(correction, redraw_from=3)
    assert refused.value.code == "not_affected"


@pytest.mark.parametrize("handed_on", [False, True])
def test_what_was_recorded_since_the_look_is_looked_at_first(scene, handed_on):
    correction = scene.propose(by=scene.chief)
    look = look_ahead(actor=scene.organiser, correction=correction)
    seen = moves_mark(look.moves)
    give_penalty(
        actor=scene.chief,
        event=scene.event,
        round=scene.round,
        entry=scene.deal.table.seats.first().entry,
        rule="迟到",
        points=-500,
        reason="迟到",
        command_id=uuid4(),
    )
    with pytest.raises(Conflict) as refused:
        apply_correction(
            actor=scene.organiser, correction=correction, seen=seen, look=look if handed_on else None
        )
    assert refused.value.code == "moves_changed"


def test_what_was_just_looked_at_is_not_worked_out_once_more(scene, monkeypatch):
    correction = scene.propose(by=scene.chief)
    look = look_ahead(actor=scene.organiser, correction=correction)
    monkeypatch.setattr(corrections, "read", None)
    made = apply_correction(
        actor=scene.organiser, correction=correction, seen=moves_mark(look.moves), look=look
    )
    assert (made.state, made.moves) == (State.APPLIED, look.moves)


#: The scene's tables have played their sets: who is named for a deal, or that play is over, moves no result.
SAME_RESULTS = (Kind.SUBSTITUTE, Kind.STOP)


def _kinds(scene):
    """A change of every kind that the scene allows, with the reason why it moves something."""
    table = scene.round.draws.get().tables.get(number=1)
    north, west = (table.seats.get(direction=one) for one in "NW")
    away = scene.round.draws.get().tables.get(number=2).seats.get(direction="N")
    penalty = give_penalty(
        actor=scene.chief,
        event=scene.event,
        round=scene.round,
        entry=west.entry,
        rule="迟到",
        points=-40,
        reason="迟到",
        command_id=uuid4(),
    )
    given = scene.event.penalties.get(pk=penalty.body["penalty"]).given_at.isoformat()
    numbers = [seat.entry.number for seat in table.seats.all()]
    return {
        Kind.DEAL: scene.deal_change(),
        Kind.VOID: {"table": 1, "deal": 2, "version": 1},
        Kind.PENALTY: {"entry": north.entry.number, "rule": "犹豫", "points": "-55", "sure": False},
        Kind.PENALTY_CANCEL: {"given_at": given},
        Kind.WALKOVER: {
            "match": table.match.number,
            "absent": numbers[:1],
            "scores": {str(number): str(60 * place) for place, number in enumerate(numbers)},
            "met": False,
        },
        Kind.STOP: {"table": 1},
        Kind.SEATS: {"table": 1, "segment": 1, "sat": {"N": "W", "W": "N"}, "deals": {"1": 1, "2": 1}},
        Kind.TABLES: {"first": [1, "N"], "second": [2, "N"], "deals": {"1": [1, 2], "2": [1, 2]}},
        Kind.SUBSTITUTE: {
            "table": 1,
            "segment": 1,
            "seat": "N",
            "name": "替补甲",
            "after_deals": 1,
        },
        Kind.RULING: {
            "entry": away.entry.number,
            "unranked": True,
            "annul_from": 1,
            "opponents": "stated",
            "opponents_points": "30",
        },
    }


@pytest.mark.parametrize(
    "kind",
    [
        Kind.DEAL,
        Kind.VOID,
        Kind.PENALTY,
        Kind.PENALTY_CANCEL,
        Kind.WALKOVER,
        Kind.STOP,
        Kind.SEATS,
        Kind.TABLES,
        Kind.SUBSTITUTE,
        Kind.RULING,
    ],
)
def test_every_kind_is_foreseen_made_and_undone(scene, kind):
    change = _kinds(scene)[kind]
    before = (scene.totals(), [seat.player.name for seat in scene.deal.table.seats.all()])
    correction = scene.propose(kind, change, by=scene.chief if kind != Kind.RULING else scene.organiser)
    moves = look_ahead(actor=scene.organiser, correction=correction).moves
    assert bool(moves["standings"]) == (kind not in SAME_RESULTS)

    made = scene.make(correction)
    assert (scene.totals() != before[0]) == (kind not in SAME_RESULTS)
    assert made.state == State.APPLIED

    undo = scene.make(propose_undo(actor=scene.organiser, correction=made, reason="改回"))

    assert (scene.totals(), [seat.player.name for seat in scene.deal.table.seats.all()]) == before
    made.refresh_from_db()
    assert (made.state, undo.state) == (State.UNDONE, State.APPLIED)
    if kind != Kind.VOID:
        assert undo.published_at is not None
        assert scene.event.rounds.get(number=1).state == Round.State.CLOSED
    assert rebuild_event_results(scene.event) == 0
    assert check_facts(scene.event.tournament) == []
    with pytest.raises(Conflict):
        propose_undo(actor=scene.organiser, correction=made, reason="再改")


def test_what_was_taken_back_is_public_again_with_its_reason(scene):
    first = _public(scene).payload
    made = scene.make(scene.propose(by=scene.chief))
    undo = propose_undo(actor=scene.organiser, correction=made, reason="更正有误")
    scene.make(undo)
    latest = _public(scene)
    assert (latest.version, latest.note) == (3, "更正有误")
    assert latest.payload == first


def test_a_proposal_can_be_dropped_and_is_not_made_then(scene):
    correction = scene.propose()
    drop_correction(actor=scene.organiser, correction=correction)
    with pytest.raises(Conflict):
        scene.make(correction)


def test_what_cannot_be_made_is_refused_with_the_proposal(scene):
    with pytest.raises(Conflict):
        scene.propose(change=scene.deal_change(version=7))
    assert not Correction.objects.exists()


NOWHERE = {
    Kind.DEAL: [{"table": 77}, {"deal": 77}],
    Kind.VOID: [{"table": 77}, {"deal": 77}],
    Kind.PENALTY: [{"entry": 77}, {"player": 77}],
    Kind.PENALTY_CANCEL: [{"given_at": "2020-01-01T00:00:00+00:00"}],
    Kind.WALKOVER: [{"match": 77}, {"absent": [77]}, {"scores": {"77": "1"}}],
    Kind.STOP: [{"table": 77}],
    Kind.SEATS: [{"table": 77}],
    Kind.TABLES: [{"first": [77, "N"]}, {"second": [2, "Z"]}, {"deals": {"77": []}}],
    Kind.SUBSTITUTE: [{"table": 77}, {"seat": "Z"}, {"segment": 77}, {"player": 77}],
    Kind.RULING: [{"entry": 77}],
}


@pytest.mark.parametrize(("kind", "change"), [(kind, one) for kind, some in NOWHERE.items() for one in some])
def test_a_change_of_what_is_not_there_is_refused(scene, kind, change):
    with pytest.raises(Conflict) as refused:
        scene.propose(kind, {**_kinds(scene)[kind], **change})
    assert refused.value.code == "not_there"


@pytest.mark.parametrize("made", [False, True])
def test_a_correction_outlives_the_draw_it_is_about(scene, made):
    correction = scene.propose(by=scene.chief)
    if made:
        correction = scene.make(correction, by=scene.chief)
    reopened = scene.round
    if reopened.state == Round.State.CLOSED:
        reopen_round(actor=SYSTEM, round=reopened, reason="重抽")
    withdraw_draw(actor=SYSTEM, draw=scene.event.rounds.get(number=2).draws.get(), reason="重抽")
    withdraw_draw(actor=SYSTEM, draw=scene.round.draws.get(), reason="重抽", with_deals=True)
    if made:
        assert "waits_for_check" not in [one.code for one in waits_for(correction)]
    else:
        assert deal_figures(correction) == []
        with pytest.raises(Conflict) as refused:
            look_ahead(actor=scene.organiser, correction=correction)
        assert refused.value.code == "not_there"


def test_the_chief_referee_corrects_and_the_organiser_publishes(scene):
    made = scene.make(scene.propose(Kind.PENALTY, _kinds(scene)[Kind.PENALTY]), by=scene.chief)
    assert made.published_at is None
    assert finish_correction(actor=scene.organiser, correction=made).published_at is not None
    referee = actor(make_user("table_referee", scene.event.tournament))
    with pytest.raises(NotAllowed):
        scene.propose(by=referee)


def test_a_change_weighs_once_others_go_by_it(scene):
    assert weighs(scene.round)
    assert not weighs(scene.event.rounds.get(number=2))


def test_an_entry_withdrawn_since_stays_out_of_nothing_it_was_drawn_for(scene):
    withdraw_entry(actor=scene.organiser, entry=scene.event.entries.get(number=12), reason="病")
    moves = look_ahead(
        actor=scene.organiser,
        correction=scene.propose(Kind.SUBSTITUTE, _kinds(scene)[Kind.SUBSTITUTE]),
    ).moves
    assert moves == {"standings": [], "draws": [], "advancing": []}
