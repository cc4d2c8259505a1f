"""Several organisers draw the same round at the same moment, on PostgreSQL with real threads: one wins, the
others are told, and nothing of theirs is left.
"""

import threading

import pytest
from django.db import connection, connections

from tests.factories import actor, make_event, make_user
from tournament.models import AuditRow, Draw, Round, Table
from tournament.services.draw import make_draw, publish_draw, withdraw_draw
from tournament.services.errors import Conflict

pytestmark = pytest.mark.django_db(transaction=True)


def _at_once(*works):
    """Runs all in threads that start together; what each returned or raised, in the order given."""
    gate = threading.Barrier(len(works))
    outcomes = [None] * len(works)

    def run(place, work):
        try:
            gate.wait()
            outcomes[place] = work()
        except Conflict as refused:
            outcomes[place] = refused
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(place, work)) for place, work in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)
    return outcomes


@pytest.fixture
def event():
    assert connection.vendor == "postgresql", "DATABASE_URL must name a PostgreSQL server for this test"
    return make_event(entries=16)


def _people(event, count):
    return [actor(make_user("organiser", event.tournament)) for _ in range(count)]


def test_of_those_drawing_at_once_one_wins_and_the_others_are_told(event):
    people = _people(event, 4)
    round = event.rounds.get(number=1)

    outcomes = _at_once(
        *(
            lambda who=who, seed=seed: make_draw(actor=who, round=round, seed=seed)
            for seed, who in enumerate(people)
        )
    )

    made = [one for one in outcomes if isinstance(one, Draw)]
    told = [one for one in outcomes if isinstance(one, Conflict)]
    assert len(made) == 1
    assert [one.code for one in told] == ["already_drawn"] * 3
    assert Draw.objects.get() == made[0]
    assert Table.objects.count() == 4
    assert AuditRow.objects.filter(action="draw.make").count() == 1
    assert Round.objects.get(pk=round.pk).state == Round.State.DRAWN


def test_publishing_and_discarding_at_once_leave_one_state(event):
    first, second = _people(event, 2)
    draw = make_draw(actor=first, round=event.rounds.get(number=1), seed=1)

    outcomes = _at_once(
        lambda: publish_draw(actor=first, draw=draw),
        lambda: withdraw_draw(actor=second, draw=draw, reason="wrong list"),
    )

    draw.refresh_from_db()
    state = event.rounds.get(number=1).state
    # Whoever came second found the other's work: a published draw may still be withdrawn, not the other way.
    assert draw.state == Draw.State.WITHDRAWN
    assert state == Round.State.PLANNED
    published, withdrawn = outcomes
    assert isinstance(withdrawn, Draw)
    assert isinstance(published, Draw) or published.code == "not_preview"
