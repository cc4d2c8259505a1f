"""The workbook of a whole tournament: every event's sheets, medals by club; and the charts of each event."""

import io
import zipfile

import pytest
from openpyxl import load_workbook

from tests.played import given_penalty, played_event
from tests.tournament.excel.events import individual_event, pairs_event
from tournament.excel.style import lines_of, sheet_title
from tournament.excel.writing import result_workbook, tournament_workbook
from tournament.models import Event
from tournament.queries.standings import event_standings


@pytest.fixture
def tournament(db):
    first = individual_event(name="个人赛：决赛/A")
    pairs_event(tournament=first.tournament, slug="pairs", name="双人赛" * 15)
    return first.tournament


def opened(data):
    return load_workbook(io.BytesIO(data), data_only=True)


def table(sheet):
    heading, *rows = sheet.iter_rows(values_only=True)
    return [dict(zip(heading, row, strict=True)) for row in rows]


def test_every_event_has_its_sheets_under_names_that_excel_takes(tournament):
    workbook = opened(tournament_workbook(tournament, "en"))
    names = workbook.sheetnames
    assert names[:3] == ["Events", "Medals", "Prize winners"]
    assert len(names) == 3 + 2 * 8
    assert len({name.casefold() for name in names}) == len(names)
    assert all(len(name) <= 31 and not set(name) & set("[]:*?/\\") for name in names)
    assert names[3] == "个人赛：决赛·A Standings"


def test_medals_are_those_of_finished_events_by_club(tournament):
    event = tournament.events.first()
    given_penalty(event.entries.get(number=2), -1)
    assert table(opened(tournament_workbook(tournament, "en"))["Prize winners"]) == []
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    workbook = opened(tournament_workbook(tournament, "en"))
    winners = table(workbook["Prize winners"])
    ranked = [row for row in event_standings(event).rows if row.rank <= 3]
    assert [(one["Rank"], one["Entry"]) for one in winners] == [(row.rank, row.entry.name) for row in ranked]
    medals = table(workbook["Medals"])
    assert sum(one["Medals"] for one in medals) == len(ranked)
    best = ranked[0].entry
    assert (medals[0]["Club"], medals[0]["gold"]) == (best.club or best.name, 1)


def test_charts_stand_on_figures_of_the_other_sheets(tournament):
    event = tournament.events.first()
    data = result_workbook(event, "en")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert [name for name in archive.namelist() if "charts/chart" in name] == [
            "xl/charts/chart1.xml",
            "xl/charts/chart2.xml",
        ]
    sheet = opened(data)["Charts"]
    heading, *rows = sheet.iter_rows(values_only=True)
    standings = event_standings(event)
    assert list(heading[1:9]) == [row.entry.name for row in standings.rows[:8]]
    totals = [row for row in rows if row[0] is not None]
    assert list(totals[-1][1:9]) == [row.total - row.penalties for row in standings.rows[:8]]
    deals = opened(data)["Deals"]
    titles = [cell.value for cell in deals[1]]
    columns = [place for place, title in enumerate(titles) if str(title).endswith(" score")]
    scores = [row[place] for row in deals.iter_rows(min_row=2, values_only=True) for place in columns]
    assert sum(row[-1] or 0 for row in rows) == sum(score is not None for score in scores)


def test_an_event_without_a_round_has_no_charts(tournament):
    empty = played_event(["甲", "乙", "丙", "丁"], tournament=tournament, slug="empty")
    with zipfile.ZipFile(io.BytesIO(result_workbook(empty, "en"))) as archive:
        assert not [name for name in archive.namelist() if "charts/chart" in name]


def test_every_event_read_and_every_sheet_written_is_told_as_a_step(tournament):
    """The last step, packing the file, is done with the file."""
    told = []
    tournament_workbook(tournament, "en", lambda done, steps: told.append((done, steps)))
    assert told == [(done, 19) for done in range(1, 19)]
    told.clear()
    result_workbook(tournament.events.first(), "en", lambda done, steps: told.append((done, steps)))
    assert told == [(done, 10) for done in range(1, 10)]


@pytest.mark.parametrize(
    ("text", "used", "title"),
    [
        ("成绩", (), "成绩"),
        ("a/b:c", (), "a·b·c"),
        ("A", ("a",), "A (2)"),
        ("A", ("a", "a (2)"), "A (3)"),
        ("History", (), "History (2)"),
        ("", (), "(2)"),
        ("'x'", (), "x"),
        ("长" * 40, ("长" * 31,), "长" * 25 + " (2)"),
        ("a\x00b\nc", (), "ab c"),
    ],
)
def test_names_of_sheets(text, used, title):
    assert sheet_title(text, used) == title


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [("Rank", 7, 1), ("Points at entry", 9, 3), ("Score from", 9, 2), ("首轮得分合计", 8, 2), ("", 5, 1)],
)
def test_headings_get_as_many_lines_as_they_need(text, width, lines):
    assert lines_of(text, width) == lines
