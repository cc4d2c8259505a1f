"""The rows of the public standings, put together as text.

A table of 200 entries over 8 rounds has some 2,500 cells. Django's templates take about 0.1 ms for each; here
what all rows share is looked up once and a row is one formatted string. Every text from outside goes through
``escape``, which tests hold to what a template would make of it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from tournament.queries.bracket_names import reached_text
from tournament.templatetags.points import show_points, show_signed
from tournament.templatetags.standings import criterion_name, plain_lot, reached_beyond

register = template.Library()

Row = Mapping[str, Any]


@register.simple_tag(takes_context=True)
def standings_rows(context: template.Context) -> SafeString:
    """The <tr> elements for the context of tournament.queries.public_pages.standings_page."""
    columns = _Columns(context)
    return mark_safe("\n".join(columns.row(row) for row in context["rows"]))  # noqa: S308 - escaped below


class _Columns:
    """What all rows of one table share: which columns there are, their labels, the entries' addresses."""

    def __init__(self, context: template.Context) -> None:
        slugs = {"tournament": context["tournament"].slug, "event": context["event"].slug}
        #: An entry's address without its number and the slash behind it.
        self.entry_address = reverse("entry", kwargs={**slugs, "number": 0}).removesuffix("0/")
        self.labels = [escape(label) for label in context["labels"]]
        self.has_start, self.has_penalties = context["has_start"], context["has_penalties"]
        self.staged = context["staged"]
        self.main_criterion = next(iter(context["criteria"]), None)
        self.shared = f'<span class="visually-hidden"> {escape(_("shared"))}</span>'
        self.withdrawn = f' <span class="badge">{escape(_("withdrawn"))}</span>'
        self.appealed = {number for one in context.get("under_appeal", ()) for number in one.entries}
        self.under_appeal = f' <span class="badge badge--warn">{escape(_("under appeal"))}</span>'
        self.sat_out = f'<abbr title="{escape(_("sat out"))}">*</abbr>'
        self.walkover = f'<abbr title="{escape(_("walkover"))}">°</abbr>'
        self.annulled = f'<abbr title="{escape(_("annulled"))}">×</abbr>'
        self.unranked = f'<abbr title="{escape(_("disqualified"))}">–</abbr>'
        self.disqualified = f' <span class="badge badge--bad">{escape(_("disqualified"))}</span>'
        self.not_final = f'<abbr title="{escape(_("not final"))}">…</abbr>'
        self.at_entry, self.penalties = escape(_("at entry")), escape(_("penalties"))
        self.came_to, self.ahead_by = escape(_("came to")), escape(_("ahead of the next by"))

    def row(self, row: Row) -> str:
        """One entry."""
        return "".join(
            (
                f'<tr id="e{row["entry"]}" class="is-target">',
                f'<td class="num standings__rank">{self._rank(row)}</td>',
                self._who(row),
                *map(self._cell, self.labels, row["cells"]),
                self._small(self.at_entry, show_points(row["start"])) if self.has_start else "",
                self._penalties(row["penalties"]) if self.has_penalties else "",
                f'<td class="num total standings__total">{show_points(row["total"])}</td>',
                self._came_to(row) if self.staged else "",
                self._ahead(row["ahead"]),
                "</tr>",
            )
        )

    def _rank(self, row: Row) -> str:
        if row["rank"] is None:
            return self.unranked
        return f"{row['rank']}{self.shared if row['shared'] else ''}"

    def _status(self, row: Row) -> str:
        if row["rank"] is None:
            return self.disqualified
        return self.withdrawn if row["withdrawn"] else ""

    def _who(self, row: Row) -> str:
        info = row["info"]
        return (
            f'<th scope="row" class="standings__who">'
            f'<a class="name" href="{self.entry_address}{row["entry"]}/">{escape(info["name"])}</a>'
            f' <span class="club">{escape(info["club"])}</span>'
            f"{self._status(row)}"
            f"{self.under_appeal if row['entry'] in self.appealed else ''}{_members(row['members'])}</th>"
        )

    def _cell(self, label: str, cell: Mapping[str, Any]) -> str:
        mark = ""
        if cell.get("annulled"):
            return self._small(label, self.annulled)
        if cell["bye"]:
            mark = self.sat_out
        elif cell.get("walkover"):
            mark = self.walkover
        elif cell["value"] is not None and not cell["complete"]:
            mark = self.not_final
        return self._small(label, f"{show_points(cell['value'])}{mark}")

    def _penalties(self, points: int | str | None) -> str:
        return self._small(self.penalties, show_signed(points) if points else "")

    def _small(self, label: str, content: str) -> str:
        return f'<td class="num standings__cell" data-label="{label}">{content}</td>'

    def _came_to(self, row: Row) -> str:
        counted = ""
        if row["score"] != row["total"] and not row["reached"]["fate"]:
            counted = f' <small class="muted">({show_points(row["score"])})</small>'
        text = escape(reached_text(row["reached"]))
        return (
            f'<td class="standings__cell standings__reached" data-label="{self.came_to}">{text}{counted}</td>'
        )

    def _ahead(self, ahead: Row | None) -> str:
        main = ahead and ahead.get("criterion") and ahead["criterion"] == self.main_criterion
        return (
            f'<td class="standings__cell standings__ahead{" standings__ahead--main" if main else ""}"'
            f' data-label="{self.ahead_by}">{_ahead_text(ahead) if ahead else ""}</td>'
        )


def _members(names: Iterable[str]) -> str:
    shown = "".join(f'<span class="name">{escape(name)}</span> ' for name in names)
    return f'<span class="standings__members">{shown}</span>' if shown else ""


def _ahead_text(ahead: Row) -> str:
    criterion = ahead.get("criterion")
    if criterion:
        what = escape(criterion_name(criterion))
        own, other = (show_points(plain_lot(ahead[key], criterion)) for key in ("value", "next"))
        return f'{what} <span class="ahead__values">{own} › {other}</span>'
    own = escape(reached_beyond(ahead["reached"], ahead["next_reached"]))
    other = escape(reached_beyond(ahead["next_reached"], ahead["reached"]))
    return f'{own} <span class="ahead__values">› {other}</span>'
