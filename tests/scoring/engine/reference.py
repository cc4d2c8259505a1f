"""A second scorer, written card by card straight from docs/rules.md §2, to hold the engine against.

Slow and plain on purpose: it shares no code with the engine beyond the ruleset's fields.
"""

from fractions import Fraction
from typing import Any

from scoring.engine import Ruleset
from scoring.engine.cards import SCORING_CARDS

_RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")


def reference_scores(record: dict[str, Any], rules: Ruleset) -> dict[str, int]:
    """Return each seat's score of a valid record."""
    exposure: dict[str, list[int]] = {card: [] for card in ("SQ", "DJ", "C10", "HA")}
    kinds = {"exposed": rules.exposed_factor, "first": rules.first_factor, "dark": rules.dark_factor}
    for one in record["exposed"]:
        exposure[one["card"]].append(kinds[one["kind"]])
    held = record.get("held", {})

    hands = {seat: [_copy(code, seat, held) for code in cards] for seat, cards in record["captures"].items()}
    hands = {seat: [one for one in cards if one[0] in SCORING_CARDS] for seat, cards in hands.items()}
    total = 16 * rules.decks
    all_hearts = [
        seat for seat, cards in hands.items() if sum(c[0] == "H" for c, _ in cards) == 13 * rules.decks
    ]
    slam = [seat for seat, cards in hands.items() if len(cards) == total]
    swap = bool(all_hearts) and not slam
    swap = swap and (
        rules.swap == "always" or (rules.swap == "choice" and record.get("swap_pig_sheep", False))
    )
    scores = {}
    for seat, cards in hands.items():
        if seat in slam and rules.grand_slam == "fixed" and not record["exposed"]:
            scores[seat] = rules.grand_slam_value
            continue
        value = _seat(cards, rules, exposure, seat in all_hearts, seat in slam, swap)
        if seat in slam and rules.grand_slam == "scaled":
            nothing: dict[str, list[int]] = {card: [] for card in exposure}
            plain = _seat([(card, False) for card, _ in cards], rules, nothing, True, True, False)
            # Where a plain slam is worth nothing there is nothing to scale by.
            scaled = Fraction(rules.grand_slam_value * value, plain) if plain else rules.grand_slam_value
            half = Fraction(1, 2)
            value = int(scaled + half) if scaled >= 0 else -int(-scaled + half)
        scores[seat] = value
    return scores


def _copy(code: str, seat: str, held: dict[str, Any]) -> tuple[str, bool]:
    """Return the card and whether it came back to the seat that was dealt it."""
    card, _, dealt = code.partition(":")
    return card, (dealt or held.get(card)) == seat


def _factor(factors: list[int], copies: int, product_always: bool) -> int:
    product, largest = 1, 1
    for factor in factors:
        product *= factor
        largest = max(largest, factor)
    return product if copies == 2 or product_always else largest


def _seat(  # noqa: PLR0917
    cards: list[tuple[str, bool]],
    rules: Ruleset,
    exposure: dict[str, list[int]],
    all_hearts: bool,
    slam: bool,
    swap: bool,
) -> int:
    own_counts = rules.self_capture != "off"
    values = dict(zip(("H" + rank for rank in _RANKS), rules.hearts, strict=True))
    aces = sum(card == "HA" and own for card, own in cards) if own_counts else 0

    hearts = 0
    for card, own in cards:
        if card[0] == "H":
            doubled = card == "HA" and own and rules.self_capture == "card"
            hearts += values[card] * (rules.self_capture_factor if doubled else 1)
    if rules.self_capture == "suit":
        hearts *= rules.self_capture_factor**aces
    if all_hearts and rules.all_hearts == "negate":
        hearts = -hearts
    if all_hearts and rules.all_hearts == "fixed":
        hearts = rules.all_hearts_value
        if rules.self_capture == "suit":
            hearts *= rules.self_capture_factor**aces
    if all_hearts:
        hearts += rules.all_hearts_bonus
    score = hearts * _factor(exposure["HA"], 2, True)

    for card, base in (("SQ", abs(rules.pig) if slam else rules.pig), ("DJ", rules.sheep)):
        taken = [own for one, own in cards if one == card]
        factor = _factor(exposure[card], len(taken), rules.single_copy == "product")
        for own in taken:
            score += (
                base * (-1 if swap else 1) * factor * (rules.self_capture_factor if own and own_counts else 1)
            )

    transformers = [own for one, own in cards if one == "C10"]
    factor = _factor(exposure["C10"], len(transformers), False)
    doubled = [rules.self_capture_factor if own and own_counts else 1 for own in transformers]
    if transformers and len(cards) == len(transformers):
        return sum(rules.transformer * factor * one for one in doubled)
    if transformers:
        score *= factor
        for one in doubled:
            score *= rules.transformer_factor
            score *= one if rules.self_capture_transformer == "multiplier" else 1
    return score
