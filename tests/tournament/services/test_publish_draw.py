"""Publishing a draw, and taking it back."""

import pytest

from referee.models import Deal, DealVersion, Penalty
from tests.factories import actor, make_event, make_published_draw, make_user
from tournament.models import AuditRow, Draw, Event, Publication, Round, Table
from tournament.services.audit import SYSTEM
from tournament.services.draw import make_draw, publish_draw, swap_seats, withdraw_draw
from tournament.services.entries import return_entry, withdraw_entry
from tournament.services.errors import Conflict, NotAllowed, Refused

pytestmark = pytest.mark.django_db


def _round(event, number=1):
    return event.rounds.get(number=number)


def test_publish_starts_event_and_round_and_is_public():
    event = make_event(entries=8)
    draw = make_draw(actor=SYSTEM, round=_round(event))

    publish_draw(actor=SYSTEM, draw=draw)

    event.refresh_from_db()
    assert event.state == Event.State.STARTED
    assert _round(event).state == Round.State.PLAYING
    assert Publication.objects.get(round=_round(event), what="draw").version == 1
    with pytest.raises(Conflict):
        publish_draw(actor=SYSTEM, draw=draw)
    with pytest.raises(Conflict):
        swap_seats(actor=SYSTEM, draw=draw, first=1, second=2)


def test_violations_need_a_reason_to_be_published():
    event = make_event(entries=["甲一", "甲二", "乙一", "乙二"], clubs_apart_rounds=1)
    event.entries.update(club="同一队")
    draw = make_draw(actor=SYSTEM, round=_round(event))
    assert len(draw.quality["violations"]) == 6

    with pytest.raises(Refused) as refused:
        publish_draw(actor=SYSTEM, draw=draw)
    assert refused.value.code == "violations"
    assert _round(event).state == Round.State.DRAWN

    publish_draw(actor=SYSTEM, draw=draw, reason="只有一个队")
    draw.refresh_from_db()
    assert draw.reason == "只有一个队"
    assert AuditRow.objects.get(action="draw.publish").reason == "只有一个队"


def test_draw_with_somebody_who_has_left_cannot_be_published_even_with_a_reason():
    event = make_event(entries=8)
    draw = make_draw(actor=SYSTEM, round=_round(event))
    withdraw_entry(actor=SYSTEM, entry=event.entries.get(number=3), reason="ill")

    with pytest.raises(Refused) as refused:
        publish_draw(actor=SYSTEM, draw=draw, reason="anyway")
    assert refused.value.code == "unplayable"
    return_entry(actor=SYSTEM, entry=event.entries.get(number=3), reason="well")
    assert publish_draw(actor=SYSTEM, draw=draw).state == Draw.State.PUBLISHED


def test_withdraw_takes_the_draw_off_and_the_round_can_be_drawn_anew():
    event = make_event(entries=8)
    draw = make_published_draw(event)
    penalty = Penalty.objects.create(
        event=event,
        round=draw.round,
        entry=event.entries.first(),
        table=draw.tables.first(),
        rule="迟到",
        points=-50,
        reason="10 min",
    )

    with pytest.raises(Refused):
        withdraw_draw(actor=SYSTEM, draw=draw, reason=" ")
    withdraw_draw(actor=SYSTEM, draw=draw, reason="两人换了组")

    assert _round(event).state == Round.State.PLANNED
    assert Publication.objects.filter(what="draw").latest("version").withdrawn
    again = make_published_draw(event, seed=2)
    assert again.number == 2
    assert Draw.objects.get(number=1).reason == "两人换了组"
    # The penalty outlives the draw.
    penalty.refresh_from_db()
    assert (penalty.points, penalty.cancelled_at) == (-50, None)


def test_recorded_deals_are_not_set_aside_unasked():
    event = make_event(entries=8)
    draw = make_published_draw(event)
    deal = Deal.objects.create(table=Table.objects.filter(draw=draw).first(), number=1, order=1, dealing=1)
    DealVersion.objects.create(deal=deal, number=1, record={}, ruleset_version=event.ruleset_version)

    with pytest.raises(Refused) as refused:
        withdraw_draw(actor=SYSTEM, draw=draw, reason="wrong")
    assert (refused.value.code, refused.value.field) == ("deals_recorded", "with_deals")
    assert Draw.objects.get(pk=draw.pk).state == Draw.State.PUBLISHED

    withdraw_draw(actor=SYSTEM, draw=draw, reason="wrong", with_deals=True)
    assert Deal.objects.filter(pk=deal.pk).exists()
    assert AuditRow.objects.get(action="draw.withdraw").after["deals_set_aside"] == 1


def test_undone_deals_do_not_stand_in_the_way():
    event = make_event(entries=8)
    draw = make_published_draw(event)
    deal = Deal.objects.create(table=Table.objects.filter(draw=draw).first(), number=1, order=1, dealing=1)
    for number, state in ((1, "recorded"), (2, "withdrawn")):
        DealVersion.objects.create(
            deal=deal, number=number, state=state, record={}, ruleset_version=event.ruleset_version
        )

    assert withdraw_draw(actor=SYSTEM, draw=draw, reason="wrong").state == Draw.State.WITHDRAWN


def test_draw_on_which_a_later_one_builds_stays():
    event = make_event(entries=16)
    first = make_published_draw(event, 1)
    make_draw(actor=SYSTEM, round=_round(event, 2))

    with pytest.raises(Refused) as refused:
        withdraw_draw(actor=SYSTEM, draw=first, reason="wrong")
    assert refused.value.code == "later_drawn"


def test_discarded_preview_stays_on_record_with_its_reason():
    event = make_event(entries=8)
    draw = make_draw(actor=SYSTEM, round=_round(event))

    withdraw_draw(actor=SYSTEM, draw=draw, reason="drawn in front of the players")

    assert not Publication.objects.exists()
    assert Draw.objects.get().state == Draw.State.WITHDRAWN
    assert make_draw(actor=SYSTEM, round=_round(event)).number == 2


def test_only_organisers_draw():
    event = make_event(entries=8)
    referee = actor(make_user("chief_referee", event.tournament))

    with pytest.raises(NotAllowed):
        make_draw(actor=referee, round=_round(event))
    draw = make_draw(actor=SYSTEM, round=_round(event))
    with pytest.raises(NotAllowed):
        publish_draw(actor=referee, draw=draw)
    with pytest.raises(NotAllowed):
        withdraw_draw(actor=referee, draw=draw, reason="x")
    with pytest.raises(NotAllowed):
        swap_seats(actor=referee, draw=draw, first=1, second=2)
