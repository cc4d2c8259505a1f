"""The house stays in order: layers, purity, size of files. Each rule is shown to notice a breach."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("config", "scoring", "tournament", "referee")
PURE = ("scoring/engine", "tournament/drawing", "tournament/pairing", "tournament/ranking")

MAX_LINES = 400
#: Files longer than that, each with the reason why it is one thing and stays one file.
LONG_FILES: dict[str, str] = {}

#: Modules outside the engine that may name a card, each with its reason.
CARD_NAMERS: dict[str, str] = {}


def _modules(*folders: str) -> list[Path]:
    return sorted(
        path
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
        if "migrations" not in path.parts and "__pycache__" not in path.parts
    )


def _dotted(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


# --- imports ------------------------------------------------------------------------------------------


def _lint(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports_command as run; run()",
            "--no-logo",
            "--no-cache",
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A copy of the code that a test may break."""
    folder = tmp_path_factory.mktemp("house")
    shutil.copy(ROOT / "pyproject.toml", folder)
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__", "static", "*.json")
        )
    return folder


def test_imports_follow_the_layers():
    result = _lint(ROOT)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "0 broken" in result.stdout


@pytest.mark.parametrize(
    ("module", "bad_import", "contract"),
    [
        ("scoring/engine/zz_new.py", "import django.utils.timezone", "know no Django"),
        ("scoring/engine/zz_new.py", "from datetime import datetime", "know no Django"),
        ("scoring/engine/zz_new.py", "def f():\n    import os", "know no Django"),
        ("tournament/pairing/zz_new.py", "from pathlib import Path", "know no Django"),
        ("tournament/drawing/zz_new.py", "from django.conf import settings", "know no Django"),
        ("tournament/ranking/zz_new.py", "import time", "know no Django"),
        ("tournament/ranking/zz_new.py", "from django.conf import settings", "know no Django"),
        ("tournament/pairing/checker.py", "from tournament.pairing.history import pair", "shares no code"),
        ("tournament/pairing/checker.py", "import tournament.pairing.options", "shares no code"),
        ("tournament/pairing/zz_new.py", "import scoring.engine", "own layer"),
        ("tournament/ranking/zz_new.py", "import tournament.pairing", "own layer"),
        ("scoring/engine/zz_new.py", "import tournament.ranking", "own layer"),
        ("scoring/engine/zz_new.py", "import scoring.models", "own layer"),
        ("tournament/models/zz_new.py", "import referee.models", "own layer"),
        ("tournament/models/zz_new.py", "import tournament.services", "own layer"),
        ("tournament/services/zz_new.py", "import referee.services", "own layer"),
        ("tournament/services/zz_new.py", "import tournament.views", "own layer"),
        ("tournament/queries/zz_new.py", "import tournament.services", "own layer"),
        ("tournament/views/zz_new.py", "import config.urls", "own layer"),
        ("scoring/models.py", "import tournament.models", "own layer"),
    ],
)
def test_a_forbidden_import_is_noticed(house, module, bad_import, contract):
    path = house / module
    before = path.read_text(encoding="utf-8") if path.exists() else None
    path.write_text(f"{before or ''}\n{bad_import}\n", encoding="utf-8")
    try:
        result = _lint(house)
    finally:
        if before is None:
            path.unlink()
        else:
            path.write_text(before, encoding="utf-8")
    broken = [line for line in result.stdout.splitlines() if " BROKEN" in line]
    assert result.returncode == 1, result.stdout + result.stderr
    assert any(contract in line for line in broken), result.stdout


def test_a_ring_of_imports_is_noticed(house):
    one, two = house / "tournament/queries/zz_one.py", house / "tournament/queries/zz_two.py"
    one.write_text("import tournament.queries.zz_two\n", encoding="utf-8")
    two.write_text("def f():\n    import tournament.queries.zz_one\n", encoding="utf-8")
    try:
        result = _lint(house)
    finally:
        one.unlink()
        two.unlink()
    assert result.returncode == 1, result.stdout
    assert re.search(r"No two neighbours .*BROKEN", result.stdout), result.stdout


def test_every_module_has_a_layer():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = next(c for c in settings["tool"]["importlinter"]["contracts"] if c["id"] == "layers")["layers"]
    known = {name for layer in layers for name in re.findall(r"[\w.]+", layer)}
    # Django's own furniture: found by its name, imported by nobody.
    known |= {f"{package}.apps" for package in PACKAGES}
    homeless = [
        name
        for name in map(_dotted, _modules(*PACKAGES))
        if name not in PACKAGES and not any(name == layer or name.startswith(f"{layer}.") for layer in known)
    ]
    assert not homeless, "Give these modules a layer in pyproject.toml: " + ", ".join(homeless)


# --- purity beyond imports ----------------------------------------------------------------------------


def _chance(source: str) -> list[str]:
    """The ways in which a module draws lots other than with a generator it was given or seeded itself."""
    allowed = {"Random", "Generator", "PCG64", "default_rng"}
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr not in allowed:
            owner = ast.unparse(node.value)
            if owner in {"random", "np.random", "numpy.random"}:
                found.append(f"{owner}.{node.attr}")
        elif isinstance(node, ast.ImportFrom) and node.module in {"random", "numpy.random"}:
            found += [f"{node.module}.{name.name}" for name in node.names if name.name not in allowed]
        elif isinstance(node, ast.Call) and not node.args and not node.keywords:
            called = ast.unparse(node.func)
            if called.rsplit(".", 1)[-1] in {"Random", "default_rng"}:
                found.append(f"{called}() without a seed")
    return found


def test_pure_modules_draw_lots_only_with_a_seed():
    found = {_dotted(path): _chance(path.read_text(encoding="utf-8")) for path in _modules(*PURE)}
    assert found
    assert not {name: ways for name, ways in found.items() if ways}


@pytest.mark.parametrize(
    "source",
    [
        "import random\nrandom.shuffle(x)",
        "from random import choice",
        "import numpy as np\nnp.random.permutation(4)",
        "import random\nr = random.Random()",
        "import numpy as np\nr = np.random.default_rng()",
    ],
)
def test_drawing_lots_without_a_seed_is_noticed(source):
    assert _chance(source)


def test_drawing_lots_with_a_seed_is_allowed():
    assert not _chance(
        "import random\ndef f(seed, r: random.Random): return random.Random(seed), r.choice([1])"
    )


_CARD = re.compile(r"[SHDC](?:10|[2-9TJQKA])(?:#[12])?")


def _cards_named(source: str) -> list[str]:
    return [
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _CARD.fullmatch(node.value)
    ]


def test_only_the_engine_names_cards():
    # In a workbook "C2" is a cell.
    elsewhere = [
        path
        for path in _modules("tournament", "referee", "config", "scoring")
        if not path.relative_to(ROOT).as_posix().startswith(("scoring/engine/", "tournament/excel/"))
    ]
    found = {
        path.relative_to(ROOT).as_posix(): _cards_named(path.read_text(encoding="utf-8"))
        for path in elsewhere
    }
    assert not {name: cards for name, cards in found.items() if cards and name not in CARD_NAMERS}


def test_naming_a_card_is_noticed():
    assert _cards_named('x = {"SQ": 1, "H10": 2}; y = "S"; z = "SQUARE"') == ["SQ", "H10"]


# --- size ---------------------------------------------------------------------------------------------


def test_no_file_is_too_long():
    suffixes = {".py", ".js", ".css", ".html"}
    long = {
        path.relative_to(ROOT).as_posix(): lines
        for folder in (*PACKAGES, "templates", "static", "tests", "scripts", "benchmarks")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in suffixes
        and not {"migrations", "vendor", "__pycache__"}.intersection(path.parts)
        and (lines := len(path.read_text(encoding="utf-8").splitlines())) > MAX_LINES
    }
    assert not {name: lines for name, lines in long.items() if name not in LONG_FILES}
    assert not [name for name in LONG_FILES if name not in long], "no longer long: take it off the list"
