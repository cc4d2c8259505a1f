"""Choosing tie-breaks and drawing lots."""

import pytest

from tests.factories import actor, make_entry, make_event, make_user
from tournament.models import AuditRow, Event
from tournament.queries.criteria import CRITERIA, MAIN, criteria_of, offered_tie_breaks
from tournament.ranking.tie_breaks import Criterion
from tournament.services.audit import SYSTEM
from tournament.services.errors import NotAllowed, Refused
from tournament.services.tie_breaks import choose_tie_breaks, draw_lots

pytestmark = pytest.mark.django_db


def test_every_criterion_has_a_name_and_every_measure_a_criterion():
    assert set(CRITERIA) == set(Criterion)
    assert set(MAIN) == set(Event.Measure)
    assert all(Criterion(measure.value) for measure in MAIN.values())


def test_tie_breaks_are_kept_in_order_after_the_events_measure():
    event = make_event("pairs", 4)
    chosen = choose_tie_breaks(actor=SYSTEM, event=event, tie_breaks=["match_points", "buchholz", "lot"])
    assert [one.value for one in criteria_of(chosen)] == ["difference", "match_points", "buchholz", "lot"]
    row = AuditRow.objects.get(action="event.tie_breaks")
    assert row.before == {"tie_breaks": []}
    assert row.after == {"tie_breaks": ["match_points", "buchholz", "lot"]}


def test_the_same_tie_breaks_again_write_nothing():
    event = make_event()
    for _ in range(2):
        choose_tie_breaks(actor=SYSTEM, event=event, tie_breaks=["lot"])
    assert AuditRow.objects.filter(action="event.tie_breaks").count() == 1


def test_tie_breaks_that_cannot_be_are_refused_all_at_once():
    event = make_event()
    with pytest.raises(Refused) as refused:
        choose_tie_breaks(
            actor=SYSTEM, event=event, tie_breaks=["match_points", "lot", "total", "nonsense", "lot"]
        )
    assert [(one.code, one.field) for one in refused.value.problems] == [
        ("tie_break_unknown", "tie_break_1"),  # individuals play no matches
        ("tie_break_unknown", "tie_break_3"),  # the event's own measure
        ("tie_break_unknown", "tie_break_4"),
        ("tie_break_twice", "tie_break_5"),
    ]
    event.refresh_from_db()
    assert "tie_breaks" not in event.options


def test_only_an_organiser_chooses_and_draws():
    event = make_event(entries=4)
    chief = actor(make_user("chief_referee", event.tournament))
    with pytest.raises(NotAllowed):
        choose_tie_breaks(actor=chief, event=event, tie_breaks=[])
    with pytest.raises(NotAllowed):
        draw_lots(actor=chief, event=event)


def test_match_points_are_offered_to_two_sides_alone():
    assert Criterion.MATCH_POINTS in offered_tie_breaks(make_event("teams"))
    assert Criterion.MATCH_POINTS not in offered_tie_breaks(make_event())


def test_lots_are_different_stay_and_can_be_drawn_again_from_the_seed():
    event, other = make_event(entries=8), make_event(entries=8)
    lots = draw_lots(actor=SYSTEM, event=event, seed=7)
    assert lots.keys() == set(range(1, 9))
    assert len(set(lots.values())) == 8
    assert draw_lots(actor=SYSTEM, event=other, seed=7) == lots
    late = make_entry(event, "迟来")
    after = draw_lots(actor=SYSTEM, event=event, seed=8)
    assert {number: after[number] for number in lots} == lots
    assert after[late.number] not in lots.values()
    rows = AuditRow.objects.filter(event=event, action="event.lots").order_by("id")
    assert [row.after["seed"] for row in rows] == [7, 8]
    assert draw_lots(actor=SYSTEM, event=event, seed=9) == after
    assert rows.count() == 2
