"""A checked deal boiled down to numbers, and the tables that do it.

What each seat captured becomes one integer that fits a machine word. From the low bits up: a 2-bit count each
of pig, sheep and transformer; the number of scoring cards (7 bits); a 2-bit count of each heart; and on top
the sum of the hearts' base values. So one comparison tells whether a table is complete, and the low 13 bits
tell by which straight line over the hearts' sum a seat scores. The comparison is exact although a count
overflows at four: four of one card add up like one of the next, but then the *number* of cards is too high by
three.
May not know: formulas, sides' totals, I/O.
"""

from typing import Final, NamedTuple

from scoring.engine.cards import HEARTS, KEY_CARDS, PACK
from scoring.engine.ruleset import Ruleset

#: Bits of one card's count, and its mask.
WIDTH: Final = 2
ONE: Final = (1 << WIDTH) - 1
PIG_SHIFT, SHEEP_SHIFT, TRANSFORMER_SHIFT = 0, 2, 4
NUMBER_SHIFT: Final = 6
HEARTS_SHIFT: Final = 13
SUM_SHIFT: Final = HEARTS_SHIFT + WIDTH * len(HEARTS)
#: All counts, without the sum of values.
COUNTS: Final = (1 << SUM_SHIFT) - 1
#: What decides by which line a seat scores: three key cards and the number of cards.
LINE_MASK: Final = (1 << HEARTS_SHIFT) - 1
THREE_KEYS: Final = (1 << NUMBER_SHIFT) - 1
#: A record listing more cards never takes the quick way, so that the number of cards cannot overflow.
MOST_CARDS: Final = 104

#: For each key card, by what exposure multiplies it: the product over its copies, and the larger of them.
Factors = tuple[tuple[int, int], tuple[int, int], tuple[int, int], tuple[int, int]]
PLAIN_FACTORS: Final[Factors] = ((1, 1), (1, 1), (1, 1), (1, 1))


class Shown(NamedTuple):
    """What the exposures of a deal do, with the scores worked out under them so far.

    `lines` and `swapped` map a seat's key cards to the (slope, height) of its score over the hearts' sum;
    `swapped` holds where pig and sheep exchanged signs. Filled by `scoring.engine.score`.
    """

    factors: Factors
    lines: dict[int, tuple[int, int]]
    swapped: dict[int, tuple[int, int]]


class Tables:
    """What a ruleset means for counting cards; made once per ruleset, by `tables_for`."""

    __slots__ = (
        "by_code",
        "by_factors",
        "codes",
        "factors",
        "full",
        "full_counts",
        "full_hearts",
        "masks",
        "needs_held",
        "plain",
        "weights",
    )

    def __init__(self, rules: Ruleset) -> None:
        values = dict(zip(HEARTS, rules.hearts, strict=True))
        #: Card code → its weight in a seat's integer; cards that do not score weigh nothing.
        self.weights: dict[str, int] = dict.fromkeys(PACK, 0)
        shifts = dict(zip(KEY_CARDS, (PIG_SHIFT, SHEEP_SHIFT, TRANSFORMER_SHIFT), strict=False))
        shifts.update({card: HEARTS_SHIFT + WIDTH * place for place, card in enumerate(HEARTS)})
        for card, shift in shifts.items():
            self.weights[card] = (1 << shift) + (1 << NUMBER_SHIFT) + (values.get(card, 0) << SUM_SHIFT)
        self.full = rules.decks * sum(self.weights.values())
        self.full_counts = self.full & COUNTS
        self.full_hearts = self.full_counts >> HEARTS_SHIFT
        #: Exposure kind → its factor, for the kinds this ruleset knows.
        self.factors: dict[str, int] = {"exposed": rules.exposed_factor}
        if rules.allow_first and rules.exposure not in ("all", "all_but_sheep"):
            self.factors["first"] = rules.first_factor
        if rules.allow_dark:
            self.factors["dark"] = rules.dark_factor
        #: Which sets of exposed key cards (bit = place in KEY_CARDS) are allowed, one deck.
        self.masks = tuple(_mask_allowed(rules.exposure, mask) for mask in range(16))
        #: One deck, and pig and sheep keep their signs: most rulesets.
        self.plain = rules.decks == 1 and rules.swap == "never"
        self.needs_held = rules.self_capture != "off"
        #: Card → exposure kind → code. Codes of a record's exposures are added up; the sum names the set of
        #: exposures exactly, as 1, 3 and 9 and how many there are can be added to one sum in one way only.
        self.codes: dict[str, dict[str, int]] = {
            card: {
                kind: (1 << 20) + (code << 5 * place)
                for kind, code in (("exposed", 1), ("first", 3), ("dark", 9))
                if kind in self.factors
            }
            for place, card in enumerate(KEY_CARDS)
        }
        #: The sets of exposures met so far that are valid, by the sum of their codes.
        self.by_code: dict[int, Shown] = {}
        self.by_factors: dict[Factors, Shown] = {}
        if self.masks[0]:
            self.by_code[0] = self.shown(PLAIN_FACTORS)

    def shown(self, factors: Factors) -> Shown:
        """Return what goes with these exposure factors, the same object each time."""
        found = self.by_factors.get(factors)
        if found is None:
            found = self.by_factors[factors] = Shown(factors, {}, {})
        return found


def _mask_allowed(exposure: str, mask: int) -> bool:
    match exposure:
        case "none":
            return mask == 0
        case "all":
            return mask == 0b1111
        case "all_but_sheep":
            return mask == 0b1101
        case "forced_fourth":
            return mask.bit_count() != 3
    return True


def tables_for(rules: Ruleset) -> Tables:
    """Return the tables of a ruleset, made at the first call and kept with the ruleset."""
    try:
        found: Tables = rules.__dict__["_tables"]
    except KeyError:
        found = Tables(rules)
        # The ruleset is frozen for everyone else; its derived tables live and die with it.
        rules.__dict__["_tables"] = found
    return found


class Tally(NamedTuple):
    """A valid deal in numbers: all that scores, formulas and sides are computed from.

    `taken[i]` is the integer of seat `seats[i]`. `own[i]` counts, two bits for each key card in the order of
    `KEY_CARDS`, the copies that seat captured of those it was dealt itself, where self-capture is on.
    `pig_sheep` are the seats that make the first side in pig-and-sheep (empty while not known).
    `missing` are the cards nobody has captured yet, in a partial record.
    """

    seats: tuple[str, ...]
    mode: str
    taken: tuple[int, ...]
    own: tuple[int, ...]
    shown: Shown
    swap: bool
    pig_sheep: tuple[str, ...]
    missing: tuple[str, ...]
