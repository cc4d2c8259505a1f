"""Penalties from a list: given once however often it arrives, what is wrong told by cell."""

import io

import pytest
from django.utils import translation
from openpyxl import load_workbook

from referee.models import Penalty
from referee.queries.catalogue import catalogue_of
from tests.pages import hidden_fields
from tests.tournament.excel.events import individual_event
from tests.tournament.excel.files import xlsx
from tests.tournament.views.files import as_upload
from tournament.excel.penalty_lists import read_penalties
from tournament.excel.writing import result_workbook
from tournament.models import AuditRow

pytestmark = pytest.mark.django_db
PAGE = "/manage/t/cup/e/singles/penalties/"
HEAD = ["Round", "Table", "Deal", "Number", "Player", "Rule", "Reason", "Points"]


@pytest.fixture
def event(tournament):
    return individual_event(tournament=tournament, slug="singles")


@pytest.fixture
def bring(organiser, event, send):
    def run(*rows, data=None):
        return send(f"{PAGE}import/", {"file": as_upload(data or xlsx([HEAD, *rows]))})

    return run


def confirmed(organiser, page):
    address = f"{PAGE}import/confirm/"
    return organiser.post(address, hidden_fields(page.content.decode(), address))


def test_a_list_is_previewed_given_and_given_once(organiser, event, bring):
    before = Penalty.objects.count()
    line = ["１", 1, 2, 3, "", "迟到", "晚到十分钟", "−２５"]
    page = bring(line)
    assert page.status_code == 200
    assert Penalty.objects.count() == before
    for _again in range(2):
        assert confirmed(organiser, page).headers["Location"] == PAGE
    given = Penalty.objects.latest("id")
    assert (given.entry.number, given.round.number, given.table.number, given.deal.number) == (3, 1, 1, 2)
    assert (given.points, given.rule, given.reason) == (-25, "迟到", "晚到十分钟")
    assert Penalty.objects.count() == before + 1
    assert AuditRow.objects.get(action="penalties.import").after["new"] == 1
    assert "The list says nothing new." in bring(line).content.decode()
    two = bring(line, line)
    assert "Give 1 penalty" in two.content.decode()


def test_the_penalties_of_a_result_workbook_are_all_there(organiser, event, bring):
    assert f'href="{PAGE}import/"' in organiser.get(PAGE).content.decode()
    data = result_workbook(event, "zh-hans")
    found = read_penalties(data)
    assert len(found.rows) == Penalty.objects.count() == 3
    assert not found.faults
    assert "The list says nothing new." in bring(data=data).content.decode()


def test_what_is_wrong_is_told_by_cell_and_nothing_is_given(organiser, event, bring):
    before = Penalty.objects.count()
    page = bring(
        [9, "", "", 99, "", "迟到", "x", -5],
        [1, 7, "", 1, "某人", "迟到", "x", "viel"],
        [1, 1, 99, 1, "", "迟到", "x", -999999],
        [1, "", "", 1, "", "", "x", -5],
        [1, "", "", 1, "", "迟到", "x", -5],
    )
    told = page.content.decode()
    assert page.status_code == 400
    for text in (
        "D2: There is no entry with number 99.",
        "A2: There is no round 9.",
        "H3: “viel” is not a number of points.",
        "C4: Deal 99 is not recorded.",
        "F5: ",
    ):
        assert text in told
    assert f"{PAGE}import/confirm/" not in told
    assert Penalty.objects.count() == before
    assert not AuditRow.objects.filter(action="penalty.give").exists()


def test_a_line_under_an_article_needs_no_reason_and_any_other_does(organiser, event, bring):
    before = Penalty.objects.count()
    with translation.override("zh-hans"):
        article = catalogue_of(event.tournament, event)[0].rule
    under = [1, "", "", 1, "", article, "", -5]
    page = bring(under, [1, "", "", 2, "", "迟到", "", -5])
    assert "G3: Please state the reason." in page.content.decode()
    without = [cell for cell in HEAD if cell != "Reason"]
    page = bring(data=xlsx([without, [*under[:6], under[7]]]))
    assert confirmed(organiser, page).headers["Location"] == PAGE
    assert Penalty.objects.latest("id").reason == article
    assert Penalty.objects.count() == before + 1
    assert "The list says nothing new." in bring(under).content.decode()


def test_the_empty_list_has_the_headings_it_is_read_by(organiser, event):
    answer = organiser.get(f"{PAGE}template.xlsx")
    data = b"".join(answer.streaming_content)
    assert [cell.value for cell in load_workbook(io.BytesIO(data)).worksheets[0][1]] == [
        *HEAD[:5],
        "Rule",
        "Reason",
        "Points",
    ]
    assert [str(fault) for fault in read_penalties(data).faults]


def test_a_file_without_headings_is_refused(bring):
    assert bring(data=xlsx([["姓名"], ["张三"]])).status_code == 400
