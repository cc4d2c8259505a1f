"""Recording a walkover from the page of a match, and taking it back."""

import pytest

from tests.factories import make_event, make_published_draw
from tournament.models import Event, Walkover
from tournament.queries.standings import event_standings

pytestmark = pytest.mark.django_db

MATCH = "/manage/t/cup/e/pairs/rounds/1/match/1/"
STATE = f"{MATCH}walkover/"


@pytest.fixture
def match(tournament):
    event = make_event(
        Event.Kind.PAIRS, 2, tournament=tournament, slug="pairs", options={"bye_points": "12.5"}
    )
    return make_published_draw(event).matches.get()


def _values(match, **changes):
    first, second = (side.entry for side in match.sides.order_by("position"))
    scores = {f"score_{first.pk}": "50", f"score_{second.pk}": "−50"}
    return {"absent": [str(second.pk)], "reason": "没有来", **scores, **changes}


def test_walkover_is_recorded_from_the_page_of_the_match_and_taken_back(match, organiser, send):
    assert STATE in organiser.get(MATCH).content.decode()
    page = organiser.get(STATE).content.decode()
    assert 'value="25/2"' in page

    answer = send(STATE, _values(match), page=STATE)

    assert (answer.status_code, answer.headers["Location"]) == (302, MATCH)
    shown = organiser.get(MATCH).content.decode()
    assert "没有来" in shown
    assert f"{STATE}undo/" in shown
    assert {row.total for row in event_standings(match.draw.round.event).rows} == {50, -50}
    for address in ("rounds/1/", "standings/"):
        assert organiser.get(f"/manage/t/cup/e/pairs/{address}").status_code == 200

    answer = send(f"{STATE}undo/", {"reason": "来了"})
    assert answer.status_code == 302
    assert not Walkover.objects.exists()


def test_what_is_wrong_stands_beside_its_field(match, send):
    first = match.sides.get(position=1).entry
    answer = send(STATE, _values(match, absent=[], **{f"score_{first.pk}": "1/7"}), page=STATE)

    assert answer.status_code == 400
    form = answer.context["form"]
    assert set(form.errors) == {"absent", f"score_{first.pk}"}
    assert not Walkover.objects.exists()
