"""Score sheets through the pages: blank, filled in, previewed, recorded; and lists of the same kind."""

import io

import pytest
from openpyxl import load_workbook

from referee.models import DealVersion
from tests.factories import SET_PLAN, make_event, make_published_draw
from tests.pages import hidden_fields
from tests.tournament.excel.papers import filled
from tests.tournament.views.files import as_upload

pytestmark = pytest.mark.django_db

#: Who was dealt the key cards, and what North, West, South and East captured.
GOOD = ["W", "W", "E", "E", "♠Q ♥AK", None, "♦J ♣10 ♥Q-2", None]


@pytest.fixture
def address(tournament):
    event = make_event(entries=8, tournament=tournament, plan=dict(SET_PLAN))
    make_published_draw(event)
    return f"/manage/t/cup/e/{event.slug}/rounds/1/"


def test_sheets_go_out_blank_and_come_back_as_deals(organiser, send, address):
    assert f'href="{address}paper/"' in organiser.get(address).content.decode()
    blank = organiser.get(f"{address}paper/sheets.xlsx")
    data = filled(b"".join(blank.streaming_content), {(1, 1): GOOD, (2, 5): GOOD})
    page = send(f"{address}paper/", {"file": as_upload(data)})
    assert page.status_code == 200
    assert not DealVersion.objects.exists()
    confirm = f"{address}paper/confirm/"
    hidden = hidden_fields(page.content.decode(), confirm)
    for _again in range(2):
        assert organiser.post(confirm, hidden).headers["Location"] == address
    assert DealVersion.objects.count() == 2
    again = send(f"{address}paper/", {"file": as_upload(data)}).content.decode()
    assert "There is nothing new to record." in again


def test_a_table_has_a_card_with_its_number_large(organiser, address):
    assert f'href="{address}paper/cards.xlsx"' in organiser.get(f"{address}paper/").content.decode()
    data = b"".join(organiser.get(f"{address}paper/cards.xlsx").streaming_content)
    sheet = load_workbook(io.BytesIO(data)).active
    large = [cell.value for row in sheet.iter_rows() for cell in row if cell.font.sz == 120 and cell.value]
    assert large == ["1", "2"]
    assert len(sheet.row_breaks.brk) == 2
    assert (sheet.page_setup.orientation, sheet.page_setup.fitToWidth) == ("portrait", 1)


def test_a_conflict_is_shown_with_both_sides_and_stays(organiser, send, address):
    blank = b"".join(organiser.get(f"{address}paper/sheets.xlsx").streaming_content)

    def bring(line):
        page = send(f"{address}paper/", {"file": as_upload(filled(blank, {(1, 1): line}))})
        return page.content.decode()

    confirm = f"{address}paper/confirm/"
    organiser.post(confirm, hidden_fields(bring(GOOD), confirm))
    page = bring([*GOOD[:4], "♠Q ♥A", None, "♦J ♣10 ♥K-2", None])
    assert "♥K captured: North on record, South on paper" in page
    assert confirm not in page
    assert DealVersion.objects.count() == 1


def test_a_void_deal_is_shown_recorded_and_told(organiser, send, address):
    blank = b"".join(organiser.get(f"{address}paper/sheets.xlsx").streaming_content)
    sheet = filled(blank, {(1, 1): GOOD, (1, 2): [*[None] * 4, "作废"]})
    page = send(f"{address}paper/", {"file": as_upload(sheet)}).content.decode()
    assert "<dt>New and void</dt><dd>1</dd>" in page
    assert "Record 2 deals" in page
    confirm = f"{address}paper/confirm/"
    done = organiser.post(confirm, hidden_fields(page, confirm), follow=True).content.decode()
    assert "1 deal recorded; it needs its check. 1 deal put on record as void." in done
    crossed = filled(blank, {(1, 1): [*[None] * 4, "作废"]})
    page = send(f"{address}paper/", {"file": as_upload(crossed)}).content.decode()
    assert "Void on paper, played on record." in page
    assert confirm not in page


def test_faults_are_shown_by_cell(organiser, send, address):
    blank = b"".join(organiser.get(f"{address}paper/sheets.xlsx").streaming_content)
    page = send(f"{address}paper/", {"file": as_upload(filled(blank, {(1, 1): [*GOOD[:4], "王"]}))})
    assert page.status_code == 400
    assert "H3: " in page.content.decode()
    assert not DealVersion.objects.exists()
