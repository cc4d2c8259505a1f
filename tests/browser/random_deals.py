"""Random deals, rulesets and broken records for the tests that hold the tablet's engine to the server's.

Everything comes from the `random.Random` passed in. Deals here need not be likely, only possible: one seat
takes all hearts, or everything, far more often than at a table.
"""

import copy
from random import Random
from typing import Any

from scoring.engine import Ruleset, RulesetError
from scoring.engine.cards import HEARTS, KEY_CARDS, LETTER_SEATS, PACK, SCORING_CARDS, SHEEP, seats_for
from scoring.engine.deal import MODES

#: The groups of a ruleset's fields on which the score of a deal depends.
SCORING_GROUPS = ("values", "exposure", "capture", "slam", "sides")
_FORCED = {"all": KEY_CARDS, "all_but_sheep": tuple(card for card in KEY_CARDS if card != SHEEP)}


def random_ruleset(rng: Random, shipped: list[Ruleset]) -> Ruleset:
    """A shipped ruleset with some of its fields changed to anything they may be."""
    while True:
        base = rng.choice(shipped)
        specs = [spec for spec in base.fields_meta() if spec.group in SCORING_GROUPS]
        changed = {spec.name: _value(rng, spec) for spec in rng.sample(specs, rng.randint(1, 10))}
        try:
            return Ruleset.from_dict(changed, base)
        except RulesetError:
            continue  # fields that contradict each other


def _value(rng: Random, spec: Any) -> Any:
    if spec.kind == "choice":
        return rng.choice(spec.choices)
    if spec.kind == "bool":
        return rng.random() < 0.5
    if spec.kind == "hearts":
        return tuple(_number(rng, spec) for _ in range(13))
    return _number(rng, spec)


def _number(rng: Random, spec: Any) -> int:
    size = min(rng.choice((0, 3, 30, 300, 10_000)), spec.high)
    return rng.randint(max(spec.low, -size), max(spec.low, size))


def random_record(rng: Random, rules: Ruleset, mode: str | None = None) -> dict[str, Any]:
    """A complete deal in JSON form; nearly always valid under `rules`."""
    mode = mode or rng.choice(MODES[: 3 if rules.decks == 1 else 2])
    seats = seats_for(4 if mode == "partnership" else rng.choice((3, 4, 4, 4, 5)))
    held = {card: [rng.choice(seats) for _ in range(rules.decks)] for card in KEY_CARDS}
    record: dict[str, Any] = {
        "mode": mode,
        "captures": _captures(rng, rules, seats, held),
        "exposed": _exposed(rng, rules, mode, held),
        "held": {card: dealt[0] if rules.decks == 1 else dealt for card, dealt in held.items()},
    }
    if rules.swap == "choice" and _all_hearts(record, rules) and rng.random() < 0.5:
        record["swap_pig_sheep"] = True
    return record


def _captures(
    rng: Random, rules: Ruleset, seats: tuple[str, ...], held: dict[str, list[str]]
) -> dict[str, list[str]]:
    captures: dict[str, list[str]] = {seat: [] for seat in seats}
    favourite, odds = rng.choice(seats), rng.choice((0, 0, 0.5, 0.9, 1))
    hearts = rng.choice((odds, odds, odds, 1))
    # Without self-capture nobody need write whose copy it was, though anybody may.
    named = rules.decks == 2 and (rules.self_capture != "off" or rng.random() < 0.1)
    for card in SCORING_CARDS:
        for number in range(rules.decks):
            taker = favourite if rng.random() < (hearts if card in HEARTS else odds) else rng.choice(seats)
            written = f"{card}:{held[card][number]}" if named and card in KEY_CARDS else card
            captures[taker].append(written)
    for cards in captures.values():
        rng.shuffle(cards)
    if rng.random() < 0.1:
        captures[favourite].append(rng.choice([card for card in PACK if card not in SCORING_CARDS]))
    return captures


def _exposed(rng: Random, rules: Ruleset, mode: str, held: dict[str, list[str]]) -> list[dict[str, str]]:
    if mode == "pig_sheep" or rules.exposure == "none":
        return []
    forced = _FORCED.get(rules.exposure)
    odds = rng.choice((0, 0.3, 0.7))
    shown = [
        (card, seat)
        for card, dealt in held.items()
        for seat in dealt
        if (card in forced if forced else rng.random() < odds)
    ]
    hidden = [card for card in KEY_CARDS if all(card != one for one, _ in shown)]
    if rules.exposure == "forced_fourth" and len(hidden) == 1:
        shown.append((hidden[0], held[hidden[0]][0]))
    kinds = ["exposed", "exposed"] + ["dark"] * rules.allow_dark
    found, first = [], set()
    for card, seat in shown:
        kind = rng.choice(kinds)
        if rules.allow_first and not forced and seat not in first and rng.random() < 0.3:
            kind = "first"
            first.add(seat)
        found.append({"card": card, "seat": seat, "kind": kind})
    return found


def _all_hearts(record: dict[str, Any], rules: Ruleset) -> bool:
    full = rules.decks * len(HEARTS)
    return any(sum(card[0] == "H" for card in cards) == full for cards in record["captures"].values())


def make_partial(rng: Random, record: dict[str, Any]) -> dict[str, Any]:
    """The same deal while it is being entered: cards, exposures and holders not known yet."""
    kept = rng.choice((0, 0.3, 0.7, 0.95))
    entered = copy.deepcopy(record)
    entered["partial"] = True
    for seat, cards in entered["captures"].items():
        entered["captures"][seat] = [card for card in cards if rng.random() < kept]
    if rng.random() < 0.5:
        entered["exposed"] = [one for one in entered["exposed"] if rng.random() < kept]
    if rng.random() < 0.3:
        entered["held"] = {card: dealt for card, dealt in entered["held"].items() if rng.random() < kept}
    return entered


# -- broken records

_TEXTS = (
    "",
    "N",
    "E",
    "A",
    "F",
    "Z",
    "SQ",
    "SQ:N",
    "SQ:",
    "H7:N",
    "DJ:E",
    "H1",
    "S2",
    "C10",
    "x" * 41,
    "𝕏" * 50,
    "猪",
)
_NO_TEXT = (None, True, 0, 5, [], {}, ["N", 3], [["N"]])
_KINDS = ("exposed", "first", "dark", "Exposed", "toString", "")


def break_record(rng: Random, record: Any) -> Any:
    """The deal with one to four things wrong, or perhaps only unusual."""
    broken = copy.deepcopy(record)
    for _ in range(rng.randint(1, 4)):
        if not isinstance(broken, dict):
            return broken
        broken = rng.choice(_BREAKS)(rng, broken)
    return broken


def _anything(rng: Random) -> Any:
    return copy.deepcopy(rng.choice(rng.choice((_TEXTS, _NO_TEXT))))


def _table(record: dict[str, Any], name: str) -> dict[str, Any]:
    value = record.get(name)
    return value if isinstance(value, dict) else {}


def _change_captures(rng: Random, record: dict[str, Any]) -> Any:
    captures = _table(record, "captures")
    lists = [cards for cards in captures.values() if isinstance(cards, list)]
    if not lists:
        return record
    cards = rng.choice(lists)
    match rng.randrange(4):
        case 0 if cards:
            cards.pop(rng.randrange(len(cards)))
        case 1:
            cards.append(rng.choice(SCORING_CARDS))
        case 2:
            cards.append(rng.choice(_TEXTS))
        case _:
            cards.append(f"{rng.choice(KEY_CARDS)}:{rng.choice((*'NWSE', 'Z'))}")
    return record


def _change_seats(rng: Random, record: dict[str, Any]) -> Any:
    captures = _table(record, "captures")
    if not captures:
        return record
    seat = rng.choice(list(captures))
    match rng.randrange(3):
        case 0:
            del captures[seat]
        case 1:
            captures[rng.choice((*LETTER_SEATS, *"NWSE", "Z", "n", "𝕏", "\uffee", "__proto__"))] = (
                captures.pop(seat)
            )
        case _:
            captures[seat] = _anything(rng)
    return record


def _change_held(rng: Random, record: dict[str, Any]) -> Any:
    held = _table(record, "held")
    card = rng.choice((*KEY_CARDS, *KEY_CARDS, "H7", "S2", "?", "SQ:N"))
    match rng.randrange(4):
        case 0:
            held.pop(card, None)
        case 1:
            held[card] = rng.choice(("N", "E", "C"))
        case 2:
            held[card] = [rng.choice(("N", "W", "S", "E", "Q")) for _ in range(rng.randint(0, 3))]
        case _:
            held[card] = _anything(rng)
    return record


def _change_exposed(rng: Random, record: dict[str, Any]) -> Any:
    exposed = record.get("exposed")
    if not isinstance(exposed, list):
        return record
    cards = (*KEY_CARDS, *KEY_CARDS, "H7", "SQ:N", "HA:E")
    one: Any = {"card": rng.choice(cards), "seat": rng.choice("NWSEAB"), "kind": rng.choice(_KINDS)}
    match rng.randrange(6):
        case 0:
            del one["kind"]
        case 1:
            one[rng.choice(("card", "seat", "kind"))] = _anything(rng)
        case 2:
            one = _anything(rng)
        case 3:
            one["kind"] = "exposed"
        case 4:
            one["kind"] = "first"
            exposed.append({**one, "card": rng.choice(cards)})
        case _:
            pass
    exposed.append(one)
    return record


def _change_field(rng: Random, record: dict[str, Any]) -> Any:
    record[rng.choice(("mode", "ruleset", "partial", "swap_pig_sheep"))] = rng.choice(
        (*MODES, *MODES, True, True, False, None, 1, "", [], {})
    )
    return record


def _change_form(rng: Random, record: dict[str, Any]) -> Any:
    name = rng.choice(("captures", "held", "exposed"))
    if rng.random() < 0.3:
        record[name] = None
    elif rng.random() < 0.9:
        record[name] = _anything(rng)
    else:
        return _anything(rng)
    return record


_BREAKS = (
    *[_change_captures] * 4,
    *[_change_seats] * 2,
    *[_change_held] * 3,
    *[_change_exposed] * 4,
    *[_change_field] * 3,
    _change_form,
)


def rotated(captures: dict[str, list[str]], by: int) -> dict[str, list[str]]:
    """The same captures, each by the seat so many places further: with the same holders another deal."""
    seats = list(captures)
    return {seat: captures[seats[(place + by) % len(seats)]] for place, seat in enumerate(seats)}
