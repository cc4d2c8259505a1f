"""Entries that joined after the plan of their stage was made, and how they can be taken into it.

Either they take places that are free: of the one that sits out each round, of somebody who has withdrawn,
of a house player. Or the rounds not published yet are planned anew with them.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tournament.models import Entry, Round, Stage
from tournament.pairing.history import meetings
from tournament.pairing.model import Entrant, PairingError
from tournament.pairing.options import OddAnswer
from tournament.pairing.rest_of_plan import (
    PlanRound,
    lost_meetings,
    rest_of_movement,
    rest_of_round_robin,
)
from tournament.pairing.round_robin import draw_round_robin, rounds_needed
from tournament.queries.draw_formats import FORMATS, generate, with_positions
from tournament.queries.draw_inputs import DrawInputs, StageInputs
from tournament.queries.draw_sources import collect_inputs, entrants, stage_entries, stage_inputs
from tournament.queries.draws import living_draw


class Admission(StrEnum):
    """How newcomers are taken into a plan."""

    PLACE = "place"
    REDRAW = "redraw"


@dataclass(frozen=True)
class FreePlace:
    """A place of the plan that nobody plays at: of ``entry`` (an id), or where ``entry`` is None one that was
    empty from the beginning. ``group`` is its group's index, 0 in other formats.
    """

    entry: int | None
    group: int = 0


@dataclass(frozen=True)
class Joining:
    """Newcomers to a stage, and what there is to take them into.

    ``round`` is the stage's first that is not published, ``waiting`` that and all after it; ``inputs`` are
    those of a draw of it now, with the plan as it stands. ``begun`` is False while no round is published:
    then the whole plan can still be made anew. ``first_rounds`` by id of each active entry, ``newcomers`` by
    number, ``gone`` the ids of the withdrawn.
    """

    kind: str
    format: str
    round: Round
    waiting: tuple[Round, ...]
    inputs: DrawInputs
    begun: bool
    newcomers: tuple[Entry, ...]
    first_rounds: Mapping[int, int]
    gone: frozenset[int]

    @property
    def two_sided(self) -> bool:
        """Whether the plan is of matches, in which each two are to meet."""
        return self.format in _TWO_SIDED

    @property
    def ids(self) -> list[int]:
        return [one.pk for one in self.newcomers]

    def keep_waiting(self, playing: Container[int]) -> bool:
        """Whether a round in which these (ids) are to play can be drawn only once a way is chosen.

        Tables of four seat newcomers beside the plan; matches have no room for them.
        """
        return self.two_sided and any(one in playing for one in self.ids)

    @property
    def places(self) -> tuple[FreePlace, ...]:
        """The free places that there are, in the order in which they are taken."""
        return free_places(self.inputs, self.gone, self.format)

    @property
    def answer(self) -> OddAnswer | None:
        """How a field that does not fill the tables was seated when the plan was made."""
        return self.inputs.stage.answer

    def admitted(self, how: Admission, seed: int, answer: OddAnswer | None = None) -> StageInputs | None:
        """What the stage goes by with the newcomers in it; None where it begins from the beginning.

        ``answer`` None goes on with the plan's. Raises PairingError ``no_free_place``, ``no_redraw``, or as
        the plans do.
        """
        if how is Admission.PLACE:
            return in_free_places(self.inputs.stage, self.places, self.ids)
        if not self.begun:
            return None
        stage = replace(self.inputs.stage, answer=answer or self.answer)
        return planned_anew(self.format, replace(self.inputs, stage=stage), self.first_rounds, seed)

    def outlook(self, how: Admission) -> "Outlook | None":
        """What would come of it, as far as it does not depend on the seed; None where that cannot be done."""
        try:
            stage = self.admitted(how, 0)
            if stage is None:
                fresh = replace(self.inputs, stage=replace(self.inputs.stage, positions=(), groups=()))
                stage = with_positions(self.format, fresh, 0).stage
            return outlook(self.kind, self.format, self.inputs, stage, self.first_rounds)
        except PairingError:
            return None


def joining(stage: Stage) -> Joining | None:
    """Who has joined since the stage's plan was made; None where nobody has, the format has no plan, or all
    its rounds are published.
    """
    if not FORMATS[stage.format].planned:
        return None
    waiting = stage.rounds.filter(state__in=(Round.State.PLANNED, Round.State.DRAWN)).order_by("number")
    rounds = tuple(waiting.select_related("event__tournament", "stage"))
    plan = _plan_at(rounds[0]) if rounds else None
    if plan is None or not plan.positions:
        return None
    entries = [one for one in stage_entries(stage) if not one.house]
    active = [one for one in entries if one.status == Entry.Status.ACTIVE]
    known = set(plan.positions)
    new = sorted((one for one in active if one.pk not in known), key=lambda one: one.number)
    if not new:
        return None
    inputs = collect_inputs(rounds[0], plan.answer)
    begun = bool(inputs.stage.positions)
    return Joining(
        kind=stage.event.kind,
        format=stage.format,
        round=rounds[0],
        waiting=rounds,
        inputs=inputs if begun else replace(inputs, stage=plan, entrants=_everybody(rounds[0], plan)),
        begun=begun,
        newcomers=tuple(new),
        first_rounds={one.pk: one.first_round for one in active},
        gone=frozenset(one.pk for one in entries if one.status != Entry.Status.ACTIVE),
    )


def _plan_at(round: Round) -> StageInputs | None:
    """What the stage goes by in a round: as its preview has it, else as the draw before."""
    preview = living_draw(round)
    return StageInputs.from_json(preview.inputs["stage"]) if preview else stage_inputs(round)


def _everybody(round: Round, plan: StageInputs) -> tuple[Entrant, ...]:
    """All entries of the stage, those included who had left before its plan was made."""
    return entrants(round, stage_entries(round.stage), plan, plan.answer)


def free_places(inputs: DrawInputs, gone: frozenset[int], format_key: str) -> tuple[FreePlace, ...]:
    """The places that newcomers could take, those empty from the beginning first, house players' last.

    ``gone`` are the ids of those who have withdrawn.
    """
    stage = inputs.stage
    groups = stage.groups or (stage.positions,)
    house = {one.id for one in inputs.entrants if one.house}
    empty = [
        FreePlace(None, number)
        for number, group in enumerate(groups)
        if format_key in _TWO_SIDED and len(group) % 2 and not stage.rest
    ]
    left = [FreePlace(who, n) for n, group in enumerate(groups) for who in group if who in gone]
    lent = [FreePlace(who, n) for n, group in enumerate(groups) for who in group if who in house]
    return (*empty, *left, *lent)


_TWO_SIDED = frozenset({"round_robin", "groups"})


def in_free_places(stage: StageInputs, places: Sequence[FreePlace], ids: Sequence[int]) -> StageInputs:
    """The stage with the newcomers (ids) in the first of these places. Raises PairingError
    ``no_free_place``.
    """
    if len(places) < len(ids):
        raise PairingError("no_free_place", needed=len(ids), given=len(places))
    for place, who in zip(places, ids, strict=False):
        stage = (
            _added(stage, place.group, who) if place.entry is None else _exchanged(stage, place.entry, who)
        )
    return stage


def planned_anew(
    format_key: str, inputs: DrawInputs, first_rounds: Mapping[int, int], seed: int
) -> StageInputs:
    """The stage with its rounds from this one on planned anew, for those who are in it now.

    ``first_rounds`` tells for the id of each active entry from which round on it plays, newcomers included.
    Raises PairingError ``no_redraw`` for formats that cannot be changed under way, or as the plans do.
    """
    stage = inputs.stage
    rounds = range(inputs.round, stage.first_round + stage.rounds)
    added = [who for who in first_rounds if who not in set(stage.positions)]
    if format_key == "round_robin":
        rest = rest_of_round_robin(
            first_rounds, inputs.history, rounds=rounds, times=_times(format_key, stage), seed=seed
        )
        return _with_rest(replace(stage, positions=(*stage.positions, *added)), rest, inputs.round)
    if format_key == "groups":
        return _groups_anew(inputs, first_rounds, added, rounds, seed)
    if format_key == "movement":
        rest = rest_of_movement(
            [replace(one, present=True) for one in inputs.entrants],
            first_rounds,
            inputs.history,
            rounds=rounds,
            constraints=inputs.constraints,
            answer=stage.answer,
            seed=seed,
        )
        return _with_rest(replace(stage, positions=(*stage.positions, *added)), rest, inputs.round)
    raise PairingError("no_redraw")


@dataclass(frozen=True)
class Outlook:
    """What is to be expected of the rounds that are left: ``lost`` meetings of a round robin (or its groups)
    that will not take place, and ``repeats``, meetings of two who have met as often as they were to.
    """

    lost: int
    repeats: int


def outlook(
    kind: str, format_key: str, inputs: DrawInputs, stage: StageInputs, first_rounds: Mapping[int, int]
) -> Outlook:
    """What comes of the stage from the round of the inputs on, if all in it come when they are to."""
    rest: list[PlanRound] = []
    history, times = inputs.history, _times(format_key, stage)
    for number in range(inputs.round, stage.first_round + stage.rounds):
        there = tuple(
            replace(one, present=one.house or first_rounds.get(one.id, number + 1) <= number)
            for one in inputs.entrants
        )
        now = replace(inputs, round=number, stage=stage, entrants=there, history=history)
        drawn = generate(format_key, kind, now, stage.seed or 0)
        history = history.plus(drawn)
        rest.append(PlanRound(tuple(table.seats for table in drawn.tables), drawn.byes))
    met = meetings(history)
    before = meetings(inputs.history)
    repeats = sum(max(count - max(times, before[two]), 0) for two, count in met.items())
    if format_key not in _TWO_SIDED:
        return Outlook(0, repeats)
    groups = stage.groups or (stage.positions,)
    playing = [[who for who in group if who in first_rounds] for group in groups]
    lost = sum(lost_meetings(group, inputs.history, rest, times=times).total() for group in playing)
    return Outlook(lost, repeats)


def _times(format_key: str, stage: StageInputs) -> int:
    return 2 if format_key in _TWO_SIDED and stage.options.get("double") else 1


def _with_rest(stage: StageInputs, rest: tuple[PlanRound, ...], first: int) -> StageInputs:
    return replace(stage, rest=rest, rest_from=first)


def _added(stage: StageInputs, group: int, who: int) -> StageInputs:
    """The stage with one more place at the end of a group, or of the plan where there are no groups."""
    if not stage.groups:
        return replace(stage, positions=(*stage.positions, who))
    groups = tuple((*one, who) if number == group else one for number, one in enumerate(stage.groups))
    return replace(stage, groups=groups, positions=tuple(entry for one in groups for entry in one))


def _exchanged(stage: StageInputs, old: int, new: int) -> StageInputs:
    """The stage with a newcomer wherever somebody else was to play."""

    def now(who: int) -> int:
        return new if who == old else who

    return replace(
        stage,
        positions=tuple(map(now, stage.positions)),
        groups=tuple(tuple(map(now, group)) for group in stage.groups),
        rest=tuple(
            PlanRound(
                tuple(tuple((seat, now(who)) for seat, who in seats) for seats in one.tables),
                tuple(map(now, one.byes)),
            )
            for one in stage.rest
        ),
    )


def _groups_anew(
    inputs: DrawInputs, first_rounds: Mapping[int, int], added: Sequence[int], rounds: range, seed: int
) -> StageInputs:
    """Newcomers go into the groups in which fewest play; only these groups are planned anew."""
    stage, changed = inputs.stage, set[int]()
    for who in added:
        sizes = [sum(one in first_rounds for one in group) for group in stage.groups]
        smallest = sizes.index(min(sizes))
        stage = _added(stage, smallest, who)
        changed.add(smallest)
    times = _times("groups", stage)
    parts = [
        rest_of_round_robin(
            {who: first_rounds[who] for who in group if who in first_rounds},
            inputs.history,
            rounds=rounds,
            times=times,
            seed=seed,
        )
        if number in changed
        else _as_it_was(inputs, group, rounds)
        for number, group in enumerate(stage.groups)
    ]
    rest = tuple(
        PlanRound(
            tuple(seats for part in parts for seats in part[step].tables),
            tuple(who for part in parts for who in part[step].byes),
        )
        for step in range(len(rounds))
    )
    return _with_rest(stage, rest, inputs.round)


def _as_it_was(inputs: DrawInputs, group: tuple[int, ...], rounds: range) -> tuple[PlanRound, ...]:
    """The rounds of a group that nobody joined."""
    stage, own = inputs.stage, set(group)
    if stage.rest:
        kept = [stage.rest_of(number) or PlanRound(()) for number in rounds]
        return tuple(
            PlanRound(
                tuple(seats for seats in one.tables if own.issuperset(who for _, who in seats)),
                tuple(who for who in one.byes if who in own),
            )
            for one in kept
        )
    everybody = [replace(one, present=True) for one in inputs.entrants]
    double = _times("groups", stage) == 2
    over = stage.first_round + rounds_needed(len(group), double=double)
    found = []
    for number in rounds:
        if number >= over:
            found.append(PlanRound((), group))
            continue
        drawn = draw_round_robin(
            everybody, round=number, positions=group, double=double, first_round=stage.first_round
        )
        found.append(PlanRound(tuple(table.seats for table in drawn.tables), drawn.byes))
    return tuple(found)
