"""Whole tournaments through the open interface: made, copied, archived, brought in; the record of changes."""

import dataclasses
import io
from csv import reader

from django.db import transaction
from django.http import QueryDict
from openpyxl import load_workbook

from tests.factories import make_event, make_tournament, make_user
from tests.tournament.api.conftest import Sender
from tests.tournament.api.test_organising import good
from tests.tournament.api.test_refusals import problem
from tournament.api.audit import ChangesQuery
from tournament.api.parsers import GZIP
from tournament.forms.audit import audit_form
from tournament.models import AuditRow, Membership, Tournament
from tournament.queries.audit import AuditFilter, audit_rows
from tournament.services.archive.transfer import export_tournament
from tournament.services.audit import SYSTEM

NEW = {"name": "秋季赛", "slug": "autumn", "starts_on": "2026-10-01"}


def site(scene, purpose="organise"):
    return Sender(scene.token(purpose)[1], "/api/v1/")


def test_a_tournament_is_made_and_its_organiser_is_the_person_of_the_token(scene):
    sender = site(scene)
    assert good(sender.post("tournaments", NEW), 201)["starts_on"] == "2026-10-01"
    made = Tournament.objects.get(slug="autumn")
    assert [one.user for one in made.memberships.all()] == [scene.organiser]
    problem(sender.get("tournaments/autumn"), 403)  # the token is that of another tournament
    problem(sender.post("tournaments", NEW), 422)
    problem(site(scene, "read").post("tournaments", NEW | {"slug": "other"}), 403)


def test_a_tournament_is_copied_without_its_entries(scene):
    sender = scene.organising(scene.base)
    body = {"name": "下一届", "slug": "next", "starts_on": None}
    assert good(sender.post("copy", body), 201)["slug"] == "next"
    copied = Tournament.objects.get(slug="next").events.get()
    assert (copied.slug, copied.rounds.count(), copied.entries.count()) == ("singles", 3, 0)
    assert AuditRow.objects.filter(action="tournament.copy").exists()


def test_an_archive_goes_out_and_comes_in_again_the_same(scene):
    archive = scene.organising(scene.base).get("archive").content
    sender = site(scene)
    refused = problem(sender.send("post", "archives", data=archive, content_type=GZIP), 409)
    assert refused["errors"][0]["code"] == "archive_here"
    problem(sender.send("post", "archives", data=b"no archive", content_type=GZIP), 422)
    problem(sender.send("post", "archives", data=b"{}"), 415)


def test_an_archive_of_elsewhere_is_brought_in_under_another_address(scene):
    with transaction.atomic():
        elsewhere = make_tournament(slug="cup-2")
        make_event(entries=4, tournament=elsewhere, slug="pairs")
        archive = export_tournament(actor=SYSTEM, tournament=elsewhere)
        transaction.set_rollback(True)
    make_tournament(slug="cup-2")
    sender = site(scene)
    taken = problem(sender.send("post", "archives", data=archive, content_type=GZIP), 409)
    assert taken["errors"][0]["code"] == "address_taken"
    response = sender.send("post", "archives?slug=cup-3", data=archive, content_type=GZIP)
    done = good(response, 201)
    assert (done["tournament"]["slug"], done["rows"]["entries"]) == ("cup-3", 4)
    brought = Tournament.objects.get(slug="cup-3")
    assert Membership.objects.filter(tournament=brought, user=scene.organiser, role="organiser").exists()


# --- the record of changes ------------------------------------------------------------------------------


def test_changes_are_read_filtered_and_in_parts(scene):
    sender = scene.organising(scene.base)
    good(sender.send("post", "events/singles/entries/1/withdraw", {"reason": "生病"}))
    found = good(sender.get("changes?area=entry&words=生病"))
    (row,) = found["results"]
    assert (row["action"], row["event"], row["reason"]) == ("entry.withdraw", "singles", "生病")
    assert row["actor"].startswith(scene.organiser.username)
    assert (row["before"]["status"], row["after"]["status"]) == ("active", "withdrawn")
    everything = good(sender.get("changes?limit=2"))
    assert len(everything["results"]) == 2
    assert everything["count"] == AuditRow.objects.filter(tournament=scene.tournament).count() > 5
    assert good(sender.get("changes?event=singles&first_day=2999-01-01"))["count"] == 0
    problem(sender.get("changes?event=nowhere"), 422)
    problem(sender.get("changes?last_day=yesterday"), 422)


def test_changes_are_filtered_by_whatever_the_page_filters_by(scene):
    fields = {one.name for one in dataclasses.fields(AuditFilter)}
    page = audit_form(QueryDict(), scene.tournament, None)
    assert set(page.fields) == set(ChangesQuery().fields) == fields
    sender = scene.organising(scene.base)
    at_table = good(sender.get("changes?event=singles&table=1&limit=500"))["results"]
    wanted = audit_form(QueryDict("event=singles&table=1"), scene.tournament, None).wanted()
    page_rows = [(row.action, row.subject) for row in audit_rows(scene.tournament, None, wanted)]
    assert [(row["action"], row["subject"]) for row in at_table] == page_rows
    assert {row["action"] for row in at_table} >= {"deal.record", "deal.check"}
    assert good(sender.get("changes?table=99"))["count"] == 0
    problem(sender.get("changes?table=0"), 422)
    for ending in ("csv", "xlsx"):
        assert (
            sender.get(f"changes.{ending}?table=99").content
            != sender.get(f"changes.{ending}?table=1").content
        )


def test_changes_of_another_tournament_are_not_among_them(scene):
    stranger = make_tournament()
    make_user("organiser", stranger)
    make_event(entries=1, tournament=stranger, slug="foreign")
    sender = scene.organising(scene.base)
    events = {row["event"] for row in good(sender.get("changes?limit=500"))["results"]}
    assert events <= {None, "singles"}
    assert "foreign" not in sender.get("changes.csv").content.decode("utf-8-sig")


def test_changes_are_taken_away_as_files(scene):
    sender = scene.organising(scene.base)
    count = good(sender.get("changes?area=entry"))["count"]
    csv = sender.get("changes.csv?area=entry")
    assert csv.headers["Content-Type"].startswith("text/csv")
    assert len(list(reader(io.StringIO(csv.content.decode("utf-8-sig"), newline="")))) == count + 1
    sheet = load_workbook(io.BytesIO(sender.get("changes.xlsx?area=entry").content)).active
    texts = [row[3] for row in sheet.iter_rows(values_only=True) if row[3] == "entry added"]
    assert len(texts) == count


def test_the_digest_of_a_day_names_the_seal_of_its_last_row(scene):
    sender = scene.organising(scene.base)
    digest = good(sender.get("changes/digest"))
    last = AuditRow.objects.filter(tournament=scene.tournament, place__isnull=False).latest("place")
    assert (digest["rows"], digest["seal"]) == (last.place, last.seal)
    before = good(sender.get("changes/digest?day=2020-01-01"))
    assert (before["rows"], before["seal"], before["last_at"]) == (0, "", None)
