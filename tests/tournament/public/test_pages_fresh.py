"""Stored pages after each kind of change: none that is served is old, none is voided without need."""

import gzip
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.played import drawn_round, given_penalty, played_deal
from tests.tournament.public.live_event import Live, What, checked, live_event, results_of, tables_of
from tournament import tasks
from tournament.models import Event, PublishedPage
from tournament.queries.published import Published
from tournament.queries.stored_pages import stored_bytes
from tournament.services.audit import SYSTEM
from tournament.services.live import mark_round, publish_marked
from tournament.services.publicity import set_publicity
from tournament.services.publish import publish, withdraw_publication
from tournament.tasks.pages import PAGES, page_path, prepare_page, render_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return live_event()


def _addresses(event):
    """Kind and arguments of the pages of an event that state what they are made of."""
    rounds = Published(event).rounds()
    entries = list(event.entries.values_list("number", flat=True))
    yield from (("event", {}), ("standings", {}), ("standings_json", {}), ("entries_csv", {}))
    for name in ("round", "pairings_json", "results_json", "deals_csv"):
        yield from ((name, {"number": number}) for number in rounds)
    yield from (("standings_after", {"after": number}) for number in rounds)
    yield from (("entry", {"number": number}) for number in entries)
    for number in rounds:
        for table in tables_of(event, number):
            yield "table", {"number": number, "table": table.number}
            yield "match", {"number": number, "match": table.match.number}


def _fresh(event):
    return Event.objects.select_related("tournament", "ruleset_version__book").get(pk=event.pk)


def _store_all(event):
    for name, arguments in _addresses(event):
        prepare_page(Published(_fresh(event)), name, arguments, "en")


def _living(event):
    """Kind and arguments → bytes of every page that would be served without rendering."""
    found = {}
    for name, arguments in _addresses(event):
        path = page_path(name, event, arguments)
        stored = stored_bytes(path, "en", PAGES[name].parts(arguments))
        if stored is not None:
            found[name, tuple(arguments.values())] = stored
    return found


def _live_step(event):
    checked(tables_of(event, 2)[0], 2)
    publish_marked(event_id=event.pk)


def _live_first(event):
    checked(tables_of(event, 2)[0], 2)
    publish(actor=SYSTEM, round=event.rounds.get(number=2), what=What.RESULTS)
    _store_all(event)
    _live_step(event)


def _penalty(event):
    given_penalty(event.entries.get(number=2), -77, round_number=2)
    mark_round(event.rounds.get(number=2))
    publish_marked(event_id=event.pk)


def _renamed(event):
    event.entries.filter(number=3).update(name="改名")
    _live_step(event)
    publish(actor=SYSTEM, round=event.rounds.get(number=2), what=What.RESULTS)


def _note(event):
    publish(actor=SYSTEM, round=event.rounds.get(number=1), what=What.STANDINGS, note="更正")
    final = timezone.now() + timedelta(minutes=10)
    publish(actor=SYSTEM, round=event.rounds.get(number=1), what=What.RESULTS, final_at=final, note="更正")


def _corrected(event):
    played_deal(tables_of(event, 1)[1], 1, seed=99)
    publish(actor=SYSTEM, round=event.rounds.get(number=1), what=What.RESULTS, note="改分")
    publish(actor=SYSTEM, round=event.rounds.get(number=1), what=What.STANDINGS, note="改分")


def _taken_off(event):
    withdraw_publication(actor=SYSTEM, publication=results_of(event, 1).first(), reason="x")


@pytest.mark.parametrize(
    "change", [_live_step, _live_first, _penalty, _renamed, _note, _corrected, _taken_off]
)
@pytest.mark.parametrize("what", [Live.RESULTS, Live.STANDINGS])
def test_no_page_that_is_still_served_differs_from_one_rendered_now(event, change, what):
    played_round_of(event)
    set_publicity(actor=SYSTEM, event=event, visibility="auto", live=what)
    publish_marked(event_id=event.pk)
    _store_all(event)
    change(event)
    published = Published(_fresh(event))
    for (name, values), stored in _living(event).items():
        arguments = next(a for n, a in _addresses(event) if n == name and tuple(a.values()) == values)
        assert gzip.decompress(stored.body).decode() == render_page(published, name, arguments, "en"), name


def played_round_of(event):
    """Round 1 played out and published by hand, round 2 under way."""
    for table in tables_of(event):
        for number in (1, 2):
            played_deal(table, number)
    for what in (What.RESULTS, What.STANDINGS):
        publish(actor=SYSTEM, round=event.rounds.get(number=1), what=what)
    second = drawn_round(event, 2, seed=2)
    publish(actor=SYSTEM, round=second.round, what=What.DRAW)
    for table in second.tables.all():
        played_deal(table, 1)


def test_a_deal_leaves_the_pages_of_others_as_they_are(event):
    played_round_of(event)
    publish_marked(event_id=event.pk)
    checked(tables_of(event, 2)[0], 2)
    publish_marked(event_id=event.pk)
    _store_all(event)
    before = _living(event)
    checked(tables_of(event, 2)[0], 3)
    publish_marked(event_id=event.pk)
    after = _living(event)
    table = tables_of(event, 2)[0]
    at_table = set(table.seats.values_list("entry__number", flat=True))
    gone = {(name, (2,)) for name in ("round", "pairings_json", "results_json", "deals_csv")}
    gone |= {("table", (2, 1)), ("entries_csv", ())}
    assert before.keys() - after.keys() == gone | {("entry", (number,)) for number in at_table}
    assert all(after[key] == before[key] for key in after)


def test_while_live_only_pages_that_somebody_asked_for_are_prepared(event):
    checked(tables_of(event)[0], 1)
    publish_marked(event_id=event.pk)
    PublishedPage.objects.all().delete()
    prepare_page(Published(_fresh(event)), "round", {"number": 1}, "en")
    checked(tables_of(event)[0], 2)
    publish_marked(event_id=event.pk)
    assert tasks.prepare_pages(event.pk, 1, live=True) == 1
    assert PublishedPage.objects.get().language == "en"
