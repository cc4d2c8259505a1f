"""What is printed for the hall: everybody once, in an order in which they find themselves."""

import re

import pytest
from django.utils import timezone

from tests.played import drawn_round, played_event
from tests.tournament.public.bracket_play import bracket_event, draw_and_publish
from tournament.models import Entry
from tournament.queries.public_prints import certificates_print, seats_print, sheets_print, wall_print
from tournament.queries.published import Published
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish

pytestmark = pytest.mark.django_db


def test_everybody_of_a_round_is_in_the_list_once_and_by_pinyin():
    names = ["张三", "李四", "Anna Lee", "单雄信", "曾国藩", "阿宝", "欧阳修", "12号"]
    event = played_event([*names, "轮空者"])
    draw = drawn_round(event, 1, byes=1)
    publish(actor=SYSTEM, round=draw.round, what="draw")
    groups = seats_print(Published(event), 1)["groups"]
    people = [person["name"] for group in groups for person in group["people"]]
    assert sorted(people) == sorted([*names, "轮空者"])
    assert [group["letter"] for group in groups] == ["#", "A", "L", "O", "S", "Z"]
    assert [person["name"] for person in groups[1]["people"]] == ["阿宝", "Anna Lee"]
    assert [person["name"] for person in groups[-1]["people"]] == ["曾国藩", "张三"]  # zeng, zhang
    alone = next(person for group in groups for person in group["people"] if person["name"] == "轮空者")
    assert alone["table"] is None


def test_partners_are_listed_each_by_their_own_name_with_their_entry():
    event = bracket_event(["红桃队", "黑桃队"], rounds=1)
    draw = draw_and_publish(event, 1)
    groups = seats_print(Published(event), 1)["groups"]
    people = [person for group in groups for person in group["people"]]
    seated = {seat.player.name for seat in draw.tables.get().seats.all()}
    assert {person["name"] for person in people} == seated
    assert len(people) == 4
    assert {person["team"] for person in people} == {"红桃队", "黑桃队"}
    assert {person["table"] for person in people} == {1}


@pytest.mark.parametrize(("plan", "lines"), [({"kind": "set", "deals": 8}, 8), ({"kind": "game"}, 20)])
def test_a_score_sheet_has_a_line_for_each_deal_of_the_plan(client, plan, lines):
    event = played_event([f"选手{number}" for number in range(8)], plan=plan)
    draw = drawn_round(event, 1)
    publish(actor=SYSTEM, round=draw.round, what="draw")
    context = sheets_print(Published(event), 1)
    assert len(context["lines"]) == lines
    html = client.get(f"/t/{event.tournament.slug}/{event.slug}/round/1/print/sheets/").content.decode()
    assert html.count("<table>") == 2
    body = re.search(r"<tbody>(.*?)</tbody>", html, re.DOTALL).group(1)
    assert body.count("<tr>") == lines
    for seat in draw.tables.first().seats.all():
        assert seat.player.name in html


def test_certificates_follow_the_standings_and_leave_out_who_left(public_event):
    rows = certificates_print(Published(public_event), 1)["rows"]
    assert [row["rank"] for row in rows] == sorted(row["rank"] for row in rows)
    assert len(rows) == public_event.entries.filter(status=Entry.Status.ACTIVE).count()


def test_a_certificate_has_the_tournaments_last_day(public_event, client, base):
    tournament = public_event.tournament
    published = public_event.publications.filter(what="standings").latest("id").published_at
    day = certificates_print(Published(public_event), 1)["day"]
    assert day == published.astimezone(tournament.tz).date()
    tournament.ends_on = timezone.now().date().replace(year=2031)
    tournament.save()
    public_event.tournament.refresh_from_db()
    assert certificates_print(Published(public_event), 1)["day"].year == 2031
    assert client.get(f"{base}standings/1/certificates/").status_code == 200


@pytest.mark.parametrize("builder", [seats_print, wall_print, sheets_print, certificates_print])
def test_nothing_unpublished_is_printed(public_event, builder):
    assert builder(Published(public_event), 3) is None
