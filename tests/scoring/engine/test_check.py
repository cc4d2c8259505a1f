"""Every reason to refuse a deal, each by its code, and all of them at once."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine import FAULT_MESSAGES, Exposure, Fault, InvalidDeal, Ruleset, check_deal, score_deal
from scoring.engine.cards import symbol
from scoring.engine.check import tally_deal
from scoring.engine.deal import DealRecord
from scoring.engine.quick import quick_tally
from scoring.rulesets import load
from tests.scoring.engine.deals import BASE, HUAPAI, deal, records, rulesets

TWO = Ruleset.from_dict({"decks": 2, "self_capture": "card"})
HELD = "SQ:W DJ:W C10:W HA:W"


def changed(record: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**record, **more}


def without(record: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key != name}


def captures(**taken: str) -> dict[str, list[str]]:
    return {seat: cards.split() for seat, cards in taken.items()}


def two_deck_deal(*, n: str, w: str = "", held: dict[str, list[str]], exposed: str = "") -> dict[str, Any]:
    """Two decks: what N and W do not have, S has."""
    record = deal({"N": n, "W": w}, exposed)
    have = [code.partition(":")[0] for code in (*n.split(), *w.split())]
    rest = []
    for card in dict.fromkeys(code for cards in deal({})["captures"].values() for code in cards):
        named = [f"{card}:S"] * 2 if card in held and set(held[card]) == {"S"} else [card] * 2
        rest += named[have.count(card) :]
    record["captures"].update(S=rest, E=[])
    return {**record, "held": held}


OTHERS = {"DJ": ["S", "S"], "C10": ["S", "S"], "HA": ["S", "S"]}

CASES: list[tuple[str, Any, Ruleset, str | None, str | None]] = [
    ("not_an_object", ["N"], BASE, None, None),
    ("missing_field", {}, BASE, None, None),
    ("wrong_type", changed(deal({}), captures=[]), BASE, None, None),
    ("wrong_type", changed(deal({}), captures={"N": "SQ"}), BASE, None, None),
    ("wrong_type", changed(deal({}), exposed={}), BASE, None, None),
    ("wrong_type", changed(deal({}), exposed=["SQ"]), BASE, None, None),
    ("wrong_type", changed(deal({}), exposed=[{"card": 5, "seat": "N"}]), BASE, None, None),
    ("wrong_type", changed(deal({}), held=["N"]), BASE, None, None),
    ("wrong_type", changed(deal({}), held={"SQ": 3}), BASE, None, None),
    ("wrong_type", changed(deal({}), partial=1), BASE, None, None),
    ("wrong_type", changed(deal({}), swap_pig_sheep="no"), BASE, None, None),
    ("wrong_type", changed(deal({}), mode=[]), BASE, None, None),
    ("unknown_mode", changed(deal({}), mode="teams"), BASE, None, None),
    ("unknown_card", deal({"N": "H1"}), BASE, "H1", "N"),
    ("unknown_card", deal({"N": "sq"}), BASE, "sq", "N"),
    ("unknown_seat", changed(deal({}), captures=captures(X="SQ", N="")), BASE, None, "X"),
    ("unknown_seat_of_card", deal({"N": "SQ:X"}), BASE, "SQ", "X"),
    ("unknown_seat_of_card", deal({}, "SQ:X"), BASE, "SQ", "X"),
    ("unknown_seat_of_card", deal({}, "", "SQ:X"), BASE, "SQ", "X"),
    ("table_size", changed(deal({}), captures=captures(A="", B="")), BASE, None, None),
    ("table_size", changed(deal({}), captures=captures(A="", B="", C="", D="")), BASE, None, None),
    ("missing_seat", changed(deal({}), captures=captures(A="", C="")), BASE, None, "B"),
    ("card_missing", changed(deal({"N": "SQ"}), captures=captures(N="SQ")), BASE, "H7", None),
    ("card_missing_copies", deal({}), Ruleset.from_dict({"decks": 2}), "H7", None),
    ("card_captured_twice", deal({"N": "H7", "W": "H7"}), BASE, "H7", "W"),
    ("card_captured_twice", deal({"N": "SQ SQ"}), BASE, "SQ", "N"),
    (
        "partnership_needs_four",
        changed(deal({}), captures=captures(A="", B="", C=""), mode="partnership"),
        BASE,
        None,
        None,
    ),
    (
        "pig_sheep_one_deck",
        two_deck_deal(n="", held={"SQ": ["S", "S"], **OTHERS}) | {"mode": "pig_sheep"},
        Ruleset.from_dict({"decks": 2}),
        None,
        None,
    ),
    ("held_not_key_card", deal({}, "", "H7:N"), BASE, "H7", None),
    ("held_count", changed(deal({}), held={"SQ": ["N", "W"]}), BASE, "SQ", None),
    ("held_count", two_deck_deal(n="", held={"SQ": ["N"], **OTHERS}), TWO, "SQ", None),
    ("held_missing", deal({}), HUAPAI, "SQ", None),
    ("held_missing", deal({}, "", "SQ:N DJ:N C10:N"), HUAPAI, "HA", None),
    ("held_missing", deal({}, "", "SQ:N", mode="pig_sheep"), BASE, "DJ", None),
    ("copy_not_key_card", deal({"N": "H7:W"}), BASE, "H7", "N"),
    ("copy_not_held", deal({"N": "SQ:N"}, "", "SQ:W"), BASE, "SQ", "N"),
    ("copy_not_held", deal({"N": "SQ:N"}, "SQ:W"), BASE, "SQ", "N"),
    ("copy_needed", two_deck_deal(n="SQ", w="SQ", held={"SQ": ["N", "W"], **OTHERS}), TWO, "SQ", "N"),
    ("copy_needed", two_deck_deal(n="SQ", held={"SQ": ["N", "W"], **OTHERS}), TWO, "SQ", "N"),
    ("exposure_not_key_card", deal({}, "H7:N"), BASE, "H7", "N"),
    ("exposure_kind_unknown", deal({}, "SQ:N:loud"), BASE, "SQ", "N"),
    ("exposure_kind_not_allowed", deal({}, "SQ:N:first"), load("classic"), "SQ", "N"),
    ("exposure_kind_not_allowed", deal({}, "SQ:N:dark"), load("computer"), "SQ", "N"),
    ("exposure_twice", deal({}, "SQ:N SQ:N"), BASE, "SQ", None),
    ("exposure_not_held", deal({}, "SQ:N", HELD), BASE, "SQ", "N"),
    ("exposure_not_held", changed(deal({}), exposed=[{"card": "SQ:W", "seat": "N"}]), BASE, "SQ", "N"),
    ("exposure_not_allowed", deal({}, "SQ:W", HELD, mode="pig_sheep"), BASE, "SQ", "W"),
    ("exposure_not_allowed", deal({}, "SQ:W"), Ruleset.from_dict({"exposure": "none"}), "SQ", "W"),
    (
        "exposure_sheep_not_allowed",
        deal({}, "SQ:W DJ:W C10:W HA:W"),
        Ruleset.from_dict({"exposure": "all_but_sheep"}),
        "DJ",
        "W",
    ),
    ("exposure_required", deal({}, "SQ:W DJ:W C10:W"), Ruleset.from_dict({"exposure": "all"}), "HA", None),
    ("exposure_fourth_required", deal({}, "SQ:W DJ:W HA:W"), load("platform"), "C10", None),
    ("first_exposed_twice", deal({}, "SQ:W:first HA:W:first"), BASE, "HA", "W"),
    (
        "first_not_allowed_forced",
        deal({}, "SQ:W:first DJ:W C10:W HA:W"),
        Ruleset.from_dict({"exposure": "all"}),
        "SQ",
        "W",
    ),
    ("swap_not_allowed", deal({}, swap_pig_sheep=True), BASE, None, None),
    ("swap_without_all_hearts", deal({"N": "H2"}, swap_pig_sheep=True), Ruleset(swap="choice"), None, None),
]

#: Told of files and rulesets, not of deals; tested with those.
ELSEWHERE = {"bad_json", "duplicate_key", "unknown_ruleset", "ruleset_not_named"}


@pytest.mark.parametrize(("code", "record", "rules", "card", "seat"), CASES)
def test_faulty_record_is_refused_naming_card_and_seat(
    code: str, record: Any, rules: Ruleset, card: str | None, seat: str | None
) -> None:
    faults = check_deal(record, rules)
    assert (code, card, seat) in [(one.code, one.card, one.seat) for one in faults]
    with pytest.raises(InvalidDeal) as refused:
        score_deal(record, rules)
    assert refused.value.faults == faults
    assert quick_tally(record, rules) is None


def test_every_fault_of_a_deal_is_tried_here() -> None:
    of_deals = {code for code in FAULT_MESSAGES if not code.startswith(("ruleset_", "vp_"))} - ELSEWHERE
    assert {code for code, *_ in CASES} == of_deals


@pytest.mark.parametrize(("code", "record", "rules", "card", "seat"), CASES)
def test_message_names_card_and_seat_readably(
    code: str, record: Any, rules: Ruleset, card: str | None, seat: str | None
) -> None:
    for one in check_deal(record, rules):
        assert "{" not in one.message
        assert one.seat is None or one.seat in one.message
        assert one.card is None or symbol(one.card) in one.message
        assert one.to_json()["message"] == one.message


def test_all_faults_are_told_at_once() -> None:
    record = changed(
        deal({"N": "H7 H1", "W": "H7"}, "SQ:E HA:X:first", "SQ:W DJ:W C10:W HA:W"), mode="partnership"
    )
    record["captures"]["E"].remove("H5")
    assert {(one.code, one.card, one.seat) for one in check_deal(record, load("classic"))} == {
        ("unknown_card", "H1", "N"),
        ("card_captured_twice", "H7", "W"),
        ("card_missing", "H5", None),
        ("exposure_not_held", "SQ", "E"),
        ("unknown_seat_of_card", "HA", "X"),
        ("exposure_kind_not_allowed", "HA", "X"),
    }


def test_what_could_not_be_read_is_not_told_again_as_missing_cards() -> None:
    record = changed(deal({}), captures={"N": "everything", "W": [], "S": [], "E": []})
    assert [one.code for one in check_deal(record, BASE)] == ["wrong_type"]


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("mode", 5, {"card_missing"}),
        ("ruleset", 5, {"card_missing", "exposure_required"}),
        ("swap_pig_sheep", 1, {"card_missing", "exposure_required"}),
        ("held", 5, {"card_missing", "exposure_required"}),
        ("held", {"SQ": 5}, {"held_count", "card_missing", "exposure_required"}),
        ("exposed", 5, {"card_missing"}),
        ("exposed", [5], {"card_missing"}),
        ("exposed", [{"card": 5, "seat": "N"}], {"card_missing"}),
        ("captures", 5, {"exposure_required"}),
        ("captures", {"N": 5}, {"exposure_required"}),
        ("captures", None, {"exposure_required"}),
        ("partial", 1, {"exposure_required"}),
    ],
)
def test_what_could_not_be_read_hides_no_fault_of_the_rest(field: str, value: Any, told: set[str]) -> None:
    record = deal({})
    record["captures"]["E"].remove("H7")
    faults = check_deal(changed(record, **{field: value}), Ruleset.from_dict({"exposure": "all"}))
    assert {one.code for one in faults} - {"wrong_type", "missing_field"} == told
    assert len(faults) > len([one for one in faults if one.code in told])


def test_long_input_is_cut_in_messages() -> None:
    faults = check_deal(deal({"N": "H" * 5000}), BASE)
    assert all(len(one.message) < 200 for one in faults)


@pytest.mark.parametrize("extra", ["S2", "CA", "D10"])
def test_cards_that_do_not_score_may_be_listed_even_twice(extra: str) -> None:
    assert check_deal(deal({"N": extra, "W": extra}), BASE) == ()


def test_seats_that_took_nothing_may_be_left_out_at_a_table_of_four() -> None:
    record = deal({})
    assert score_deal(changed(record, captures={"E": record["captures"]["E"]}), BASE).scores["N"] == 0


def test_who_was_dealt_a_card_is_learnt_from_exposure_and_copy() -> None:
    record = deal({"N": "SQ", "W": "DJ:W"}, "SQ:N", "C10:S HA:S")
    assert score_deal(record, HUAPAI).scores["N"] == -400
    assert score_deal(record, HUAPAI).scores["W"] == 200


def test_many_alike_cards_do_not_pass_for_others() -> None:
    # Counts are packed into one number; five pigs must not look like a pig and a sheep.
    record = deal({})
    record["captures"]["E"].remove("DJ")
    record["captures"]["N"] += ["SQ"] * 4
    assert {one.code for one in check_deal(record, BASE)} == {"card_captured_twice", "card_missing"}
    assert quick_tally(record, BASE) is None
    record["captures"]["N"] += ["S2"] * 200
    assert quick_tally(record, BASE) is None


@pytest.mark.parametrize(
    "field", ["ruleset", "mode", "partial", "swap_pig_sheep", "exposed", "held", "captures"]
)
@pytest.mark.parametrize("value", [0, 1, 1.5, "", "x", True, [], [1], {}, {"a": 1}, ()])
def test_a_field_of_the_wrong_type_is_judged_alike_both_ways(field: str, value: Any) -> None:
    record = {**deal({}), field: value}
    faults = check_deal(record, BASE)
    if faults:
        with pytest.raises(InvalidDeal) as refusal:
            score_deal(record, BASE)
        assert refusal.value.faults == faults
    else:
        assert score_deal(record, BASE).tally == tally_deal(record, BASE)


TAKEN = [
    # (N takes, W takes, dealt to, whose copies are self-captured)
    ("SQ", "SQ", ["S", "S"], 0),
    ("SQ SQ", "", ["N", "W"], 1),
    ("SQ SQ", "", ["N", "N"], 2),
    ("SQ", "SQ", ["N", "N"], 1),
    ("SQ:N", "SQ", ["N", "W"], 2),
    ("SQ:W", "SQ", ["N", "W"], 0),
]


@pytest.mark.parametrize(("north", "west", "dealt", "doubled"), TAKEN)
def test_two_decks_self_capture_where_the_copies_tell(
    north: str, west: str, dealt: list[str], doubled: int
) -> None:
    record = two_deck_deal(n=north, w=west, held={"SQ": dealt, **OTHERS})
    scores = score_deal(record, TWO).scores
    assert scores["N"] + scores["W"] == -100 * (2 + doubled)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_quick_and_thorough_check_agree(data: st.DataObject) -> None:
    rules = data.draw(rulesets())
    record = data.draw(records(rules))
    assert check_deal(record, rules) == ()
    quick = quick_tally(record, rules)
    assert quick is None or quick == tally_deal(record, rules)
    as_record = DealRecord.from_json(record)
    quick = quick_tally(as_record, rules)
    assert quick is None or quick == tally_deal(as_record, rules)


def _spoil(draw: st.DrawFn, record: dict[str, Any]) -> None:
    """Change one thing of a record at random; most changes make it wrong."""
    seat = draw(st.sampled_from(sorted(record["captures"])))
    cards = record["captures"][seat]
    card = draw(st.sampled_from(("SQ", "DJ", "C10", "HA", "H2", "S2", "XX", "")))
    who = draw(st.sampled_from(("N", "W", "E", "A", "Z", "", 5, None, ["N"])))
    what = draw(st.integers(0, 8))
    if what == 0:
        cards.append(card)
    elif what == 1 and cards:
        cards.pop()
    elif what == 2:
        record["held"][card] = who
    elif what == 3:
        record["exposed"].append(
            {"card": card, "seat": who, "kind": draw(st.sampled_from(("exposed", "first", 1)))}
        )
    elif what == 4:
        record["mode"] = draw(st.sampled_from(("individual", "partnership", "pig_sheep", "", 0, [])))
    elif what == 5:
        record["captures"][draw(st.sampled_from(("N", "E", "F", "Q")))] = draw(
            st.sampled_from(([], (), "", {}, None))
        )
    elif what == 6:
        record["held"].pop(card, None)
    elif what == 7:
        record["exposed"] = draw(st.sampled_from(([], {}, "", 0, False, None, "SQ")))
    else:
        name = draw(st.sampled_from(("partial", "swap_pig_sheep", "held", "captures")))
        record[name] = draw(st.sampled_from((True, False, 0, "", None, [], {})))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_spoiled_record_is_scored_only_if_the_thorough_check_passes(data: st.DataObject) -> None:
    rules = data.draw(rulesets())
    record = data.draw(records(rules))
    for _ in range(data.draw(st.integers(1, 3))):
        if isinstance(record.get("captures"), dict) and record["captures"]:
            record.setdefault("held", {})
            if not isinstance(record["held"], dict) or not isinstance(record.get("exposed"), list):
                break
            if not all(isinstance(cards, list) for cards in record["captures"].values()):
                break
            _spoil(data.draw, record)
    faults = check_deal(record, rules)
    if faults:
        assert quick_tally(record, rules) is None
        with pytest.raises(InvalidDeal):
            score_deal(record, rules)
    else:
        quick = quick_tally(record, rules)
        assert quick is None or quick == tally_deal(record, rules)


def test_fault_without_card_writes_no_card() -> None:
    assert Fault("not_an_object").to_json() == {
        "code": "not_an_object",
        "message": "A deal must be a JSON object.",
    }


def test_records_made_by_hand_are_judged_too() -> None:
    record = DealRecord(captures={"N": ("SQ", "??")}, exposed=(Exposure("SQ", "Q"),), mode="teams")
    assert {"unknown_card", "unknown_seat_of_card", "unknown_mode", "card_missing"} == {
        one.code for one in check_deal(record, BASE)
    }
