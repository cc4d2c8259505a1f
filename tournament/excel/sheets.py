"""The sheets of a workbook as plain cells. Knows the file format, nothing of entries or tournaments.

Reads what Excel, WPS, LibreOffice and the usual libraries write: shared and inline texts, rich text,
formulas with their stored value, “strict” workbooks, cells without an address.
"""

import posixpath
import re
from dataclasses import dataclass, field
from typing import IO, NamedTuple

from tournament.excel.package import Package, PartHandler, UnreadableFileError, local

#: Elements of one part, cells of one sheet, and rows with something in them that a list may have.
MOST_ELEMENTS = 400_000
MOST_CELLS = 100_000
MOST_ROWS = 10_000
#: Elements within each other.
DEEPEST = 100
#: Columns beyond are not looked at.
MOST_COLUMNS = 100
#: Characters of one cell, as spreadsheet programs limit them, and of all cells read together: a text that is
#: stored once may stand in a hundred thousand cells, and each is tidied for itself.
LONGEST_TEXT = 32_767
MOST_CHARACTERS = 2_000_000
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_QUOTED = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
_WORKBOOK_TYPES = ("sheet.main+xml", "template.main+xml")


class Cell(NamedTuple):
    """A cell with something in it.

    Kind: text, number, bool, error, date, or no_value (a formula that nobody has computed).
    """

    kind: str
    text: str


@dataclass
class Sheet:
    """One sheet: rows by number (from 1), cells by column (from 1); only cells with something in them."""

    name: str
    rows: dict[int, dict[int, Cell]] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    #: First row, first column, last row, last column.
    merges: list[tuple[int, int, int, int]] = field(default_factory=list)


def column_letter(column: int) -> str:
    """1 as A, 27 as AA."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def address(row: int, column: int) -> str:
    """The cell's name, e.g. B7."""
    return f"{column_letter(column)}{row}"


def _place(reference: str) -> tuple[int, int]:
    """Row and column of an address. Raises ValueError for anything else."""
    match = re.fullmatch(r"\$?([A-Za-z]{1,3})\$?([1-9][0-9]{0,6})", reference)
    if not match:
        raise ValueError(reference)
    column = 0
    for letter in match[1].upper():
        column = column * 26 + ord(letter) - 64
    return int(match[2]), column


def _unescape(text: str) -> str:
    """Texts of a workbook write control characters as _x0007_."""
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def _number(text: str) -> str:
    """A number as people would write it: 12 for 12.0."""
    value = float(text)
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


class _Characters:
    """Counts the characters of the cells that are read."""

    def __init__(self) -> None:
        self._left = MOST_CHARACTERS

    def count(self, text: str) -> str:
        """The text itself. Raises UnreadableFileError where it is too long, or with it all cells together."""
        if len(text) > LONGEST_TEXT:
            raise UnreadableFileError("text_too_long", limit=LONGEST_TEXT)
        self._left -= len(text)
        if self._left < 0:
            raise UnreadableFileError("too_many_cells")
        return text


class WorkbookReader:
    """A workbook opened for reading. Raises UnreadableFileError for what is no harmless workbook."""

    def __init__(self, file: IO[bytes] | bytes) -> None:
        self._package = Package(file)
        self._folder, part = self._workbook_part()
        index = _WorkbookIndex()
        self._package.parse(part, index)
        targets = self._relations(part)
        parts: dict[str, str] = {}
        for name, relation, hidden in index.sheets:
            if relation in targets and not hidden:
                parts.setdefault(targets[relation], name)  # a part that is named again is no other sheet
        self._sheets = [(name, part) for part, name in parts.items()]
        self._characters = _Characters()
        self._shared: list[str] | None = None
        self._targets = targets

    def _workbook_part(self) -> tuple[str, str]:
        types = _ContentTypes()
        self._package.parse("[Content_Types].xml", types)
        if any("macroenabled" in kind.lower() for kind in types.parts.values()):
            raise UnreadableFileError("macros")
        for name, kind in types.parts.items():
            if kind.endswith(_WORKBOOK_TYPES) and name in self._package:
                return posixpath.dirname(name), name
        raise UnreadableFileError("not_a_workbook")

    def _relations(self, part: str) -> dict[str, str]:
        """Targets by relation id, and by kind of relation (styles, sharedStrings)."""
        folder, name = posixpath.split(part)
        relations = _Relations(folder)
        self._package.parse(f"{folder}/_rels/{name}.rels".lstrip("/"), relations)
        return relations.targets

    def sheets(self) -> list[str]:
        """Names of the visible sheets, in order."""
        return [name for name, _part in self._sheets]

    def sheet(self, index: int) -> Sheet:
        """The visible sheet at that place.

        Raises UnreadableFileError if it has more rows or cells than are accepted.
        """
        name, part = self._sheets[index]
        if self._shared is None:
            self._shared, self._date_styles = self._read_shared(), self._read_styles()
        handler = _SheetCells(Sheet(name), self._shared, self._date_styles, self._characters)
        self._package.parse(part, handler)
        return handler.sheet

    def _read_shared(self) -> list[str]:
        part = self._targets.get("sharedStrings")
        if part is None or part not in self._package:
            return []
        handler = _SharedTexts()
        self._package.parse(part, handler)
        return handler.texts

    def _read_styles(self) -> frozenset[int]:
        part = self._targets.get("styles")
        if part is None or part not in self._package:
            return frozenset()
        handler = _DateStyles()
        self._package.parse(part, handler)
        return handler.date_styles()


class _Counted(PartHandler):
    """Stops at more elements than any list of entries has, and at deeper ones than any workbook has: the
    parser remembers each that is open.
    """

    def __init__(self) -> None:
        self._elements = self._depth = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._elements += 1
        self._depth += 1
        if self._elements > MOST_ELEMENTS:
            raise UnreadableFileError("too_many_cells")
        if self._depth > DEEPEST:
            raise UnreadableFileError("damaged")
        self.begin(local(tag), attributes)

    def end(self, tag: str) -> None:
        self._depth -= 1
        self.finish(local(tag))

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins; the name is without its namespace."""

    def finish(self, name: str) -> None:
        """An element ends."""


class _ContentTypes(_Counted):
    def __init__(self) -> None:
        super().__init__()
        self.parts: dict[str, str] = {}

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if name == "Override":
            self.parts[attributes.get("PartName", "").lstrip("/")] = attributes.get("ContentType", "")


class _WorkbookIndex(_Counted):
    def __init__(self) -> None:
        super().__init__()
        self.sheets: list[tuple[str, str, bool]] = []

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if name == "sheet":
            relation = next(
                (value for key, value in attributes.items() if "}" in key and local(key) == "id"), ""
            )
            hidden = attributes.get("state", "visible") != "visible"
            self.sheets.append((attributes.get("name", ""), relation, hidden))


class _Relations(_Counted):
    def __init__(self, folder: str) -> None:
        super().__init__()
        self._folder = folder
        self.targets: dict[str, str] = {}

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if name != "Relationship" or attributes.get("TargetMode") == "External":
            return
        target = attributes.get("Target", "")
        path = target.lstrip("/") if target.startswith("/") else posixpath.join(self._folder, target)
        path = posixpath.normpath(path)
        self.targets[attributes.get("Id", "")] = path
        self.targets.setdefault(attributes.get("Type", "").rpartition("/")[2], path)


class _SharedTexts(_Counted):
    """Texts stored once for the whole workbook; the reading aids (rPh) of Japanese texts are left out."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._parts: list[str] = []
        self._in_text = self._in_aid = False

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if name == "si":
            self._parts = []
        elif name == "rPh":
            self._in_aid = True
        elif name == "t":
            self._in_text = not self._in_aid

    def finish(self, name: str) -> None:
        if name == "t":
            self._in_text = False
        elif name == "rPh":
            self._in_aid = False
        elif name == "si":
            self.texts.append(_unescape("".join(self._parts)))

    def text(self, data: str) -> None:
        if self._in_text:
            self._parts.append(data)


class _DateStyles(_Counted):
    """Which cell styles show a number as a date or time."""

    #: Number formats that are dates without being spelt out, those of Chinese Excel (27–36, 50–58) included.
    BUILT_IN = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})

    def __init__(self) -> None:
        super().__init__()
        self._formats: dict[int, str] = {}
        self._styles: list[int] = []
        self._in_styles = False

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if name == "numFmt":
            self._formats[int(attributes.get("numFmtId", "0"))] = attributes.get("formatCode", "")
        elif name == "cellXfs":
            self._in_styles = True
        elif name == "xf" and self._in_styles:
            self._styles.append(int(attributes.get("numFmtId", "0")))

    def finish(self, name: str) -> None:
        if name == "cellXfs":
            self._in_styles = False

    def date_styles(self) -> frozenset[int]:
        return frozenset(index for index, number in enumerate(self._styles) if self._is_date(number))

    def _is_date(self, number: int) -> bool:
        code = self._formats.get(number)
        if code is None:
            return number in self.BUILT_IN
        bare = _QUOTED.sub("", code).lower()
        return "general" not in bare and any(letter in bare for letter in "ymdhs年月日")


class _SheetCells(_Counted):
    """Collects the cells of one sheet."""

    def __init__(
        self, sheet: Sheet, shared: list[str], date_styles: frozenset[int], characters: _Characters
    ) -> None:
        super().__init__()
        self._characters = characters
        self.sheet = sheet
        self._shared = shared
        self._date_styles = date_styles
        self._row = self._column = self._cells = 0
        self._kind = self._style = ""
        self._collecting = self._formula = self._in_aid = False
        self._parts: list[str] = []

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if name == "c":
            self._begin_cell(attributes)
        elif name in {"v", "t"}:
            self._collecting = not self._in_aid
        elif name == "f":
            self._formula = True
        elif name == "row":
            self._row = int(attributes.get("r") or self._row + 1)
            self._column = 0
            if attributes.get("hidden") in {"1", "true"}:
                self.sheet.hidden_rows.add(self._row)
        elif name == "rPh":
            self._in_aid = True
        elif name == "mergeCell":
            if len(self.sheet.merges) >= MOST_ROWS:
                raise UnreadableFileError("too_many_cells")
            first, _colon, last = attributes.get("ref", "").partition(":")
            self.sheet.merges.append((*_place(first), *_place(last or first)))
        elif name == "col" and attributes.get("hidden") in {"1", "true"}:
            lowest, highest = int(attributes.get("min", "1")), int(attributes.get("max", "1"))
            self.sheet.hidden_columns.update(range(lowest, min(highest, MOST_COLUMNS) + 1))

    def _begin_cell(self, attributes: dict[str, str]) -> None:
        self._cells += 1
        if self._cells > MOST_CELLS:
            raise UnreadableFileError("too_many_cells")
        reference = attributes.get("r")
        if reference:
            self._row, self._column = _place(reference)
        else:
            self._column += 1
        self._kind = attributes.get("t", "n")
        self._style = attributes.get("s", "0")
        self._parts = []
        self._formula = False

    def text(self, data: str) -> None:
        if self._collecting:
            self._parts.append(data)

    def finish(self, name: str) -> None:
        if name in {"v", "t"}:
            self._collecting = False
        elif name == "rPh":
            self._in_aid = False
        elif name == "c":
            self._end_cell()

    def _end_cell(self) -> None:
        text = "".join(self._parts)
        if self._column > MOST_COLUMNS or not (text or self._formula):
            return
        row = self.sheet.rows.setdefault(self._row, {})
        if len(self.sheet.rows) > MOST_ROWS:
            raise UnreadableFileError("too_many_rows", limit=MOST_ROWS)
        cell = self._cell(self._characters.count(text) if self._kind != "s" else text[:20])
        row[self._column] = cell
        if self._kind == "s":
            self._characters.count(cell.text)

    def _cell(self, text: str) -> Cell:
        if self._kind in {"inlineStr", "str"}:
            # A formula whose result is an empty text has been computed; one without any value has not.
            return Cell("text", _unescape(text))
        if not text:
            return Cell("no_value", "")
        if self._kind == "s":
            index = int(text)
            if not 0 <= index < len(self._shared):
                raise ValueError(text)
            return Cell("text", self._shared[index])
        if self._kind == "b":
            return Cell("bool", "TRUE" if text == "1" else "FALSE")
        if self._kind == "e":
            return Cell("error", text)
        if self._kind == "d" or int(self._style) in self._date_styles:
            return Cell("date", text)
        return Cell("number", _number(text))
