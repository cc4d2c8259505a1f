"""`scripts/install.sh` where it cannot do its work: it says what to do next, in English and Chinese."""

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "scripts/install.sh"
#: Stands for .venv/bin/python: fit to be used, but it cannot reach the packages.
WITHOUT_NETWORK = """#!/bin/sh
case "$*" in
    *"pip install"*) echo "ERROR: No matching distribution found" >&2; exit 1 ;;
esac
"""


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "新 folder"
    (place / ".venv/bin").mkdir(parents=True)
    python = place / ".venv/bin/python"
    python.write_text(WITHOUT_NETWORK)
    python.chmod(0o755)
    (place / "requirements.lock").write_text("django==5.2\n")
    return place


def run(folder, **environment):
    return subprocess.run(
        ["/bin/sh", str(SCRIPT), "requirements.lock"],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_packages_out_of_reach_are_told_in_both_languages_and_tried_again_next_time(folder):
    for _attempt in range(2):
        ended = run(folder)
        assert ended.returncode == 1
        assert "The first start needs the internet" in ended.stderr
        assert "第一次启动需要联网" in ended.stderr
        assert not (folder / ".venv/requirements.lock").exists()


def test_what_is_installed_asks_for_no_network(folder):
    (folder / ".venv/requirements.lock").write_text("django==5.2\n")
    ended = run(folder)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_a_machine_without_python_is_told_in_both_languages(folder, tmp_path):
    (folder / ".venv/bin/python").unlink()
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("rm", "basename", "cmp"):
        (tools / name).symlink_to(f"/usr/bin/{name}")
    ended = run(folder, PATH=str(tools))
    assert ended.returncode == 1
    assert "Python 3.11 or 3.12 is needed" in ended.stderr
    assert "需要 Python 3.11 或 3.12" in ended.stderr
