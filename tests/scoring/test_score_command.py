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


COMMAND = [sys.executable, "manage.py", "score"]
ENV = {
    **os.environ,
    # A database that cannot be reached: the command must not want one.
    "DATABASE_URL": "postgres://nobody@127.0.0.1:9/none",
    "DJANGO_SETTINGS_MODULE": "tests.settings",
}


def run(*args: str, text: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *args],
        input=text,
        capture_output=True,
        encoding="utf-8",
        env={**ENV, **env},
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
    assert done.stderr == "1 of 3 deals refused, see the answers to line 2\n"


def test_answers_are_utf_8_whatever_the_machine_writes() -> None:
    deals = (DEAL, "nonsense", DEAL.replace("SQ", "S2"), r'{"ruleset": "\ud800"}', DEAL)
    done = run("--ruleset", "huapai", text="\n".join(deals), PYTHONIOENCODING="ascii")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(deals)
    assert "♠Q" in answers[2]["errors"][0]["message"]
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("from_input", [True, False])
def test_answers_that_cannot_be_written_are_no_fault_of_the_deals(tmp_path: Path, from_input: bool) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_text(f"{DEAL}\n", encoding="utf-8")
    reader, writer = os.pipe()
    os.close(reader)
    with open(file, "rb") as deals, os.fdopen(writer, "wb") as nobody_reads:
        done = subprocess.run(
            [*COMMAND, "--ruleset", "computer", "-" if from_input else str(file)],
            stdin=deals,
            stdout=nobody_reads,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=ENV,
            cwd=ROOT,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith("CommandError: The answers cannot be written: ")
    assert file.name not in done.stderr
    assert "Traceback" not in done.stderr


def test_refused_lines_are_named_but_not_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    err = io.StringIO()
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n" + "nonsense\n" * 50))
    with pytest.raises(SystemExit):
        call_command("score", stdout=io.StringIO(), stderr=err)
    assert err.getvalue().startswith("50 of 50 deals refused, see the answers to line 2, 3, 4,")
    assert err.getvalue().endswith(" 20, 21 …\n")


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
