"""How our workbooks look, and what keeps their texts harmless."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from typing import Any

from django.utils.translation import get_language
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.properties import PageSetupProperties

#: What an XML 1.0 text cannot hold, and what has no business in a cell.
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
#: A text that begins so could be taken for a formula, here or in a file made of the sheet later.
_FORMULA_LIKE = ("=", "+", "-", "@", "\t", "\r")
_FORBIDDEN_IN_TITLE = re.compile(r"[\[\]:*?/\\]")
_A4 = 9
LONGEST_TITLE = 31
LONGEST_TEXT = 32_767
#: Names that Excel keeps for itself or does not take.
_TAKEN_TITLES = frozenset(("history", ""))
#: Per language a font that Excel and WPS have, and the character set by which a machine without it finds
#: another one for the same characters (134 simplified, 136 traditional Chinese).
_FONTS = {"zh-hant": ("微軟正黑體", 136)}
_USUAL_FONT = ("等线", 134)

FONT_SIZE = 11
#: Height in points of a line of a heading.
HEADING_LINE = 18
HEADING_FILL = PatternFill("solid", fgColor="E9E3D5")
HEADING_BORDER = Border(bottom=Side(style="thin", color="8A7F66"))
HEADING_ALIGNMENT = Alignment(horizontal="center", vertical="center", wrap_text=True)


def font(**more: Any) -> Font:
    """A font for Chinese and Latin letters in the language of the moment; ``more`` as openpyxl names it."""
    name, charset = _FONTS.get((get_language() or "").lower(), _USUAL_FONT)
    return Font(**{"name": name, "charset": charset, "family": 2, "sz": FONT_SIZE, **more})


def set_base_font(workbook: Any) -> None:
    """Makes that font the one of every cell that has none of its own."""
    base = font()
    # The first font of the table is the default, and openpyxl has no other way to name it.
    workbook._fonts[0] = base
    workbook._named_styles["Normal"].font = base


def clean(text: str) -> str:
    """The text without characters that a workbook cannot hold, cut to what a cell can."""
    return _FORBIDDEN.sub("", text)[:LONGEST_TEXT]


def sheet_title(text: str, used: Collection[str] = ()) -> str:
    """The text as the name of a sheet, other than those in use (Excel tells no case apart)."""
    title = (
        _FORBIDDEN_IN_TITLE.sub("·", " ".join(clean(text).split())).strip("' ")[:LONGEST_TITLE].strip("' ")
    )
    taken = {one.casefold() for one in used} | _TAKEN_TITLES
    found, number = title, 1
    while found.casefold() in taken:
        number += 1
        found = f"{title[: LONGEST_TITLE - 6].rstrip()} ({number})".strip()
    return found


def quoted(title: str) -> str:
    """A sheet's name as a formula writes it."""
    return "'" + title.replace("'", "''") + "'"


def text_width(text: str) -> int:
    """Width in characters; Chinese characters and full-width signs take two."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(char) in "WFA" else 1 for char in text)


def column_width(texts: Iterable[str], least: float = 5, most: float = 44) -> float:
    """A column's width that shows these texts, within bounds."""
    widest = max(map(text_width, texts), default=0)
    return min(max(widest + 2, least), most)


def lines_of(text: str, width: float) -> int:
    """How many lines a text takes in a column, broken between words or Chinese characters."""
    room = max(int(width) - 2, 1)
    lines, filled = 1, 0
    for word in text.split():
        size = text_width(word)
        if filled and filled + 1 + size > room:
            lines, filled = lines + 1, 0
        # A word wider than the column is broken itself.
        lines += max(-(-(filled + size) // room) - 1, 0) if size > room else 0
        filled = size % room if size > room else filled + size + (filled > 0)
    return lines


def is_formula_like(text: str) -> bool:
    """Whether a program could take the text for a formula: it is then marked as text for good."""
    return text.startswith(_FORMULA_LIKE)


def set_up_page(
    sheet: Any, *, title: str, landscape: bool = True, pages_wide: int = 1, repeated_columns: int = 0
) -> None:
    """For A4: so many pages wide, headings on every page, title above and page numbers below."""
    sheet.page_setup.orientation = "landscape" if landscape else "portrait"
    sheet.page_setup.paperSize = _A4
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = pages_wide, 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.page_margins.left = sheet.page_margins.right = 0.4
    # Room for the title and the page number between the edge and the table.
    sheet.page_margins.header = sheet.page_margins.footer = 0.35
    sheet.page_margins.top = sheet.page_margins.bottom = 0.75
    sheet.print_options.gridLines = True
    sheet.print_options.horizontalCentered = True
    # & begins a code in a header: && prints one.
    sheet.oddHeader.center.text = clean(title).replace("&", "&&")[:200]
    sheet.oddFooter.center.text = "&P / &N"
    sheet.print_title_rows = "1:1"
    if pages_wide > 1 and repeated_columns:
        sheet.print_title_cols = f"A:{get_column_letter(repeated_columns)}"
