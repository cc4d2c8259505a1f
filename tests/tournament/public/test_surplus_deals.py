"""Deals that came after the end of play, once a correction has made a game end earlier: on record, in sight
of everybody, and counted nowhere.
"""

import io
import re
from fractions import Fraction
from uuid import uuid4

import pytest
from openpyxl import load_workbook

from referee.services import deals
from tests.referee.conftest import Hall, losing_record, open_hall
from tournament.excel.writing import result_workbook
from tournament.models import Publication
from tournament.points import show_points
from tournament.queries.payloads import points_json
from tournament.queries.published import Published
from tournament.queries.standings import event_standings
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish

pytestmark = pytest.mark.django_db
What = Publication.What


@pytest.fixture
def hall() -> Hall:
    """Three deals played, all checked; then the first is corrected, and ends the game by itself."""
    hall = open_hall()
    for number in (1, 2, 3):
        hall.record(number)
        hall.check(number)
    deals.correct_deal(
        actor=hall.chief,
        deal=hall.deal(1),
        version=1,
        record=losing_record(),
        entered_seat="N",
        reason="记错",
        command_id=uuid4(),
    )
    publish(actor=SYSTEM, round=hall.table.draw.round, what=What.DRAW)
    return hall


def published_table(hall: Hall) -> dict:
    round_ = hall.table.draw.round
    return publish(actor=SYSTEM, round=round_, what=What.RESULTS).payload["tables"][0]


def scores(hall: Hall, number: int) -> dict[str, int]:
    return hall.versions(number)[-1].answer["credited"]


def by_seat(table: dict) -> dict[str, dict]:
    lines = {line["entry"]: line for line in table["lines"]}
    return {seat["direction"]: lines[seat["entry"]] for seat in table["seats"]}


def test_surplus_deals_count_nothing_while_the_correction_waits_for_its_check(hall: Hall) -> None:
    table = published_table(hall)
    assert table["unchecked"] == 1
    assert [(deal["number"], deal["counts"]) for deal in table["deals"]] == [(2, False), (3, False)]
    assert {line["points"] for line in table["lines"]} == {None}
    assert not table["complete"]


def test_surplus_deals_count_nothing_once_all_is_checked(hall: Hall) -> None:
    hall.check(1)
    table = published_table(hall)
    assert [deal["counts"] for deal in table["deals"]] == [True, False, False]
    assert {seat: line["points"] for seat, line in by_seat(table).items()} == scores(hall, 1)
    assert {(line["deals"], line["complete"]) for line in table["lines"]} == {(1, True)}


def test_an_unchecked_surplus_deal_holds_nothing_back(hall: Hall) -> None:
    hall.check(1)
    deals.correct_deal(
        actor=hall.chief,
        deal=hall.deal(3),
        version=1,
        record=hall.random_record(1),
        reason="记错",
        command_id=uuid4(),
    )
    table = published_table(hall)
    assert table["unchecked"] == 0
    assert {line["complete"] for line in table["lines"]} == {True}


def test_the_public_page_shows_surplus_deals_as_not_counted(hall: Hall, client) -> None:
    hall.check(1)
    published_table(hall)
    tournament, event = hall.event.tournament.slug, hall.event.slug
    page = client.get(
        f"/t/{tournament}/{event}/round/1/table/1/", headers={"accept-language": "en"}
    ).content.decode()
    first, second, third = page.split('id="deal-')[1:]
    assert "not counted" not in first
    assert "not counted" in second
    assert "not counted" in third
    totals = re.findall(r'<td class="num">([^<]*)</td>', page.split("<tfoot>")[1].split("</tfoot>")[0])
    assert totals == [show_points(scores(hall, 1)[seat]) for seat in "NWSE"]


def test_standings_published_and_internal_agree(hall: Hall) -> None:
    hall.check(1)
    published_table(hall)
    inside = {row.entry.number: row.total for row in event_standings(hall.event).rows}
    outside = {row.entry.number: row.total for row in event_standings(hall.event, published_only=True).rows}
    assert inside == outside
    payload = Published(hall.event).payload(What.RESULTS, 1)
    for line in payload["tables"][0]["lines"]:
        assert points_json(inside[line["entry"]]) == line["points"]


def test_the_workbook_sums_only_what_counts_and_says_so(hall: Hall) -> None:
    hall.check(1)
    book = load_workbook(io.BytesIO(result_workbook(hall.event, "en")))
    heading, *rows = book["Deals"].iter_rows(values_only=True)
    states = [row[heading.index("State")] for row in rows]
    assert [state.startswith("not counted") for state in states] == [False, True, True]
    values = load_workbook(io.BytesIO(result_workbook(hall.event, "en")), data_only=True)["Results"]
    heading, *rows = values.iter_rows(values_only=True)
    shown = {row[heading.index("Number")]: row for row in rows}
    results = {row.entry.number: row.total for row in event_standings(hall.event).rows}
    at_table = [seat.entry.number for seat in hall.table.seats.all()]
    points = heading.index("Points")
    assert {number: Fraction(shown[number][points]) for number in at_table} == {
        number: results[number] for number in at_table
    }
    # What is summed is the first row of the deals alone: that of the deal that counts.
    formulas = {row[points] for row in book["Results"].iter_rows(values_only=True) if row[points]}
    assert {re.sub("[A-Z]", "", text.split("!")[1]) for text in formulas if text.startswith("=")} == {"2:2)"}
