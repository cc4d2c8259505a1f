"""Many write the audit trail at the same moment, on PostgreSQL with real threads: every row has its place,
and no transaction waits for another.
"""

import threading

import pytest
from django.db import connection, transaction

from tests.factories import make_tournament
from tests.services.threads import start
from tournament.models import AuditChain, AuditRow
from tournament.queries.audit_chain import check_chain
from tournament.services.audit import SYSTEM, record_audit
from tournament.services.audit_seals import seal_rows

pytestmark = pytest.mark.django_db(transaction=True)

TABLETS, CHANGES = 20, 10


@pytest.fixture
def tournament():
    assert connection.vendor == "postgresql", "DATABASE_URL must name a PostgreSQL server for this test"
    return make_tournament()


def _change(tournament, what):
    record_audit(
        actor=SYSTEM, action="deal.record", subject=tournament, tournament=tournament, after={"what": what}
    )


def test_rows_written_at_once_have_one_place_each(tournament):
    gate = threading.Barrier(TABLETS)

    def tablet(number):
        gate.wait()
        for change in range(CHANGES):
            with transaction.atomic():
                _change(tournament, [number, change])
                if change % 4 == 3:
                    _change(tournament, "a second row")
                if change % 5 == 4:
                    transaction.set_rollback(True)

    assert start(*(lambda number=number: tablet(number) for number in range(TABLETS)))() == []

    # Of ten changes two are rolled back, and two of the others write two rows; the first made the tournament.
    expected = 1 + TABLETS * (8 + 2)
    assert AuditRow.objects.filter(tournament=tournament).count() == expected
    report = check_chain(tournament)
    assert report.findings == ()
    assert report.rows == expected


def test_a_first_change_of_a_chain_by_many_at_once_makes_one_chain(tournament):
    AuditRow.objects.all().delete()
    AuditChain.objects.all().delete()
    gate = threading.Barrier(8)

    def first(number):
        gate.wait()
        _change(tournament, number)

    assert start(*(lambda number=number: first(number) for number in range(8)))() == []
    assert AuditChain.objects.get().length == 8
    assert check_chain(tournament).findings == ()


def test_a_change_is_sealed_while_another_transaction_has_written_and_goes_on(tournament):
    written, finish = threading.Event(), threading.Event()

    def long_change():
        with transaction.atomic():
            _change(tournament, "long")
            written.set()
            assert finish.wait(30)

    wait = start(long_change)  # gives up, and tells so, if the short one waits for it
    assert written.wait(30)
    _change(tournament, "short")
    sealed = AuditRow.objects.get(after={"what": "short"})
    finish.set()
    assert wait() == []

    assert sealed.place == 2
    late = AuditRow.objects.get(after={"what": "long"})
    assert late.pk < sealed.pk, "written before, committed after"
    assert late.place == 3
    assert check_chain(tournament).findings == ()


def test_two_who_lock_other_rows_in_opposite_order_around_their_changes_are_both_done(tournament):
    other = make_tournament()
    gate = threading.Barrier(2)

    def change(first, second):
        for number in range(10):
            gate.wait()
            with transaction.atomic():
                _change(first, number)
                _change(second, number)

    assert start(lambda: change(tournament, other), lambda: change(other, tournament))() == []
    for one in (tournament, other):
        assert check_chain(one).findings == ()
        assert seal_rows(tournament=one) == 0
