"""What a shared link says of a page before anybody opens it: its title, and its news in a sentence."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from tournament.points import show_points
from tournament.queries.bracket_names import reached_text
from tournament.queries.payloads import points_of

Context = Mapping[str, Any]

#: So many of the standings are named.
_NAMED = 3


@dataclass(frozen=True)
class PageHead:
    """``title`` without the event's name, empty for the event's own page; ``description`` may be empty."""

    title: str
    description: str = ""


def page_head(name: str, context: Context) -> PageHead:
    """The head of a page by the name of its address, from what the page shows."""
    maker = _HEADS.get(name)
    return maker(context) if maker else PageHead("")


def _points(value: Any) -> str:
    return show_points(points_of(value))


def _result(row: Context, *, staged: bool) -> str:
    """What the rank goes by: how far an entry came where stages decide, else its total."""
    return reached_text(row["reached"]) if staged else _points(row["total"])


def _leaders(standings: Context) -> str:
    ranked = [row for row in standings["rows"] if row["rank"] is not None]
    return " · ".join(
        f"{row['rank']} {row['info']['name']} {_result(row, staged=standings['staged'])}"
        for row in ranked[:_NAMED]
    )


def _event(context: Context) -> PageHead:
    top = context["top"]
    return PageHead("", _leaders(top) if top else str(context["plan"]))


def _standings(context: Context) -> PageHead:
    if context["after"] is None:
        return PageHead(_("Standings"))
    title = _("Standings after round %(number)s") % {"number": context["after"]}
    return PageHead(title, _leaders(context))


def _round(context: Context) -> PageHead:
    what = _("results") if context["results"] else _("pairings")
    count = len(context["tables"])
    title = _("Round %(number)s") % {"number": context["number"]}
    return PageHead(f"{title} · {what}", ngettext("%(n)s table", "%(n)s tables", count) % {"n": count})


def _table(context: Context) -> PageHead:
    title = _("Round %(number)s, table %(table_number)s") % {
        "number": context["number"],
        "table_number": context["table"]["number"],
    }
    return PageHead(title, " · ".join(line["info"]["name"] for line in context["table"]["lines"]))


def _match(context: Context) -> PageHead:
    sides = context["sides"]
    title = " – ".join(side["info"]["name"] for side in sides)
    round_name = _("Round %(number)s") % {"number": context["number"]}
    if any(side["value"] is None for side in sides):
        return PageHead(title, round_name)
    return PageHead(title, f"{round_name} · {' : '.join(_points(side['value']) for side in sides)}")


def _entry(context: Context) -> PageHead:
    row = context["row"]
    if row is None:
        return PageHead(context["info"]["name"], context["info"]["club"])
    rank = _("disqualified")
    if row["rank"] is not None:
        rank = _("rank %(rank)s of %(count)s") % {"rank": row["rank"], "count": context["row_count"]}
    return PageHead(context["info"]["name"], f"{rank} · {_result(row, staged=context['staged'])}")


def _bracket(context: Context) -> PageHead:
    champion = context["champion"]
    name = champion["info"]["name"] if champion else ""
    return PageHead(_("Bracket"), _("Winner: %(name)s") % {"name": name} if champion else "")


def _changes(context: Context) -> PageHead:
    what, number = context["matter"].label, context["number"]
    newest = context["steps"][0]["publication"].note if context["steps"] else ""
    return PageHead(_("Changes: %(what)s, round %(number)s") % {"what": what, "number": number}, newest)


def _paper(title: str) -> Callable[[Context], PageHead]:
    def head(context: Context) -> PageHead:
        number = context.get("number", context.get("after"))
        return PageHead(f"{_(title)} · {_('Round %(number)s') % {'number': number}}")

    return head


_HEADS: Mapping[str, Callable[[Context], PageHead]] = {
    "event": _event,
    "standings": _standings,
    "standings_after": _standings,
    "round": _round,
    "table": _table,
    "match": _match,
    "entry": _entry,
    "bracket": _bracket,
    **{name: lambda _context: PageHead(_("Who met whom")) for name in ("cross", "cross_more")},
    **{name: lambda _context: PageHead(_("Statistics")) for name in ("statistics", "statistics_by")},
    "changes": _changes,
    "seats_print": _paper(gettext_noop("Seats by name")),
    "wall_print": _paper(gettext_noop("Wall chart")),
    "sheets_print": _paper(gettext_noop("Score sheets")),
    "certificates": _paper(gettext_noop("Certificates")),
}
