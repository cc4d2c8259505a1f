"""What to do when the field does not fill tables of four: every possible answer, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from tournament.pairing.history import sit_out_counts
from tournament.pairing.model import Entrant, History, PairingError, Reason


class OddAnswer(StrEnum):
    """How a field that is no multiple of four is seated."""

    THREES = "threes"
    FIVES = "fives"
    BYES = "byes"
    HOUSE = "house"


@dataclass(frozen=True, slots=True)
class OddOption:
    """One possible answer: the sizes of the tables, how many sit out, how many house players are needed.

    ``answer`` is None for the only option of a field that fits.
    """

    answer: OddAnswer | None
    sizes: tuple[int, ...]
    byes: int = 0
    house_players: int = 0


def odd_options(players: int) -> tuple[OddOption, ...]:
    """All ways to seat ``players`` at tables of four with threes, fives, byes or house players.

    Empty for fewer than three players. Threes and fives are not mixed: nobody would understand why.
    """
    fours, rest = divmod(players, 4)
    if players < 3:
        return ()
    if rest == 0:
        return (OddOption(None, (4,) * fours),)
    options = []
    threes = 4 - rest
    if 3 * threes <= players:
        options.append(OddOption(OddAnswer.THREES, (4,) * ((players - 3 * threes) // 4) + (3,) * threes))
    if 5 * rest <= players:
        options.append(OddOption(OddAnswer.FIVES, (4,) * (fours - rest) + (5,) * rest))
    if fours:
        options.append(OddOption(OddAnswer.BYES, (4,) * fours, byes=rest))
    options.append(OddOption(OddAnswer.HOUSE, (4,) * (fours + 1), house_players=4 - rest))
    return tuple(options)


def chosen_option(players: int, answer: OddAnswer | None) -> OddOption:
    """The option for the organiser's answer.

    Raises PairingError ``too_few_entrants``, ``answer_needed`` (the field does not fit and no answer was
    given) or ``answer_impossible`` (such as three tables of five for seven players).
    """
    options = odd_options(players)
    if not options:
        raise PairingError("too_few_entrants", present=players, needed=3)
    if options[0].answer is None:
        return options[0]
    if answer is None:
        raise PairingError("answer_needed", present=players)
    for option in options:
        if option.answer is answer:
            return option
    raise PairingError("answer_impossible", present=players, answer=answer.value)


def choose_sit_outs(
    field: Sequence[Entrant], history: History, count: int, rng: Random, *, by_points: bool
) -> tuple[tuple[int, ...], tuple[Reason, ...]]:
    """Who sits out: those who did so least often, among them the lowest by points (or by lot), house players
    never.

    Nobody sits out twice before everyone has once.
    """
    sat_out = sit_out_counts(history)
    candidates = [e for e in field if not e.house]
    rng.shuffle(candidates)
    candidates.sort(key=lambda e: (sat_out[e.id], e.points if by_points else 0))
    chosen = sorted(candidates[:count], key=lambda e: e.number)
    why = "bye_lowest" if by_points else "bye_by_lot"
    reasons = tuple(Reason(why, (e.id,), (("earlier", sat_out[e.id]), ("points", e.points))) for e in chosen)
    return tuple(e.id for e in chosen), reasons
