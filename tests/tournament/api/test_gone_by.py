"""Checked deals at a table whose round others go by: no operation there changes one without a look first."""

from random import Random

import pytest

from referee.models import DealVersion
from tests.played import random_record
from tests.tournament.api.conftest import Scene, played_event
from tests.tournament.api.test_organising import good
from tests.tournament.api.walking import operations
from tests.tournament.api.who_opens import AT_TABLE, WHO_OPENS
from tournament.services.live import publish_marked

pytestmark = pytest.mark.django_db

OTHER = random_record(Random(2))
#: What a table is asked for that bears on the record of its first deal, by name of the operation.
ON_A_DEAL = {
    "deal_check": {"version": 1, "relation": "opposite", "seat": "S"},
    "deal_colour": {"version": 1, "cards": ["SQ"], "to_seat": "E"},
    "deal_record": {"record": OTHER, "based_on": 1, "entered_seat": "N"},
    "deal_ruling": {
        "version": 1,
        "kind": "exposure",
        "facts": {"seat": "N", "card": "SQ", "exposure": "open", "ruling": "taken_back"},
    },
    "deal_second": {"version": 1, "record": OTHER, "entered_seat": "S"},
    "deal_sign": {"version": 1, "seat": "S", "verdict": "dispute", "reason": "x", "record": OTHER},
    "deal_undo": {"version": 1, "reason": "x"},
}
#: And by a token to organise alone: the answer is the number of a proposal.
PROPOSED = {
    "deal_correct": {"version": 1, "record": OTHER, "reason": "x"},
    "deal_void": {"version": 1, "reason": "x"},
}
#: Logs of tricks stand beside the record.
BESIDE = {"deal_tricks"}


def _versions():
    return list(DealVersion.objects.order_by("pk").values_list("deal", "number", "state", "record"))


def test_every_operation_on_a_deal_is_among_these():
    at_table = {one.name for one in operations() if "deal" in one.parts and one.method != "get"}
    assert at_table == {*ON_A_DEAL, *PROPOSED, *BESIDE}
    assert all(WHO_OPENS[f"post {name}"] == AT_TABLE for name in ON_A_DEAL)


@pytest.mark.parametrize("name", ON_A_DEAL)
def test_what_a_table_asks_for_changes_no_checked_deal(scene, name):
    before, ending = _versions(), name.removeprefix("deal_")
    for sender in (scene.recording(), scene.organising(f"{scene.of_event}/rounds/1/tables/1")):
        response = sender.post(f"/deals/1/{ending}", ON_A_DEAL[name])
        assert response.status_code in (409, 422), response.content
    assert _versions() == before


@pytest.mark.parametrize("name", PROPOSED)
def test_a_published_deal_is_changed_by_a_proposal_alone(scene, name):
    before, ending = _versions(), name.removeprefix("deal_")
    assert scene.recording().post(f"/deals/1/{ending}", PROPOSED[name]).status_code == 403
    assert not scene.event.corrections.exists()
    table = scene.organising(f"{scene.of_event}/rounds/1/tables/1")
    answer = good(table.post(f"/deals/1/{ending}", PROPOSED[name]))
    assert answer["outcome"] == {"correction": scene.event.corrections.get().number}
    assert _versions() == before


@pytest.mark.parametrize("name", PROPOSED)
def test_what_is_published_live_is_changed_at_once_and_told_live(scene, name):
    """Nobody has put their name to live results: docs/decisions.md."""
    event = played_event(scene.tournament, "live", published=False)
    live = Scene(scene.tournament, event, scene.organiser)
    desk, ending = live.organising(), name.removeprefix("deal_")
    good(desk.post("/rounds/1/publish", {"what": "draw"}))
    good(desk.post("/publicity", {"visibility": "auto", "live": "results"}))
    publish_marked(event_id=event.pk)
    deals = "/events/live/rounds/1/deals"
    assert good(live.reading().get(deals))["count"] == 4
    answer = good(desk.post(f"/rounds/1/tables/1/deals/1/{ending}", PROPOSED[name]))
    assert answer["outcome"]["version"] == 2
    assert not event.corrections.exists()
    publish_marked(event_id=event.pk)
    # Its new record is not checked yet.
    assert good(live.reading().get(deals))["count"] == 0
