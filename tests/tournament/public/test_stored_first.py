"""The short way to a stored page: the same answer as the long one, and only for whom it is meant."""

import pytest
from django.conf import settings

from config.bundles import BUNDLES, BundleFinder, bundled
from tournament.models import Event, PublishedPage
from tournament.tasks import pages
from tournament.views import stored

pytestmark = pytest.mark.django_db
HEADERS = (
    "ETag", "Cache-Control", "Content-Language", "Content-Encoding", "Content-Type", "Content-Length",
    "Content-Security-Policy", "Referrer-Policy", "X-Frame-Options", "X-Content-Type-Options",
)  # fmt: skip


@pytest.mark.parametrize("headers", [{}, {"accept-encoding": "gzip"}, {"accept-language": "en"}])
def test_both_ways_answer_alike(client, base, headers, monkeypatch):
    client.get(base, headers=headers)  # stored from now on
    short = client.get(base, headers=headers)
    monkeypatch.setattr(stored, "_stored_response", lambda _request: None)
    long = client.get(base, headers=headers)
    assert short.content == long.content
    assert {name: short.headers.get(name) for name in HEADERS} == {
        name: long.headers.get(name) for name in HEADERS
    }
    assert set(short.headers["Vary"].split(", ")) == set(long.headers["Vary"].split(", "))


def test_a_stored_page_never_reaches_the_view(client, base, monkeypatch):
    client.get(base)
    monkeypatch.setattr("tournament.views.public.page_for", lambda *_args: 1 / 0)
    assert client.get(base).status_code == 200


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_other_methods_take_the_long_way(client, base, method):
    client.get(base)
    assert getattr(client, method)(base).status_code == 405


def test_a_foreign_host_is_refused(client, base):
    client.get(base)
    assert client.get(base, headers={"host": "elsewhere.example"}).status_code == 400


def test_whoever_carries_a_session_is_asked_who_they_are(client, base, django_user_model):
    client.get(base)
    client.force_login(django_user_model.objects.create_user("somebody"))
    assert "somebody" in client.get(base).content.decode()
    assert settings.SESSION_COOKIE_NAME in client.cookies


def test_only_addresses_of_stored_pages_are_looked_up(base):
    assert stored._parts_of(f"{base}find/") is None
    assert stored._parts_of("/t/") is None
    assert stored._parts_of(f"{base}round/3/") == ("frame", "round:3")


def test_a_page_asked_for_again_before_it_was_sent_is_rendered_once(public_event, base, monkeypatch):
    """Whoever waited while another rendered it finds the page stored."""
    rendered = []
    whole = pages.render_page
    monkeypatch.setattr(pages, "render_page", lambda *args: rendered.append(1) or whole(*args))
    event = Event.objects.select_related("tournament", "ruleset_version__book").get(pk=public_event.pk)
    for _ in range(3):
        pages.page_for(base, "event", {}, "en", event)
    assert rendered == [1]
    assert PublishedPage.objects.filter(path=base, language="en").count() == 1


# --- the style sheet ------------------------------------------------------------------------------------


def test_the_bundle_holds_every_part_in_order_and_paper_apart():
    finder = BundleFinder()
    for name, parts in BUNDLES.items():
        with open(finder.find(name), encoding="utf-8") as file:
            text = file.read()
        places = [
            text.index((settings.BASE_DIR / "static" / part).read_text(encoding="utf-8").strip()[:200])
            for part in parts
        ]
        assert places == sorted(places)
        assert text.count("@media print {\n") >= 1
        assert "@import" not in text


def test_a_changed_part_changes_the_bundle(tmp_path):
    (tmp_path / "css").mkdir()
    for part in ("css/a.css", "css/print.css"):
        (tmp_path / part).write_text(f"/* {part} */")
    first = bundled(("css/a.css", "css/print.css"), tmp_path)
    assert first == "/* css/a.css */\n@media print {\n/* css/print.css */\n}\n"
    (tmp_path / "css/a.css").write_text("b {}")
    assert bundled(("css/a.css", "css/print.css"), tmp_path) != first


def test_other_files_are_not_the_bundlers():
    assert BundleFinder().find("css/public.css") == []
