"""Workbooks for tests: as openpyxl writes them, and put together part by part as other programs do."""

import io
import struct
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


def with_names(parts: Mapping[str, str | bytes], count: int) -> bytes:
    """A zip of these parts, whose directory names so many more, which are not there."""
    data = package(parts)
    end = data.rfind(b"PK\x05\x06")
    (start,) = struct.unpack_from("<I", data, end + 16)
    entry = struct.pack("<4s4B4HL2L5H2L", b"PK\x01\x02", 20, 0, 20, *[0] * 8, 5, *[0] * 6)
    names = b"".join(entry + b"%05x" % number for number in range(count))
    rows, size = count + len(parts), end - start + len(names)
    zip64 = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, rows, rows, size, start)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, start + size, 1)
    close = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return data[:end] + names + zip64 + locator + close


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
