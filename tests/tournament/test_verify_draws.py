"""`manage.py verify_draws EVENT`: every draw is what its stored inputs and seed give."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.factories import make_event
from tests.tournament.draws import close, draw_round, give_results
from tournament.models import Seat
from tournament.services.audit import SYSTEM
from tournament.services.draw import make_draw, publish_draw, swap_seats
from tournament.services.entries import withdraw_entry
from tournament.services.stages import StageData, configure_stage

pytestmark = pytest.mark.django_db


def _played():
    event = make_event(entries=16, planned_rounds=2)
    configure_stage(actor=SYSTEM, stage=event.stages.get(), data=StageData(format="swiss", rounds=2))
    first = draw_round(event, 1)
    give_results(first)
    close(first.round)
    second = make_draw(actor=SYSTEM, round=event.rounds.get(number=2), seed=3)
    numbers = list(second.tables.get(number=1).seats.values_list("entry__number", flat=True))
    others = list(second.tables.get(number=4).seats.values_list("entry__number", flat=True))
    swap_seats(actor=SYSTEM, draw=second, first=numbers[0], second=others[0])
    publish_draw(actor=SYSTEM, draw=second, reason="swapped by hand")
    return event


def test_draws_are_verified_whatever_became_of_the_entries_since():
    event = _played()
    withdraw_entry(actor=SYSTEM, entry=event.entries.get(number=1), reason="left")
    out = StringIO()

    call_command("verify_draws", f"{event.tournament.slug}/{event.slug}", stdout=out)

    lines = out.getvalue().splitlines()
    assert lines[0].startswith("round 1 draw 1 swiss seed 1 published: same")
    assert any(line.startswith("round 2 draw 1 swiss seed 3 published: same") for line in lines)
    assert "2 draws verified" in lines[-1]


def test_a_seat_changed_behind_the_services_is_noticed():
    event = _played()
    one, other = Seat.objects.filter(table__draw__round__number=1, direction="N").order_by("table")[:2]
    Seat.objects.filter(pk=one.pk).update(entry=other.entry, player=other.player)
    out = StringIO()

    with pytest.raises(CommandError):
        call_command("verify_draws", str(event.pk), stdout=out)

    assert "round 1 draw 1 swiss seed 1 published: DIFFERENT" in out.getvalue()
    assert "seated_twice" in out.getvalue()


@pytest.mark.parametrize("given", ["999", "nothing/here", "word"])
def test_unknown_event_is_said(given):
    with pytest.raises(CommandError, match="no such event"):
        call_command("verify_draws", given)
