"""What the public may see, and when: events hidden or shown, rounds held back, provisional and final."""

from datetime import timedelta

import pytest
from django.utils import timezone

from referee.services.appeals import set_appeal_minutes
from tests.played import given_penalty, played_event, played_round
from tournament.models import AuditRow, Event, Publication, PublishedPage
from tournament.queries.appeals import appeal_deadline
from tournament.services.audit import SYSTEM, Actor
from tournament.services.errors import NotAllowed, Refused
from tournament.services.protest_time import final_time
from tournament.services.publicity import hold_round_back, release_round, set_publicity
from tournament.services.publish import publish, publish_round, withdraw_everything

pytestmark = pytest.mark.django_db
What = Publication.What
Visibility, Live = Event.Visibility, Event.Live


def _set(event, visibility=Visibility.AUTO, live=Live.HAND):
    return set_publicity(actor=SYSTEM, event=event, visibility=visibility, live=live)


@pytest.mark.parametrize("path", ["", "standings/", "round/1/", "round/1/table/1/", "entry/1/", "find/"])
def test_a_hidden_event_is_gone_at_once_with_all_its_pages(client, public_event, base, path):
    assert client.get(base + path).status_code == 200
    _set(public_event, Visibility.HIDDEN)
    assert client.get(base + path).status_code == 404
    assert public_event.name not in client.get("/").content.decode()
    _set(public_event)
    assert client.get(base + path).status_code == 200


def test_an_event_being_set_up_may_be_shown_before_anything_is_published(client):
    event = played_event(["甲"], state=Event.State.SETUP)
    address = f"/t/{event.tournament.slug}/{event.slug}/"
    assert client.get(address).status_code == 404
    _set(event, Visibility.SHOWN)
    assert client.get(address).status_code == 200


def test_publicity_is_the_organisers_and_stands_in_the_audit_trail(public_event, django_user_model):
    stranger = Actor(user=django_user_model.objects.create_user("stranger"))
    with pytest.raises(NotAllowed):
        set_publicity(actor=stranger, event=public_event, visibility="hidden", live="hand")
    _set(public_event, Visibility.HIDDEN)
    _set(public_event, Visibility.HIDDEN)  # no change, no row
    row = AuditRow.objects.get(action="event.publicity")
    assert row.before == {"visibility": "auto", "live": "hand"}
    assert row.after == {"visibility": "hidden", "live": "hand"}


def test_choices_that_do_not_exist_are_refused_together(public_event):
    with pytest.raises(Refused) as caught:
        set_publicity(actor=SYSTEM, event=public_event, visibility="perhaps", live="soon")
    assert {one.field for one in caught.value.problems} == {"visibility", "live"}


@pytest.fixture
def final(public_event):
    """A second round that is played out, with its pairings public."""
    round = public_event.rounds.get(number=3)
    draw = played_round(public_event, 3, deals=1, byes=1)
    publish(actor=SYSTEM, round=draw.round, what=What.DRAW)
    # Standings need the results of every round with public pairings.
    withdraw_everything(actor=SYSTEM, round=public_event.rounds.get(number=2), reason="x")
    return round


@pytest.mark.parametrize("what", [What.RESULTS, What.STANDINGS])
def test_a_round_held_back_is_not_published_until_released(final, what):
    hold_round_back(actor=SYSTEM, round=final, reason="决赛前不公布")
    with pytest.raises(Refused) as caught:
        publish(actor=SYSTEM, round=final, what=what)
    assert caught.value.code == "held_back"
    release_round(actor=SYSTEM, round=final)
    assert publish_round(actor=SYSTEM, round=final)


def test_pairings_of_a_round_held_back_may_still_be_published(public_event):
    round = public_event.rounds.get(number=2)
    hold_round_back(actor=SYSTEM, round=round, reason="x")
    assert publish(actor=SYSTEM, round=round, what=What.DRAW).version == 1


def test_what_is_public_cannot_be_held_back(public_event):
    with pytest.raises(Refused) as caught:
        hold_round_back(actor=SYSTEM, round=public_event.rounds.get(number=1), reason="x")
    assert caught.value.code == "public_already"


def test_holding_back_wants_a_reason(public_event):
    with pytest.raises(Refused) as caught:
        hold_round_back(actor=SYSTEM, round=public_event.rounds.get(number=2), reason=" ")
    assert caught.value.field == "reason"


def test_results_are_provisional_until_their_time_and_final_by_themselves(client, public_event, base):
    until = final_time(minutes=30)
    round = public_event.rounds.get(number=1)
    publish_round(actor=SYSTEM, round=round, final_at=until)
    english = {"accept-language": "en"}
    for path in ("round/1/", "standings/"):
        html = client.get(base + path, headers=english).content.decode()
        assert "Provisional until" in html
        assert "Final</strong>" not in html
    # Half an hour later nobody has to do anything.
    late = timezone.now() - timedelta(seconds=1)
    Publication.objects.filter(final_at=until).update(final_at=late)
    PublishedPage.objects.filter(holds_until=until).update(holds_until=late)
    for path in ("round/1/", "standings/"):
        html = client.get(base + path, headers=english).content.decode()
        assert "Final</strong>" in html
        assert "Provisional until" not in html


def test_each_version_begins_the_time_for_appeals_anew_and_it_is_what_the_public_reads(public_event):
    round = public_event.rounds.select_related("event__tournament").get(number=1)
    assert publish(actor=SYSTEM, round=round, what=What.RESULTS).final_at is None
    set_appeal_minutes(actor=SYSTEM, event=public_event, minutes=30)
    round.event.refresh_from_db()
    given_penalty(public_event.entries.get(number=4), -10)
    first = publish(actor=SYSTEM, round=round, what=What.RESULTS, note="x")
    assert timedelta(minutes=28) < first.final_at - timezone.now() <= timedelta(minutes=30)
    assert appeal_deadline(round.event, first) == first.final_at
    Publication.objects.filter(pk=first.pk).update(final_at=timezone.now() - timedelta(hours=1))
    given_penalty(public_event.entries.get(number=5), -10)
    second = publish(actor=SYSTEM, round=round, what=What.RESULTS, note="y")
    assert second.version == first.version + 1
    assert second.final_at >= first.final_at
    own = final_time(minutes=5)
    third = publish(actor=SYSTEM, round=round, what=What.RESULTS, final_at=own)
    assert appeal_deadline(round.event, third) == own
    draw = publish(actor=SYSTEM, round=public_event.rounds.get(number=2), what=What.DRAW)
    assert draw.final_at is None


def test_the_time_stands_in_the_tournaments_zone(client, public_event, base):
    until = final_time(at=(timezone.now() + timedelta(days=2)).replace(hour=10, minute=30))
    publish_round(actor=SYSTEM, round=public_event.rounds.get(number=1), final_at=until)
    html = client.get(f"{base}round/1/", headers={"accept-language": "zh-hans"}).content.decode()
    assert "18:30" in html  # 10:30 UTC in Shanghai


def test_a_page_holds_no_longer_than_until_it_becomes_final(client, public_event, base):
    until = final_time(minutes=5)
    publish_round(actor=SYSTEM, round=public_event.rounds.get(number=1), final_at=until)
    client.get(f"{base}round/1/")
    assert PublishedPage.objects.get(path=f"{base}round/1/").holds_until == until


def test_a_time_of_its_own_makes_a_version_and_repeating_it_makes_none(public_event):
    round, until = public_event.rounds.get(number=1), final_time(minutes=30)
    first = publish(actor=SYSTEM, round=round, what=What.RESULTS, final_at=until)
    assert (first.version, first.final_at) == (2, until)
    assert publish(actor=SYSTEM, round=round, what=What.RESULTS, final_at=until) == first
    assert publish(actor=SYSTEM, round=round, what=What.RESULTS) == first


@pytest.mark.parametrize(
    "wanted",
    [
        {"minutes": 5, "at": timezone.now() + timedelta(hours=1)},
        {"at": timezone.now() - timedelta(minutes=1)},
        {"at": timezone.now() + timedelta(days=40)},
    ],
)
def test_a_time_that_cannot_be_is_refused(wanted):
    with pytest.raises(Refused):
        final_time(**wanted)


def test_no_time_says_nothing(client, public_event, base):
    assert final_time() is None
    html = client.get(f"{base}round/1/", headers={"accept-language": "en"}).content.decode()
    assert "Provisional" not in html
