"""Tricks 圈: who wins one, which cards may be played, and what a log of tricks tells (docs/rules.md §6).

With two decks a trick is led by one card or by a pair 对, and everybody follows with as many cards. May not
know: scores, formulas, I/O.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from scoring.engine.cards import STRENGTH, is_red, suit_of
from scoring.engine.ruleset import Ruleset

Play = tuple[str, ...]

_DISCARD, _LOWER, _UPPER = 0, 1, 2


def _rank(play: Play, led: str) -> tuple[int, int]:
    """Return what a play is worth in a trick led in suit `led`; discards are worth least, all alike."""
    if any(suit_of(card) != led for card in play):
        return _DISCARD, 0
    highest = max(STRENGTH[card] for card in play)
    if len(play) == 1:
        return _LOWER, highest
    # A pair of diamonds beats two single ones; in the other suits it is beaten by them.
    pair_is_upper = led == "D"
    return (_UPPER if (play[0] == play[1]) == pair_is_upper else _LOWER), highest


def rank_plays(plays: Sequence[Play]) -> tuple[int, ...]:
    """Return the rank of each play of a trick, 1 for the winner; `plays` are in the order played.

    Of equal plays the earlier ranks higher; discards share the last rank.

    >>> rank_plays([("S4", "S4"), ("SK", "SK"), ("SQ", "S8"), ("SJ", "HK")])
    (3, 2, 1, 4)
    """
    led = suit_of(plays[0][0])
    worth = [_rank(play, led) for play in plays]
    order = sorted(range(len(plays)), key=lambda place: (-worth[place][0], -worth[place][1], place))
    ranks = {place: rank for rank, place in enumerate(order, start=1)}
    discards = [place for place in order if worth[place][0] == _DISCARD]
    return tuple(ranks[discards[0]] if place in discards else ranks[place] for place in range(len(plays)))


def trick_winner(plays: Sequence[Play]) -> int:
    """Return the place in `plays` of the play that takes the trick."""
    return rank_plays(plays).index(1)


@dataclass(frozen=True, slots=True)
class Hand:
    """A seat's cards at its turn, and which of them it showed by plain exposure 明.

    `shown` counts the copies that may not be played to the first trick of their suit; first-exposed and
    dark-exposed cards are free and do not belong there.
    """

    cards: tuple[str, ...]
    shown: tuple[str, ...] = ()

    def of_suit(self, suit: str) -> tuple[str, ...]:
        """Return the cards of a suit."""
        return tuple(card for card in self.cards if suit_of(card) == suit)


def _bound(hand: Hand, suits_led: Iterable[str]) -> Counter[str]:
    """Count the copies held back: exposed, of a suit not led yet, and not the only card of it."""
    led = set(suits_led)
    return Counter(
        {
            card: number
            for card, number in Counter(hand.shown).items()
            if suit_of(card) not in led and len(hand.of_suit(suit_of(card))) > 1
        }
    )


def _free(cards: Sequence[str], bound: Counter[str]) -> tuple[str, ...]:
    """Return `cards` without the bound copies; all of them where nothing else is left."""
    left = Counter(cards) - bound
    return tuple(sorted(left.elements(), key=cards.index)) or tuple(cards)


def _colour(cards: tuple[str, ...], led: str, rules: Ruleset) -> tuple[str, ...]:
    if not rules.discard_colour:
        return cards
    same = tuple(card for card in cards if is_red(card) == (led in "HD"))
    return same or cards


def legal_leads(
    hand: Hand, rules: Ruleset, suits_led: Iterable[str] = (), must_lead: str | None = None
) -> tuple[Play, ...]:
    """Return every play a seat may lead: single cards, and with two decks pairs.

    `suits_led` are the suits led in earlier tricks; `must_lead` is the card prescribed for the first lead.
    """
    if must_lead is not None and must_lead in hand.cards:
        return ((must_lead,),)
    bound = Counter[str]() if rules.exposed_lead else _bound(hand, suits_led)
    free = _free(hand.cards, bound)
    singles: list[Play] = [(card,) for card in dict.fromkeys(free)]
    pairs: list[Play] = [
        (card, card) for card, number in Counter(free).items() if number > 1 and rules.decks == 2
    ]
    return (*singles, *pairs)


def legal_follows(hand: Hand, lead: Play, rules: Ruleset, suits_led: Iterable[str] = ()) -> tuple[Play, ...]:
    """Return every play a seat may answer `lead` with.

    Follow suit if you can; to a pair follow with a pair of the suit if you can, else with as many cards of it
    as you have. `suits_led` are the suits led in *earlier* tricks.
    """
    led = suit_of(lead[0])
    bound = _bound(hand, suits_led)
    following = _free(hand.of_suit(led), bound) if hand.of_suit(led) else ()
    others = tuple(card for card in hand.cards if suit_of(card) != led)
    discards = others
    if others and not rules.exposed_discard:
        discards = _free(others, bound)
    discards = _colour(discards, led, rules)
    if len(lead) == 1:
        return tuple((card,) for card in dict.fromkeys(following or discards))
    pairs = tuple((card, card) for card, number in Counter(following).items() if number > 1)
    if pairs:
        return pairs
    of_suit = hand.of_suit(led)
    if len(following) >= 2:
        return _two_of(following)
    if len(of_suit) >= 2:
        # Only bound cards would complete the two: they have to serve.
        return _two_of(of_suit)
    if of_suit:
        return tuple((of_suit[0], card) for card in dict.fromkeys(discards)) or ((of_suit[0],),)
    return _two_of(discards if len(discards) >= 2 else others)


def _two_of(cards: Sequence[str]) -> tuple[Play, ...]:
    return tuple(dict.fromkeys((one, other) for one, other in combinations(cards, 2)))


@dataclass(frozen=True, slots=True)
class Trick:
    """One trick as logged: the plays in the order played, each with its seat."""

    plays: tuple[tuple[str, Play], ...]

    @property
    def leader(self) -> str:
        """The seat that led."""
        return self.plays[0][0]


@dataclass(frozen=True, slots=True)
class Irregularity:
    """Something in a log that the rules do not allow: a stable code, trick number from 1, seat and card."""

    code: str
    trick: int
    seat: str
    card: str | None = None


#: Codes of irregularities in English, for the Django side to translate.
IRREGULARITY_MESSAGES: Final[Mapping[str, str]] = {
    "card_played_twice": "Trick {trick}: {card} of seat {seat} was played more often than it exists.",
    "exposed_too_early": "Trick {trick}: seat {seat} played exposed {card} to the first trick of its suit.",
    "lead_out_of_turn": "Trick {trick}: seat {seat} led out of turn.",
    "pair_not_followed": "Trick {trick}: seat {seat} had a pair of the suit led and did not play it.",
    "revoke": "Trick {trick}: seat {seat} discarded {card} but could have followed suit.",
    "wrong_colour": "Trick {trick}: seat {seat} discarded {card} against the colour led.",
    "wrong_number": "Trick {trick}: seat {seat} played a wrong number of cards.",
    "wrong_order": "Trick {trick}: seat {seat} played out of turn.",
}


@dataclass(frozen=True, slots=True)
class LogReview:
    """What a log of tricks tells: captures by seat, the winner of each trick, and every irregularity."""

    captures: Mapping[str, tuple[str, ...]]
    winners: tuple[str, ...]
    irregularities: tuple[Irregularity, ...]


def captures_of(tricks: Sequence[Trick], rules: Ruleset, seats: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the cards each seat captured, by the log alone.

    Under the discard-colour rule a seat whose discard had the wrong colour, though it held the right one,
    takes the trick's cards, and where several did, the last of them; the trick's winner leads all the same.
    """
    return dict(review_log(tricks, rules, seats).captures)


def review_log(
    tricks: Sequence[Trick],
    rules: Ruleset,
    seats: Sequence[str],
    shown: Mapping[str, Sequence[str]] | None = None,
    order: Sequence[str] | None = None,
) -> LogReview:
    """Judge a log of tricks, as far as it goes, and return captures, winners and irregularities.

    `shown` maps a seat to the key cards it exposed plainly (neither first nor dark); `order` is the order of
    play around the table (default: `seats`). A seat's hand is what it plays from a trick on to the end of the
    log, so a revoke shows once the card that could have followed is played.
    """
    around = tuple(order or seats)
    found: list[Irregularity] = []
    captures: dict[str, list[str]] = {seat: [] for seat in seats}
    winners: list[str] = []
    left = _hands(tricks, seats)
    played: Counter[str] = Counter()
    suits_led: set[str] = set()
    for number, trick in enumerate(tricks, start=1):
        if winners and trick.leader != winners[-1]:
            found.append(Irregularity("lead_out_of_turn", number, trick.leader))
        lead = trick.plays[0][1]
        taker: str | None = None
        for place, (seat, play) in enumerate(trick.plays):
            if seat != around[(around.index(trick.leader) + place) % len(around)]:
                found.append(Irregularity("wrong_order", number, seat))
            played.update(play)
            found += [
                Irregularity("card_played_twice", number, seat, card)
                for card in dict.fromkeys(play)
                if played[card] > rules.decks
            ]
            hand = Hand(tuple(left[seat]), tuple((shown or {}).get(seat, ())))
            faults = _judge(hand, play, lead if place else None, rules, suits_led)
            found += [Irregularity(code, number, seat, card) for code, card in faults]
            if any(code == "wrong_colour" for code, _ in faults):
                taker = seat
            for card in play:
                left[seat].remove(card)
        winner = trick.plays[trick_winner([play for _, play in trick.plays])][0]
        winners.append(winner)
        captures[taker or winner] += [card for _, play in trick.plays for card in play]
        suits_led.add(suit_of(lead[0]))
    return LogReview({seat: tuple(cards) for seat, cards in captures.items()}, tuple(winners), tuple(found))


def _hands(tricks: Sequence[Trick], seats: Sequence[str]) -> dict[str, list[str]]:
    hands: dict[str, list[str]] = {seat: [] for seat in seats}
    for trick in tricks:
        for seat, play in trick.plays:
            hands[seat] += play
    return hands


def _judge(
    hand: Hand, play: Play, lead: Play | None, rules: Ruleset, suits_led: set[str]
) -> list[tuple[str, str | None]]:
    """Return (code, card) of everything wrong with one play from this hand."""
    found: list[tuple[str, str | None]] = []
    if len(play) != len(lead or play) or not 1 <= len(play) <= rules.decks:
        found.append(("wrong_number", None))
        return found
    if lead is None:
        if len(play) == 2 and play[0] != play[1]:
            found.append(("wrong_number", None))
        bound = Counter[str]() if rules.exposed_lead else _bound(hand, suits_led)
        found += _too_early(hand.cards, play, bound)
        return found
    led = suit_of(lead[0])
    of_suit = hand.of_suit(led)
    strangers = [card for card in play if suit_of(card) != led]
    if strangers and len(of_suit) > len(play) - len(strangers):
        found.append(("revoke", strangers[0]))
    bound = _bound(hand, suits_led)
    free = _free(of_suit, bound) if of_suit else ()
    if (
        len(play) == 2
        and any(n > 1 for n in Counter(free).values())
        and not (play[0] == play[1] and suit_of(play[0]) == led)
    ):
        found.append(("pair_not_followed", None))
    if len(free) >= len(play) - len(strangers):
        found += _too_early(of_suit, tuple(card for card in play if suit_of(card) == led), bound)
    others = tuple(card for card in hand.cards if suit_of(card) != led)
    if not rules.exposed_discard and strangers:
        found += _too_early(others, tuple(strangers), bound)
    if rules.discard_colour and strangers and not of_suit:
        right = [card for card in others if is_red(card) == (led in "HD")]
        wrong = [card for card in strangers if is_red(card) != (led in "HD")]
        if len(wrong) > max(0, len(strangers) - len(right)):
            found.append(("wrong_colour", wrong[0]))
    return found


def _too_early(cards: Sequence[str], play: Play, bound: Counter[str]) -> list[tuple[str, str | None]]:
    """Tell which cards of a play were bound though free ones were there."""
    free = Counter(_free(cards, bound))
    return [("exposed_too_early", card) for card in (Counter(play) - free)]
