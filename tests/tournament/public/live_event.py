"""An event whose results are published by themselves, and what is done in it."""

from tests.played import drawn_round, played_deal, played_event
from tournament.models import Event, Publication, Table
from tournament.services.audit import SYSTEM
from tournament.services.live import mark_table
from tournament.services.publicity import set_publicity
from tournament.services.publish import publish

What = Publication.What
Live = Event.Live


def live_event():
    """Eight players at two tables of round 1, pairings public, results by themselves; nothing played."""
    made = played_event(list("甲乙丙丁戊己庚辛"), clubs=("东队", "西队"))
    publish(actor=SYSTEM, round=drawn_round(made).round, what=What.DRAW)
    return set_publicity(actor=SYSTEM, event=made, visibility="auto", live=Live.RESULTS)


def tables_of(event, number=1):
    return list(Table.objects.filter(draw__round__event=event, draw__round__number=number).order_by("number"))


def checked(table, number, **fields):
    """A checked deal, marked as the services mark it."""
    version = played_deal(table, number, **fields)
    mark_table(Table.objects.select_related("draw__round__event").get(pk=table.pk))
    return version


def results_of(event, number=1):
    return Publication.objects.filter(event=event, what=What.RESULTS, round__number=number)
