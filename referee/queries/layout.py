"""What a table's entry page must ask under an event's rules: cards, exposures, holders (docs/rules.md §3)."""

from typing import Any

from scoring.engine import Ruleset
from scoring.engine.cards import KEY_CARDS, PIG, SCORING_CARDS, SHEEP
from scoring.engine.procedure import Procedure


def deal_layout(ruleset: Ruleset, mode: str, seats: tuple[str, ...], procedure: Procedure) -> dict[str, Any]:
    """The layout that referee/static/referee/deal.js works from, ready for JSON. ``seats`` in the order of
    play.
    """
    kinds = ["exposed"]
    # Where exposure is prescribed nothing can be first-exposed (docs/rules.md §3).
    if ruleset.allow_first and not procedure.must_expose:
        kinds.append("first")
    if ruleset.allow_dark:
        kinds.append("dark")
    held: set[str] = set(KEY_CARDS) if ruleset.self_capture != "off" else set()
    if mode == "pig_sheep" and ruleset.pig_sheep_sides == "dealt":
        held |= {PIG, SHEEP}
    return {
        "seats": list(seats),
        "decks": ruleset.decks,
        "mode": mode,
        "cards": list(SCORING_CARDS),
        "keyCards": list(KEY_CARDS),
        "heldNeeded": [card for card in KEY_CARDS if card in held],
        "copiesMatter": ruleset.decks > 1 and ruleset.self_capture != "off",
        "exposure": {
            "policy": ruleset.exposure if procedure.may_expose else "none",
            "kinds": kinds,
            "cards": list(procedure.may_expose),
            "preset": dict.fromkeys(procedure.must_expose, "exposed"),
        },
        "swapChoice": ruleset.swap == "choice",
    }
