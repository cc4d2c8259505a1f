"""House players: they fill a table, are drawn like everybody, and are not ranked."""

from django.db.models import Max
from django.utils.translation import gettext as _

from tournament.models import Entry, Player, Round
from tournament.queries.draw_formats import FORMATS, TWO_SIDED
from tournament.queries.draw_sources import is_present, stage_entries
from tournament.services.audit import Actor, record_audit
from tournament.services.entries import entry_state


def add_missing_house_players(*, actor: Actor, round: Round) -> list[Entry]:
    """Enters as many house players as the round's field lacks to fill its tables, within the caller's
    transaction. Those entered earlier serve again. None where the plan of the format says who sits out.
    """
    event = round.event
    if not FORMATS[round.stage.format].seats_field:
        return []
    entries = stage_entries(round.stage)
    absent = set(round.absences.values_list("entry", flat=True))
    there = [one for one in entries if is_present(one, round.number, absent)]
    field = sum(not one.house for one in there)
    lacking = -field % (2 if event.kind in TWO_SIDED else 4) - sum(one.house for one in there)
    if lacking <= 0:
        return []
    last = event.entries.aggregate(last=Max("number"))["last"] or 0
    return [_add(actor, round, last + place) for place in range(1, lacking + 1)]


def _add(actor: Actor, round: Round, number: int) -> Entry:
    event = round.event
    name = _("House player %(number)s") % {"number": number}
    entry = Entry.objects.create(event=event, number=number, name=name, house=True)
    names = (
        [name] if event.entry_size == 1 else [f"{name} ({place})" for place in range(1, event.entry_size + 1)]
    )
    Player.objects.bulk_create(
        Player(entry=entry, place=place, name=one) for place, one in enumerate(names, start=1)
    )
    record_audit(actor=actor, action="entry.house", subject=entry, event=event, after=entry_state(entry))
    return entry
