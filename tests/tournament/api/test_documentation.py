"""docs/api.md does what it says; the schema is whole, and its page shows every operation."""

import json
import re
import shlex
from pathlib import Path

import pytest
from django.test import Client
from django.utils.translation import override

from scripts.catalogs import documented
from scripts.catalogs.extract import extract
from tests.tournament.api.conftest import make_scene
from tests.tournament.excel.files import xlsx
from tournament.api.problems import KINDS
from tournament.api.schema import _made_schema, whole_schema
from tournament.api.wording import schema_in

ROOT = Path(__file__).resolve().parents[3]
GUIDE = ROOT / "docs" / "api.md"
HOST = "http://testserver"


def _curls():
    """Each curl of the guide, as words; what its answer is piped to is left out."""
    for block in re.findall(r"```sh\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            found = re.search(r"curl .*?(?= \||$)", line)
            if found:
                yield found[0]


def _sent(client, command, variables, files):
    """What the program answers to a curl."""
    for name, value in variables.items():
        command = command.replace(f"${name}", value.replace('"', '\\"'))
    words = iter(shlex.split(command)[1:])
    method, headers, data, address = "GET", {}, b"", ""
    for word in words:
        if word == "-X":
            method = next(words)
        elif word == "-H":
            name, _colon, value = next(words).partition(": ")
            headers[name.lower()] = value
        elif word == "-d":
            data = next(words).encode()
        elif word == "--data-binary":
            data = files[next(words).removeprefix("@")]
        elif word in ("-o", "-D"):
            next(words)
        elif not word.startswith("-"):
            address = word.removeprefix(HOST)
    content_type = headers.pop("content-type", "application/octet-stream")
    return client.generic(method, address, data, content_type, headers=headers)


@pytest.mark.django_db
def test_every_example_of_the_guide_works():
    scene = make_scene("demo", "individual")
    variables = {
        "HOST": HOST,
        "TOKEN": scene.token()[1],
        "TABLE_TOKEN": scene.token("record", table=1)[1],
        "ETAG": "",
    }
    files = {"entries.xlsx": xlsx([["编号", "姓名", "单位"], [1, "选手1", "新队"]])}
    # The guide's third round is the one in play in the demo tournament; here it is the first.
    commands = [command.replace("/rounds/3/", "/rounds/1/") for command in _curls()]
    assert len(commands) > 8
    for command in commands:
        response = _sent(Client(), command, variables, files)
        assert response.status_code in {200, 201}, (command, response.content)
        variables["ETAG"] = response.headers.get("ETag", "")


def test_the_refusal_in_the_guide_is_a_refusal():
    example = json.loads(re.search(r"```json\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)[1])
    stated = whole_schema()["components"]["schemas"]["ProblemOut"]
    assert set(example) == set(stated["required"])
    assert example["type"] == f"/api/docs#{KINDS[example['status']][0]}"
    with override("en"):
        assert example["title"] == str(KINDS[example["status"]][1])


def test_the_schema_is_openapi_3_1_and_made_without_a_warning(capsys):
    _made_schema.cache_clear()
    assert whole_schema()["openapi"] == "3.1.0"
    told = capsys.readouterr()
    assert "Warning" not in told.out + told.err
    assert "Error" not in told.out + told.err


def test_every_operation_says_what_it_does_and_has_a_name_of_its_own():
    operations = [one for methods in whole_schema()["paths"].values() for one in methods.values()]
    names = [one["operationId"] for one in operations]
    assert len(names) == len(set(names)) > 80
    assert [one["operationId"] for one in operations if not one["summary"]] == []


@pytest.mark.django_db
def test_the_page_shows_every_operation_type_and_refusal_and_no_outside_address(client):
    html = client.get("/api/docs", headers={"accept-language": "en"}).content.decode()
    schema = whole_schema()
    wanted = [one["operationId"] for methods in schema["paths"].values() for one in methods.values()]
    wanted += [f"type-{name}" for name in schema["components"]["schemas"]]
    wanted += [name for name, _title in KINDS.values()]
    assert [one for one in wanted if f'id="{one}"' not in html] == []
    anchors = set(re.findall(r'href="#([^"]+)"', html))
    assert [one for one in anchors if f'id="{one}"' not in html] == []
    assert re.findall(r'(?:src|href)="(?:https?:)?//', html) == []


@pytest.mark.django_db
def test_the_schema_is_served_as_json(client):
    response = client.get("/api/openapi.json")
    assert response.headers["Content-Type"] == "application/json"
    assert response.json()["paths"] == json.loads(json.dumps(schema_in("en")["paths"], default=str))


@pytest.mark.django_db
def test_the_page_speaks_the_language_of_each_reader(client):
    def asked(language):
        return client.get("/api/docs", headers={"accept-language": language}).content.decode()

    pages = [asked(one) for one in ("en", "zh-hans", "zh-hant", "en")]
    assert "Needs a token." in pages[0]
    assert "Needs a token." not in pages[1] + pages[2]
    assert len(set(pages)) == 3
    assert pages[3] == pages[0]


def _texts(node):
    """Whatever a person reads in a schema, a paragraph each."""
    if isinstance(node, dict):
        for name, value in node.items():
            if name in ("summary", "description") and isinstance(value, str):
                yield from filter(None, value.split("\n\n"))
            else:
                yield from _texts(value)
    elif isinstance(node, list):
        for one in node:
            yield from _texts(one)


def _bare(node):
    """A schema without what a person reads."""
    if isinstance(node, dict):
        return {
            name: _bare(value)
            for name, value in node.items()
            if name not in ("summary", "description") or not isinstance(value, str)
        }
    return [_bare(one) for one in node] if isinstance(node, list | tuple) else node


def test_every_text_of_the_schema_can_be_translated_and_nothing_is_translated_that_it_does_not_say():
    said = set(_texts(schema_in("en"))) - {name for name, _title in KINDS.values()}
    collected = {one.key.msgid for one in extract(ROOT)}
    assert said - collected == set()
    files = [*(ROOT / "tournament" / "api").glob("*.py"), ROOT / "referee" / "serializers.py"]
    assert all(documented.is_documented(one.relative_to(ROOT).as_posix()) for one in files)
    described = {text for one in files for text in documented.descriptions(one.read_text(encoding="utf-8"))}
    assert described - said == set()
    assert len(described) > 300


def test_only_what_people_read_differs_between_the_languages_of_the_schema(monkeypatch):
    written = schema_in("en")
    monkeypatch.setattr("tournament.api.wording.gettext", lambda text: f"译{text}")
    worded = schema_in.__wrapped__("zh-hans")
    assert _bare(worded) == _bare(written)
    assert all(text.startswith("译") for text in _texts(worded))
    assert "译Tournaments with anything public, the latest first." in set(_texts(worded))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "cookie", "language"),
    [
        ("", "", "en"),
        ("*", "", "en"),
        ("fr", "", "en"),
        ("fr, zh-TW;q=0.8, en;q=0.2", "", "zh-hant"),
        ("zh-CN", "", "zh-hans"),
        ("en", "zh-hant", "zh-hant"),
        ("zh-hans", "xx", "zh-hans"),
    ],
)
def test_the_schema_comes_in_the_language_asked_for_and_in_english_where_none_is(
    client, asked, cookie, language
):
    if cookie:
        client.cookies["django_language"] = cookie
    response = client.get("/api/openapi.json", headers={"accept-language": asked} if asked else {})
    assert response.headers["Content-Language"] == language
    assert {"Accept-Language", "Cookie"} <= set(response.headers["Vary"].split(", "))
    assert response.json() == json.loads(json.dumps(schema_in(language), default=str))
