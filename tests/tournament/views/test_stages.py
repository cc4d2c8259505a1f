"""Stages, constraints, changes of many and brackets through the pages, as an organiser does it."""

import pytest

from tests.factories import make_event
from tests.tournament.draws import close, draw_round, give_values
from tournament.models import Absence, ApartGroup, Draw, Entry, MatchDecision, Stage
from tournament.services.audit import SYSTEM
from tournament.services.stages import StageData, add_stage, configure_stage

BASE = "/manage/t/cup/e/pairs/"


@pytest.fixture
def event(tournament):
    event = make_event(kind="pairs", entries=8, tournament=tournament, slug="pairs", planned_rounds=1)
    Entry.objects.filter(event=event, number__lte=4).update(club="")
    return event


def test_format_is_chosen_with_its_options_and_faults_stand_at_their_fields(organiser, send, event):
    page = organiser.get(f"{BASE}stages/1/").content.decode()
    for title in ("Swiss", "round robin", "groups", "knock-out", "double elimination"):
        assert f"<b>{title}</b>" in page
    assert "planned movement" not in page

    wrong = send(f"{BASE}stages/1/", {"format": "groups", "rounds": "99", "option_groups": "1"})
    assert wrong.status_code == 400
    assert set(wrong.context["form"].errors) == {"rounds", "option_groups"}

    # What the other formats would have wanted is nobody's fault.
    right = send(
        f"{BASE}stages/1/",
        {
            "format": "knockout",
            "rounds": "3",
            "option_best_of": "1",
            "option_best_of_final": "1",
            "option_groups": "",
            "option_third_place": "on",
        },
    )
    assert right.status_code == 302
    stage = Stage.objects.get(event=event)
    assert (stage.format, stage.rounds.count()) == ("knockout", 3)
    assert stage.options["third_place"] is True


def test_stage_is_added_filled_and_drawn(organiser, send, event):
    send(
        f"{BASE}stages/new/",
        {
            "name": "决赛",
            "format": "swiss",
            "rounds": "2",
            "carry": "on",
            "option_groups": "2",
            "option_best_of": "1",
            "option_best_of_final": "1",
            "option_first_round": "lot",
        },
    )
    draw = draw_round(event, 1)
    give_values(draw, lambda entry: 10 * entry.number)
    close(draw.round)
    page = organiser.get(f"{BASE}stages/2/advance/?places=4")
    assert page.context["preview"].numbers == (8, 7, 6, 5)

    refused = send(f"{BASE}stages/2/advance/", {"numbers": "8，7、6 1", "reason": ""})
    assert set(refused.context["form"].errors) == {"reason"}
    done = send(f"{BASE}stages/2/advance/", {"numbers": "8，7、6 1", "reason": "5 left for the train"})
    assert done.status_code == 302
    assert list(Stage.objects.get(number=2).members.values_list("entry__number", flat=True)) == [8, 7, 6, 1]

    made = send(f"{BASE}rounds/2/draw/make/", {"bye_points": "0"}, page=f"{BASE}rounds/2/draw/")
    assert made.status_code == 302
    assert Draw.objects.get(round__number=2).matches.count() == 2


def test_constraints_are_stored_and_taken_away_each_sent_twice(organiser, send, event):
    address = f"{BASE}constraints/"
    send(f"{address}apart/", {"apart-numbers": "1, 2", "apart-name": "family"}, page=address)
    group = ApartGroup.objects.get()
    again = send(f"{address}apart/", {"apart-numbers": "2-99"}, page=address)
    assert "9" in again.context["apart_form"].errors["numbers"][0]
    wrong = send(f"{address}apart/", {"apart-numbers": "one, 2"}, page=address)
    assert "one" in wrong.context["apart_form"].errors["numbers"][0]
    send(f"{address}rounds/", {"rounds-clubs": "1", "rounds-seeds": "1"}, page=address)
    event.refresh_from_db()
    assert (event.clubs_apart_rounds, event.options["seeds_apart_rounds"]) == (1, 1)
    send(
        f"{address}absent/",
        {"absent-round": "1", "absent-numbers": "3", "absent-reason": "train"},
        page=address,
    )
    assert Absence.objects.get().entry.number == 3
    assert "train" in organiser.get(address).content.decode()

    send(f"{address}absent/1/3/remove/")
    send(f"{address}apart/{group.pk}/remove/")
    assert not Absence.objects.exists()
    assert not ApartGroup.objects.exists()
    assert organiser.post(f"{address}apart/{group.pk}/remove/").status_code == 302


def test_many_are_shown_before_they_are_withdrawn_and_brought_back(organiser, send, event):
    address = f"{BASE}bulk/"
    shown = send(f"{address}withdraw/", {"numbers": "1, 5-6", "reason": "bus left"}, page=address)
    assert [entry.number for entry in shown.context["effect"].entries] == [1, 5, 6]
    assert not event.entries.filter(status="withdrawn").exists()

    form = shown.context["form"]
    values = {
        "numbers": "1, 5-6",
        "reason": "bus left",
        "command_id": form["command_id"].value(),
        "confirmed": "1",
    }
    for _ in range(2):
        assert organiser.post(f"{address}withdraw/", values).status_code == 302
    assert event.entries.filter(status="withdrawn").count() == 3

    row = organiser.get(address).context["changes"][0]["row"]
    send(f"{address}{row.pk}/undo/", {"reason": "bus came back"})
    assert not event.entries.filter(status="withdrawn").exists()


def test_rounds_are_shown_before_they_are_cleared(organiser, send, event):
    draw = draw_round(event, 1)
    address = f"{BASE}bulk/"
    values = {"from_round": "1", "reason": "wrong list"}
    shown = send(f"{address}clear/", values, page=address)
    assert [(line.round.number, line.tables) for line in shown.context["effect"]] == [(1, 4)]
    draw.refresh_from_db()
    assert draw.state == Draw.State.PUBLISHED

    values |= {"command_id": shown.context["form"]["command_id"].value(), "confirmed": "1"}
    organiser.post(f"{address}clear/", values)
    draw.refresh_from_db()
    assert draw.state == Draw.State.WITHDRAWN


def test_plan_is_drawn_for_all_rounds_at_once(organiser, send, event):
    configure_stage(actor=SYSTEM, stage=event.stages.get(), data=StageData(format="round_robin", rounds=7))

    send(f"{BASE}stages/1/draw/", {"bye_points": "0", "seed": "5"})

    assert Draw.objects.filter(state=Draw.State.PREVIEW, seed=5).count() == 7


def test_bracket_shows_its_matches_and_a_tie_is_decided_there(organiser, send, event):
    configure_stage(actor=SYSTEM, stage=event.stages.get(), data=StageData(format="knockout", rounds=3))
    address = f"{BASE}stages/1/bracket/"
    assert organiser.get(address).status_code == 200
    draw = draw_round(event, 1)
    give_values(draw, lambda entry: 7)
    close(draw.round)

    page = organiser.get(address)
    assert [column.title for column in page.context["sections"][0].columns] == [
        "Quarter-finals",
        "Semi-finals",
        "Final",
    ]
    assert sum(one["needed"] for one in page.context["decisions"]) == 4
    match = page.context["decisions"][0]["match"]
    winner = match.sides.first().entry
    send(f"{address}{match.pk}/", {"winner": str(winner.pk), "reason": "lot"})

    assert MatchDecision.objects.get().winner == winner
    assert sum(one["needed"] for one in organiser.get(address).context["decisions"]) == 3
    send(f"{address}{match.pk}/undo/", {"reason": "wrong match"})
    assert not MatchDecision.objects.exists()


def test_groups_and_heats_have_their_page(organiser, event, tournament):
    configure_stage(actor=SYSTEM, stage=event.stages.get(), data=StageData(format="groups", rounds=3))
    add_stage(actor=SYSTEM, event=event, data=StageData(format="knockout", rounds=2))
    draw_round(event, 1)
    assert [len(group) for group in organiser.get(f"{BASE}stages/1/bracket/").context["groups"]] == [4, 4]

    heats = make_event(entries=8, tournament=tournament, slug="heats", planned_rounds=2)
    configure_stage(actor=SYSTEM, stage=heats.stages.get(), data=StageData(format="heats", rounds=2))
    draw = draw_round(heats, 1)
    give_values(draw, lambda entry: entry.number)
    close(draw.round)
    shown = organiser.get("/manage/t/cup/e/heats/stages/1/bracket/").context["heats"]
    assert [len(heat.direct) + len(heat.best_of_rest) for heat in shown] == [4]
