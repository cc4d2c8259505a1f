"""Adding, editing, withdrawing, returning and deleting entries."""

import pytest

from tests.factories import actor, make_entry, make_event, make_published_draw, make_user
from tournament.models import AuditRow, Entry, Event
from tournament.services.audit import SYSTEM
from tournament.services.entries import (
    EntryData,
    add_entry,
    delete_entry,
    edit_entry,
    entry_version,
    return_entry,
    withdraw_entry,
)
from tournament.services.errors import NotAllowed, Refused, Stale

pytestmark = pytest.mark.django_db


def test_single_player_is_the_entry_and_takes_the_next_number():
    event = make_event(entries=2)

    entry = add_entry(actor=SYSTEM, event=event, data=EntryData(name="　王　小明 ", club="北京"))

    assert (entry.number, entry.name, entry.club) == (3, "王 小明", "北京")
    assert [player.name for player in entry.players.all()] == ["王 小明"]
    assert AuditRow.objects.get(subject=f"entry:{entry.pk}").after["players"] == ["王 小明"]


def test_pair_is_named_after_its_players_unless_it_has_a_name():
    event = make_event(kind=Event.Kind.PAIRS)

    pair = add_entry(actor=SYSTEM, event=event, data=EntryData(players=("张三", "李四")))
    named = add_entry(actor=SYSTEM, event=event, data=EntryData(name="飞虎", players=("王五", "赵六")))

    assert pair.name == "张三 / 李四"
    assert named.name == "飞虎"
    assert list(named.players.values_list("place", "name")) == [(1, "王五"), (2, "赵六")]


def test_every_fault_of_an_entry_is_reported_with_its_field():
    event = make_event(kind=Event.Kind.PAIRS, entries=1)
    data = EntryData(number=1, players=("张三",), club="x" * 121, first_round=9, seeding=0)

    with pytest.raises(Refused) as refused:
        add_entry(actor=SYSTEM, event=event, data=data)

    assert {problem.field for problem in refused.value.problems} == {
        "number",
        "player_2",
        "club",
        "first_round",
        "seeding",
    }
    assert event.entries.count() == 1


def test_same_name_is_refused_in_one_club_and_taken_in_another():
    event = make_event()
    add_entry(actor=SYSTEM, event=event, data=EntryData(name="王伟", club="甲"))
    add_entry(actor=SYSTEM, event=event, data=EntryData(name="王伟", club="乙"))

    with pytest.raises(Refused) as refused:
        add_entry(actor=SYSTEM, event=event, data=EntryData(name="王伟", club="甲"))
    assert refused.value.code == "name_taken"


def test_team_needs_four_players_and_no_name_twice():
    event = make_event(kind=Event.Kind.TEAMS)

    with pytest.raises(Refused) as refused:
        add_entry(actor=SYSTEM, event=event, data=EntryData(name="队", players=("甲", "乙", "甲")))
    assert {problem.code for problem in refused.value.problems} == {"player_missing", "player_twice"}


def test_edit_keeps_the_rows_of_players():
    event = make_event(kind=Event.Kind.PAIRS, entries=1)
    entry = event.entries.get()
    before = list(entry.players.values_list("pk", flat=True))

    edit_entry(actor=SYSTEM, entry=entry, data=EntryData(name="新", players=("张三", "李四")))

    entry.refresh_from_db()
    assert list(entry.players.values_list("pk", flat=True)) == before
    assert list(entry.players.values_list("name", flat=True)) == ["张三", "李四"]
    row = AuditRow.objects.get(action="entry.edit")
    assert row.before["name"] != row.after["name"] == "新"


def test_edit_may_keep_the_own_number_and_name_but_not_take_another_number():
    event = make_event(entries=2)
    first = event.entries.get(number=1)

    edit_entry(actor=SYSTEM, entry=first, data=EntryData(number=1, name=first.name, club="新"))
    with pytest.raises(Refused) as refused:
        edit_entry(actor=SYSTEM, entry=first, data=EntryData(number=2, name=first.name))
    assert refused.value.code == "number_taken"
    assert "选手2" in str(refused.value)


def test_number_stays_once_drawn():
    event = make_event(entries=4)
    make_published_draw(event)
    entry = event.entries.get(number=1)

    with pytest.raises(Refused) as refused:
        edit_entry(actor=SYSTEM, entry=entry, data=EntryData(number=77, name=entry.name))
    assert refused.value.code == "number_fixed"


def test_withdraw_and_return_need_a_reason_and_are_audited():
    event = make_event(entries=4)
    entry = event.entries.get(number=1)

    with pytest.raises(Refused):
        withdraw_entry(actor=SYSTEM, entry=entry, reason="  ")
    withdraw_entry(actor=SYSTEM, entry=entry, reason="生病")
    with pytest.raises(Refused):
        withdraw_entry(actor=SYSTEM, entry=entry, reason="再次")
    assert Entry.objects.get(pk=entry.pk).status == Entry.Status.WITHDRAWN
    return_entry(actor=SYSTEM, entry=entry, reason="好了")
    assert Entry.objects.get(pk=entry.pk).status == Entry.Status.ACTIVE
    rows = AuditRow.objects.filter(subject=f"entry:{entry.pk}").exclude(action="entry.add").order_by("id")
    assert [(row.action, row.reason) for row in rows] == [
        ("entry.withdraw", "生病"),
        ("entry.return", "好了"),
    ]


def test_delete_only_before_any_draw():
    event = make_event(entries=5)
    delete_entry(actor=SYSTEM, entry=event.entries.get(number=5))
    assert event.entries.count() == 4
    assert AuditRow.objects.get(action="entry.delete").before["name"] == "选手5"

    make_published_draw(event)
    with pytest.raises(Refused) as refused:
        delete_entry(actor=SYSTEM, entry=event.entries.get(number=1))
    assert refused.value.code == "entry_in_use"
    assert event.entries.count() == 4


def test_only_organisers_change_entries():
    event = make_event(entries=1)
    referee = actor(make_user("chief_referee", event.tournament))
    entry = event.entries.get()

    with pytest.raises(NotAllowed):
        add_entry(actor=referee, event=event, data=EntryData(name="x"))
    with pytest.raises(NotAllowed):
        edit_entry(actor=referee, entry=entry, data=EntryData(name="x"))
    with pytest.raises(NotAllowed):
        withdraw_entry(actor=referee, entry=entry, reason="x")
    with pytest.raises(NotAllowed):
        delete_entry(actor=referee, entry=entry)


def test_number_freed_by_nobody_is_not_reused():
    event = make_event(entries=3)
    make_entry(event, "大号", number=50)

    assert add_entry(actor=SYSTEM, event=event, data=EntryData(name="下一个")).number == 51


def test_of_two_who_edit_at_once_the_second_is_shown_both_and_may_insist():
    event = make_event(kind=Event.Kind.PAIRS, entries=1)
    entry = event.entries.get()
    seen = entry_version(entry)
    mine = EntryData(name="我的", players=("张三", "李四"), club=entry.club)
    edit_entry(
        actor=SYSTEM,
        entry=entry,
        data=EntryData(name="别人的", players=("张三", "王五"), club="新队"),
        based_on=seen,
    )

    with pytest.raises(Stale) as stale:
        edit_entry(actor=SYSTEM, entry=entry, data=mine, based_on=seen)

    assert (stale.value.current["name"], stale.value.offered["name"]) == ("别人的", "我的")
    beside = {problem.field: str(problem) for problem in stale.value.problems if problem.field}
    assert set(beside) == {"name", "club", "player_2"}
    assert "王五" in beside["player_2"]
    entry.refresh_from_db()
    assert entry.name == "别人的"

    edit_entry(actor=SYSTEM, entry=entry, data=mine, based_on=stale.value.current["version"])
    entry.refresh_from_db()
    assert entry.name == "我的"


def test_what_is_stored_already_is_no_conflict():
    event = make_event(entries=1)
    entry = event.entries.get()
    seen, data = entry_version(entry), EntryData(name="新", club="甲")

    edit_entry(actor=SYSTEM, entry=entry, data=data, based_on=seen)
    edit_entry(actor=SYSTEM, entry=entry, data=data, based_on=seen)

    assert AuditRow.objects.filter(action="entry.edit").count() == 1


def test_withdrawing_meanwhile_is_no_change_of_what_is_stated():
    event = make_event(entries=1)
    entry = event.entries.get()
    seen = entry_version(entry)
    withdraw_entry(actor=SYSTEM, entry=entry, reason="病")

    edit_entry(actor=SYSTEM, entry=entry, data=EntryData(name="新"), based_on=seen)
    assert event.entries.get().name == "新"
