"""The public bracket: from published pairings and results alone, whole and readable."""

import re

import pytest

from tests.tournament.public.bracket_play import bracket_event, draw_and_publish, play_round, winners
from tournament.models import Publication
from tournament.queries.public_bracket import bracket_page
from tournament.queries.published import Published
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish, withdraw_publication

pytestmark = pytest.mark.django_db


def _page(event, stage=1):
    return bracket_page(Published(event), stage)


def _sides(column):
    return [tuple(side["entry"] for side in box["sides"]) for box in column["boxes"]]


def _winners(column):
    return {side["entry"] for box in column["boxes"] for side in box["sides"] if side["winner"]}


def test_there_is_no_bracket_before_its_first_round_is_published(client):
    event = bracket_event(8)
    assert _page(event) is None
    draw_and_publish(event, 1)
    assert _page(event) is not None
    assert _page(event, 2) is None


def test_the_first_round_shows_its_pairings_and_nothing_further():
    event = bracket_event(8)
    draw = draw_and_publish(event, 1)
    first, second, final = _page(event)["sections"][0]["columns"]
    pairs = {frozenset(m.sides.values_list("entry__number", flat=True)) for m in draw.matches.all()}
    assert {frozenset(two) for two in _sides(first)} == pairs
    assert _sides(second) == [(None, None)] * 2
    assert _sides(final) == [(None, None)]
    assert not _winners(first)


def test_winners_go_on_once_their_results_are_published():
    event = bracket_event(8)
    draw = draw_and_publish(event, 1)
    round = play_round(draw, results=False)
    before = _page(event)["sections"][0]["columns"]
    assert _sides(before[1]) == [(None, None)] * 2
    publish(actor=SYSTEM, round=round, what=Publication.What.RESULTS)
    first, second, _final = _page(event)["sections"][0]["columns"]
    assert _winners(first) == winners(draw)
    assert {entry for two in _sides(second) for entry in two} == winners(draw)


def test_results_held_back_show_who_plays_next_and_not_by_which_figures():
    event = bracket_event(8)
    first = draw_and_publish(event, 1)
    play_round(first, results=False)
    draw_and_publish(event, 2)
    columns = _page(event)["sections"][0]["columns"]
    assert all(side["score"] is None for box in columns[0]["boxes"] for side in box["sides"])
    assert not _winners(columns[0])
    assert {entry for two in _sides(columns[1]) for entry in two} == winners(first)
    publication = Publication.objects.get(round__number=2)
    withdraw_publication(actor=SYSTEM, publication=publication, reason="verfrüht")
    assert _sides(_page(event)["sections"][0]["columns"][1]) == [(None, None)] * 2


def test_a_bracket_played_to_the_end_names_its_winner_and_third_place(client):
    event = bracket_event(8, third_place=True)
    for number in (1, 2, 3):
        draw = draw_and_publish(event, number)
        play_round(draw)
    page = _page(event)
    main, third = page["sections"]
    assert page["champion"]["entry"] in winners(draw)
    assert _winners(main["columns"][2]) == {page["champion"]["entry"]}
    assert _winners(third["columns"][0]) == winners(draw) - {page["champion"]["entry"]}
    address = f"/t/{event.tournament.slug}/{event.slug}/bracket/1/"
    html = client.get(address, headers={"accept-language": "en"}).content.decode()
    assert html.count('<svg class="bracket-svg" ') == 2
    for link in set(re.findall(r'href="(/t/[^"]*/match/\d+/)"', html)):
        assert client.get(link).status_code == 200


def test_byes_are_not_drawn_and_who_has_one_stands_in_the_second_round():
    event = bracket_event(5, third_place=False)
    draw = draw_and_publish(event, 1)
    first, second, _final = _page(event)["sections"][0]["columns"]
    assert len(first["boxes"]) == 1
    through = {bye.entry.number for bye in draw.byes.select_related("entry")}
    assert len(through) == 3
    assert through <= {entry for two in _sides(second) for entry in two}


def test_best_of_three_counts_games_and_leads_to_each():
    event = bracket_event(4, rounds=6, best_of=3, best_of_final=3, third_place=False)
    for number in (1, 2):
        play_round(draw_and_publish(event, number))
    box = _page(event)["sections"][0]["columns"][0]["boxes"][0]
    assert [game["round"] for game in box["games"]] == [1, 2]
    assert sum(side["score"] for side in box["sides"]) == 2
    one_sided = max(side["score"] for side in box["sides"]) == 2
    assert any(side["winner"] for side in box["sides"]) == one_sided


def test_a_double_elimination_has_its_losers_in_a_section_of_their_own():
    event = bracket_event(8, "double_elimination", rounds=7)
    first = draw_and_publish(event, 1)
    play_round(first)
    sections = _page(event)["sections"]
    assert len(sections) == 3
    losers = {entry for two in _sides(sections[1]["columns"][0]) for entry in two}
    everybody = set(event.entries.values_list("number", flat=True))
    assert losers == everybody - winners(first)
    number = 1
    while _page(event)["champion"] is None:
        number += 1
        play_round(draw_and_publish(event, number))
    assert number in (6, 7)


def test_long_names_are_cut_in_the_picture_and_whole_in_its_titles_and_in_the_list(client):
    long = "工人文化宫第二代表队之二"
    event = bracket_event([long, "李雷", "韩梅梅", "赵六"])
    draw_and_publish(event, 1)
    html = client.get(f"/t/{event.tournament.slug}/{event.slug}/bracket/1/").content.decode()
    picture = html[html.index('<svg class="bracket-svg" ') : html.index("by-round")]
    title = re.search(r"<title>([^<]*工人[^<]*)</title>", picture).group(1)
    assert long in title
    assert long not in re.sub(r"<title>.*?</title>", "", picture, flags=re.DOTALL)
    assert long in html[html.index("by-round") :]


def test_a_stage_of_another_format_has_no_bracket(client, public_event, base):
    assert client.get(f"{base}bracket/1/").status_code == 404
    assert "/bracket/" not in client.get(base).content.decode()


@pytest.mark.parametrize(("form", "rounds"), [("knockout", 3), ("double_elimination", 7)])
def test_every_match_played_has_its_figures_and_leads_to_its_page(form, rounds):
    """Finals and matches for third place too, whatever the plan calls them."""
    event = bracket_event(8, form, rounds=rounds)
    played = 0
    for number in range(1, rounds + 1):
        draw = draw_and_publish(event, number)
        played += draw.matches.count()
        play_round(draw)
        if _page(event)["champion"]:
            break
    boxes = [
        box
        for section in _page(event)["sections"]
        for column in section["columns"]
        for box in column["boxes"]
    ]
    done = [box for box in boxes if box["match"]]
    assert len(done) == played
    assert all(side["score"] is not None for box in done for side in box["sides"])


def test_the_heads_of_a_picture_are_not_stretched_with_it(client):
    """One column fills a wide page: its title stays as large as any other."""
    event = bracket_event(4, rounds=2)
    for number in (1, 2):
        play_round(draw_and_publish(event, number))
    html = client.get(f"/t/{event.tournament.slug}/{event.slug}/bracket/1/").content.decode()
    heads = re.findall(r"<svg [^>]*bracket-svg--heads[^>]*>", html)
    assert heads
    for one in heads:
        # As high as it is drawn, and whole within that: it may shrink on paper, and never grows.
        assert re.search(r'height="36" viewBox="0 0 \d+ 36" preserveAspectRatio="\w+ meet"', one), one
