"""The order in which rows are locked, so that no two transactions wait for each other: the event, the round,
the table, then whatever else.

What is done at a table alone (a deal recorded, checked, undone) leaves the event out, and writes nothing of
it afterwards. Everything else begins with the event, if what it changes belongs to one.

Every lock is one that leaves the key free (``no_key``), as no key is ever changed here: otherwise whoever
stores a row that names a locked one, as every row of the audit trail names its event, would wait for the lock
at its commit, and two could wait for each other.
"""

from tournament.models import Event, Round


def lock_event(event: Event) -> None:
    """Others who organise or publish something of the event wait until the caller's transaction ends."""
    Event.objects.select_for_update(no_key=True).only("pk").get(pk=event.pk)


def lock_round(round: Round) -> None:
    """The same, and nothing is recorded at a table of the round meanwhile."""
    lock_event(round.event)
    Round.objects.select_for_update(no_key=True).only("pk").get(pk=round.pk)
