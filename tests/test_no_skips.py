"""A skipped test fails the run: shown on a small test file with every way to skip."""

import shutil
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
CONFTEST = Path(__file__).resolve().parent.parent / "conftest.py"

WAYS = {
    "mark": "@pytest.mark.skip\ndef test_it(): pass",
    "condition": "@pytest.mark.skipif(True, reason='no reason')\ndef test_it(): pass",
    "call": "def test_it(): pytest.skip('later')",
    "fixture": "@pytest.fixture\ndef x(): pytest.skip('later')\ndef test_it(x): pass",
    "unittest": "import unittest as u\n@u.skip('x')\nclass Test(u.TestCase):\n  def test_it(self): 1",
    "expected failure": "@pytest.mark.xfail\ndef test_it(): assert False",
    "missing module": "pytest.importorskip('no_such_module_anywhere')\ndef test_it(): pass",
    "whole module": "pytest.skip('later', allow_module_level=True)\ndef test_it(): pass",
    "no parameters": "@pytest.mark.parametrize('x', [])\ndef test_it(x): pass",
}


@pytest.fixture
def run(pytester, monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    shutil.copy(CONFTEST, pytester.path)

    def run(source: str) -> pytest.RunResult:
        pytester.makepyfile(f"import pytest\n{source}")
        return pytester.runpytest_inprocess("-p", "no:cacheprovider")

    return run


@pytest.mark.parametrize("way", WAYS)
def test_a_skip_is_a_failure(run, way):
    result = run(WAYS[way])
    assert result.ret != 0
    outcomes = result.parseoutcomes()
    assert not {"skipped", "xfailed", "passed"} & outcomes.keys(), outcomes
    assert outcomes.get("failed", 0) + outcomes.get("errors", 0) == 1


def test_an_ordinary_test_passes(run):
    result = run("def test_it(): pass")
    result.assert_outcomes(passed=1)
