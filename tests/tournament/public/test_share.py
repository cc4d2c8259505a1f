"""What a shared link shows before it is opened, and the code by which a page is scanned."""

import io
import re
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageDraw

from config.env import site_address
from scripts.serve import own_address
from tests.tournament.public.bracket_play import bracket_event, draw_and_publish, play_round
from tournament.models import Event, PublishedPage
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish
from tournament.tasks import preview
from tournament.tasks.preview import SIZE, can_write, draw_preview, fitted

pytestmark = pytest.mark.django_db


def _meta(html):
    named = dict(re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', html))
    return named | {"canonical": re.search(r'<link rel="canonical" href="([^"]+)"', html).group(1)}


def _head(client, address, language="en"):
    return _meta(client.get(address, headers={"accept-language": language}).content.decode())


def test_every_page_says_its_own_title_and_address(client, base, settings):
    settings.SITE_ADDRESS = "https://results.example"
    seen = set()
    for path in ("", "standings/", "round/1/", "round/1/table/1/", "entry/2/", "cross/", "statistics/"):
        found = _head(client, base + path)
        assert found["canonical"] == found["og:url"] == f"https://results.example{base}{path}"
        assert found["og:image"] == f"https://results.example{base}preview.png"
        seen.add(found["og:title"])
    assert len(seen) == 7


def test_what_is_printed_or_changed_says_so_in_its_title(client, base):
    titles = {
        path: _head(client, base + path)["og:title"]
        for path in (
            *(f"round/1/print/{what}/" for what in ("seats", "wall", "sheets")),
            "standings/1/certificates/",
            "round/1/changes/standings/",
        )
    }
    assert all("ound 1" in title for title in titles.values()), titles
    assert len(set(titles.values())) == len(titles)


@pytest.mark.parametrize(
    ("given", "hosts", "https", "address"),
    [
        ("https://results.example/", ["other.example"], True, "https://results.example"),
        ("", ["localhost", "127.0.0.1", "[::1]", "results.example", "b.example"], True, "https://results.example"),
        ("", ["localhost", "127.0.0.1", "[::1]"], True, ""),
        ("", ["*"], True, ""),
        ("", [".example"], True, ""),
        ("", ["results.example"], False, ""),
    ],
)  # fmt: skip
def test_the_sites_address_is_a_setting_or_its_first_public_name(given, hosts, https, address):
    assert site_address(given, hosts, https=https) == address


def test_a_halls_own_server_names_its_address_and_port(monkeypatch):
    monkeypatch.setenv("ALLOWED_HOSTS", "localhost,127.0.0.1,192.168.1.10")
    assert own_address("http", 8000) == "http://192.168.1.10:8000"
    assert own_address("https", 443) == "https://192.168.1.10"
    monkeypatch.setenv("ALLOWED_HOSTS", "localhost")
    assert own_address("http", 8000) == "http://localhost:8000"


@pytest.mark.parametrize("site", ["", "https://results.example"])
def test_no_host_that_a_request_sends_is_kept_for_the_next_reader(client, base, settings, site):
    settings.SITE_ADDRESS = site
    settings.ALLOWED_HOSTS = ["results.example", "other.example"]
    asked = {"accept-language": "en"}
    page = f"{base}standings/"
    assert client.get(page, headers=asked | {"host": "evil.example"}).status_code == 400
    assert not PublishedPage.objects.filter(path=page).exists()
    forwarded = {
        "host": "other.example",
        "x-forwarded-host": "evil.example",
        "forwarded": "host=evil.example",
    }
    first = client.get(page, headers=asked | forwarded)
    later = client.get(page, headers=asked | {"host": "results.example"})
    assert first.content == later.content
    assert first["ETag"] == later["ETag"]
    assert b"evil.example" not in first.content
    assert b"other.example" not in first.content
    assert _meta(later.content.decode())["og:image"] == f"{site}{base}preview.png"


def test_the_standings_are_told_by_their_first_three(client, public_event, base):
    rows = public_event.publications.get(what="standings").payload["rows"]
    names = public_event.publications.get(what="standings").payload["entries"]
    description = _head(client, f"{base}standings/")["og:description"]
    for row in rows[:3]:
        assert names[str(row["entry"])]["name"] in description
    assert names[str(rows[3]["entry"])]["name"] not in description


@pytest.mark.parametrize("where", ["t", "schedule", "announcements"])
def test_a_tournaments_own_pages_are_told_too_and_have_their_code(client, public_event, settings, where):
    settings.SITE_ADDRESS = "https://results.example"
    address = f"/{where}/{public_event.tournament.slug}/"
    found = _head(client, address)
    assert found["canonical"] == found["og:url"] == f"https://results.example{address}"
    assert public_event.tournament.name in found["og:title"]
    code = re.search(r'<img src="(/code/[^"]+)"', client.get(address).content.decode()).group(1)
    assert code == f"/code{address}"
    assert client.get(code).status_code == 200


def test_a_tournament_is_shown_by_the_picture_of_its_first_event(client, public_event, base):
    assert _head(client, f"/t/{public_event.tournament.slug}/")["og:image"].endswith(f"{base}preview.png")


def test_a_match_is_told_with_its_result_once_that_is_published(client):
    event = bracket_event(4)
    draw = draw_and_publish(event, 1)
    address = f"/t/{event.tournament.slug}/{event.slug}/round/1/match/1/"
    names = [side.entry.name for side in draw.matches.get(number=1).sides.order_by("position")]
    before = _head(client, address)
    assert all(name in before["og:title"] for name in names)
    assert ":" not in before["og:description"]
    play_round(draw)
    assert " : " in _head(client, address)["og:description"]


def test_the_standings_of_a_bracket_are_told_by_how_far_everybody_came(client):
    event = bracket_event(4, rounds=2)
    for number in (1, 2):
        round = play_round(draw_and_publish(event, number))
    publish(actor=SYSTEM, round=round, what="standings")
    base = f"/t/{event.tournament.slug}/{event.slug}/"
    row = event.publications.get(what="standings").payload["rows"][0]
    for address in ("standings/", "", f"entry/{row['entry']}/"):
        assert "Final: won" in _head(client, base + address)["og:description"]
    assert "Final: won" in client.get(f"{base}screen/", headers={"accept-language": "en"}).content.decode()
    entry = client.get(f"{base}entry/{row['entry']}/", headers={"accept-language": "en"}).content.decode()
    assert '<dd class="figure">Final: won</dd>' in entry


def test_names_cannot_leave_their_attribute(client, public_event, base):
    Event.objects.filter(pk=public_event.pk).update(name='"><script>x</script>')
    html = client.get(base).content.decode()
    assert "<script>x" not in html


def test_the_picture_is_drawn_for_the_event_and_kept(client, base):
    first = client.get(f"{base}preview.png")
    assert first["Content-Type"] == "image/png"
    assert Image.open(io.BytesIO(first.content)).size == SIZE
    again = client.get(f"{base}preview.png", headers={"if-none-match": first["ETag"]})
    assert again.status_code == 304
    assert client.get("/t/nobody/nothing/preview.png").status_code == 404


def test_each_name_makes_another_picture():
    one = draw_preview(title="个人赛", subtitle="华牌赛", foot="")
    other = draw_preview(title="双人赛", subtitle="华牌赛", foot="")
    if preview.chinese_font() is not None:
        assert one != other
    latin = draw_preview(title="Open", subtitle="Cup", foot="")
    assert latin != draw_preview(title="Pairs", subtitle="Cup", foot="")


def test_a_very_long_name_stays_within_the_picture():
    picture = Image.open(io.BytesIO(draw_preview(title="拱猪" * 40, subtitle="杯" * 90, foot="地" * 90)))
    right_margin = picture.crop((SIZE[0] - 60, 40, SIZE[0], 150)).getcolors()
    assert len(right_margin) == 1


@pytest.mark.parametrize("length", [1, 9, 18, 25, 40, 120])
def test_a_text_is_set_smaller_until_it_fits_and_says_when_it_is_cut_short(length):
    pen = ImageDraw.Draw(Image.new("RGB", SIZE))
    text = "M " * length
    size, lines = fitted(pen, text, 92, 276)
    assert len(lines) * size * 1.3 <= 276 + len(lines)
    whole = "".join(lines).replace(" ", "") == "M" * length
    assert whole != lines[-1].endswith("…")
    assert whole or size == 24


@pytest.mark.parametrize("before", range(1, 30))
def test_no_line_ends_with_an_opening_sign_or_begins_with_a_closing_one(before):
    pen = ImageDraw.Draw(Image.new("RGB", SIZE))
    text = f"{'个' * before}（打到±1000）、“公开”组"
    _size, lines = fitted(pen, text, 92, 276)
    assert "".join(lines) == text
    assert [line for line in lines if line[-1] in "（“" or line[0] in "）、”"] == []


def test_without_a_chinese_font_the_picture_stands_without_what_it_cannot_write(monkeypatch):
    monkeypatch.setattr(preview, "chinese_font", lambda: None)
    assert not can_write("个人赛", None)
    assert can_write("Müller Cup", None)
    empty = draw_preview(title="", subtitle="", foot="")
    assert draw_preview(title="个人赛", subtitle="", foot="") == empty
    assert draw_preview(title="Open", subtitle="", foot="") != empty


def test_a_page_has_its_code_under_the_name_by_which_the_site_was_reached(client, base):
    html = client.get(f"{base}standings/").content.decode()
    address = re.search(r'<img src="(/code/[^"]+)"', html).group(1)
    assert address == f"/code{base}standings/"
    one = client.get(address, headers={"host": "localhost"})
    other = client.get(address, headers={"host": "127.0.0.1"})
    assert one["Content-Type"] == "image/svg+xml"
    ElementTree.fromstring(one.content)
    assert one.content != other.content


@pytest.mark.parametrize("address", ["manage/", "accounts/login/", "t/", "https://example.org/", "nothing/"])
def test_nothing_but_pages_of_tournaments_is_drawn_as_a_code(client, address):
    assert client.get(f"/code/{address}").status_code == 404


def test_an_address_too_long_for_any_code_has_none(client):
    assert client.get(f"/code/t/{'a' * 3000}/").status_code == 404
