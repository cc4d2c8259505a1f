"""Brackets, statistics and versions through the open interface."""

import pytest

from tests.factories import actor, make_event, make_user
from tests.tournament.api.conftest import organiser_of, reader_of
from tests.tournament.api.test_organising import good
from tests.tournament.api.test_refusals import problem
from tests.tournament.draws import close, draw_round, give_values, seeded_event
from tests.tournament.public.bracket_play import bracket_event, draw_and_publish, play_round, winners
from tournament.models import Publication
from tournament.queries.public_statistics import count_deals
from tournament.queries.published import Published
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish

pytestmark = pytest.mark.django_db


def organising(event):
    return organiser_of(event, actor(make_user("organiser", event.tournament)))


def of_level(shown, level):
    return [one for one in shown["matches"] if (one["section"], one["level"]) == ("main", level)]


def entries_of(matches):
    return {side["entry"] for one in matches for side in one["sides"]}


def test_a_bracket_is_public_as_far_as_its_rounds_are():
    event = bracket_event(8)
    reader, sender = reader_of(event), organising(event)
    problem(reader.get("/stages/1/bracket"), 404)
    draw = draw_and_publish(event, 1)
    round = play_round(draw, results=False)
    first = of_level(good(reader.get("/stages/1/bracket")), 1)
    assert entries_of(first) == set(range(1, 9))
    assert {(one["state"], one["winner"]) for one in first} == {("ready", None)}
    # The desk knows already who goes on.
    known = good(sender.get("/stages/1/bracket"))
    assert {one["winner"] for one in of_level(known, 1)} == winners(draw)
    assert entries_of(of_level(known, 2)) == winners(draw)
    publish(actor=SYSTEM, round=round, what=Publication.What.RESULTS)
    now = good(reader.get("/stages/1/bracket"))
    assert {one["winner"] for one in of_level(now, 1)} == winners(draw)
    assert entries_of(of_level(now, 2)) == winners(draw)
    assert now["champion"] is None
    problem(reader.get("/stages/2/bracket"), 404)


def test_the_winner_of_it_all_is_named():
    event = seeded_event("knockout", 4, 2)
    for number in (1, 2):
        draw = draw_round(event, number)
        give_values(draw, lambda entry: -entry.number)
        close(draw.round)
    shown = good(organising(event).get("/stages/1/bracket"))
    assert shown["champion"] == 1
    assert {one["state"] for one in shown["matches"]} == {"decided"}
    assert (shown["groups"], shown["heats"]) == ([], [])


def test_groups_are_told_by_numbers():
    event = seeded_event("groups", 8, 3, groups=2)
    sender = organising(event)
    assert good(sender.get("/stages/1/bracket"))["groups"] == []
    draw_round(event, 1)
    groups = good(sender.get("/stages/1/bracket"))["groups"]
    assert sorted(number for group in groups for number in group) == list(range(1, 9))
    assert [len(group) for group in groups] == [4, 4]


def test_a_stage_without_a_bracket_has_none(scene):
    empty = {"champion": None, "matches": [], "groups": [], "heats": []}
    assert good(scene.organising().get("/stages/1/bracket")) == empty
    problem(scene.reading().get("/events/singles/stages/1/bracket"), 404)


# --- what the public reads ------------------------------------------------------------------------------


def test_statistics_are_those_of_the_published_deals(scene):
    found = good(scene.reading().get("/events/singles/statistics?limit=3"))
    counted = count_deals(Published(scene.event).load_all())
    assert (found["deals"], found["count"], len(found["results"])) == (1, 4, 3)
    for row in found["results"]:
        tally = counted.by_entry[row["entry"]]
        assert row["figures"]["pigs"] == tally.pigs
        assert row["figures"]["best"] == int(tally.best)
    make_event(entries=4, tournament=scene.tournament, slug="hidden")
    problem(scene.reading().get("/events/hidden/statistics"), 404)


def test_versions_tell_what_each_changed(scene):
    good(scene.organising().change("patch", "/entries/1", {"name": "新名"}))
    good(scene.organising().post("/rounds/1/publish", {"what": "results", "note": "改名"}))
    path = "/events/singles/rounds/1/versions"
    versions = good(scene.reading().get(f"{path}?what=results"))["results"]
    assert [one["version"] for one in versions] == [2, 1]
    assert (versions[0]["note"], versions[1]["changes"]) == ("改名", [])
    kinds = {change["kind"] for change in versions[0]["changes"]}
    assert "name" in kinds
    renamed = next(one for one in versions[0]["changes"] if one["kind"] == "name")
    assert (renamed["entry"], renamed["name"]) == (1, "新名")
    problem(scene.reading().get(f"{path}?what=rumours"), 422)
    problem(scene.reading().get("/events/singles/rounds/2/versions?what=results"), 404)
