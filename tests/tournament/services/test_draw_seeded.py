"""The first round of a Swiss stage by seeding, from the stage's form to the preview."""

import pytest

from tests.tournament.draws import seeded_event
from tournament.models import Event
from tournament.queries.draws import same_as_stored
from tournament.services.audit import SYSTEM
from tournament.services.draw import make_draw
from tournament.views.manage.draw_view import draw_view

pytestmark = pytest.mark.django_db


def _draw(event):
    return make_draw(actor=SYSTEM, round=event.rounds.get(number=1), seed=5)


def _meetings(draw):
    return sorted(sorted(match.sides.values_list("entry__number", flat=True)) for match in draw.matches.all())


def test_pairs_by_seeding_play_upper_half_against_lower_half():
    draw = _draw(seeded_event("swiss", 8, 3, kind=Event.Kind.PAIRS, seeds=8, first_round="seeding"))
    assert _meetings(draw) == [[1, 5], [2, 6], [3, 7], [4, 8]]


def test_individuals_by_seeding_are_laid_over_the_tables_like_a_snake():
    draw = _draw(seeded_event("swiss", 16, 3, kind=Event.Kind.INDIVIDUAL, seeds=16, first_round="seeding"))
    tables = sorted(
        sorted(table.seats.values_list("entry__number", flat=True)) for table in draw.tables.all()
    )
    assert tables[0] == [1, 8, 9, 16]


def test_preview_says_which_places_of_the_seeding_meet():
    draw = _draw(seeded_event("swiss", 8, 3, kind=Event.Kind.PAIRS, seeds=8, first_round="seeding"))
    said = {remark.text for match in draw_view(draw, []).matches for remark in match.remarks}
    assert any("1, 5" in text for text in said)


@pytest.mark.parametrize(("first_round", "seeds"), [("lot", 8), ("seeding", 0)])
def test_without_seeds_or_by_choice_the_first_round_is_drawn_by_lot(first_round, seeds):
    draw = _draw(seeded_event("swiss", 8, 3, kind=Event.Kind.PAIRS, seeds=seeds, first_round=first_round))
    assert _meetings(draw) != [[1, 5], [2, 6], [3, 7], [4, 8]]


def test_draw_by_seeding_can_be_made_again_from_what_is_stored():
    draw = _draw(seeded_event("swiss", 9, 3, kind=Event.Kind.TEAMS, seeds=3, first_round="seeding"))
    assert same_as_stored(draw)
