"""Static files as they are served: scripts import each other by names that carry a hash of the content."""

import re

from django.core.management import call_command

from config import settings as program

HASHED = re.compile(r"\.[0-9a-f]{12}\.js$")
IMPORTED = re.compile(r"""^(?:import|export)\b[^;]*?from\s*["'](\.[^"']+)["']""", re.MULTILINE)


def test_scripts_import_hashed_names_that_exist(tmp_path, settings):
    settings.STATIC_ROOT = str(tmp_path)
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "config.storage.StaticStorage"},
    }
    call_command("collectstatic", verbosity=0, interactive=False)
    found = [
        (path, path.parent / name)
        for path in tmp_path.rglob("*.js")
        if HASHED.search(path.name)
        for name in IMPORTED.findall(path.read_text())
    ]
    assert len(found) > 20
    assert {path.name for path in tmp_path.iterdir() if path.is_dir()} == {"css", "img", "js", "referee"}
    assert [pair for pair in found if not HASHED.search(pair[1].name) or not pair[1].exists()] == []


def test_program_serves_them_that_way():
    assert not program.DEBUG
    assert program.STORAGES["staticfiles"]["BACKEND"] == "config.storage.StaticStorage"
