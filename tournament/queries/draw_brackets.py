"""Formats that eliminate two-sided entries: knock-out and double elimination.

The first draw of the stage fixes the order of seeding, and with it the bracket; what can be played next
follows from the results on record, at any time and after any correction.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from tournament.pairing.bracket import (
    Bracket,
    BracketMatch,
    GamesPlan,
    Section,
    make_bracket,
    order_apart,
)
from tournament.pairing.history import Situation, explain
from tournament.pairing.knockout import KnockoutState, MatchResult, MatchState, Status, play
from tournament.pairing.model import SIDES, Draw, DrawnTable, Entrant, PairingError, Reason
from tournament.queries.draw_inputs import DrawInputs, Outcome, StageInputs

Options = Mapping[str, Any]


@dataclass(frozen=True)
class BracketRound:
    """What is played in a round: matches with both sides there, and who goes on without playing, and why."""

    state: KnockoutState
    matches: tuple[MatchState, ...]
    through: tuple[tuple[int, str], ...]
    games: Mapping[str, int]

    @property
    def entries(self) -> frozenset[int]:
        """Everybody who plays or goes on without."""
        playing = {who for match in self.matches for who in match.sides if who is not None}
        return frozenset(playing | {who for who, _why in self.through})


@dataclass(frozen=True)
class Standing:
    """A bracket with its results: ``undecided`` matches are played out without a winner, results of
    ``stale`` ones no longer count, since a correction has put others in their place.
    """

    state: KnockoutState
    undecided: tuple[MatchState, ...]
    stale: tuple[Outcome, ...]
    games: Mapping[str, int]


def single(positions: tuple[int, ...], options: Options) -> Bracket:
    """The bracket of a knock-out."""
    return make_bracket(positions, third_place=options.get("third_place", False), games=_games(options))


def double(positions: tuple[int, ...], options: Options) -> Bracket:
    """The bracket of a double elimination."""
    return make_bracket(positions, double=True, decider=options.get("decider", True), games=_games(options))


def bracket_of(stage: StageInputs) -> Bracket:
    """The bracket of a stage whose order of seeding is fixed."""
    return _bracket(stage.positions, tuple(sorted(stage.options.items())))


@lru_cache(maxsize=32)
def _bracket(positions: tuple[int, ...], options: tuple[tuple[str, Any], ...]) -> Bracket:
    chosen = dict(options)
    return double(positions, chosen) if "decider" in chosen else single(positions, chosen)


def seeding(inputs: DrawInputs, seed: int) -> tuple[int, ...]:
    """Everybody in the order of seeding: the seeded in theirs, the others by lot.

    Among these, and among those with the same place in their groups, entries of one club (while clubs are to
    be apart) and of one group are put where they meet late. Raises PairingError ``too_few_entrants``.
    """
    field = sorted((one for one in inputs.entrants if not one.house), key=lambda one: one.number)
    if len(field) < 2:
        raise PairingError("too_few_entrants", present=len(field), needed=2)
    origins = {entry: (group, place) for entry, group, place in inputs.stage.origins}
    apart = inputs.constraints.clubs_apart_rounds >= inputs.round
    labels = {
        one.id: tuple(
            label
            for label in (f"club {one.club}" if one.club and apart else "", _group_label(origins, one.id))
            if label
        )
        for one in field
    }
    return order_apart(_tiers(field, origins), labels, seed=seed)


def _group_label(origins: Mapping[int, tuple[int, int]], entry: int) -> str:
    return f"group {origins[entry][0]}" if entry in origins else ""


def _tiers(field: Iterable[Entrant], origins: Mapping[int, tuple[int, int]]) -> list[list[int]]:
    """Those among whom the order may be changed to keep some apart: one alone for each seed, else all."""
    tiers: dict[tuple[int, int], list[int]] = {}
    for one in field:
        if one.id in origins:
            key = (0, origins[one.id][1])
        else:
            key = (1, one.seed) if one.seed is not None else (2, 0)
        tiers.setdefault(key, []).append(one.id)
    return [tiers[key] for key in sorted(tiers)]


def standing(stage: StageInputs) -> Standing:
    """The bracket with the results of the rounds played so far."""
    bracket = bracket_of(stage)
    results: dict[str, MatchResult] = {}
    stale: list[Outcome] = []
    for number in sorted({one.round for one in stage.outcomes}):
        # Who could play when the round was drawn: a match of the next stage is not meant by its results.
        open_now = _open_matches(bracket, results)
        played = [one for one in stage.outcomes if one.round == number]
        stale += [outcome for outcome in played if not _note(outcome, open_now, results)]
    state = play(bracket, results)
    undecided = tuple(match for match in state.ready if _used_up(match, results.get(match.match.id)))
    games = {name: len(result.games) for name, result in results.items()}
    return Standing(state, undecided, tuple(stale), games)


def playable(stage: StageInputs) -> frozenset[frozenset[int]]:
    """Who would meet in a round drawn after these outcomes: each match by its sides."""
    return frozenset(
        frozenset(who for who in one.sides if who is not None) for one in _next_matches(standing(stage).state)
    )


def _open_matches(bracket: Bracket, results: Mapping[str, MatchResult]) -> dict[frozenset[int], BracketMatch]:
    """The matches that a round drawn after these results has, by their sides."""
    return {
        frozenset(who for who in one.sides if who is not None): one.match
        for one in _next_matches(play(bracket, results))
    }


def _next_matches(state: KnockoutState) -> list[MatchState]:
    """What can be played next: after byes, single matches of a later stage may be ready, but they wait."""
    level = min((one.match.stage for one in state.ready), default=0)
    return [one for one in state.ready if one.match.stage == level]


def _note(
    outcome: Outcome, open_now: Mapping[frozenset[int], BracketMatch], results: dict[str, MatchResult]
) -> bool:
    """Adds what happened to the results; False if it belongs to no match that could be played then."""
    if len(outcome.entries) == 1:
        (entry,) = outcome.entries
        match = next((one for sides, one in open_now.items() if entry in sides), None)
        if match is None:
            # A bye of the bracket itself: nothing needs to be noted.
            return True
        sides = next(sides for sides, one in open_now.items() if one is match)
        other = next(iter(sides - {entry}))
        games = results[match.id].games if match.id in results else ()
        results[match.id] = MatchResult((entry, other), games, awarded=entry)
        return True
    found = open_now.get(frozenset(outcome.entries))
    if found is None:
        return False
    (a, first), (b, second) = outcome.values
    before = results.get(found.id, MatchResult((a, b)))
    winner = None if first == second else a if first > second else b
    results[found.id] = MatchResult(before.sides, (*before.games, winner), awarded=outcome.winner)
    return True


def _used_up(match: MatchState, result: MatchResult | None) -> bool:
    return result is not None and len(result.games) >= match.match.best_of


def bracket_round(entrants: Iterable[Entrant], stage: StageInputs, round_number: int) -> BracketRound:
    """What is played in a round by the results before it.

    Raises PairingError ``undecided``, ``finished``, or ``both_gone`` while neither side of a match is there:
    who of them goes on in name, to be beaten without a match later, is for the organiser to say. The match
    for third place is then left out: nothing follows from it.
    """
    field = tuple(entrants)
    now = standing(stage)
    if now.undecided:
        raise PairingError("undecided", count=len(now.undecided))
    there = {one.id for one in field if one.present}
    matches: list[MatchState] = []
    through: list[tuple[int, str]] = []
    gone: set[int | None] = set()
    for one in _next_matches(now.state):
        present = [who for who in one.sides if who in there]
        if len(present) == len(SIDES):
            matches.append(one)
        elif present:
            through += [(who, "bye_walkover") for who in present if who is not None]
        elif one.match.section is not Section.THIRD_PLACE:
            gone.update(one.sides)
    if gone:
        numbers = sorted(one.number for one in field if one.id in gone)
        raise PairingError("both_gone", numbers=", ".join(map(str, numbers)))
    if not matches and not through:
        raise PairingError("finished")
    if round_number == stage.first_round:
        through += [
            (one.winner, "bye_by_seed")
            for one in now.state.matches.values()
            if one.status is Status.BYE and one.match.level == 1 and one.winner in there
            if one.match.section in (Section.MAIN, Section.FINAL)
        ]
    return BracketRound(now.state, tuple(matches), tuple(through), now.games)


def out_of_bracket(entrants: tuple[Entrant, ...], stage: StageInputs, round_number: int) -> frozenset[int]:
    """Everybody who neither plays in the round nor goes on without playing."""
    if not stage.positions:
        return frozenset()
    try:
        playing = bracket_round(entrants, stage, round_number).entries
    except PairingError:
        # Nothing can be drawn now: the draw itself will say why.
        return frozenset()
    return frozenset(one.id for one in entrants if one.id not in playing)


def draw_bracket(inputs: DrawInputs, seed: int) -> Draw:
    """The matches that can be played now. Raises PairingError as bracket_round does."""
    now = bracket_round(inputs.entrants, inputs.stage, inputs.round)
    tables = [
        tuple(zip(SIDES, (who for who in one.sides if who is not None), strict=True)) for one in now.matches
    ]
    byes = tuple(who for who, _why in now.through)
    field = tuple(one for one in inputs.entrants if one.id in now.entries)
    levels = len(now.state.bracket.places).bit_length() - 1
    situation = Situation(field, inputs.history, inputs.round, inputs.constraints)
    drawn, quality = explain(tables, situation, byes)
    return Draw(
        inputs.round,
        tuple(
            _labelled(table, one, now.games.get(one.match.id, 0) + 1, levels)
            for table, one in zip(drawn, now.matches, strict=True)
        ),
        byes,
        tuple(Reason(why, (who,)) for who, why in now.through),
        quality,
        "double_elimination" if now.state.bracket.double else "knockout",
        seed,
    )


def _labelled(table: DrawnTable, match: MatchState, game: int, levels: int) -> DrawnTable:
    """The table with the place of its match in the bracket as its first reason."""
    what = Reason(
        "bracket",
        table.entrants,
        (
            ("section", match.match.section.value),
            ("level", match.match.level),
            ("levels", levels),
            ("number", match.match.number),
            ("game", game),
            ("best_of", match.match.best_of),
        ),
    )
    return replace(table, reasons=(what, *table.reasons))


def rounds_single(entries: int, options: Options) -> int:
    """The most rounds a knock-out of so many entries takes."""
    return _rounds(single(tuple(range(entries)), options)) if entries > 1 else 0


def rounds_double(entries: int, options: Options) -> int:
    """The most rounds a double elimination of so many entries takes, the second final included."""
    return _rounds(double(tuple(range(entries)), options)) if entries > 1 else 0


def _rounds(bracket: Bracket) -> int:
    longest: dict[int, int] = {}
    for match in bracket.matches:
        longest[match.stage] = max(longest.get(match.stage, 0), match.best_of)
    return sum(longest.values())


def _games(options: Options) -> GamesPlan:
    final = options.get("best_of_final", 1)
    return GamesPlan(options.get("best_of", 1), ((Section.FINAL, final), (Section.DECIDER, final)))
