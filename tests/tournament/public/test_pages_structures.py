"""Segments, substitutions and team matches on the public pages."""

import re
from random import Random
from uuid import uuid4

import pytest

from referee.models import Deal
from referee.services.checks import check_deal
from referee.services.deals import record_deal
from scoring.engine.playout import play_out
from tests.factories import make_event, make_published_draw
from tournament.models import EntryResult, Event
from tournament.queries.public_pages import round_page, table_page
from tournament.queries.published import Published
from tournament.services.audit import SYSTEM
from tournament.services.lineups import substitute
from tournament.services.publish import publish_round
from tournament.templatetags.points import show_points

pytestmark = pytest.mark.django_db


def _open(kind, deals=4, **fields):
    entries = 2 if kind == Event.Kind.TEAMS else 4
    event = make_event(kind, entries, plan={"kind": "set", "deals": deals}, **fields)
    draw = make_published_draw(event)
    event.refresh_from_db()
    return event, list(draw.tables.order_by("number"))


def _play(table, number, *, checked=True):
    event = table.draw.round.event
    rules = event.ruleset_version.ruleset()
    record = play_out(rules, Random(f"{table.number}/{number}"), mode=event.scoring_mode).record.to_json()
    record_deal(actor=SYSTEM, table=table, number=number, record=record, entered_seat="N", command_id=uuid4())
    if checked:
        check_deal(
            actor=SYSTEM,
            deal=Deal.objects.get(table=table, number=number),
            version=1,
            relation="next",
            seat="W",
            command_id=uuid4(),
        )


def _page(event, table):
    return table_page(Published(event), 1, table.number)


def test_the_score_sheet_follows_an_entry_through_the_segments(client):
    event, (table, _) = _open(Event.Kind.PAIRS, options={"segments": {"count": 2, "change": "turn"}})
    for number in range(1, 5):
        _play(table, number)
    publish_round(actor=SYSTEM, round=table.draw.round)
    sheet = _page(event, table)["deals"]["sheet"]
    assert len(sheet["columns"]) == 2
    for place, column in enumerate(sheet["columns"]):
        stored = EntryResult.objects.get(table=table, entry__number=column["entry"])
        assert sheet["totals"][place] == stored.points
        assert sum(part["points"][place] for part in sheet["subtotals"]) == stored.points
    assert [part["segment"] for part in sheet["subtotals"]] == [1, 2]
    assert [row["segment"] for row in sheet["rows"]] == [1, None, 2, None]
    address = f"/t/{event.tournament.slug}/{event.slug}/round/1/table/{table.number}/"
    page = client.get(address, headers={"accept-language": "en"}).content.decode()
    assert "Seats by segment" in page
    assert page.count("Segment 2") == 2


def test_the_score_sheet_of_changing_partners_has_a_column_for_each_player():
    event, (table,) = _open(Event.Kind.CHANGING, 3, options={"segments": {"count": 3, "change": "partners"}})
    for number in range(1, 4):
        _play(table, number)
    publish_round(actor=SYSTEM, round=table.draw.round)
    sheet = _page(event, table)["deals"]["sheet"]
    assert {
        column["entry"]: total for column, total in zip(sheet["columns"], sheet["totals"], strict=True)
    } == {one.entry.number: one.points for one in EntryResult.objects.select_related("entry")}
    assert len(sheet["columns"]) == 4


def test_a_deal_names_who_played_it_and_the_page_the_substitution(client):
    event, (table, _) = _open(Event.Kind.PAIRS)
    _play(table, 1)
    out = table.seats.get(direction="N").player.name
    substitute(actor=SYSTEM, table=table, segment=1, direction="N", name="客卿", reason="私事不宜公开")
    _play(table, 2)
    publish_round(actor=SYSTEM, round=table.draw.round)
    first, second = _page(event, table)["deals"]["list"]
    names = [
        next(row["player"] for row in deal["rows"] if row["direction"] == "N") for deal in (first, second)
    ]
    assert names == [out, "客卿"]
    address = f"/t/{event.tournament.slug}/{event.slug}/round/1/table/{table.number}/"
    page = client.get(address, headers={"accept-language": "en"}).content.decode()
    assert "Substitution" in page
    assert "私事" not in page


def test_a_team_match_shows_both_tables_and_compares_their_deals(client):
    event, tables = _open(Event.Kind.TEAMS, options={"duplicate": True})
    for table in tables:
        for number in range(1, 4):
            _play(table, number)
    _play(tables[0], 4)
    publish_round(actor=SYSTEM, round=tables[0].draw.round)
    match = _page(event, tables[1])["match"]
    assert match["tables"] == [1, 2]
    compared = match["compared"]
    assert [row["number"] for row in compared["rows"]] == [1, 2, 3]
    values = {
        side["entry"]: sum(result.value for result in EntryResult.objects.filter(entry__number=side["entry"]))
        for side in match["sides"]
    }
    assert compared["totals"][0] - compared["totals"][1] == values[match["sides"][0]["entry"]] != 0
    assert [side["value"] for side in match["sides"]] == list(values.values())
    for row in compared["rows"]:
        assert sum(row["tables"]) == (row["ahead"][0] or 0) - (row["ahead"][1] or 0)
    base = f"/t/{event.tournament.slug}/{event.slug}/round/1/"
    page = client.get(f"{base}table/1/", headers={"accept-language": "en"}).content.decode()
    assert "Both tables compared" in page
    overview = client.get(base, headers={"accept-language": "en"}).content.decode()
    assert "Both tables compared" not in overview
    assert show_points(values[1]) in overview


def test_an_unchecked_deal_at_one_table_keeps_the_whole_matchs_result_back():
    event, tables = _open(Event.Kind.TEAMS, options={"duplicate": True}, measure=Event.Measure.VICTORY_POINTS)
    _play(tables[0], 1)
    _play(tables[1], 1, checked=False)
    publish_round(actor=SYSTEM, round=tables[0].draw.round)
    page = round_page(Published(event), 1)
    assert page["matches"][0]["compared"] is None
    assert [side["value"] for side in page["matches"][0]["sides"]] == [None, None]
    # The points of the checked deal are there; what they make together is not known yet.
    assert page["tables"][0]["lines"][0]["points"] is not None
    assert page["tables"][0]["lines"][0]["value"] is None


def test_victory_points_of_a_team_match_stand_with_the_match_and_not_at_a_table(client):
    event, tables = _open(Event.Kind.TEAMS, measure=Event.Measure.VICTORY_POINTS)
    for table in tables:
        for number in range(1, 5):
            _play(table, number)
    publish_round(actor=SYSTEM, round=tables[0].draw.round)
    page = round_page(Published(event), 1)
    assert sum(side["value"] for side in page["matches"][0]["sides"]) == 20
    assert page["own_values"] is False
    assert page["matches"][0]["complete"]


def test_victory_points_of_a_team_match_stand_once_on_a_teams_own_page(client):
    event, tables = _open(Event.Kind.TEAMS, measure=Event.Measure.VICTORY_POINTS)
    for table in tables:
        for number in range(1, 5):
            _play(table, number)
    publish_round(actor=SYSTEM, round=tables[0].draw.round)
    address = f"/t/{event.tournament.slug}/{event.slug}/"
    for entry in event.entries.all():
        page = client.get(f"{address}entry/{entry.number}/", headers={"accept-language": "en"})
        results = re.findall(r'<p class="path__result">.*?</p>', page.content.decode())
        points = sum(EntryResult.objects.filter(entry=entry).values_list("value", flat=True))
        assert [f'<span class="figure">{show_points(points)}</span>' in one for one in results] == [True]
