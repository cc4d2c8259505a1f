"""JSON lines in, JSON lines out: nothing a line may hold stops the others."""

import json
from pathlib import Path

import pytest

from scoring.jsonl import answer_line, answer_lines
from tests.scoring.engine.deals import deal

GOLDEN = Path(__file__).parents[1] / "golden" / "deals.jsonl"
GOOD = json.dumps({**deal({"N": "SQ"}), "ruleset": "book-a"})


def codes(line: str | bytes, default: str | None = None) -> list[str]:
    return [one["code"] for one in answer_line(line, default).get("errors", [])]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("{", "bad_json"),
        ('{"captures": NaN}', "bad_json"),
        ('{"captures": -Infinity}', "bad_json"),
        ("1" * 5000, "bad_json"),
        ("[" * 100_000, "bad_json"),
        (b'{"ruleset": "\xff"}', "bad_json"),
        ('{"ruleset": "huapai"} {}', "bad_json"),
        ("[]", "not_an_object"),
        ("5", "not_an_object"),
        ("null", "not_an_object"),
        ('"huapai"', "not_an_object"),
        ('{"captures": {"N": [], "N": []}}', "duplicate_key"),
        ("{}", "ruleset_not_named"),
        ('{"ruleset": 5}', "wrong_type"),
        ('{"ruleset": "zzz"}', "unknown_ruleset"),
        ('{"ruleset": "../engine"}', "unknown_ruleset"),
        ('{"ruleset": "huapai"}', "missing_field"),
        ('{"ruleset": "huapai", "captures": {"N": [1e400]}}', "wrong_type"),
        ('{"ruleset": "huapai", "captures": {"N": [9999999999999999999999]}}', "wrong_type"),
    ],
)
def test_faulty_line_answers_with_its_errors(line: str | bytes, code: str) -> None:
    assert code in codes(line)
    for one in answer_line(line)["errors"]:
        assert one["message"]
        assert len(one["message"]) < 200


def test_byte_order_mark_and_windows_line_ends_are_no_fault() -> None:
    assert codes("\ufeff" + GOOD + "\r\n") == []
    assert codes(("\ufeff" + GOOD).encode() + b"\r\n") == []


def test_ruleset_given_for_the_file_is_for_deals_that_name_none() -> None:
    unnamed = json.dumps(deal({"N": "H4"}))
    assert codes(unnamed) == ["ruleset_not_named"]
    assert answer_line(unnamed, "book-a")["scores"]["N"] == -10
    assert answer_line(unnamed, "computer")["scores"]["N"] == 0
    named = json.dumps({**deal({"N": "H4"}), "ruleset": "book-a"})
    assert answer_line(named, "computer")["scores"]["N"] == -10


def test_blank_lines_have_no_answer_and_faulty_ones_do_not_stop_the_rest() -> None:
    answers = list(answer_lines(["\n", GOOD, "  \n", "oops", GOOD]))
    assert [(number, scored) for number, _, scored in answers] == [(2, True), (4, False), (5, True)]
    assert all("\n" not in text for _, text, _ in answers)
    assert json.loads(answers[0][1]) == json.loads(answers[2][1])


@pytest.mark.parametrize(
    "line",
    [
        r'{"ruleset": "\ud800"}',
        r'{"ruleset": "huapai", "\udfff": 1, "\udfff": 2}',
        r'{"ruleset": "huapai", "mode": "\ud83d", "captures": {"N": ["\ud800"], "\ud800": ["SQ:\ud800"]}}',
        r'{"ruleset": "huapai", "captures": {}, "held": {"\ud800": "\ud800"}}',
        r'{"ruleset": "huapai", "captures": {}, "exposed": [{"card": "SQ", "seat": "\ud800"}]}',
    ],
)
def test_half_a_character_goes_out_as_it_came_in(line: str) -> None:
    ((_, text, scored),) = answer_lines([line])
    assert not scored
    assert text.encode("utf-8")
    assert json.loads(text) == answer_line(line)


def test_what_is_wrong_with_the_json_is_told_whole() -> None:
    ((_, text, _),) = answer_lines(['{"ruleset": "huapai", captures: {}}'])
    (error,) = json.loads(text)["errors"]
    assert error["message"].endswith("enclosed in double quotes, column 23.")


def test_names_that_mean_nothing_here_are_left_alone() -> None:
    noted = json.dumps({**json.loads(GOOD), "number": 3, "notes": {"table": ["A"]}})
    assert answer_line(noted) == answer_line(GOOD)


def test_golden_lines_answer_as_stated() -> None:
    rows = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
    answers = answer_lines(json.dumps(row["deal"]) for row in rows)
    for row, (_, text, scored) in zip(rows, answers, strict=True):
        assert scored
        answer = json.loads(text)
        assert answer.pop("formula")
        assert answer == row["answer"]
