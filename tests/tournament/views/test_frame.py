"""What frames every page: refusals in words, the zone of a tournament, English days, headings."""

from datetime import UTC, date, datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format

from tests.factories import make_event, make_tournament, make_user
from tournament.forms.audit_words import SUBJECTS, AuditWords
from tournament.models import AuditRow
from tournament.services.audit import SYSTEM
from tournament.services.tournaments import create_tournament
from tournament.templatetags.site import zone_words

HTML = {"accept": "text/html", "accept-language": "en"}


@pytest.mark.django_db
def test_a_form_from_before_the_log_in_is_refused_on_a_page_of_the_site():
    client = Client(enforce_csrf_checks=True, headers=HTML)
    answer = client.post(reverse("login"), {"username": "x"})
    assert answer.status_code == 403
    assert "<h1>This form is out of date</h1>" in answer.content.decode()
    assert 'class="site-header"' in answer.content.decode()


@pytest.mark.django_db
def test_an_address_that_only_takes_forms_says_so_instead_of_showing_nothing():
    client = Client(headers=HTML)
    answer = client.get(reverse("logout"))
    assert answer.status_code == 405
    assert "<h1>Nothing to show here</h1>" in answer.content.decode()
    assert "POST" in answer.headers["Allow"]
    # Programs are answered as before.
    assert client.get(reverse("logout"), headers={"accept": "application/json"}).content == b""


def test_a_request_that_cannot_be_read_has_a_page_in_the_reader_s_language():
    answer = Client(headers={"host": "evil.example", "accept-language": "en"}).get("/")
    assert answer.status_code == 400
    assert "<h1>This request cannot be read</h1>" in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("zone", "day", "words"),
    [
        ("Asia/Shanghai", date(2026, 1, 10), "Beijing time (UTC+8)"),
        ("Europe/Vienna", date(2026, 1, 10), "UTC+1"),
        ("Europe/Vienna", date(2026, 7, 10), "UTC+2"),
        ("Asia/Kolkata", None, "UTC+5:30"),
        ("America/St_Johns", date(2026, 1, 10), "UTC−3:30"),
    ],
)
def test_a_zone_is_told_as_people_say_it(zone, day, words):
    tournament = make_tournament(time_zone=zone, starts_on=day)
    with translation.override("en"):
        assert zone_words(tournament) == words


def test_english_days_cannot_be_taken_for_others():
    moment = datetime(2026, 4, 5, 19, 3, tzinfo=UTC)
    with translation.override("en"):
        assert date_format(moment, "SHORT_DATETIME_FORMAT") == "5 Apr 2026, 19:03"
        assert date_format(moment, "DATE_FORMAT") == "5 April 2026"
        assert date_format(moment, "TIME_FORMAT") == "19:03"


@pytest.mark.django_db
def test_each_tab_of_an_event_is_headed_by_its_name():
    tournament = make_tournament()
    event = make_event(tournament=tournament)
    client = Client(headers=HTML)
    client.force_login(make_user("organiser", tournament))
    for name, heading in {"event": event.name, "entries": "Entries", "standings": "Standings"}.items():
        page = client.get(reverse(f"manage:{name}", args=[tournament.slug, event.slug])).content.decode()
        assert f"<h1>{heading}</h1>" in page
        assert f"<title>{heading}" in page


@pytest.mark.django_db
def test_changes_say_what_they_are_about_in_words():
    create_tournament(actor=SYSTEM, name="Cup", slug="cup")
    row = AuditRow.objects.get(action="tournament.create")
    with translation.override("en"):
        assert AuditWords(row.tournament.tz).kind(row) == "Tournament"
        row.subject, row.after = "correction:17", {"number": 2}
        assert AuditWords(row.tournament.tz).kind(row) == "Correction 2"
        assert set(map(str, SUBJECTS.values())) >= {"Token", "Schedule", "Announcement"}
