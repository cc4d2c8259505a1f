"""Published matters as plain rows, for files that programs and spreadsheets read: nothing but publications.

Keys never change and are English; titles are for people and follow the language. Points are whole numbers, or
text such as "-880/3" where a ruleset gives fractions, as in the publications themselves.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.models import Publication
from tournament.queries.public_matches import seats_of_deal
from tournament.queries.public_tables import counts, entry_info, named_table
from tournament.queries.published import Published

What = Publication.What
Row = dict[str, Any]


@dataclass(frozen=True)
class DataTable:
    """Rows with their keys in order, each key's title, and what is told of the whole."""

    what: str
    titles: Mapping[str, Promise | str]
    rows: list[Row]
    facts: Row = field(default_factory=dict)


_ENTRY = {"entry": _("no."), "name": _("name"), "club": _("club")}


def standings_data(published: Published, after: int | None = None) -> DataTable | None:
    """The standings after a round (None: the newest), a row for each entry; where there are groups also each
    one's place in its group, of the last stage that has them.
    """
    number = published.latest_standings if after is None else after
    payload = published.payload(What.STANDINGS, number) if number is not None else None
    if number is None or payload is None:
        return None
    rounds = payload["rounds"]
    in_group = {
        row["entry"]: {"group": group["group"], "group_rank": row["rank"]}
        for group in payload.get("groups", ())
        for row in group["rows"]
    }
    outside = {"group": None, "group_rank": None} if in_group else {}
    rows = [
        {
            "rank": row["rank"],
            **in_group.get(row["entry"], outside),
            **_named(payload["entries"], row["entry"]),
            "players": entry_info(payload["entries"], row["entry"])["players"],
            **{f"round_{place}": cell["value"] for place, cell in zip(rounds, row["cells"], strict=True)},
            "at_entry": row["start"],
            "penalties": row["penalties"],
            "total": row["total"],
            "withdrawn": row["withdrawn"],
        }
        for row in payload["rows"]
    ]
    titles = {
        "rank": _("rank"),
        **({"group": _("group"), "group_rank": _("rank in the group")} if in_group else {}),
        **_ENTRY,
        "players": _("players"),
        **{f"round_{place}": str(place) for place in rounds},
        "at_entry": _("at entry"),
        "penalties": _("penalties"),
        "total": _("total"),
        "withdrawn": _("withdrawn"),
    }
    facts = {"after_round": number, "complete": payload["complete"]}
    return DataTable("standings", titles, rows, facts | _version(published, What.STANDINGS, number))


def entries_data(published: Published) -> DataTable | None:
    """Everybody named in anything published."""
    if not published.entries:
        return None
    rows = [
        {"entry": number, "name": one["name"], "club": one["club"], "players": one["players"]}
        for number, one in published.entries.items()
    ]
    return DataTable("entries", {**_ENTRY, "players": _("players")}, rows)


def pairings_data(published: Published, number: int) -> DataTable | None:
    """Who sits where in a round, a row for each seat; who sits out has no table."""
    payload = published.payload(What.DRAW, number)
    if payload is None:
        return None
    rows = [
        {
            "table": table["number"],
            "match": table["match"],
            "segment": seat["segment"],
            "seat": seat["direction"],
            **_named(payload["entries"], seat["entry"]),
            "player": seat["player"],
        }
        for table in payload["tables"]
        for seat in table["seats"]
    ]
    nobody = dict.fromkeys(("table", "match", "segment", "seat"))
    rows += [
        {**nobody, **_named(payload["entries"], one["entry"]), "player": None} for one in payload["byes"]
    ]
    titles = {
        "table": _("table"),
        "match": _("match"),
        "segment": _("segment"),
        "seat": _("seat"),
        **_ENTRY,
        "player": _("player"),
    }
    return DataTable("pairings", titles, rows, {"round": number} | _version(published, What.DRAW, number))


def results_data(published: Published, number: int) -> DataTable | None:
    """What each entry has from a round: at its tables, for sitting out, and by penalties."""
    payload = published.payload(What.RESULTS, number)
    if payload is None:
        return None
    entries = payload["entries"]
    rows = [
        _result(
            "table",
            _named(entries, line["entry"]),
            table=table["number"],
            match=table["match"],
            points=line["points"],
            value=line["value"],
            deals=line["deals"],
            complete=line["complete"],
        )
        for table in payload["tables"]
        for line in table["lines"]
    ]
    rows += [
        _result("bye", _named(entries, one["entry"]), value=one["points"], complete=True)
        for one in payload["byes"]
    ]
    rows += [
        _result("penalty", _named(entries, one["entry"]), value=one["points"], note=one["rule"])
        for one in payload["penalties"]
        if not one["cancelled"]
    ]
    terms = published.terms(number)
    titles = {
        "kind": _("kind"),
        "table": _("table"),
        "match": _("match"),
        **_ENTRY,
        "points": _("points"),
        "value": terms.measure_name,
        "deals": _("deals"),
        "complete": _("finished"),
        "note": _("note"),
    }
    facts = {"round": number, "measure": terms.measure, "complete": payload["complete"]}
    return DataTable("results", titles, rows, facts | _version(published, What.RESULTS, number))


def deals_data(published: Published, number: int) -> DataTable | None:
    """The checked deals of a round, a row for each seat: what it took, showed and scored, and how."""
    payload = published.payload(What.RESULTS, number)
    if payload is None:
        return None
    rows = [
        row
        for table in payload["tables"]
        for deal in table["deals"]
        if deal["played"]
        for row in _deal_rows(named_table(table, payload["entries"]), deal)
    ]
    titles = {
        "table": _("table"),
        "match": _("match"),
        "deal": _("deal"),
        "order": _("played as number"),
        "segment": _("segment"),
        "seat": _("seat"),
        **_ENTRY,
        "player": _("player"),
        "captures": _("cards taken"),
        "exposed": _("cards shown"),
        "score": _("score"),
        "credited": _("credited"),
        "formula": _("formula"),
        "all_hearts": _("all hearts"),
        "grand_slam": _("grand slam"),
        "counts": _("counts"),
    }
    return DataTable("deals", titles, rows, {"round": number} | _version(published, What.RESULTS, number))


def _deal_rows(table: Row, deal: Row) -> Iterator[Row]:
    for seat in seats_of_deal(table, deal):
        direction, flags = seat["direction"], deal["flags"].get(seat["direction"], {})
        yield {
            "table": table["number"],
            "match": table["match"],
            "deal": deal["number"],
            "order": deal["order"],
            "segment": deal["segment"],
            "seat": direction,
            "entry": seat["entry"],
            "name": seat["info"]["name"],
            "club": seat["info"]["club"],
            "player": seat["player"],
            "captures": deal["captures"].get(direction, []),
            "exposed": [
                f"{one['card']}/{one['kind']}" for one in deal["exposed"] if one["seat"] == direction
            ],
            "score": deal["scores"][direction],
            "credited": deal["credited"][direction],
            "formula": deal["formula"].get(direction, ""),
            "all_hearts": bool(flags.get("all_hearts")),
            "grand_slam": bool(flags.get("grand_slam")),
            "counts": counts(deal),
        }


def _result(kind: str, named: Row, **figures: Any) -> Row:
    row = dict.fromkeys(("table", "match", "points", "value", "deals", "complete", "note"))
    return {"kind": kind, **named, **row, **figures}


def _named(entries: Row, number: int) -> Row:
    info = entry_info(entries, number)
    return {"entry": number, "name": info["name"], "club": info["club"]}


def _version(published: Published, what: str, number: int) -> Row:
    """Which version it is, and since when it has been public."""
    found = published.publication(what, number)
    if found is None:
        return {}
    return {"version": found.version, "published_at": found.published_at.isoformat(timespec="seconds")}
