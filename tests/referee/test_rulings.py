"""Rulings at a table: claims, wrong numbers of cards, misplaced exposures, discards of the wrong colour."""

from random import Random
from typing import Any
from uuid import uuid4

import pytest

from referee.models import Deal, TableRuling
from referee.services.rulings import record_ruling, rule_colour
from referee.services.trick_log import record_trick_log
from scoring.engine.playout import play_out
from scoring.engine.tricks import captures_of
from scoring.models import RulesetVersion
from scoring.rulesets import load
from tests.referee.conftest import Hall, open_hall
from tournament.models import AuditRow, Event
from tournament.services.errors import Conflict, NotAllowed, Refused, Stale

pytestmark = pytest.mark.django_db


def ruling(hall: Hall, kind: str, number: int = 1, **facts: Any) -> Any:
    return record_ruling(
        actor=hall.referee,
        table=hall.table,
        number=number,
        kind=kind,
        facts=facts,
        note="as told",
        command_id=uuid4(),
    )


def colour_hall(**fields: Any) -> Hall:
    shipped = RulesetVersion.objects.get(book__key="huapai")
    version = RulesetVersion.objects.create(
        book=shipped.book, number=99, data={**shipped.data, "discard_colour": True}
    )
    hall = open_hall(**fields)
    Event.objects.filter(pk=hall.event.pk).update(ruleset_version=version)
    hall.tables = list(type(hall.table).objects.filter(draw__round__event=hall.event).order_by("number"))
    return hall


def colour(hall: Hall, cards: list[str], **values: Any) -> Any:
    values = {
        "actor": hall.referee,
        "version": 1,
        "to_seat": "E",
        "note": "black on red",
        "command_id": uuid4(),
        **values,
    }
    return rule_colour(deal=hall.deal(), cards=cards, **values)


def codes(refused: Any) -> list[str]:
    return [one.code for one in refused.value.problems]


def test_claim_says_who_takes_which_tricks_and_who_agreed(hall: Hall) -> None:
    ruling(hall, "claim", seat="N", tricks=3, remaining=4, agreed=["W", "S", "E"])
    found = TableRuling.objects.get()
    assert found.facts == {"seat": "N", "tricks": 3, "remaining": 4, "agreed": ["W", "S", "E"]}
    assert (found.deal_number, found.version, found.ruled_by) == (1, None, hall.referee.user)
    assert AuditRow.objects.filter(action="ruling.claim").count() == 1


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"tricks": 5}, "claim_tricks"),
        ({"remaining": 14, "tricks": 14}, "claim_tricks"),
        ({"tricks": True}, "claim_tricks"),
        ({"seat": "Z"}, "unknown_seat"),
        ({"agreed": ["W", "Q"]}, "unknown_seat"),
    ],
)
def test_claim_that_cannot_be_is_refused(hall: Hall, changes: dict[str, Any], code: str) -> None:
    facts = {"seat": "N", "tricks": 3, "remaining": 4, "agreed": ["W"], **changes}
    with pytest.raises(Refused) as refused:
        ruling(hall, "claim", **facts)
    assert codes(refused) == [code]


def test_drawing_from_the_long_hand_needs_everybodys_agreement(hall: Hall) -> None:
    hands = {"N": 14, "E": 12}
    with pytest.raises(Refused) as refused:
        ruling(hall, "card_count", hands=hands, procedure="draw", agreed=["N", "E"])
    assert codes(refused) == ["count_agreement"]
    ruling(hall, "card_count", hands=hands, procedure="draw", agreed=list("NWSE"))
    ruling(hall, "card_count", hands=hands, procedure="redeal")
    assert [one.facts["procedure"] for one in TableRuling.objects.order_by("id")] == ["draw", "redeal"]


def test_misplaced_exposure_names_card_and_ruling(hall: Hall) -> None:
    facts = {"seat": "S", "card": "HA", "exposure": "first", "ruling": "as_kind", "as_kind": "exposed"}
    ruling(hall, "exposure", **facts)
    assert TableRuling.objects.get().facts == facts
    with pytest.raises(Refused) as refused:
        ruling(hall, "exposure", **{**facts, "card": "H7", "ruling": "as_kind", "as_kind": ""})
    assert codes(refused) == ["exposure_card", "exposure_ruling"]


def test_ruling_belongs_to_the_version_in_force_and_to_a_deal_in_play(hall: Hall) -> None:
    hall.record()
    ruling(hall, "claim", seat="N", tricks=1, remaining=1, agreed=[])
    assert TableRuling.objects.get().version == hall.versions()[0]
    with pytest.raises(Refused) as refused:
        ruling(hall, "claim", number=7, seat="N", tricks=1, remaining=1)
    assert codes(refused) == ["deal_unknown"]


def test_referee_of_another_table_rules_nothing_here(hall: Hall) -> None:
    with pytest.raises(NotAllowed):
        record_ruling(
            actor=hall.other_referee,
            table=hall.table,
            number=1,
            kind="claim",
            facts={},
            command_id=uuid4(),
        )


def test_colour_ruling_moves_the_tricks_cards_as_a_new_version() -> None:
    hall = colour_hall()
    hall.record()
    colour(hall, ["SQ", "HK"])
    first, last = hall.versions()
    assert first.record["captures"]["N"] == ["SQ", "HA", "HK"]
    assert (last.record["captures"]["N"], last.record["captures"]["E"]) == (["HA"], ["SQ", "HK"])
    assert (last.reason, last.entered_seat) == ("black on red", "N")
    found = TableRuling.objects.get()
    assert (found.version, found.facts["before"]) == (last, 1)
    with pytest.raises(Stale):
        colour(hall, ["HA"])


def test_colour_ruling_needs_the_rule_and_cards_of_others(hall: Hall) -> None:
    hall.record()
    with pytest.raises(Conflict) as conflict:
        colour(hall, ["SQ"])
    assert conflict.value.code == "no_colour_rule"
    other = colour_hall()
    other.record()
    with pytest.raises(Refused) as refused:
        colour(other, ["SQ", "C9", "HA", "HA"])
    assert codes(refused) == ["card_not_there", "card_not_there"]
    assert Deal.objects.get(table=other.table).versions.count() == 1


def tricks_json(played: Any) -> list[list[dict[str, Any]]]:
    return [[{"seat": seat, "cards": list(cards)} for seat, cards in trick.plays] for trick in played.tricks]


@pytest.mark.parametrize("ruleset", ["huapai", "double-pig"])
def test_log_of_tricks_derives_the_captures(db: None, ruleset: str) -> None:
    hall = open_hall(ruleset=ruleset)
    rules = load(ruleset)
    played = play_out(rules, Random(7), keep_tricks=True)
    body = record_trick_log(
        actor=hall.referee,
        table=hall.table,
        number=1,
        tricks=tricks_json(played),
        exposed=played.record.to_json()["exposed"],
        command_id=uuid4(),
    ).body
    assert body["irregularities"] == []
    wanted = captures_of(played.tricks, rules, "NWSE")
    assert {seat: sorted(cards) for seat, cards in body["captures"].items()} == {
        seat: sorted(card for card in cards if card[0] == "H" or card in ("SQ", "DJ", "C10"))
        for seat, cards in wanted.items()
    }
    assert TableRuling.objects.get().kind == "trick_log"


def test_log_finds_a_revoke_and_a_lead_out_of_turn(hall: Hall) -> None:
    tricks = [
        [("N", "S3"), ("W", "H7"), ("S", "S5"), ("E", "S6")],
        [("N", "D4"), ("W", "S9"), ("S", "D5"), ("E", "D6")],
    ]
    body = record_trick_log(
        actor=hall.referee,
        table=hall.table,
        number=1,
        tricks=[[{"seat": seat, "cards": [card]} for seat, card in trick] for trick in tricks],
        exposed=[],
        command_id=uuid4(),
    ).body
    found = [(one["code"], one["trick"], one["seat"]) for one in body["irregularities"]]
    assert found == [("revoke", 1, "W"), ("lead_out_of_turn", 2, "N")]
    assert body["captures"]["E"] == ["H7"]


@pytest.mark.parametrize(
    "tricks",
    [
        "S3",
        [],
        [[]],
        [[{"seat": "Z", "cards": ["S3"]}]],
        [[{"seat": "N", "cards": ["S1"]}]],
        [[{"seat": "N", "cards": []}]],
        [[{"seat": "N", "cards": ["S3"]}, {"seat": "N", "cards": ["S4"]}]],
        [[{"seat": "N", "cards": ["S3", "S3"]}]],
    ],
)
def test_log_that_is_none_is_refused(hall: Hall, tricks: Any) -> None:
    with pytest.raises(Refused):
        record_trick_log(
            actor=hall.referee, table=hall.table, number=1, tricks=tricks, exposed=[], command_id=uuid4()
        )
    assert not TableRuling.objects.exists()
