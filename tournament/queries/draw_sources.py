"""Collecting a draw's inputs from the store."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from tournament.models import (
    Absence,
    ApartGroup,
    Bye,
    Draw,
    Entry,
    EntryResult,
    Event,
    MatchDecision,
    MatchSide,
    Round,
    Stage,
)
from tournament.pairing.model import Constraints, Entrant
from tournament.pairing.options import OddAnswer
from tournament.queries.draw_check import violations
from tournament.queries.draw_formats import FORMATS, eliminated
from tournament.queries.draw_history import meetings, points_on_record
from tournament.queries.draw_inputs import DrawInputs, Outcome, StageInputs, as_points
from tournament.queries.stage_counts import stage_counts_from


def collect_inputs(
    round: Round, answer: OddAnswer | None = None, plan: StageInputs | None = None
) -> DrawInputs:
    """The inputs for drawing a round now, from what is stored. A constant number of queries.

    ``plan`` is what the stage goes by from now on, where that is not what it went by before.
    """
    event, stage = round.event, round.stage
    entries = stage_entries(stage)
    form = FORMATS[stage.format]
    stage_now = plan or stage_inputs(round)
    if stage_now.positions:
        answer = stage_now.answer
    if form.fixes_positions and not stage_now.positions:
        # Whoever has left before the plan is made has no place in it; late arrivals have.
        entries = [entry for entry in entries if entry.status == Entry.Status.ACTIVE]
    numbers = _stage_rounds(stage)
    since = numbers[0] if form.stage_history else 1
    return DrawInputs(
        round=round.number,
        planned_rounds=numbers[-1],
        entrants=entrants(round, entries, stage_now, answer),
        history=meetings(event, previews=form.planned).history(
            entries, before_round=round.number, from_round=since
        ),
        constraints=Constraints.of(
            clubs_apart_rounds=event.clubs_apart_rounds,
            seeds_apart_rounds=event.options.get("seeds_apart_rounds", 0),
            forbidden=forbidden_pairs(event),
        ),
        stage=stage_now,
        answer=answer,
    )


def stage_entries(stage: Stage) -> list[Entry]:
    """Who belongs to a stage: everybody in the first, later those who advanced; house players in all.

    By number, or by their seed in the stage.
    """
    everybody = stage.event.entries.order_by("number")
    places = dict(stage.members.values_list("entry", "place"))
    if not places and is_first(stage):
        return list(everybody)
    found = [entry for entry in everybody if entry.pk in places or entry.house]
    return sorted(found, key=lambda entry: (entry.house, places.get(entry.pk, 0), entry.number))


def is_first(stage: Stage) -> bool:
    """Whether it is the event's first stage, in which everybody plays."""
    return not stage.event.stages.filter(number__lt=stage.number).exists()


def entrants(
    round: Round, entries: Sequence[Entry], stage: StageInputs, answer: OddAnswer | None
) -> tuple[Entrant, ...]:
    """The entries as the draw of a round sees them: with their points so far, present or not.

    House players are there where the answer asks for them. In a stage that starts from 0 only its own rounds
    count, and in one that carries these on.
    """
    event, number = round.event, round.number
    since = stage_counts_from(event, round.stage)
    points = points_on_record(event).before(number, since)
    places = dict(round.stage.members.values_list("entry", "place"))
    absent = set(Absence.objects.filter(round=round).values_list("entry", flat=True))
    found = tuple(
        Entrant(
            id=entry.pk,
            number=entry.number,
            club=entry.club,
            points=points[entry.pk] + (entry.start_points if since == 1 else 0),
            seed=places.get(entry.pk, entry.seeding),
            present=is_present(entry, number, absent) and (not entry.house or answer is OddAnswer.HOUSE),
            house=entry.house,
        )
        for entry in entries
    )
    gone = eliminated(round.stage.format, found, stage, number)
    return tuple(without_presence(one) if one.id in gone else one for one in found)


def as_they_are(stage: Stage) -> tuple[Entrant, ...]:
    """The entries of a stage without points: present unless they have withdrawn."""
    return tuple(
        Entrant(one.pk, one.number, present=one.status == Entry.Status.ACTIVE, house=one.house)
        for one in stage_entries(stage)
    )


def is_present(entry: Entry, round_number: int, absent: set[int]) -> bool:
    """Whether an entry takes part in a round as far as it alone is concerned."""
    active = entry.status == Entry.Status.ACTIVE
    return active and entry.first_round <= round_number and entry.pk not in absent


def without_presence(one: Entrant) -> Entrant:
    """The same entrant, not in this round."""
    return Entrant(one.id, one.number, one.club, one.team, one.points, one.seed, False, one.house)


def violations_now(draw: Draw) -> list[dict[str, Any]]:
    """What the checker finds in a stored draw against the entries as they are now: some may have left."""
    inputs = DrawInputs.from_json(draw.inputs)
    round = draw.round
    now = entrants(round, stage_entries(round.stage), inputs.stage, inputs.answer)
    return violations(draw, inputs, now)


def stage_field(round: Round) -> list[Entry]:
    """Who plays or sits out in a round if it is drawn now; house players are not counted."""
    entries = stage_entries(round.stage)
    there = {one.id for one in entrants(round, entries, stage_inputs(round), None) if one.present}
    return [entry for entry in entries if entry.pk in there]


def forbidden_pairs(event: Event) -> list[tuple[int, int]]:
    """All pairs of entry ids that are kept apart by name."""
    groups: defaultdict[int, list[int]] = defaultdict(list)
    members = ApartGroup.entries.through.objects.filter(apartgroup__event=event).order_by("entry_id")
    for group, entry in members.values_list("apartgroup_id", "entry_id"):
        groups[group].append(entry)
    return sorted({pair for group in groups.values() for pair in combinations(group, 2)})


def stage_inputs(round: Round) -> StageInputs:
    """What the stage has fixed and played before a round."""
    stage = round.stage
    form = FORMATS[stage.format]
    numbers = _stage_rounds(stage)
    # Each draw hands on what its stage goes by: mostly as it began, sometimes with those who joined later.
    last = (
        Draw.objects.filter(round__stage=stage, round__number__lt=round.number)
        .exclude(state=Draw.State.WITHDRAWN)
        .order_by("-round__number")
        .first()
    )
    fixed = StageInputs.from_json(last.inputs["stage"]) if last and form.fixes_positions else StageInputs()
    options = {name: value for name, value in stage.options.items() if name in form.option_names}
    return StageInputs(
        first_round=numbers[0],
        rounds=len(numbers),
        # A plan goes on as it began, whatever has become of the options since.
        options=fixed.options if fixed.positions else options,
        positions=fixed.positions,
        seed=fixed.seed,
        answer=fixed.answer,
        groups=fixed.groups,
        origins=fixed.origins if fixed.positions else stage_origins(stage),
        outcomes=stage_outcomes(stage, before_round=round.number) if form.eliminates else (),
        rest=fixed.rest,
        rest_from=fixed.rest_from,
    )


def first_draw(stage: Stage) -> Draw | None:
    """The draw with which a stage begins, preview or published."""
    living = Draw.objects.filter(round__stage=stage).exclude(state=Draw.State.WITHDRAWN)
    return living.order_by("round__number").first()


def stage_groups(stage: Stage) -> tuple[tuple[int, ...], ...]:
    """Entry ids by group, once the groups are drawn, later ones included; empty for other formats."""
    living = Draw.objects.filter(round__stage=stage).exclude(state=Draw.State.WITHDRAWN)
    draw = living.order_by("-round__number").first()
    return StageInputs.from_json(draw.inputs["stage"]).groups if draw else ()


def stage_origins(stage: Stage) -> tuple[tuple[int, int, int], ...]:
    """From which group of the stage before each entry comes, and its place there by the order confirmed."""
    before = stage.event.stages.filter(number__lt=stage.number).order_by("-number").first()
    groups = stage_groups(before) if before else ()
    group_of = {entry: number for number, group in enumerate(groups, start=1) for entry in group}
    places: defaultdict[int, int] = defaultdict(int)
    found = []
    for entry in stage.members.order_by("place").values_list("entry", flat=True):
        if entry in group_of:
            places[group_of[entry]] += 1
            found.append((entry, group_of[entry], places[group_of[entry]]))
    return tuple(found)


def stage_outcomes(stage: Stage, before_round: int | None = None) -> tuple[Outcome, ...]:
    """Results of the matches of a stage's published draws, those that sat out included."""
    draws = Draw.objects.filter(round__stage=stage, state=Draw.State.PUBLISHED)
    if before_round is not None:
        draws = draws.filter(round__number__lt=before_round)
    rounds = dict(draws.values_list("pk", "round__number"))
    values: defaultdict[tuple[int, int], int | Fraction] = defaultdict(int)
    results = EntryResult.objects.filter(table__draw__in=rounds)
    for match, entry, value in results.values_list("table__match", "entry", "value"):
        values[match, entry] += value
    decided = dict(MatchDecision.objects.filter(match__draw__in=rounds).values_list("match", "winner"))
    sides: defaultdict[tuple[int, int, int], list[int]] = defaultdict(list)
    rows = MatchSide.objects.filter(match__draw__in=rounds).order_by(
        "match__draw", "match__number", "position"
    )
    for draw, match, number, entry in rows.values_list("match__draw", "match", "match__number", "entry"):
        sides[rounds[draw], number, match].append(entry)
    found = [
        Outcome(number, place, tuple((e, _whole(values[match, e])) for e in who), decided.get(match))
        for (number, place, match), who in sides.items()
    ]
    byes = Bye.objects.filter(draw__in=rounds).order_by("draw", "entry__number").values_list("draw", "entry")
    found += [Outcome(rounds[draw], 0, ((entry, 0),), entry) for draw, entry in byes]
    return tuple(sorted(found, key=lambda one: (one.round, one.match, one.entries)))


def _stage_rounds(stage: Stage) -> list[int]:
    return list(stage.rounds.order_by("number").values_list("number", flat=True))


def _whole(value: int | Fraction) -> int | Fraction:
    return as_points(str(value))
