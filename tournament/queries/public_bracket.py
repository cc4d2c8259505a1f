"""The bracket 淘汰赛对阵图 of a stage, as far as its rounds are published, placed for drawing.

The plan and the sides of each round come from published pairings, winners from published results: a round
whose results are held back shows who plays in it and not who won.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from tournament.drawing.bracket import Measures, Node, lay_out
from tournament.drawing.text import fit
from tournament.models import Publication
from tournament.pairing.bracket import Section
from tournament.pairing.knockout import MatchState, Status
from tournament.queries.bracket_names import section_title, stage_title
from tournament.queries.brackets import BRACKETS
from tournament.queries.draw_brackets import Standing, standing
from tournament.queries.draw_inputs import Outcome, StageInputs
from tournament.queries.payloads import points_json, points_of
from tournament.queries.published import Published

What = Publication.What
Context = dict[str, Any]

_MEASURES = Measures(width=224, height=52, margin=8)
#: Ems of 14 pixels that a name has between the entry's number and its figure.
_NAME = 9.6


@dataclass(frozen=True)
class _Game:
    """A match of a round as published: its place in the bracket, its sides in order, what each has.

    ``values`` count only where ``known``; ``winner`` is set where the organiser has decided the match.
    """

    round: int
    number: int
    bracket: Mapping[str, Any] | None
    sides: Sequence[int]
    values: Mapping[int, Fraction]
    known: bool
    complete: bool
    winner: int | None


def bracket_page(published: Published, stage: int) -> Context | None:
    """The bracket of a stage: sections with boxes and lines, and the same round by round as a list."""
    found = stage_rounds(published.load_all(), stage)
    plan = _plan(found)
    if plan is None:
        return None
    games = {number: _games(number, payload) for number, payload in found}
    now = _standing(plan, found, games)
    view = _View(published.entries, _by_match(now, games), {one.match.id for one in now.undecided})
    champion = now.state.champion
    return {
        "stage_number": stage,
        "stage_title": stage_title(plan["name"], stage),
        "sections": _sections(now, view),
        "champion": champion and {"entry": champion, "info": view.entries[champion]},
        "rounds_shown": [number for number, _payload in found],
    }


def published_standing(published: Published, stage: int) -> Standing | None:
    """The bracket of a stage as far as it is published, entries by number; None where none is."""
    found = stage_rounds(published.load_all(), stage)
    plan = _plan(found)
    if plan is None:
        return None
    return _standing(plan, found, {number: _games(number, payload) for number, payload in found})


def _plan(found: Sequence[tuple[int, Context]]) -> Context | None:
    """What the published rounds say of their stage; None where it is no bracket, or none is drawn."""
    plan = next((payload["stage"] for _number, payload in found if payload["stage"]["positions"]), None)
    return plan if plan is not None and plan["format"] in BRACKETS else None


def _standing(
    plan: Context, found: Sequence[tuple[int, Context]], games: Mapping[int, Sequence[_Game]]
) -> Standing:
    return standing(
        StageInputs(
            options=plan["options"],
            positions=tuple(plan["positions"]),
            outcomes=tuple(_outcomes(found, games)),
        )
    )


def stage_rounds(published: Published, stage: int) -> list[tuple[int, Context]]:
    """The published rounds of a stage, each with its results or else its pairings."""
    found = []
    for number in published.rounds():
        payload = published.payload(What.RESULTS, number) or published.payload(What.DRAW, number)
        if payload is not None and payload.get("stage", {}).get("number") == stage:
            found.append((number, payload))
    return found


def _by_match(now: Standing, games: Mapping[int, Sequence[_Game]]) -> dict[str, list[_Game]]:
    """The games of each match of the plan, by its id, in the order of the rounds."""
    ids = {(one.section.value, one.level, one.number): one.id for one in now.state.bracket.matches}
    found: dict[str, list[_Game]] = defaultdict(list)
    for game in (one for played in games.values() for one in played if one.bracket):
        place = tuple(game.bracket[name] for name in ("section", "level", "number"))
        if place in ids:
            found[ids[place]].append(game)
    return found


def _games(round_number: int, payload: Context) -> list[_Game]:
    """The matches of a payload, a team's two tables together."""
    together: dict[int, list[Context]] = defaultdict(list)
    for table in payload["tables"]:
        together[table["match"]].append(table)
    return [_game(round_number, tables) for tables in together.values()]


def _game(round_number: int, tables: Sequence[Context]) -> _Game:
    lines = [line for table in tables for line in table.get("lines", ())]
    values = [(line["entry"], points_of(line["value"])) for line in lines]
    sums: dict[int, Fraction] = defaultdict(Fraction)
    for entry, value in values:
        sums[entry] += Fraction(value or 0)
    return _Game(
        round=round_number,
        number=tables[0]["match"],
        bracket=tables[0].get("bracket"),
        sides=tables[0]["sides"],
        values=sums,
        known=bool(values) and all(value is not None for _entry, value in values),
        complete=all(table.get("complete", False) for table in tables),
        winner=(tables[0].get("decided") or {}).get("winner"),
    )


def _outcomes(found: Sequence[tuple[int, Context]], games: Mapping[int, Sequence[_Game]]) -> list[Outcome]:
    """What is decided: complete matches, and those left incomplete when the next round was drawn."""
    last = found[-1][0]
    outcomes = []
    for number, payload in found:
        for game in games[number]:
            if game.winner is not None or (game.known and (game.complete or number < last)):
                values = tuple((entry, game.values.get(entry, Fraction(0))) for entry in game.sides)
                outcomes.append(Outcome(number, game.number, values, game.winner))
        outcomes += [Outcome(number, 0, ((bye["entry"], 0),), bye["entry"]) for bye in payload["byes"]]
    return outcomes


@dataclass(frozen=True)
class _View:
    """What boxes are filled from: names, the games of each match, and which are played without a winner."""

    entries: Mapping[int, Context]
    games: Mapping[str, Sequence[_Game]]
    undecided: set[str]


def _sections(now: Standing, view: _View) -> list[Context]:
    states = list(now.state.matches.values())
    double = now.state.bracket.double
    first = {Section.MAIN} if double else {Section.MAIN, Section.FINAL}
    wanted = [
        (_("Main bracket") if double else _("Bracket"), first),
        (_("Losers' bracket"), {Section.LOSERS}),
        (_("Finals"), {Section.FINAL, Section.DECIDER} if double else set()),
        (_("Match for third place"), {Section.THIRD_PLACE}),
    ]
    parts = ((title, [one for one in states if one.match.section in part]) for title, part in wanted)
    return [_section(title, part, view) for title, part in parts if part]


def _section(title: str, states: Sequence[MatchState], view: _View) -> Context:
    levels = sorted({_level(one) for one in states})
    column_of = {level: place for place, level in enumerate(levels)}
    own = {one.match.id for one in states}
    nodes = [
        Node(
            one.match.id,
            column_of[_level(one)],
            tuple(feed.match for feed in one.match.feeds if feed.match in own),
            drawn=one.status not in (Status.BYE, Status.VOID),
        )
        for one in states
    ]
    # Of a final and its second final the loser comes from the same match: one line is enough.
    layout = lay_out([_once(node) for node in nodes], _MEASURES)
    matches = {one.match.id: one for one in states}
    boxes = [_box(matches[place.id], view) | {"x": place.x, "y": place.y} for place in layout.boxes]
    titles = {}
    for one in states:
        level = one.match.level if one.match.section is not Section.DECIDER else 0
        titles[column_of[_level(one)]] = section_title(one.match.section, level, levels[-1][1])
    columns = [
        {
            "title": titles[place],
            "x": x,
            "boxes": [box for box, where in zip(boxes, layout.boxes, strict=True) if where.column == place],
        }
        for place, x in enumerate(layout.columns)
    ]
    return {
        "title": title,
        "columns": [column for column in columns if column["boxes"]],
        "boxes": boxes,
        "lines": layout.lines,
        "width": layout.width,
        "height": layout.height,
        "box_width": _MEASURES.width,
        "box_height": _MEASURES.height,
    }


def _once(node: Node) -> Node:
    return Node(node.id, node.column, tuple(dict.fromkeys(node.feeds)), node.drawn)


def _level(one: MatchState) -> tuple[bool, int]:
    return one.match.section is Section.DECIDER, one.match.level


def _box(one: MatchState, view: _View) -> Context:
    """A match with its sides; where results do not tell them yet, as its published pairings do."""
    games = list(view.games.get(one.match.id, ()))
    entries: list[int | None] = list(one.sides)
    if games and None in entries and one.status is Status.WAITING:
        entries = list(games[-1].sides)
    playing = [game for game in games if set(game.sides) == set(entries)]
    latest = playing[-1] if playing else None
    undecided = one.match.id in view.undecided
    return {
        "state": "undecided" if undecided else one.status.value,
        "best_of": one.match.best_of,
        "sides": [_side(one, entry, playing, view) for entry in entries],
        "round": latest and latest.round,
        "match": latest and latest.number,
        "games": [
            {
                "round": game.round,
                "match": game.number,
                "values": [points_json(game.values.get(who)) if game.known else None for who in game.sides],
            }
            for game in playing
        ],
        "awarded": bool(latest and latest.winner is not None),
    }


def _side(one: MatchState, entry: int | None, playing: Sequence[_Game], view: _View) -> Context:
    info = view.entries.get(entry) if entry is not None else None
    if entry is None or info is None:  # not known yet, or named in nothing that is published
        return {"entry": None, "info": None, "label": "", "score": None, "winner": False}
    score = None
    if one.match.best_of > 1:
        if playing and entry in one.sides and any(game.known for game in playing):
            score = one.won[one.sides.index(entry)]
    elif playing and playing[-1].known:
        score = points_json(playing[-1].values.get(entry))
    return {
        "entry": entry,
        "info": info,
        "label": fit(info["name"], _NAME),
        "score": score,
        "winner": entry == one.winner,
    }
