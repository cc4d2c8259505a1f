"""Walkovers in published draws: what they are worth, whom they bring together, and taken back."""

import io
from uuid import uuid4

import pytest
from openpyxl import load_workbook

from referee.services.tables import resume_table
from tests.factories import make_event
from tests.played import played_deal
from tests.tournament.draws import close, draw_round, give_values
from tournament.excel.writing import result_workbook
from tournament.models import AuditRow, EntryResult, Event, Round, Table
from tournament.queries.board import round_board
from tournament.queries.draw_sources import collect_inputs
from tournament.queries.standings import event_standings
from tournament.ranking.tie_breaks import Criterion
from tournament.services.audit import SYSTEM
from tournament.services.errors import Conflict, Refused
from tournament.services.publish import publish, publish_round
from tournament.services.results import rebuild_event_results
from tournament.services.rounds import close_round
from tournament.services.stages import StageData, configure_stage
from tournament.services.walkovers import record_walkover, undo_walkover

pytestmark = pytest.mark.django_db


def _pairs(key="swiss", entries=4, rounds=3, stage=None, **event):
    made = make_event(kind=Event.Kind.PAIRS, entries=entries, planned_rounds=rounds, **event)
    configure_stage(
        actor=SYSTEM, stage=made.stages.get(), data=StageData(format=key, rounds=rounds, options=stage or {})
    )
    return made


def _sides(match):
    return [side.entry for side in match.sides.order_by("position")]


def _walkover(match, *, came=50, away=-50, met=False, absent=None, reason="迟到超过半小时"):
    winner, loser = _sides(match)
    return record_walkover(
        actor=SYSTEM,
        match=match,
        absent=[loser] if absent is None else absent,
        scores={winner.pk: came, loser.pk: away},
        met=met,
        reason=reason,
    )


def _totals(event, **how):
    return {row.entry.number: row.total for row in event_standings(event, **how).rows}


def _refusals(refused):
    return {problem.code for problem in refused.value.problems}


def test_stated_scores_stand_in_for_the_deals_and_the_table_is_done():
    event = _pairs()
    draw = draw_round(event, 1)
    match = draw.matches.order_by("number").first()
    winner, loser = _sides(match)
    played_deal(match.tables.get(), 1, checked=False)

    _walkover(match)

    assert {n: _totals(event)[n] for n in (winner.number, loser.number)} == {
        winner.number: 50,
        loser.number: -50,
    }
    cells = {row.entry.number: row.cells[0] for row in event_standings(event).rows}
    assert cells[winner.number].walkover
    assert cells[winner.number].complete
    lines = {line.table.match_id: line for line in round_board(draw.round).lines}
    assert lines[match.pk].complete
    assert lines[match.pk].walkover
    assert not lines[draw.matches.exclude(pk=match.pk).get().pk].complete
    before = list(EntryResult.objects.order_by("id").values_list("entry", "value", "complete", "deals"))
    assert rebuild_event_results(event) == 0
    assert before == list(
        EntryResult.objects.order_by("id").values_list("entry", "value", "complete", "deals")
    )


@pytest.mark.parametrize("met", [True, False])
def test_by_choice_it_counts_as_a_meeting_in_later_draws(met):
    event = _pairs()
    draw = draw_round(event, 1)
    match = draw.matches.order_by("number").first()
    winner, loser = _sides(match)
    _walkover(match, met=met)
    close(draw.round)

    history = collect_inputs(event.rounds.get(number=2)).history

    together = [{entry for _seat, entry in table.seats} for table in history.tables]
    sat_out = {(one.entrant, one.kind.value) for one in history.sit_outs}
    assert ({winner.pk, loser.pk} in together) is met
    assert sat_out == (set() if met else {(winner.pk, "bye"), (loser.pk, "missed")})


def test_who_came_has_won_the_match_whatever_the_scores():
    event = _pairs(options={"tie_breaks": ["match_points", "buchholz"]})
    draw = draw_round(event, 1)
    match = draw.matches.order_by("number").first()
    winner, loser = _sides(match)
    _walkover(match, came=0, away=0)

    rows = {row.entry.number: dict(row.tie_breaks) for row in event_standings(event).rows}

    assert rows[winner.number][Criterion.MATCH_POINTS] == 2
    assert rows[loser.number][Criterion.MATCH_POINTS] == 0


def test_both_absent_have_both_lost():
    event = _pairs(options={"tie_breaks": ["match_points"]})
    match = draw_round(event, 1).matches.order_by("number").first()
    _walkover(match, came=0, away=0, absent=_sides(match))

    rows = {row.entry.number: dict(row.tie_breaks) for row in event_standings(event).rows}

    assert [rows[entry.number][Criterion.MATCH_POINTS] for entry in _sides(match)] == [0, 0]


def test_taken_back_the_deals_count_again_and_play_goes_on():
    event = _pairs()
    match = draw_round(event, 1).matches.order_by("number").first()
    table = match.tables.get()
    played_deal(table, 1)
    before = _totals(event)
    _walkover(match)
    table.refresh_from_db()
    assert table.stopped_at is not None
    with pytest.raises(Conflict) as refused:
        resume_table(actor=SYSTEM, table=table, reason="they came", command_id=uuid4())
    assert refused.value.code == "match_walkover"
    # Stated again with other scores: still the walkover's own end of play.
    _walkover(match, came=30, away=0)

    undo_walkover(actor=SYSTEM, match=match, reason="they came after all")

    table.refresh_from_db()
    assert (table.stopped_at, table.stop_reason) == (None, "")
    assert _totals(event) == before
    actions = AuditRow.objects.filter(event=event, action__startswith="match.").order_by("id")
    assert list(actions.values_list("action", flat=True)) == [
        "match.walkover",
        "match.walkover",
        "match.walkover_undo",
    ]


def test_play_ended_by_a_referee_stays_ended():
    event = _pairs()
    match = draw_round(event, 1).matches.order_by("number").first()
    _walkover(match)
    Table.objects.filter(match=match).update(stopped_at="2026-01-01T00:00:00Z", stop_reason="time")

    undo_walkover(actor=SYSTEM, match=match, reason="they came after all")

    assert match.tables.get().stop_reason == "time"


def test_refused_without_absent_scores_or_reason_and_in_a_closed_round():
    event = _pairs()
    draw = draw_round(event, 1)
    match, other = draw.matches.order_by("number")
    winner, _loser = _sides(match)
    with pytest.raises(Refused) as refused:
        record_walkover(
            actor=SYSTEM, match=match, absent=_sides(other)[:1], scores={winner.pk: 1}, met=True, reason="x"
        )
    assert _refusals(refused) == {"not_a_side", "walkover_score"}
    with pytest.raises(Refused) as refused:
        _walkover(match, absent=[])
    assert _refusals(refused) == {"nobody_absent"}
    with pytest.raises(Refused):
        _walkover(match, reason=" ")
    close(draw.round)
    with pytest.raises(Conflict):
        _walkover(match)


def test_walkover_of_a_bracket_needs_a_winner_who_goes_on():
    event = _pairs("knockout", rounds=2, stage={"third_place": False})
    draw = draw_round(event, 1)
    for match in draw.matches.all():
        with pytest.raises(Refused) as refused:
            _walkover(match, came=0, away=0)
        assert _refusals(refused) == {"walkover_decides_nothing"}
        _walkover(match, came=1, away=0)

    # Nothing is missing, so no reason is asked for.
    closed = close_round(actor=SYSTEM, round=draw.round)
    assert closed.override_reason == ""
    second = draw_round(event, 2)
    final = {entry.number for entry in _sides(second.matches.get())}
    assert final == {_sides(match)[0].number for match in draw.matches.all()}


def test_table_of_singles_has_a_score_for_everybody():
    event = make_event(entries=4, planned_rounds=2)
    match = draw_round(event, 1).matches.get()
    entries = list(event.entries.order_by("number"))
    record_walkover(
        actor=SYSTEM,
        match=match,
        absent=entries[:1],
        scores={entry.pk: 0 if entry == entries[0] else 20 for entry in entries},
        met=False,
        reason="三缺一",
    )

    assert _totals(event) == {1: 0, 2: 20, 3: 20, 4: 20}
    history = collect_inputs(event.rounds.get(number=2)).history
    assert not history.tables
    assert sorted(one.kind.value for one in history.sit_outs) == ["bye", "bye", "bye", "missed"]


@pytest.mark.parametrize("measure", [Event.Measure.VICTORY_POINTS, Event.Measure.POINTS])
def test_match_of_teams_is_worth_its_score_once_though_it_has_two_tables(measure):
    event = make_event(kind=Event.Kind.TEAMS, entries=2, measure=measure)
    match = draw_round(event, 1).matches.get()
    winner, loser = _sides(match)
    _walkover(match, came=18, away=2)

    assert _totals(event) == {winner.number: 18, loser.number: 2}


def test_published_standings_show_the_walkover_as_the_desks_do():
    event = _pairs(entries=2, options={"tie_breaks": ["match_points"]})
    draw = draw_round(event, 1)
    match = draw.matches.get()
    _walkover(match)
    publish(actor=SYSTEM, round=draw.round, what="draw")

    results, standings = publish_round(actor=SYSTEM, round=draw.round)

    (table,) = results.payload["tables"]
    assert table["walkover"]["reason"] == "迟到超过半小时"
    assert table["complete"]
    assert [row["cells"][0]["walkover"] for row in standings.payload["rows"]] == [True, True]
    assert _totals(event, published_only=True) == _totals(event)
    assert [row["tie_breaks"] for row in standings.payload["rows"]] == [[2], [0]]


def test_round_with_byes_alone_closes_without_a_reason():
    event = _pairs("knockout", rounds=2, stage={"third_place": False})
    first = draw_round(event, 1)
    give_values(first, lambda entry: -entry.number)
    close(first.round)
    gone = event.entries.get(number=1)
    gone.status = "withdrawn"
    gone.save()
    second = draw_round(event, 2)
    assert (second.matches.count(), second.byes.count()) == (0, 1)

    board = round_board(Round.objects.get(pk=second.round_id))

    assert (board.lines, board.drawn, board.complete) == ((), True, True)
    assert close_round(actor=SYSTEM, round=second.round).override_reason == ""
    winner = second.byes.get().entry
    assert event_standings(event).rows[0].entry == winner


def test_workbook_has_the_stated_scores_and_says_who_did_not_come():
    event = _pairs(rounds=1)
    match = draw_round(event, 1).matches.order_by("number").first()
    winner, loser = _sides(match)
    _walkover(match, came=120, away=-120)
    sheet = load_workbook(io.BytesIO(result_workbook(event, "en")))["Results"]
    heads = [cell.value for cell in sheet[1]]
    rows = {row[heads.index("Number")]: row for row in sheet.iter_rows(min_row=2, values_only=True)}
    told = {
        number: (row[heads.index("Result")], row[heads.index("Remark")])
        for number, row in rows.items()
        if row[1] == 1
    }
    assert told == {
        winner.number: (120, "The score is stated, not played."),
        loser.number: (-120, "did not come; 迟到超过半小时"),
    }
