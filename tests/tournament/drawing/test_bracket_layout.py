"""Boxes of a bracket never overlap, lines never cross, and what nobody plays takes no room."""

from itertools import combinations

import pytest

from tournament.drawing.bracket import Layout, Measures, Node, lay_out
from tournament.pairing.bracket import From, Section, make_bracket
from tournament.pairing.knockout import Status, play

MEASURES = Measures()


def _nodes(entries: int, sections: tuple[Section, ...], **kind: bool) -> list[Node]:
    state = play(make_bracket(range(entries), **kind), {})
    return [
        Node(
            one.match.id,
            one.match.level - 1 if one.match.section is not Section.DECIDER else 1,
            tuple(feed.match for feed in one.match.feeds if feed.kind is From.WINNER),
            one.status not in (Status.BYE, Status.VOID),
        )
        for one in state.matches.values()
        if one.match.section in sections
    ]


def _overlaps(layout: Layout) -> list[tuple[str, str]]:
    return [
        (one.id, other.id)
        for one, other in combinations(layout.boxes, 2)
        if one.column == other.column and abs(one.y - other.y) < MEASURES.height + MEASURES.down
    ]


@pytest.mark.parametrize("entries", [*range(2, 34), 40, 63, 64, 65])
def test_boxes_of_a_single_elimination_keep_their_distance(entries):
    nodes = _nodes(entries, (Section.MAIN, Section.FINAL))
    layout = lay_out(nodes)
    assert _overlaps(layout) == []
    assert len(layout.boxes) == entries - 1  # everybody but the winner loses once
    assert len(layout.lines) == entries - 2  # and every match but the final feeds one


@pytest.mark.parametrize("entries", [3, 4, 5, 6, 7, 8, 11, 16, 23, 32, 64])
def test_boxes_of_a_losers_bracket_keep_their_distance(entries):
    layout = lay_out(_nodes(entries, (Section.LOSERS,), double=True))
    assert _overlaps(layout) == []
    assert len({(box.x, box.y) for box in layout.boxes}) == len(layout.boxes)


@pytest.mark.parametrize("entries", [5, 16, 40, 64])
def test_a_match_stands_between_those_that_feed_it(entries):
    nodes = _nodes(entries, (Section.MAIN, Section.FINAL))
    drawn = {node.id for node in nodes if node.drawn}
    places = {box.id: box for box in lay_out(nodes).boxes}
    for node in nodes:
        sources = [places[feed].middle for feed in node.feeds if feed in drawn]
        if node.drawn and sources:
            assert min(sources) <= places[node.id].middle <= max(sources)


def test_byes_take_no_room():
    assert (
        lay_out(_nodes(33, (Section.MAIN, Section.FINAL))).height
        < lay_out(_nodes(64, (Section.MAIN, Section.FINAL))).height
    )


def test_whoever_goes_through_a_match_nobody_plays_is_still_joined_to_the_next():
    nodes = [Node("a", 0), Node("b", 1, ("a",), drawn=False), Node("c", 2, ("b",))]
    layout = lay_out(nodes)
    assert [box.id for box in layout.boxes] == ["a", "c"]
    first, last = layout.boxes
    assert layout.lines == (f"M{first.x + MEASURES.width} {first.middle}H{last.x}",)


def test_nothing_to_place_has_no_size():
    assert lay_out([]) == Layout((), (), (), 0, 0)
