"""Published rows as text: JSON for programs, CSV for spreadsheets.

CSV begins with a byte order mark, by which Excel knows that it is UTF-8 and shows Chinese; its cells can do
nothing: a name beginning like a formula is told apart by an apostrophe.
"""

import csv
import json
from collections.abc import Mapping
from fractions import Fraction
from io import StringIO
from typing import Any

from tournament.models import Event
from tournament.queries.public_data import DataTable

JSON_TYPE = "application/json"
CSV_TYPE = "text/csv; charset=utf-8"

#: What makes a spreadsheet take a text for a formula or a command, wherever a cell begins with it.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
#: Places after the point for thirds and the like, which a spreadsheet would take for a date.
_PLACES = 4


def as_json(event: Event, table: DataTable, path: str) -> str:
    """The rows with what is told of them; keys as in tournament.queries.public_data."""
    answer = {
        "tournament": event.tournament.name,
        "event": event.name,
        "kind": event.kind,
        "measure": event.measure,
        "what": table.what,
        "address": path,
        **table.facts,
        "rows": [{key: row[key] for key in table.titles} for row in table.rows],
    }
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")) + "\n"


def as_csv(event: Event, table: DataTable, path: str) -> str:
    """The rows under their titles in the reader's language."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow([plain(str(title)) for title in table.titles.values()])
    writer.writerows([_cell(row, key) for key in table.titles] for row in table.rows)
    return f"\ufeff{text.getvalue()}"


def plain(text: str) -> str:
    """The text so that a spreadsheet shows it and does nothing else.

    >>> plain("=1+1"), plain("王小明")
    ("'=1+1", '王小明')
    """
    return f"'{text}" if text.startswith(_FORMULA) else text


#: Keys whose values are points: "-880/3" is a figure there, and would be a text elsewhere.
_POINTS = frozenset({"points", "value", "total", "penalties", "at_entry", "score", "credited"})


def _cell(row: Mapping[str, Any], key: str) -> str | int | float:
    value = row[key]
    if value is None:
        return ""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, list):
        return plain(" ".join(map(str, value)))
    if isinstance(value, str) and (key in _POINTS or key.startswith("round_")):
        return round(float(Fraction(value)), _PLACES)
    return plain(value) if isinstance(value, str) else value
