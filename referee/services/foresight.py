"""Looking ahead 预见: a change is made, what it moves is read, and it is taken back unseen."""

from collections.abc import Callable

from django.db import transaction

from tournament.models import Event
from tournament.queries.foresight import Json, Reading, differences, read, read_again


def what_would_move(*, event: Event, from_round: int, change: Callable[[], object]) -> Json:
    """What ``change`` would move from a round on, as tournament.queries.foresight.differences states it.

    The change is carried out within a transaction that is rolled back: nothing of it remains, and nothing
    that waits for a commit happens. Others can write again as soon as the records are read: what follows from
    them is worked out afterwards. What is read before it needs no lock: should somebody else record
    something in between, making the change finds that out (services.corrections). Raises whatever the change
    raises.
    """
    before = read(event, from_round)
    return differences(before, made_and_read(before, change))


def made_and_read(before: Reading, change: Callable[[], object]) -> Reading:
    """What would be on record after a change. Nobody else can write meanwhile: nothing is worked out here."""
    with transaction.atomic():
        change()
        after = read_again(before)
        transaction.set_rollback(True)
    return after
