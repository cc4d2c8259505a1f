"""The same inputs give the same draws in every process, whatever order its sets and hashes come in."""

import os
import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[3]
_PLAY = """
import django
django.setup()
from tests.tournament.pairing.test_random_events import FORMATS, RandomEvent, _play
for key, form in FORMATS.items():
    for kind in sorted(form.kinds):
        for inputs, drawn in _play(RandomEvent(kind, key, 14, 3)):
            print(kind, key, drawn)
"""


def _draws(hash_seed: str) -> str:
    """Every draw of an event of each kind in each format, as a process with these hashes makes them."""
    settings = {"DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONHASHSEED": hash_seed}
    child = subprocess.run(
        [sys.executable, "-c", _PLAY],
        cwd=_ROOT,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=True,
    )
    return child.stdout


def test_draws_do_not_depend_on_the_hashes_of_a_process():
    one, other = _draws("1"), _draws("2")
    assert one.count("Draw(") > 50
    assert one == other
