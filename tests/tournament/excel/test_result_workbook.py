"""The result workbook: what it says, that it stays harmless, and how it looks."""

import io
import re
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from openpyxl import load_workbook

from tests.played import drawn_round, given_penalty, played_deal, played_event, played_round
from tests.tournament.excel.events import NAMES, individual_event, pairs_event, thirds_event
from tournament.excel import style
from tournament.excel.book import Book, Column
from tournament.excel.sheets import WorkbookReader
from tournament.excel.writing import result_workbook, workbook_of
from tournament.models import Entry, Round
from tournament.queries.export import result_book
from tournament.queries.standings import event_standings

pytestmark = pytest.mark.django_db
LANGUAGES = [language for language, _title in settings.LANGUAGES]
SHEETS = ["Standings", "Results", "Pairings", "Deals", "Penalties", "Entries", "Charts", "Event"]


def opened(event, language="en", **options):
    return load_workbook(io.BytesIO(result_workbook(event, language)), **options)


def rows(event, sheet, language="en"):
    """The rows of a sheet by heading, with values as stored beside the formulas."""
    heading, *body = opened(event, language, data_only=True)[sheet].iter_rows(values_only=True)
    return [dict(zip(heading, row, strict=True)) for row in body]


# --- what it says -----------------------------------------------------------------------------------------


def test_sheets_and_standings():
    event = individual_event()
    assert opened(event).sheetnames == SHEETS
    shown = rows(event, "Standings")
    lines = event_standings(event).rows
    assert [(row["Rank"], row["Number"], row["Total"]) for row in shown] == [
        (line.rank, line.entry.number, line.total) for line in lines
    ]
    for row, line in zip(shown, lines, strict=True):
        assert [row["Round 1"], row["Round 2"], row["Penalties"]] == [*line.values, line.penalties]


def test_every_deal_is_there_with_cards_scores_and_formula():
    event = individual_event()
    shown = rows(event, "Deals")
    book = result_book(event)
    deals = [
        (played.number, table.number, deal)
        for played in book.rounds
        for table in played.tables
        for deal in table.deals
    ]
    assert len(shown) == len(deals) == 6 + 4 + 1 + 1
    names = {"N": "North", "W": "West", "S": "South", "E": "East"}
    for row, (round_number, table, deal) in zip(shown, deals, strict=True):
        assert (row["Round"], row["Table"], row["Deal"]) == (round_number, table, deal.number)
        for seat, name in names.items():
            assert row[f"{name} score"] == deal.scores.get(seat)
            assert row[f"{name} formula"] == deal.formula.get(seat)
            cards = (row[f"{name} captured"] or "").split()
            assert len(cards) == len(deal.captures.get(seat, ()))
    taken = [card for name in names.values() for card in (shown[0][f"{name} captured"] or "").split()]
    assert {"♠Q", "♦J", "♣10", "♥A", "♥10", "♥2"} <= set(taken)
    assert len(taken) == 16


def test_states_of_deals_and_void_deals_are_told():
    shown = rows(individual_event(), "Deals")
    states = [row["State"] for row in shown]
    assert states.count("not checked") == 1
    void = [row for row in shown if row["State"] == "void"]
    assert [(row["Deal"], row["Remark"], row["North score"]) for row in void] == [(4, "少一张牌", None)]
    replayed = shown[shown.index(void[0]) + 1]
    assert replayed["Deal"] == 4
    assert replayed["North score"] is not None


def test_exposures_and_who_was_dealt_what_are_told():
    event = played_event(["甲", "乙", "丙", "丁"])
    (table,) = drawn_round(event).tables.all()
    hearts = ["HA", "HK", "HQ", "HJ", "H10", "H9", "H8", "H7", "H6", "H5", "H4", "H3", "H2"]
    played_deal(
        table,
        1,
        record={
            "captures": {"N": ["SQ"], "W": ["C10"], "S": ["DJ"], "E": hearts},
            "exposed": [
                {"card": "HA", "seat": "E", "kind": "exposed"},
                {"card": "SQ", "seat": "W", "kind": "first"},
            ],
            "held": {"SQ": "W", "DJ": "S", "C10": "N", "HA": "E"},
        },
    )
    (row,) = rows(event, "Deals")
    assert row["Exposed"] == "West ♠Q first-exposed, East ♥A exposed"
    assert row["Dealt to"] == "♠Q West, ♦J South, ♣10 North, ♥A East"
    assert (row["North captured"], row["North formula"][:4]) == ("♠Q", "-100")


def test_pairs_count_by_side_and_by_difference():
    event = pairs_event()
    book = opened(event)
    deals, results = book["Deals"], book["Results"]
    heading = [cell.value for cell in deals[1]]
    side = heading.index("North–South counts")
    assert re.fullmatch(r"=K2\+M2|=M2\+K2", deals.cell(2, side + 1).value)
    heading = [cell.value for cell in results[1]]
    assert {"Other side", "Difference"} <= set(heading)
    shown = rows(event, "Results")
    for row in shown:
        if row["Table"]:
            assert row["Difference"] == row["Points"] - row["Other side"] == row["Result"]
    assert sum(row["Result"] for row in shown if row["Table"]) == 0
    assert [row["Remark"] for row in shown if row["Table"] is None] == ["bye", "bye"]


def test_pairings_show_seats_and_byes():
    event = individual_event()
    shown = rows(event, "Pairings")
    first = event.rounds.get(number=1).draws.get().tables.get(number=1)
    seats = {seat.direction: seat for seat in first.seats.select_related("entry", "player")}
    assert shown[0]["North no."] == seats["N"].entry.number
    assert shown[0]["East"] == seats["E"].player.name
    assert [row["Remark"] for row in shown if row["Table"] is None] == ["bye: 50 points"] * 2


def test_cancelled_penalties_stay_and_count_nothing():
    event = individual_event()
    shown = rows(event, "Penalties")
    assert [(row["Points"], row["Counts"]) for row in shown] == [(-30, -30), (-20, -20), (-50, 0)]
    assert shown[2]["Reason for cancelling"] == "误判"
    standings = {row["Number"]: row["Penalties"] for row in rows(event, "Standings")}
    assert (standings[1], standings[2]) == (-50, 0)


def test_a_penalty_for_a_round_to_come_is_listed_and_not_yet_counted():
    event = individual_event()
    before = {row["Number"]: (row["Penalties"], row["Total"]) for row in rows(event, "Standings")}
    given_penalty(event.entries.get(number=5), -40, round_number=3)
    after = {row["Number"]: (row["Penalties"], row["Total"]) for row in rows(event, "Standings")}
    assert before == after
    assert len(rows(event, "Penalties")) == 4
    sheet = opened(event)["Standings"]
    column = [cell.value for cell in sheet[1]].index("Penalties") + 1
    cells = {sheet.cell(row, 2).value: sheet.cell(row, column).value for row in range(2, sheet.max_row + 1)}
    assert cells[5] == 0
    assert str(cells[1]).startswith("=SUMIFS(")


def test_thirds_are_numbers_shown_as_fractions():
    event = thirds_event()
    book = opened(event)
    deals = book["Deals"]
    cells = [cell for row in deals.iter_rows(min_row=2) for cell in row if isinstance(cell.value, float)]
    assert cells
    assert {cell.number_format for cell in cells} == {"# ??/??"}
    assert all(Fraction(cell.value).limit_denominator(60).denominator == 3 for cell in cells)
    total = [cell.value for cell in book["Standings"][1]].index("Total") + 1
    assert "ROUND(" in book["Standings"].cell(2, total).value


def test_withdrawn_entries_are_marked():
    event = individual_event()
    Entry.objects.filter(event=event, number=3).update(status=Entry.Status.WITHDRAWN)
    assert [row["Number"] for row in rows(event, "Standings") if row["Remark"] == "withdrawn"] == [3]


def test_an_event_before_its_first_draw_has_a_workbook():
    event = played_event(["甲", "乙", "丙", "丁"])
    book = opened(event)
    assert book.sheetnames == SHEETS
    assert len(rows(event, "Entries")) == 4
    assert rows(event, "Deals") == []


def test_teams_of_several_players_are_listed():
    event = pairs_event()
    assert rows(event, "Entries")[0]["Player 2"] == "一队乙"


def test_times_are_those_of_the_tournament_place():
    event = individual_event()
    moment = datetime(2026, 5, 1, 16, 30, tzinfo=UTC)
    Round.objects.filter(event=event, number=1).update(starts_at=moment)
    assert rows(event, "Pairings")[0]["Starts at"] == datetime(2026, 5, 2, 0, 30)  # noqa: DTZ001 -- as a cell has it
    made = workbook_of(result_book(event), "en", made_at=moment)
    facts = dict(load_workbook(io.BytesIO(made))["Event"].iter_rows(min_row=2, values_only=True))
    assert facts["Made at"] == datetime(2026, 5, 2, 0, 30)  # noqa: DTZ001
    assert facts["Times are those of"] == "Asia/Shanghai"


# --- formulas and harmless texts --------------------------------------------------------------------------


@pytest.mark.parametrize("make", [individual_event, pairs_event, thirds_event])
def test_every_formula_has_its_value_beside_it(make):
    """Previews that do not calculate show the totals too."""
    data = result_workbook(make(), "en")
    count = 0
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            if name.startswith("xl/worksheets/sheet"):
                text = archive.read(name).decode()
                count += text.count("<f>")
                assert len(re.findall(r"</f><v>-?[0-9.e-]+</v>", text)) == text.count("<f>")
    assert count > 30


def test_totals_are_formulas():
    event = individual_event()
    book = opened(event)
    sheet = book["Standings"]
    heading = [cell.value for cell in sheet[1]]
    for name, begins in {
        "Rank": "=RANK(",
        "Total": "=SUM(",
        "Penalties": "=SUMIFS(",
        "Round 1": "='Results'!",
    }.items():
        column = heading.index(name) + 1
        assert all(
            str(sheet.cell(row, column).value).startswith(begins) for row in range(2, sheet.max_row + 1)
        ), name


def test_rank_is_a_number_where_more_than_the_total_decides():
    event = played_event(["甲", "乙", "丙", "丁"], options={"tie_breaks": []})
    assert all(str(cell.value).startswith("=RANK") for cell in opened(event)["Standings"]["A"][1:])
    book = result_book(event)
    lines = tuple(replace(line, rank=place) for place, line in enumerate(book.standings.rows, start=1))
    changed = replace(book, standings=replace(book.standings, rows=lines))
    data = workbook_of(changed, "en", made_at=datetime.now(tz=UTC))
    assert [cell.value for cell in load_workbook(io.BytesIO(data))["Standings"]["A"][1:]] == [1, 2, 3, 4]


def test_texts_like_formulas_are_text_for_good():
    event = individual_event()
    book = opened(event)
    found = {}
    for sheet in book:
        for row in sheet.iter_rows():
            for cell in row:
                if (
                    isinstance(cell.value, str)
                    and cell.value.startswith(("=", "+", "-", "@"))
                    and cell.data_type != "f"
                ):
                    found[cell.value] = cell
                    assert cell.data_type == "s"
                    assert cell.quotePrefix, (sheet.title, cell.coordinate)
    assert set(NAMES[:4]) <= set(found)
    assert {"=乙", "=cmd|' /C calc'!A0"} <= set(found)
    formulas = {
        cell.value for sheet in book for row in sheet.iter_rows() for cell in row if cell.data_type == "f"
    }
    assert all(
        re.match(r"=(RANK|SUM|SUMIFS|COUNTIFS|ROUND|IF|'|[A-Z]+[0-9])", formula) for formula in formulas
    )


def test_characters_that_a_workbook_cannot_hold_are_left_out():
    event = played_event(["甲\x00\x07乙", "a_x0041_b", "<b>&amp;", "  丁  "])
    given_penalty(event.entries.get(number=1), reason="\x1b[31m红\ufffe")
    # Read as Excel reads it: openpyxl leaves _x005F_ as it is.
    reader = WorkbookReader(result_workbook(event, "en"))
    entries = reader.sheet(reader.sheets().index("Entries"))
    names = [entries.rows[row][2].text for row in range(2, 6)]
    assert names == ["甲乙", "a_x0041_b", "<b>&amp;", "  丁  "]
    assert rows(event, "Penalties")[0]["Reason"] == "[31m红"


def test_odd_titles_make_valid_sheets():
    book = Book("a & b: [c]/*?")
    sheet = book.add_sheet("x: [y]/z*?\\ that is longer than a sheet's name may be")
    sheet.write([Column("a")], [["'"]])
    loaded = load_workbook(io.BytesIO(book.to_bytes()))
    assert len(loaded.sheetnames[0]) <= 31
    assert loaded.worksheets[0].oddHeader.center.text.startswith("a && b")


# --- how it looks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_sheets_are_ready_to_read_and_to_print(language):
    book = opened(individual_event(), language)
    assert len(set(book.sheetnames)) == len(SHEETS)
    for sheet in book:
        assert sheet.freeze_panes.endswith("2")
        assert sheet.print_title_rows == "$1:$1"
        assert sheet.page_setup.fitToHeight == 0
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
        assert sheet.page_setup.paperSize == 9
        assert sheet["A1"].font.bold
        assert sheet.dimensions == f"A1:{sheet.cell(sheet.max_row, sheet.max_column).coordinate}"
    assert book.worksheets[3].page_setup.orientation == "landscape"


def test_columns_are_wide_enough_for_chinese_names():
    event = played_event(["中华人民共和国上海市代表一队", "乙", "丙", "丁"])
    sheet = opened(event)["Entries"]
    assert sheet.column_dimensions["B"].width >= 2 * 14


@pytest.mark.parametrize(
    ("text", "width"), [("abc", 3), ("张三", 4), ("张a三", 5), ("（）", 4), ("♠Q", 3), ("", 0)]
)
def test_wide_characters_count_two(text, width):
    assert style.text_width(text) == width


# --- cost -------------------------------------------------------------------------------------------------


def test_as_many_queries_for_a_long_event_as_for_a_short_one(django_assert_max_num_queries):
    short = played_event([f"选手{n}" for n in range(4)])
    played_round(short, 1, deals=1)
    given_penalty(short.entries.first())
    with CaptureQueriesContext(connection) as queries:
        result_book(short)
    long = played_event([f"选手{n}" for n in range(17)])
    for number in (1, 2, 3):
        played_round(long, number, deals=3, byes=1)
    for entry in long.entries.all():
        given_penalty(entry)
    with django_assert_max_num_queries(len(queries) + 1):
        book = result_book(long)
    assert sum(len(table.deals) for played in book.rounds for table in played.tables) == 36
    assert len(queries) < 30
