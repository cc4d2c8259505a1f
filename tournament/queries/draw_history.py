"""What draws go by of the rounds before: points, who met, who sat out. Read once, and cut to any round."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from referee.models import EntryRuling, Penalty
from tournament.models import Bye, Draw, Entry, EntryResult, Event, Match, MatchSide, Seat
from tournament.pairing.model import History, PlayedTable, SitOut, SitOutKind
from tournament.queries.draw_formats import TWO_SIDED
from tournament.queries.entry_rulings import ruled_values, rulings_in_force
from tournament.queries.walkovers import walkovers_of
from tournament.ranking.points import Points


@dataclass(frozen=True)
class PointsOnRecord:
    """All that adds to an event's points: ``results`` as (round, match, entry id, value), ``others``, scores
    for byes and penalties that stand, as (round, entry id, points); and the rulings in force.
    """

    results: tuple[tuple[int, int, int, Points], ...]
    others: tuple[tuple[int, int, Points], ...]
    rulings: tuple[EntryRuling, ...]

    def before(self, round_number: int, from_round: int = 1) -> defaultdict[int, int | Fraction]:
        """Per entry id, what it has before a round, counted from another on: without what a ruling annuls."""
        counted = range(from_round, round_number)
        annulled = {one.entry_id: one for one in self.rulings}
        total: defaultdict[int, int | Fraction] = defaultdict(int)
        results = (one for one in self.results if one[0] in counted)
        for entry, value in ruled_values(results, self.rulings):
            total[entry] += value
        for number, entry, value in self.others:
            if number in counted and (entry not in annulled or not annulled[entry].annuls(number)):
                total[entry] += value
        return total


def points_on_record(event: Event) -> PointsOnRecord:
    """The points of all rounds. A constant number of queries."""
    results = EntryResult.objects.filter(round__event=event, table__draw__state=Draw.State.PUBLISHED)
    byes = Bye.objects.filter(draw__round__event=event, draw__state=Draw.State.PUBLISHED)
    given = Penalty.objects.filter(round__event=event, cancelled_at=None)
    return PointsOnRecord(
        tuple(results.values_list("round__number", "table__match", "entry", "value")),
        (
            *byes.values_list("draw__round__number", "entry", "points"),
            *given.values_list("round__number", "entry", "points"),
        ),
        tuple(rulings_in_force(event).values()),
    )


@dataclass(frozen=True)
class Meetings:
    """Who met, sat where and sat out in the drawn rounds of an event; byes as (round, entry id)."""

    rounds: tuple[int, ...]
    tables: tuple[PlayedTable, ...]
    byes: tuple[tuple[int, int], ...]

    def history(self, entries: Sequence[Entry], *, before_round: int, from_round: int = 1) -> History:
        """The history of these entries before a round; whoever was in no table of a round has missed it."""
        counted = range(from_round, before_round)
        tables = tuple(one for one in self.tables if one.round in counted)
        byes = [one for one in self.byes if one[0] in counted]
        seen: defaultdict[int, set[int]] = defaultdict(set)
        for one in tables:
            seen[one.round].update(entry for _seat, entry in one.seats)
        for round, entry in byes:
            seen[round].add(entry)
        sit_outs = [SitOut(round, entry, SitOutKind.BYE) for round, entry in byes]
        sit_outs += [
            SitOut(round, entry.pk, SitOutKind.MISSED)
            for round in self.rounds
            if round in counted
            for entry in entries
            if entry.pk not in seen[round] and not entry.house
        ]
        return History(tables=tables, sit_outs=tuple(sorted(sit_outs, key=lambda one: one.round)))


def meetings(event: Event, *, previews: bool = False) -> Meetings:
    """The meetings in all published draws (and in previews, if so asked). A constant number of queries."""
    states = [Draw.State.PUBLISHED, *([Draw.State.PREVIEW] if previews else [])]
    rounds = dict(
        Draw.objects.filter(round__event=event, state__in=states).values_list("pk", "round__number")
    )
    tables: defaultdict[tuple[int, int], list[tuple[str, int]]] = defaultdict(list)
    # Who met nobody has sat out, and whoever was absent has missed the round.
    stated = walkovers_of(Match.objects.filter(draw__in=rounds).values("pk"))
    unmet = [match for match, facts in stated.items() if not facts.met]
    if event.kind in TWO_SIDED:
        sides = MatchSide.objects.filter(match__draw__in=rounds).order_by("match__number", "position")
        sides = sides.exclude(match__in=unmet)
        for draw, match, position, entry in sides.values_list("match__draw", "match", "position", "entry"):
            tables[rounds[draw], match].append(("AB"[position - 1], entry))
    else:
        seats = Seat.objects.filter(table__draw__in=rounds, segment=1).order_by("table__number", "order")
        seats = seats.exclude(table__match__in=unmet)
        for draw, table, direction, entry in seats.values_list("table__draw", "table", "direction", "entry"):
            tables[rounds[draw], table].append((direction, entry))
    byes = [
        (rounds[draw], entry)
        for draw, entry in Bye.objects.filter(draw__in=rounds)
        .order_by("entry__number")
        .values_list("draw", "entry")
    ]
    round_of = dict(Match.objects.filter(pk__in=unmet).values_list("pk", "draw__round__number"))
    byes += [
        (round_of[match], entry)
        for match in unmet
        for entry in sorted(stated[match].scores)
        if entry not in stated[match].absent
    ]
    in_order = sorted(tables.items(), key=lambda item: item[0][0])
    return Meetings(
        tuple(sorted(rounds.values())),
        tuple(PlayedTable(round, tuple(seated)) for (round, _where), seated in in_order),
        tuple(byes),
    )
