"""A ruleset: every choice of docs/rules.md as a validated field.

The defaults are the base of docs/rules.md §7; a ruleset file states only what differs from them. Nothing in
the engine asks which ruleset it has before it, only what its fields say. May not know: files, Django, deals.
"""

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from scoring.engine.cards import MOST_SEATS, SCORING_CARDS, is_card
from scoring.engine.faults import Fault, RulesetError, fault

LANGUAGES: Final = ("zh-Hans", "zh-Hant", "en")
LONGEST_TEXT: Final = 200

#: The fields of a ruleset by subject, in the order a form shows them.
GROUPS: Final = ("identity", "values", "exposure", "capture", "slam", "sides", "game", "procedure")

Kind = Literal["text", "titles", "bool", "int", "optional_int", "choice", "hearts", "cards"]


@dataclass(frozen=True, slots=True)
class RuleField:
    """What a form needs to know of one field of a ruleset.

    `kind` is the type; `choices` the allowed values of a choice; `low` and `high` the limits of a number,
    inclusive; `unit` what the number counts (points, seconds, deals, times or nothing); `label` the English
    name of the rule; `section` where docs/rules.md explains it.
    """

    name: str
    kind: Kind
    group: str
    default: Any
    label: str
    section: str
    choices: tuple[str | int, ...] = ()
    low: int | None = None
    high: int | None = None
    unit: str = ""


def _rule(
    default: Any,
    kind: Kind,
    group: str,
    label: str,
    section: str,
    *,
    choices: tuple[str | int, ...] = (),
    low: int | None = None,
    high: int | None = None,
    unit: str = "",
) -> Any:
    meta = {
        "kind": kind,
        "group": group,
        "label": label,
        "section": section,
        "choices": choices,
        "low": low,
        "high": high,
        "unit": unit,
    }
    if isinstance(default, dict):
        return dataclasses.field(default_factory=lambda: dict(default), hash=False, metadata=meta)
    return dataclasses.field(default=default, metadata=meta)


def _points(default: int, group: str, label: str, section: str) -> Any:
    return _rule(default, "int", group, label, section, low=-10_000, high=10_000, unit="points")


def _times(default: int, group: str, label: str, section: str, high: int = 16) -> Any:
    return _rule(default, "int", group, label, section, low=1, high=high, unit="times")


def _line(default: int | None, label: str, low: int, high: int) -> Any:
    return _rule(default, "optional_int", "game", label, "§5", low=low, high=high, unit="points")


def _yes_no(default: bool, group: str, label: str, section: str) -> Any:
    return _rule(default, "bool", group, label, section)


def _choice(default: str | int, choices: tuple[str | int, ...], group: str, label: str, section: str) -> Any:
    return _rule(default, "choice", group, label, section, choices=choices)


def _seconds(default: int, label: str) -> Any:
    return _rule(default, "int", "procedure", label, "§6", low=0, high=600, unit="seconds")


#: Taken out of the pack, one after another, when it does not divide among the seats (docs/rules.md §6).
ODD_CARDS: Final = ("D2", "S2", "D3", "C3", "D4", "S4", "C4", "D5", "S5", "C5", "D6", "S6", "C6", "D7")


@dataclass(frozen=True)
class Ruleset:
    """The rules one event is played under; see docs/rules.md for the meaning of each field.

    Make one with `Ruleset.from_dict`, which checks it, or directly with `Ruleset(...)`, which checks as well;
    both raise `RulesetError` with every fault.
    """

    key: str = _rule("base", "text", "identity", "Key", "§7")
    titles: Mapping[str, str] = _rule(
        {"zh-Hans": "基本规则", "zh-Hant": "基本規則", "en": "Base rules"},
        "titles",
        "identity",
        "Title",
        "§7",
    )
    source: str = _rule("docs/rules.md §7", "text", "identity", "Source", "§7")

    decks: int = _choice(1, (1, 2), "values", "Decks", "§2")
    pig: int = _points(-100, "values", "Pig ♠Q", "§2")
    sheep: int = _points(100, "values", "Sheep ♦J", "§2")
    transformer: int = _points(50, "values", "Transformer ♣10 alone", "§2")
    transformer_factor: int = _times(2, "values", "Transformer multiplies by", "§2")
    hearts: tuple[int, ...] = _rule(
        (-50, -40, -30, -20, -10, -10, -10, -10, -10, -10, 0, 0, 0),
        "hearts",
        "values",
        "Hearts, from ♥A down to ♥2",
        "§2",
        low=-10_000,
        high=10_000,
        unit="points",
    )

    exposure: str = _choice(
        "optional",
        ("optional", "none", "all", "all_but_sheep", "forced_fourth"),
        "exposure",
        "Which cards are exposed",
        "§3",
    )
    allow_first: bool = _yes_no(True, "exposure", "First-exposing is known", "§3")
    allow_dark: bool = _yes_no(True, "exposure", "Dark-exposing is known", "§3")
    exposed_factor: int = _times(2, "exposure", "Exposed counts", "§2")
    first_factor: int = _times(4, "exposure", "First-exposed counts", "§2")
    dark_factor: int = _times(2, "exposure", "Dark-exposed counts", "§2")
    single_copy: str = _choice(
        "larger", ("larger", "product"), "exposure", "Two decks: one copy of pig or sheep counts by", "§2"
    )

    self_capture: str = _choice("off", ("off", "card", "suit"), "capture", "Self-capture", "§2")
    self_capture_factor: int = _times(2, "capture", "Self-captured counts", "§2")
    self_capture_transformer: str = _choice(
        "multiplier",
        ("multiplier", "value"),
        "capture",
        "Of a self-captured transformer counts more",
        "§2",
    )
    all_hearts: str = _choice("negate", ("negate", "fixed", "keep"), "capture", "All hearts", "§2")
    all_hearts_value: int = _points(100, "capture", "All hearts, where the figure is fixed", "§2")
    all_hearts_bonus: int = _points(0, "capture", "Bonus for all hearts", "§2")
    swap: str = _choice(
        "never",
        ("never", "always", "choice"),
        "capture",
        "With all hearts, pig and sheep exchange signs",
        "§2",
    )

    grand_slam: str = _choice("computed", ("computed", "fixed", "scaled"), "slam", "Grand slam", "§2")
    grand_slam_value: int = _points(0, "slam", "Grand slam, where a figure is given", "§2")

    pig_sheep_sides: str = _choice(
        "dealt", ("dealt", "captured"), "sides", "Pig-and-sheep: the sides are those who", "§4"
    )
    zero_sum: bool = _yes_no(False, "sides", "Scores of a table are made to add up to 0", "§4")
    scale: int = _times(1, "sides", "Zero-sum scores are multiplied by", "§4", high=1_000)
    rounding: str = _choice(
        "before_scale", ("before_scale", "exact"), "sides", "Zero-sum scores are rounded", "§4"
    )

    lose_line: int | None = _line(-1000, "Made pig at", -1_000_000, -1)
    win_line: int | None = _line(1000, "Wins at", 1, 1_000_000)
    lines_inclusive: bool = _yes_no(True, "game", "Reaching a line exactly ends the game", "§5")
    penalties_count_towards_lines: bool = _yes_no(False, "game", "Penalties can end a game", "§5")
    double_pig: bool = _yes_no(False, "game", "Lowest and highest are both made pig", "§5")
    set_deals: int = _rule(16, "int", "game", "Deals of a set", "§5", low=1, high=200, unit="deals")

    direction: str = _choice(
        "counterclockwise", ("counterclockwise", "clockwise"), "procedure", "Direction of play", "§6"
    )
    lead_card: str = _choice("C2", ("S3", "C2", "S2", "S7"), "procedure", "First lead: holder of", "§6")
    must_lead_card: bool = _yes_no(True, "procedure", "That card itself must be led", "§6")
    later_lead: str = _choice(
        "pig", ("holder", "pig", "lowest"), "procedure", "Lead of the later deals", "§6"
    )
    later_shuffle: str = _choice("pig", ("pig", "lowest"), "procedure", "Shuffles the later deals", "§6")
    first_expose_seconds: int = _seconds(10, "Time for first-exposing")
    expose_seconds: int = _seconds(20, "Time for exposing")
    exposed_lead: bool = _yes_no(False, "procedure", "An exposed card may lead its suit's first trick", "§6")
    exposed_discard: bool = _yes_no(
        True, "procedure", "An exposed card may be discarded before its suit was led", "§6"
    )
    discard_colour: bool = _yes_no(False, "procedure", "Discards must keep to the colour led", "§6")
    odd_cards: tuple[str, ...] = _rule(
        ODD_CARDS, "cards", "procedure", "Taken out when the cards do not divide", "§6"
    )

    def __post_init__(self) -> None:
        faults = [one for spec in self.fields_meta() for one in _check_value(spec, getattr(self, spec.name))]
        if not faults:
            faults.extend(_check_together(self))
        if faults:
            raise RulesetError(faults)

    @classmethod
    def from_dict(cls, differences: Mapping[str, Any], base: "Ruleset | None" = None) -> "Ruleset":
        """Make a ruleset from what differs from `base` (the base of docs/rules.md §7 where none is given).

        Raises RulesetError, holding all faults: unknown fields, wrong types, values out of range, and fields
        that contradict each other.
        """
        specs = {spec.name: spec for spec in cls.fields_meta()}
        faults: list[Fault] = []
        values: dict[str, Any] = {}
        if not isinstance(differences, Mapping):
            raise RulesetError([fault("ruleset_wrong_type", field="ruleset", expected="an object")])
        for name, value in differences.items():
            if name not in specs:
                faults.append(fault("ruleset_unknown_field", field=name))
                continue
            if specs[name].kind in ("hearts", "cards") and isinstance(value, list):
                value = tuple(value)
            faults.extend(_check_value(specs[name], value))
            values[name] = value
        if faults:
            raise RulesetError(faults)
        return dataclasses.replace(base or _BASE, **values)

    def to_dict(self, base: "Ruleset | None" = None) -> dict[str, Any]:
        """Return what differs from `base` (default: the base rules), for JSON; `from_dict` reverses it."""
        reference = base or _BASE
        changed: dict[str, Any] = {}
        for spec in self.fields_meta():
            value = getattr(self, spec.name)
            if value != getattr(reference, spec.name):
                changed[spec.name] = _plain(value)
        return changed

    def to_full_dict(self) -> dict[str, Any]:
        """Return every field, ready for JSON: what an event stores as the version it is played under."""
        return {spec.name: _plain(getattr(self, spec.name)) for spec in self.fields_meta()}

    @classmethod
    def fields_meta(cls) -> tuple[RuleField, ...]:
        """Return what a form needs to know of every field, in the order of the groups."""
        return _FIELDS_META


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value


def _read_meta() -> tuple[RuleField, ...]:
    found: list[RuleField] = []
    for one in dataclasses.fields(Ruleset):
        default = _plain_default(one)
        found.append(RuleField(name=one.name, default=default, **one.metadata))
    return tuple(found)


def _plain_default(one: "dataclasses.Field[Any]") -> Any:
    return one.default if one.default is not dataclasses.MISSING else one.default_factory()  # type: ignore[operator]


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _within(spec: RuleField, value: int) -> list[Fault]:
    low, high = spec.low or 0, spec.high or 0
    if low <= value <= high:
        return []
    return [fault("ruleset_range", field=spec.name, low=low, high=high)]


def _wrong_type(spec: RuleField, expected: str) -> list[Fault]:
    return [fault("ruleset_wrong_type", field=spec.name, expected=expected)]


def _check_text(spec: RuleField, value: object) -> list[Fault]:
    if isinstance(value, str) and value.strip() and len(value) <= LONGEST_TEXT and value.isprintable():
        return []
    return [fault("ruleset_text", field=spec.name, most=LONGEST_TEXT)]


def _check_titles(spec: RuleField, value: object) -> list[Fault]:
    if isinstance(value, Mapping) and set(value) == set(LANGUAGES):
        return [one for text in value.values() for one in _check_text(spec, text)][:1]
    return [fault("ruleset_titles", field=spec.name, languages=", ".join(LANGUAGES))]


def _check_bool(spec: RuleField, value: object) -> list[Fault]:
    return [] if isinstance(value, bool) else _wrong_type(spec, "true or false")


def _check_int(spec: RuleField, value: Any) -> list[Fault]:
    return _within(spec, value) if _is_int(value) else _wrong_type(spec, "a whole number")


def _check_optional_int(spec: RuleField, value: Any) -> list[Fault]:
    if value is None:
        return []
    return _within(spec, value) if _is_int(value) else _wrong_type(spec, "a whole number or nothing")


def _check_choice(spec: RuleField, value: object) -> list[Fault]:
    if any(type(value) is type(one) and value == one for one in spec.choices):
        return []
    return [fault("ruleset_choice", field=spec.name, choices=", ".join(map(str, spec.choices)))]


def _check_hearts(spec: RuleField, value: Any) -> list[Fault]:
    if not isinstance(value, tuple) or len(value) != 13 or not all(map(_is_int, value)):
        return [fault("ruleset_hearts", field=spec.name)]
    return [one for number in value for one in _within(spec, number)][:1]


def _check_cards(spec: RuleField, value: Any) -> list[Fault]:
    good = isinstance(value, tuple) and all(map(is_card, value)) and len(set(value)) == len(value)
    if good and not set(value) & set(SCORING_CARDS):
        return []
    return [fault("ruleset_odd_cards", field=spec.name, fewest=MOST_SEATS - 1)]


_CHECKS: Final[Mapping[str, Callable[[RuleField, Any], list[Fault]]]] = {
    "text": _check_text,
    "titles": _check_titles,
    "bool": _check_bool,
    "int": _check_int,
    "optional_int": _check_optional_int,
    "choice": _check_choice,
    "hearts": _check_hearts,
    "cards": _check_cards,
}


def _check_value(spec: RuleField, value: Any) -> list[Fault]:
    return _CHECKS[spec.kind](spec, value)


def _check_together(rules: Ruleset) -> Iterable[Fault]:
    if rules.lose_line is None and rules.win_line is None:
        yield fault("ruleset_lines", field="lose_line", other="win_line")
    # A table of 13 can leave 12 cards over; with fewer spare cards it could not be dealt.
    if len(set(rules.odd_cards) - {rules.lead_card}) < MOST_SEATS - 1:
        yield fault("ruleset_odd_cards", field="odd_cards", fewest=MOST_SEATS - 1)
    if rules.grand_slam in ("fixed", "scaled") and rules.grand_slam_value <= 0:
        yield fault(
            "ruleset_needs",
            field="grand_slam",
            value=rules.grand_slam,
            other="grand_slam_value",
            wanted="above 0",
        )
    if rules.rounding == "exact" and not rules.zero_sum:
        yield fault("ruleset_needs", field="rounding", value="exact", other="zero_sum", wanted="true")
    if rules.scale != 1 and not rules.zero_sum:
        yield fault("ruleset_needs", field="scale", value=rules.scale, other="zero_sum", wanted="true")


_FIELDS_META: Final = _read_meta()
_BASE: Final = Ruleset()
