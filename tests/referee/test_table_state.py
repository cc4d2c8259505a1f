"""What the table page is told: procedure, layout, who may check, what can be done."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from referee.presenting import table_json
from referee.queries import table_state
from tests.referee.conftest import Hall, losing_record, open_hall, simple_record
from tournament.models import Event, Round


def shown(hall: Hall, person: str = "referee") -> dict:
    with translation.override("en"):
        return table_json(table_state(hall.table), getattr(hall, person).user)


def test_state_before_the_first_deal(hall: Hall) -> None:
    table = shown(hall)
    assert (table["next"], table["next_based_on"], table["deals"], table["games"]) == (1, 0, [], [])
    assert table["plan_text"] == "one game to −1000 / 1000"
    names = {seat.direction: seat.player.name for seat in hall.table.seats.all()}
    assert [(step["label"], step["text"]) for step in table["procedure"]] == [
        ("Shuffles", f"North {names['N']}"),
        ("Cuts", f"West {names['W']}"),
        ("Draws first", f"North {names['N']}"),
        ("Leads", "holder of ♠3"),
    ]


def test_state_next_shuffler_is_who_captured_the_pig(hall: Hall) -> None:
    captures = {**simple_record()["captures"], "N": ["HA", "HK"], "E": ["SQ"]}
    hall.record(record=simple_record(captures=captures))
    assert shown(hall)["procedure"][0]["text"].startswith("East ")


def test_state_offers_the_checkers_of_a_seats_entry(hall: Hall) -> None:
    hall.record()
    (deal,) = shown(hall)["deals"]
    assert [(one["relation"], one["seat"]) for one in deal["checkers"]] == [
        ("previous", "E"),
        ("next", "W"),
        ("partner", "S"),
        ("referee", ""),
    ]


def test_state_does_not_offer_a_referee_their_own_entry(hall: Hall) -> None:
    hall.record(entered_seat="")
    (deal,) = shown(hall)["deals"]
    assert [one["relation"] for one in deal["checkers"]] == ["player"] * 4
    (deal,) = shown(hall, "chief")["deals"]
    assert deal["checkers"][-1]["relation"] == "referee"


def test_state_asks_nobody_to_check_a_disputed_deal(hall: Hall) -> None:
    hall.record()
    hall.dispute("W", "East has the pig")
    (deal,) = shown(hall)["deals"]
    assert (deal["signoff"]["disputed"], deal["checkers"]) == (True, [])


@pytest.mark.parametrize(
    ("person", "unchecked", "checked"),
    [
        ("referee", ["check", "undo", "void", "ruling", "log"], ["log"]),
        ("chief", ["check", "undo", "void", "ruling", "log", "correct"], ["log", "void", "correct"]),
    ],
)
def test_state_offers_what_the_user_may_do(
    hall: Hall, person: str, unchecked: list[str], checked: list[str]
) -> None:
    hall.record()
    assert shown(hall, person)["deals"][0]["actions"] == unchecked
    hall.check()
    assert shown(hall, person)["deals"][0]["actions"] == checked


def test_state_every_offered_checker_is_accepted(hall: Hall) -> None:
    hall.record()
    for number, checker in enumerate(shown(hall)["deals"][0]["checkers"], start=1):
        if number > 1:
            hall.record(number=number)
        hall.check(number, relation=checker["relation"], seat=checker["seat"])


def test_state_of_a_closed_round_offers_nothing(hall: Hall) -> None:
    hall.record()
    Round.objects.update(state=Round.State.CLOSED)
    table = shown(hall, "chief")
    assert (table["playing"], table["next"], table["state"]) == (False, None, "closed")
    assert table["deals"][0]["actions"] == table["deals"][0]["checkers"] == []


def test_state_tells_how_a_game_ended(hall: Hall) -> None:
    hall.record(record=losing_record())
    table = shown(hall)
    (game,) = table["games"]
    names = {seat.direction: seat.player.name for seat in hall.table.seats.all()}
    assert game["finished"]
    assert game["result"].endswith(f"Made pig: {names['N']}.")
    assert table["next"] is None


def test_state_pairs_have_one_column_a_side(set_hall: Hall) -> None:
    table = shown(set_hall)
    assert [column["sign"] for column in table["columns"]] == ["NS", "EW"]
    assert table["plan_text"] == "set of 4 deals"


@pytest.mark.parametrize(
    ("kind", "ruleset", "asked"),
    [
        ("individual", "huapai", (4, 4, ["exposed", "first", "dark"])),
        ("individual", "classic", (0, 4, ["exposed"])),
        ("pig_sheep", "classic", (2, 0, ["exposed"])),
        ("individual", "platform", (0, 4, ["exposed", "dark"])),
    ],
)
def test_layout_asks_only_what_the_rules_need(
    db: None, kind: str, ruleset: str, asked: tuple[int, int, list[str]]
) -> None:
    layout = shown(open_hall(kind, ruleset=ruleset))["layout"]
    exposure = layout["exposure"]
    assert (len(layout["heldNeeded"]), len(exposure["cards"]), exposure["kinds"]) == asked


def test_layout_of_two_decks(db: None) -> None:
    layout = shown(open_hall(ruleset="double-pig"))["layout"]
    assert (layout["decks"], layout["copiesMatter"], len(layout["cards"])) == (2, False, 16)


def test_layout_of_a_table_of_three(db: None) -> None:
    hall = open_hall(entries=7, options={"odd": "threes"})
    three = next(table for table in hall.tables if table.seats.count() == 3)
    with translation.override("en"):
        table = table_json(table_state(three), hall.chief.user)
    assert table["layout"]["seats"] == ["A", "B", "C"]
    captures = {"A": simple_record()["captures"]["N"], "C": simple_record()["captures"]["S"]}
    held = {"SQ": "A", "DJ": "B", "C10": "C", "HA": "B"}
    outcome = hall.record(
        actor=hall.chief, table=three, entered_seat="A", record={"captures": captures, "held": held}
    )
    assert set(outcome.body["answer"]["scores"]) == {"A", "B", "C"}


def test_state_queries_do_not_grow_with_the_deals(db: None) -> None:
    hall = open_hall(Event.Kind.PAIRS, 4, plan={"kind": "set", "deals": 16})
    counts = []
    for number in range(1, 6):
        hall.record(number=number, record=hall.random_record(number))
        with CaptureQueriesContext(connection) as queries:
            shown(hall)
        counts.append(len(queries))
    assert len(set(counts)) == 1
