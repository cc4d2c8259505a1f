"""Corrections of the same thing one after another: the last is taken back first, and each leaves what was."""

import pytest
from django.db import transaction

from referee.models import Correction, EntryRuling
from referee.services.corrections import propose_undo
from referee.services.recompute import recompute_event
from referee.services.trail_facts import check_facts
from tests.referee.correction_scene import Scene
from tournament.models import Draw, Entry, Publication, Table
from tournament.queries.payloads import points_json
from tournament.queries.published import Published
from tournament.queries.standings_payload import standings_payload
from tournament.services.audit import SYSTEM
from tournament.services.errors import Conflict, Refused
from tournament.services.publish import publish_round

pytestmark = pytest.mark.django_db

Kind, State = Correction.Kind, Correction.State


@pytest.fixture(scope="module")
def scene(django_db_setup, django_db_blocker):
    """Both rounds played and public. Built once; what a test does to it is rolled back with the test."""
    with django_db_blocker.unblock(), transaction.atomic():
        scene = Scene()
        draw = Draw.objects.get(round__number=2, state=Draw.State.PUBLISHED)
        scene.play(draw)
        publish_round(actor=scene.organiser, round=scene.event.rounds.get(number=2))
        yield scene
        transaction.set_rollback(True)


def _walkover(scene, first_points):
    match = scene.round.draws.get().tables.get(number=1).match
    numbers = list(match.sides.values_list("entry__number", flat=True))
    scores = {str(number): str(first_points + place) for place, number in enumerate(numbers)}
    return Kind.WALKOVER, {"match": match.number, "absent": numbers[:1], "scores": scores, "met": False}


def _ruling(annul_from, *, unranked=False):
    change = {"entry": 5, "unranked": unranked, "annul_from": annul_from}
    return Kind.RULING, {**change, "opponents": "stated", "opponents_points": "30"}


def _exchange(table):
    places = {"first": [1, "N"], "second": [table, "N"]}
    return Kind.TABLES, {**places, "deals": {"1": [1, 2], str(table): [1, 2]}}


def _corrections(scene, name):
    match = scene.round.draws.get().tables.get(number=1).match.number
    return {
        "walkover": [_walkover(scene, 60), _walkover(scene, 10)],
        "walkover taken back": [_walkover(scene, 60), (Kind.WALKOVER_UNDO, {"match": match})],
        "stop": [(Kind.STOP, {"table": 1}), (Kind.RESUME, {"table": 1})],
        "tables": [_exchange(2), _exchange(3)],
        "ruling made anew": [_ruling(1), _ruling(2, unranked=True)],
        "ruling lifted": [_ruling(1, unranked=True), (Kind.RULING_LIFT, {"entry": 5}), _ruling(2)],
    }[name]


def _state(scene):
    """What any of these corrections could move."""
    ruling = EntryRuling.objects.filter(lifted_at=None).first()
    return (
        scene.totals(2),
        scene.stored()[0],
        [one.stopped_at is None for one in Table.objects.order_by("pk")],
        ruling and (ruling.unranked, ruling.annul_from, points_json(ruling.opponents_points)),
        Entry.objects.get(number=5).status,
    )


def _sound(scene):
    assert check_facts(scene.event.tournament) == []
    assert recompute_event(actor=SYSTEM, event=scene.event).differences == []
    for number in (1, 2):
        public = Published(scene.event).publication(Publication.What.STANDINGS, number).payload
        assert public == standings_payload(scene.event, number)


@pytest.mark.parametrize(
    "name",
    [
        "walkover",
        "walkover taken back",
        "stop",
        "tables",
        "ruling made anew",
        "ruling lifted",
    ],
)
def test_the_last_correction_is_taken_back_first_and_each_leaves_what_was(scene, name):
    states, made = [_state(scene)], []
    for kind, change in _corrections(scene, name):
        made.append(scene.make(scene.propose(kind, change)))
        states.append(_state(scene))
    _sound(scene)

    for older in made[:-1]:
        with pytest.raises(Refused) as refused:
            propose_undo(actor=scene.organiser, correction=older, reason="改回")
        assert isinstance(refused.value, Conflict)
    for place in reversed(range(len(made))):
        scene.make(propose_undo(actor=scene.organiser, correction=made[place], reason="改回"))
        assert _state(scene) == states[place]
    _sound(scene)


@pytest.mark.parametrize("change", [_ruling(2, unranked=True), _ruling(None, unranked=True), _ruling(2)])
def test_a_ruling_is_public_in_every_standing_it_bears_on(scene, change):
    scene.make(scene.propose(*change))
    _sound(scene)
