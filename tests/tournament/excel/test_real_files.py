"""Files as people and their programs make them, read by every reader: title rows, full-width signs, dates as
text, formulas with stored values, hidden rows, thousands of lines.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from tests.tournament.excel.files import an_event, package, parts, xlsx
from tournament.excel.paper_reading import read_paper
from tournament.excel.penalty_lists import read_penalties
from tournament.excel.reading import read_entries


class Kind(NamedTuple):
    """One kind of list: its reader, headings, a line as people write it, and what the reader makes of it."""

    read: Callable[[bytes], Any]
    headings: list[str]
    line: Callable[[int], list[Any]]
    result: Callable[[Any], list[Any]]
    expected: Callable[[int], Any]


CARDS = ["SQ", "HA", "HK"]

KINDS = {
    "entries": Kind(
        lambda data: read_entries(data, an_event()),
        ["编　号", "姓 名", "单位", "种子", "报名日期"],
        lambda n: [n, f"选手{n}", "甲队", n, "2026-03-02"],
        lambda sheet: [(row.number, row.name, row.seeding) for row in sheet.rows],
        lambda n: (n, f"选手{n}", n),
    ),
    "deals": Kind(
        lambda data: read_paper(data, round_number=1),
        ["轮　次", "桌号", "副 号", "♠Ｑ", "♦J", "♣10", "♥A", "北", "西", "南", "东", "日期"],
        lambda n: [1, 3, n, "西", "西", "东", "东", "♠Q ♥AK", "", "♦J ♣10 ♥Q-2", "", "2026-03-02"],
        lambda sheet: [(deal.table, deal.number, deal.record["captures"]["N"]) for deal in sheet.deals],
        lambda n: (3, n, CARDS),
    ),
    "penalties": Kind(
        read_penalties,
        ["轮　次", "编号", "规 则", "罚分", "原因", "日期"],
        lambda n: [1, n, "迟到", -50, "迟到十分钟", "2026-03-02"],
        lambda sheet: [(row.round, row.number, row.rule, row.points) for row in sheet.rows],
        lambda n: (1, n, "迟到", -50),
    ),
}


def full_width(value: Any) -> str:
    """A number as a Chinese input method writes it, with spaces around."""
    return f"　{value}　".translate({ord(digit): ord(digit) + 0xFEE0 for digit in "0123456789"})


def formula(value: Any) -> str:
    """A cell with a formula and the value that the program stored, as XML without an address."""
    kind = "" if isinstance(value, int) else ' t="str"'
    return f"<c{kind}><f>Sheet2!A1</f><v>{value}</v></c>"


@pytest.fixture(params=KINDS)
def kind(request):
    return KINDS[request.param]


def test_merged_titles_stand_above_and_hidden_rows_count(kind):
    def change(sheet):
        sheet.merge_cells("A1:E1")
        sheet.merge_cells("A2:B2")
        sheet.row_dimensions[6].hidden = True

    rows = [["第八届华牌杯"], ["主办：市体育局"], [], kind.headings, kind.line(1), kind.line(2)]
    sheet = kind.read(xlsx(rows, change))
    assert (sheet.faults, kind.result(sheet)) == ((), [kind.expected(1), kind.expected(2)])
    assert [note.params for note in sheet.notes if note.code == "hidden_rows"] == [{"rows": "6"}]


def test_full_width_digits_and_spaces_are_numbers(kind):
    line = [full_width(value) if isinstance(value, int) and value > 0 else value for value in kind.line(12)]
    sheet = kind.read(xlsx([kind.headings, line]))
    assert (sheet.faults, kind.result(sheet)) == ((), [kind.expected(12)])


def test_formulas_count_with_their_stored_values(kind):
    heads = "".join(f'<c t="str"><v>{text}</v></c>' for text in kind.headings)
    cells = "".join(map(formula, kind.line(7)))
    sheet = kind.read(package(parts(f"<row>{heads}</row><row>{cells}</row>")))
    assert (sheet.faults, kind.result(sheet)) == ((), [kind.expected(7)])


def test_five_thousand_lines_are_read(kind):
    sheet = kind.read(xlsx([kind.headings, *map(kind.line, range(1, 5001))]))
    assert (sheet.faults, len(kind.result(sheet))) == ((), 5000)
    assert kind.result(sheet)[-1] == kind.expected(5000)
