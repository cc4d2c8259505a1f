"""Workbooks for tests: as openpyxl writes them, and put together part by part as other programs do."""

import io
import zipfile
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from openpyxl import Workbook

from tournament.models import Event, Tournament

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def an_event(kind: str = Event.Kind.INDIVIDUAL) -> Event:
    """An event that is stored nowhere."""
    return Event(tournament=Tournament(name="华牌杯", slug="cup"), name="公开赛", kind=kind)


def xlsx(rows: Iterable[Iterable[Any]], change: Callable[[Any], None] | None = None) -> bytes:
    """A workbook with these rows; ``change`` may do more to the sheet."""
    workbook = Workbook()
    sheet = workbook.active
    for row in rows:
        sheet.append(list(row))
    if change:
        change(sheet)
    stream = io.BytesIO()
    workbook.save(stream)
    return stream.getvalue()


def package(parts: Mapping[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of these parts."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return stream.getvalue()


def parts(
    sheet_data: str,
    *,
    shared: str = "",
    styles: str = "",
    after: str = "",
    namespace: str = MAIN,
    macros: bool = False,
) -> dict[str, str | bytes]:
    """The parts of a small workbook, with the rows and shared texts as XML."""
    kind = "application/vnd.ms-excel.sheet.macroEnabled" if macros else f"{_SHEET_TYPE}.sheet"
    return {
        "[Content_Types].xml": (
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.main+xml"/></Types>'
        ),
        "xl/workbook.xml": (
            f'<workbook xmlns="{namespace}" xmlns:r="{_OFFICE}"><sheets>'
            '<sheet name="名单" sheetId="1" r:id="rId1"/></sheets></workbook>'
        ),
        "xl/_rels/workbook.xml.rels": (
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
            f'<Relationship Id="rId2" Type="{_OFFICE}/sharedStrings" Target="/xl/sharedStrings.xml"/>'
            f'<Relationship Id="rId3" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>'
        ),
        "xl/worksheets/sheet1.xml": (
            f'<worksheet xmlns="{namespace}"><sheetData>{sheet_data}</sheetData>{after}</worksheet>'
        ),
        "xl/sharedStrings.xml": f'<sst xmlns="{namespace}">{shared}</sst>',
        "xl/styles.xml": f'<styleSheet xmlns="{namespace}">{styles}</styleSheet>',
    }
