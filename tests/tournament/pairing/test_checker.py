"""The checker finds everything that can be wrong with a draw."""

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from tests.tournament.pairing.events import field
from tournament.pairing import checker
from tournament.pairing.checker import Expected, Severity, check_draw
from tournament.pairing.four import draw_random_four
from tournament.pairing.model import (
    NO_HISTORY,
    Constraints,
    Draw,
    DrawnTable,
    Entrant,
    History,
    PlayedTable,
    SitOut,
    SitOutKind,
)
from tournament.pairing.options import OddAnswer

ENTRANTS = field(13)
GOOD = draw_random_four(ENTRANTS, round=1, seed=1, answer=OddAnswer.BYES)
FIRST, SECOND = GOOD.tables[:2]
BYE = GOOD.byes[0]


def reseated(table: int, **seats: int) -> Draw:
    tables = list(GOOD.tables)
    tables[table] = replace(tables[table], seats=tuple((dict(tables[table].seats) | seats).items()))
    return replace(GOOD, tables=tuple(tables))


def codes(draw, entrants=ENTRANTS, history=NO_HISTORY, **options):
    return [v.code for v in check_draw(draw, entrants, history, **options).violations]


def test_good_draw_has_no_violation():
    report = check_draw(GOOD, ENTRANTS)
    assert report.violations == ()
    assert report.possible
    assert report.quality == GOOD.quality


@pytest.mark.parametrize(
    ("draw", "found"),
    [
        (reseated(0, N=SECOND.entrants[0]), {"seated_twice", "left_out"}),
        (reseated(0, N=999), {"unknown_entrant", "left_out"}),
        (reseated(0, N=BYE), {"bye_and_seated", "left_out"}),
        (reseated(0, A=BYE), {"table_size", "seats", "bye_and_seated"}),
        (replace(GOOD, tables=GOOD.tables[1:]), {"left_out"}),
        (replace(GOOD, tables=(FIRST, replace(SECOND, number=1), GOOD.tables[2])), {"table_number_twice"}),
        (replace(GOOD, byes=()), {"left_out"}),
        (replace(GOOD, byes=(BYE, BYE)), {"bye_twice"}),
        (replace(GOOD, byes=(BYE, 999)), {"unknown_entrant"}),
    ],
)
def test_impossible_draws_are_recognised(draw, found):
    report = check_draw(draw, ENTRANTS)
    assert {v.code for v in report.violations} == found
    assert {v.severity for v in report.violations} == {Severity.IMPOSSIBLE}
    assert not report.possible


def test_wrong_seat_names_are_recognised():
    seats = tuple(zip("NWSS", FIRST.entrants, strict=True))
    draw = replace(GOOD, tables=(replace(FIRST, seats=seats), *GOOD.tables[1:]))
    assert codes(draw) == ["seats"]


def test_withdrawn_entrant_is_recognised_at_a_table_and_with_a_bye():
    seated, resting = FIRST.entrants[2], BYE
    entrants = [replace(e, present=e.id not in (seated, resting)) for e in ENTRANTS]
    violations = check_draw(GOOD, entrants).violations
    assert [(v.code, v.entrants, v.table) for v in violations] == [
        ("absent_drawn", (seated,), 1),
        ("absent_drawn", (resting,), None),
    ]


def test_house_player_with_a_bye_is_recognised():
    entrants = [replace(e, house=e.id == BYE) for e in ENTRANTS]
    assert codes(GOOD, entrants) == ["house_player_bye"]


def test_repeat_names_the_pair_the_times_and_the_last_round():
    a, b = FIRST.entrants[0], FIRST.entrants[3]
    history = History(tuple(PlayedTable(r, (("A", a), ("B", b), ("C", 998))) for r in (1, 3)))
    (violation,) = check_draw(replace(GOOD, round=4), ENTRANTS, history).violations
    assert (violation.code, violation.severity, violation.table) == ("repeat", Severity.NEEDS_REASON, 1)
    assert set(violation.entrants) == {a, b}
    assert dict(violation.params) == {"times": 3, "last_round": 3}
    assert codes(GOOD, history=history, expected=Expected(repeats_allowed=True)) == []


def test_wishes_are_checked_only_in_their_rounds():
    a, b = FIRST.entrants[:2]
    entrants = [
        replace(e, club="C" if e.id in (a, b) else "", seed=1 if e.id in (a, b) else None) for e in ENTRANTS
    ]
    wishes = Constraints(clubs_apart_rounds=2, seeds_apart_rounds=1)
    assert codes(GOOD, entrants, constraints=wishes) == ["club", "seeds"]
    assert codes(replace(GOOD, round=2), entrants, constraints=wishes) == ["club"]
    assert codes(replace(GOOD, round=3), entrants, constraints=wishes) == []


def test_forbidden_pairs_team_mates_and_two_house_players_are_recognised():
    a, b = FIRST.entrants[:2]
    assert codes(GOOD, constraints=Constraints.of(forbidden=[(b, a)])) == ["forbidden"]
    mates = [replace(e, team="T" if e.id in (a, b) else "") for e in ENTRANTS]
    assert codes(GOOD, mates) == ["team"]
    assert codes(GOOD, mates, constraints=Constraints(teams_apart=False)) == []
    house = [replace(e, house=e.id in (a, b)) for e in ENTRANTS]
    assert codes(GOOD, house) == ["house_players"]


def test_second_bye_while_another_had_none_is_recognised():
    again = History(sit_outs=(SitOut(1, BYE),))
    assert codes(replace(GOOD, round=2), history=again) == ["bye_again"]
    returned = History(sit_outs=(SitOut(1, BYE, SitOutKind.MISSED), SitOut(2, BYE, SitOutKind.MISSED)))
    assert codes(replace(GOOD, round=3), history=returned) == ["bye_again"]
    everybody = History(sit_outs=tuple(SitOut(1, e.id) for e in ENTRANTS))
    assert codes(replace(GOOD, round=2), history=everybody) == []


def test_byes_that_fill_a_table_or_are_not_allowed_are_recognised():
    entrants = field(8)
    first = draw_random_four(entrants[:4], round=1, seed=1)
    draw = replace(first, byes=tuple(e.id for e in entrants[4:]))
    assert codes(draw, entrants) == ["byes_fill_a_table"]
    assert codes(GOOD, expected=Expected(byes_allowed=False)) == ["byes_not_allowed"]


def test_match_of_two_sides_is_checked_for_its_own_seats():
    entrants = [Entrant(1, 1), Entrant(2, 2)]
    assert codes(Draw(1, (DrawnTable(1, (("A", 1), ("B", 2))),)), entrants, expected=Expected(size=2)) == []
    assert codes(Draw(1, (DrawnTable(1, (("N", 1), ("S", 2))),)), entrants, expected=Expected(size=2)) == [
        "seats"
    ]


def test_checker_shares_no_code_with_the_generators():
    tree = ast.parse(Path(checker.__file__).read_text(encoding="utf-8"))
    imported = {
        node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("tournament")
    }
    assert imported == {"tournament.pairing.model"}
    names = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "tournament.pairing.model"
        for alias in node.names
    }
    assert not names & {"pair", "seat_names"}
