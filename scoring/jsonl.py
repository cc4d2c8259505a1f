"""Deals as JSON lines in, answers as JSON lines out (docs/rules.md §9).

The `score` command without its command line: text in, text out. A line that cannot be scored answers with its
errors, and the lines after it are scored all the same.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

from scoring.engine import Fault, InvalidDeal, Ruleset, RulesetError, score_deal
from scoring.engine.faults import fault
from scoring.rulesets import load


class _RefusedError(Exception):
    """A line is not JSON as the format wants it."""

    def __init__(self, one: Fault) -> None:
        self.fault = one


def _no_constant(name: str) -> NoReturn:
    raise _RefusedError(fault("bad_json", detail=f"{name} is no JSON number"))


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # Python's reader would silently keep the last of two entries, and with it half of a table.
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _RefusedError(fault("duplicate_key", field=name))
        found[name] = value
    return found


_DECODER = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=_no_duplicates)


def read_line(line: str | bytes) -> Any:
    """Read one line of JSON strictly: no NaN, no name twice. Raises InvalidDeal with the one fault found."""
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        return _DECODER.decode(text.strip("\ufeff \t\r\n"))
    except _RefusedError as error:
        raise InvalidDeal([error.fault]) from error
    except json.JSONDecodeError as error:
        raise InvalidDeal([fault("bad_json", detail=f"{error.msg}, column {error.colno}")]) from error
    except UnicodeDecodeError as error:
        raise InvalidDeal([fault("bad_json", detail=f"byte {error.start + 1} is not UTF-8")]) from error
    except RecursionError as error:
        raise InvalidDeal([fault("bad_json", detail="nested too deeply")]) from error
    except ValueError as error:  # a number of more digits than Python reads
        raise InvalidDeal([fault("bad_json", detail="a number is too long")]) from error


def ruleset_of(deal: Any, default: str | None, find: Callable[[str], Ruleset]) -> Ruleset:
    """Return the ruleset a deal names, or the default. Raises InvalidDeal or RulesetError."""
    key = deal.get("ruleset") if isinstance(deal, dict) else None
    if key is None:
        key = default
    if key is None:
        raise InvalidDeal([fault("ruleset_not_named")])
    if not isinstance(key, str):
        raise InvalidDeal([fault("wrong_type", field="ruleset", expected="a text")])
    return find(key)


def answer_line(
    line: str | bytes, default: str | None = None, find: Callable[[str], Ruleset] = load
) -> dict[str, Any]:
    """Score one line and return the answer, or ``{"errors": [...]}`` with every fault of it.

    `default` is the ruleset's key for a deal that names none; `find` turns a key into a ruleset.
    """
    try:
        deal = read_line(line)
        if not isinstance(deal, dict):
            raise InvalidDeal([fault("not_an_object")])
        return score_deal(deal, ruleset_of(deal, default, find)).to_json()
    except (InvalidDeal, RulesetError) as error:
        return {"errors": [one.to_json() for one in error.faults]}


def answer_lines(
    lines: Iterable[str | bytes], default: str | None = None, find: Callable[[str], Ruleset] = load
) -> Iterator[tuple[int, str, bool]]:
    """Yield, for each line that is not blank, its number from 1, its answer and whether it was scored.

    The answer is one line of JSON, and can be written as UTF-8 whatever the deal held.
    """
    for number, line in enumerate(lines, start=1):
        if line.strip():
            answer = answer_line(line, default, find)
            text = json.dumps(answer, ensure_ascii=False)
            # JSON may name half a character ("\\ud800"), which no encoding has: it goes out as it came in.
            yield number, text.encode("utf-8", "backslashreplace").decode("utf-8"), "errors" not in answer
