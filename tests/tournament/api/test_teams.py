"""Line-ups and substitutes of teams through the open interface."""

from random import Random

import pytest

from tests.factories import make_event, make_published_draw
from tests.played import played_deal, random_record, update_results
from tests.tournament.api.test_organising import good
from tests.tournament.api.test_refusals import problem
from tournament.models import Event, Player, Seat

SEGMENTS = {"segments": {"count": 2, "change": "keep"}}
MATCH = "/rounds/1/matches/1"


@pytest.fixture
def sender(scene):
    """Of an event of two teams in play: four deals in two segments; the first team has a fifth player."""
    plan = {"kind": "set", "deals": 4}
    event = make_event(
        Event.Kind.TEAMS, 2, tournament=scene.tournament, slug="teams", plan=plan, options=SEGMENTS
    )
    Player.objects.create(entry=event.entries.get(number=1), place=5, name="第五人")
    make_published_draw(event)
    return scene.organising(f"{scene.base}events/teams")


def seated(shown, entry, segment):
    """Place of the player by table and seat."""
    return {
        (seat["table"], seat["seat"]): seat["player"]
        for seat in shown["seats"]
        if (seat["entry"], seat["segment"]) == (entry, segment)
    }


def lineup(places, **more):
    seats = [{"table": table, "seat": seat, "player": place} for (table, seat), place in places.items()]
    return {"entry": 1, "segment": 2, "seats": seats, **more}


def test_a_line_up_is_read_changed_and_sent_back(sender):
    shown = good(sender.get(f"{MATCH}/lineups"))
    assert shown["open_segments"] == [1, 2]
    assert {side["entry"]: len(side["players"]) for side in shown["sides"]} == {1: 5, 2: 4}
    before = seated(shown, 1, 2)
    wanted = dict(zip(before, (5, 4, 3, 2), strict=True))
    after = good(sender.post(f"{MATCH}/lineups", lineup(wanted)))
    assert seated(after, 1, 2) == wanted
    assert seated(after, 1, 1) == seated(shown, 1, 1)


def test_what_is_wrong_in_a_line_up_is_told_and_nothing_stored(sender):
    before = seated(good(sender.get(f"{MATCH}/lineups")), 1, 2)
    twice = lineup(dict.fromkeys(before, 1))
    codes = {one["code"] for one in problem(sender.post(f"{MATCH}/lineups", twice), 422)["errors"]}
    assert codes == {"player_twice_in_lineup"}
    unknown = lineup(dict(zip(before, (1, 2, 3, 77), strict=True)))
    assert problem(sender.post(f"{MATCH}/lineups", unknown), 422)["errors"][0]["code"] == "seat_empty"
    for more in ({"seats": [{"table": 9, "seat": "N", "player": 1}]}, {"entry": 9}, {"segment": 3}):
        problem(sender.post(f"{MATCH}/lineups", lineup(before, **more)), 422)
    assert seated(good(sender.get(f"{MATCH}/lineups")), 1, 2) == before


def test_a_substitute_from_the_roster_and_one_from_outside(sender):
    places = seated(good(sender.get(f"{MATCH}/lineups")), 1, 1)
    (first, second, *_rest) = places
    body = {"table": first[0], "seat": first[1], "player": 5, "reason": "头晕"}
    shown = good(sender.post(f"{MATCH}/substitute", body))
    assert seated(shown, 1, 1)[first] == 5
    body = {"table": second[0], "seat": second[1], "name": "外援", "reason": "迟到"}
    shown = good(sender.post(f"{MATCH}/substitute", body))
    assert seated(shown, 1, 1)[second] == Player.FIRST_SUBSTITUTE
    assert [(one["coming"], one["reason"]) for one in shown["substitutions"] if one["segment"] == 1] == [
        ("第五人", "头晕"),
        ("外援", "迟到"),
    ]
    assert not Player.objects.filter(name="外援").exists()


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"table": 99}, "invalid"),
        ({"seat": "Q"}, "unknown_seat"),
        ({"player": 77}, "invalid"),
        ({"player": None}, "substitute_missing"),
        ({"reason": ""}, "reason_missing"),
    ],
)
def test_a_substitution_that_cannot_be_is_refused(sender, more, code):
    table, seat = next(iter(seated(good(sender.get(f"{MATCH}/lineups")), 1, 1)))
    body = {"table": table, "seat": seat, "player": 5, "reason": "头晕", **more}
    before = list(Seat.objects.values_list("pk", "player"))
    assert problem(sender.post(f"{MATCH}/substitute", body), 422)["errors"][0]["code"] == code
    assert list(Seat.objects.values_list("pk", "player")) == before


def test_a_substitution_that_others_go_by_is_a_correction(sender):
    table, seat = next(iter(seated(good(sender.get(f"{MATCH}/lineups")), 1, 1)))
    good(sender.post("/rounds/2/draw"), 201)
    body = {"table": table, "seat": seat, "player": 5, "reason": "头晕"}
    errors = problem(sender.post(f"{MATCH}/substitute", body), 409)["errors"]
    assert [one["code"] for one in errors] == ["correction_needed"]


def test_a_draw_that_is_not_published_has_no_line_ups(sender):
    good(sender.post("/rounds/1/draw/withdraw", {"reason": "错"}))
    problem(sender.get(f"{MATCH}/lineups"), 404)


def test_a_match_tells_what_each_side_has_and_compares_duplicate_deals(scene):
    plan = {"kind": "set", "deals": 4}
    options = SEGMENTS | {"duplicate": True}
    event = make_event(
        Event.Kind.TEAMS, 2, tournament=scene.tournament, slug="duplicate", plan=plan, options=options
    )
    tables = list(make_published_draw(event).tables.order_by("number"))
    sender = scene.organising(f"{scene.base}events/duplicate")
    before = good(sender.get(f"{MATCH}/lineups"))
    assert [(side["value"], side["points"]) for side in before["sides"]] == [(None, 0)] * 2
    assert before["compared"] == []
    for table in tables:
        played_deal(table, 1, record=random_record(Random(table.number), "partnership"))
        update_results(table)
    shown = good(sender.get(f"{MATCH}/lineups"))
    first, second = shown["sides"]
    (compared,) = shown["compared"]
    # One deal is all there is: what it makes is what the sides differ by.
    assert compared["swing"] == first["points"] - second["points"] == first["value"] != 0
    assert first["subtotals"] == [first["points"], None]
    assert shown["open_segments"] == [2]
