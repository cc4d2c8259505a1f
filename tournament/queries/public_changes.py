"""What changed between one published version of a matter and the next, in names and figures.

Only versions since the matter was last taken off the pages are compared: what was taken off stays off.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from tournament.models import Publication
from tournament.queries.bracket_names import stage_title
from tournament.queries.public_tables import entry_info
from tournament.queries.published import Published

What = Publication.What
Payload = Mapping[str, Any]
Change = dict[str, Any]


def changes_page(published: Published, number: int, matter: str) -> dict[str, Any] | None:
    """Every version of a round's draw, results or standings, the newest first, with what it changed."""
    if matter not in What or published.publication(matter, number) is None:
        return None
    versions: list[Publication] = []
    rows = Publication.objects.filter(event=published.event, round__number=number, what=matter)
    for row in rows.select_related("round").order_by("version"):
        versions = [] if row.withdrawn else [*versions, row]
    steps = [
        {
            "publication": row,
            "before": before,
            "changes": changes_between(before.payload, row.payload) if before else (),
        }
        for before, row in zip([None, *versions], versions, strict=False)
    ]
    return {
        "number": number,
        "matter": What(matter),
        "terms": published.terms(number),
        "steps": steps[::-1],
    }


def changes_between(old: Payload, new: Payload) -> list[Change]:
    """The differences of two payloads of one matter, each with its ``kind``: name, grouped, seat, points,
    deal, bye, penalty, rank or group, and what it was and is; a side that does not exist is None.
    """
    return [
        *_names(old, new),
        *_grouped(old, new),
        *_tables(old, new),
        *_byes(old, new),
        *_penalties(old, new),
        *_ranks(old, new),
        *_groups(old, new),
    ]


def _both(old: Iterable[tuple[Any, Any]], new: Iterable[tuple[Any, Any]]) -> Iterable[tuple[Any, Any, Any]]:
    """Key, value before and value after of everything that differs, in the order of the keys."""
    before, after = dict(old), dict(new)
    for key in sorted(before.keys() | after.keys()):
        if before.get(key) != after.get(key):
            yield key, before.get(key), after.get(key)


def _named(old: Payload, new: Payload, number: int) -> Change:
    entries = new["entries"] if str(number) in new["entries"] else old["entries"]
    return {"entry": number, "info": entry_info(entries, number)}


def _names(old: Payload, new: Payload) -> Iterable[Change]:
    pairs = ([(int(key), value) for key, value in one["entries"].items()] for one in (old, new))
    for number, before, after in _both(*pairs):
        if before and after:
            yield {"kind": "name", "before": before, "after": after, **_named(old, new, number)}


def _grouped(old: Payload, new: Payload) -> Iterable[Change]:
    """Who was put into another group of the round's stage."""
    pairs = (
        [
            (entry, place)
            for place, members in enumerate((one.get("stage") or {}).get("groups", ()), start=1)
            for entry in members
        ]
        for one in (old, new)
    )
    for number, before, after in _both(*pairs):
        yield {"kind": "grouped", "before": before, "after": after, **_named(old, new, number)}


def _tables(old: Payload, new: Payload) -> Iterable[Change]:
    pairs = ([(table["number"], table) for table in one.get("tables", ())] for one in (old, new))
    for number, before, after in _both(*pairs):
        around = _rows(after or before, "seats")
        seats = (
            [((seat["segment"], seat["direction"]), seat) for seat in _rows(one, "seats")]
            for one in (before, after)
        )
        for (segment, direction), was, now in _both(*seats):
            yield {
                "kind": "seat",
                "table": number,
                "seats": around,
                "segment": segment,
                "direction": direction,
                "before": was and was["player"],
                "after": now and now["player"],
            }
        lines = ([(line["entry"], _worth(line)) for line in _rows(one, "lines")] for one in (before, after))
        for entry, was, now in _both(*lines):
            yield {
                "kind": "points",
                "table": number,
                "before": was,
                "after": now,
                **_named(old, new, entry),
            }
        deals = ([(deal["number"], _deal(deal)) for deal in _rows(one, "deals")] for one in (before, after))
        for deal, was, now in _both(*deals):
            yield {
                "kind": "deal",
                "table": number,
                "seats": around,
                "deal": deal,
                "before": was,
                "after": now,
            }


def _rows(table: Payload | None, name: str) -> Iterable[Payload]:
    return (table or {}).get(name, ())


def _worth(line: Payload) -> dict[str, Any]:
    return {"points": line["points"], "value": line["value"]}


def _deal(deal: Payload) -> dict[str, Any]:
    """What a reader can tell of a deal: void or what each seat is credited, whether it counts."""
    counts = deal.get("counts", True)
    return {"void": not deal["played"], "credited": deal.get("credited", {}), "counts": counts}


def _byes(old: Payload, new: Payload) -> Iterable[Change]:
    pairs = ([(bye["entry"], bye["points"]) for bye in one.get("byes", ())] for one in (old, new))
    for number, before, after in _both(*pairs):
        yield {"kind": "bye", "before": before, "after": after, **_named(old, new, number)}


def _penalties(old: Payload, new: Payload) -> Iterable[Change]:
    before, after = old.get("penalties", ()), new.get("penalties", ())
    for one in after:
        if one not in before:
            yield {"kind": "penalty", "after": one, "before": None, **_named(old, new, one["entry"])}
    for one in before:
        # One that was cancelled since stands among the new ones, with the reason.
        if one not in after and not any(_same_penalty(one, other) for other in after):
            yield {"kind": "penalty", "after": None, "before": one, **_named(old, new, one["entry"])}


def _same_penalty(one: Payload, other: Payload) -> bool:
    return all(one.get(name) == other.get(name) for name in ("round", "entry", "rule", "points", "reason"))


def _ranks(old: Payload, new: Payload) -> Iterable[Change]:
    pairs = (
        [(row["entry"], {"rank": row["rank"], "total": row["total"]}) for row in one.get("rows", ())]
        for one in (old, new)
    )
    moved = list(_both(*pairs))
    moved.sort(key=lambda one: (one[2] or one[1])["rank"] or len(moved) + 1)
    for number, before, after in moved:
        yield {"kind": "rank", "before": before, "after": after, **_named(old, new, number)}


def _groups(old: Payload, new: Payload) -> Iterable[Change]:
    """Who has another rank or total in their group, came into it or left it; group by group.

    A version from before groups were published with the standings says nothing of them: nothing to compare.
    """
    if "groups" not in old or "groups" not in new:
        return
    pairs = (
        [
            ((group["stage"], group["group"], row["entry"]), {"rank": row["rank"], "total": row["total"]})
            for group in one["groups"]
            for row in group["rows"]
        ]
        for one in (old, new)
    )
    names = {one["stage"]: one["name"] for one in (*old["groups"], *new["groups"])}
    staged = new.get("staged", False)
    for (stage, group, number), before, after in _both(*pairs):
        yield {
            "kind": "group",
            "title": stage_title(names[stage], stage) if staged else "",
            "group": group,
            "before": before,
            "after": after,
            **_named(old, new, number),
        }
