"""Entry lists as people send them, and everything that can be wrong with one."""

import datetime

import pytest

from tests.tournament.excel.files import MAIN, an_event, package, parts, xlsx
from tournament.excel.reading import read_entries
from tournament.models import Event

INDIVIDUAL, PAIRS, TEAMS = Event.Kind.INDIVIDUAL, Event.Kind.PAIRS, Event.Kind.TEAMS


def read(rows, kind=INDIVIDUAL, change=None):
    return read_entries(xlsx(rows, change), an_event(kind))


def faults(sheet):
    return [(fault.cell, fault.code) for fault in sheet.faults]


# --- where the headings are ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headings",
    [
        ["编号", "姓名", "单位"],
        ["編號", "姓名", "單位"],
        ["No.", "Name", "Club"],
        ["序 号", "选手姓名*", "所属单位（必填）"],
        ["Ｎｏ", "ＮＡＭＥ：", "俱乐部"],
        ["参赛号", "运动员", "代表队"],
        ["Entry no.", "Full name", "Affiliation"],
    ],
)
def test_headings_are_known_by_many_names(headings):
    sheet = read([headings, [7, "张三", "甲队"]])
    assert not sheet.faults
    (row,) = sheet.rows
    assert (row.number, row.name, row.club, row.players) == (7, "张三", "甲队", ("张三",))


def test_headings_may_stand_in_any_order_below_titles():
    def merge(sheet):
        sheet.merge_cells("A1:D1")

    sheet = read(
        [["第八届华牌赛选手名单"], [], ["单位", "电话", "姓名", "编号"], ["甲队", "555", "张三", 1]],
        change=merge,
    )
    assert [(row.row, row.number, row.name, row.club) for row in sheet.rows] == [(4, 1, "张三", "甲队")]
    assert [str(note) for note in sheet.notes if note.code == "ignored_columns"]


def test_headings_repeated_for_printing_are_no_entry():
    sheet = read([["编号", "姓名"], [1, "张三"], ["编号", "姓名"], [2, "李四"]])
    assert [row.row for row in sheet.rows] == [2, 4]
    assert not sheet.faults


def test_the_first_sheet_with_headings_is_read_and_hidden_sheets_are_not():
    def more(sheet):
        sheet.sheet_state = "hidden"
        other = sheet.parent.create_sheet("报名")
        other.append(["姓名"])
        other.append(["李四"])

    sheet = read([["姓名"], ["张三"]], change=more)
    assert [row.name for row in sheet.rows] == ["李四"]
    assert sheet.sheet == "报名"


@pytest.mark.parametrize(
    ("kind", "headings", "code"),
    [
        (INDIVIDUAL, ["编号", "单位"], "no_headings"),
        (PAIRS, ["编号", "姓名"], "missing_heading"),
        (TEAMS, ["队名", "单位"], "missing_heading"),
        (INDIVIDUAL, ["姓名", "选手"], "repeated_heading"),
    ],
)
def test_headings_missing_or_twice_are_named(kind, headings, code):
    sheet = read([headings, [1, "x"]], kind)
    assert [fault.code for fault in sheet.faults] == [code]
    assert not sheet.rows


@pytest.mark.parametrize("headings", [["序号", "参赛号", "姓名"], ["參賽號", "姓名", "序號"]])
def test_a_column_that_only_counts_the_lines_gives_way_to_the_numbers_of_the_entries(headings):
    line = {"序号": 1, "序號": 1, "参赛号": 101, "參賽號": 101, "姓名": "张三"}
    sheet = read([headings, [line[one] for one in headings]])
    assert not sheet.faults
    assert [(row.number, row.name) for row in sheet.rows] == [(101, "张三")]
    (note,) = (note for note in sheet.notes if note.code == "ignored_columns")
    assert note.params["columns"] in ("序号", "序號")


def test_two_columns_that_mean_the_same_are_named_as_they_are_headed():
    sheet = read([["参赛名单"], ["编号", "姓名", "参赛号"], [1, "张三", 101]])
    (fault,) = sheet.faults
    assert (fault.cell, fault.params["first"], fault.params["second"]) == ("C2", "编号", "参赛号")


def test_a_list_without_entries_is_a_fault():
    assert faults(read([["编号", "姓名"]])) == [("", "no_rows")]


def test_a_prepared_number_without_a_name_is_no_entry():
    sheet = read([["编号", "姓名"], [1, "张三"], [2, None], [3, "  "]])
    assert [row.number for row in sheet.rows] == [1]
    assert not sheet.faults


# --- texts and numbers as people write them ---------------------------------------------------------------


@pytest.mark.parametrize("written", [12, 12.0, "12", "１２", " 12 ", "12号", "No. 12", "#12", "第12号"])
def test_numbers_are_read_however_written(written):
    sheet = read([["编号", "姓名"], [written, "张三"]])
    assert not sheet.faults
    assert sheet.rows[0].number == 12


@pytest.mark.parametrize("written", [0, -1, 1.5, "一", "12a", 100_000, "1 2"])
def test_what_is_no_entry_number_is_named(written):
    assert faults(read([["编号", "姓名"], [written, "张三"]])) == [("A2", "not_a_number")]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("　张　三　", "张三"),
        ("张 三", "张三"),
        ("欧阳\n修", "欧阳 修"),
        ("John  Smith", "John Smith"),
        ("Ｗａｎｇ１", "Wang1"),
        ("=1+1", None),
        (2024, "2024"),
        ("+86 王", "+86 王"),
        ("李\u200b四", "李四"),
    ],
)
def test_names_are_tidied(written, name):
    sheet = read([["姓名"], [written]])
    if name is None:  # a real formula, which nobody has computed
        assert faults(sheet) == [("A2", "no_stored_value")]
    else:
        assert sheet.rows[0].name == name


def test_hidden_rows_count_and_are_mentioned():
    def hide(sheet):
        sheet.row_dimensions[3].hidden = True

    sheet = read([["姓名"], ["张三"], ["李四"]], change=hide)
    assert len(sheet.rows) == 2
    assert [note.params for note in sheet.notes if note.code == "hidden_rows"] == [{"rows": "3"}]


def test_a_club_merged_over_its_players_holds_for_each():
    def merge(sheet):
        sheet.merge_cells("A2:A3")

    sheet = read([["单位", "姓名"], ["甲队", "张三"], [None, "李四"], [None, "王五"]], change=merge)
    assert [row.club for row in sheet.rows] == ["甲队", "甲队", ""]


def test_number_may_be_left_out():
    sheet = read([["姓名"], ["张三"]])
    assert sheet.rows[0].number is None
    assert "number" not in sheet.rows[0].cells


# --- faults ----------------------------------------------------------------------------------------------


def test_every_fault_is_named_with_its_cell_at_once():
    sheet = read(
        [
            ["编号", "姓名", "单位", "种子"],
            [1, "张三", "甲", None],
            [1, "李四", "甲", None],
            ["x", "长" * 121, "乙", "y"],
            [4, None, "丙", None],
            [5, "张三", "甲", None],
            [6, True, "甲", None],
            [7, datetime.date(2026, 3, 2), "甲", None],
            [8, "#REF!", "单" * 121, None],
        ]
    )
    assert faults(sheet) == [
        ("A4", "not_a_number"),
        ("D4", "not_a_number"),
        ("B4", "too_long"),
        ("B5", "missing"),
        ("B7", "truth_value"),
        ("B8", "date"),
        ("C9", "too_long"),
        ("B9", "cell_error"),
        ("A3", "number_twice"),
        ("B6", "name_twice"),
    ]
    assert [row.row for row in sheet.rows] == [2]
    assert sheet.failed_rows == {3, 4, 5, 6, 7, 8, 9}
    assert all(str(fault).startswith(f"{fault.cell}: ") for fault in sheet.faults)
    assert all("%(" not in str(fault) for fault in sheet.faults)


def test_namesakes_of_different_clubs_are_different_people():
    sheet = read([["姓名", "单位"], ["王伟", "甲"], ["王伟", "乙"]])
    assert not sheet.faults
    assert [note.code for note in sheet.notes] == ["namesakes"]


def test_control_characters_are_refused():
    data = '<row r="1"><c t="inlineStr"><is><t>姓名</t></is></c></row>'
    data += '<row r="2"><c t="inlineStr"><is><t>张_x0007_三</t></is></c></row>'
    sheet = read_entries(package(parts(data)), an_event())
    assert faults(sheet) == [("A2", "control_character")]


# --- pairs and teams --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headings",
    [
        ["编号", "姓名", "搭档"],
        ["编号", "选手1", "选手2"],
        ["编号", "姓名", "姓名"],
        ["No", "Name", "Partner"],
    ],
)
def test_a_pair_is_two_names_in_a_row(headings):
    sheet = read([headings, [1, "张三", "李 四"]], PAIRS)
    assert not sheet.faults
    assert sheet.rows[0].players == ("张三", "李四")
    assert (sheet.rows[0].name, sheet.rows[0].title) == ("", "张三 / 李四")


def test_a_pair_may_have_a_name_of_its_own():
    sheet = read([["组名", "姓名", "搭档"], ["飞龙", "张三", "李四"]], PAIRS)
    assert (sheet.rows[0].name, sheet.rows[0].players) == ("飞龙", ("张三", "李四"))


def test_faults_of_pairs_are_named():
    sheet = read(
        [
            ["姓名", "搭档", "单位"],
            ["张三", None, "甲"],
            ["李四", "李四", "甲"],
            [None, "赵六", "甲"],
            ["孙七", "周八", "甲"],
            ["周八", "吴九", "甲"],
            ["名" * 70, "字" * 70, "甲"],
        ],
        PAIRS,
    )
    assert faults(sheet) == [
        ("B2", "partner_missing"),
        ("B3", "partner_same"),
        ("A4", "missing"),
        ("B7", "too_long"),
        ("A6", "player_twice"),
    ]


@pytest.mark.parametrize(
    ("headings", "cells"),
    [
        (["队名", "队员1", "队员2", "队员3", "队员4", "队员5"], ["甲", "乙", "丙", "丁", None]),
        (["Team", "Player 1", "Player 2", "Player 3", "Player 4"], ["甲", "乙", "丙", "丁"]),
        (["代表队", "队员（1）", "队员（2）", "队员（3）", "队员（4）"], ["甲", "乙", "丙", "丁"]),
        (["队伍", "队员一", "队员二", "队员三", "队员四"], ["甲", "乙", "丙", "丁"]),
        (["队名", "队员"], ["甲、乙，丙/丁"]),
    ],
)
def test_a_team_has_its_players_in_columns_or_in_one(headings, cells):
    sheet = read([headings, ["北京一队", *cells]], TEAMS)
    assert not sheet.faults
    assert (sheet.rows[0].name, sheet.rows[0].players) == ("北京一队", ("甲", "乙", "丙", "丁"))


def test_faults_of_teams_are_named():
    headings = ["队名", "队员1", "队员2", "队员3", "队员4"]
    sheet = read(
        [
            headings,
            ["一队", "甲", "乙", "丙", None],
            [None, "戊", "己", "庚", "辛"],
            ["二队", "壬", "壬", "癸", "子"],
        ],
        TEAMS,
    )
    assert faults(sheet) == [("B2", "too_few_players"), ("A3", "missing"), ("C4", "player_twice")]


# --- files of other programs ------------------------------------------------------------------------------


def test_cells_without_addresses_and_rich_shared_texts_are_read():
    shared = (
        "<si><t>姓名</t></si><si><r><t>张</t></r><r><t>三</t></r><rPh sb='0' eb='1'><t>ZHANG</t></rPh></si>"
    )
    data = "<row><c t='s'><v>0</v></c></row><row><c t='s'><v>1</v></c></row>"
    sheet = read_entries(package(parts(data, shared=shared)), an_event())
    assert [row.name for row in sheet.rows] == ["张三"]


def test_formulas_count_with_their_stored_value():
    data = (
        '<row r="1"><c r="A1" t="str"><v>编号</v></c><c r="B1" t="str"><v>姓名</v></c></row>'
        '<row r="2"><c r="A2"><f>ROW()-1</f><v>1</v></c><c r="B2" t="str"><f>C2</f><v>张三</v></c></row>'
        '<row r="3"><c r="A3"><f>ROW()-1</f><v>2</v></c><c r="B3" t="str"><f>C3</f><v></v></c></row>'
    )
    sheet = read_entries(package(parts(data)), an_event())
    assert [(row.number, row.name) for row in sheet.rows] == [(1, "张三")]
    assert not sheet.faults


def test_strict_workbooks_are_read():
    data = '<row r="1"><c t="str"><v>姓名</v></c></row><row r="2"><c t="str"><v>张三</v></c></row>'
    strict = parts(data, namespace="http://purl.oclc.org/ooxml/spreadsheetml/main")
    assert strict["xl/workbook.xml"] != parts(data, namespace=MAIN)["xl/workbook.xml"]
    assert [row.name for row in read_entries(package(strict), an_event()).rows] == ["张三"]


@pytest.mark.parametrize(
    ("styles", "is_date"),
    [
        ('<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>', True),
        ('<cellXfs><xf numFmtId="0"/><xf numFmtId="31"/></cellXfs>', True),
        (
            '<numFmts><numFmt numFmtId="176" formatCode="m&quot;月&quot;d&quot;日&quot;"/></numFmts>'
            '<cellXfs><xf numFmtId="0"/><xf numFmtId="176"/></cellXfs>',
            True,
        ),
        (
            '<numFmts><numFmt numFmtId="176" formatCode="0&quot;d&quot;;[Red]-0"/></numFmts>'
            '<cellXfs><xf numFmtId="0"/><xf numFmtId="176"/></cellXfs>',
            False,
        ),
        ('<cellXfs><xf numFmtId="0"/><xf numFmtId="49"/></cellXfs>', False),
    ],
)
def test_numbers_shown_as_dates_are_told_apart(styles, is_date):
    data = '<row r="1"><c t="str"><v>姓名</v></c></row><row r="2"><c r="A2" s="1"><v>46083</v></c></row>'
    sheet = read_entries(package(parts(data, styles=styles)), an_event())
    assert faults(sheet) == ([("A2", "date")] if is_date else [])
    assert [row.name for row in sheet.rows] == ([] if is_date else ["46083"])
