"""All that an event's standings are made of, read once: those after any round are cut from it."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee.models import EntryRuling
from tournament.models import Draw, Entry, Event, Round, Stage, StageEntry
from tournament.queries.brackets import BRACKETS
from tournament.queries.draw_inputs import StageInputs
from tournament.queries.entry_rulings import rulings_in_force
from tournament.queries.standings_sheets import Sheet, published_sheet, recorded_sheet


@dataclass(frozen=True)
class StageRecord:
    """A stage with its rounds, and its members by their place; nobody in the first, in which all play.

    ``begun``: for brackets, by the number of each published round what its draw went by. ``groups``: for
    groups once they are drawn, the ids of their entries in the order of their places.
    """

    stage: Stage
    rounds: tuple[Round, ...]
    members: Mapping[int, int]
    begun: Mapping[int, StageInputs]
    groups: tuple[tuple[int, ...], ...]

    @property
    def last_round(self) -> int:
        """The number of its last round, 0 where it has none."""
        return max((one.number for one in self.rounds), default=0)


@dataclass(frozen=True)
class Records:
    """What is on record of an event, or published of it, as far as standings go by it.

    ``entries`` are all of them by number, ``stages`` in their order, ``rulings`` by the entry's number.
    """

    event: Event
    sheet: Sheet
    entries: tuple[Entry, ...]
    stages: tuple[StageRecord, ...]
    rulings: Mapping[int, EntryRuling]

    def until(self, after_round: int) -> "Records":
        """The same without what was recorded in later rounds."""
        return replace(self, sheet=self.sheet.until(after_round))

    def of_stage(self, stage: Stage) -> StageRecord:
        """What is on record of a stage of the event."""
        return next(one for one in self.stages if one.stage == stage)

    def entries_of(self, stage: StageRecord) -> list[Entry]:
        """Who belongs to a stage, by number: everybody in the first, later those who advanced; house players
        in all.
        """
        if not stage.members and stage == self.stages[0]:
            return list(self.entries)
        return [one for one in self.entries if one.pk in stage.members or one.house]


def read_records(event: Event, after_round: int | None = None, published_only: bool = False) -> Records:
    """Everything recorded, or what is published, until a round; None: until the last. A constant number of
    queries.
    """
    read = published_sheet if published_only else recorded_sheet
    return Records(
        event,
        read(event, after_round),
        tuple(event.entries.order_by("number")),
        _stages(event),
        rulings_in_force(event),
    )


def _stages(event: Event) -> tuple[StageRecord, ...]:
    stages = list(event.stages.select_related("event").order_by("number"))
    rounds: defaultdict[int, list[Round]] = defaultdict(list)
    for round in event.rounds.order_by("number"):
        rounds[round.stage_id].append(round)
    members: defaultdict[int, dict[int, int]] = defaultdict(dict)
    if len(stages) > 1:
        found = StageEntry.objects.filter(stage__event=event).order_by("place")
        for stage, entry, place in found.values_list("stage", "entry", "place"):
            members[stage][entry] = place
    begun: defaultdict[int, dict[int, StageInputs]] = defaultdict(dict)
    groups: dict[int, tuple[tuple[int, ...], ...]] = {}
    planned = [one.pk for one in stages if one.format in BRACKETS or one.format == "groups"]
    if planned:
        draws = Draw.objects.filter(round__stage__in=planned).exclude(state=Draw.State.WITHDRAWN)
        of_draws = draws.order_by("round__number").values_list(
            "round__stage", "round__number", "state", "inputs__stage"
        )
        for stage, number, state, inputs in of_draws:
            if inputs is None:
                continue
            fixed = StageInputs.from_json(inputs)
            groups[stage] = fixed.groups
            if state == Draw.State.PUBLISHED:
                begun[stage][number] = fixed
    return tuple(
        StageRecord(one, tuple(rounds[one.pk]), members[one.pk], begun[one.pk], groups.get(one.pk, ()))
        for one in stages
    )
