"""The result workbook in LibreOffice: every total, recalculated there from the deals, is the one we show."""

import io
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from openpyxl import load_workbook

from tests.tournament.excel.events import individual_event, pairs_event, thirds_event
from tournament.excel.writing import result_workbook, tournament_workbook
from tournament.models import Event
from tournament.queries.standings import event_standings

pytestmark = pytest.mark.django_db

_STORED_RESULT = re.compile(r"(<f>[^<]*</f>)<v>[^<]*</v>")
STANDINGS, DEALS = "Standings", "Deals"


def without_results(data: bytes) -> bytes:
    """The workbook with its formulas but not what they come to, so that LibreOffice has to work it out."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            if name.startswith("xl/worksheets/"):
                part = _STORED_RESULT.sub(r"\1", part.decode()).encode()
            new.writestr(name, part)
    return stream.getvalue()


@pytest.fixture(scope="module")
def recalculate(tmp_path_factory):
    """Opens a workbook in LibreOffice, recalculates and saves it there; answers the values by sheet."""
    program = shutil.which("soffice") or shutil.which("libreoffice")
    assert program, "LibreOffice Calc is needed for these tests"
    folder = tmp_path_factory.mktemp("libreoffice")

    def run(data: bytes) -> dict[str, list[tuple]]:
        source, target = folder / "workbook.xlsx", folder / "out"
        source.write_bytes(data)
        shutil.rmtree(target, ignore_errors=True)
        subprocess.run(
            [
                program,
                f"-env:UserInstallation={(folder / 'profile').as_uri()}",
                "--headless",
                "--norestore",
                "--convert-to",
                "xlsx",
                "--outdir",
                str(target),
                str(source),
            ],
            check=True,
            timeout=120,
            capture_output=True,
        )
        return values(Path(target, "workbook.xlsx").read_bytes())

    return run


def values(data: bytes) -> dict[str, list[tuple]]:
    workbook = load_workbook(io.BytesIO(data), data_only=True)
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in workbook}


def formulas(data: bytes) -> list[tuple[str, int, int]]:
    """Sheet, row and column of every formula."""
    return [
        (sheet.title, cell.row, cell.column)
        for sheet in load_workbook(io.BytesIO(data))
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f"
    ]


def pig_sheep_event() -> Event:
    return individual_event(kind=Event.Kind.PIG_SHEEP)


@pytest.mark.parametrize("make", [individual_event, pairs_event, pig_sheep_event, thirds_event])
def test_totals_recomputed_are_the_totals_shown(make, recalculate):
    event = make()
    data = result_workbook(event, "en")
    ours, theirs = values(data), recalculate(without_results(data))
    places = formulas(data)
    rows = len(event_standings(event).rows)
    assert len(places) >= 4 * rows  # rank, rounds, penalties and total of each line, and what they stand on
    wrong = [
        (sheet, row, column, ours[sheet][row - 1][column - 1], theirs[sheet][row - 1][column - 1])
        for sheet, row, column in places
        if theirs[sheet][row - 1][column - 1] != pytest.approx(ours[sheet][row - 1][column - 1], abs=1e-6)
    ]
    assert not wrong
    heading = theirs[STANDINGS][0]
    total, number, rank = heading.index("Total"), heading.index("Number"), heading.index("Rank")
    shown = {row[number]: (row[rank], row[total]) for row in theirs[STANDINGS][1:]}
    for line in event_standings(event).rows:
        assert shown[line.entry.number] == (line.rank, pytest.approx(float(line.total), abs=1e-6))


def test_the_workbook_of_a_tournament_recomputes_to_the_same_medals_and_charts(recalculate):
    event = individual_event()
    pairs_event(tournament=event.tournament)
    Event.objects.update(state=Event.State.FINISHED)
    data = tournament_workbook(event.tournament, "en")
    ours, theirs = values(data), recalculate(without_results(data))
    places = formulas(data)
    assert {"Medals", "个人赛 Charts"} <= {sheet for sheet, _row, _column in places}
    wrong = [
        (sheet, row, column)
        for sheet, row, column in places
        if theirs[sheet][row - 1][column - 1] != pytest.approx(ours[sheet][row - 1][column - 1], abs=1e-6)
    ]
    assert not wrong


def test_a_changed_score_moves_the_total(recalculate):
    """The totals hang on the deals; they are no copies."""
    event = individual_event()
    data = result_workbook(event, "en")
    workbook = load_workbook(io.BytesIO(data))
    deals, results = workbook[DEALS], workbook["Results"]
    heading = [cell.value for cell in deals[1]]
    seat = heading.index("North score") + 1
    deals.cell(2, seat).value += 5000
    north = workbook["Pairings"].cell(2, 4).value
    assert results.cell(2, 3).value is not None
    stream = io.BytesIO()
    workbook.save(stream)
    before, after = values(data)[STANDINGS], recalculate(stream.getvalue())[STANDINGS]
    total, number, rank = (before[0].index(name) for name in ("Total", "Number", "Rank"))
    changed = {
        new[number]: new[total] - old[total]
        for old, new in zip(before[1:], after[1:], strict=True)
        if new[total] != old[total]
    }
    assert changed == {north: 5000}
    assert next(row for row in after if row[number] == north)[rank] == 1


def test_texts_like_formulas_stay_text(recalculate):
    event = individual_event()
    theirs = recalculate(without_results(result_workbook(event, "en")))
    names = {row[2] for row in theirs[STANDINGS][1:]}
    assert {"=1+1", "+86 王伟", "-减号", "@某人"} <= names
    assert "=cmd|' /C calc'!A0" in {row[7] for row in theirs["Penalties"][1:]}
