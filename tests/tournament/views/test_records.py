"""The audit trail as files and on paper; archives and templates of tournaments through the pages."""

import csv
import gzip
import io
import json
from uuid import uuid4

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from referee.models import PenaltyRule
from tests.factories import make_event, make_tournament, make_user
from tests.tournament.archive.filled import filled_tournament
from tournament.models import AuditRow, Event, Round, ScheduleItem, Tournament
from tournament.queries.audit_chain import check_chain
from tournament.rehearsal.scratch import scratch_database
from tournament.services.archive.template import copy_tournament
from tournament.services.archive.transfer import export_tournament
from tournament.services.audit import SYSTEM, Actor, record_audit
from tournament.services.audit_seals import seal_rows
from tournament.services.errors import NotAllowed, Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return make_event(entries=4, tournament=make_tournament(slug="cup"), slug="singles")


@pytest.fixture
def organiser(event):
    return _client(make_user("organiser", event.tournament))


def _client(user):
    client = Client(headers={"accept-language": "en"})
    client.force_login(user)
    return client


def _export(client, kind, query=""):
    address = reverse("manage:tournament_audit_export", kwargs={"tournament": "cup", "kind": kind})
    response = client.get(address + query)
    assert response.status_code == 200
    assert kind in response.headers["Content-Disposition"]
    return response.content


def _read_csv(content):
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))


def test_the_three_files_tell_the_same_changes(event, organiser):
    seal_rows(tournament=event.tournament)
    table = _read_csv(_export(organiser, "csv"))
    objects = json.loads(_export(organiser, "json"))
    sheet = openpyxl.load_workbook(io.BytesIO(_export(organiser, "xlsx"))).active
    count = AuditRow.objects.filter(tournament=event.tournament).count()
    assert len(table) - 1 == len(objects) == sheet.max_row - 1 == count
    assert [row[0] for row in table[1:]] == [str(one["place"]) for one in objects]
    assert [row[-1] for row in table[1:]] == [one["seal"] for one in objects]
    assert [cell.value for cell in sheet[1]] == table[0]
    assert [cell.value or "" for cell in sheet[2]] == table[1]
    assert "entry added" in {row[3] for row in table}


def test_a_file_has_what_the_filter_shows(event, organiser):
    table = _read_csv(_export(organiser, "csv", "?area=entry"))
    assert {row[3] for row in table[1:]} == {"entry added"}
    assert len(table) == 5


def test_no_cell_of_a_file_is_a_formula(event, organiser):
    record_audit(
        actor=Actor(user=None),
        action="event.edit",
        subject=event,
        event=event,
        reason='=HYPERLINK("http://evil.example")',
    )
    row = _read_csv(_export(organiser, "csv"))[1]
    assert row[7].startswith("'=")
    cell = openpyxl.load_workbook(io.BytesIO(_export(organiser, "xlsx"))).active["H2"]
    assert cell.data_type == "s"


def test_the_digest_of_a_day_names_the_last_row_of_it(event, organiser):
    address = reverse("manage:audit_digest", kwargs={"tournament": "cup"})
    text = organiser.get(address).content.decode()
    last = AuditRow.objects.filter(tournament=event.tournament).order_by("-place").first()
    assert last.seal
    for start in range(0, 64, 8):
        assert f"<span>{last.seal[start : start + 8]}</span>" in text
    assert f"<dd>{last.place}</dd>" in text
    assert "Chief referee" in text
    typed = " ".join(last.seal[start : start + 8] for start in range(0, 64, 8))
    assert check_chain(event.tournament, typed).findings == ()


@pytest.mark.parametrize(("day", "said"), [("2020-01-01", "Nothing was recorded"), ("2026-13-99", "SHA-256")])
def test_a_day_before_has_no_digest_and_a_wrong_one_is_today(event, organiser, day, said):
    address = reverse("manage:audit_digest", kwargs={"tournament": "cup"})
    assert said in organiser.get(address, {"day": day}).content.decode()


def test_an_organiser_downloads_the_archive(event, organiser):
    response = organiser.get(reverse("manage:archive_download", kwargs={"tournament": "cup"}))
    assert "cup.json.gz" in response.headers["Content-Disposition"]
    assert json.loads(gzip.decompress(response.content))["content"]["events"][0]["slug"] == "singles"


def _upload(client, data, **fields):
    file = SimpleUploadedFile("cup.json.gz", data)
    return client.post(
        reverse("manage:tournament_import"), {"command_id": str(uuid4()), "file": file, **fields}
    )


def test_an_archive_is_imported_once_by_somebody_who_may_create_tournaments():
    with scratch_database():
        data = export_tournament(actor=SYSTEM, tournament=filled_tournament())
    client = _client(make_user(is_staff=True))
    response = _upload(client, data)
    assert response.status_code == 302
    page = client.get(response.headers["Location"])
    assert page.status_code == 200
    again = _upload(client, data, slug="another")
    assert again.status_code == 400
    assert "on this site already" in again.content.decode()
    # Both the refusal and the help of the address say what to do instead.
    assert again.content.decode().count("use it as a template") == 2
    event = Event.objects.get(slug="singles")
    for name in ("event", "entries", "rounds", "standings", "audit", "stages", "penalties"):
        address = reverse(f"manage:{name}", kwargs={"tournament": "cup", "event": event.slug})
        assert client.get(address).status_code == 200, name


def test_a_file_that_is_no_archive_is_refused_beside_its_field():
    response = _upload(_client(make_user(is_staff=True)), b"something")
    assert response.status_code == 400
    assert "no archive of a tournament" in response.content.decode()


def _told(rows):
    """Everything said of the rows but what has happened in them and how they are numbered in the store."""
    happened = {
        "state",
        "closed_at",
        "closed_by",
        "override_reason",
        "held_back",
        "live_pending",
        "starts_at",
    }
    numbers = {"id", "event", "stage"}
    names = [field.name for field in rows.model._meta.concrete_fields if field.name not in happened | numbers]
    return list(rows.order_by("number").values_list(*names))


def test_a_tournament_is_copied_with_its_structure_and_nothing_else():
    tournament = filled_tournament()
    Tournament.objects.filter(pk=tournament.pk).update(starts_on="2026-05-01", ends_on="2026-05-03")
    tournament.refresh_from_db()
    singles = tournament.events.get(slug="singles")
    for event, article in ((None, "1"), (singles, "2")):
        PenaltyRule.objects.create(
            tournament=tournament, event=event, article=article, name="迟到", points=-20
        )
    user = make_user("organiser", tournament)
    client = _client(user)
    response = client.post(
        reverse("manage:tournament_copy", kwargs={"tournament": "cup"}),
        {"command_id": str(uuid4()), "name": "明年杯", "slug": "", "starts_on": "2027-05-01"},
    )
    assert response.status_code == 302
    copied = Tournament.objects.get(slug="ming-nian-bei")
    assert (str(copied.starts_on), str(copied.ends_on)) == ("2027-05-01", "2027-05-03")
    fields = ("name", "slug", "kind", "plan", "measure", "ruleset_version", "planned_rounds", "live")
    for old in tournament.events.all():
        new = copied.events.get(slug=old.slug)
        assert [getattr(new, name) for name in fields] == [getattr(old, name) for name in fields]
        assert new.state == Event.State.SETUP
        assert new.uid != old.uid
        assert not new.entries.exists()
        assert _told(new.stages) == _told(old.stages)
        assert _told(new.rounds) == _told(old.rounds)
        assert set(new.rounds.values_list("state", flat=True)) == {Round.State.PLANNED}
    (was,), (item,) = (ScheduleItem.objects.filter(tournament=one) for one in (tournament, copied))
    assert (item.starts_at - was.starts_at).days == 365
    rules = PenaltyRule.objects.filter(tournament=copied).order_by("pk")
    assert list(rules.values_list("article", "event__slug", "points")) == [
        ("1", None, -20),
        ("2", "singles", -20),
    ]
    assert copied.memberships.get().user == user
    seal_rows(tournament=copied)
    assert check_chain(copied).findings == ()


def test_a_copy_needs_a_free_address_and_an_organiser(event):
    with pytest.raises(Refused):
        copy_tournament(actor=SYSTEM, tournament=event.tournament, name="x", slug="cup")
    assert Tournament.objects.count() == 1
    with pytest.raises(NotAllowed):
        copy_tournament(
            actor=Actor(make_user("chief_referee", event.tournament)),
            tournament=event.tournament,
            name="x",
            slug="new",
        )
