"""Every format of every kind with a field that does not fit, somebody late, absent, gone and back.

Whatever happens, each round can be drawn and published, can be played as it is, seats nobody twice and can be
recomputed from what is stored.
"""

from collections import Counter

import pytest

from tests.factories import make_event
from tests.tournament.draws import close, give_results
from tournament.models import Bye, Entry, Event, MatchSide
from tournament.queries.draw_check import impossible
from tournament.queries.draw_formats import FORMATS, answers_for, formats_for
from tournament.queries.draws import same_as_stored
from tournament.services.audit import SYSTEM
from tournament.services.constraints import mark_absent
from tournament.services.draw import make_draw, publish_draw
from tournament.services.entries import return_entry, withdraw_entry
from tournament.services.stages import StageData, configure_stage

pytestmark = pytest.mark.django_db

_ROUNDS = 5
_ENTRIES = 13
_CASES = [(kind, form.key) for kind in Event.Kind.values for form in formats_for(kind)]


def _event(kind, entries, key):
    event = make_event(kind=kind, entries=entries, planned_rounds=_ROUNDS)
    form = FORMATS[key]
    rounds = form.rounds(entries, {}) if form.rounds else _ROUNDS
    configure_stage(actor=SYSTEM, stage=event.stages.get(), data=StageData(format=key, rounds=rounds or 3))
    return event


def _draw(event, number, answer):
    draw = make_draw(actor=SYSTEM, round=event.rounds.get(number=number), seed=number, answer=answer)
    return publish_draw(actor=SYSTEM, draw=draw, reason="as found" if draw.quality["violations"] else "")


def _in_draw(draw):
    sides = MatchSide.objects.filter(match__draw=draw).values_list("entry", flat=True)
    return Counter([*sides, *Bye.objects.filter(draw=draw).values_list("entry", flat=True)])


@pytest.mark.parametrize(("kind", "key"), _CASES)
def test_turmoil_leaves_every_draw_sound(kind, key):
    event = _event(kind, _ENTRIES, key)
    form = FORMATS[key]
    by_number = {entry.number: entry for entry in event.entries.all()}
    Entry.objects.filter(pk=by_number[3].pk).update(first_round=2)
    answer = answers_for(kind, key)[0] if form.seats_field else None
    for round in event.rounds.order_by("number"):
        if round.number == 2:
            withdraw_entry(actor=SYSTEM, entry=by_number[5], reason="ill")
            mark_absent(actor=SYSTEM, round=round, numbers=[7])
        if round.number == 4:
            return_entry(actor=SYSTEM, entry=by_number[5], reason="well")
        draw = _draw(event, round.number, answer)
        seen = _in_draw(draw)
        assert set(seen.values()) == {1}
        assert not impossible(draw.quality["violations"])
        assert same_as_stored(draw)
        if round.number in (2, 3):
            assert by_number[5].pk not in seen
        if round.number == 2 and not form.eliminates:
            # Late, but here: plays, or sits out because the plan says so.
            assert by_number[3].pk in seen
        give_results(draw)
        close(draw.round)
