"""Workbooks that take a while: ordered, watched, downloaded by whoever ordered them, gone after a day."""

import io
from datetime import timedelta
from unittest import mock

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone
from kombu.exceptions import OperationalError
from openpyxl import load_workbook

from tests.tournament.excel.events import individual_event
from tournament.models import Round, WorkbookOrder
from tournament.tasks import workbooks

pytestmark = pytest.mark.django_db
PAGE = "/manage/t/cup/workbooks/"


@pytest.fixture
def event(tournament):
    return individual_event(tournament=tournament, slug="singles")


@pytest.fixture
def order(organiser, event, send, django_capture_on_commit_callbacks):
    """A workbook of the tournament that was ordered and made."""
    with django_capture_on_commit_callbacks(execute=True):
        assert send(PAGE, {}).headers["Location"] == PAGE
    return WorkbookOrder.objects.get()


def test_the_workbook_of_a_tournament_is_ordered_made_and_downloaded(organiser, order):
    # A step for each sheet and one, the last, for the file.
    assert (order.state, order.done, order.steps) == ("ready", 9, 10)
    page = organiser.get(PAGE).content.decode()
    address = f"{PAGE}{order.pk}/results.xlsx"
    assert f'href="{address}"' in page
    assert "http-equiv" not in page  # nothing to wait for
    data = b"".join(organiser.get(address).streaming_content)
    assert load_workbook(io.BytesIO(data)).sheetnames[:3] == ["Events", "Medals", "Prize winners"]


def test_it_is_gone_once_it_has_expired(organiser, order, send, django_capture_on_commit_callbacks):
    WorkbookOrder.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    assert organiser.get(f"{PAGE}{order.pk}/results.xlsx").status_code == 404
    with django_capture_on_commit_callbacks(execute=True):
        send(PAGE, {})
    assert list(WorkbookOrder.objects.values_list("state", flat=True)) == ["ready"]
    assert not WorkbookOrder.objects.filter(pk=order.pk).exists()


def test_while_it_is_made_the_page_shows_how_far_and_asks_again(organiser, event, send):
    send(PAGE, {})
    send(PAGE, {})  # one under way is taken, not ordered twice
    WorkbookOrder.objects.get()
    WorkbookOrder.objects.update(state="working", done=3, steps=9)
    page = organiser.get(PAGE).content.decode()
    assert '<progress max="9" value="3"' in page
    assert 'http-equiv="refresh"' in page
    WorkbookOrder.objects.update(sign_of_life=timezone.now() - workbooks.LOST_AFTER)
    page = organiser.get(PAGE).content.decode()
    assert "It could not be made." in page
    assert 'http-equiv="refresh"' not in page


def test_a_large_event_is_ordered_and_a_small_one_comes_at_once(
    organiser, event, send, monkeypatch, django_capture_on_commit_callbacks
):
    address = "/manage/t/cup/e/singles/"
    assert organiser.get(f"{address}results.xlsx").status_code == 200
    monkeypatch.setattr(workbooks, "MOST_DEALS_AT_ONCE", 1)
    assert organiser.get(f"{address}results.xlsx").headers["Location"] == f"{address}results/order/"
    assert not WorkbookOrder.objects.exists()
    with django_capture_on_commit_callbacks(execute=True):
        assert send(f"{address}results/order/", {}).headers["Location"] == PAGE
    order = WorkbookOrder.objects.get()
    assert (order.event, order.state) == (event, "ready")


def test_with_the_broker_gone_it_is_made_all_the_same(event, send, django_capture_on_commit_callbacks):
    broken = mock.patch.object(workbooks.make_workbook, "delay", side_effect=OperationalError)
    with broken, django_capture_on_commit_callbacks(execute=True):
        send(PAGE, {})
    assert WorkbookOrder.objects.get().state == "ready"


def test_a_fault_is_told_and_logged(organiser, event, send, caplog, django_capture_on_commit_callbacks):
    broken = mock.patch.object(workbooks, "tournament_workbook", side_effect=ZeroDivisionError)
    with broken, django_capture_on_commit_callbacks(execute=True):
        send(PAGE, {})
    assert WorkbookOrder.objects.get().state == "failed"
    assert "could not be carried out" in caplog.text
    assert "It could not be made." in organiser.get(PAGE).content.decode()


def test_colleagues_are_named_as_they_are_known(organiser, event, order):
    """Whoever has a full name is not shown by the log-in name, here as on the page of a round."""
    get_user_model().objects.filter(username="organiser").update(first_name="苏文远")
    Round.objects.update(state="closed", closed_at=timezone.now(), closed_by=order.ordered_by)
    for page in (PAGE, "/manage/t/cup/e/singles/rounds/1/"):
        assert organiser.get(page).content.decode().count("苏文远") == 1
