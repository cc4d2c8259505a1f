"""How stages and rounds are played, late entries, overtaken brackets, and settings, through the interface."""

import pytest

from tests.factories import make_entry, make_event
from tests.tournament.api.test_organising import good
from tests.tournament.api.test_refusals import problem
from tests.tournament.draws import close, draw_round, give_values
from tournament.models import EntryResult, Event, Tournament
from tournament.services.audit import SYSTEM
from tournament.services.draw_plan import draw_whole_plan
from tournament.services.stages import StageData, configure_stage

TEN = {"plan": {"kind": "set", "deals": 10}, "segments": None, "duplicate": False}


def event_of(scene, kind, entries, rounds, form, **options):
    """An event of the scene's tournament, of one stage in this format."""
    event = make_event(kind, entries, tournament=scene.tournament, slug="other", planned_rounds=rounds)
    data = StageData(format=form, rounds=rounds, options=options)
    configure_stage(actor=SYSTEM, stage=event.stages.get(), data=data)
    return event


def of(scene, event):
    return scene.organising(f"{scene.base}events/{event.slug}")


# --- how it is played -----------------------------------------------------------------------------------


def test_a_stage_and_a_round_are_played_otherwise_than_the_event(scene):
    event = event_of(scene, Event.Kind.PAIRS, 4, 3, "swiss")
    sender = of(scene, event)
    before = good(sender.get("/stages/1/terms"))
    assert before["stated"] == {}
    assert before["holds"]["plan"]["deals"] == 16
    stated = good(sender.change("put", "/stages/1/terms", TEN | {"measure": "difference"}))
    assert (stated["stated"]["plan"], stated["holds"]["measure"]) == (TEN["plan"], "difference")
    assert good(sender.get("/rounds/3/terms"))["holds"]["plan"]["deals"] == 10
    final = TEN | {"plan": {"kind": "set", "deals": 20}}
    assert good(sender.change("put", "/rounds/3/terms", final))["holds"]["plan"]["deals"] == 20
    assert good(sender.change("put", "/rounds/3/terms", {}))["stated"] == {}
    draw_round(event, 1)
    assert problem(sender.change("put", "/stages/1/terms", {}), 422)["errors"][0]["code"] == "stage_drawn"


def test_terms_are_stated_as_a_whole_and_with_the_version_that_was_read(scene):
    sender = of(scene, event_of(scene, Event.Kind.PAIRS, 4, 3, "swiss"))
    part = problem(sender.change("put", "/rounds/2/terms", {"plan": TEN["plan"]}), 422)
    assert part["errors"][0]["code"] == "terms_incomplete"
    tag = sender.get("/rounds/2/terms").headers["ETag"]
    good(sender.change("put", "/rounds/2/terms", TEN))
    problem(sender.send("put", "/rounds/2/terms", {}, headers={"if-match": tag}), 412)
    wrong = TEN | {"plan": {"kind": "set", "deals": 0}}
    problem(sender.change("put", "/rounds/2/terms", wrong), 422)


# --- late entries ---------------------------------------------------------------------------------------


@pytest.fixture
def late(scene):
    """A round robin of five pairs, planned and one round played, that a sixth pair joins."""
    event = event_of(scene, Event.Kind.PAIRS, 5, 5, "round_robin")
    draw_round(event, 1)
    make_entry(event)
    return of(scene, event)


def test_nobody_waits_where_all_have_a_place(scene):
    event = event_of(scene, Event.Kind.PAIRS, 4, 3, "round_robin")
    draw_whole_plan(actor=SYSTEM, stage=event.stages.get(), seed=1)
    nobody = {"newcomers": [], "round": None, "places": [], "ways": []}
    sender = of(scene, event)
    assert good(sender.get("/stages/1/newcomers")) == nobody
    problem(sender.post("/stages/1/newcomers", {"how": "place"}), 422)


def test_a_late_entry_takes_the_free_place(late):
    shown = good(late.get("/stages/1/newcomers"))
    assert (shown["newcomers"], shown["round"]) == ([6], 2)
    assert shown["places"] == [{"entry": None, "group": 1}]
    assert {one["how"] for one in shown["ways"]} == {"place", "redraw"}
    taken = good(late.post("/stages/1/newcomers", {"how": "place", "seed": 3}), 201)
    assert taken["rounds"] == [2]
    drawn = good(late.get("/rounds/2/draw"))
    assert drawn["byes"] == []
    assert 6 in {seat["entry"] for table in drawn["tables"] for seat in table["seats"]}
    assert good(late.get("/stages/1/newcomers"))["newcomers"] == []


# --- a bracket after a correction -----------------------------------------------------------------------


@pytest.fixture
def overtaken(scene):
    """A double elimination of four, three rounds played, in whose first round 4 beat 1 after all."""
    event = event_of(scene, Event.Kind.PAIRS, 4, 5, "double_elimination")
    for entry in event.entries.all():
        entry.seeding = entry.number
        entry.save()
    for number in (1, 2, 3):
        draw = draw_round(event, number)
        give_values(draw, lambda entry: -entry.number)
        close(draw.round)
    sender = of(scene, event)
    assert good(sender.get("/stages/1/overtaken")) == {"overtaken": [], "turned": [], "keepable": False}
    problem(sender.post("/stages/1/overtaken/keep", {"reason": "x"}), 409)
    EntryResult.objects.filter(entry__event=event, entry__number=4, round__number=1).update(value=100)
    return sender


def test_what_a_correction_has_overtaken_is_told_and_kept(overtaken):
    shown = good(overtaken.get("/stages/1/overtaken"))
    (turned,) = shown["turned"]
    assert (turned["round"], sorted(turned["entries"]), turned["was"], turned["now"]) == (1, [1, 4], 1, 4)
    assert shown["keepable"]
    assert {one["round"] for one in shown["overtaken"]} <= {2, 3}
    problem(overtaken.post("/stages/1/overtaken/keep", {"reason": ""}), 422)
    good(overtaken.post("/stages/1/overtaken/keep", {"reason": "已赛"}))
    assert good(overtaken.get("/stages/1/overtaken"))["overtaken"] == []
    match = good(overtaken.get(f"/rounds/1/matches/{turned['match']}"))
    assert match["winner"] == 1


def test_what_is_overtaken_is_withdrawn_and_drawn_anew(overtaken):
    first = min(one["round"] for one in good(overtaken.get("/stages/1/overtaken"))["overtaken"])
    again = good(overtaken.post("/stages/1/overtaken/withdraw", {"reason": "更正"}))
    assert (again["number"], again["state"]) == (first, "planned")
    problem(overtaken.get(f"/rounds/{first}/draw"), 404)
    drawn = good(overtaken.post(f"/rounds/{first}/draw"), 201)
    assert drawn["state"] == "preview"
    (change,) = good(overtaken.get("/bulk"))["results"]
    assert change["action"] == "bulk.clear"


# --- settings -------------------------------------------------------------------------------------------


def test_options_of_an_event_are_stated_and_taken_away(scene):
    event = event_of(scene, Event.Kind.TEAMS, 2, 2, "swiss")
    sender = of(scene, event)
    sent = {
        "segments": {"count": 2, "change": "opponents"},
        "duplicate": True,
        "odd": "byes",
        "bye_points": 12,
    }
    assert good(sender.change("patch", "", {"options": sent}))["options"] == sent
    left = good(sender.change("patch", "", {"options": {"segments": None}}))["options"]
    assert left == {name: value for name, value in sent.items() if name != "segments"}
    assert "segments" not in Event.objects.get(pk=event.pk).options
    wrong = {"options": {"segments": {"count": 99}, "odd": "sevens"}}
    problem(sender.change("patch", "", wrong), 422)
    problem(sender.change("patch", "", {"options": {"lots": []}}), 422)


def test_options_that_are_not_stated_stay(scene):
    sender = scene.organising()
    good(sender.post("/lots", {"seed": 4}))
    lots = Event.objects.get(pk=scene.event.pk).options["lots"]
    good(sender.change("patch", "", {"options": {"bye_points": 3}}))
    assert Event.objects.get(pk=scene.event.pk).options["lots"] == lots


def test_clubs_and_seeds_are_kept_apart_for_some_rounds(scene):
    sender = scene.organising()
    assert good(sender.get("/apart-rounds")) == {"clubs": 0, "seeds": 0}
    assert good(sender.change("put", "/apart-rounds", {"clubs": 2, "seeds": 1})) == {"clubs": 2, "seeds": 1}
    problem(sender.change("put", "/apart-rounds", {"clubs": 99, "seeds": 1}), 422)
    problem(sender.send("put", "/apart-rounds", {"clubs": 1, "seeds": 1}), 428)


def test_a_tournament_moves_to_another_address(scene):
    sender = scene.organising(f"{scene.base.rstrip('/')}")
    assert good(sender.change("patch", "", {"slug": "cup-2026"}))["slug"] == "cup-2026"
    assert Tournament.objects.get(pk=scene.tournament.pk).slug == "cup-2026"
    problem(sender.get(""), 403)
