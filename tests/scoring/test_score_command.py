"""`manage.py score`, as a command line."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.scoring.engine.deals import deal

ROOT = Path(__file__).parents[2]
DEAL = json.dumps(deal({"N": "SQ"}))


def run(*args: str, text: str = "") -> subprocess.CompletedProcess[str]:
    # A database that cannot be reached: the command must not want one.
    env = {
        **os.environ,
        "DATABASE_URL": "postgres://nobody@127.0.0.1:9/none",
        "DJANGO_SETTINGS_MODULE": "tests.settings",
    }
    return subprocess.run(
        [sys.executable, "manage.py", "score", *args],
        input=text,
        capture_output=True,
        text=True,
        env=env,
        cwd=ROOT,
        timeout=60,
        check=False,
    )


def test_command_scores_standard_input_without_a_database() -> None:
    done = run("--ruleset", "computer", text=f"{DEAL}\nnonsense\n{DEAL}\n")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [list(answer) == ["errors"] for answer in answers] == [False, True, False]
    assert answers[0]["scores"]["N"] == -100
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


def test_command_scores_a_file(tmp_path: Path) -> None:
    file = tmp_path / "两副.jsonl"
    file.write_text(f"{DEAL}\n\n{DEAL}\n", encoding="utf-8")
    out = io.StringIO()
    call_command("score", str(file), ruleset="computer", stdout=out)
    assert [json.loads(line)["scores"]["N"] for line in out.getvalue().splitlines()] == [-100, -100]


def test_command_exits_1_when_a_deal_was_refused(tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_bytes(b"\xff\xfe\n" + DEAL.encode() + b"\n")
    out = io.StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command("score", str(file), ruleset="computer", stdout=out)
    assert stopped.value.code == 1
    assert len(out.getvalue().splitlines()) == 2


def test_command_says_which_file_it_cannot_read(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"missing\.jsonl") as refused:
        call_command("score", str(tmp_path / "missing.jsonl"))
    assert refused.value.returncode == 2


def test_command_refuses_an_unknown_ruleset() -> None:
    with pytest.raises(CommandError, match="zzz"):
        call_command("score", "-", "--ruleset", "zzz")
