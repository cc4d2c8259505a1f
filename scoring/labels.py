"""What each rule is called and means, in the reader's language: for pages and forms about rulesets.

The engine's `Ruleset.fields_meta()` says which rules there are; a test fails for one without words here.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import get_language, gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.engine import FAULT_MESSAGES, Fault, RuleField
from scoring.engine.cards import is_card, symbol

GROUP_TITLES: Mapping[str, Any] = {
    "identity": _("Name and origin"),
    "values": _("What the cards are worth"),
    "exposure": _("Exposing cards"),
    "capture": _("Self-capture, all hearts, changing signs"),
    "slam": _("Grand slam"),
    "sides": _("Sides and zero-sum scores"),
    "game": _("Games and sets"),
    "procedure": _("At the table"),
}

#: Field → name of the rule.
FIELD_NAMES: Mapping[str, Any] = {
    "key": _("Key"),
    "titles": _("Title"),
    "source": _("Source"),
    "decks": _("Decks"),
    "pig": _("Pig ♠Q"),
    "sheep": _("Sheep ♦J"),
    "transformer": _("Transformer ♣10 alone"),
    "transformer_factor": _("Transformer multiplies by"),
    "hearts": _("Hearts"),
    "exposure": _("Which cards are exposed"),
    "allow_first": _("First-exposing"),
    "allow_dark": _("Dark-exposing"),
    "exposed_factor": _("An exposed card counts"),
    "first_factor": _("A first-exposed card counts"),
    "dark_factor": _("A dark-exposed card counts"),
    "single_copy": _("Two decks: one copy captured counts by"),
    "self_capture": _("Self-capture"),
    "self_capture_factor": _("A self-captured card counts"),
    "self_capture_transformer": _("A self-captured transformer"),
    "all_hearts": _("All hearts"),
    "all_hearts_value": _("Fixed figure for all hearts"),
    "all_hearts_bonus": _("Bonus for all hearts"),
    "swap": _("Pig and sheep change signs"),
    "grand_slam": _("Score of a grand slam"),
    "grand_slam_value": _("Figure for a grand slam"),
    "pig_sheep_sides": _("Pig-and-sheep: who plays together"),
    "zero_sum": _("Zero-sum scores"),
    "scale": _("Zero-sum scores are multiplied by"),
    "rounding": _("Rounding of zero-sum scores"),
    "lose_line": _("Losing line"),
    "win_line": _("Winning line"),
    "lines_inclusive": _("Reaching a line exactly ends the game"),
    "penalties_count_towards_lines": _("Penalties can end a game"),
    "double_pig": _("Lowest and highest are both made pig"),
    "set_deals": _("Deals of a set"),
    "direction": _("Direction of play"),
    "lead_card": _("First lead: holder of"),
    "must_lead_card": _("That card itself must be led"),
    "later_lead": _("Who leads later deals"),
    "later_shuffle": _("Who shuffles later deals"),
    "first_expose_seconds": _("Time for first-exposing"),
    "expose_seconds": _("Time for exposing"),
    "exposed_lead": _("An exposed card may lead its suit's first trick"),
    "exposed_discard": _("An exposed card may be discarded before its suit was led"),
    "discard_colour": _("Discards must keep to the colour led"),
    "odd_cards": _("Cards taken out"),
}

#: Field → what the rule does, where its name does not say it all.
FIELD_HELPS: Mapping[str, Any] = {
    "key": _("The short name that files and the scoring command use."),
    "source": _("The text these rules are taken from."),
    "transformer": _("Score of a seat that captures the transformer and no other scoring card."),
    "transformer_factor": _("With any other scoring card, even ♥2, it multiplies the seat's sum."),
    "hearts": _("Points of each heart, before exposure."),
    "exposure": _(
        "Optional: players decide. Forced fourth: once three key cards are exposed, the fourth must be."
    ),
    "allow_first": _("The very first card dealt to a seat may be shown at once, for the higher factor."),
    "allow_dark": _("A card announced face down: it is played like a first-exposed card."),
    "exposed_factor": _("An exposed ♥A acts on every heart, an exposed transformer on its multiplier."),
    "single_copy": _("Where both copies are exposed differently and one seat captures one of them."),
    "self_capture": _("A key card captured by the seat that was dealt it counts more."),
    "all_hearts": _("When one seat captures every heart."),
    "all_hearts_value": _("Used where all hearts score a fixed figure; an exposed ♥A multiplies it."),
    "all_hearts_bonus": _("Added when one seat captures every heart; an exposed ♥A multiplies it."),
    "swap": _("When one seat has all hearts and it is no grand slam, for every seat in that deal."),
    "grand_slam": _("When one seat captures every scoring card; the pig then counts positive."),
    "grand_slam_value": _("The fixed figure, or the figure that is scaled by the exposures."),
    "pig_sheep_sides": _("One seat that has both plays alone against the others."),
    "zero_sum": _(
        "Individuals: own score minus the mean of the others. Partnership: half the difference of the sides."
    ),
    "rounding": _("Before multiplying, as platforms do; or not at all, so that a table always adds up to 0."),
    "lose_line": _("Below zero; empty where no game is lost that way. Whoever is lowest is made pig."),
    "win_line": _("Above zero; empty where no game is won that way. Whoever is highest wins."),
    "lines_inclusive": _("Otherwise a line must be passed."),
    "penalties_count_towards_lines": _("Otherwise they are added when the last deal is over."),
    "set_deals": _("How many deals a set has unless the event says otherwise."),
    "must_lead_card": _("Otherwise its holder leads any card."),
    "later_lead": _("The first deal is led by the holder of the card above."),
    "later_shuffle": _("North shuffles the first deal."),
    "first_expose_seconds": _("Between the first and the second circle of dealing."),
    "expose_seconds": _("After dealing."),
    "exposed_lead": _(
        "Otherwise it may not be played to the first trick of its suit, unless it is the only one held."
    ),
    "discard_colour": _("A discard of the wrong colour takes the scoring cards of that trick."),
    "odd_cards": _("In this order, as many as needed, when the cards do not divide among the seats."),
}

#: (field, value) → the choice in words. Cards, and numbers that speak for themselves, need none.
CHOICE_NAMES: Mapping[tuple[str, str], Any] = {
    ("exposure", "optional"): pgettext_lazy("rule", "optional"),
    ("exposure", "none"): _("nothing may be exposed"),
    ("exposure", "all"): _("all four key cards"),
    ("exposure", "all_but_sheep"): _("all key cards but the sheep"),
    ("exposure", "forced_fourth"): _("optional, with forced fourth"),
    ("single_copy", "larger"): _("the larger of the two factors"),
    ("single_copy", "product"): _("the product of the two factors"),
    ("self_capture", "off"): pgettext_lazy("rule", "off"),
    ("self_capture", "card"): _("that card alone"),
    ("self_capture", "suit"): _("with ♥A, every heart of that seat"),
    ("self_capture_transformer", "multiplier"): _("multiplies more"),
    ("self_capture_transformer", "value"): _("counts more only where it is alone"),
    ("all_hearts", "negate"): _("the hearts change their sign"),
    ("all_hearts", "fixed"): _("a fixed figure"),
    ("all_hearts", "keep"): _("the hearts keep their sign"),
    ("swap", "never"): pgettext_lazy("rule", "never"),
    ("swap", "always"): pgettext_lazy("rule", "always"),
    ("swap", "choice"): _("if the seat with all hearts wants it"),
    ("grand_slam", "computed"): _("computed from the cards"),
    ("grand_slam", "fixed"): _("a fixed figure if nothing was exposed"),
    ("grand_slam", "scaled"): _("a figure scaled by the exposures"),
    ("pig_sheep_sides", "dealt"): _("who was dealt pig and sheep"),
    ("pig_sheep_sides", "captured"): _("who captured pig and sheep"),
    ("rounding", "before_scale"): _("whole points, before multiplying"),
    ("rounding", "exact"): _("none: fractions are kept"),
    ("direction", "counterclockwise"): _("counter-clockwise"),
    ("direction", "clockwise"): _("clockwise"),
    ("later_lead", "holder"): _("again the holder of that card"),
    ("later_lead", "pig"): _("the seat that captured the pig"),
    ("later_lead", "lowest"): _("the seat that lost most"),
    ("later_shuffle", "pig"): _("the seat that captured the pig"),
    ("later_shuffle", "lowest"): _("the seat that lost most"),
}

UNIT_NAMES: Mapping[str, Any] = {
    "points": pgettext_lazy("unit", "points"),
    "seconds": pgettext_lazy("unit", "seconds"),
    "deals": pgettext_lazy("unit", "deals"),
    "times": pgettext_lazy("unit", "times"),
}

#: What the engine's faults of a ruleset, or of a table of victory points, fill into their sentences.
FAULT_WORDS: Mapping[str, Any] = {
    "a whole number": _("a whole number"),
    "a whole number or nothing": _("a whole number or nothing"),
    "true or false": _("yes or no"),
    "an object": _("a list of rules"),
    "rows of three whole numbers": _("rows of three whole numbers"),
    "above 0": _("above 0"),
    "true": _("yes"),
}

#: A ruleset's title languages, as the engine writes them → as Django does.
TITLE_LANGUAGES: Mapping[str, str] = {"zh-Hans": "zh-hans", "zh-Hant": "zh-hant", "en": "en"}


def ruleset_title(data: Mapping[str, Any]) -> str:
    """The title of a stored version's fields, in the reader's language; the key where it has no title."""
    titles = data.get("titles") or {}
    current = get_language() or ""
    for title_language, language in TITLE_LANGUAGES.items():
        if language == current and titles.get(title_language):
            return str(titles[title_language])
    return str(next(iter(titles.values()), data.get("key", "")))


def field_name(name: str) -> str:
    """What a rule is called; a name that is no rule's stays as it is."""
    return str(FIELD_NAMES.get(name, name))


def choice_name(field: str, value: Any) -> str:
    """One of a rule's choices in words; a card as ♠3."""
    if is_card(value):
        return symbol(value)
    return str(CHOICE_NAMES.get((field, str(value)), value))


def value_text(spec: RuleField, value: Any) -> str:
    """A rule's value as people read it: yes or no, ×4, 20 seconds, ♦2 ♠2."""
    if spec.kind == "bool":
        return str(_("yes") if value else _("no"))
    if value is None:
        return str(pgettext_lazy("rule", "none"))
    if spec.kind == "choice":
        return choice_name(spec.name, value)
    if spec.kind == "cards":
        return " ".join(symbol(card) for card in value)
    if spec.unit == "times":
        return f"×{value}"
    if spec.kind in ("int", "optional_int"):
        figure = f"{value}".replace("-", "−")
        return f"{figure} {UNIT_NAMES[spec.unit]}" if spec.unit in ("seconds", "deals") else figure
    return str(value)


def ruleset_fault_text(fault: Fault) -> str:
    """A fault of a ruleset as a sentence in the reader's language, with rules and choices in words."""
    rule = fault.params.get("field", "")
    reworded = {
        "field": field_name,
        "other": field_name,
        "value": lambda value: choice_name(rule, value),
        "choices": lambda listed: pgettext("between names", ", ").join(
            choice_name(rule, one) for one in listed.split(", ")
        ),
        "expected": _fault_word,
        "wanted": _fault_word,
    }
    params = {name: reworded.get(name, str)(value) for name, value in fault.params.items()}
    return gettext(FAULT_MESSAGES[fault.code]).format(**params)


def _fault_word(word: str) -> str:
    return str(FAULT_WORDS.get(word, word))
