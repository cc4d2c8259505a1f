"""Why somebody sits out is said in words, wherever it is said."""

import io

import pytest
from django.utils import translation
from openpyxl import load_workbook

from tests.factories import make_event
from tests.tournament.draws import draw_round
from tournament.excel.writing import result_workbook
from tournament.queries.bye_reasons import BYE_REASONS, bye_reason_text
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish_round

pytestmark = pytest.mark.django_db

BY_LOT = "by lot, of those who sat out least often"


@pytest.fixture
def event():
    """Five players, one of whom sits out by a real draw; round 1 is public."""
    event = make_event(entries=5, planned_rounds=1, clubs_apart_rounds=0)
    draw = draw_round(event, 1, answer="byes")
    assert draw.byes.get().reason in BYE_REASONS
    publish_round(actor=SYSTEM, round=draw.round)
    return event


def test_public_pages_say_why_an_entry_sits_out(client, event):
    number = event.rounds.get().draws.get().byes.get().entry.number
    base = f"/t/{event.tournament.slug}/{event.slug}/"
    for page in (f"{base}round/1/", f"{base}entry/{number}/"):
        text = client.get(page, headers={"accept-language": "en"}).content.decode()
        assert BY_LOT in text, page
        assert "bye_" not in text, page


def test_workbook_says_why_an_entry_sits_out(event):
    book = load_workbook(io.BytesIO(result_workbook(event, "en")))
    cells = [str(cell) for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row if cell]
    assert sum(BY_LOT in cell for cell in cells) == 2
    assert not any("bye_" in cell for cell in cells)


def test_unknown_reason_is_not_shown_as_its_code():
    with translation.override("en"):
        assert bye_reason_text("bye_of_the_future") == ""
        assert bye_reason_text("") == ""
