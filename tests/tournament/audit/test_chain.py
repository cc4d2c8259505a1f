"""The chain of the audit trail: whatever is done to a row behind the program's back is named."""

from dataclasses import replace
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from tests.factories import actor, make_event, make_tournament, make_user
from tournament.models import AuditChain, AuditRow, Tournament
from tournament.queries.audit_chain import check_chain, is_proven, seal_of
from tournament.services import audit_seals
from tournament.services.archive.transfer import export_tournament, import_tournament
from tournament.services.audit import SYSTEM, record_audit
from tournament.services.audit_seals import seal_rows
from tournament.services.tournaments import edit_tournament

pytestmark = pytest.mark.django_db


def _write(tournament, number=1, **more):
    return record_audit(
        actor=actor(make_user()),
        action="deal.record",
        subject=tournament,
        tournament=tournament,
        before={"b": number, "a": {"10": 1, "9": "玩"}},
        after={10: "x", 9: [1, None]},
        reason="记错",
        **more,
    )


@pytest.fixture
def tournament():
    made = make_tournament(slug="cup")
    for number in range(5):
        _write(made, number)
    seal_rows(tournament=made)
    return made


def _codes(tournament, digest=""):
    return [finding.code for finding in check_chain(tournament, digest).findings]


def _verify(*arguments):
    out = StringIO()
    try:
        call_command("verify_audit", *arguments, stdout=out)
    except CommandError as fault:
        return fault.returncode, out.getvalue() + str(fault)
    return 0, out.getvalue()


def _at(tournament, place):
    return AuditRow.objects.get(tournament=tournament, place=place)


def test_rows_have_their_places_in_the_order_written(tournament):
    rows = list(AuditRow.objects.filter(tournament=tournament).order_by("pk"))
    assert [row.place for row in rows] == [1, 2, 3, 4, 5, 6]
    assert rows[1].seal == seal_of(rows[1], 2, rows[0].seal)
    assert _verify("cup") == (0, f"cup: 6 rows, digest {rows[-1].seal}\nthe audit trail is whole\n")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("actor_name", "somebody"),
        ("address", "192.0.2.77"),
        ("address", None),
        ("action", "deal.check"),
        ("subject", "deal:1"),
        ("before", {"b": 2, "a": {}}),
        ("after", None),
        ("reason", ""),
        ("at", timezone.now()),
        ("seal", "0" * 64),
        ("event_id", "another event"),
    ],
)
def test_an_altered_field_is_found_and_its_row_named(tournament, field, value):
    if field == "event_id":
        value = make_event(tournament=tournament).pk
        seal_rows(tournament=tournament)
    row = _at(tournament, 3)
    AuditRow.objects.filter(pk=row.pk).update(**{field: value})
    status, text = _verify("cup")
    assert status == 1
    assert f"row 3 (id {row.pk}," in text


def test_every_field_of_a_row_is_sealed_or_named_here():
    unsealed = {"id", "proof", "tournament", "actor"}  # the chain says whose it is; actor is compared by name
    sealed = {
        "event", "actor_name", "address", "action", "subject", "before", "after", "reason", "at", "place",
        "seal",
    }  # fmt: skip
    assert {field.name for field in AuditRow._meta.fields} == sealed | unsealed


def test_a_row_linked_to_another_account_is_found(tournament):
    row = _at(tournament, 4)
    AuditRow.objects.filter(pk=row.pk).update(actor=make_user())
    assert _codes(tournament) == ["actor"]


@pytest.mark.parametrize("username", ["mei", "m" * 150])
def test_a_row_written_with_a_token_is_its_persons(tournament, username):
    by_token = replace(actor(make_user(username=username)), token="报名网站")
    row = record_audit(actor=by_token, action="entry.add", subject=tournament, tournament=tournament)
    seal_rows(tournament=tournament)
    assert _codes(tournament) == []
    AuditRow.objects.filter(pk=row.pk).update(actor=make_user())
    assert _codes(tournament) == ["actor"]


@pytest.mark.parametrize("place", [1, 3, 6])
def test_a_removed_row_is_found(tournament, place):
    _at(tournament, place).delete()
    status, text = _verify("cup")
    assert status == 1
    assert f"row {place}: removed" in text


def test_several_rows_removed_at_the_end_are_found(tournament):
    AuditRow.objects.filter(tournament=tournament, place__gte=4).delete()
    assert "rows 4–6: removed at the end" in _verify("cup")[1]


def test_a_removed_end_with_its_counter_set_back_is_found_by_the_printed_digest(tournament):
    digest = _at(tournament, 6).seal
    _at(tournament, 6).delete()
    AuditChain.objects.filter(tournament=tournament).update(length=5, seal=_at(tournament, 5).seal)
    assert _codes(tournament) == []
    assert _codes(tournament, digest) == ["digest"]


def _make_anew(tournament):
    """All seals again, as somebody could who writes to the database: only the site's key is not there."""
    seal = ""
    for row in AuditRow.objects.filter(tournament=tournament).order_by("place"):
        row.seal = seal = seal_of(row, row.place, seal)
        row.save()
    AuditChain.objects.filter(tournament=tournament).update(seal=seal)


def test_a_chain_made_anew_after_a_change_is_found_by_its_proofs_and_by_the_printed_digest(tournament):
    digest = _at(tournament, 6).seal
    AuditRow.objects.filter(tournament=tournament, place__in=(2, 3, 5)).update(reason="anders")
    _make_anew(tournament)
    report = check_chain(tournament)
    assert [one.code for one in report.findings] == ["unproven", "unproven"]
    assert [one.text.partition(":")[0] for one in report.findings] == ["rows 2–3", "row 5"]
    assert _verify("cup", "--digest", digest)[0] == 1


def brought_again(tournament):
    """The tournament as an archive brings it, the one that is here being another's by now."""
    data, other = export_tournament(actor=SYSTEM, tournament=tournament), uuid4()
    Tournament.objects.filter(pk=tournament.pk).update(uid=other, slug="elsewhere")
    for event in tournament.events.all():
        type(event).objects.filter(pk=event.pk).update(uid=uuid4())
    AuditChain.objects.filter(tournament=tournament).update(name=str(other))
    return import_tournament(actor=SYSTEM, data=data).tournament


def test_rows_without_a_proof_are_those_that_an_archive_brought_and_no_others(tournament):
    brought = brought_again(tournament)
    assert _codes(brought) == []
    _write(brought, 9)
    seal_rows(tournament=brought)
    assert _codes(brought) == []
    AuditRow.objects.filter(tournament=brought, place=7).update(reason="anders")
    _make_anew(brought)
    assert _codes(brought) == ["unproven"]


def test_rows_written_under_a_key_that_was_replaced_are_proven_by_it(tournament, settings):
    old, settings.SECRET_KEY = settings.SECRET_KEY, "another key"
    assert _codes(tournament) == ["unproven"]
    settings.SECRET_KEY_FALLBACKS = [old]
    assert _codes(tournament) == []


def test_a_digest_typed_from_paper_is_found_by_its_beginning(tournament):
    seal = _at(tournament, 4).seal
    typed = f"{seal[:8]} {seal[8:16]}".upper()
    assert _verify("cup", "--digest", typed)[0] == 0
    _write(tournament, 9)
    seal_rows(tournament=tournament)
    assert _verify("cup", "--digest", typed)[0] == 0, "the trail goes on, the digest of the day stays"
    assert "at least" in _verify("cup", "--digest", seal[:6])[1]


def test_two_rows_exchanged_are_found(tournament):
    first, second = _at(tournament, 2), _at(tournament, 3)
    AuditRow.objects.filter(pk=first.pk).update(place=99)
    AuditRow.objects.filter(pk=second.pk).update(place=2)
    AuditRow.objects.filter(pk=first.pk).update(place=3)
    assert {finding.place for finding in check_chain(tournament).findings} >= {2, 3}


def test_a_row_put_in_without_a_place_is_found_and_never_sealed(tournament):
    copied = _at(tournament, 3)
    copied.pk, copied.place, copied.seal = None, None, ""
    copied.reason = "put in"
    copied.save(force_insert=True)
    assert _codes(tournament) == ["foreign"]
    _write(tournament, 7)
    seal_rows(tournament=tournament)
    assert _codes(tournament) == ["foreign"]
    assert f"id {copied.pk}" in _verify("cup")[1]


def test_a_row_put_in_with_a_place_of_its_own_is_found(tournament):
    copied = _at(tournament, 6)
    copied.pk, copied.place = None, 7
    copied.save(force_insert=True)
    found = check_chain(tournament).findings
    assert {"altered", "head"} <= {finding.code for finding in found}


@pytest.mark.parametrize("seal", ["", "f" * 64])
def test_a_row_put_in_before_the_first_is_found(tournament, seal):
    copied = _at(tournament, 3)
    copied.pk, copied.place, copied.seal, copied.reason = None, 0, seal, "put in"
    copied.save(force_insert=True)
    assert _codes(tournament) == ["foreign"]
    status, text = _verify("cup")
    assert (status, f"id {copied.pk}" in text) == (1, True)


def test_a_chain_of_which_nothing_is_left_is_found(tournament):
    AuditRow.objects.filter(tournament=tournament).delete()
    assert _codes(tournament) == ["removed"]
    AuditChain.objects.filter(tournament=tournament).delete()
    assert _codes(tournament) == ["removed"]
    assert _verify("cup")[0] == 1


def test_a_row_moved_to_another_tournament_is_found(tournament):
    other = make_tournament()
    seal_rows(tournament=other)
    AuditRow.objects.filter(tournament=tournament, place=6).update(tournament=other, place=2)
    assert _codes(tournament) == ["removed"]
    assert set(_codes(other)) == {"altered", "head"}


def test_a_chain_whose_head_is_gone_is_found(tournament):
    AuditChain.objects.filter(tournament=tournament).delete()
    assert _codes(tournament) == ["head"]


def test_what_a_power_cut_left_is_a_note_and_sealed_with_the_next_change(tournament):
    _write(tournament, 8)
    status, text = _verify("cup")
    assert (status, "not sealed yet" in text) == (0, True)
    _write(tournament, 9)
    seal_rows(tournament=tournament)
    assert check_chain(tournament).rows == 8
    assert _codes(tournament) == []


def test_rows_of_no_tournament_have_a_chain_of_their_own(tournament):
    for _ in range(2):
        record_audit(actor=actor(make_user()), action="ruleset.copy", subject=tournament)
    seal_rows(tournament=None)
    assert check_chain(None).rows == 2
    assert _verify()[0] == 0
    AuditRow.objects.filter(tournament=None, place=1).update(reason="x")
    status, text = _verify()
    assert (status, "row 1" in text) == (1, True)


def test_sealing_again_changes_nothing(tournament):
    before = check_chain(tournament)
    assert seal_rows(tournament=tournament) == 0
    assert check_chain(tournament) == before


def test_a_row_keeps_its_proof_under_an_earlier_key(tournament, settings):
    row = _at(tournament, 2)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "a-new-key", [settings.SECRET_KEY]
    assert is_proven(row)
    settings.SECRET_KEY_FALLBACKS = []
    assert not is_proven(row)


def test_rows_of_one_transaction_are_sealed_together_after_its_commit(django_capture_on_commit_callbacks):
    tournament = make_tournament()
    seal_rows(tournament=tournament)
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        for number in range(30):
            _write(tournament, number)
        assert AuditRow.objects.filter(tournament=tournament, place=None).count() == 30
    assert AuditRow.objects.filter(tournament=tournament, place=None).count() == 0


def test_sealing_costs_the_same_however_long_the_chain_is(
    django_capture_on_commit_callbacks, django_assert_max_num_queries, tournament
):
    def change(number):
        edit_tournament(
            actor=actor(make_user("organiser", tournament)), tournament=tournament, venue=f"hall {number}"
        )

    for number in range(3):
        with django_capture_on_commit_callbacks() as callbacks:
            change(number)
        # Head, waiting rows, their places, head, and the transaction's two ends.
        with django_assert_max_num_queries(6):
            for callback in callbacks:
                callback()
        assert _codes(tournament) == []


def test_a_failure_to_seal_does_not_reach_the_one_who_made_the_change(
    django_capture_on_commit_callbacks, monkeypatch, caplog
):
    tournament = make_tournament()

    def busy(**_):
        raise OperationalError("locked")

    monkeypatch.setattr(audit_seals, "seal_rows", busy)
    with django_capture_on_commit_callbacks(execute=True):
        _write(tournament)
    assert "wait for their seals" in caplog.text
    assert Tournament.objects.filter(pk=tournament.pk).exists()
    assert connection.is_usable()
