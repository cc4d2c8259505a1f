"""Changes of many things at once: all or nothing, on record, and undone as one."""

from random import Random
from uuid import uuid4

import pytest

from referee.models import Penalty
from referee.services.deals import record_deal
from tests.factories import make_event
from tests.played import random_record
from tests.tournament.draws import close, draw_round
from tournament.models import AuditRow, Draw, Entry, EntryResult, Event, Publication, Round
from tournament.queries.bulk import clearing, withdrawals
from tournament.queries.standings import event_standings
from tournament.services.audit import SYSTEM
from tournament.services.bulk import bulk_changes, clear_rounds, undo_bulk, withdraw_many
from tournament.services.draw import make_draw
from tournament.services.entries import withdraw_entry
from tournament.services.errors import Conflict, Refused
from tournament.services.results import rebuild_event_results
from tournament.services.walkovers import record_walkover

pytestmark = pytest.mark.django_db


def _withdrawn(event):
    gone = event.entries.filter(status=Entry.Status.WITHDRAWN)
    return sorted(gone.values_list("number", flat=True))


def test_many_are_withdrawn_and_brought_back_but_not_those_who_had_left_before():
    event = make_event(entries=8)
    withdraw_entry(actor=SYSTEM, entry=event.entries.get(number=2), reason="ill")
    draw_round(event, 1, answer="byes")
    effect = withdrawals(event, [2, 5, 6, 99])
    assert [entry.number for entry in effect.entries] == [5, 6]
    assert [entry.number for entry in effect.already] == [2]
    assert effect.unknown == (99,)
    assert effect.seated_in == (1,)
    assert effect.left == 5

    row = withdraw_many(actor=SYSTEM, event=event, numbers=[2, 5, 6], reason="bus left")
    assert _withdrawn(event) == [2, 5, 6]

    undo_bulk(actor=SYSTEM, event=event, row=row, reason="bus came back")
    assert _withdrawn(event) == [2]
    assert [undone for _row, undone in bulk_changes(event)] == [True]
    with pytest.raises(Conflict) as refused:
        undo_bulk(actor=SYSTEM, event=event, row=row, reason="again")
    assert refused.value.code == "undone_already"


def test_nobody_is_withdrawn_if_one_number_is_not_entered():
    event = make_event(entries=4)

    with pytest.raises(Refused) as refused:
        withdraw_many(actor=SYSTEM, event=event, numbers=[1, 2, 9], reason="x")

    assert refused.value.code == "numbers_unknown"
    assert _withdrawn(event) == []
    with pytest.raises(Refused) as refused:
        withdraw_many(actor=SYSTEM, event=event, numbers=[1], reason=" ")
    assert refused.value.code == "reason_missing"


def test_cleared_rounds_come_back_with_their_draws_and_what_was_public():
    event = make_event(entries=16)
    first = draw_round(event, 1)
    second = make_draw(actor=SYSTEM, round=event.rounds.get(number=2), seed=5)
    Penalty.objects.create(
        event=event, round=first.round, entry=event.entries.first(), rule="x", points=-50, reason="y"
    )
    seats = list(first.tables.order_by("number", "seats__order").values_list("number", "seats__entry"))
    lines = clearing(event, 1)
    assert [(one.round.number, one.tables, one.deals, one.penalties, len(one.public)) for one in lines] == [
        (1, 4, 0, 1, 1),
        (2, 4, 0, 0, 0),
    ]

    row = clear_rounds(actor=SYSTEM, event=event, from_round=1, reason="wrong list")

    assert set(Draw.objects.values_list("state", flat=True)) == {Draw.State.WITHDRAWN}
    assert set(event.rounds.values_list("state", flat=True)) == {Round.State.PLANNED}
    assert Penalty.objects.filter(cancelled_at=None).count() == 1
    assert Publication.objects.latest("pk").withdrawn

    undo_bulk(actor=SYSTEM, event=event, row=row, reason="the list was right")

    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, second.state) == (Draw.State.PUBLISHED, Draw.State.PREVIEW)
    assert list(event.rounds.order_by("number").values_list("state", flat=True)) == [
        "playing",
        "drawn",
        "planned",
    ]
    assert (
        list(first.tables.order_by("number", "seats__order").values_list("number", "seats__entry")) == seats
    )
    assert not Publication.objects.latest("pk").withdrawn
    assert AuditRow.objects.filter(event=event, action="draw.restore").count() == 2


def test_a_match_that_was_not_played_has_its_stated_score_again_when_clearing_is_undone():
    event = make_event(kind=Event.Kind.PAIRS, entries=4)
    match = draw_round(event, 1).matches.order_by("number").first()
    came, away = (side.entry for side in match.sides.order_by("position"))
    record_walkover(
        actor=SYSTEM, match=match, absent=[away], scores={came.pk: 50, away.pk: -50}, met=False, reason="late"
    )

    def cells():
        return {row.entry.number: row.cells for row in event_standings(event).rows}

    before = cells()
    row = clear_rounds(actor=SYSTEM, event=event, from_round=1, reason="wrong list")
    assert cells() != before
    undo_bulk(actor=SYSTEM, event=event, row=row, reason="the list was right")

    assert cells() == before
    assert cells()[came.number][0].value == 50
    assert rebuild_event_results(event) == 0


def test_rounds_drawn_anew_since_are_not_overwritten_by_undoing():
    event = make_event(entries=16)
    draw_round(event, 1)
    row = clear_rounds(actor=SYSTEM, event=event, from_round=1, reason="wrong list")
    again = draw_round(event, 1, seed=9)

    with pytest.raises(Conflict) as refused:
        undo_bulk(actor=SYSTEM, event=event, row=row, reason="no")

    assert refused.value.code == "drawn_since"
    again.refresh_from_db()
    assert again.state == Draw.State.PUBLISHED


def test_closed_rounds_are_named_and_nothing_is_cleared():
    event = make_event(entries=16)
    close(draw_round(event, 1).round)
    draw_round(event, 2)

    with pytest.raises(Refused) as refused:
        clear_rounds(actor=SYSTEM, event=event, from_round=1, reason="all wrong")

    assert [problem.params for problem in refused.value.problems] == [{"round": 1}]
    assert Draw.objects.filter(state=Draw.State.PUBLISHED).count() == 2
    with pytest.raises(Refused) as refused:
        clear_rounds(actor=SYSTEM, event=event, from_round=3, reason="nothing there")
    assert refused.value.code == "nothing_to_do"


def test_results_come_back_with_the_draw_that_is_restored():
    event = make_event(entries=8)
    record_deal(
        actor=SYSTEM,
        table=draw_round(event, 1).tables.get(number=1),
        number=1,
        record=random_record(Random(1)),
        entered_seat="N",
        command_id=uuid4(),
    )
    before = list(EntryResult.objects.order_by("entry").values("entry", "points", "value", "deals"))
    assert before
    with pytest.raises(Refused) as refused:
        clear_rounds(actor=SYSTEM, event=event, from_round=1, reason="oops")
    assert refused.value.code == "deals_recorded"

    row = clear_rounds(actor=SYSTEM, event=event, from_round=1, reason="oops", with_deals=True)
    assert not EntryResult.objects.exists()

    undo_bulk(actor=SYSTEM, event=event, row=row, reason="sorry")
    assert list(EntryResult.objects.order_by("entry").values("entry", "points", "value", "deals")) == before
