"""The parts by which an event is ranked: its stages, the rounds of heats, and the brackets with their places.

A bracket is worked out from the results that the standings are made of, recorded or published, so that its
places never say more than they do.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tournament.models import Round, Stage
from tournament.pairing.knockout import Exit, KnockoutState
from tournament.queries.brackets import BRACKETS
from tournament.queries.criteria import MAIN
from tournament.queries.draw_brackets import standing
from tournament.queries.draw_inputs import Outcome
from tournament.queries.plans import stage_measure
from tournament.queries.stage_counts import counted_from
from tournament.queries.standings_records import Records
from tournament.queries.standings_sheets import Sheet
from tournament.ranking.results import Encounter, Measure, Played

#: Heats go on until so many are left: their round is the final.
_FINALISTS = 4


@dataclass(frozen=True)
class StagePart:
    """A stage, or one round of heats (``heat``), as far as the sheet goes.

    Members, and the keys of ``places`` and ``fates``, are numbers of entries. Results of the rounds from
    ``first`` to ``last`` count in it; points at entry do where ``first`` is 1. ``main`` is what they are
    worth. ``places`` and ``fates`` are a bracket's: who is still in comes first and shares the place.
    ``tiers`` are the places in the groups, where others went on from them.
    """

    stage: Stage
    members: frozenset[int]
    first: int
    last: int
    main: Measure
    heat: int | None = None
    places: Mapping[int, int] | None = None
    tiers: Mapping[int, int] | None = None
    fates: Mapping[int, Mapping[str, Any]] | None = None

    def reached(self, number: int) -> dict[str, Any]:
        """How far an entry came, JSON-ready: the stage, the round of heats and whether it is the final, its
        place in the group, its fate in a bracket.
        """
        return {
            "stage": self.stage.number,
            "name": self.stage.name,
            "round": self.heat,
            "final": self.heat is not None and len(self.members) <= _FINALISTS,
            "place": self.tiers.get(number) if self.tiers else None,
            "fate": self.fates.get(number) if self.fates else None,
        }


def stage_parts(records: Records, numbers: Mapping[int, int], last: int) -> list[StagePart]:
    """The parts in their order, as far as anything of them is in the sheet. The first has everybody.

    ``numbers`` are all entries' numbers by id, ``last`` the round after which the event is ranked.
    """
    sheet = records.sheet
    stages = [one.stage for one in records.stages]
    since = counted_from(
        stages, {one.stage.pk: [round.number for round in one.rounds] for one in records.stages}
    )
    found: list[StagePart] = []
    for record in records.stages:
        stage = record.stage
        own = [one for one in record.rounds if one.number in sheet.rounds and one.number <= last]
        if found and not own:
            continue
        # What a later stage brings does not count for those who stayed behind.
        until = min(last, record.last_round)
        going = numbers.keys() if not found else record.members.keys() & numbers.keys()
        members = frozenset(numbers[pk] for pk in going)
        part = StagePart(stage, members, since[stage.pk], until, MAIN[stage_measure(stage)])
        found.append(part)
        if stage.format in BRACKETS:
            bracket = _bracket(part, own, records, numbers)
            found += [bracket] if bracket else []
        if stage.format == "heats":
            found += _heats(part, own, sheet)
    return found


def _heats(part: StagePart, rounds: Iterable[Round], sheet: Sheet) -> list[StagePart]:
    """A part for each round: who does not play in the next one is out."""
    return [
        replace(part, members=playing, first=one.number, last=one.number, heat=one.number)
        for one in rounds
        if (playing := frozenset(e.entrant for e in sheet.encounters if e.round == one.number) & part.members)
    ]


def _bracket(
    part: StagePart, rounds: Sequence[Round], records: Records, numbers: Mapping[int, int]
) -> StagePart | None:
    begun = records.of_stage(part.stage).begun
    drawn = next((begun[one.number] for one in rounds if one.number in begun), None)
    if drawn is None:
        return None
    ids = {number: pk for pk, number in numbers.items()}
    outcomes = tuple(_outcomes(rounds, records.sheet, part.main, ids))
    fixed = replace(drawn, outcomes=outcomes)
    if not fixed.positions:
        return None
    state = standing(fixed).state
    places = state.placings()
    return replace(
        part,
        members=frozenset(numbers[pk] for pk in fixed.positions if pk in numbers),
        places={numbers[pk]: places.get(pk, 1) for pk in fixed.positions if pk in numbers},
        fates={numbers[pk]: _fate(found, state) for pk, found in state.exits().items() if pk in numbers},
    )


def _fate(found: Exit, state: KnockoutState) -> dict[str, Any]:
    match = found.match
    return {
        "fate": found.fate.value,
        "section": match.section.value if match else None,
        "level": match.level if match else None,
        "levels": len(state.bracket.places).bit_length() - 1,
    }


def _outcomes(
    rounds: Iterable[Round], sheet: Sheet, main: Measure, ids: Mapping[int, int]
) -> Iterable[Outcome]:
    """What the sheet tells of the bracket's matches: those played out, decided, or of a closed round."""
    for round in rounds:
        closed = round.state == Round.State.CLOSED
        by_entry = {one.entrant: one for one in sheet.encounters if one.round == round.number}
        for number, own in sorted(by_entry.items()):
            if own.state is Played.BYE and number in ids:
                yield Outcome(round.number, 0, ((ids[number], 0),), ids[number])
            if len(own.opponents) != 1 or number > own.opponents[0]:
                continue
            other = by_entry[own.opponents[0]]
            if number not in ids or other.entrant not in ids:
                continue
            winner = sheet.decided.get((round.number, frozenset((number, other.entrant))))
            known = closed or (_known(own) and _known(other))
            if known or winner is not None:
                values = tuple((ids[one.entrant], one.amount(main) or 0) for one in (own, other))
                yield Outcome(round.number, number, values, ids[winner] if winner is not None else None)


def _known(encounter: Encounter) -> bool:
    return encounter.state in (Played.PLAYED, Played.WALKOVER)
