"""Files that are no archive, or a wrong one: refused with the reason, quickly, and nothing is stored."""

import copy
import gzip
import json
import tracemalloc
from io import StringIO

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.utils import translation

from tests.tournament.archive.filled import filled_tournament
from tournament.models import Entry, Tournament
from tournament.queries.archive.file import FORMAT, MOST_BYTES, content_hash, pack, unpack
from tournament.rehearsal.scratch import scratch_database
from tournament.services.archive.transfer import export_tournament, import_tournament
from tournament.services.audit import SYSTEM
from tournament.services.errors import Refused
from tournament.tasks.archive_proof import import_shown

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def archive(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), scratch_database():
        return export_tournament(actor=SYSTEM, tournament=filled_tournament())


@pytest.fixture
def content(archive):
    return copy.deepcopy(unpack(archive))


def _refusal(data):
    people = get_user_model().objects.count()
    with pytest.raises(Refused) as refused:
        import_tournament(actor=SYSTEM, data=data)
    assert Tournament.objects.count() == 0
    assert get_user_model().objects.count() == people
    assert str(refused.value)
    return refused.value


def _document(**changes):
    content = {"tournament": []}
    document = {"format": FORMAT, "version": 1, "sha256": content_hash(content), "content": content}
    return gzip.compress(json.dumps({**document, **changes}).encode(), mtime=0)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "archive_format"),
        (b"PK\x03\x04 a workbook", "archive_format"),
        (b'{"format": "huapai-tournament"}', "archive_format"),
        (gzip.compress(b"[]", mtime=0), "archive_format"),
        (gzip.compress(b"not json", mtime=0), "archive_damaged"),
        (gzip.compress(b"\xff\xfe", mtime=0), "archive_damaged"),
        (gzip.compress(b"[" * 200_000, mtime=0), "archive_damaged"),
        (gzip.compress(b'{"a": NaN}', mtime=0), "archive_damaged"),
        (gzip.compress(b'{"a": "\\u0000"}', mtime=0), "archive_damaged"),
        (gzip.compress(b'{"a": ' + b"9" * 5000 + b"}", mtime=0), "archive_damaged"),
        (b"\x1f\x8b" + b"\x00" * 50, "archive_damaged"),
        (_document(format="something"), "archive_format"),
        (_document(version="1"), "archive_format"),
        (_document(version=True), "archive_format"),
        (_document(version=2), "archive_newer"),
        (_document(sha256="0" * 64), "archive_hash"),
        (_document(content=None), "archive_hash"),
        (_document(content={"tournament": [{"uid": "\ud800"}]}), "archive_damaged"),
        (_document(), "archive_value"),
    ],
)
def test_what_is_no_archive_is_refused(data, code):
    assert _refusal(data).code == code


@pytest.mark.parametrize("cut", [1, 8, 100, 2000])
def test_a_file_cut_short_is_refused(archive, cut):
    assert _refusal(archive[:-cut]).code == "archive_damaged"


def test_a_changed_file_is_refused_by_its_hash(archive):
    document = json.loads(gzip.decompress(archive))
    document["content"]["entries"][0]["start_points"] = 500
    assert _refusal(gzip.compress(json.dumps(document).encode(), mtime=0)).code == "archive_hash"


def test_a_bomb_is_refused_within_little_memory():
    bomb = gzip.compress(b"[" + b" " * (MOST_BYTES + 10) + b"]", mtime=0)
    assert len(bomb) < 200_000
    tracemalloc.start()
    refused = _refusal(bomb)
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert refused.code == "archive_too_large"
    assert peak < 1.2 * MOST_BYTES


def _spoilt(content, section, field, value):
    content[section][0][field] = value
    return pack(content)


@pytest.mark.parametrize(
    ("section", "field", "value"),
    [
        ("tournament", "uid", "x"),
        ("tournament", "uid", None),
        ("tournament", "time_zone", "Mars/Olympus"),
        ("tournament", "slug", "../x"),
        ("tournament", "starts_on", "2026-13-01"),
        ("tournament", "created_at", "2026-01-01T00:00:00"),
        ("tournament", "name", "x" * 121),
        ("tournament", "name", 7),
        ("tournament", "name", None),
        ("events", "tournament", 2),
        ("events", "tournament", True),
        ("events", "ruleset_version", None),
        ("events", "kind", "chess"),
        ("events", "planned_rounds", "3"),
        ("events", "planned_rounds", -1),
        ("events", "planned_rounds", 3.5),
        ("events", "options", []),
        ("stages", "terms", "x"),
        ("corrections", "public", {}),
        ("entries", "start_points", "1/7"),
        ("entries", "start_points", "1/0"),
        ("entries", "start_points", 10**30),
        ("entries", "house", 1),
        ("entries", "event", {"id": 1}),
        ("draws", "seed", 2**63),
        ("draws", "inputs", {"surprise": 1}),
        ("draws", "inputs", []),
        ("draws", "quality", {"violations": [{"entrants": [999]}]}),
        ("matches", "reasons", {"remarks": [{"entrants": "x"}]}),
        ("apart_groups", "entries", [999]),
        ("apart_groups", "entries", "x"),
        ("audit", "address", "999.1.1.1"),
        ("people", "name", ""),
        ("people", "name", "x" * 151),
        ("rulesets", "data", {"seats": "nonsense"}),
        ("seats", "id", 7),
        ("seats", "more", 7),
    ],
)
def test_a_wrong_value_is_named(content, section, field, value):
    refused = _refusal(_spoilt(content, section, field, value))
    assert refused.code == "archive_value"
    with translation.override("en"):
        assert section in str(refused) or "no tournament" in str(refused)


def test_several_faults_are_told_together(content):
    content["entries"][0]["name"] = None
    content["entries"][1]["club"] = 3
    refused = _refusal(pack(content))
    assert len(refused.problems) == 2


@pytest.mark.parametrize("section", ["people", "rulesets", "seats", "audit_chain"])
def test_a_missing_or_strange_section_is_named(content, section):
    del content[section]
    content["something"] = []
    assert [problem.params["place"] for problem in _refusal(pack(content)).problems] == sorted(
        [section, "something"]
    )


def test_a_file_without_its_tournament_is_refused(content):
    del content["tournament"]
    assert _refusal(pack(content)).code == "archive_value"


def test_what_contradicts_itself_is_refused_by_the_database(content):
    content["entries"][1]["number"] = content["entries"][0]["number"]
    assert _refusal(pack(content)).code == "archive_contradicts"


def test_the_keeper_of_a_site_may_store_what_cannot_be_shown(content, tmp_path):
    SPOILT["a line"](content)
    path = tmp_path / "cup.json.gz"
    path.write_bytes(pack(content))
    with pytest.raises(CommandError, match="singles"):
        call_command("archive_import", str(path), stdout=StringIO())
    call_command("archive_import", str(path), "--unshown", stdout=StringIO())
    assert Tournament.objects.get().slug == "cup"


def _publication(content, what):
    return next(one for one in content["publications"] if one["what"] == what and not one["withdrawn"])


SPOILT = {
    "plan": lambda content: content["events"][0].update(plan={"kind": "set", "deals": "x"}),
    "terms": lambda content: content["stages"][0].update(terms={"plan": {"kind": 5}}),
    "record": lambda content: content["deal_versions"][0].update(record=[]),
    "scores": lambda content: content["deal_versions"][0].update(answer={"scores": 7}),
    "draw": lambda content: _publication(content, "draw")["payload"].update(tables=[{}]),
    "a seat": lambda content: _publication(content, "draw")["payload"]["tables"][0]["seats"][0].clear(),
    "a deal": lambda content: _publication(content, "results")["payload"]["tables"][0]["deals"][0].update(
        scores=None
    ),
    "a line": lambda content: _publication(content, "results")["payload"]["tables"][0].update(lines=5),
    "a rank": lambda content: _publication(content, "standings")["payload"]["rows"][0].pop("rank"),
    "the names": lambda content: _publication(content, "standings")["payload"].update(entries={"x": 1}),
}


@pytest.mark.parametrize("name", SPOILT)
def test_what_no_page_could_show_is_refused_with_the_place(content, name):
    SPOILT[name](content)
    with pytest.raises(Refused) as refused:
        import_shown(actor=SYSTEM, data=pack(content))
    assert refused.value.code == "archive_not_shown"
    assert "singles" in str(refused.value)
    assert Tournament.objects.count() == 0


def test_the_commands_write_read_and_refuse(archive, tmp_path):
    path = tmp_path / "杯赛.json.gz"
    path.write_bytes(archive)
    out = StringIO()
    call_command("archive_import", str(path), stdout=out)
    assert "entries: 14" in out.getvalue()
    again = tmp_path / "again.json.gz"
    call_command("archive_export", "cup", str(again), stdout=out)
    assert again.read_bytes() == archive
    assert sorted(one.name for one in tmp_path.iterdir()) == ["again.json.gz", "杯赛.json.gz"]
    for arguments in (("archive_import", str(path)), ("archive_import", "nowhere"), ("archive_export", "no")):
        with pytest.raises(CommandError):
            call_command(*arguments, stdout=out)
    assert Entry.objects.count() == 14
