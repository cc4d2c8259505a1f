"""The golden deals: records with answers worked out beforehand."""

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.engine import DealRecord, score_deal
from scoring.engine.check import tally_deal
from scoring.engine.score import seat_scores
from scoring.rulesets import load, shipped_keys

GOLDEN = Path(__file__).parents[2] / "golden" / "deals.jsonl"
DEALS = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]


def test_golden_has_every_shipped_ruleset_and_mode() -> None:
    assert len(DEALS) == 400
    assert {one["deal"]["ruleset"] for one in DEALS} == set(shipped_keys())
    assert {one["deal"]["mode"] for one in DEALS} == {"individual", "partnership", "pig_sheep"}


@pytest.mark.parametrize("number", range(400))
def test_golden_deal_scores_as_stated(number: int) -> None:
    record, stated = DEALS[number]["deal"], DEALS[number]["answer"]
    answer = score_deal(record, load(record["ruleset"])).to_json()
    assert set(answer) - set(stated) == {"formula"}
    assert {name: answer[name] for name in stated} == stated


def test_golden_deals_score_alike_as_records_and_by_the_thorough_check() -> None:
    for one in DEALS:
        record: dict[str, Any] = one["deal"]
        rules = load(record["ruleset"])
        stated = list(one["answer"]["scores"].values())
        assert list(score_deal(DealRecord.from_json(record), rules).scores.values()) == stated
        assert seat_scores(rules, tally_deal(record, rules)) == stated
