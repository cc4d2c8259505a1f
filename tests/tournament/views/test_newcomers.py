"""The page on which an organiser takes late entries into a plan, and the way to it."""

import pytest
from django.db import transaction

from tests.factories import make_entry, make_event
from tournament.models import Draw, Event
from tournament.services.audit import SYSTEM
from tournament.services.draw import make_draw, publish_draw
from tournament.services.draw_plan import draw_whole_plan
from tournament.services.errors import Refused
from tournament.services.stages import StageData, configure_stage

pytestmark = pytest.mark.django_db

_STAGE = "/manage/t/cup/e/walked/stages/1/"
_PAGE = f"{_STAGE}newcomers/"


def _round_page(number: int) -> str:
    return f"/manage/t/cup/e/walked/rounds/{number}/draw/"


def _under_way(tournament, kind, entries, key, *, rounds):
    """An event whose first round is published, and one entry that came after that."""
    event = make_event(kind, entries, tournament=tournament, slug="walked", planned_rounds=rounds)
    configure_stage(actor=SYSTEM, stage=event.stages.get(), data=StageData(format=key, rounds=rounds))
    draw = make_draw(actor=SYSTEM, round=event.rounds.get(number=1), seed=1)
    publish_draw(actor=SYSTEM, draw=draw)
    make_entry(event, "新人")
    return event


def test_draw_page_leads_to_the_choice_and_both_ways_are_explained(organiser, tournament):
    _under_way(tournament, Event.Kind.PAIRS, 5, "round_robin", rounds=5)
    assert _PAGE in organiser.get(_round_page(2)).content.decode()
    page = organiser.get(_PAGE).content.decode()
    assert 'value="place"' in page
    assert 'value="redraw"' in page
    assert "新人" in page


def test_way_that_is_not_possible_is_shown_without_a_button(organiser, tournament):
    _under_way(tournament, Event.Kind.PAIRS, 6, "round_robin", rounds=5)
    page = organiser.get(_PAGE).content.decode()
    assert 'value="place"' not in page
    assert "disabled" in page
    assert 'value="redraw"' in page


def test_choice_is_carried_out_once_and_leads_to_the_preview(organiser, tournament, send):
    event = _under_way(tournament, Event.Kind.PAIRS, 6, "round_robin", rounds=5)
    answer = send(_PAGE, {"how": "redraw", "seed": "4"})
    assert (answer.status_code, answer["Location"]) == (302, _round_page(2))
    draw = Draw.objects.get(round__event=event, round__number=2)
    assert (draw.seed, draw.state) == (4, "preview")
    assert draw.matches.filter(sides__entry__number=7).count() == 1
    assert organiser.get(_PAGE)["Location"].endswith("/stages/")


def test_choice_must_be_made(organiser, tournament, send):
    _under_way(tournament, Event.Kind.PAIRS, 5, "round_robin", rounds=5)
    answer = send(_PAGE, {})
    assert answer.status_code == 400
    assert not Draw.objects.filter(state="preview").exists()


def test_movement_asks_how_the_tables_are_filled(organiser, tournament, send):
    event = _under_way(tournament, Event.Kind.INDIVIDUAL, 16, "movement", rounds=3)
    assert 'value="threes"' in organiser.get(_PAGE).content.decode()
    assert send(_PAGE, {"how": "redraw", "answer": "threes"}).status_code == 302
    draw = Draw.objects.get(round__event=event, round__number=2)
    assert draw.byes.count() == 0
    assert sorted(table.seats.count() for table in draw.tables.all()) == [3, 3, 3, 4, 4]


def test_preview_made_without_the_newcomer_leads_to_the_choice_too(organiser, tournament):
    event = make_event(Event.Kind.PAIRS, 4, tournament=tournament, slug="walked", planned_rounds=3)
    configure_stage(actor=SYSTEM, stage=event.stages.get(), data=StageData(format="round_robin", rounds=3))
    draw_whole_plan(actor=SYSTEM, stage=event.stages.get(), seed=1)
    assert _PAGE not in organiser.get(_round_page(1)).content.decode()
    make_entry(event, "新人")
    assert _PAGE in organiser.get(_round_page(1)).content.decode()


@pytest.mark.parametrize(
    ("kind", "entries", "key"),
    [
        (Event.Kind.PAIRS, 6, "round_robin"),
        (Event.Kind.PAIRS, 8, "groups"),
        (Event.Kind.INDIVIDUAL, 16, "movement"),
        (Event.Kind.CHANGING, 8, "whist"),
    ],
)
def test_button_to_draw_is_there_just_when_the_round_can_be_drawn(organiser, tournament, kind, entries, key):
    event = _under_way(tournament, kind, entries, key, rounds=3)
    late = event.entries.get(name="新人")
    for first_round in (2, 3):
        late.first_round = first_round
        late.save()
        page = organiser.get(_round_page(2)).content.decode()
        whole = organiser.get(f"{_STAGE}draw/").content.decode()
        for offered, drawing in ((_offers(page), make_draw), (_offers(whole), draw_whole_plan)):
            assert offered == _is_drawn(drawing, event), (first_round, drawing)


def _offers(page: str) -> bool:
    return 'name="seed"' in page


def _is_drawn(drawing, event: Event) -> bool:
    """Whether the service draws round 2, or all the rounds; nothing stays."""
    what = {"round": event.rounds.get(number=2)} if drawing is make_draw else {"stage": event.stages.get()}
    try:
        with transaction.atomic():
            drawing(actor=SYSTEM, seed=1, **what)
            transaction.set_rollback(True)
    except Refused:
        return False
    return True
