"""Plays out random legal deals: material for demonstrations, rehearsals and tests.

Every chance comes from the `random.Random` passed in, so the same seed gives the same deal. Seats play
legally, with a little sense (they duck, and throw the pig and high hearts on others), so that scores look
like a real table's. `scoring.engine.tricks` says the same rules in full; a test holds this fast player to it.
May not know: scores, I/O.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from scoring.engine.cards import KEY_CARDS, PACK, SCORING_CARDS, SHEEP, seats_for
from scoring.engine.deal import DealRecord, Exposure
from scoring.engine.procedure import dealt_pack, order_of_play
from scoring.engine.ruleset import Ruleset
from scoring.engine.tricks import Trick

# A card is an int here: 13 × suit (♠ ♥ ♦ ♣) + strength (0 for the two … 12 for the ace).
_CODES: Final = tuple(PACK[13 * suit + 12 - strength] for suit in range(4) for strength in range(13))
_NUMBER: Final = {code: number for number, code in enumerate(_CODES)}
_SCORING: Final = frozenset(_NUMBER[card] for card in SCORING_CARDS)
_PIG: Final = _NUMBER["SQ"]
_HEART, _DIAMOND = 1, 2
_SUITS: Final = (0, 1, 2, 3)
#: Suits of the colour of each suit, for the discard-colour rule.
_SAME_COLOUR: Final = ((0, 3), (1, 2), (1, 2), (0, 3))

#: How often a seat that may expose a card does, and how often it does so without saying which.
_EXPOSES, _DARK = 0.22, 0.15
_DUCKS, _DUMPS, _LEADS_PAIR = 0.6, 0.7, 0.25


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """A random deal: its record, who led, who captured the first ♠Q, and the tricks where they were kept."""

    record: DealRecord
    leader: str
    first_pig: str
    tricks: tuple[Trick, ...]


def play_out(
    ruleset: Ruleset,
    rng: Random,
    *,
    mode: str = "individual",
    seats: int = 4,
    leader: str | None = None,
    keep_tricks: bool = False,
) -> PlayedDeal:
    """Deal, expose and play one random legal deal and return its complete record.

    `leader` leads freely; where it is None the holder of the ruleset's lead card does, as in a first deal.
    Raises ValueError for a table the mode cannot be played at.
    """
    if mode == "partnership" and seats != 4:
        raise ValueError("partnership needs a table of four")
    if mode == "pig_sheep" and ruleset.decks != 1:
        raise ValueError("pig-and-sheep is played with one deck")
    return _Table(ruleset, rng, mode, seats_for(seats)).play(leader, keep_tricks)


class _Table:
    """One deal being played."""

    def __init__(self, rules: Ruleset, rng: Random, mode: str, seats: tuple[str, ...]) -> None:
        self.rules, self.rng, self.mode, self.seats = rules, rng, mode, seats
        self.random = rng.random
        pack = [_NUMBER[card] for card in dealt_pack(rules, len(seats))]
        rng.shuffle(pack)
        self.dealt = [pack[place :: len(seats)] for place in range(len(seats))]
        #: hands[seat][suit] is a list of cards.
        self.hands: list[list[list[int]]] = [[[], [], [], []] for _ in seats]
        for hand, cards in zip(self.hands, self.dealt, strict=True):
            for card in cards:
                hand[card // 13].append(card)
        self.exposed = self._expose()
        self.bound: list[list[int]] = [[] for _ in seats]
        for one in self.exposed:
            if one.kind == "exposed":
                self.bound[seats.index(one.seat)].append(_NUMBER[one.card])
        self.led = [False, False, False, False]
        self.winner = 0

    def play(self, leader: str | None, keep_tricks: bool) -> PlayedDeal:
        seats, rules = self.seats, self.rules
        around = [seats.index(seat) for seat in order_of_play(seats, rules.direction, seats[0])]
        turn, forced = self._opening(leader)
        first = seats[turn]
        captured: list[list[int]] = [[] for _ in seats]
        tricks: list[Trick] = []
        first_pig = -1
        left = len(self.dealt[0])
        rotations = [around[place:] + around[:place] for place in range(len(around))]
        place_of = {seat: place for place, seat in enumerate(around)}
        while left:
            order = rotations[place_of[turn]]
            plays = self._trick(order, forced)
            forced = None
            left -= len(plays[0])
            turn = order[self.winner]
            taken = [card for play in plays for card in play if card in _SCORING]
            captured[turn] += taken
            if first_pig < 0 and _PIG in taken:
                first_pig = turn
            if keep_tricks:
                tricks.append(self._trick_of(order, plays))
        record = DealRecord(
            captures=self._captures(captured),
            exposed=self.exposed,
            held=self._held(),
            mode=self.mode,
            ruleset=rules.key,
        )
        return PlayedDeal(record, first, seats[first_pig], tuple(tricks))

    # -- exposing

    def _expose(self) -> tuple[Exposure, ...]:
        rules = self.rules
        if rules.exposure == "none" or self.mode == "pig_sheep":
            return ()
        holders = [
            (card, place)
            for card in KEY_CARDS
            for place, cards in enumerate(self.dealt)
            for _ in range(cards.count(_NUMBER[card]))
        ]
        if rules.exposure in ("all", "all_but_sheep"):
            return tuple(
                Exposure(card, self.seats[place])
                for card, place in holders
                if not (card == SHEEP and rules.exposure == "all_but_sheep")
            )
        chosen = [(card, place) for card, place in holders if self.random() < _EXPOSES]
        if rules.exposure == "forced_fourth":
            hidden = [card for card in KEY_CARDS if all(card != shown for shown, _ in chosen)]
            if len(hidden) == 1:
                chosen.append(next(one for one in holders if one[0] == hidden[0]))
        first: set[int] = set()
        found = []
        for card, place in chosen:
            kind = "exposed"
            if rules.allow_first and place not in first and self.dealt[place][0] == _NUMBER[card]:
                kind = "first"
                first.add(place)
            elif rules.allow_dark and self.random() < _DARK:
                kind = "dark"
            found.append(Exposure(card, self.seats[place], kind))
        return tuple(found)

    def _held(self) -> dict[str, tuple[str, ...]]:
        return {
            card: tuple(
                self.seats[place]
                for place, cards in enumerate(self.dealt)
                for _ in range(cards.count(_NUMBER[card]))
            )
            for card in KEY_CARDS
        }

    def _captures(self, captured: list[list[int]]) -> dict[str, tuple[str, ...]]:
        """Return the captures; two decks with self-capture also tell whose copy of a key card each was."""
        if self.rules.decks == 1 or self.rules.self_capture == "off":
            return {
                seat: tuple(_CODES[card] for card in cards)
                for seat, cards in zip(self.seats, captured, strict=True)
            }
        # Which of two alike cards took which way is chance; the dealt seats are given out as they come.
        copies = {card: list(seats) for card, seats in self._held().items()}
        named = []
        for cards in captured:
            codes = (_CODES[card] for card in cards)
            named.append(tuple(f"{code}:{copies[code].pop()}" if code in copies else code for code in codes))
        return dict(zip(self.seats, named, strict=True))

    # -- playing

    def _opening(self, leader: str | None) -> tuple[int, int | None]:
        """Return the place that leads the first trick, and the card it must lead."""
        if leader is not None:
            return self.seats.index(leader), None
        lead_card = _NUMBER[self.rules.lead_card]
        # With two decks the copy dealt first counts.
        turn = min(
            range(len(self.seats)),
            key=lambda seat: self.dealt[seat].index(lead_card) if lead_card in self.dealt[seat] else 999,
        )
        return turn, lead_card if self.rules.must_lead_card else None

    def _trick_of(self, order: Sequence[int], plays: Sequence[tuple[int, ...]]) -> Trick:
        """Return the trick as it is written down."""
        return Trick(
            tuple(
                (self.seats[seat], tuple(_CODES[card] for card in play))
                for seat, play in zip(order, plays, strict=True)
            )
        )

    def _trick(self, order: Sequence[int], forced: int | None) -> list[tuple[int, ...]]:
        """Play one trick, take its cards from the hands, and leave in `winner` the place of the best play."""
        lead = (forced,) if forced is not None else self._lead(order[0])
        suit = lead[0] // 13
        plays = [lead]
        self._remove(order[0], lead)
        if len(lead) == 1:
            best = lead[0]
            self.winner = 0
            for seat in order[1:]:
                card = self._follow(seat, suit, best)
                self.hands[seat][card // 13].remove(card)
                if card > best and card // 13 == suit:
                    best = card
                    self.winner = len(plays)
                plays.append((card,))
        else:
            for seat in order[1:]:
                pair = self._follow_pair(seat, suit)
                plays.append(pair)
                self._remove(seat, pair)
            self.winner = _winner(plays)
        self.led[suit] = True
        return plays

    def _remove(self, seat: int, play: tuple[int, ...]) -> None:
        for card in play:
            self.hands[seat][card // 13].remove(card)

    def _free(self, seat: int, suit: int) -> list[int]:
        """Return the cards of a suit that may be played now: all of them, or those not held back."""
        cards = self.hands[seat][suit]
        if not self.bound[seat] or self.led[suit] or len(cards) < 2:
            return cards
        free = cards.copy()
        for card in self.bound[seat]:
            if card in free:
                free.remove(card)
        return free

    def _pick(self, cards: Sequence[int]) -> int:
        return cards[int(self.random() * len(cards))]

    def _lead(self, seat: int) -> tuple[int, ...]:
        hand = self.hands[seat]
        lists = [cards for cards in hand if cards]
        if self.bound[seat] and not self.rules.exposed_lead:
            free = [self._free(seat, suit) for suit in _SUITS]
            lists = [cards for cards in free if cards] or lists
        cards = lists[int(self.random() * len(lists))]
        if self.rules.decks == 2 and self.random() < _LEADS_PAIR:
            pairs = [card for card in set(cards) if cards.count(card) == 2]
            if pairs:
                card = self._pick(sorted(pairs))
                return card, card
        return (self._pick(cards),)

    def _follow(self, seat: int, suit: int, best: int) -> int:
        cards = self.hands[seat][suit]
        if not cards:
            return self._discard(seat, suit)
        if self.bound[seat]:
            cards = self._free(seat, suit) or cards
        if len(cards) == 1:
            return cards[0]
        if self.random() < _DUCKS:
            low = [card for card in cards if card < best]
            if low:
                return max(low)
        return self._pick(cards)

    def _discard(self, seat: int, suit: int) -> int:
        hand = self.hands[seat]
        suits: Sequence[int] = _SUITS
        if self.rules.discard_colour:
            same = _SAME_COLOUR[suit]
            suits = same if hand[same[0]] or hand[same[1]] else _SUITS
        lists = [hand[one] for one in suits if hand[one]]
        if self.bound[seat] and not self.rules.exposed_discard:
            free = [self._free(seat, one) for one in suits]
            lists = [cards for cards in free if cards] or lists
        if self.random() < _DUMPS:
            for cards in lists:
                if _PIG in cards:
                    return _PIG
            for cards in lists:
                if cards[0] // 13 == _HEART:
                    return max(cards)
        return self._pick(lists[int(self.random() * len(lists))])

    def _follow_pair(self, seat: int, suit: int) -> tuple[int, ...]:
        cards = self.hands[seat][suit]
        free = self._free(seat, suit)
        pairs = [card for card in sorted(set(free)) if free.count(card) == 2]
        if pairs:
            card = self._pick(pairs)
            return card, card
        if len(cards) >= 2:
            pool = (free if len(free) >= 2 else cards).copy()
            one = pool.pop(int(self.random() * len(pool)))
            return one, self._pick(pool)
        if cards:
            return cards[0], self._discard_from(seat, suit, cards[0])
        one = self._discard(seat, suit)
        return one, self._discard_from(seat, suit, one)

    def _discard_from(self, seat: int, suit: int, gone: int) -> int:
        """Choose a discard while `gone` is already on the table, though still in the hand."""
        cards = self.hands[seat][gone // 13]
        cards.remove(gone)
        chosen = self._discard(seat, suit)
        cards.append(gone)
        return chosen


def _winner(plays: list[tuple[int, ...]]) -> int:
    """Return which play takes the trick; of equal plays the earlier."""
    suit = plays[0][0] // 13
    best, place = -1, 0
    for number, play in enumerate(plays):
        if any(card // 13 != suit for card in play):
            continue
        worth = max(play)
        if len(play) == 2 and (play[0] == play[1]) == (suit == _DIAMOND):
            worth += 100
        if worth > best:
            best, place = worth, number
    return place
