"""What results are made of, changed behind the program's back: the audit trail says otherwise."""

from typing import Any
from uuid import uuid4

import pytest

from referee.models import Deal, DealCheck, DealVersion, EntryRuling, Penalty, Reseating
from referee.services.deals import void_deal
from referee.services.entry_rulings import rule_on_entry
from referee.services.penalties import give_penalty
from referee.services.records import answer_of
from referee.services.reseating import reseat, undo_reseating
from referee.services.trail_facts import check_facts
from scoring.engine import score_deal
from tests.referee.conftest import Hall, open_hall
from tests.tournament.audit.test_chain import _verify, brought_again
from tournament.models import (
    Absence,
    AuditRow,
    Bye,
    Entry,
    Event,
    MatchDecision,
    Round,
    Stage,
    Substitution,
    Walkover,
)
from tournament.services.constraints import mark_absent, unmark_absent
from tournament.services.entries import EntryData, add_entry, delete_entry, edit_entry, withdraw_entry
from tournament.services.lineups import substitute, undo_substitution
from tournament.services.tie_breaks import draw_lots
from tournament.services.walkovers import record_walkover

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    """Two tables: one with a checked and an unchecked deal, the other with nobody; a bye; a penalty; two
    rulings; somebody replaced, and one who will be absent.
    """
    hall = open_hall(entries=9, planned_rounds=2)
    hall.record()
    hall.check()
    hall.record(2, hall.random_record(2))
    give_penalty(
        actor=hall.referee,
        event=hall.event,
        round=hall.table.draw.round,
        entry=hall.table.seats.get(direction="N").entry,
        table=hall.table,
        rule="迟到",
        points=-50,
        reason="迟到十分钟",
        command_id=uuid4(),
    )
    other = hall.tables[1]
    sides = [one.entry for one in other.match.sides.order_by("position")]
    record_walkover(
        actor=hall.organiser,
        match=other.match,
        absent=sides[:1],
        scores={entry.pk: -100 if entry == sides[0] else 100 for entry in sides},
        met=False,
        reason="没到",
    )
    draw_lots(actor=hall.organiser, event=hall.event, seed=1)
    rule_on_entry(actor=hall.organiser, entry=sides[1], unranked=True, annul_from=None, reason="冒名")
    substitute(actor=hall.chief, table=hall.table, segment=1, direction="E", name="替补甲", reason="身体不适")
    mark_absent(actor=hall.organiser, round=hall.event.rounds.get(number=2), numbers=[2, 3], reason="晚到")
    unmark_absent(actor=hall.organiser, round=hall.event.rounds.get(number=2), number=3)
    return hall


def facts(hall: Hall) -> list[str]:
    return [one.text for one in check_facts(hall.event.tournament)]


def _score_as(record: dict[str, Any], version: DealVersion) -> dict[str, Any]:
    return answer_of(score_deal(record, version.ruleset_version.ruleset()))


def _another_record(hall: Hall) -> None:
    version = hall.versions()[0]
    record = {**version.record, "captures": {**version.record["captures"], "N": ["HA", "HK"], "W": ["SQ"]}}
    DealVersion.objects.filter(pk=version.pk).update(record=record, answer=_score_as(record, version))


def _another_score(hall: Hall) -> None:
    version = hall.versions()[0]
    scores = {**version.answer["scores"], "N": 0}
    DealVersion.objects.filter(pk=version.pk).update(answer={**version.answer, "scores": scores})


def _void(hall: Hall) -> None:
    DealVersion.objects.filter(pk=hall.versions()[0].pk).update(state=DealVersion.State.VOID)


def _another_order(hall: Hall) -> None:
    Deal.objects.filter(pk=hall.deal(2).pk).update(order=7)


def _put_in(hall: Hall) -> None:
    version = hall.versions(2)[0]
    DealVersion.objects.create(
        deal=version.deal,
        number=2,
        record=hall.versions()[0].record,
        answer=hall.versions()[0].answer,
        ruleset_version=version.ruleset_version,
    )


def _gone(hall: Hall) -> None:
    hall.versions(2)[0].delete()


def _checked_by_nobody(hall: Hall) -> None:
    DealCheck.objects.create(version=hall.versions(2)[0], relation="next", seat="W")


def _unchecked(hall: Hall) -> None:
    DealCheck.objects.filter(version=hall.versions()[0]).delete()


def _penalty(hall: Hall) -> None:
    Penalty.objects.update(points=50)


def _penalty_of_another(hall: Hall) -> None:
    Penalty.objects.update(entry=hall.table.seats.get(direction="S").entry)


def _penalty_gone(hall: Hall) -> None:
    Penalty.objects.all().delete()


def _penalty_put_in(hall: Hall) -> None:
    given = Penalty.objects.get()
    given.pk = None
    given.save(force_insert=True)


def _walkover(hall: Hall) -> None:
    Walkover.objects.get().scores.filter(absent=True).update(points=999)


def _walkover_gone(hall: Hall) -> None:
    walkover = Walkover.objects.get()
    walkover.scores.all().delete()
    walkover.delete()


def _ruling(hall: Hall) -> None:
    EntryRuling.objects.update(unranked=False, annul_from=1)


def _ruling_gone(hall: Hall) -> None:
    EntryRuling.objects.all().delete()


def _start_points(hall: Hall) -> None:
    Entry.objects.filter(event=hall.event, number=1).update(start_points=500)


def _entry_status(hall: Hall) -> None:
    Entry.objects.filter(event=hall.event, number=1).update(status=Entry.Status.WITHDRAWN)


def _plan(hall: Hall) -> None:
    Event.objects.filter(pk=hall.event.pk).update(plan={"kind": "set", "deals": 1})


def _measure(hall: Hall) -> None:
    Event.objects.filter(pk=hall.event.pk).update(measure=Event.Measure.DIFFERENCE)


def _bye_points(hall: Hall) -> None:
    Event.objects.filter(pk=hall.event.pk).update(options={**hall.event.options, "bye_points": 777})


def _lots(hall: Hall) -> None:
    event = Event.objects.get(pk=hall.event.pk)
    lots = event.options["lots"]
    swapped = {**lots, "1": lots["2"], "2": lots["1"]}
    Event.objects.filter(pk=event.pk).update(options={**event.options, "lots": swapped})


def _tie_breaks(hall: Hall) -> None:
    event = Event.objects.get(pk=hall.event.pk)
    Event.objects.filter(pk=event.pk).update(options={**event.options, "tie_breaks": ["lot"]})


def _terms(hall: Hall) -> None:
    Round.objects.filter(event=hall.event, number=1).update(terms={"measure": "games"})


def _stage_terms(hall: Hall) -> None:
    Stage.objects.filter(event=hall.event).update(terms={"measure": "games"})


def _decision(hall: Hall) -> None:
    match = hall.tables[1].match
    MatchDecision.objects.create(match=match, winner=match.sides.get(position=1).entry, reason="x")


def _stated_for_the_bye(hall: Hall) -> None:
    Bye.objects.update(points=400)


def _bye_put_in(hall: Hall) -> None:
    Bye.objects.create(draw=hall.table.draw, entry=hall.event.entries.get(number=1), points=400)


def _absent_no_more(hall: Hall) -> None:
    Absence.objects.all().delete()


def _absence_put_in(hall: Hall) -> None:
    Absence.objects.create(round=hall.event.rounds.get(number=2), entry=hall.event.entries.get(number=1))


def _substitution(hall: Hall) -> None:
    Substitution.objects.update(after_dealing=1)


def _substitution_gone(hall: Hall) -> None:
    Substitution.objects.all().delete()


def _substitution_put_in(hall: Hall) -> None:
    made = Substitution.objects.get()
    made.pk = None
    made.save(force_insert=True)


TAMPERINGS = [
    _another_record, _another_score, _void, _another_order, _put_in, _gone, _checked_by_nobody, _unchecked,
    _penalty, _penalty_of_another, _penalty_gone, _penalty_put_in, _walkover, _walkover_gone, _ruling,
    _ruling_gone, _start_points, _entry_status, _plan, _measure, _bye_points, _lots,
    _tie_breaks, _terms, _stage_terms, _decision, _stated_for_the_bye, _bye_put_in, _absent_no_more,
    _absence_put_in, _substitution, _substitution_gone, _substitution_put_in,
]  # fmt: skip


def test_nothing_is_found_where_everything_was_done_by_the_program(hall: Hall) -> None:
    assert facts(hall) == []
    assert _verify(hall.event.tournament.slug)[0] == 0


@pytest.mark.parametrize("tamper", TAMPERINGS)
def test_what_was_changed_behind_the_programs_back_is_named(hall: Hall, tamper: Any) -> None:
    tamper(hall)
    assert len(facts(hall)) >= 1
    assert all(" " in one for one in facts(hall))
    status, told = _verify(hall.event.tournament.slug)
    assert status == 1
    assert facts(hall)[0] in told


def test_records_of_a_tournament_from_an_archive_are_held_to_the_trail_that_came_with_it(hall: Hall) -> None:
    brought = brought_again(hall.event.tournament)
    assert _verify(brought.slug)[0] == 0
    event = brought.events.get()
    version = DealVersion.objects.filter(deal__table__draw__round__event=event, deal__number=1).get()
    DealVersion.objects.filter(pk=version.pk).update(record={**version.record, "held": {}})
    assert [one.text for one in check_facts(brought)] == [
        f"{event.slug} round 1 table 1 deal 1 v1: not as it was entered"
    ]


def test_a_deal_reseated_put_back_voided_and_replayed_by_the_program_is_as_written(hall: Hall) -> None:
    sat = {"N": "S", "S": "N"}
    values: dict[str, Any] = {"actor": hall.chief, "reason": "坐错"}
    moved = reseat(
        table=hall.table, segment=1, sat=sat, deals={1: 1, 2: 1}, command_id=uuid4(), **values
    ).body["reseating"]
    assert facts(hall) == []
    rows = AuditRow.objects.filter(action="deal.reseat")
    moved_to = {row.after["number"]: row.after["record"] for row in rows}
    assert moved_to == {number: hall.versions(number)[1].record for number in (1, 2)}
    undo_reseating(reseating=Reseating.objects.get(pk=moved), command_id=uuid4(), **values)
    assert facts(hall) == []
    version = hall.deal().versions.count()
    void_deal(actor=hall.chief, deal=hall.deal(), version=version, reason="发错牌", command_id=uuid4())
    hall.record(1, hall.random_record(5), based_on=version + 1)
    hall.check(1)
    withdraw_entry(actor=hall.organiser, entry=hall.event.entries.get(number=1), reason="走了")
    assert facts(hall) == []


def test_a_substitution_taken_back_and_made_again_is_as_written(hall: Hall) -> None:
    undo_substitution(actor=hall.chief, substitution=Substitution.objects.get(), reason="弄错了")
    assert facts(hall) == []
    substitute(
        actor=hall.chief,
        table=hall.table,
        segment=1,
        direction="W",
        name="替补乙",
        after_deals=1,
        reason="晚到",
    )
    assert facts(hall) == []


def test_absences_follow_an_entry_that_got_another_number_or_was_deleted(hall: Hall) -> None:
    late = add_entry(actor=hall.organiser, event=hall.event, data=EntryData("晚来", "", ("晚来",), 40))
    gone = add_entry(actor=hall.organiser, event=hall.event, data=EntryData("不来", "", ("不来",), 41))
    mark_absent(actor=hall.organiser, round=hall.event.rounds.get(number=2), numbers=[40, 41])
    edit_entry(actor=hall.organiser, entry=late, data=EntryData("晚来", "", ("晚来",), 42))
    delete_entry(actor=hall.organiser, entry=gone)
    add_entry(actor=hall.organiser, event=hall.event, data=EntryData("别人", "", ("别人",), 41))
    assert facts(hall) == []
