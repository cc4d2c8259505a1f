"""Publishing in versions: only checked facts, said twice stored once, corrections and taking off."""

import pytest
from django.utils import timezone

from referee.models import DealVersion
from tests.played import drawn_round, given_penalty, played_deal, played_event, played_round, update_results
from tournament.models import AuditRow, Event, Publication
from tournament.queries.published import Published
from tournament.queries.standings import event_standings
from tournament.services.audit import SYSTEM, Actor
from tournament.services.errors import NotAllowed, Refused
from tournament.services.publish import (
    publish,
    publish_round,
    withdraw_everything,
    withdraw_publication,
)

pytestmark = pytest.mark.django_db
What = Publication.What


@pytest.fixture
def event():
    return played_event(("甲", "乙", "丙", "丁"), clubs=("东队", "西队"))


def _publish(round, what, note=""):
    return publish(actor=SYSTEM, round=round, what=what, note=note)


def test_publish_draw_holds_seats_with_names(event):
    draw = drawn_round(event, byes=0)
    publication = _publish(draw.round, What.DRAW)
    (table,) = publication.payload["tables"]
    assert {seat["direction"] for seat in table["seats"]} == set("NWSE")
    assert {seat["player"] for seat in table["seats"]} == {"甲", "乙", "丙", "丁"}
    assert publication.payload["entries"]["1"] == {"name": "甲", "club": "东队", "players": ["甲"]}
    assert publication.version == 1


@pytest.mark.parametrize("what", list(What))
def test_publish_is_refused_without_a_published_draw(event, what):
    with pytest.raises(Refused) as caught:
        _publish(event.rounds.get(number=1), what)
    assert caught.value.code == "draw_not_published"


def test_publish_results_is_refused_while_nothing_is_checked(event):
    draw = drawn_round(event)
    played_deal(draw.tables.get(), 1, checked=False)
    with pytest.raises(Refused) as caught:
        _publish(draw.round, What.RESULTS)
    assert caught.value.code == "nothing_checked"


def test_publish_results_leaves_unchecked_deals_out_of_deals_and_sums(event):
    draw = drawn_round(event)
    table = draw.tables.get()
    first = played_deal(table, 1)
    played_deal(table, 2, checked=False)
    payload = _publish(draw.round, What.RESULTS).payload
    (shown,) = payload["tables"]
    assert [deal["number"] for deal in shown["deals"]] == [1]
    assert shown["unchecked"] == 1
    seats = {seat["entry"]: seat["direction"] for seat in shown["seats"]}
    for line in shown["lines"]:
        assert line["points"] == line["value"] == first.answer["credited"][seats[line["entry"]]]
        assert not line["complete"]


def test_publish_results_of_games_waits_with_the_value_until_all_is_checked():
    event = played_event(("甲", "乙", "丙", "丁"), measure=Event.Measure.GAMES)
    draw = drawn_round(event)
    played_deal(draw.tables.get(), 1)
    played_deal(draw.tables.get(), 2, checked=False)
    (shown,) = _publish(draw.round, What.RESULTS).payload["tables"]
    assert {line["value"] for line in shown["lines"]} == {None}


def test_publish_results_leaves_out_a_corrected_deal_until_its_new_check(event):
    draw = drawn_round(event)
    table = draw.tables.get()
    played_deal(table, 1)
    played_deal(table, 2)
    played_deal(table, 2, seed=9, checked=False)
    (shown,) = _publish(draw.round, What.RESULTS).payload["tables"]
    assert [deal["number"] for deal in shown["deals"]] == [1]


def test_publish_results_counts_a_side_of_two_once():
    event = played_event(("红队", "黑队"), kind=Event.Kind.PAIRS, measure=Event.Measure.DIFFERENCE)
    draw = drawn_round(event)
    version = played_deal(draw.tables.get(), 1)
    played_deal(draw.tables.get(), 2, checked=False)
    (shown,) = _publish(draw.round, What.RESULTS).payload["tables"]
    north_south = version.answer["credited"]["N"]
    east_west = version.answer["credited"]["E"]
    by_seat = {
        seat["direction"]: line
        for seat in shown["seats"]
        for line in shown["lines"]
        if line["entry"] == seat["entry"]
    }
    assert by_seat["N"]["points"] == north_south
    assert by_seat["N"]["value"] == north_south - east_west
    assert by_seat["E"]["value"] == east_west - north_south


def test_publish_results_shows_a_void_deal_with_its_reason_and_the_replay(event):
    draw = drawn_round(event)
    table = draw.tables.get()
    played_deal(table, 1)
    deal = table.deals.get(number=1)
    DealVersion.objects.create(
        deal=deal, number=2, state="void", reason="少一张牌", ruleset_version=event.ruleset_version
    )
    (waiting,) = _publish_deals(draw)
    assert (waiting["played"], waiting["void"]) == (False, ["少一张牌"])
    played_deal(table, 1, seed=5)
    (replayed,) = _publish_deals(draw)
    assert (replayed["played"], replayed["void"], replayed["version"]) == (True, ["少一张牌"], 3)


def _publish_deals(draw):
    played_deal(draw.tables.get(), 99)
    payload = _publish(draw.round, What.RESULTS).payload
    return [deal for deal in payload["tables"][0]["deals"] if deal["number"] != 99]


def test_publish_results_does_not_show_an_undone_entry(event):
    draw = drawn_round(event)
    table = draw.tables.get()
    played_deal(table, 1)
    played_deal(table, 2, checked=False)
    DealVersion.objects.create(
        deal=table.deals.get(number=2), number=2, state="withdrawn", ruleset_version=event.ruleset_version
    )
    (shown,) = _publish(draw.round, What.RESULTS).payload["tables"]
    assert [deal["number"] for deal in shown["deals"]] == [1]
    assert shown["unchecked"] == 0


def test_publish_results_keeps_cancelled_penalties_as_lines(event):
    draw = played_round(event)
    given_penalty(event.entries.get(number=1), -20)
    given_penalty(event.entries.get(number=2), -50, cancelled_at=timezone.now(), cancel_reason="查无实据")
    lines = _publish(draw.round, What.RESULTS).payload["penalties"]
    assert [(one["entry"], one["points"], one["cancelled"], one["cancel_reason"]) for one in lines] == [
        (1, -20, False, ""),
        (2, -50, True, "查无实据"),
    ]


def test_publish_twice_without_change_adds_no_version(event):
    draw = drawn_round(event)
    first = _publish(draw.round, What.DRAW)
    again = _publish(draw.round, What.DRAW)
    assert again == first
    assert Publication.objects.count() == 1


def test_publish_after_a_correction_adds_a_version_that_says_what_changed(event):
    draw = played_round(event, deals=2)
    _publish(draw.round, What.DRAW)
    publish_round(actor=SYSTEM, round=draw.round)
    played_deal(draw.tables.get(), 2, seed=9)
    update_results(draw.tables.get(), complete=True)
    results, standings = publish_round(actor=SYSTEM, round=draw.round, note="第2副更正")
    assert (results.version, standings.version, results.note) == (2, 2, "第2副更正")
    assert Published(event).publication(What.RESULTS, 1) == results


def test_published_standings_are_the_sum_of_published_results(event):
    draw = played_round(event, deals=3)
    given_penalty(event.entries.get(number=3), -15)
    _publish(draw.round, What.DRAW)
    results, standings = publish_round(actor=SYSTEM, round=draw.round)
    values = {line["entry"]: line["value"] for table in results.payload["tables"] for line in table["lines"]}
    for row in standings.payload["rows"]:
        penalty = -15 if row["entry"] == 3 else 0
        assert row["cells"][0]["value"] == values[row["entry"]]
        assert (row["penalties"], row["total"]) == (penalty, values[row["entry"]] + penalty)


def test_published_standings_do_not_move_with_what_is_recorded_later(event):
    draw = played_round(event, deals=2)
    _publish(draw.round, What.DRAW)
    _, standings = publish_round(actor=SYSTEM, round=draw.round)
    given_penalty(event.entries.get(number=1), -999)
    played_deal(draw.tables.get(), 3)
    assert _publish(draw.round, What.STANDINGS) == standings
    public = event_standings(event, published_only=True)
    assert {row.penalties for row in public.rows} == {0}


def test_publish_standings_is_refused_while_results_of_a_drawn_round_are_not_public(event):
    draw = played_round(event)
    _publish(draw.round, What.DRAW)
    with pytest.raises(Refused) as caught:
        _publish(draw.round, What.STANDINGS)
    assert (caught.value.code, caught.value.params) == ("results_not_published", {"rounds": "1"})


def test_publish_round_is_undone_as_a_whole(event):
    played = played_round(event, 1)
    _publish(played.round, What.DRAW)
    later = played_round(event, 2, seed=2)
    _publish(later.round, What.DRAW)
    with pytest.raises(Refused):
        publish_round(actor=SYSTEM, round=later.round)
    assert not Publication.objects.filter(what=What.RESULTS).exists()


def test_withdraw_takes_the_matter_off_and_keeps_the_versions(event):
    draw = drawn_round(event)
    publication = _publish(draw.round, What.DRAW)
    taken = withdraw_publication(actor=SYSTEM, publication=publication, reason="抽签有误")
    assert (taken.version, taken.withdrawn, taken.payload) == (2, True, {})
    assert Published(event).rounds() == []
    assert Publication.objects.get(version=1).payload["tables"]
    again = withdraw_publication(actor=SYSTEM, publication=publication, reason="抽签有误")
    assert again == taken


def test_withdraw_needs_a_reason(event):
    publication = _publish(drawn_round(event).round, What.DRAW)
    with pytest.raises(Refused) as caught:
        withdraw_publication(actor=SYSTEM, publication=publication, reason="  ")
    assert caught.value.field == "reason"


def test_withdraw_everything_takes_off_all_that_is_on(event):
    draw = played_round(event)
    _publish(draw.round, What.DRAW)
    publish_round(actor=SYSTEM, round=draw.round)
    taken = withdraw_everything(actor=SYSTEM, round=draw.round, reason="重抽")
    assert {one.what for one in taken} == {What.DRAW, What.RESULTS, What.STANDINGS}
    assert Published(event).rounds() == []
    assert withdraw_everything(actor=SYSTEM, round=draw.round, reason="重抽") == []


def test_publishing_again_after_taking_off_makes_the_next_version(event):
    draw = drawn_round(event)
    withdraw_publication(actor=SYSTEM, publication=_publish(draw.round, What.DRAW), reason="误")
    assert _publish(draw.round, What.DRAW).version == 3
    assert Published(event).rounds() == [1]


def test_publish_is_for_organisers(event, django_user_model):
    stranger = Actor(user=django_user_model.objects.create_user("stranger"))
    draw = drawn_round(event)
    with pytest.raises(NotAllowed):
        publish(actor=stranger, round=draw.round, what=What.DRAW)
    publication = _publish(draw.round, What.DRAW)
    with pytest.raises(NotAllowed):
        withdraw_publication(actor=stranger, publication=publication, reason="x")


def test_publish_and_withdraw_are_audited(event):
    publication = _publish(drawn_round(event).round, What.DRAW)
    withdraw_publication(actor=SYSTEM, publication=publication, reason="误")
    rows = list(AuditRow.objects.order_by("id"))
    assert [row.action for row in rows] == ["publication.publish", "publication.withdraw"]
    assert rows[1].reason == "误"
    assert (rows[1].before, rows[1].after["version"]) == ({"version": 1}, 2)
