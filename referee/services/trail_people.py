"""Whether who was absent and who was replaced is what the audit trail says.

Rows tell of these one by one, as something that was added or taken away, so what they come to is worked out
in their order. Entries and players are told by numbers and places, which archives keep.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tournament.models import Absence, AuditRow, Round, Substitution, Table, Tournament
from tournament.queries.audit_chain import Finding

Json = Mapping[str, Any]
_ENTRIES = ("entry.add", "entry.edit", "entry.import", "entry.house", "entry.delete")
_ABSENT, _COMES = "absence.mark", "absence.unmark"
_REPLACED, _BACK = "lineup.substitute", "lineup.substitute_undo"
#: A table of the match, segment, seat, places of who went out and who came in, after which dealing.
_Place = tuple[str, int, int, str, int, int, int]


@dataclass
class _Trail:
    """What the rows come to. ``whole``: every row tells all that is to be known."""

    numbers: dict[tuple[int | None, int], str] = field(default_factory=dict)
    absent: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    replaced: Counter[_Place] = field(default_factory=Counter)
    whole: bool = True

    def numbered(self, event: int | None, subject: str, before: Json | None, after: Json | None) -> None:
        """An entry got its number, another one, or is gone."""
        if before:
            self.numbers.pop((event, before["number"]), None)
        if after:
            self.numbers[event, after["number"]] = subject

    def stayed_away(self, event: int | None, subject: str, numbers: Iterable[int], *, away: bool) -> None:
        """Entries were marked absent from the round, or come after all."""
        for number in numbers:
            known = self.numbers.get((event, number))
            # Entered in the archive's time: the trail here does not say who that is.
            if known and away:
                self.absent[subject].add(known)
            elif known:
                self.absent[subject].discard(known)

    def substituted(self, subject: str, told: Json, *, places: int) -> None:
        """A substitute took seats (``places`` 1), or was taken back (-1)."""
        self.whole = self.whole and "places" in told
        for one in told.get("places", ()):
            self.replaced[_place(subject, one)] += places


def check_people(tournament: Tournament, imported: int) -> Iterator[Finding]:
    """Absences and substitutions that are gone, or that no row tells of. The first ``imported`` rows came
    with an archive: what they tell is named by the ids of another database.
    """
    trail = _read(tournament, imported)
    yield from _absences(tournament, trail)
    yield from _substitutions(tournament, trail)


def _read(tournament: Tournament, imported: int) -> _Trail:
    trail = _Trail(whole=not imported)
    rows = AuditRow.objects.filter(tournament=tournament).order_by("pk")
    if imported:
        last = rows.values_list("pk", flat=True)[imported - 1 : imported].first()
        rows = rows.filter(pk__gt=last or 0)
    telling = rows.filter(action__in=(*_ENTRIES, _ABSENT, _COMES, _REPLACED, _BACK))
    for action, subject, event, before, after in telling.values_list(
        "action", "subject", "event", "before", "after"
    ):
        if action in _ENTRIES:
            trail.numbered(event, subject, before, after)
        elif action == _ABSENT:
            trail.stayed_away(event, subject, after["numbers"], away=True)
        elif action == _COMES:
            trail.stayed_away(event, subject, before["numbers"], away=False)
        elif action == _REPLACED:
            trail.substituted(subject, after, places=1)
        else:
            trail.substituted(subject, before, places=-1)
    return trail


def _place(subject: str, one: Json) -> _Place:
    return subject, one["table"], one["segment"], one["seat"], one["out"], one["in"], one["after_dealing"]


def _absences(tournament: Tournament, trail: _Trail) -> Iterator[Finding]:
    rounds = Round.objects.filter(event__tournament=tournament).select_related("event").order_by("pk")
    now: defaultdict[str, set[str]] = defaultdict(set)
    for round, entry in Absence.objects.filter(round__in=rounds).values_list("round", "entry"):
        now[f"round:{round}"].add(f"entry:{entry}")
    # Whoever was deleted from the entries is absent no more.
    entered = set(trail.numbers.values())
    for round in rounds:
        subject = f"round:{round.pk}"
        written = trail.absent[subject] & entered
        for entry in sorted(written - now[subject]):
            yield Finding("fact", f"{round.event.slug} round {round.number}: {entry} is not absent any more")
        for entry in sorted(now[subject] - written) if trail.whole else ():
            yield Finding(
                "fact", f"{round.event.slug} round {round.number}: no row says that {entry} was absent"
            )


def _substitutions(tournament: Tournament, trail: _Trail) -> Iterator[Finding]:
    found = Substitution.objects.filter(match__draw__round__event__tournament=tournament)
    # A row is about the table at which somebody was replaced, and tells of the other tables of the match too.
    told: Counter[tuple[Any, ...]] = Counter()
    tables = Table.objects.filter(draw__round__event__tournament=tournament)
    matches = {f"table:{pk}": match for pk, match in tables.values_list("pk", "match")}
    for (subject, *rest), times in trail.replaced.items():
        told[(matches.get(subject), *rest)] += times
    for one in found.select_related("table", "player_out", "player_in").order_by("pk"):
        key = (
            one.match_id,
            one.table.number,
            one.segment,
            one.direction,
            one.player_out.place,
            one.player_in.place,
            one.after_dealing,
        )
        told[key] -= 1
        if told[key] < 0 and trail.whole:
            where = f"table {one.table.number} seat {one.direction}, segment {one.segment}"
            yield Finding("fact", f"substitution {one.pk} ({where}): not as any row says")
    for key, times in told.items():
        if times > 0:
            where = f"table {key[1]} seat {key[3]}, segment {key[2]}"
            yield Finding("fact", f"substitution ({where}): gone")
