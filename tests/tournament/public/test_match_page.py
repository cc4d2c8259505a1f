"""A match's own page: both tables together, and what its sides have from them."""

import re

import pytest

from tests.played import given_penalty, played_event, played_round
from tests.tournament.public.bracket_play import bracket_event, draw_and_publish, play_round
from tests.tournament.public.test_pages_structures import _open, _play
from tournament.models import EntryResult, Event
from tournament.queries.public_match import match_page
from tournament.queries.published import Published
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish, publish_round
from tournament.services.walkovers import record_walkover

pytestmark = pytest.mark.django_db


def _address(event, number=1, match=1):
    return f"/t/{event.tournament.slug}/{event.slug}/round/{number}/match/{match}/"


def test_a_team_match_adds_up_its_tables_and_shows_the_cards_of_both(client):
    event, tables = _open(Event.Kind.TEAMS, options={"duplicate": True})
    for table in tables:
        for number in (1, 2, 3):
            _play(table, number)
    publish_round(actor=SYSTEM, round=tables[0].draw.round)
    page = match_page(Published(event), 1, 1)
    for side in page["sides"]:
        stored = EntryResult.objects.filter(entry__number=side["entry"])
        assert side["points"] == sum(one.points for one in stored)
        assert side["value"] == sum(one.value for one in stored)
    assert [side["ahead"] for side in page["sides"]].count(True) == 1
    assert len(page["compared"]["rows"]) == 3
    html = client.get(_address(event), headers={"accept-language": "en"}).content.decode()
    assert html.count('<article class="deal') == 6
    ids = re.findall(r'id="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    anchors = set(re.findall(r'href="#([^"]+)"', html)) - {"main"}
    assert anchors <= set(ids)


def test_a_match_without_results_shows_the_line_ups_only(client):
    event = bracket_event(4)
    draw_and_publish(event, 1)
    page = match_page(Published(event), 1, 1)
    assert [side["value"] for side in page["sides"]] == [None, None]
    assert page["bracket"]["level"] == 1
    html = client.get(_address(event), headers={"accept-language": "en"}).content.decode()
    assert "have not been published" in html
    assert f"/t/{event.tournament.slug}/{event.slug}/bracket/1/" in html


def test_a_match_leads_to_its_neighbours_and_its_penalties():
    event = bracket_event(8)
    draw = draw_and_publish(event, 1)
    entry = draw.matches.get(number=2).sides.first().entry
    given_penalty(entry, -5)
    play_round(draw)
    first, second = (match_page(Published(event), 1, number) for number in (1, 2))
    assert (first["previous_match"], first["next_match"]) == (None, 2)
    assert (second["previous_match"], second["next_match"]) == (1, 3)
    assert not first["penalties"]
    assert [one["entry"] for one in second["penalties"]] == [entry.number]


def test_single_players_have_no_match_but_a_table(client, base):
    assert client.get(f"{base}round/1/table/1/").status_code == 200
    assert client.get(f"{base}round/1/match/1/").status_code == 404


def test_an_unpublished_match_is_not_there(client):
    event = played_event(["甲", "乙", "丙", "丁"], kind=Event.Kind.PAIRS, measure=Event.Measure.DIFFERENCE)
    draw = played_round(event, 1)
    assert client.get(_address(event)).status_code == 404
    publish(actor=SYSTEM, round=draw.round, what="draw")
    assert client.get(_address(event)).status_code == 200
    assert client.get(_address(event, match=9)).status_code == 404
    assert client.get(_address(event, number=2)).status_code == 404


def test_a_walkover_says_who_did_not_come_and_not_that_play_was_ended(client):
    event = bracket_event(4)
    draw = draw_and_publish(event, 1)
    match = draw.matches.get(number=1)
    winner, absent = [side.entry for side in match.sides.order_by("position")]
    record_walkover(
        actor=SYSTEM,
        match=match,
        absent=[absent],
        scores={winner.pk: 50, absent.pk: -50},
        met=False,
        reason="迟到超过半小时",
    )
    publish(actor=SYSTEM, round=draw.round, what="results")
    number = match.tables.get().number
    for address in (_address(event), _address(event).replace("match/1", f"table/{number}")):
        html = client.get(address, headers={"accept-language": "en"}).content.decode()
        assert f"{absent.name} did not come." in html
        assert f"{winner.name} did not come." not in html
        assert "It does not count as a meeting." in html
        assert "迟到超过半小时" in html
        assert "Play was ended" not in html
        assert "No checked deal" not in html
