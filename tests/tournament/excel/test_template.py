"""The template: what it offers can be filled in and read back, in each language."""

import io

import pytest
from django.conf import settings
from openpyxl import load_workbook

from tests.tournament.excel.files import an_event
from tournament.excel.reading import read_entries
from tournament.excel.template import entry_template
from tournament.models import Event

LANGUAGES = [language for language, _title in settings.LANGUAGES]
FILLED = {
    Event.Kind.INDIVIDUAL: ["7", "张三", "甲队", "1"],
    Event.Kind.CHANGING: ["7", "张三", "甲队", "1"],
    Event.Kind.PIG_SHEEP: ["7", "张三", "甲队", "1"],
    Event.Kind.PAIRS: ["7", "张三", "李四", "甲队", "1"],
    Event.Kind.TEAMS: ["7", "一队", "甲队", "张三", "李四", "王五", "赵六", "钱七", None, "1"],
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", Event.Kind.values)
def test_template_filled_in_is_read_back(kind, language):
    event = an_event(kind)
    workbook = load_workbook(io.BytesIO(entry_template(event, language)))
    sheet = workbook.worksheets[0]
    assert [fault.code for fault in read_entries(_bytes(workbook), event).faults] == ["no_rows"]
    assert sheet.max_column == len(FILLED[kind])
    sheet.append(FILLED[kind])
    read = read_entries(_bytes(workbook), event)
    assert not read.faults
    (row,) = read.rows
    assert (row.number, row.club, row.seeding) == (7, "甲队", 1)
    assert row.players[0] == "张三"
    assert len(row.players) == {Event.Kind.PAIRS: 2, Event.Kind.TEAMS: 5}.get(kind, 1)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", Event.Kind.values)
def test_the_examples_of_the_template_are_right(kind, language):
    event = an_event(kind)
    workbook = load_workbook(io.BytesIO(entry_template(event, language)))
    workbook.remove(workbook.worksheets[0])
    read = read_entries(_bytes(workbook), event)
    assert not read.faults
    assert len(read.rows) >= 2


def test_names_are_formatted_as_text_and_headings_stay_in_sight():
    sheet = load_workbook(io.BytesIO(entry_template(an_event(), "zh-hans"))).worksheets[0]
    assert sheet.column_dimensions["B"].number_format == "@"
    assert sheet.freeze_panes == "A2"
    assert {str(check.sqref).partition(":")[0] for check in sheet.data_validations.dataValidation} == {
        "A2",
        "B2",
        "C2",
        "D2",
    }


def test_a_title_like_a_formula_stays_text():
    event = an_event()
    event.name, event.tournament.name = "x", "=HYPERLINK(1)"
    sheet = load_workbook(io.BytesIO(entry_template(event, "en"))).worksheets[1]
    assert (sheet["A1"].data_type, sheet["A1"].value) == ("s", "=HYPERLINK(1) · x")


def _bytes(workbook) -> bytes:
    stream = io.BytesIO()
    workbook.save(stream)
    return stream.getvalue()
