"""What the public pages say."""

import re
from html import unescape

import pytest

from referee.services.entry_rulings import rule_on_entry
from tests.played import drawn_round, played_deal, played_event, played_round, update_results
from tournament.models import Entry, Event, Publication, Seat, Tournament
from tournament.points import show_points
from tournament.queries.published import Published
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish, publish_round

pytestmark = pytest.mark.django_db


def _text(response):
    """The page's words in one line."""
    main = response.content.decode().partition("<main")[2]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main)).split())


@pytest.fixture
def read(client):
    def get(path, **query):
        response = client.get(path, query, headers={"accept-language": "en"})
        assert response.status_code == 200, path
        return _text(response)

    return get


def test_home_lists_tournaments_with_public_events(read, public_event):
    Tournament.objects.create(name="筹备中的比赛", slug="later")
    text = read("/")
    assert public_event.tournament.name in text
    assert "筹备中的比赛" not in text


def test_home_says_so_when_there_is_nothing(read):
    assert "No tournament is under way yet." in read("/")


def test_tournament_lists_its_events(read, public_event):
    assert public_event.name in read(f"/t/{public_event.tournament.slug}/")


def test_event_page_shows_rounds_and_the_head_of_the_standings(read, base, public_event):
    text = read(base)
    assert "Round 1 results" in text
    assert "Round 2 pairings" in text
    payload = Published(public_event).payload(Publication.What.STANDINGS, 1)
    for row in payload["rows"][:8]:
        name = payload["entries"][str(row["entry"])]["name"]
        assert f"{row['rank']} {name} {show_points(row['total'])}" in text


def test_round_page_shows_pairings_before_results(read, base):
    text = read(f"{base}round/2/")
    assert "Table 1" in text
    assert "Table 2" in text
    assert "Sitting out" in text
    assert "points" not in text.partition("Table 1")[2].partition("Sitting out")[0]


def test_event_page_says_what_is_played_before_anything_is_published(read):
    event = played_event(["甲", "乙", "丙", "丁"], plan={"kind": "game", "best_of": 3}, rounds=5)
    text = read(f"/t/{event.tournament.slug}/{event.slug}/")
    assert "Ruleset Huapai" in text
    assert "best of 3 games to −1000 or 1000" in text
    assert "5 rounds" in text


def test_round_page_shows_results_by_table(read, base, public_event):
    text = read(f"{base}round/1/")
    payload = Published(public_event).payload(Publication.What.RESULTS, 1)
    for table in payload["tables"]:
        for line in table["lines"]:
            entry = payload["entries"][str(line["entry"])]
            assert f"{entry['name']} {entry['club']} {show_points(line['points'])}" in text


@pytest.mark.parametrize("page", ["round/1/", "standings/"])
def test_penalties_are_lines_of_their_own_and_cancelled_ones_stay(client, base, page):
    html = client.get(base + page, headers={"accept-language": "en"}).content.decode()
    lines = re.findall(r'<li class="link-list__item penalty.*?</li>', html, re.DOTALL)
    given, cancelled = lines
    assert "李雷" in given
    assert "迟到" in given
    assert "−20" in given
    assert "<del>" not in given
    assert "韩梅梅" in cancelled
    assert re.search(r"<del>.*藏牌.*</del>", cancelled, re.DOTALL)
    assert "<del>−50</del>" in cancelled
    assert "查无实据" in cancelled


def test_table_page_shows_cards_exposures_scores_and_formulas(client, base, public_event):
    html = client.get(f"{base}round/1/table/1/", headers={"accept-language": "en"}).content.decode()
    text = unescape(re.sub(r"<[^>]+>", "", html))
    table = Published(public_event).payload(Publication.What.RESULTS, 1)["tables"][0]
    assert len(table["deals"]) == 2
    for deal in table["deals"]:
        article = re.search(rf'id="deal-{deal["number"]}".*?</article>', html, re.DOTALL)[0]
        for seat, formula in deal["formula"].items():
            if deal["captures"][seat]:
                assert formula.replace("-", "−") in text
            assert show_points(deal["scores"][seat]) in article
        shown = len(re.findall("run__rank", article))
        assert shown == sum(map(len, deal["captures"].values())) == 16
        assert article.count('class="exposed"') == len(deal["exposed"])
    assert "checked by West" in html


def test_table_page_before_results_shows_seats_only(read, base):
    text = read(f"{base}round/2/table/1/")
    assert "The results of this round have not been published." in text
    assert "Deal by deal" not in text


def test_standings_show_rounds_penalties_and_totals(client, base, public_event):
    html = client.get(f"{base}standings/", headers={"accept-language": "en"}).content.decode()
    row = re.search(r'<tr id="e2".*?</tr>', html, re.DOTALL)[0]
    payload = Published(public_event).payload(Publication.What.STANDINGS, 1)
    own = next(one for one in payload["rows"] if one["entry"] == 2)
    figures = [unescape(one) for one in re.findall(r"<td[^>]*>([^<]*)", row)]
    assert figures[:4] == [
        str(own["rank"]),
        show_points(own["cells"][0]["value"]),
        "−20",
        show_points(own["total"]),
    ]
    # What put it ahead of the next one: its own total and the other's.
    following = payload["rows"][payload["rows"].index(own) + 1]
    assert f"{show_points(own['total'])} › {show_points(following['total'])}" in row


def test_standings_mark_what_is_not_final(read, base, public_event):
    table = public_event.rounds.get(number=1).draws.get().tables.get(number=1)
    played_deal(table, 3)
    update_results(table, complete=False)
    publish_round(actor=SYSTEM, round=public_event.rounds.get(number=1), note="第3副补录")
    text = read(f"{base}standings/")
    assert "Some results are missing or not final" in text
    assert "Changed : 第3副补录" in text


def test_standings_after_a_round_keep_their_address(read, base):
    assert "after round 1" in read(f"{base}standings/1/")


def test_entry_page_shows_rank_seats_opponents_and_penalties(read, base):
    text = read(f"{base}entry/2/")
    assert "李雷" in text
    assert "Rank after round 1" in text
    assert "/ 9" in text
    assert "Round 2" in text
    assert "Penalty 迟到" in text


def test_entry_page_of_a_cancelled_penalty_says_why(read, base):
    assert "cancelled 查无实据" in read(f"{base}entry/3/")


def test_entry_page_says_what_is_annulled_and_who_has_withdrawn(read, base, public_event):
    leaving, guilty = (public_event.entries.get(number=number) for number in (5, 6))
    first = public_event.rounds.get(number=1)
    Entry.objects.filter(pk=leaving.pk).update(status=Entry.Status.WITHDRAWN)
    rule_on_entry(actor=SYSTEM, entry=guilty, unranked=True, annul_from=1, reason="作弊")
    assert "annulled" not in read(f"{base}entry/6/")
    publish(actor=SYSTEM, round=first, what=Publication.What.STANDINGS)
    assert "withdrawn" in read(f"{base}entry/5/")
    guilty_page = read(f"{base}entry/6/")
    assert "annulled" in guilty_page
    assert "disqualified" in guilty_page
    assert "withdrawn" not in guilty_page


def test_entry_page_says_who_sat_out(read, base):
    assert "Sits out" in read(f"{base}entry/9/")


def test_find_shows_table_and_seat_of_the_newest_round(read, base, public_event):
    draw = public_event.rounds.get(number=2).draws.get()
    seat = Seat.objects.get(table__draw=draw, entry__number=1)
    name = {"N": "North", "W": "West", "S": "South", "E": "East"}[seat.direction]
    for typed in ("wxm", "王小明", "1", "小明", "wangxiao"):
        assert f"Round 2 Table {seat.table.number} {name}" in read(f"{base}find/", q=typed)


def test_find_says_when_nobody_is_found_and_escapes_what_was_typed(client, base):
    html = client.get(f"{base}find/", {"q": "<b>nobody</b>"}).content.decode()
    assert "<b>nobody" not in html
    assert "&lt;b&gt;nobody" in html


def test_names_are_escaped_on_every_page(client):
    event = played_event(["<i>甲</i>", "乙", "丙", "丁"], name="<u>赛</u>")
    publish(actor=SYSTEM, round=drawn_round(event).round, what=Publication.What.DRAW)
    base = f"/t/{event.tournament.slug}/{event.slug}/"
    for path in (
        "/",
        base,
        f"{base}round/1/",
        f"{base}round/1/table/1/",
        f"{base}entry/1/",
        f"{base}find/?q=甲",
    ):
        html = client.get(path).content.decode()
        assert "<i>甲" not in html
        assert "<u>赛" not in html


def test_pig_sheep_table_says_who_played_together(client):
    event = played_event(["甲", "乙", "丙", "丁"], kind=Event.Kind.PIG_SHEEP)
    draw = played_round(event, 1, deals=6)
    publish(actor=SYSTEM, round=draw.round, what=Publication.What.RESULTS)
    html = client.get(f"/t/{event.tournament.slug}/{event.slug}/round/1/table/1/").content.decode()
    (table,) = Published(event).payload(Publication.What.RESULTS, 1)["tables"]
    split = [deal for deal in table["deals"] if any(len(side) > 1 for side in deal["sides"])]
    assert html.count('class="deal__sides"') == len(split) == 6
