"""The end of a round in one go: closed, results and standings published, as far as left and allowed."""

from datetime import timedelta

import pytest
from django.utils import timezone, translation

from referee.services.appeals import set_appeal_minutes
from tests.factories import make_user
from tests.played import drawn_round, played_event, played_round
from tournament.models import AuditRow, Event, Publication, Round
from tournament.queries.round_end import round_end
from tournament.services.audit import SYSTEM, Actor
from tournament.services.errors import NotAllowed, Refused
from tournament.services.publicity import hold_round_back
from tournament.services.publish import publish
from tournament.services.round_end import end_round
from tournament.views.manage.steps import end_view

pytestmark = pytest.mark.django_db
What = Publication.What


@pytest.fixture
def event():
    return played_event(("甲", "乙", "丙", "丁"))


def _played(event, number=1):
    draw = played_round(event, number)
    publish(actor=SYSTEM, round=draw.round, what=What.DRAW)
    return Round.objects.select_related("event__tournament").get(pk=draw.round_id)


def _actions():
    rows = AuditRow.objects.order_by("pk").values_list("action", "after__what")
    return [(action, what) for action, what in rows if action.startswith(("round.", "publication."))]


def test_a_played_round_is_closed_and_its_results_and_standings_published(event):
    round = _played(event)
    before = len(_actions())
    done = end_round(actor=SYSTEM, round=round)
    assert done.parts == "close+results+standings"
    round.refresh_from_db()
    assert round.state == Round.State.CLOSED
    assert _actions()[before:] == [
        ("round.close", None),
        ("publication.publish", "results"),
        ("publication.publish", "standings"),
    ]


def test_done_already_it_does_nothing(event):
    round = _played(event)
    end_round(actor=SYSTEM, round=round)
    before = _actions()
    assert end_round(actor=SYSTEM, round=round).parts == ""
    assert _actions() == before


def test_what_is_left_of_a_closed_round_is_done(event):
    round = _played(event)
    Round.objects.filter(pk=round.pk).update(state=Round.State.CLOSED)
    publish(actor=SYSTEM, round=round, what=What.RESULTS)
    assert end_round(actor=SYSTEM, round=round).parts == "standings"
    assert round_end(round).parts == ""


def test_a_round_held_back_is_closed_and_not_published(event):
    round = _played(event)
    hold_round_back(actor=SYSTEM, round=round, reason="before the final")
    done = end_round(actor=SYSTEM, round=round)
    assert (done.parts, done.held_back) == ("close", True)
    assert {one.what for one in Publication.objects.all()} == {What.DRAW}


def test_standings_wait_for_the_results_of_earlier_rounds(event):
    first, second = _played(event), _played(event, 2)
    hold_round_back(actor=SYSTEM, round=first, reason="x")
    assert round_end(second).lacking == (1,)
    assert end_round(actor=SYSTEM, round=second).parts == "close+results"


def test_what_is_published_by_itself_is_left_to_that(event):
    round = _played(event)
    publish(actor=SYSTEM, round=round, what=What.RESULTS)
    assert round_end(round).parts == "close+results+standings"
    Publication.objects.filter(what=What.RESULTS).update(live=True)
    assert round_end(round).parts == "close+standings"


def test_a_time_for_appeals_makes_what_the_end_of_a_round_publishes_provisional(event):
    set_appeal_minutes(actor=SYSTEM, event=event, minutes=30)
    round = _played(event)
    end_round(actor=SYSTEM, round=round)
    results, standings = (Publication.objects.get(what=what) for what in (What.RESULTS, What.STANDINGS))
    assert results.final_at == standings.final_at
    assert timedelta(minutes=28) < results.final_at - timezone.now() <= timedelta(minutes=30)
    assert Publication.objects.get(what=What.DRAW).final_at is None


def test_a_time_for_appeals_begins_with_the_end_of_a_round_published_by_itself(event):
    set_appeal_minutes(actor=SYSTEM, event=event, minutes=30)
    round = _played(event)
    publish(actor=SYSTEM, round=round, what=What.RESULTS)
    Publication.objects.filter(what=What.RESULTS).update(live=True, final_at=None)
    assert round_end(round).parts == "close+results+standings"
    end_round(actor=SYSTEM, round=round)
    latest = Publication.objects.filter(what=What.RESULTS).latest("version")
    assert (latest.live, latest.final_at is not None) == (False, True)


def test_what_is_missing_is_told_and_nothing_done(event):
    draw = drawn_round(event)
    publish(actor=SYSTEM, round=draw.round, what=What.DRAW)
    with pytest.raises(Refused) as caught:
        end_round(actor=SYSTEM, round=draw.round)
    assert [one.code for one in caught.value.problems] == ["no_deal"]
    # Closed with a reason there would still be nothing to publish: then it is not closed either.
    with pytest.raises(Refused) as caught:
        end_round(actor=SYSTEM, round=draw.round, override_reason="power cut")
    assert caught.value.code == "nothing_checked"
    assert Round.objects.get(pk=draw.round_id).state == Round.State.PLAYING


def test_it_is_the_organisers(event):
    round = _played(event)
    with pytest.raises(NotAllowed):
        end_round(actor=Actor(make_user("chief_referee", event.tournament)), round=round)


def test_a_round_not_in_play_has_no_end(event):
    assert round_end(event.rounds.get(number=1)).parts == ""


def test_what_will_be_done_is_said_in_words(event):
    round = _played(event)
    with translation.override("en"):
        shown = end_view(round_end(round), round)
        assert shown.button == "Close, publish results and standings"
        assert "Provisional" not in shown.text
        round.event.options["appeal_minutes"] = 30
        assert "Provisional for 30 minutes" in end_view(round_end(round), round).text
        Event.objects.update(visibility=Event.Visibility.HIDDEN)
        round.event.refresh_from_db()
        assert "The event is hidden" in end_view(round_end(round), round).text
        hold_round_back(actor=SYSTEM, round=round, reason="x")
        shown = end_view(round_end(round), round)
        assert (shown.button, "held back" in shown.text) == ("", True)
