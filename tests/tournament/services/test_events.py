"""Setting up, changing, starting and finishing an event."""

import pytest

from scoring.models import RulesetVersion
from tests.factories import (
    actor,
    make_event,
    make_published_draw,
    make_ruleset_version,
    make_tournament,
    make_user,
)
from tournament.models import AuditRow, Event, Round, Stage
from tournament.services.audit import SYSTEM
from tournament.services.errors import Conflict, NotAllowed, Refused
from tournament.services.events import (
    create_event,
    edit_event,
    finish_event,
    start_event,
)
from tournament.services.terms import MEASURES, default_measure

pytestmark = pytest.mark.django_db


def _create(**fields):
    values = {
        "actor": SYSTEM,
        "name": "个人赛",
        "slug": "individual",
        "kind": Event.Kind.INDIVIDUAL,
        "plan": {"kind": "game"},
        "measure": Event.Measure.POINTS,
        "planned_rounds": 3,
        "clubs_apart_rounds": 1,
        **fields,
    }
    values.setdefault("tournament", make_tournament())
    values.setdefault("ruleset_version", make_ruleset_version())
    return create_event(**values)


def test_create_event_makes_stage_rounds_and_audit_row():
    event = _create()

    assert Stage.objects.get(event=event).number == 1
    assert [round.number for round in event.rounds.all()] == [1, 2, 3]
    assert {round.state for round in event.rounds.all()} == {Round.State.PLANNED}
    row = AuditRow.objects.get(event=event, action="event.create")
    assert row.after["kind"] == "individual"
    assert row.after["plan"] == {"kind": "game"}


def test_create_event_reports_every_fault_at_once_and_stores_nothing():
    with pytest.raises(Refused) as refused:
        _create(
            name=" ",
            plan={"kind": "set", "deals": 0, "colour": "red"},
            measure=Event.Measure.VICTORY_POINTS,
            planned_rounds=0,
        )

    fields = {problem.field for problem in refused.value.problems}
    assert {"name", "deals", "colour", "measure", "planned_rounds"} <= fields
    assert not Event.objects.exists()
    assert not AuditRow.objects.filter(action="event.create").exists()


def test_create_event_refuses_pig_and_sheep_with_two_decks():
    with pytest.raises(Refused) as refused:
        _create(kind=Event.Kind.PIG_SHEEP, ruleset_version=make_ruleset_version("double-pig"))

    assert [problem.field for problem in refused.value.problems] == ["ruleset_version"]


def test_create_event_refuses_games_won_for_a_set():
    with pytest.raises(Refused) as refused:
        _create(kind=Event.Kind.PAIRS, plan={"kind": "set"}, measure=Event.Measure.GAMES)

    assert refused.value.code == "measure_plan"


def test_create_event_refuses_an_address_taken_in_the_tournament_only():
    first = _create()
    other = _create(tournament=make_tournament())

    assert other.slug == first.slug
    with pytest.raises(Conflict) as refused:
        _create(tournament=first.tournament)
    assert refused.value.field == "slug"


def test_create_event_is_for_organisers():
    tournament = make_tournament()
    referee = make_user("chief_referee", tournament)

    with pytest.raises(NotAllowed):
        _create(actor=actor(referee), tournament=tournament)


@pytest.mark.parametrize("kind", Event.Kind.values)
@pytest.mark.parametrize("plan", [{"kind": "game"}, {"kind": "set"}, {"kind": "time", "minutes": 40}])
def test_usual_measure_is_accepted_for_every_kind_and_plan(kind, plan):
    event = _create(kind=kind, plan=plan, measure=default_measure(kind, plan["kind"]))

    assert event.measure in MEASURES[kind]


def test_edit_event_adds_and_drops_planned_rounds():
    event = _create()

    edit_event(actor=SYSTEM, event=event, planned_rounds=5)
    assert event.rounds.count() == 5
    edit_event(actor=SYSTEM, event=event, planned_rounds=2)
    assert event.rounds.count() == 2
    assert AuditRow.objects.filter(event=event, action="event.edit").count() == 2


def test_edit_event_keeps_rounds_that_were_drawn():
    event = make_event(entries=8, planned_rounds=2)
    make_published_draw(event, 1)
    make_published_draw(event, 2)

    with pytest.raises(Refused) as refused:
        edit_event(actor=SYSTEM, event=event, planned_rounds=1)
    assert refused.value.field == "planned_rounds"
    assert event.rounds.count() == 2


def test_edit_event_that_changes_nothing_leaves_no_audit_row():
    event = _create()

    edit_event(actor=SYSTEM, event=event, name=event.name)

    assert not AuditRow.objects.filter(action="event.edit").exists()


def test_ruleset_plan_kind_and_measure_are_frozen_once_the_event_has_started():
    event = make_event(entries=4)
    start_event(actor=SYSTEM, event=event)

    with pytest.raises(Refused) as refused:
        edit_event(
            actor=SYSTEM,
            event=event,
            kind=Event.Kind.PAIRS,
            ruleset_version=make_ruleset_version("classic"),
            plan={"kind": "set"},
            measure=Event.Measure.GAMES,
            name="新名字",
        )
    assert [problem.field for problem in refused.value.problems] == [
        "kind",
        "ruleset_version",
        "plan",
        "measure",
    ]
    event.refresh_from_db()
    assert event.name != "新名字"
    assert edit_event(actor=SYSTEM, event=event, name="新名字").name == "新名字"


def test_kind_stays_while_there_are_entries():
    event = make_event(entries=4)

    with pytest.raises(Refused) as refused:
        edit_event(actor=SYSTEM, event=event, kind=Event.Kind.PAIRS, measure=Event.Measure.DIFFERENCE)
    assert refused.value.code == "has_entries"


def test_start_event_needs_enough_entries_and_is_done_once():
    event = make_event(kind=Event.Kind.PIG_SHEEP, entries=3)
    with pytest.raises(Refused) as refused:
        start_event(actor=SYSTEM, event=event)
    assert "4" in str(refused.value)

    event = make_event(entries=4)
    start_event(actor=SYSTEM, event=event)
    start_event(actor=SYSTEM, event=event)
    assert event.state == Event.State.STARTED
    assert AuditRow.objects.filter(event=event, action="event.started").count() == 1


def test_finish_event_names_the_rounds_that_are_open():
    event = make_event(entries=4, planned_rounds=2)
    event.rounds.filter(number=1).update(state=Round.State.CLOSED)

    with pytest.raises(Refused) as refused:
        finish_event(actor=SYSTEM, event=event)
    assert "2" in str(refused.value)

    event.rounds.update(state=Round.State.CLOSED)
    assert finish_event(actor=SYSTEM, event=event).state == Event.State.FINISHED


def test_event_names_the_version_it_is_played_under():
    event = make_event(entries=4, ruleset="platform")
    start_event(actor=SYSTEM, event=event)
    version = event.ruleset_version
    RulesetVersion.objects.create(book=version.book, number=version.number + 1, data=version.data)

    event.refresh_from_db()
    assert event.ruleset_version == version


def test_create_event_takes_the_format_of_its_first_stage_with_the_usual_options():
    event = _create(kind=Event.Kind.PAIRS, plan={"kind": "set", "deals": 16}, first_format="knockout")
    stage = event.stages.get()
    assert stage.format == "knockout"
    assert (stage.options["third_place"], stage.options["carry"]) == (True, True)
    assert AuditRow.objects.get(action="event.create").after["format"] == "knockout"


@pytest.mark.parametrize("form", ["round_robin", "no such"])
def test_create_event_refuses_a_format_that_the_kind_cannot_be_played_in(form):
    with pytest.raises(Refused) as caught:
        _create(first_format=form, planned_rounds=0)
    assert {"format_kind"} < {one.code for one in caught.value.problems}
    assert not Event.objects.exists()
