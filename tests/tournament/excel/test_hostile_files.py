"""Files made to do harm, and files that are no workbook: refused by every reader, with little work and within
200 MB of memory.
"""

import io
import json
import os
import subprocess
import sys
import zipfile
import zlib

import pytest
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.excel.files import MAIN, an_event, package, parts, with_names, xlsx
from tournament.excel import package as guard
from tournament.excel.package import MOST_FAULTS
from tournament.excel.paper_reading import read_paper
from tournament.excel.penalty_lists import read_penalties
from tournament.excel.reading import read_entries

GOOD = '<row r="1"><c t="str"><v>姓名</v></c></row><row r="2"><c t="str"><v>张三</v></c></row>'
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def with_part(name: str, content: str | bytes, **more) -> bytes:
    return package({**parts(GOOD, **more), name: content})


def lying_directory() -> bytes:
    """Says of a part that it unpacks to 100 bytes, and holds 20 MB."""
    data = bytearray(with_part("xl/sharedStrings.xml", b" " * 20_000_000))
    name = b"xl/sharedStrings.xml"
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        start = data.find(signature)
        while start >= 0:
            if name in data[start : start + 80]:
                data[start + offset : start + offset + 4] = (100).to_bytes(4, "little")
            start = data.find(signature, start + 4)
    return bytes(data)


def billion_laughs() -> str:
    entities = "".join(f'<!ENTITY l{n + 1} "{f"&l{n};" * 10}">' for n in range(9))
    return (
        f'<?xml version="1.0"?><!DOCTYPE sst [<!ENTITY l0 "lol">{entities}]>'
        f'<sst xmlns="{MAIN}"><si><t>&l9;</t></si></sst>'
    )


def outside_entity() -> str:
    return (
        '<?xml version="1.0"?><!DOCTYPE sst [<!ENTITY file SYSTEM "file:///etc/passwd">]>'
        f'<sst xmlns="{MAIN}"><si><t>&file;</t></si></sst>'
    )


def encrypted_zip() -> bytes:
    data = bytearray(package(parts(GOOD)))
    start = data.find(b"PK\x01\x02")
    data[start + 8] |= 1
    return bytes(data)


#: What the readers know as headings, in one row.
ERROR = '<c t="e"><v>#REF!</v></c>'
HEADINGS = [
    "编号",
    "队名",
    "队员",
    "单位",
    "种子",
    "轮",
    "桌",
    "副",
    "♠Q",
    "♦J",
    "♣10",
    "♥A",
    "北",
    "西",
    "南",
    "东",
    "规则",
    "罚分",
    "原因",
]


def filled_sheet(cell: str, rows: int = 5000, shared: str = "") -> bytes:
    """A workbook with every column that a reader looks at, the same cell in each of its rows."""
    heads = "".join(f'<c t="str"><v>{heading}</v></c>' for heading in HEADINGS)
    lines = f"<row>{cell * len(HEADINGS)}</row>" * rows
    return package(parts(f"<row>{heads}</row>{lines}", shared=shared))


def repeated_text(text: str, rows: int = 5000) -> bytes:
    """A text stored once that stands in every cell."""
    return filled_sheet('<c t="s"><v>0</v></c>', rows, f"<si><t>{text}</t></si>")


def named_again() -> bytes:
    """A sheet that the workbook names a hundred thousand times."""
    names = '<sheet name="a" r:id="rId1"/>' * 100_000
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    return with_part("xl/workbook.xml", f'<workbook xmlns:r="{office}"><sheets>{names}</sheets></workbook>')


FILES = {
    "not a zip": ("编号,姓名\n1,张三\n".encode, "not_a_workbook"),
    "empty": (lambda: b"", "not_a_workbook"),
    "a picture": (lambda: b"\x89PNG\r\n\x1a\n" + bytes(100), "not_a_workbook"),
    "a zip of something": (lambda: package({"readme.txt": "hello"}), "not_a_workbook"),
    "a text document": (
        lambda: package(
            {
                "[Content_Types].xml": '<Types><Override PartName="/word/document.xml" '
                'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>'
                "</Types>",
                "word/document.xml": "<document/>",
            }
        ),
        "not_a_workbook",
    ),
    "old .xls": (lambda: OLE + bytes(2000), "old_workbook"),
    "a password": (lambda: OLE + bytes(500) + "EncryptedPackage".encode("utf-16-le"), "protected_workbook"),
    "an encrypted zip": (encrypted_zip, "protected_workbook"),
    "macros by type": (lambda: package(parts(GOOD, macros=True)), "macros"),
    "macros by part": (lambda: with_part("xl/vbaProject.bin", b"x"), "macros"),
    "cut short": (lambda: package(parts(GOOD))[:-40], "damaged"),
    "a part missing": (lambda: package({**parts(GOOD), "xl/_rels/workbook.xml.rels": "<a/>"}), "no_rows"),
    "no XML": (lambda: with_part("xl/sharedStrings.xml", b"\x00\xff\xfe"), "damaged"),
    "a shared text that is not there": (
        lambda: package(parts('<row r="1"><c t="s"><v>7</v></c></row>')),
        "damaged",
    ),
    "a part twice in other letters": (lambda: with_part("XL/workbook.xml", "<a/>"), "damaged"),
    "too large a file": (
        lambda: package({**parts(GOOD), "x.bin": os.urandom(guard.LARGEST_FILE)}, zipfile.ZIP_STORED),
        "file_too_large",
    ),
    "a zip bomb": (lambda: with_part("xl/sharedStrings.xml", b" " * 60_000_000), "unpacks_too_large"),
    "a bomb in parts": (
        lambda: package({**parts(GOOD), **{f"xl/worksheets/s{n}.xml": b" " * 10_000_000 for n in range(9)}}),
        "unpacks_too_large",
    ),
    "a bomb among the relations": (
        lambda: with_part("xl/_rels/workbook.xml.rels", b"<a>" + b" " * 60_000_000),
        "unpacks_too_large",
    ),
    "a lying directory": (lying_directory, "damaged"),
    "too many parts": (
        lambda: package({**parts(GOOD), **{f"p{n}": b"" for n in range(1500)}}),
        "unpacks_too_large",
    ),
    "a directory of many thousand names": (lambda: with_names(parts(GOOD), 200_000), "unpacks_too_large"),
    "billion laughs": (lambda: with_part("xl/sharedStrings.xml", billion_laughs()), "unsafe_xml"),
    "billion laughs in the sheet": (
        lambda: with_part("xl/worksheets/sheet1.xml", billion_laughs()),
        "unsafe_xml",
    ),
    "an outside entity": (lambda: with_part("xl/sharedStrings.xml", outside_entity()), "unsafe_xml"),
    "a document type alone": (
        lambda: with_part(
            "xl/workbook.xml", '<!DOCTYPE workbook SYSTEM "http://example.org/x.dtd"><workbook/>'
        ),
        "unsafe_xml",
    ),
    "too many cells": (
        lambda: package(parts('<row r="1">' + '<c r="B1"/>' * 300_000 + "</row>")),
        "too_many_cells",
    ),
    "too many elements": (lambda: package(parts("<x/>" * 800_000)), "too_many_cells"),
    "a hundred thousand rows": (
        lambda: package(parts("".join(f'<row r="{n}"><c><v>1</v></c></row>' for n in range(1, 100_001)))),
        "too_many_rows",
    ),
    "merges upon merges": (
        lambda: package(
            parts(GOOD, after="<mergeCells>" + '<mergeCell ref="A1:A9999"/>' * 20_000 + "</mergeCells>")
        ),
        "too_many_cells",
    ),
    "a number of a million digits": (
        lambda: package(parts(f'<row r="{"9" * 1_000_000}"><c><v>1</v></c></row>')),
        "damaged",
    ),
    "a long text in every cell": (lambda: repeated_text("长" * 4_000_000), "text_too_long"),
    "the longest text in every cell": (lambda: repeated_text("长" * 32_000), "too_many_cells"),
    "separators in every cell": (lambda: repeated_text("a," * 16_000), "too_many_cells"),
    "a word for thirteen cards over and over": (lambda: repeated_text("全红" * 100), "too_many_cells"),
    "a long number": (lambda: package(parts(f"<row><c><v>{'9' * 1_000_000}</v></c></row>")), "text_too_long"),
    "macros in a binary workbook": (
        lambda: package(
            {
                name: str(part).replace("sheet.main", "sheet.binary.macroEnabled.main")
                for name, part in parts(GOOD).items()
            }
        ),
        "macros",
    ),
    "deep nesting": (lambda: package(parts("<a>" * 200_000 + "</a>" * 200_000)), "damaged"),
}


#: Files that are no list, yet harmless once they are read within bounds: nothing is refused as a whole.
BOUNDED = {
    "the largest dimensions declared": lambda: with_part(
        "xl/worksheets/sheet1.xml",
        f'<worksheet xmlns="{MAIN}"><dimension ref="A1:XFD1048576"/>'
        '<cols><col min="1" max="16384" hidden="1"/></cols>'
        f'<sheetData>{GOOD}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>',
    ),
    "a sheet named again and again": named_again,
    "errors in every cell": lambda: filled_sheet(ERROR),
    "the same in every cell": lambda: repeated_text("1"),
    "a number in every cell": lambda: filled_sheet("<c><v>1</v></c>"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_harmful_file_is_refused(name):
    make, code = FILES[name]
    sheet = read_entries(io.BytesIO(make()), an_event())
    assert [fault.code for fault in sheet.faults] == [code]
    assert not sheet.rows
    assert str(sheet.faults[0])


#: Reads every file of a folder with every reader, each file in a process of its own, and tells what came of
#: it and the most memory that process had.
MEASURE = """
import json, os, pathlib, sys, django
django.setup()
from tests.tournament.excel.files import an_event
from tournament.excel.paper_reading import read_paper
from tournament.excel.penalty_lists import read_penalties
from tournament.excel.reading import read_entries
READERS = {
    "teams": lambda data: read_entries(data, an_event("teams")),
    "paper": lambda data: read_paper(data, round_number=1),
    "penalties": read_penalties,
}
for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    child = os.fork()
    if not child:
        data = path.read_bytes()
        read = {name: reader(data) for name, reader in READERS.items()}
        told = {name: len(sheet.faults) for name, sheet in read.items()}
        print(json.dumps([path.name, told]), flush=True)
        os._exit(0)
    _pid, status, usage = os.wait4(child, 0)
    print(json.dumps([path.name, [status, usage.ru_maxrss // 1024]]), flush=True)
"""


def test_every_reader_needs_little_memory_for_any_harmful_file(tmp_path):
    """None raises or is killed, and each tells what is wrong; lists of 100,000 cells are read or refused."""
    for number, make in enumerate([*(make for make, _code in FILES.values()), *BOUNDED.values()]):
        (tmp_path / f"{number:03}").write_bytes(make())
    names = [*FILES, *BOUNDED]
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(tmp_path)],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONPATH": os.getcwd()},
        capture_output=True,
        text=True,
        check=True,
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    told = {names[int(number)]: facts for number, facts in found if isinstance(facts, dict)}
    spent = {names[int(number)]: facts for number, facts in found if isinstance(facts, list)}
    assert list(told) == names
    assert {name: facts for name, facts in told.items() if name in FILES and not all(facts.values())} == {}
    assert {name: facts for name, facts in spent.items() if facts[0] or facts[1] >= 200} == {}


def work_of(read) -> int:
    """How many functions are called, of Python's and of C's: what reading costs on any machine."""
    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        read()
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize(
    "sheet",
    [
        lambda rows: filled_sheet(ERROR, rows),
        lambda rows: filled_sheet("<c><v>1</v></c>", rows),
        lambda rows: repeated_text("全" * 20, rows),
        lambda rows: repeated_text("a," * 20, rows),
    ],
    ids=["errors", "numbers", "cards", "separators"],
)
@pytest.mark.parametrize(
    "read",
    [
        lambda data: read_entries(data, an_event("teams")),
        lambda data: read_paper(data, round_number=1),
        read_penalties,
    ],
    ids=["entries", "paper", "penalties"],
)
def test_the_work_grows_with_the_cells_alone(read, sheet):
    """At most two hundred calls for a cell, of which there are at most 100,000, however they are filled."""
    few, many = sheet(100), sheet(400)
    read(few)  # what is looked up once
    first, second = work_of(lambda: read(few)), work_of(lambda: read(many))
    assert second < 5 * first
    assert second < 200 * 400 * len(HEADINGS)


def test_faults_beyond_a_thousand_are_counted():
    sheet = read_penalties(BOUNDED["errors in every cell"]())
    assert len(sheet.faults) == MOST_FAULTS + 1
    assert sheet.faults[-1].code == "more_faults"
    with translation.override("en"):
        assert str(sheet.faults[-1]).endswith("more faults are not listed.")


def test_a_link_to_another_file_is_not_followed():
    """Only the value that the program stored is read."""
    link = "http://example.org/secret.xlsx"
    target = f'Type="x/externalLink" Target="{link}" TargetMode="External"'
    rels = f'<Relationships><Relationship Id="rId1" {target}/></Relationships>'
    row = '<row r="2"><c t="str"><f>[1]Sheet1!A1</f><v>张三</v></c></row>'
    linked = {
        **parts('<row r="1"><c t="str"><v>姓名</v></c></row>' + row),
        "xl/externalLinks/externalLink1.xml": "<externalLink/>",
        "xl/externalLinks/_rels/externalLink1.xml.rels": rels,
    }
    assert [row.name for row in read_entries(package(linked), an_event()).rows] == ["张三"]
    part = {"xl/_rels/workbook.xml.rels": rels.replace("x/externalLink", "x/worksheet")}
    sheet = read_entries(package({**parts(GOOD), **part}), an_event())
    assert [fault.code for fault in sheet.faults] == ["no_rows"]


def test_ten_times_the_entries_are_about_ten_times_the_work():
    def work(count: int) -> int:
        rows = [["编号", "姓名", "单位"], *([n, f"选手{n}", f"单位{n % 90}"] for n in range(1, count + 1))]
        data = xlsx(rows)
        sheet = read_entries(data, an_event())
        assert (len(sheet.rows), sheet.faults) == (count, ())
        return work_of(lambda: read_entries(data, an_event()))

    assert work(5000) < 11 * work(500)


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_a_damaged_file_never_raises(data):
    """Any byte changed anywhere: faults are told, or the list is read, and nothing else happens."""
    good = bytearray(package(parts(GOOD), zipfile.ZIP_STORED))
    for _ in range(data.draw(st.integers(1, 6))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    sheet = read_entries(bytes(good), an_event())
    assert sheet.rows or sheet.faults


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_damaged_xml_never_raises(data):
    """The zip is whole, its parts are not: their bytes are changed at random."""
    changed = parts(GOOD, styles='<cellXfs><xf numFmtId="14"/></cellXfs>', shared="<si><t>a</t></si>")
    name = data.draw(st.sampled_from(sorted(changed)))
    content = bytearray(str(changed[name]).encode())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place : place + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=4))
    sheet = read_entries(package({**changed, name: bytes(content)}), an_event())
    assert sheet.rows or sheet.faults


def test_the_checksum_of_a_part_is_checked():
    data = package(parts(GOOD), zipfile.ZIP_STORED)
    changed = data.replace("张三".encode(), "张二".encode())
    assert zlib.crc32(data) != zlib.crc32(changed)
    assert [fault.code for fault in read_entries(changed, an_event()).faults] == ["damaged"]
