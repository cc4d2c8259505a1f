"""The structure of rounds in the form of an event: segments, duplicate deals, points."""

import pytest

from tests.tournament.views.test_flow import _event_values
from tournament.models import Event

pytestmark = pytest.mark.django_db

NEW = "/manage/t/cup/new-event/"


def _victory(rows):
    return {
        f"victory_points-{row}-{part}": str(value)
        for row, pair in enumerate(rows, start=1)
        for part, value in zip(("from", "ahead"), pair, strict=True)
    }


@pytest.mark.parametrize(
    ("values", "options"),
    [
        ({}, {}),
        (
            {
                "kind": "teams",
                "plan_kind": "set",
                "segments": "2",
                "segment_change": "opponents",
                "duplicate": "on",
            },
            {"segments": {"count": 2, "change": "opponents"}, "duplicate": True},
        ),
        ({"measure": "place_points", "place_points": "5-3，1 0"}, {"place_points": [5, 3, 1, 0]}),
        ({"measure": "place_points"}, {}),
        (
            {
                "kind": "pairs",
                "plan_kind": "set",
                "measure": "victory_points",
                **_victory([(0, 15), (100, 17), (300, 30)]),
            },
            {"victory_points": [[0, 15, 15], [100, 17, 13], [300, 30, 0]]},
        ),
        # What the kind and the measure do not use is not stored, whatever was filled in before.
        ({"duplicate": "on", "place_points": "3 1", **_victory([(0, 7)])}, {}),
    ],
)
def test_the_form_stores_the_structure_and_shows_it_again(organiser, send, values, options):
    send(NEW, _event_values(**values))
    event = Event.objects.get()
    kept = {name: value for name, value in event.options.items() if name not in ("odd", "bye_points")}
    assert kept == options
    address = f"/manage/t/cup/e/{event.slug}/settings/"
    again = {**_event_values(**values), "measure": event.measure, "slug": event.slug}
    assert send(address, again).status_code == 302
    event.refresh_from_db()
    assert kept.items() <= event.options.items()
    form = organiser.get(address).context["form"]
    assert form["segments"].value() == options.get("segments", {}).get("count", 1)
    page = organiser.get(address).content.decode()
    for row in options.get("victory_points", ()):
        assert f'value="{row[1]}"' in page


@pytest.mark.parametrize(
    ("values", "field", "wording"),
    [
        ({"plan_kind": "set", "deals": "4", "segments": "5"}, "segments", "cannot have 5 segments"),
        ({"best_of": "1", "segments": "2"}, "segments", "Segments change between games"),
        ({"kind": "teams", "duplicate": "on"}, "duplicate", "need a set of deals"),
        (
            {"kind": "changing", "best_of": "3", "segments": "3", "segment_change": "partners"},
            "segment_change",
            "only in sets",
        ),
        ({"measure": "place_points", "place_points": "1 2"}, "place_points", "fall from the first"),
        ({"measure": "place_points", "place_points": "viele"}, "place_points", "as numbers"),
        (
            {
                "kind": "pairs",
                "plan_kind": "set",
                "measure": "victory_points",
                **_victory([(0, 10), ("x", 11)]),
            },
            "victory_points",
            "Row 2",
        ),
        (
            {
                "kind": "pairs",
                "plan_kind": "set",
                "measure": "victory_points",
                **_victory([(0, 10), (9, 21)]),
            },
            "victory_points",
            "twice the first row",
        ),
        (
            {
                "kind": "pairs",
                "plan_kind": "set",
                "measure": "victory_points",
                **_victory([(0, 10), (200, 12), (100, 13)]),
            },
            "victory_points",
            "3",
        ),
    ],
)
def test_the_form_says_beside_the_field_what_cannot_be(send, values, field, wording):
    answer = send(NEW, _event_values(**values))
    assert answer.status_code == 400
    assert wording in str(answer.context["form"].errors[field])
    assert not Event.objects.exists()
