"""Closing and reopening a round, and what is missing."""

import pytest

from referee.models import Deal, DealCheck, DealVersion, Dispute, TableCall
from tests.factories import actor, make_event, make_published_draw, make_user
from tournament.models import AuditRow, EntryResult, Event, Round
from tournament.queries.board import round_board
from tournament.services.audit import SYSTEM
from tournament.services.errors import Conflict, NotAllowed, Refused
from tournament.services.rounds import close_round, missing_problem, reopen_round

pytestmark = pytest.mark.django_db


def _deal(table, number, *states, checked=False):
    """A deal with versions in these states, the last one checked or not."""
    event = table.draw.round.event
    deal = Deal.objects.create(table=table, number=number, order=number, dealing=number)
    for version, state in enumerate(states, start=1):
        stored = DealVersion.objects.create(
            deal=deal, number=version, state=state, record={}, ruleset_version=event.ruleset_version
        )
    if checked:
        DealCheck.objects.create(version=stored, relation="referee")
    return deal


def _finish(table):
    """Everything at the table is played out and checked."""
    for seat in table.seats.all():
        EntryResult.objects.update_or_create(
            table=table, entry=seat.entry, round=table.draw.round, defaults={"complete": True}
        )


def _codes(round):
    return {line.number: [(one.code, one.deals) for one in line.missing] for line in round_board(round).lines}


@pytest.fixture
def drawn():
    return make_published_draw(make_event(entries=8))


def test_board_says_what_is_missing_at_each_table(drawn):
    first, _second = drawn.tables.order_by("number")
    _deal(first, 1, "recorded", checked=True)
    _deal(first, 2, "recorded")
    _deal(first, 3, "recorded", "void")
    _deal(first, 4, "recorded", "withdrawn")
    _deal(first, 5, "recorded", "recorded")

    assert _codes(drawn.round) == {
        1: [("unchecked", (2, 5)), ("void", (3,))],
        2: [("no_deal", ())],
    }
    line = round_board(drawn.round).lines[0]
    assert (line.recorded, line.checked, line.state) == (3, 1, "unchecked")


def test_board_says_when_the_plan_is_not_played_out(drawn):
    first, _second = drawn.tables.order_by("number")
    _deal(first, 1, "recorded", checked=True)

    assert _codes(drawn.round)[1] == [("unfinished", ())]
    _finish(first)
    assert _codes(drawn.round)[1] == []
    assert round_board(drawn.round).done == 1


def test_check_of_an_earlier_version_does_not_count_for_a_later_one(drawn):
    first = drawn.tables.get(number=1)
    deal = _deal(first, 1, "recorded", checked=True)
    DealVersion.objects.create(
        deal=deal, number=2, record={}, ruleset_version=drawn.round.event.ruleset_version
    )

    assert _codes(drawn.round)[1] == [("unchecked", (1,))]


def test_board_of_a_preview_is_empty():
    event = make_event(entries=8)

    assert round_board(event.rounds.get(number=1)).lines == ()
    assert not round_board(event.rounds.get(number=1)).complete


def test_board_takes_the_same_number_of_queries_for_many_tables(django_assert_num_queries):
    for entries in (8, 40):
        draw = make_published_draw(make_event(entries=entries))
        for table in draw.tables.all():
            _deal(table, 1, "recorded", checked=True)
        found = Round.objects.select_related("stage", "event__ruleset_version").get(pk=draw.round_id)
        with django_assert_num_queries(9):
            lines = round_board(found).lines
            [seat.player.name for line in lines for seat in line.seats]


def test_board_names_disputed_deals_and_a_call_without_a_ruling(drawn):
    first, second = drawn.tables.order_by("number")
    _deal(first, 1, "recorded", checked=True)
    _deal(first, 2, "recorded", checked=True)
    for deal_version in DealVersion.objects.filter(deal__table=first):
        Dispute.objects.create(
            version=deal_version,
            kind=Dispute.Kind.SEAT if deal_version.deal.number == 2 else Dispute.Kind.FIGURE,
            seat="W",
        )
    TableCall.objects.create(table=second)

    lines = {line.number: line for line in round_board(drawn.round).lines}

    # An alarm about a tablet's figure holds nothing back.
    assert [(one.code, one.deals) for one in lines[1].missing if one.code == "disputed"] == [
        ("disputed", (2,))
    ]
    assert "called" in [one.code for one in lines[2].missing]
    with pytest.raises(Refused) as refusal:
        close_round(actor=SYSTEM, round=drawn.round)
    assert {"disputed", "called"} <= {problem.code for problem in refusal.value.problems}


def test_close_names_everything_that_is_missing(drawn):
    first, _second = drawn.tables.order_by("number")
    _deal(first, 1, "recorded")
    _deal(first, 2, "recorded", "void")

    with pytest.raises(Refused) as refused:
        close_round(actor=SYSTEM, round=drawn.round)

    found = [
        (problem.code, problem.params["table"], problem.params["deals"]) for problem in refused.value.problems
    ]
    assert found == [("unchecked", 1, "1"), ("void", 1, "2"), ("no_deal", 2, "")]
    assert Round.objects.get(pk=drawn.round.pk).state == Round.State.PLAYING


def test_close_when_everything_is_done(drawn):
    for table in drawn.tables.all():
        _deal(table, 1, "recorded", checked=True)
        _finish(table)
    director = make_user("chief_referee", drawn.round.event.tournament)

    closed = close_round(actor=actor(director), round=drawn.round, override_reason="not needed")

    assert (closed.state, closed.closed_by, closed.override_reason) == (Round.State.CLOSED, director, "")
    with pytest.raises(Conflict):
        close_round(actor=SYSTEM, round=drawn.round)


def test_close_with_a_reason_keeps_it_and_what_was_missing(drawn):
    closed = close_round(actor=SYSTEM, round=drawn.round, override_reason="停电")

    assert closed.override_reason == "停电"
    row = AuditRow.objects.get(action="round.close")
    assert row.reason == "停电"
    assert row.after["missing"] == [{"code": "no_deal", "table": "1"}, {"code": "no_deal", "table": "2"}]


def test_reopen_needs_a_reason_and_opens_a_finished_event_too(drawn):
    close_round(actor=SYSTEM, round=drawn.round, override_reason="停电")
    Event.objects.update(state=Event.State.FINISHED)

    with pytest.raises(Refused):
        reopen_round(actor=SYSTEM, round=drawn.round, reason="")
    reopened = reopen_round(actor=SYSTEM, round=drawn.round, reason="来电了")

    assert (reopened.state, reopened.closed_at, reopened.override_reason) == (Round.State.PLAYING, None, "")
    assert Event.objects.get().state == Event.State.STARTED
    assert AuditRow.objects.get(action="round.reopen").before["override_reason"] == "停电"
    with pytest.raises(Conflict):
        reopen_round(actor=SYSTEM, round=drawn.round, reason="again")


def test_planned_round_cannot_be_closed():
    event = make_event(entries=8)

    with pytest.raises(Conflict):
        close_round(actor=SYSTEM, round=event.rounds.get(number=1), override_reason="x")


def test_table_referees_do_not_close_rounds(drawn):
    referee = actor(make_user("table_referee", drawn.round.event.tournament))

    with pytest.raises(NotAllowed):
        close_round(actor=referee, round=drawn.round, override_reason="x")
    with pytest.raises(NotAllowed):
        reopen_round(actor=referee, round=drawn.round, reason="x")


def test_missing_things_are_said_with_table_and_deals(drawn):
    first = drawn.tables.get(number=1)
    _deal(first, 7, "recorded")
    line = round_board(drawn.round).lines[0]

    text = str(missing_problem(line, line.missing[0]))

    assert "1" in text
    assert "7" in text
