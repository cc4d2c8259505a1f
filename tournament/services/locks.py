"""The order in which rows are locked, so that no two transactions wait for each other: the event, the round,
the table, then whatever else.

What is done at a table alone (a deal recorded, checked, undone) leaves the event out, and writes nothing of
it afterwards. Everything else begins with the event, if what it changes belongs to one.
"""

from tournament.models import Event, Round


def lock_event(event: Event) -> None:
    """Others who organise or publish something of the event wait until the caller's transaction ends."""
    Event.objects.select_for_update().only("pk").get(pk=event.pk)


def lock_round(round: Round) -> None:
    """The same, and nothing is recorded at a table of the round meanwhile."""
    lock_event(round.event)
    Round.objects.select_for_update().only("pk").get(pk=round.pk)
