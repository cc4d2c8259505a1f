"""Nothing is kept that nobody uses: no private name idle in its module, nothing that only tests call."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODE = ("config", "scoring", "tournament", "referee")
#: What may use the code: itself, templates, the scripts beside it. Tests and benchmarks do not count.
USERS = (*CODE, "templates", "scripts")

#: Called by name by Django and its companions, or by Python's own parsers.
HOOKS = re.compile(
    r"__\w+__|Meta|Command|handle|add_arguments|\w+Config|clean_\w+|get_\w+|has_(changed|permission)"
    r"|authenticate(_header)?|from_db_value|prepare_value|to_representation|value_\w+"
)
#: Used by nobody here, each with the reason why it stays.
KEPT = {
    "legal_leads": "the rules of play, to which tests hold the random play of deals",
    "legal_follows": "the same",
    "LEFT_OUT": "the reasons why models are in no archive, which a test asks for",
    "prune_daily": "a task that the settings name by its name of tasks, for celery beat",
    "GROUPS": "the order of the fields of a ruleset, to which tests hold the data files",
}

_Named = ast.FunctionDef | ast.ClassDef


def _defined(tree: ast.Module) -> set[str]:
    """Names of functions, classes, methods, and what a module assigns."""
    found = {node.name for node in ast.walk(tree) if isinstance(node, _Named)}
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


@cache
def _used(tree: ast.Module) -> Counter[str]:
    """Names that are read, or asked of something, or stand in a text: settings name their classes so."""
    found: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found[node.id] += 1
        elif isinstance(node, ast.Attribute):
            found[node.attr] += 1
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value:
            found.update(re.findall(r"\w+", node.value))
    return found


def _idle_here(tree: ast.Module) -> set[str]:
    """Private names that their own module does not use."""
    private = {name for name in _defined(tree) if name.startswith("_") and not HOOKS.fullmatch(name)}
    return private - _used(tree).keys() - _registered(tree)


def _registered(tree: ast.Module) -> set[str]:
    """Functions that a signal calls."""
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, _Named) and any("receiver" in ast.unparse(one) for one in node.decorator_list)
    }


@cache
def _trees(*folders: str) -> dict[Path, ast.Module]:
    paths = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return {path: ast.parse(path.read_text()) for path in paths if "migrations" not in path.parts}


def test_no_private_name_is_idle_in_its_module():
    found = {str(path.relative_to(ROOT)): _idle_here(tree) for path, tree in _trees(*USERS).items()}
    assert {path: names for path, names in found.items() if names} == {}


def test_nothing_is_there_for_tests_alone():
    used: Counter[str] = Counter()
    for tree in _trees(*USERS).values():
        used.update(_used(tree))
    for page in (ROOT / "templates").rglob("*.*"):
        used.update(re.findall(r"\w+", page.read_text()))
    idle = {
        f"{path.relative_to(ROOT)}: {name}"
        for path, tree in _trees(*CODE).items()
        for name in _defined(tree) - _settings(path) - _registered(tree)
        if not used[name] and not HOOKS.fullmatch(name) and name not in KEPT
    }
    assert idle == set()


def _settings(path: Path) -> set[str]:
    """Names that Django reads from a module of this name."""
    if path.name in ("settings.py", "urls.py") or path.parent.name in ("urls", "config"):
        return _defined(ast.parse(path.read_text()))
    return set()


def test_an_idle_name_is_noticed():
    assert _idle_here(ast.parse("def _a():\n    return _b\n\n_b = 1")) == {"_a"}
    assert _idle_here(ast.parse("class A:\n    def _a(self):\n        return self._a()")) == set()
