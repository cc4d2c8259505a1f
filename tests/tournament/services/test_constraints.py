"""Who is kept apart, who is absent: stored, audited, refused with every fault."""

import pytest

from tests.factories import make_event
from tests.tournament.draws import draw_round
from tournament.models import Absence, ApartGroup, AuditRow
from tournament.queries.draw_sources import forbidden_pairs
from tournament.services.audit import SYSTEM
from tournament.services.constraints import (
    keep_apart,
    let_meet,
    mark_absent,
    set_apart_rounds,
    unmark_absent,
)
from tournament.services.errors import Refused

pytestmark = pytest.mark.django_db


def test_a_group_of_three_forbids_all_its_pairs_and_a_removed_one_none():
    event = make_event(entries=4)
    group = keep_apart(actor=SYSTEM, event=event, numbers=[1, 3, 4], name="　一家 人 ")
    ids = dict(event.entries.values_list("number", "pk"))

    assert group.name == "一家 人"
    assert forbidden_pairs(event) == [(ids[1], ids[3]), (ids[1], ids[4]), (ids[3], ids[4])]

    let_meet(actor=SYSTEM, group=group)
    assert forbidden_pairs(event) == []
    assert [row.action for row in AuditRow.objects.filter(event=event)[:2]] == ["apart.remove", "apart.add"]


@pytest.mark.parametrize(
    ("numbers", "code"),
    [
        ([1], "too_few_apart"),
        ([1, 1], "too_few_apart"),
        ([1, 77, 88], "numbers_unknown"),
        ([2, 1], "apart_already"),
    ],
)
def test_group_refused(numbers, code):
    event = make_event(entries=4)
    keep_apart(actor=SYSTEM, event=event, numbers=[1, 2])

    with pytest.raises(Refused) as refused:
        keep_apart(actor=SYSTEM, event=event, numbers=numbers)

    assert refused.value.code == code
    assert ApartGroup.objects.count() == 1
    if code == "numbers_unknown":
        assert "77, 88" in str(refused.value)


def test_rounds_apart_are_kept_with_the_event_and_reach_the_draw():
    event = make_event(entries=16)

    set_apart_rounds(actor=SYSTEM, event=event, clubs=2, seeds=1)
    event.refresh_from_db()
    draw = draw_round(event, 1)

    assert draw.inputs["constraints"]["clubs_apart_rounds"] == 2
    assert draw.inputs["constraints"]["seeds_apart_rounds"] == 1
    with pytest.raises(Refused) as refused:
        set_apart_rounds(actor=SYSTEM, event=event, clubs=-1, seeds=61)
    assert {problem.field for problem in refused.value.problems} == {"clubs", "seeds"}


def test_absence_is_marked_once_and_taken_back_only_before_the_draw():
    event = make_event(entries=8)
    round = event.rounds.get(number=1)
    mark_absent(actor=SYSTEM, round=round, numbers=[3, 4], reason="late train")
    mark_absent(actor=SYSTEM, round=round, numbers=[3])
    unmark_absent(actor=SYSTEM, round=round, number=4)
    assert list(Absence.objects.values_list("entry__number", flat=True)) == [3]

    draw_round(event, 1, answer="threes")
    for change in (
        lambda: mark_absent(actor=SYSTEM, round=round, numbers=[5]),
        lambda: unmark_absent(actor=SYSTEM, round=round, number=3),
    ):
        with pytest.raises(Refused) as refused:
            change()
        assert refused.value.code == "round_drawn_already"
    assert AuditRow.objects.filter(event=event, action__startswith="absence.").count() == 2
