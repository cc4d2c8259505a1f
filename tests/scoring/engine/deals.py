"""What the engine's tests share: short ways to write a deal, and strategies for any deal under any rules.

The strategies draw a seed and build from it: hundreds of choices one by one would take most of a test's time.
"""

from collections.abc import Mapping
from random import Random
from typing import Any

from hypothesis import strategies as st

from scoring.engine import Ruleset
from scoring.engine.cards import KEY_CARDS, SCORING_CARDS, seats_for

#: The base rules of docs/rules.md §7, without self-capture.
BASE = Ruleset()
_SEEDS = st.integers(0, 2**32 - 1)
HUAPAI = Ruleset.from_dict({"self_capture": "card"})


def deal(captures: Mapping[str, str], exposed: str = "", held: str = "", **more: Any) -> dict[str, Any]:
    """Write a deal of four in short.

    `captures` maps seats to cards with spaces between; `exposed` is like ``"SQ:N HA:E:first"``; `held` is
    like ``"SQ:N DJ:N"``. Scoring cards nobody is named for go to the last seat, E.
    """
    taken = {seat: captures.get(seat, "").split() for seat in "NWSE"}
    named = {code.partition(":")[0] for cards in taken.values() for code in cards}
    for card in SCORING_CARDS:
        if card not in named:
            taken["E"].append(card)
    shown = [dict(zip(("card", "seat", "kind"), one.split(":"), strict=False)) for one in exposed.split()]
    record: dict[str, Any] = {"captures": taken, "exposed": [{"kind": "exposed", **one} for one in shown]}
    if held:
        record["held"] = dict(one.split(":") for one in held.split())
    return {**record, **more}


def rulesets(**fixed: Any) -> st.SearchStrategy[Ruleset]:
    """Draw any ruleset, but for the fields given."""
    return _SEEDS.map(lambda seed: any_ruleset(Random(seed), **fixed))


def records(rules: Ruleset, mode: str | None = None) -> st.SearchStrategy[dict[str, Any]]:
    """Draw any valid, complete record under `rules`."""
    return _SEEDS.map(lambda seed: any_record(Random(seed), rules, mode))


def any_ruleset(rng: Random, **fixed: Any) -> Ruleset:
    """Any ruleset that can be played, with uncommon figures so that mistakes show."""
    values: dict[str, Any] = {
        "decks": rng.choice((1, 2)),
        "pig": rng.choice((-100, -70, 30)),
        "sheep": rng.choice((100, 50, -7, 0)),
        "transformer": rng.choice((50, 40, 0)),
        "transformer_factor": rng.choice((2, 3)),
        "hearts": rng.choice(
            (
                BASE.hearts,
                (-50, -40, -30, -20, -10, -9, -8, -7, -6, -5, -10, -3, -2),
                (50, 40, 30, 20, 10, 10, 10, 10, 10, 10, 10, 10, 10),
            )
        ),
        "exposure": rng.choice(("optional", "none", "all", "all_but_sheep", "forced_fourth")),
        "allow_first": rng.random() < 0.5,
        "allow_dark": rng.random() < 0.5,
        "exposed_factor": rng.choice((2, 3)),
        "first_factor": rng.choice((4, 5)),
        "single_copy": rng.choice(("larger", "product")),
        "self_capture": rng.choice(("off", "card", "suit")),
        "self_capture_factor": rng.choice((2, 3)),
        "self_capture_transformer": rng.choice(("multiplier", "value")),
        "all_hearts": rng.choice(("negate", "fixed", "keep")),
        "all_hearts_bonus": rng.choice((0, 200)),
        "swap": rng.choice(("never", "always", "choice")),
        "grand_slam": rng.choice(("computed", "fixed", "scaled")),
        "grand_slam_value": 1000,
        "zero_sum": rng.random() < 0.5,
        "pig_sheep_sides": rng.choice(("dealt", "captured")),
    }
    if values["zero_sum"]:
        values["rounding"] = rng.choice(("before_scale", "exact"))
        values["scale"] = rng.choice((1, 12))
    return Ruleset.from_dict({**values, **fixed})


def any_record(rng: Random, rules: Ruleset, mode: str | None = None) -> dict[str, Any]:
    """Any valid, complete record under `rules`, in its JSON form, lists in any order."""
    modes = ["individual"]
    count = rng.choice((3, 4, 4, 4, 5))
    if count == 4:
        modes.append("partnership")
    if rules.decks == 1:
        modes.append("pig_sheep")
    chosen = rng.choice(modes) if mode is None else mode
    table = seats_for(count)
    # A seat that takes nearly everything makes all hearts and grand slams common enough to be met.
    greedy = rng.choice(table) if rng.random() < 0.5 else None
    greed = rng.choice(("hearts", "all"))
    held = {card: [rng.choice(table) for _ in range(rules.decks)] for card in KEY_CARDS}
    copies = rules.decks == 2 and rules.self_capture != "off"
    captures: dict[str, list[str]] = {one: [] for one in table}
    for card in SCORING_CARDS:
        for copy in range(rules.decks):
            to_greedy = greedy is not None and (greed == "all" or card[0] == "H")
            taker = greedy if to_greedy and greedy else rng.choice(table)
            named = f"{card}:{held[card][copy]}" if copies and card in held else card
            captures[taker].append(named)
    # Cards that do not score may be listed too.
    captures[rng.choice(table)].extend(rng.choice(([], ["S2"], ["S2", "CA"])))
    for cards in captures.values():
        rng.shuffle(cards)
    record: dict[str, Any] = {
        "captures": captures,
        "held": {card: who[0] if rules.decks == 1 else who for card, who in held.items()},
        "exposed": _exposures(rng, rules, held, chosen),
    }
    if chosen != "individual" or rng.random() < 0.5:
        record["mode"] = chosen
    if rules.swap == "choice" and greedy is not None and rng.random() < 0.5:
        record["swap_pig_sheep"] = True
    return record


def _exposures(rng: Random, rules: Ruleset, held: Mapping[str, list[str]], mode: str) -> list[dict[str, str]]:
    if mode == "pig_sheep" or rules.exposure == "none":
        return []
    every = [(card, who) for card, holders in held.items() for who in holders]
    if rules.exposure in ("all", "all_but_sheep"):
        shown = [one for one in every if rules.exposure == "all" or one[0] != "DJ"]
        kinds = ["exposed"]
    else:
        shown = [one for one in every if rng.random() < 0.5]
        kinds = ["exposed", *(["first"] if rules.allow_first else [])]
        if rules.exposure == "forced_fourth" and len({card for card, _ in shown}) == 3:
            shown += [next(one for one in every if one[0] not in {card for card, _ in shown})]
    kinds += ["dark"] if rules.allow_dark else []
    found = []
    first: set[str] = set()
    for card, who in shown:
        kind = rng.choice(kinds)
        if kind == "first" and who in first:
            kind = "exposed"
        if kind == "first":
            first.add(who)
        found.append({"card": card, "seat": who, "kind": kind})
    rng.shuffle(found)
    return found
