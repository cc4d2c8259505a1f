"""What the organiser asks of every draw: who is kept apart, and who does not come to a round."""

from collections.abc import Iterable, Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournament.models import Absence, ApartGroup, Entry, Event, Round
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Problem, Refused
from tournament.services.events import MOST_ROUNDS
from tournament.services.locks import lock_round
from tournament.services.permissions import require_organiser
from tournament.services.validation import REASON_LENGTH, text

_NAME_LENGTH = ApartGroup._meta.get_field("name").max_length


def keep_apart(*, actor: Actor, event: Event, numbers: Sequence[int], name: str = "") -> ApartGroup:
    """Two or more entries, by their numbers, that never meet while it can be avoided.

    Raises NotAllowed; Refused with every number that is not entered, for fewer than two, or if just these
    are kept apart already.
    """
    require_organiser(actor, event.tournament)
    with transaction.atomic():
        Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        entries = entries_by_number(event, numbers, "numbers")
        kept = text(name)
        if len(kept) > _NAME_LENGTH:
            raise Refused(
                "name_too_long",
                _("This is longer than %(most)s characters."),
                {"most": _NAME_LENGTH},
                field="name",
            )
        if len(entries) < 2:
            raise Refused("too_few_apart", _("At least two entries are needed."), field="numbers")
        wanted = {entry.pk for entry in entries}
        for group in event.apart_groups.prefetch_related("entries"):
            if {entry.pk for entry in group.entries.all()} == wanted:
                raise Refused("apart_already", _("These are kept apart already."), field="numbers")
        group = ApartGroup.objects.create(event=event, name=kept)
        group.entries.set(entries)
        record_audit(
            actor=actor, action="apart.add", subject=group, event=event, after=_group_state(group, entries)
        )
    return group


def let_meet(*, actor: Actor, group: ApartGroup) -> None:
    """The entries of the group may meet again. Draws already made are not changed."""
    event = group.event
    require_organiser(actor, event.tournament)
    with transaction.atomic():
        record_audit(
            actor=actor,
            action="apart.remove",
            subject=group,
            event=event,
            before=_group_state(group, group.entries.order_by("number")),
        )
        group.delete()


def set_apart_rounds(*, actor: Actor, event: Event, clubs: int, seeds: int) -> Event:
    """In how many of the first rounds those of one club, and the seeded, are kept apart.

    Raises NotAllowed, or Refused with every fault.
    """
    require_organiser(actor, event.tournament)
    faults = [
        Problem(
            "rounds_range", _("This is from %(least)s to %(most)s."), {"least": 0, "most": MOST_ROUNDS}, name
        )
        for name, value in (("clubs", clubs), ("seeds", seeds))
        if not 0 <= value <= MOST_ROUNDS
    ]
    if faults:
        raise Refused.for_problems(faults)
    with transaction.atomic():
        current = (
            Event.objects.select_for_update(of=("self",), no_key=True)
            .select_related("tournament")
            .get(pk=event.pk)
        )
        before = _apart_state(current)
        current.clubs_apart_rounds = clubs
        current.options = {**current.options, "seeds_apart_rounds": seeds}
        current.save(update_fields=["clubs_apart_rounds", "options"])
        after = _apart_state(current)
        if after != before:
            record_audit(
                actor=actor, action="apart.rounds", subject=current, event=current, before=before, after=after
            )
    return current


def mark_absent(*, actor: Actor, round: Round, numbers: Sequence[int], reason: str = "") -> list[Absence]:
    """Entries that do not come to a round and are not drawn in it; they have not withdrawn.

    Those marked already stay as they are. Raises NotAllowed; Refused with every number that is not entered,
    or if the round is drawn: withdraw the draw first.
    """
    event = round.event
    require_organiser(actor, event.tournament)
    with transaction.atomic():
        lock_round(round)
        current = Round.objects.get(pk=round.pk)
        _refuse_drawn(current)
        entries = entries_by_number(event, numbers, "numbers")
        marked = set(current.absences.values_list("entry", flat=True))
        found = Absence.objects.bulk_create(
            Absence(round=current, entry=entry, reason=text(reason)[:REASON_LENGTH])
            for entry in entries
            if entry.pk not in marked
        )
        if found:
            record_audit(
                actor=actor,
                action="absence.mark",
                subject=current,
                event=event,
                after={"round": current.number, "numbers": [one.entry.number for one in found]},
                reason=text(reason)[:REASON_LENGTH],
            )
    return found


def unmark_absent(*, actor: Actor, round: Round, number: int) -> None:
    """An entry that was marked absent comes after all. Raises Refused once the round is drawn."""
    event = round.event
    require_organiser(actor, event.tournament)
    with transaction.atomic():
        lock_round(round)
        current = Round.objects.get(pk=round.pk)
        _refuse_drawn(current)
        gone, _by_model = current.absences.filter(entry__number=number).delete()
        if gone:
            record_audit(
                actor=actor,
                action="absence.unmark",
                subject=current,
                event=event,
                before={"round": current.number, "numbers": [number]},
            )


def entries_by_number(event: Event, numbers: Iterable[int], field: str) -> list[Entry]:
    """The entries of these numbers, each once, in their order. Raises Refused naming every number not
    entered.
    """
    wanted = list(dict.fromkeys(numbers))
    found = {entry.number: entry for entry in event.entries.filter(number__in=wanted)}
    unknown = [number for number in wanted if number not in found]
    if unknown:
        raise Refused(
            "numbers_unknown",
            _("These numbers are not entered: %(numbers)s."),
            {"numbers": ", ".join(map(str, unknown))},
            field=field,
        )
    return [found[number] for number in wanted]


def _refuse_drawn(round: Round) -> None:
    if round.state != Round.State.PLANNED:
        raise Refused(
            "round_drawn_already",
            _("Round %(round)s is drawn: withdraw its draw first, then draw anew without those absent."),
            {"round": round.number},
        )


def _group_state(group: ApartGroup, entries: Iterable[Entry]) -> dict[str, object]:
    return {"name": group.name, "numbers": [entry.number for entry in entries]}


def _apart_state(event: Event) -> dict[str, int]:
    return {
        "clubs_apart_rounds": event.clubs_apart_rounds,
        "seeds_apart_rounds": event.options.get("seeds_apart_rounds", 0),
    }
