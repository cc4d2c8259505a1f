"""Where the matches of a bracket 淘汰赛对阵图 stand: a column a round, each match between its feeds.

Matches that nobody plays (byes) are not drawn; whoever goes through one appears at the next match. So a
bracket of 40 entries is no higher than its 40 entries need, though it is played on a plan of 64.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Node:
    """A match to be placed: its column from 0, and the ids of the matches its sides come from, upper first.

    ``drawn`` False: it only hands on who comes to it, and is not shown.
    """

    id: str
    column: int
    feeds: tuple[str, ...] = ()
    drawn: bool = True


@dataclass(frozen=True, slots=True)
class Measures:
    """Sizes in pixels: of a box, of the gaps between columns and between the closest boxes, of the margin."""

    width: int = 200
    height: int = 50
    across: int = 32
    down: int = 16
    margin: int = 2


@dataclass(frozen=True, slots=True)
class Box:
    """The place of a match: its upper left corner and its middle, in pixels."""

    id: str
    column: int
    x: int
    y: int
    middle: int


@dataclass(frozen=True, slots=True)
class Layout:
    """Boxes by column and from above, the lines between them as SVG path data, and the size of it all.

    ``columns`` gives the left edge of each column, empty ones included.
    """

    boxes: tuple[Box, ...]
    lines: tuple[str, ...]
    columns: tuple[int, ...]
    width: int
    height: int


DEFAULT = Measures()


def lay_out(nodes: Sequence[Node], measures: Measures = DEFAULT) -> Layout:
    """Places the matches of a section. Feeds from outside the section are left out of account.

    Matches without a drawn feed take the next free line in the order in which the tree reaches them, so that
    lines never cross and boxes never overlap; all others stand half way between their feeds.

    >>> layout = lay_out([Node("a", 0), Node("b", 0), Node("f", 1, ("a", "b"))])
    >>> [(box.id, box.x, box.middle) for box in layout.boxes]
    [('a', 2, 27), ('b', 2, 93), ('f', 234, 60)]
    """
    known = {node.id: node for node in nodes}
    heights: dict[str, float] = {}
    feeding = {feed for node in nodes for feed in node.feeds}
    for node in nodes:
        if node.id not in feeding:
            _place(node, known, heights)
    step = measures.height + measures.down
    count = max((node.column for node in nodes), default=-1) + 1
    columns = tuple(measures.margin + k * (measures.width + measures.across) for k in range(count))
    boxes = []
    for node in nodes:
        if node.drawn:
            y = measures.margin + round(heights[node.id] * step)
            boxes.append(Box(node.id, node.column, columns[node.column], y, y + measures.height // 2))
    places = {box.id: box for box in boxes}
    lines = [
        _line(places[source], places[node.id], measures)
        for node in nodes
        if node.drawn
        for source in _sources(node, known)
    ]
    return Layout(
        tuple(sorted(boxes, key=lambda box: (box.column, box.y))),
        tuple(lines),
        columns,
        (columns[-1] + measures.width + measures.margin) if columns else 0,
        max((box.y + measures.height + measures.margin for box in boxes), default=0),
    )


def _sources(node: Node, known: Mapping[str, Node]) -> list[str]:
    """The drawn matches that feed a match, those behind matches that are not drawn included."""
    found: list[str] = []
    for feed in node.feeds:
        before = known.get(feed)
        if before is None:
            continue
        found += [before.id] if before.drawn else _sources(before, known)
    return found


def _place(node: Node, known: Mapping[str, Node], heights: dict[str, float]) -> None:
    """The line of a match, counted in boxes from above, after the lines of all that feed it."""
    sources = _sources(node, known)
    for source in sources:
        if source not in heights:
            _place(known[source], known, heights)
    if not node.drawn:
        return
    if sources:
        heights[node.id] = sum(heights[source] for source in sources) / len(sources)
    else:
        taken = [height for name, height in heights.items() if not _sources(known[name], known)]
        heights[node.id] = max(taken, default=-1.0) + 1.0


def _line(source: Box, target: Box, measures: Measures) -> str:
    start = source.x + measures.width
    turn = target.x - measures.across // 2
    if source.middle == target.middle:
        return f"M{start} {source.middle}H{target.x}"
    return f"M{start} {source.middle}H{turn}V{target.middle}H{target.x}"
