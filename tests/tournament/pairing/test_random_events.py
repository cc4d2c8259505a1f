"""Random events from 4 to 40 entries in every format: the generators held to the checker in each round.

Some come late, leave, return or do not show up; some are never to meet, clubs are apart at first. No
database: the inputs are made as a draw keeps them.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from math import ceil
from random import Random

import networkx as nx
import pytest

from tournament.models import Event
from tournament.pairing.checker import Severity, check_draw
from tournament.pairing.model import (
    Constraints,
    Draw,
    Entrant,
    History,
    PairingError,
    PlayedTable,
    SitOut,
    SitOutKind,
    pair,
)
from tournament.pairing.options import OddAnswer
from tournament.queries.draw_check import expected
from tournament.queries.draw_formats import (
    FORMATS,
    TWO_SIDED,
    answers_for,
    by_design,
    eliminated,
    generate,
    with_positions,
)
from tournament.queries.draw_inputs import DrawInputs, Outcome, StageInputs

_MOST_ROUNDS = 6
_ENDS = {"finished", "too_few_entrants", "answer_impossible", "groups"}
"""A bracket may be over early; a field may be too small."""
_ROOMY = 12
"""From so many entries on a few wishes and odd tables never have to be gone against."""


@dataclass
class RandomEvent:
    """An event under way: who is there in which round is decided by lot, and so are the results."""

    kind: str
    key: str
    entries: int
    seed: int
    history: History = field(default_factory=History)
    outcomes: tuple[Outcome, ...] = ()
    plan: StageInputs | None = None

    def __post_init__(self) -> None:
        self.rng = rng = Random(self.seed)
        form = FORMATS[self.key]
        options = {option.name: option.default for option in form.options}
        if "double" in options:
            options["double"] = rng.random() < 0.3
        most = form.rounds(self.entries, options) if form.rounds else _MOST_ROUNDS
        # Narrow Swiss draws look far ahead, which takes long: four rounds tell as much.
        narrow = self.key == "swiss" and self.kind not in TWO_SIDED
        self.rounds = min(most, 4 if narrow else _MOST_ROUNDS)
        self.stage = StageInputs(rounds=most if form.rounds else self.rounds, options=options)
        house = 1 if self.kind in TWO_SIDED else 3
        clubs = max(3, self.entries // 3)
        self.field = [
            Entrant(100 + k, k + 1, club=f"club {k % clubs}", seed=k + 1 if k < 3 else None)
            for k in range(self.entries)
        ]
        self.house = [Entrant(500 + k, 900 + k, house=True) for k in range(house)]
        self.answer = rng.choice(answers_for(self.kind, self.key))
        ids = [one.id for one in self.field]
        self.forbidden = [tuple(rng.sample(ids, 2)) for _ in range(2 if self.entries >= _ROOMY else 0)]
        restless = ids[-max(1, self.entries // 5) :] if self.entries >= 6 else []
        self.away = {who: set(rng.sample(range(1, 8), rng.randint(1, 3))) for who in restless}

    def inputs(self, round: int) -> DrawInputs:
        """As the round is drawn: with the plan of the stage once there is one."""
        stage = replace(self.plan or self.stage, outcomes=self.outcomes)
        house = self.answer is OddAnswer.HOUSE
        there = tuple(
            replace(one, present=round not in self.away.get(one.id, ())) for one in self.field
        ) + tuple(replace(one, present=house) for one in self.house)
        gone = eliminated(self.key, there, stage, round)
        return DrawInputs(
            round=round,
            planned_rounds=self.stage.rounds,
            entrants=tuple(replace(one, present=False) if one.id in gone else one for one in there),
            history=self.history,
            constraints=Constraints.of(clubs_apart_rounds=2, forbidden=self.forbidden, seeds_apart_rounds=1),
            stage=stage,
            answer=self.answer,
        )

    def note(self, drawn: Draw) -> None:
        """Plays the round."""
        seen = {who for table in drawn.tables for who in table.entrants} | set(drawn.byes)
        missed = [SitOut(drawn.round, one.id, SitOutKind.MISSED) for one in self.field if one.id not in seen]
        self.history = self.history.plus(drawn)
        self.history = History(self.history.tables, (*self.history.sit_outs, *missed))
        for table in drawn.tables:
            values = self.rng.sample(range(-40, 41), table.size)
            self._add(table.entrants, values)
            self.outcomes += (
                Outcome(drawn.round, table.number, tuple(zip(table.entrants, values, strict=True))),
            )
        self.outcomes += tuple(Outcome(drawn.round, 0, ((who, 0),), who) for who in drawn.byes)

    def _add(self, who, values) -> None:
        gained = dict(zip(who, values, strict=True))
        self.field = [replace(one, points=one.points + gained.get(one.id, 0)) for one in self.field]


def _drawn(event: RandomEvent, round: int) -> tuple[DrawInputs, Draw]:
    inputs = with_positions(event.key, event.inputs(round), event.seed + round)
    event.plan = inputs.stage
    return inputs, generate(event.key, event.kind, inputs, event.seed + round)


def _play(event: RandomEvent):
    """The inputs and the draw of every round that the event comes to."""
    for round in range(1, event.rounds + 1):
        try:
            inputs, drawn = _drawn(event, round)
        except PairingError as end:
            if end.code in _ENDS:
                return
            raise
        yield inputs, drawn
        event.note(drawn)


def _cases(events: int, slow: int):
    """So many events of random size for each format and kind; fewer where a draw takes longest."""
    for key, form in FORMATS.items():
        for kind in sorted(form.kinds):
            few = key == "swiss" and kind not in TWO_SIDED
            for seed in range(1, 1 + (slow if few else events)):
                entries = Random(f"{kind} {key} {seed}").randint(4, 40)
                yield pytest.param(kind, key, entries, seed, id=f"{kind}-{key}-{entries}-{seed}")


@pytest.mark.parametrize(("kind", "key", "entries", "seed"), list(_cases(events=4, slow=2)))
def test_every_draw_of_a_random_event_is_sound_and_measured_as_the_checker_measures(kind, key, entries, seed):
    event = RandomEvent(kind, key, entries, seed)
    for inputs, drawn in _play(event):
        report = check_draw(
            drawn,
            inputs.entrants,
            inputs.history,
            constraints=inputs.constraints,
            expected=expected(kind),
        )
        found = {one.code for one in report.violations} - by_design(key, inputs)
        assert not [one for one in report.violations if one.severity is Severity.IMPOSSIBLE]
        assert report.quality == drawn.quality
        if not FORMATS[key].planned:
            # Nobody sits out twice before everyone has once, whoever was away meanwhile.
            assert not found & {"bye_again", "byes_fill_a_table"}
            if not FORMATS[key].eliminates:
                assert "forbidden" not in found
        if inputs.round == 2:
            kept = DrawInputs.from_json(inputs.to_json())
            assert generate(key, kind, kept, event.seed + inputs.round) == drawn


def _others_left(playing, history, never) -> bool:
    """Whether all of these can be paired with somebody they have not met and may meet."""
    met = {pair(*(who for _, who in table.seats)) for table in history.tables}
    strangers = nx.Graph()
    strangers.add_nodes_from(playing)
    strangers.add_edges_from(two for two in combinations(sorted(playing), 2) if two not in met | never)
    return 2 * len(nx.max_weight_matching(strangers, maxcardinality=True)) == len(playing)


@pytest.mark.parametrize("key", ["swiss", "random"])
@pytest.mark.parametrize("entries", [5, 7, 8, 12, 19, 24])
def test_two_sides_meet_again_only_where_no_other_pairing_is_left(key, entries):
    event = RandomEvent(Event.Kind.PAIRS, key, entries, entries)
    forced = 0
    for inputs, drawn in _play(event):
        playing = [who for table in drawn.tables for who in table.entrants]
        free = _others_left(playing, inputs.history, inputs.constraints.forbidden)
        forced += not free
        assert drawn.quality.repeats == 0 or not free
    assert forced == 0 or entries < _ROOMY


@pytest.mark.parametrize("key", ["swiss", "random", "movement"])
@pytest.mark.parametrize("entries", [13, 18, 23, 31])
def test_odd_tables_come_round_among_those_who_are_always_there(key, entries):
    event = RandomEvent(Event.Kind.INDIVIDUAL, key, entries, entries)
    event.away, event.answer = {}, OddAnswer.THREES
    for _ in _play(event):
        pass
    sat = Counter(who for table in event.history.tables if len(table.seats) == 3 for _, who in table.seats)
    assert sat.total() == 3 * (-entries % 4) * event.rounds
    # A second time costs two repeats, a third eight: so nobody is there much more often than their share.
    assert max(sat.values()) <= ceil(Fraction(sat.total(), entries)) + 1


def test_missed_rounds_count_as_one_sit_out_and_give_no_second_bye():
    event = RandomEvent(Event.Kind.PAIRS, "swiss", 9, 3)
    event.away = {event.field[0].id: {1, 2, 3}}
    event.answer = OddAnswer.BYES
    rests: Counter[int] = Counter()
    for _, drawn in _play(event):
        rests.update(drawn.byes)
        assert event.field[0].id not in drawn.byes
    assert max(rests.values(), default=0) <= 1


def test_the_history_of_a_random_event_is_what_was_drawn():
    event = RandomEvent(Event.Kind.INDIVIDUAL, "random", 14, 5)
    tables = [PlayedTable(one.round, table.seats) for _, one in _play(event) for table in one.tables]
    assert list(event.history.tables) == tables
