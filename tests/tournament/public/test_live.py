"""Results published by themselves as deals are checked: what, when, and at what price."""

import threading
from collections import Counter
from datetime import timedelta
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from referee.models import DealCheck, DealVersion
from referee.services.appeals import set_appeal_minutes
from tests.played import given_penalty, played_deal, played_event, played_round
from tests.tournament.public.live_event import Live, What, checked, live_event, results_of, tables_of
from tournament import tasks
from tournament.models import AuditRow, Draw, Table
from tournament.queries.payloads import results_payload
from tournament.queries.published import Published
from tournament.queries.results_sheet import results_sheet
from tournament.queries.standings_payload import standings_payload
from tournament.services import live
from tournament.services import publish as publishing
from tournament.services.audit import SYSTEM
from tournament.services.live import announce_waiting, mark_round, mark_table, publish_marked
from tournament.services.publicity import hold_round_back, release_round, set_publicity
from tournament.services.publish import publish, withdraw_publication
from tournament.tasks.soon import Soon

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return live_event()


def test_a_checked_deal_is_public_after_the_next_turn(client, event):
    table = tables_of(event)[0]
    checked(table, 1)
    assert publish_marked(event_id=event.pk) == 1
    (publication,) = results_of(event)
    assert (publication.version, publication.live, publication.minor) == (1, True, 0)
    shown = {row["number"]: len(row["deals"]) for row in publication.payload["tables"]}
    assert shown == {1: 1, 2: 0}


def test_an_unchecked_deal_is_not(event):
    first, second = tables_of(event)
    checked(first, 1)
    checked(second, 1, checked=False)
    publish_marked(event_id=event.pk)
    assert [len(row["deals"]) for row in results_of(event).get().payload["tables"]] == [1, 0]


def test_where_the_organiser_publishes_by_hand_nothing_happens(event):
    event = set_publicity(actor=SYSTEM, event=event, visibility="auto", live=Live.HAND)
    Table.objects.update(live_pending=None)
    checked(tables_of(event)[0], 1)
    assert publish_marked(event_id=event.pk) == 0
    assert not results_of(event).exists()
    assert not Table.objects.filter(live_pending__isnull=False).exists()


def test_a_burst_of_deals_is_one_step_and_a_round_has_one_payload(event):
    for number in range(1, 6):
        for table in tables_of(event):
            checked(table, number)
        assert publish_marked(event_id=event.pk) == 1
    publication = results_of(event).get()  # one row for ten deals
    assert (publication.version, publication.minor) == (1, 4)
    assert [len(row["deals"]) for row in publication.payload["tables"]] == [5, 5]
    assert AuditRow.objects.filter(action="publication.live").count() == 1


def test_nothing_new_is_no_step(event):
    checked(tables_of(event)[0], 1)
    publish_marked(event_id=event.pk)
    mark_table(tables_of(event)[0])
    assert publish_marked(event_id=event.pk) == 0
    assert publish_marked(event_id=event.pk) == 0
    assert results_of(event).get().minor == 0


def test_the_organisers_version_stands_beside_the_live_one_and_live_goes_on_after_it(event):
    table = tables_of(event)[0]
    round = table.draw.round
    checked(table, 1)
    publish_marked(event_id=event.pk)
    by_hand = publish(actor=SYSTEM, round=round, what=What.RESULTS, note="第一节结束")
    assert (by_hand.version, by_hand.live) == (2, False)
    checked(table, 2)
    publish_marked(event_id=event.pk)
    rows = [(one.version, one.live, len(one.payload["tables"][0]["deals"])) for one in results_of(event)]
    assert rows == [(1, True, 1), (2, False, 1), (3, True, 2)]


def test_nothing_is_called_provisional_in_play_and_a_correction_begins_the_time_for_appeals_anew(event):
    set_appeal_minutes(actor=SYSTEM, event=event, minutes=30)
    table = tables_of(event)[0]
    checked(table, 1)
    publish_marked(event_id=event.pk)
    checked(table, 2)
    publish_marked(event_id=event.pk)
    assert results_of(event).get().final_at is None
    publish(actor=SYSTEM, round=event.rounds.get(number=1), what=What.RESULTS)
    for number in (3, 4):  # as corrections would: a live version of its own, then the same carried on
        late = timezone.now() - timedelta(hours=1)
        results_of(event).update(final_at=late)
        checked(table, number)
        publish_marked(event_id=event.pk)
        newest = results_of(event).latest("version")
        assert (newest.live, newest.final_at > timezone.now()) == (True, True)


def test_standings_follow_where_the_organiser_wants_them(event):
    set_publicity(actor=SYSTEM, event=event, visibility="auto", live=Live.STANDINGS)
    checked(tables_of(event)[0], 1)
    assert publish_marked(event_id=event.pk) == 2
    payload = Published(event).payload(What.STANDINGS, 1)
    assert sum(row["total"] != 0 for row in payload["rows"]) >= 1


def test_a_round_held_back_is_passed_over_and_follows_once_released(event):
    table = tables_of(event)[0]
    hold_round_back(actor=SYSTEM, round=table.draw.round, reason="决赛前")
    checked(table, 1)
    assert publish_marked(event_id=event.pk) == 0
    release_round(actor=SYSTEM, round=table.draw.round)
    assert publish_marked(event_id=event.pk) == 1


def test_a_penalty_follows_too(event):
    checked(tables_of(event)[0], 1)
    publish_marked(event_id=event.pk)
    given_penalty(event.entries.get(number=1), -30)
    mark_round(event.rounds.get(number=1))
    publish_marked(event_id=event.pk)
    assert [one["points"] for one in results_of(event).get().payload["penalties"]] == [-30]


def test_what_was_taken_off_comes_back_whole_with_the_next_deal(event):
    first, second = tables_of(event)
    checked(first, 1)
    publish_marked(event_id=event.pk)
    withdraw_publication(actor=SYSTEM, publication=results_of(event).get(), reason="x")
    checked(second, 1)
    publish_marked(event_id=event.pk)
    newest = results_of(event).order_by("-version").first()
    assert (newest.version, [len(row["deals"]) for row in newest.payload["tables"]]) == (3, [1, 1])


def test_turning_it_on_publishes_what_was_checked_before(event):
    set_publicity(actor=SYSTEM, event=event, visibility="auto", live=Live.HAND)
    played_deal(tables_of(event)[0], 1)
    set_publicity(actor=SYSTEM, event=event, visibility="auto", live=Live.RESULTS)
    assert publish_marked(event_id=event.pk) == 1


def test_a_withdrawn_draw_publishes_nothing(event):
    table = tables_of(event)[0]
    checked(table, 1)
    Draw.objects.filter(pk=table.draw_id).update(state=Draw.State.WITHDRAWN)
    assert publish_marked(event_id=event.pk) == 0


def test_marks_survive_a_fault(event, monkeypatch):
    checked(tables_of(event)[0], 1)
    with monkeypatch.context() as broken:
        broken.setattr(live, "payload_of", lambda *_args: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            publish_marked(event_id=event.pk)
    assert publish_marked(event_id=event.pk) == 1


def test_what_changes_while_its_table_is_being_published_is_published_next(event, monkeypatch):
    table = tables_of(event)[0]
    checked(table, 1)
    read = live.results_payload

    def slow(draw, **fields):
        payload = read(draw, **fields)
        if table.deals.count() == 1:
            checked(table, 2)  # too late for this turn
        return payload

    monkeypatch.setattr(publishing, "results_payload", slow)
    publish_marked(event_id=event.pk)
    assert [len(row["deals"]) for row in results_of(event).get().payload["tables"]] == [1, 0]
    assert publish_marked(event_id=event.pk) == 1
    assert [len(row["deals"]) for row in results_of(event).get().payload["tables"]] == [2, 0]


def test_a_turn_that_dies_between_results_and_standings_is_made_up_for_by_the_next(event, monkeypatch):
    set_publicity(actor=SYSTEM, event=event, visibility="auto", live=Live.STANDINGS)
    checked(tables_of(event)[0], 1)

    class Died(BaseException):
        """Nothing gets to tidy up."""

    def dies(*_args):
        raise Died

    with monkeypatch.context() as broken:
        broken.setattr(publishing, "standings_payload", dies)
        with pytest.raises(Died):
            publish_marked(event_id=event.pk)
    assert Published(event).rounds(What.RESULTS) == [1]
    assert Published(event).rounds(What.STANDINGS) == []
    publish_marked(event_id=event.pk)
    assert Published(event).rounds(What.STANDINGS) == [1]


@pytest.mark.parametrize("by_hand", [False, True])
def test_the_sheet_beside_a_payload_is_always_that_of_the_payload(event, by_hand):
    first, second = tables_of(event)
    for number in (1, 2):
        checked(first, number)
        publish_marked(event_id=event.pk)
    checked(second, 1)
    given_penalty(event.entries.get(number=1), -30)
    if by_hand:
        publish(actor=SYSTEM, round=first.draw.round, what=What.RESULTS)
    else:
        mark_round(event.rounds.get(number=1))
        publish_marked(event_id=event.pk)
    newest = results_of(event).order_by("-version").first()
    assert newest.sheet == results_sheet(What.RESULTS, newest.payload)
    assert [len(table["lines"]) for table in newest.sheet["tables"]] == [4, 4]
    assert newest.sheet["penalties"][0]["points"] == -30


def test_standings_are_made_without_reading_a_deal(event):
    checked(tables_of(event)[0], 1)
    publish_marked(event_id=event.pk)
    with CaptureQueriesContext(connection) as found:
        standings_payload(event, 1)
    assert not [one["sql"] for one in found if '"payload"' in one["sql"]]


def test_a_version_published_meanwhile_is_not_replaced_by_an_older_one(event, monkeypatch):
    """Somebody publishes a newer state while ours is being read: ours is read again."""
    first, second = tables_of(event)
    checked(first, 1)
    publish_marked(event_id=event.pk)
    checked(first, 2)
    read, others = live.results_payload, []

    def slow(draw, **fields):
        payload = read(draw, **fields)
        if not others:
            played_deal(second, 1)
            others.append(publish(actor=SYSTEM, round=draw.round, what=What.RESULTS, note="手动"))
        return payload

    monkeypatch.setattr(live, "results_payload", slow)
    publish_marked(event_id=event.pk)
    newest = results_of(event).order_by("-version").first()
    assert [len(row["deals"]) for row in newest.payload["tables"]] == [2, 1]


@pytest.mark.parametrize("seed", range(4))
def test_carried_on_table_by_table_a_payload_is_the_one_made_whole(event, seed):
    chance = Random(seed)
    counts = Counter()
    for _step in range(12):
        table = chance.choice(tables_of(event))
        unchecked = DealVersion.objects.filter(deal__table=table, check_row=None).first()
        if unchecked and chance.random() < 0.5:
            DealCheck.objects.create(version=unchecked, relation=DealCheck.Relation.NEXT, seat="W")
            mark_table(table)
        elif counts[table.pk] and chance.random() < 0.3:
            checked(table, chance.randint(1, counts[table.pk]), seed=_step)  # a correction
        else:
            counts[table.pk] += 1
            checked(table, counts[table.pk], checked=chance.random() < 0.7)
        publish_marked(event_id=event.pk)
        found = results_of(event).first()
        if found is not None:
            assert found.payload == results_payload(event.rounds.get(number=1).draws.get())


def _statements(event):
    with CaptureQueriesContext(
        connection,
    ) as found:
        publish_marked(event_id=event.pk)
    return len(found)


def test_the_price_of_a_deal_does_not_depend_on_the_number_of_events_or_rounds(event):
    first, second = tables_of(event)
    checked(first, 1)
    publish_marked(event_id=event.pk)
    checked(first, 2)
    alone = _statements(event)
    for number in range(20):
        other = played_event(["甲", "乙", "丙", "丁"], tournament=event.tournament, slug=f"other-{number}")
        draw = played_round(other, 1, deals=1)
        publish(actor=SYSTEM, round=draw.round, what=What.DRAW)
        publish(actor=SYSTEM, round=draw.round, what=What.RESULTS)
    checked(first, 3)
    assert _statements(event) == alone
    checked(second, 1)
    assert _statements(event) == alone


# --- turns ----------------------------------------------------------------------------------------------


def test_a_check_calls_for_a_turn_after_its_commit(event, monkeypatch, django_capture_on_commit_callbacks):
    called = []
    monkeypatch.setattr(tasks.soon, "call", called.append)
    with django_capture_on_commit_callbacks(execute=True):
        checked(tables_of(event)[0], 1)
    assert set(called) == {event.pk}


def test_what_a_killed_process_left_is_called_for_again_and_nothing_else_is(event, monkeypatch):
    called = []
    monkeypatch.setattr(tasks.soon, "call", called.append)
    publish_marked(event_id=live_event().pk)  # nothing of it waits
    by_hand = live_event()
    checked(tables_of(by_hand)[0], 1)
    type(by_hand).objects.filter(pk=by_hand.pk).update(live=Live.HAND)
    publish_marked(event_id=event.pk)
    announce_waiting()
    assert called == []
    checked(tables_of(event)[0], 1)  # its call is lost with the process
    announce_waiting()
    given_penalty(event.entries.get(number=1))
    mark_round(event.rounds.get(number=1))
    announce_waiting()
    assert called == [event.pk] * 2
    publish_marked(event_id=event.pk)
    announce_waiting()
    assert called == [event.pk] * 2


def test_calls_in_a_burst_are_one_turn_and_a_late_one_gets_another():
    turns, go, begun = [], threading.Event(), threading.Event()

    def work(key):
        turns.append(key)
        begun.set()
        go.wait(5)

    soon = Soon(work, wait=0.01)
    for _ in range(50):
        soon.call(7)
    assert begun.wait(5)
    soon.call(7)  # while the first turn is under way
    go.set()
    _wait_until_idle(soon)
    assert turns == [7, 7]


def test_a_fault_does_not_end_the_turns(caplog):
    turns = []

    def work(key):
        turns.append(key)
        raise ValueError("broken")

    soon = Soon(work, wait=0.001)
    soon.call(1)
    _wait_until_idle(soon)
    assert turns == [1] * Soon.ATTEMPTS
    soon.call(1)
    _wait_until_idle(soon)
    assert turns == [1] * Soon.ATTEMPTS * 2
    assert "could not be done" in caplog.text


def test_a_turn_that_failed_is_taken_again_until_it_succeeds():
    outcomes = [OSError("locked"), OSError("locked"), None]

    def work(_key):
        if fault := outcomes.pop(0):
            raise fault

    soon = Soon(work, wait=0.001)
    soon.call(1)
    _wait_until_idle(soon)
    assert outcomes == []


def _wait_until_idle(soon):
    for one in threading.enumerate():
        if one.name.startswith("soon-"):
            one.join(5)
    assert not soon._called


def test_rounds_without_a_mark_are_not_read(event, django_assert_num_queries):
    publish_marked(event_id=event.pk)
    with django_assert_num_queries(2):
        publish_marked(event_id=event.pk)
