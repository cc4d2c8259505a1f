"""A further stage: the organiser is led to who advances before there is anybody to draw."""

import pytest

from tests.factories import make_event
from tests.tournament.draws import close, draw_round, give_values
from tournament.models import Event, Publication
from tournament.queries.next_step import next_step
from tournament.services.advance import confirm_advancement
from tournament.services.audit import SYSTEM
from tournament.services.stages import StageData, add_stage

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(tournament):
    """A stage of one round, played and public, before one for which nobody is confirmed."""
    event = make_event(
        kind=Event.Kind.PAIRS, entries=8, planned_rounds=1, tournament=tournament, slug="singles"
    )
    final = add_stage(actor=SYSTEM, event=event, data=StageData(format="round_robin", rounds=3, name="决赛"))
    draw = draw_round(event, 1)
    give_values(draw, lambda entry: 10 * entry.number)
    close(draw.round)
    for what in (Publication.What.RESULTS, Publication.What.STANDINGS):
        Publication.objects.create(event=event, round=draw.round, what=what, version=1, payload={})
    return event, final


def _step(event):
    step = next_step(event, 2)
    return step.code, step.round and step.round.number


def test_after_a_stage_comes_who_advances_and_only_then_the_draw(organiser, played):
    event, final = played
    base = f"/manage/t/cup/e/{event.slug}/"
    assert _step(event) == ("advance", 2)
    assert f'href="{base}stages/2/advance/">Who advances' in organiser.get(base).content.decode()

    page = organiser.get(f"{base}rounds/2/draw/").content.decode()
    assert "first confirm who advances" in page
    assert f'href="{base}stages/2/advance/"' in page
    assert "draw/make/" not in page

    confirm_advancement(actor=SYSTEM, stage=final, numbers=[8, 7, 6, 5])
    assert _step(event) == ("draw", 2)
    page = organiser.get(f"{base}rounds/2/draw/").content.decode()
    assert "draw/make/" in page


def test_rounds_that_go_by_no_results_are_offered_to_be_drawn_at_once(organiser, played):
    event, final = played
    base = f"/manage/t/cup/e/{event.slug}/"
    confirm_advancement(actor=SYSTEM, stage=final, numbers=[8, 7, 6, 5])
    at_once = f'href="{base}stages/2/draw/"'
    assert at_once in organiser.get(f"{base}rounds/2/draw/").content.decode()

    draw_round(event, 2)
    assert at_once not in organiser.get(f"{base}rounds/3/draw/").content.decode()
