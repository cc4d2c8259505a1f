"""What a change of many things would do, looked at before it is done."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count

from referee.models import Penalty
from tournament.models import Draw, Entry, Event, Round
from tournament.queries.draws import recorded_by_draw
from tournament.queries.next_step import current_publications


@dataclass(frozen=True)
class Withdrawals:
    """Who would be withdrawn, who is already, which numbers are not entered, and in which open rounds those
    to be withdrawn are seated: their draws should be looked at.
    """

    entries: tuple[Entry, ...]
    already: tuple[Entry, ...]
    unknown: tuple[int, ...]
    seated_in: tuple[int, ...]
    left: int


@dataclass(frozen=True)
class ClearedRound:
    """A round whose draw would be withdrawn, with what hangs on it. Penalties stay."""

    round: Round
    draw: Draw
    tables: int
    deals: int
    penalties: int
    public: tuple[str, ...]


def withdrawals(event: Event, numbers: Sequence[int]) -> Withdrawals:
    """What withdrawing these numbers would do."""
    entries = {entry.number: entry for entry in event.entries.filter(number__in=numbers).order_by("number")}
    going = tuple(entry for entry in entries.values() if entry.status == Entry.Status.ACTIVE)
    seated = event.rounds.filter(
        state__in=(Round.State.DRAWN, Round.State.PLAYING),
        draws__matches__sides__entry__in=going,
        draws__state__in=(Draw.State.PREVIEW, Draw.State.PUBLISHED),
    )
    active = event.entries.filter(status=Entry.Status.ACTIVE, house=False).count()
    return Withdrawals(
        entries=going,
        already=tuple(entry for entry in entries.values() if entry.status != Entry.Status.ACTIVE),
        unknown=tuple(number for number in dict.fromkeys(numbers) if number not in entries),
        seated_in=tuple(sorted(set(seated.values_list("number", flat=True)))),
        left=active - len(going),
    )


def clearing(event: Event, from_round: int) -> list[ClearedRound]:
    """What clearing a round and all later ones would do. A constant number of queries."""
    drawn = Draw.objects.filter(round__event=event, round__number__gte=from_round)
    living = drawn.exclude(state=Draw.State.WITHDRAWN).defer("inputs", "quality").select_related("round")
    draws = list(living.annotate(table_count=Count("tables")).order_by("round__number"))
    deals = recorded_by_draw(draws)
    standing = Penalty.objects.filter(round__event=event, cancelled_at=None)
    penalties = Counter(standing.values_list("round", flat=True))
    public: defaultdict[int, list[str]] = defaultdict(list)
    for (round, _what), publication in current_publications(event).items():
        public[round].append(str(publication.get_what_display()))
    return [
        ClearedRound(
            round=draw.round,
            draw=draw,
            tables=draw.table_count,
            deals=deals[draw.pk],
            penalties=penalties[draw.round_id],
            public=tuple(public[draw.round_id]),
        )
        for draw in draws
    ]
