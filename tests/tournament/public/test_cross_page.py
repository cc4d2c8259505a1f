"""The cross-table: every encounter twice, with opposite signs, and none that is not published."""

from fractions import Fraction

import pytest

from tests.played import drawn_round, played_event, played_round
from tests.tournament.public.bracket_play import bracket_event, draw_and_publish, play_round
from tests.tournament.public.test_pages_structures import _open, _play
from tournament.models import EntryResult, Event
from tournament.queries.public_cross import SQUARE, cross_page, meetings
from tournament.queries.public_pages import standings_page
from tournament.queries.published import Published
from tournament.queries.standings import group_standings
from tournament.queries.standings_records import read_records
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish, publish_round
from tournament.services.stages import StageData, configure_stage

pytestmark = pytest.mark.django_db


def test_four_at_a_table_meet_each_other_with_opposite_signs(public_event):
    found = [one for one in meetings(Published(public_event)) if one.round == 1]
    assert len(found) == 2 * 4 * 3
    ahead = {(one.entry, one.other): one.ahead for one in found}
    values = {
        one.entry.number: one.value
        for one in EntryResult.objects.filter(round__number=1).select_related("entry")
    }
    for (entry, other), difference in ahead.items():
        assert difference == values[entry] - values[other] == -ahead[other, entry]


def test_a_drawn_round_shows_who_meets_and_no_figure(public_event):
    found = [one for one in meetings(Published(public_event)) if one.round == 2]
    assert len(found) == 2 * 4 * 3
    assert {one.ahead for one in found} == {None}


def test_a_round_not_published_is_no_encounter():
    event = played_event(["甲", "乙", "丙", "丁"])
    played_round(event, 1)
    assert cross_page(Published(event)) is None
    publish(actor=SYSTEM, round=event.rounds.get(number=1), what="draw")
    assert len(meetings(Published(event))) == 12


def test_both_tables_of_a_team_match_are_one_encounter():
    event, tables = _open(Event.Kind.TEAMS)
    for table in tables:
        for number in (1, 2, 3, 4):
            _play(table, number)
    publish_round(actor=SYSTEM, round=tables[0].draw.round)
    one, other = meetings(Published(event))
    value = sum(Fraction(row.value) for row in EntryResult.objects.filter(entry__number=one.entry))
    its = sum(Fraction(row.value) for row in EntryResult.objects.filter(entry__number=other.entry))
    assert one.ahead == value - its == -other.ahead


def test_a_square_stands_in_the_order_of_the_standings(public_event):
    page = cross_page(Published(public_event))
    ranks = [row["rank"] for row in page["squares"][0]["rows"]]
    assert ranks == sorted(ranks)
    size = len(ranks)
    assert all(len(row["cells"]) == size for row in page["squares"][0]["rows"])
    assert [
        row["cells"].index(next(c for c in row["cells"] if c["self"])) for row in page["squares"][0]["rows"]
    ] == list(range(size))


def test_a_big_field_goes_line_by_line_over_several_pages(client):
    event = played_event([f"选手{number}" for number in range(1, SQUARE + 13)])
    publish(actor=SYSTEM, round=drawn_round(event, 1).round, what="draw")
    pages = [cross_page(Published(event), part) for part in (1, 2, 3)]
    assert pages[2] is None
    shown = [row["entry"] for page in pages[:2] for row in page["lines"]["rows"]]
    assert sorted(shown) == list(range(1, SQUARE + 13))
    assert all(len(row["cells"][0]["meetings"]) == 3 for page in pages[:2] for row in page["lines"]["rows"])
    base = f"/t/{event.tournament.slug}/{event.slug}/cross/"
    assert f'href="{base}2/"' in client.get(base).content.decode()
    assert client.get(f"{base}2/").status_code == 200
    assert client.get(f"{base}3/").status_code == 404


def test_each_group_has_a_square_of_its_own(client):
    event = bracket_event(8)
    stage = event.stages.get()
    configure_stage(
        actor=SYSTEM, stage=stage, data=StageData(format="groups", rounds=3, options={"groups": 2})
    )
    play_round(draw_and_publish(event, 1))
    page = cross_page(Published(event))
    members = [{row["entry"] for row in square["rows"]} for square in page["squares"]]
    assert [len(group) for group in members] == [4, 4]
    assert members[0].isdisjoint(members[1])
    for square in page["squares"]:
        met = [one for row in square["rows"] for cell in row["cells"] for one in cell["meetings"]]
        assert len(met) == 4
    assert client.get(f"/t/{event.tournament.slug}/{event.slug}/cross/").status_code == 200


def test_each_group_has_standings_of_its_own_and_the_square_follows_them(client):
    event = bracket_event(8)
    stage = event.stages.get()
    configure_stage(
        actor=SYSTEM, stage=stage, data=StageData(format="groups", rounds=3, options={"groups": 2})
    )
    for number in (1, 2):
        round = play_round(draw_and_publish(event, number))
    assert [square["rows"][0]["rank"] for square in cross_page(Published(event))["squares"]] == [None, None]
    publish(actor=SYSTEM, round=round, what="standings")
    of_desk = [
        [(row.entry.number, row.rank) for row in group.rows]
        for group in group_standings(read_records(event), event.stages.get(), 2)
    ]
    groups = standings_page(Published(event))["groups"]
    assert [[(row["entry"], row["rank"]) for row in group["rows"]] for group in groups] == of_desk
    assert {rank for group in of_desk for _entry, rank in group} == {1, 2, 3, 4}
    squares = cross_page(Published(event))["squares"]
    assert [[(row["entry"], row["rank"]) for row in square["rows"]] for square in squares] == of_desk
    address = f"/t/{event.tournament.slug}/{event.slug}/standings"
    of_file = {
        row["entry"]: (row["group"], row["group_rank"])
        for row in client.get(f"{address}.json").json()["rows"]
    }
    assert of_file == {
        entry: (number, rank) for number, group in enumerate(of_desk, start=1) for entry, rank in group
    }
    html = client.get(f"{address}/", headers={"accept-language": "en"}).content.decode()
    assert html.index("Group 1") < html.index("Group 2") < html.index('class="table standings"')
