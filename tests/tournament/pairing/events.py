"""Events played with random results, for tests of the draws."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tournament.pairing.bracket import seed_places
from tournament.pairing.model import Constraints, Draw, Entrant, History

CLUBS_APART = Constraints(clubs_apart_rounds=3)


def field(n: int, seed: int = 1, clubs: int = 8) -> list[Entrant]:
    """n entrants in clubs of about equal size."""
    rng = random.Random(seed)
    club = [f"club {k % clubs}" for k in range(n)]
    rng.shuffle(club)
    return [Entrant(id=100 + k, number=k + 1, club=club[k]) for k in range(n)]


def with_results(draw: Draw, entrants: list[Entrant], rng: random.Random) -> list[Entrant]:
    """Everybody's points after results that tell nothing but apart."""
    gained = {e: 10 * rng.randrange(-40, 41) for table in draw.tables for e in table.entrants}
    return [replace(e, points=e.points + gained.get(e.id, 0)) for e in entrants]


def play(
    entrants: list[Entrant],
    rounds: int,
    draw_round: Callable[..., Draw],
    seed: int = 1,
    constraints: Constraints = CLUBS_APART,
    **options: object,
) -> Iterator[tuple[Draw, list[Entrant], History]]:
    """Each round's draw, with the entrants and the history it was made from."""
    rng = random.Random(seed)
    history = History()
    for number in range(1, rounds + 1):
        draw = draw_round(
            entrants, history, round=number, constraints=constraints, seed=seed * 100 + number, **options
        )
        yield draw, entrants, history
        history = history.plus(draw)
        entrants = with_results(draw, entrants, rng)


def first_meeting(order: Sequence[int], one: int, other: int) -> int:
    """The round of a knock-out in which two can meet at the earliest, from the order of seeding."""
    place = {seed - 1: k for k, seed in enumerate(seed_places(1 << (len(order) - 1).bit_length()))}
    return (place[order.index(one)] ^ place[order.index(other)]).bit_length()
