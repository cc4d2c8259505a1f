"""Reading draws: recomputing one from its stored inputs, and comparing it with what is stored."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.db.models import Count, Exists, OuterRef

from referee.models import DealVersion
from tournament.models import Bye, Draw, MatchSide, Round, Seat
from tournament.pairing import model
from tournament.pairing.history import Situation, explain
from tournament.queries.draw_formats import TWO_SIDED, generate
from tournament.queries.draw_inputs import DrawInputs


def living_draw(round: Round) -> Draw | None:
    """The round's preview or published draw, if it has one."""
    return round.draws.exclude(state=Draw.State.WITHDRAWN).select_related("round__event__tournament").first()


def redraw_matches(draw: Draw) -> model.Draw:
    """The draw recomputed from its stored inputs, seed and swaps: a pure function of what the row holds."""
    inputs = DrawInputs.from_json(draw.inputs)
    return draw_from(draw.method, draw.round.event.kind, inputs, draw.seed)


def draw_from(method: str, kind: str, inputs: DrawInputs, seed: int) -> model.Draw:
    """Draws and then makes the exchanges that were made by hand. Raises PairingError."""
    drawn = generate(method, kind, inputs, seed)
    for first, second in inputs.swaps:
        drawn = swap_entries(drawn, first, second)
    if inputs.swaps:
        seats = [table.seats for table in drawn.tables]
        now = Situation(inputs.present(), inputs.history, inputs.round, inputs.constraints)
        tables, quality = explain(seats, now, drawn.byes)
        drawn = replace(drawn, tables=tables, quality=quality)
    return drawn


def swap_entries(drawn: model.Draw, first: int, second: int) -> model.Draw:
    """The draw with two entries in each other's place, be it a seat or a bye;
    reasons are not yet stated anew.
    """
    other = {first: second, second: first}
    return replace(
        drawn,
        tables=tuple(
            replace(table, seats=tuple((seat, other.get(entry, entry)) for seat, entry in table.seats))
            for table in drawn.tables
        ),
        byes=tuple(other.get(entry, entry) for entry in drawn.byes),
        bye_reasons=tuple(
            replace(reason, entrants=tuple(other.get(entry, entry) for entry in reason.entrants))
            for reason in drawn.bye_reasons
        ),
    )


def stored_seats(draw: Draw) -> dict[int, tuple[tuple[str, int], ...]]:
    """Per match number: who sits where (for two sides: who is side A and B), as the pure draw states it."""
    return seats_by_draw([draw])[draw.pk]


def seats_by_draw(draws: Sequence[Draw]) -> dict[int, dict[int, tuple[tuple[str, int], ...]]]:
    """By the id of the draw, what stored_seats says of it. One query for draws of one event."""
    matches: dict[int, dict[int, list[tuple[str, int]]]] = {draw.pk: {} for draw in draws}
    if draws and draws[0].round.event.kind in TWO_SIDED:
        sides = MatchSide.objects.filter(match__draw__in=draws).order_by("match__number", "position")
        rows = sides.values_list("match__draw", "match__number", "position", "entry")
        for draw, number, position, entry in rows:
            matches[draw].setdefault(number, []).append(("AB"[position - 1], entry))
    else:
        seats = Seat.objects.filter(table__draw__in=draws, segment=1).order_by("table__number", "order")
        rows = seats.values_list("table__draw", "table__match__number", "direction", "entry")
        for draw, number, direction, entry in rows:
            matches[draw].setdefault(number, []).append((direction, entry))
    return {
        draw: {number: tuple(seated) for number, seated in found.items()} for draw, found in matches.items()
    }


def byes_by_draw(draws: Iterable[Draw]) -> dict[int, list[int]]:
    """By the id of the draw, the ids of those who sit out in it. One query."""
    found: dict[int, list[int]] = {draw.pk: [] for draw in draws}
    for draw, entry in Bye.objects.filter(draw__in=found).values_list("draw", "entry"):
        found[draw].append(entry)
    return found


def same_as_stored(draw: Draw) -> bool:
    """Whether recomputing gives exactly the tables, seats and byes that are stored."""
    drawn = redraw_matches(draw)
    byes = Bye.objects.filter(draw=draw).values_list("entry", flat=True)
    return {table.number: table.seats for table in drawn.tables} == stored_seats(draw) and sorted(
        drawn.byes
    ) == sorted(byes)


def recorded_deals(draw: Draw) -> int:
    """How many deals stand recorded at the tables of a draw."""
    return recorded_by_draw([draw])[draw.pk]


def recorded_by_draw(draws: Iterable[Draw]) -> Counter[int]:
    """By the id of the draw, how many deals stand recorded at its tables. One query."""
    newer = DealVersion.objects.filter(deal=OuterRef("deal"), number__gt=OuterRef("number"))
    last = DealVersion.objects.filter(~Exists(newer), deal__table__draw__in=draws)
    standing = last.exclude(state=DealVersion.State.WITHDRAWN)
    found = standing.values_list("deal__table__draw").annotate(Count("pk")).order_by()
    return Counter(dict(found))
