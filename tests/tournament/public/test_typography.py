"""Chinese as it is set: no space after a full-width mark or before a bracket, in page or template."""

import re
from html import unescape
from pathlib import Path

import pytest
from django.conf import settings

from tests.tournament.public.bracket_play import bracket_event, draw_and_publish, play_round
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish_round

#: Elements within a line; all others end it.
_INLINE = re.compile(r"</?(?:a|abbr|b|del|i|small|span|strong|time|wbr)\b[^>]*>")
_GAP = re.compile(r"\S*[。，：；！？] +\S+|\S+ +（\S*")

_SENTENCE = r'(?:\{% translate "[^"]*[.:!?]"(?: context "[^"]*")? %\}|[.:!?]\{% endblocktranslate %\})'
_BETWEEN = r"(?:\{% (?:if|elif|else|endif|for|endfor)\b[^%]*%\}|</?(?:strong|span|small)\b[^>]*>)*"
_JOINED = re.compile(_SENTENCE + _BETWEEN + " +" + _BETWEEN + r"\{% (?:translate|blocktranslate)\b")

#: Marks written out in a template after a figure, a name or a text: those of one language.
_HIDDEN = re.compile(
    r"(?s)\{% (blocktranslate|comment)\b.*?\{% end\1 %\}|<(script|style)\b.*?</\2>|\{#.*?#\}"
)
_MARK = re.compile(r"(?:%\}|\}\}|</\w+>)[,;:.] ")

#: Pages with sentences, of an event with penalties, somebody sitting out and a round without results.
PATHS = (
    "",
    "find/?q=x",
    "round/1/",
    "round/2/",
    "round/1/table/1/",
    "standings/",
    "cross/",
    "statistics/",
    "entry/2/",
    "entry/3/",
    "entry/9/",
    "round/1/print/seats/",
    "round/1/print/wall/",
)


def gaps(html: str) -> list[str]:
    """Full-width marks with a space after, and full-width brackets with one before, in the text of a page."""
    body = re.sub(r"(?s)<(script|style|svg)\b.*?</\1>", "\n", html[html.index("<body") :])
    text = unescape(re.sub(r"<[^>]*>", "\n", _INLINE.sub("", body)))
    return _GAP.findall(text)


def test_gaps_are_found_through_elements():
    assert gaps("<body><p>成绩。 <strong>总分</strong></p><p>迟到 <span>（六分钟）</span></p>") == [
        "成绩。 总分",
        "迟到 （六分钟）",
    ]
    assert gaps("<body><p>成绩。</p> <p>总分 A, b</p>") == []


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["zh-hans", "zh-hant"])
def test_no_public_page_has_a_gap_after_a_full_width_mark(client, public_event, base, language):
    found = {
        path: gaps(client.get(base + path, headers={"accept-language": language}).content.decode())
        for path in PATHS
    }
    assert {path: gap for path, gap in found.items() if gap} == {}


@pytest.mark.django_db
def test_no_page_of_a_bracket_has_one(client):
    event = bracket_event(5)
    publish_round(actor=SYSTEM, round=play_round(draw_and_publish(event, 1)))
    base = f"/t/{event.tournament.slug}/{event.slug}/"
    for path in ("bracket/1/", "round/1/", "round/1/match/1/", "standings/"):
        assert gaps(client.get(base + path).content.decode()) == []


def test_sentences_of_a_template_are_joined_by_the_language():
    found = {
        str(file.relative_to(settings.BASE_DIR)): _JOINED.findall(file.read_text())
        for file in (Path(settings.BASE_DIR) / "templates").rglob("*.html")
    }
    assert {file: joined for file, joined in found.items() if joined} == {}


def test_no_template_has_marks_of_one_language_between_its_texts():
    found = {
        str(file.relative_to(settings.BASE_DIR)): _MARK.findall(_HIDDEN.sub("{% x %}", file.read_text()))
        for file in (Path(settings.BASE_DIR) / "templates").rglob("*.html")
    }
    assert {file: marks for file, marks in found.items() if marks} == {}
