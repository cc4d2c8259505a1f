"""No lock keeps others from storing a row that names the locked one; PostgreSQL alone would tell."""

import ast
from pathlib import Path

from django.conf import settings


def test_every_lock_leaves_the_key_free():
    locks, strict = 0, []
    for room in ("tournament", "referee"):
        for path in (Path(settings.BASE_DIR) / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Attribute) and node.attr == "select_for_update":
                    locks += 1
                if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "select_for_update":
                    free = {one.arg: ast.literal_eval(one.value) for one in node.keywords}.get("no_key")
                    strict += [] if free else [f"{path}:{node.lineno}"]
    assert strict == []
    assert locks > 50
