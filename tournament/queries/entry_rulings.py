"""Rulings on entries as standings and draws see them: who has no rank, and whose results are annulled.

Nothing on record is touched: what was played stays, and counts again once the ruling is lifted.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from referee.models import EntryRuling
from tournament.models import Event
from tournament.ranking.points import Points
from tournament.ranking.results import Adjustment, Encounter, Measure, Played

#: Match points of somebody whose opponent's results are annulled.
_WON = 2


def rulings_in_force(event: Event) -> dict[int, EntryRuling]:
    """By the entry's number, the ruling in force on it. One query."""
    found = EntryRuling.objects.filter(entry__event=event, lifted_at=None).select_related("entry")
    return {one.entry.number: one for one in found}


def ruled_encounters(
    mains: Mapping[int, Measure], encounters: Iterable[Encounter], rulings: Mapping[int, EntryRuling]
) -> tuple[Encounter, ...]:
    """The encounters as the rulings leave them; ``mains`` says what each round is worth.

    An annulled one is worth nothing to the entry and counts for no tie-break. Those who met it keep what they
    have, or have the score that the ruling states, as for a walkover.
    """
    if not rulings:
        return tuple(encounters)
    return tuple(_ruled(mains, one, rulings) for one in encounters)


def ruled_adjustments(
    adjustments: Iterable[Adjustment], rulings: Mapping[int, EntryRuling]
) -> tuple[Adjustment, ...]:
    """The penalties and points at entry that still count: those of an annulled round go with its result."""
    return tuple(
        one
        for one in adjustments
        if not (one.entrant in rulings and rulings[one.entrant].annuls(max(one.round, 1)))
    )


def ruled_values(
    results: Iterable[tuple[int, int, int, Points]], rulings: Iterable[EntryRuling]
) -> Iterable[tuple[int, Points]]:
    """By entry id, what each result counts for a draw: ``results`` are round, match, entry id and value.

    All tables of a match belong together: a stated score counts once.
    """
    by_entry = {one.entry_id: one for one in rulings}
    matches: defaultdict[tuple[int, int], list[tuple[int, Points]]] = defaultdict(list)
    for round, match, entry, value in results:
        matches[round, match].append((entry, value))
    for (round, _match), lines in matches.items():
        annulled = {who for who, _value in lines if who in by_entry and by_entry[who].annuls(round)}
        stated = [by_entry[who] for who in sorted(annulled) if _states(by_entry[who])]
        seen = set()
        for entry, value in lines:
            if entry in annulled:
                continue
            if not stated:
                yield entry, value
            elif entry not in seen:
                seen.add(entry)
                yield entry, stated[0].opponents_points


def _ruled(mains: Mapping[int, Measure], one: Encounter, rulings: Mapping[int, EntryRuling]) -> Encounter:
    if one.entrant in rulings and rulings[one.entrant].annuls(one.round):
        return replace(one, amounts=(), state=Played.ANNULLED, met=False)
    annulled = {
        other: rulings[other]
        for other in one.opponents
        if other in rulings and rulings[other].annuls(one.round)
    }
    stated = next((ruling for ruling in annulled.values() if _states(ruling)), None)
    if stated is not None:
        amounts = {Measure.MATCH_POINTS: _WON, mains[one.round]: stated.opponents_points}
        return replace(one, amounts=tuple(amounts.items()), state=Played.WALKOVER, met=False)
    # What was played against somebody without a result says nothing about the strength of opponents.
    return replace(one, opponents=tuple(other for other in one.opponents if other not in annulled))


def _states(ruling: EntryRuling) -> bool:
    return ruling.opponents == EntryRuling.Opponents.STATED
