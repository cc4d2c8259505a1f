"""Lists of every kind that LibreOffice has saved are read as well as those of the templates."""

import io
import shutil
import subprocess
from pathlib import Path

import pytest
from openpyxl import load_workbook

from tests.tournament.excel.files import an_event, xlsx
from tests.tournament.excel.test_real_files import KINDS
from tournament.excel.reading import read_entries
from tournament.excel.template import entry_template


def saved_by_libreoffice(folder: Path, name: str, data: bytes) -> bytes:
    program = shutil.which("soffice") or shutil.which("libreoffice")
    assert program, "LibreOffice Calc is needed for these tests"
    source = folder / name
    source.write_bytes(data)
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    # 76: UTF-8, for a text file; other kinds ignore it.
    options = ["--infilter=CSV:44,34,76"] if name.endswith(".csv") else []
    command = [program, profile, "--headless", "--norestore", *options, "--convert-to", "xlsx"]
    target = folder / "out"
    subprocess.run(
        [*command, "--outdir", str(target), str(source)], check=True, timeout=120, capture_output=True
    )
    return (target / "list.xlsx").read_bytes()


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_a_template_saved_by_libreoffice_is_read(language, tmp_path):
    event = an_event("pairs")
    workbook = load_workbook(io.BytesIO(entry_template(event, language)))
    workbook.worksheets[0].append([1, "张三", '=CONCATENATE("李","四")', "甲队", 2])
    workbook.worksheets[0]["C2"].number_format = "General"
    workbook.worksheets[0].append(["２", "王五", "赵六", "乙队"])
    stream = io.BytesIO()
    workbook.save(stream)
    read = read_entries(saved_by_libreoffice(tmp_path, "list.xlsx", stream.getvalue()), event)
    assert not read.faults
    assert [(row.number, row.players, row.club, row.seeding) for row in read.rows] == [
        (1, ("张三", "李四"), "甲队", 2),
        (2, ("王五", "赵六"), "乙队", None),
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_list_of_any_kind_is_read_with_its_title_and_hidden_rows(kind, tmp_path):
    found = KINDS[kind]

    def change(sheet):
        sheet.merge_cells("A1:E1")
        sheet.row_dimensions[4].hidden = True

    data = xlsx([["第八届华牌杯"], found.headings, found.line(1), found.line(2)], change)
    sheet = found.read(saved_by_libreoffice(tmp_path, "list.xlsx", data))
    assert (sheet.faults, found.result(sheet)) == ((), [found.expected(1), found.expected(2)])
    assert [note.params for note in sheet.notes if note.code == "hidden_rows"] == [{"rows": "4"}]


def test_a_text_file_made_a_workbook_is_read(tmp_path):
    """LibreOffice takes some of its texts for formulas and dates: these are told, not stored as numbers."""
    text = "第八届选手名单,,\n编号,姓名,单位\n1,张　三,甲队\n2,=1/0,乙队\n3,2026-03-02,丙队\n".encode()
    read = read_entries(saved_by_libreoffice(tmp_path, "list.csv", text), an_event())
    assert [(row.number, row.name) for row in read.rows] == [(1, "张三")]
    assert [(fault.cell, fault.code) for fault in read.faults] == [("B4", "cell_error"), ("B5", "date")]
