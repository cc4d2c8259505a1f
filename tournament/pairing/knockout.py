"""Playing a knock-out: what follows from the results, at any time and after any correction.

State is never stored: it is worked out from the bracket and the results on record. A result names the two who
played; if a correction puts others in its place, it no longer counts and is reported as stale.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from tournament.pairing.bracket import Bracket, BracketMatch, Feed, From, Section
from tournament.pairing.model import (
    PairingError,
)


class Status(StrEnum):
    """What can be said of a match.

    ``waiting``: a side is not known yet. ``ready``: can be played. ``running``: some games are played.
    ``decided``: has a winner. ``bye``: one side alone, who goes through. ``void``: nobody plays it.
    """

    WAITING = "waiting"
    READY = "ready"
    RUNNING = "running"
    DECIDED = "decided"
    BYE = "bye"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What happened in a match between ``sides``.

    ``games`` are the winners of its games in order, None for a drawn game. ``awarded`` names the winner
    where games do not decide: a walkover, a lot after drawn games, a disqualification.
    """

    sides: tuple[int, int]
    games: tuple[int | None, ...] = ()
    awarded: int | None = None


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match as it stands: its sides (None: not known yet, or nobody), games won by each, winner and
    loser.
    """

    match: BracketMatch
    status: Status
    sides: tuple[int | None, int | None] = (None, None)
    won: tuple[int, int] = (0, 0)
    winner: int | None = None
    loser: int | None = None
    stale: bool = False


class Fate(StrEnum):
    """How an entrant stands in a knock-out: ``still_in``, or by its last match ``won`` or ``lost``."""

    STILL_IN = "still_in"
    WON = "won"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Exit:
    """What an entrant's place follows from: ``match`` is the last one it played, None while it is still in.

    Only the final, or its second one, and the match for third place end a knock-out by winning. Of whoever
    is in for the third place alone ``match`` is the one for it.
    """

    fate: Fate
    match: BracketMatch | None = None


@dataclass(frozen=True, slots=True)
class KnockoutState:
    """All matches as they stand, by id in bracket order."""

    bracket: Bracket
    matches: Mapping[str, MatchState]

    @property
    def ready(self) -> tuple[MatchState, ...]:
        """Matches that can be played or go on."""
        return tuple(m for m in self.matches.values() if m.status in (Status.READY, Status.RUNNING))

    @property
    def stale(self) -> tuple[MatchState, ...]:
        """Matches with a result on record that no longer counts, since others play there now."""
        return tuple(m for m in self.matches.values() if m.stale)

    @property
    def champion(self) -> int | None:
        """The winner of it all, once it is known."""
        last = [m for m in self.matches.values() if m.match.section in (Section.FINAL, Section.DECIDER)]
        return last[-1].winner if last[-1].status is not Status.VOID else last[0].winner

    @property
    def finished(self) -> bool:
        """Whether nothing is left to play."""
        return not any(
            m.status in (Status.WAITING, Status.READY, Status.RUNNING) for m in self.matches.values()
        )

    def placings(self) -> dict[int, int]:
        """Ranks of those who can win it no more, and of the champion; those who lost in the same round share
        theirs, two who still play for third place the third.
        """
        entrants = [e for e in self.bracket.places if e is not None]
        out = {e: key for e in entrants if (key := self._went_out(e)) is not None}
        if self.champion is not None:
            out[self.champion] = (self.bracket.stages + 1, 0)
        still_in = len(entrants) - len(out)
        return {
            e: 1 + still_in + sum(other > key for other in out.values())
            for e, key in sorted(out.items(), key=lambda item: (item[1], item[0]), reverse=True)
        }

    def exits(self) -> dict[int, Exit]:
        """By entrant, what its place follows from."""
        return {who: self._exit(who) for who in self.bracket.places if who is not None}

    def _exit(self, entrant: int) -> Exit:
        if (third := self._open_third_place(entrant)) is not None:
            return Exit(Fate.STILL_IN, third)
        if entrant == self.champion or self._went_out(entrant) is not None:
            played = [m for m in self.matches.values() if m.status is Status.DECIDED and entrant in m.sides]
            if played:
                last = max(played, key=lambda m: m.match.stage)
                return Exit(Fate.WON if last.winner == entrant else Fate.LOST, last.match)
        return Exit(Fate.STILL_IN)

    def _went_out(self, entrant: int) -> tuple[int, int] | None:
        """When an entrant was put out (later is better; the winner of the match for third place before its
        loser).
        """
        lost = [m for m in self.matches.values() if m.loser == entrant]
        lives = 2 if self.bracket.double else 1
        third = next((m for m in lost if m.match.section is Section.THIRD_PLACE), None)
        won_third = any(
            m.winner == entrant for m in self.matches.values() if m.match.section is Section.THIRD_PLACE
        )
        lost = [m for m in lost if m is not third]
        final = [m for m in lost if m.match.section is Section.FINAL]
        if final and self.bracket.double and not self._has_decider:
            return final[-1].match.stage, 0
        if len(lost) < lives:
            return None
        return max(m.match.stage for m in lost), int(won_third)

    @property
    def _has_decider(self) -> bool:
        return any(m.match.section is Section.DECIDER for m in self.matches.values())

    def _open_third_place(self, entrant: int) -> BracketMatch | None:
        """The match for third place, where this loser of a semi-final is still to play it."""
        for one in self.matches.values():
            if one.match.section is Section.THIRD_PLACE and one.winner is None:
                losers = {self.matches[feed.match].loser for feed in one.match.feeds}
                return one.match if entrant in losers else None
        return None


def play(bracket: Bracket, results: Mapping[str, MatchResult]) -> KnockoutState:
    """The state of a knock-out from the results on record.

    Raises PairingError ``unknown_match``, ``not_a_side`` (a winner who does not play in the match) or
    ``too_many_games`` (games after the match was won, or more than there are).
    """
    _check_results(bracket, results)
    states: dict[str, MatchState] = {}
    for match in bracket.matches:
        states[match.id] = _state(match, bracket, states, results.get(match.id))
    return KnockoutState(bracket, states)


def _check_results(bracket: Bracket, results: Mapping[str, MatchResult]) -> None:
    known = {match.id: match for match in bracket.matches}
    for name, result in results.items():
        if name not in known:
            raise PairingError("unknown_match", match=name)
        for who in (*result.games, result.awarded):
            if who is not None and who not in result.sides:
                raise PairingError("not_a_side", match=name, entrant=who)
        match = known[name]
        decided_before_last = any(
            sum(w == side for w in result.games[:-1]) >= match.needed for side in result.sides
        )
        if len(result.games) > match.best_of or decided_before_last:
            raise PairingError("too_many_games", match=name, best_of=match.best_of)


@dataclass(frozen=True, slots=True)
class _Side:
    """A side of a match: an entrant, nobody for certain, or not known yet."""

    known: bool
    entrant: int | None = None


_NOBODY = _Side(True)
_UNKNOWN = _Side(False)


def _side(feed: Feed, bracket: Bracket, states: Mapping[str, MatchState]) -> _Side:
    if feed.kind is From.START:
        return _Side(True, bracket.places[feed.place])
    state = states[feed.match]
    if state.status in (Status.WAITING, Status.READY, Status.RUNNING):
        return _UNKNOWN
    return _Side(True, state.winner if feed.kind is From.WINNER else state.loser)


def _state(
    match: BracketMatch, bracket: Bracket, states: Mapping[str, MatchState], result: MatchResult | None
) -> MatchState:
    a, b = (_side(feed, bracket, states) for feed in match.feeds)
    if match.section is Section.DECIDER:
        final = states[match.feeds[0].match]
        if final.winner is not None and final.winner == final.sides[0]:
            # The one without a loss won: nothing is left to decide.
            a = b = _NOBODY
    sides = (a.entrant, b.entrant)
    if not (a.known and b.known):
        return MatchState(match, Status.WAITING, sides, stale=result is not None)
    if a.entrant is None or b.entrant is None:
        through = a.entrant if a.entrant is not None else b.entrant
        status = Status.VOID if through is None else Status.BYE
        return MatchState(match, status, sides, winner=through, stale=result is not None)
    if result is None or set(result.sides) != {a.entrant, b.entrant}:
        return MatchState(match, Status.READY, sides, stale=result is not None)
    return _played(match, (a.entrant, b.entrant), result)


def _played(match: BracketMatch, sides: tuple[int, int], result: MatchResult) -> MatchState:
    won = (sum(w == sides[0] for w in result.games), sum(w == sides[1] for w in result.games))
    winner = result.awarded
    if winner is None and abs(won[0] - won[1]) > match.best_of - len(result.games):
        # Drawn games count for neither: won is what the other can no longer catch up with.
        winner = sides[won[1] > won[0]]
    if winner is None:
        return MatchState(match, Status.RUNNING if result.games else Status.READY, sides, won)
    return MatchState(match, Status.DECIDED, sides, won, winner, sides[winner == sides[0]])
