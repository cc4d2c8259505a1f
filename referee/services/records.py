"""A deal as sent from a table, made into what is stored: the record in its canonical form, and its score."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoring.engine import DealRecord, DealScore, Fault, InvalidDeal, Ruleset, check_deal, score_deal
from scoring.messages import fault_text
from tournament.services.errors import Problem, Refused


@dataclass(frozen=True, kw_only=True)
class DealProblem(Problem):
    """A fault of a deal record, with the card and the seat it concerns ("" where neither is); ``at`` are the
    seats of its table.
    """

    card: str = ""
    seat: str = ""
    fault: Fault
    at: tuple[str, ...]

    def __str__(self) -> str:
        return fault_text(self.fault, self.at)


@dataclass(frozen=True)
class ScoredRecord:
    """A valid record and its score, both ready for JSON."""

    record: dict[str, Any]
    answer: dict[str, Any]


def score_record(
    *, seats: tuple[str, ...], mode: str, ruleset: Ruleset, record: Any, partial: bool = False
) -> ScoredRecord:
    """Checks and scores what a table sent.

    The table's seats, the event's mode and ruleset and ``partial`` are the caller's to say, whatever the
    record claims.

    Raises:
        Refused: with every fault, each naming its card and seat.
    """
    prepared, strangers = _prepare(seats, mode, record, partial)
    if strangers:
        faults = [Fault("unknown_seat", seat=seat) for seat in strangers]
        # What a stranger captured is not reported as missing on top.
        faults += [one for one in check_deal(prepared, ruleset) if not one.code.startswith("card_missing")]
        raise refusal(faults, seats)
    try:
        parsed = DealRecord.from_json(prepared)
        score = score_deal(parsed, ruleset)
    except InvalidDeal:
        raise refusal(check_deal(prepared, ruleset), seats) from None
    return ScoredRecord(parsed.to_json(), answer_of(score))


def answer_of(score: DealScore) -> dict[str, Any]:
    """The score as docs/rules.md §9 writes it, and what each seat is credited; fractions as "-880/3"."""
    credited = {
        seat: str(value) if isinstance(value, Fraction) else value for seat, value in score.credited.items()
    }
    return {**score.to_json(), "credited": credited}


def refusal(faults: Iterable[Fault], at: tuple[str, ...]) -> Refused:
    """One refusal for all the faults of a deal at a table with the seats ``at``."""
    return Refused.for_problems(
        DealProblem(
            one.code, one.message, card=one.card or "", seat=one.seat or "", field="record", fault=one, at=at
        )
        for one in faults
    )


def _prepare(seats: tuple[str, ...], mode: str, record: Any, partial: bool) -> tuple[Any, tuple[str, ...]]:
    if not isinstance(record, Mapping):
        return record, ()
    prepared = {name: value for name, value in record.items() if name != "ruleset"}
    prepared.update(mode=mode, partial=partial)
    captures = record.get("captures")
    if not isinstance(captures, Mapping):
        return prepared, ()
    strangers = tuple(str(seat) for seat in captures if seat not in seats)
    prepared["captures"] = {seat: captures.get(seat, []) for seat in seats}
    return prepared, strangers
