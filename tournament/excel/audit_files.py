"""The audit trail as a file: CSV and a workbook for people, JSON for programs."""

import csv
import io
import json
from collections.abc import Iterable
from datetime import UTC
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournament.excel.book import Book, Column
from tournament.excel.style import is_formula_like
from tournament.forms.audit import ACTIONS
from tournament.forms.audit_words import AuditWords
from tournament.models import AuditRow

_TIME = "%Y-%m-%d %H:%M:%S"


def audit_csv(rows: Iterable[AuditRow], tz: ZoneInfo) -> bytes:
    """Comma-separated, with the mark by which Excel knows UTF-8; no cell is taken for a formula."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(_headings())
    words = AuditWords(tz)
    for row in rows:
        cells = _cells(row, tz, words)
        writer.writerow([f"'{cell}" if is_formula_like(cell) else cell for cell in cells])
    return text.getvalue().encode("utf-8-sig")


def audit_workbook(rows: Iterable[AuditRow], tz: ZoneInfo, title: str) -> bytes:
    """An .xlsx file, newest change first."""
    book = Book(title)
    sheet = book.add_sheet(_("Changes"))
    words = AuditWords(tz)
    sheet.write([Column(heading) for heading in _headings()], [_cells(row, tz, words) for row in rows])
    return book.to_bytes()


def audit_json(rows: Iterable[AuditRow]) -> bytes:
    """A list of objects, with place and seal in the chain; times in UTC."""
    return json.dumps([_facts(row) for row in rows], ensure_ascii=False, indent=1).encode()


def _headings() -> list[str]:
    return [
        _("No."),
        _("When"),
        pgettext("audit", "Event"),
        _("What"),
        _("Subject"),
        _("Who"),
        _("From where"),
        _("Reason"),
        _("Before"),
        _("After"),
        _("Seal"),
    ]


def _cells(row: AuditRow, tz: ZoneInfo, words: AuditWords) -> list[str]:
    changes = words.changes(row)
    return [
        "" if row.place is None else str(row.place),
        row.at.astimezone(tz).strftime(_TIME),
        row.event.name if row.event else "",
        str(ACTIONS.get(row.action, row.action)),
        words.about(row) or row.subject,
        row.actor_name or _("the system"),
        row.address or "",
        row.reason,
        _side(changes, 1),
        _side(changes, 2),
        row.seal,
    ]


def _side(changes: Iterable[tuple[str, str, str]], side: int) -> str:
    """What the changed fields were (1) or are (2), a line each."""
    lines = [
        f"{change[0]}{pgettext('punctuation', ': ')}{change[side]}" for change in changes if change[side]
    ]
    return "\n".join(lines)


def _facts(row: AuditRow) -> dict[str, Any]:
    return {
        "place": row.place,
        "at": row.at.astimezone(UTC).isoformat(),
        "event": row.event.slug if row.event else None,
        "action": row.action,
        "subject": row.subject,
        "actor": row.actor_name,
        "address": row.address,
        "before": row.before,
        "after": row.after,
        "reason": row.reason,
        "seal": row.seal,
    }
