"""How stored pages are served: bytes from a look-up, 304, compression, languages, never a stale one."""

import gzip

import pytest
from django.core.management import call_command
from django.test import Client
from kombu.exceptions import OperationalError

from tests.played import drawn_round, given_penalty, played_event
from tournament import tasks
from tournament.models import Event, Publication, PublishedPage
from tournament.queries.published import Published
from tournament.services.audit import SYSTEM
from tournament.services.events import edit_event
from tournament.services.publish import publish, publish_round, touch_public_pages, withdraw_everything
from tournament.services.tournaments import edit_tournament
from tournament.tasks.pages import prepare_main_pages, prepare_page

pytestmark = pytest.mark.django_db


def test_a_page_is_rendered_when_missing_and_then_looked_up(client, base, django_assert_num_queries):
    first = client.get(f"{base}standings/")
    with django_assert_num_queries(1):
        second = client.get(f"{base}standings/")
    assert first.content == second.content
    assert first.headers["ETag"] == second.headers["ETag"]


def test_a_reader_who_has_the_page_gets_304_without_a_body(client, base):
    etag = client.get(base).headers["ETag"]
    again = client.get(base, headers={"if-none-match": etag})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == etag
    assert client.get(base, headers={"if-none-match": 'W/"other"'}).status_code == 200


def test_bytes_are_sent_compressed_to_those_who_accept_it(client, base):
    plain = client.get(base)
    packed = client.get(base, headers={"accept-encoding": "br, gzip;q=0.8"})
    refused = client.get(base, headers={"accept-encoding": "gzip;q=0, identity"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content == refused.content
    assert "Content-Encoding" not in plain.headers
    assert "Content-Encoding" not in refused.headers
    assert len(packed.content) < len(plain.content) / 2


def test_caches_are_told_what_the_page_depends_on(client, base):
    response = client.get(base)
    vary = {part.strip() for part in response.headers["Vary"].split(",")}
    assert {"Accept-Encoding", "Accept-Language", "Cookie"} <= vary
    assert response.headers["Cache-Control"] == "no-cache"


def test_head_is_answered_like_get(client, base):
    response = client.head(base)
    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["ETag"] == client.get(base).headers["ETag"]


def test_posting_is_refused(client, base):
    assert client.post(base).status_code == 405


@pytest.mark.parametrize("language", ["zh-hans", "zh-hant", "en"])
def test_each_language_has_its_own_page(client, base, language):
    html = client.get(base, headers={"accept-language": language}).content.decode()
    assert f'<html lang="{language}">' in html
    assert PublishedPage.objects.get(path=base).language == language


def test_the_language_switch_stays_and_leads_back(public_event, base):
    client = Client(enforce_csrf_checks=True)
    client.get(base)
    response = client.post("/language/", {"language": "en", "next": base})
    assert response.headers["Location"] == base
    for path in (base, f"{base}standings/", "/"):
        assert '<html lang="en">' in client.get(path, headers={"accept-language": "zh-hant"}).content.decode()


def test_an_address_written_otherwise_leads_to_the_one_address(client, base):
    response = client.get(f"{base}round/01/")
    assert (response.status_code, response.headers["Location"]) == (301, f"{base}round/1/")


@pytest.mark.parametrize("path", ["round/9/", "round/1/table/9/", "standings/2/", "entry/99/", "nothing/"])
def test_what_is_not_published_is_not_found_and_not_stored(client, base, path):
    assert client.get(base + path).status_code == 404
    assert not PublishedPage.objects.exists()


def test_a_publication_replaces_every_page_at_once(client, base, public_event):
    pages = [base, f"{base}standings/", f"{base}round/1/", f"{base}entry/2/"]
    before = {path: client.get(path).headers["ETag"] for path in pages}
    given_penalty(public_event.entries.get(number=2), -333)
    assert {path: client.get(path).headers["ETag"] for path in pages} == before
    publish_round(actor=SYSTEM, round=public_event.rounds.get(number=1), note="补罚分")
    for path in pages:
        response = client.get(path, headers={"if-none-match": before[path]})
        assert response.status_code == 200, path
    assert "−333" in client.get(f"{base}entry/2/").content.decode()


def test_what_was_taken_off_is_gone_at_once(client, base, public_event):
    assert client.get(f"{base}round/2/").status_code == 200
    withdraw_everything(actor=SYSTEM, round=public_event.rounds.get(number=2), reason="重抽")
    assert client.get(f"{base}round/2/").status_code == 404
    assert "round/2/" not in client.get(base).content.decode()


def test_a_page_rendered_while_somebody_published_is_not_served_again(client, base, public_event):
    stale = Published(Event.objects.select_related("tournament").get(pk=public_event.pk))
    assert stale.rounds() == [1, 2]
    withdraw_everything(actor=SYSTEM, round=public_event.rounds.get(number=2), reason="重抽")
    assert prepare_page(stale, "event", {}, "en") is not None  # a slow worker stores what it had read
    assert "round/2/" not in client.get(base, headers={"accept-language": "en"}).content.decode()


def test_a_slow_worker_does_not_overwrite_a_newer_page(client, base, public_event):
    stale = Published(Event.objects.select_related("tournament").get(pk=public_event.pk))
    assert stale.rounds() == [1, 2]
    withdraw_everything(actor=SYSTEM, round=public_event.rounds.get(number=2), reason="重抽")
    newer = client.get(base, headers={"accept-language": "en"}).headers["ETag"]
    prepare_page(stale, "event", {}, "en")
    assert PublishedPage.objects.get(path=base, language="en").etag == newer


def test_changes_of_names_reach_the_pages(client, base, public_event):
    client.get(base)
    edit_event(actor=SYSTEM, event=public_event, name="新名称")
    assert "新名称" in client.get(base).content.decode()
    edit_tournament(actor=SYSTEM, tournament=public_event.tournament, name="新比赛")
    assert "新比赛" in client.get(base).content.decode()


def test_an_address_given_to_another_event_shows_that_one(client, base, public_event):
    for _ in range(3):
        touch_public_pages(event=public_event)
    client.get(base)
    Event.objects.filter(pk=public_event.pk).update(slug="moved")
    touch_public_pages(event=public_event)
    other = played_event(["甲"], tournament=public_event.tournament, slug=public_event.slug, name="后来者")
    assert "后来者" in client.get(base).content.decode()
    assert PublishedPage.objects.get(path=base).event == other


def test_staff_get_their_navigation_and_nobody_caches_it(client, base, django_user_model):
    anonymous = client.get(base).content.decode()
    client.force_login(django_user_model.objects.create_superuser("chief"))
    response = client.get(base)
    html = response.content.decode()
    assert "chief" in html
    assert 'action="/accounts/logout/"' in html
    assert response.headers["Cache-Control"] == "private, no-store"
    assert "ETag" not in response.headers
    assert html.partition("<main")[2] == anonymous.partition("<main")[2]
    client.logout()
    assert client.get(base).content.decode() == anonymous


def test_main_pages_are_prepared_in_every_language_after_the_commit(
    client, django_capture_on_commit_callbacks, django_assert_num_queries
):
    event = played_event(["甲", "乙", "丙", "丁"])
    draw = drawn_round(event)
    with django_capture_on_commit_callbacks(execute=True):
        publish(actor=SYSTEM, round=draw.round, what=Publication.What.DRAW)
    base = f"/t/{event.tournament.slug}/{event.slug}/"
    assert PublishedPage.objects.filter(path=f"{base}round/1/").count() == 3
    with django_assert_num_queries(1):
        assert client.get(f"{base}round/1/").status_code == 200


def test_publishing_works_while_the_broker_is_gone(
    client, monkeypatch, caplog, django_capture_on_commit_callbacks
):
    def gone(*_args, **_kwargs):
        raise OperationalError("connection refused")

    monkeypatch.setattr(tasks.prepare_pages, "delay", gone)
    event = played_event(["甲", "乙", "丙", "丁"])
    with django_capture_on_commit_callbacks(execute=True):
        publish(actor=SYSTEM, round=drawn_round(event).round, what=Publication.What.DRAW)
    assert "no broker" in caplog.text
    assert not PublishedPage.objects.exists()
    assert client.get(f"/t/{event.tournament.slug}/{event.slug}/round/1/").status_code == 200


def test_a_fault_while_preparing_pages_does_not_undo_the_publication(
    monkeypatch, django_capture_on_commit_callbacks
):
    def broken(*_args, **_kwargs):
        raise RuntimeError("template broken")

    monkeypatch.setattr(tasks, "prepare_main_pages", broken)
    event = played_event(["甲", "乙", "丙", "丁"])
    with django_capture_on_commit_callbacks(execute=True):
        publish(actor=SYSTEM, round=drawn_round(event).round, what=Publication.What.DRAW)
    assert Published(event).rounds() == [1]


def test_preparing_again_renders_nothing_that_is_ready(public_event):
    event = Event.objects.select_related("tournament").get(pk=public_event.pk)
    assert prepare_main_pages(event, None) == 12
    before = dict(PublishedPage.objects.values_list("path", "etag"))
    assert prepare_main_pages(event, None) == 0
    PublishedPage.objects.filter(language="en").delete()
    assert prepare_main_pages(event, None) == 4
    assert dict(PublishedPage.objects.values_list("path", "etag")) == before


def test_rendering_twice_gives_the_same_bytes(public_event):
    published = Published(Event.objects.select_related("tournament").get(pk=public_event.pk))
    first, second = (prepare_page(published, "standings", {}, "en") for _ in range(2))
    assert (first.etag, bytes(first.body_gzip)) == (second.etag, bytes(second.body_gzip))
    assert PublishedPage.objects.count() == 1


def test_a_new_release_voids_what_the_old_one_rendered(client, base):
    client.get(base)
    call_command("migrate", verbosity=0)
    assert not PublishedPage.objects.exists()
    assert client.get(base).status_code == 200


def test_preparing_pages_of_an_event_that_is_gone_does_nothing():
    assert tasks.prepare_pages(987654) == 0
