"""Score sheets of a round: blank, filled in as people do, read back, and what is wrong told by cell."""

import io

import pytest
from django.utils import translation
from openpyxl import load_workbook

from tests.tournament.excel.files import package, parts, xlsx
from tests.tournament.excel.papers import filled, line_of, paper_round
from tournament.excel.paper_book import paper_workbook
from tournament.excel.paper_reading import field_of, read_paper

HEADINGS = ["Round", "Table", "Deal", "♠Q", "♦J", "♣10", "♥A", "North", "West", "South", "East"]
GOOD = [1, 1, 1, "W", "W", "E exposed", "E", "♠Q ♥AK", "", "♦J ♣10 ♥Q-2", ""]


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


def read(*rows, round_number=1):
    return read_paper(xlsx(rows), round_number=round_number)


def told(sheet):
    return [str(fault) for fault in sheet.faults]


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["zh-hans", "zh-hant", "en"])
def test_a_sheet_of_each_language_is_filled_in_and_read(language):
    round_ = paper_round()
    sheet = read_paper(filled(paper_workbook(round_, language), {(1, 1): GOOD[3:]}), round_number=1)
    assert not sheet.faults
    (deal,) = sheet.deals
    assert (deal.table, deal.number) == (1, 1)
    assert deal.record == {
        "captures": {
            "N": ["SQ", "HA", "HK"],
            "W": [],
            "S": ["DJ", "C10", "HQ", "HJ", "H10", "H9", "H8", "H7", "H6", "H5", "H4", "H3", "H2"],
            "E": [],
        },
        "exposed": [{"card": "C10", "seat": "E", "kind": "exposed"}],
        "held": {"SQ": "W", "DJ": "W", "C10": "E", "HA": "E"},
    }
    assert len(set(deal.names.values())) == 4


@pytest.mark.django_db
def test_a_blank_sheet_has_a_page_for_each_table_and_says_that_nothing_is_filled_in():
    round_ = paper_round(players=9)
    data = paper_workbook(round_, "en")
    sheet = load_workbook(io.BytesIO(data)).worksheets[0]
    assert len(sheet.row_breaks.brk) == 2
    assert (sheet.page_setup.orientation, sheet.page_setup.fitToHeight) == ("landscape", 0)
    assert told(read_paper(data, round_number=1)) == ["No deal is filled in."]
    assert {line_of(sheet, table, deal) for table in (1, 2) for deal in (1, 16)} != {None}


def test_a_list_without_names_and_in_any_order_is_read():
    columns = [10, 2, 1, 0, 9, 8, 7, 6, 5, 4, 3]
    sheet = read([HEADINGS[place] for place in columns], [GOOD[place] for place in columns])
    assert not sheet.faults
    assert sheet.deals[0].record["held"] == {"SQ": "W", "DJ": "W", "C10": "E", "HA": "E"}


def test_full_width_signs_and_texts_for_numbers_are_read():
    sheet = read(
        ["第三轮记分表"],
        ["轮", "桌号", "副号", "♠Q", "♦J", "♣10", "♥A", "北\n张三", "西", "南", "东", "北得分"],
        [
            "１",
            "第 ２ 桌",
            "１６",
            "西",
            "西",
            "东明",
            "东首",
            "猪　红ＡＫ",
            "无",
            "羊变红Ｑ－２",
            "—",
            "－１９０",
        ],
    )
    assert not sheet.faults
    deal = sheet.deals[0]
    assert (deal.table, deal.number, deal.shown) == (2, 16, {"N": -190})
    assert deal.names["N"] == "张三"
    assert [one["kind"] for one in deal.record["exposed"]] == ["exposed", "first"]


def test_two_decks_and_a_table_of_five():
    sheet = read(
        ["Table", "Deal", "♠Q", "♦J", "♣10", "♥A", "A", "B", "C", "D", "E", "Swapped"],
        [1, 3, "A, B dark", "C", "D", "E", "SQ:A SQ:B", "全红", "", "", "DJ", "yes"],
    )
    record = sheet.deals[0].record
    assert record["held"]["SQ"] == ["A", "B"]
    assert record["exposed"] == [{"card": "SQ", "seat": "B", "kind": "dark"}]
    assert record["captures"]["A"] == ["SQ:A", "SQ:B"]
    assert record["swap_pig_sheep"] is True


@pytest.mark.parametrize(
    ("void", "north", "reason"),
    [
        ("少一张牌", "♠Q", "少一张牌"),
        ("是", "", "Void on the score sheet"),
        ("ＶＯＩＤ", "", "Void on the score sheet"),
        ("", "作废", "Void on the score sheet"),
        ("无", "♠Q ♥AK", ""),
    ],
)
def test_a_void_deal_is_read_by_its_reason_or_mark(void, north, reason):
    sheet = read([*HEADINGS, "作废", "顺序"], [1, 1, 1, "W", "W", "E", "E", north, "", "♦J", "", void, "２"])
    assert told(sheet) == []
    (deal,) = sheet.deals
    assert (deal.void, deal.turn) == (reason, 2)
    assert bool(deal.record) is not bool(reason)


@pytest.mark.django_db
def test_a_void_deal_and_its_replay_fit_on_the_printed_sheet():
    data = paper_workbook(paper_round(), "zh-hans")
    sheet = load_workbook(io.BytesIO(data)).worksheets[0]
    headings = [sheet.cell(2, column).value for column in range(1, sheet.max_column + 1)]
    void = next(column for column, text in enumerate(headings, start=1) if field_of(text or "") == "void")
    free = next(row for row in range(3, sheet.max_row) if sheet.cell(row, 3).value is None)
    for column, value in enumerate([1, 1, 1], start=1):
        sheet.cell(free, column, value)
    sheet.cell(free, 8, "♠Q ♥A-2 ♦J ♣10")
    sheet.cell(3, void, "少一张牌")
    stream = io.BytesIO()
    sheet.parent.save(stream)
    first, second = read_paper(stream.getvalue(), round_number=1).deals
    assert (first.number, first.void) == (second.number, "少一张牌") == (1, "少一张牌")
    assert not second.void


def test_everything_wrong_is_told_with_its_cell():
    sheet = read(
        HEADINGS,
        [2, 1, 1, "王", "W", "E", "明", "A23", "", "♦J", ""],
        [1, None, "x", "", "", "", "", "♠Q", "", "", ""],
    )
    assert not sheet.deals
    assert sheet.failed == 2
    assert told(sheet) == [
        "A2: This line is of round 2, not of round 1.",
        "H2: “A 2 3” cannot be read as a card. Write for example ♠Q ♥A23 ♣10.",
        "D2: “王” names no seat. Write for example N, or N first.",
        "G2: “明” names no seat. Write for example N, or N first.",
        "B3: Table is missing.",
        "C3: Deal “x” is not a whole number from 1 to 99999.",
    ]


def test_totals_and_signatures_are_no_deals_and_hidden_rows_are_told():
    def hide(sheet):
        sheet.row_dimensions[2].hidden = True

    rows = [
        HEADINGS,
        GOOD,
        ["Total", None, None, None, None, None, None, -190],
        ["Signature", *[None] * 6, "张三"],
    ]
    sheet = read_paper(xlsx(rows, hide), round_number=1)
    assert (len(sheet.deals), sheet.faults) == (1, ())
    assert [str(note) for note in sheet.notes] == ["Hidden rows are read as well: 2."]


def test_a_date_or_an_error_in_a_cell_is_told():
    heads = "".join(f'<c t="str"><v>{name}</v></c>' for name in ("Table", "Deal", "North"))
    wrong = '<c><v>1</v></c><c><v>1</v></c><c t="e"><v>#REF!</v></c>'
    data = package(parts(f'<row r="1">{heads}</row><row r="2">{wrong}</row>'))
    assert told(read_paper(data, round_number=1)) == ["C2: North holds the error value #REF!."]


def test_what_is_no_score_sheet_is_refused():
    assert len(read(["姓名", "单位"], ["张三", "甲"]).faults) == 1
    assert [fault.code for fault in read_paper(b"x", round_number=1).faults] == ["not_a_workbook"]


@pytest.mark.django_db
def test_a_name_that_reads_like_the_sheets_own_formula_stays_a_name():
    round = paper_round()
    round.event.name = "=IF(COUNT(A1)=0,1,2)&\x0b"
    sheet = load_workbook(io.BytesIO(paper_workbook(round, "en"))).worksheets[0]
    named = [cell for row in sheet.iter_rows() for cell in row if "(A1)" in str(cell.value)]
    assert {cell.data_type for cell in named} == {"s"}
