"""Events with everything a workbook may have to show."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django.utils import timezone

from referee.models import Deal, DealVersion
from tests.played import drawn_round, given_penalty, played_deal, played_event, played_round, update_results
from tournament.models import Entry, Event

NAMES = ["=1+1", "+86 王伟", "-减号", "@某人", "张三", "李四", "欧阳修", "赵六", "钱七"]


def individual_event(*, rules: Mapping[str, Any] | None = None, **fields: Any) -> Event:
    """Nine players, a bye in each of two rounds, a void deal, an unchecked one, two penalties."""
    event = played_event(NAMES, clubs=["甲队", "", "=乙"], rounds=3, **fields)
    if rules:
        _change_rules(event, **rules)
    played_round(event, 1, deals=3, seed=3, byes=1)
    second = drawn_round(event, 2, seed=5, byes=1)
    first, other = second.tables.order_by("number")
    for number in (1, 2, 3):
        played_deal(first, number, checked=number != 3)
    void = Deal.objects.create(table=first, number=4, order=4, dealing=4)
    DealVersion.objects.create(
        deal=void,
        number=1,
        state=DealVersion.State.VOID,
        ruleset_version=event.ruleset_version,
        reason="少一张牌",
    )
    played_deal(first, 4)
    played_deal(other, 1)
    for table in (first, other):
        update_results(table)
    entries = list(event.entries.all())
    given_penalty(entries[0], -30, reason="=cmd|' /C calc'!A0")
    given_penalty(entries[0], -20, round_number=2)
    given_penalty(entries[1], -50, cancelled_at=timezone.now(), cancel_reason="误判", round_number=2)
    return event


def pairs_event(**fields: Any) -> Event:
    """Five pairs, a set each round by difference."""
    event = played_event(
        ["一队", "二队", "三队", "四队", "五队"],
        kind=Event.Kind.PAIRS,
        measure=Event.Measure.DIFFERENCE,
        rounds=2,
        **fields,
    )
    played_round(event, 1, deals=3, seed=1, byes=1)
    played_round(event, 2, deals=2, seed=2, byes=1)
    given_penalty(event.entries.get(number=2), -15)
    return event


def thirds_event() -> Event:
    """Scores kept exact to thirds of a point; the third round too."""
    event = individual_event(rules={"zero_sum": True, "rounding": "exact", "scale": 1})
    played_round(event, 3, deals=4, seed=9, byes=1)
    Entry.objects.filter(event=event, number=5).update(start_points=Fraction(1, 3))
    return event


def _change_rules(event: Event, **changes: Any) -> None:
    version = event.ruleset_version
    number = version.book.versions.count() + 1
    event.ruleset_version = version.book.versions.create(number=number, data={**version.data, **changes})
    event.save()
