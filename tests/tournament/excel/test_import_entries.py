"""Importing a list: all or nothing, by number, twice the same."""

from dataclasses import replace

import pytest

from tests.factories import actor, make_entry, make_event, make_published_draw, make_user
from tests.tournament.excel.files import xlsx
from tournament.excel.reading import read_entries
from tournament.models import AuditRow, Entry, Event, Player
from tournament.services.audit import SYSTEM
from tournament.services.entries import entry_state
from tournament.services.errors import NotAllowed, Refused
from tournament.services.import_entries import RowStatus, import_entries, preview

pytestmark = pytest.mark.django_db

HEADINGS = ["编号", "姓名", "单位"]


def read(event, *rows, headings=HEADINGS):
    return read_entries(xlsx([headings, *rows]), event)


def do_import(event, *rows, headings=HEADINGS):
    return import_entries(actor=SYSTEM, event=event, sheet=read(event, *rows, headings=headings))


def stored(event):
    return list(event.entries.order_by("number").values_list("number", "name", "club"))


def statuses(event, *rows, headings=HEADINGS):
    return [row.status for row in preview(event=event, sheet=read(event, *rows, headings=headings)).rows]


def test_a_list_becomes_entries_with_their_players():
    event = make_event()
    outcome = do_import(event, [3, "张三", "甲"], [1, "李四", None])
    assert stored(event) == [(1, "李四", ""), (3, "张三", "甲")]
    assert len(outcome.added) == 2
    players = Player.objects.filter(entry__event=event).order_by("entry__number", "place")
    assert list(players.values_list("name", flat=True)) == ["李四", "张三"]


def test_importing_twice_changes_nothing():
    event = make_event()
    rows = ([1, "张三", "甲"], [2, "李四", "乙"])
    do_import(event, *rows)
    audit = AuditRow.objects.count()
    outcome = do_import(event, *rows)
    assert (outcome.added, outcome.changed, outcome.unchanged) == ((), (), 2)
    assert AuditRow.objects.count() == audit


def test_importing_a_list_without_numbers_twice_changes_nothing():
    event = make_event()
    rows = (["张三", "甲"], ["李四", "乙"])
    do_import(event, *rows, headings=["姓名", "单位"])
    outcome = do_import(event, *rows, headings=["姓名", "单位"])
    assert outcome.unchanged == 2
    assert stored(event) == [(1, "张三", "甲"), (2, "李四", "乙")]


def test_rows_without_a_number_take_none_that_the_list_names():
    event = make_event(entries=["已有"])
    do_import(event, [None, "张三", "甲"], [2, "李四", "乙"])
    assert stored(event)[1:] == [(2, "李四", "乙"), (3, "张三", "甲")]


def test_a_list_updates_by_number():
    event = make_event()
    do_import(event, [1, "张三", "甲"], [2, "李四", "乙"])
    entry = event.entries.get(number=1)
    player = entry.players.get()
    outcome = do_import(event, [1, "张珊", "丙"], [2, "李四", "乙"])
    assert [one.pk for one in outcome.changed] == [entry.pk]
    assert stored(event) == [(1, "张珊", "丙"), (2, "李四", "乙")]
    player.refresh_from_db()
    assert player.name == "张珊"
    changed, added = AuditRow.objects.filter(action="entry.import", subject=f"entry:{entry.pk}")
    assert (changed.before["name"], changed.after["name"]) == ("张三", "张珊")
    assert changed.before == added.after
    assert changed.after == entry_state(event.entries.get(number=1))


def test_entries_may_change_places():
    event = make_event()
    do_import(event, [1, "张三", "甲"], [2, "李四", "甲"])
    do_import(event, [1, "李四", "甲"], [2, "张三", "甲"])
    assert stored(event) == [(1, "李四", "甲"), (2, "张三", "甲")]


def test_a_new_entry_may_have_a_name_that_another_gives_up():
    event = make_event()
    do_import(event, [1, "张三", "甲"])
    do_import(event, [1, "李四", "甲"], [2, "张三", "甲"])
    assert stored(event) == [(1, "李四", "甲"), (2, "张三", "甲")]


def test_a_column_that_is_not_there_changes_nothing():
    event = make_event()
    do_import(event, [1, "张三", "甲", 4], headings=[*HEADINGS, "种子"])
    do_import(event, [1, "张珊"], headings=["编号", "姓名"])
    entry = event.entries.get()
    assert (entry.name, entry.club, entry.seeding) == ("张珊", "甲", 4)


def test_what_the_list_does_not_name_stays():
    event = make_event()
    do_import(event, [1, "张三", "甲"], [2, "李四", "乙"])
    plan = preview(event=event, sheet=read(event, [2, "李四", "丙"]))
    assert [entry.number for entry in plan.untouched] == [1]
    do_import(event, [2, "李四", "丙"])
    assert event.entries.count() == 2


def test_preview_says_what_would_happen_and_stores_nothing():
    event = make_event()
    do_import(event, [1, "张三", "甲"], [2, "李四", "乙"])
    sheet = read(event, [1, "张三", "甲"], [2, "李四", "丙"], [3, "王五", None], [4, None, "丁"])
    plan = preview(event=event, sheet=sheet)
    assert [(row.row, row.status) for row in plan.rows] == [
        (2, RowStatus.UNCHANGED),
        (3, RowStatus.CHANGED),
        (4, RowStatus.NEW),
        (5, RowStatus.WRONG),
    ]
    assert plan.counts == {"new": 1, "changed": 1, "unchanged": 1, "wrong": 1}
    assert plan.rows[1].changes == {"club": ("乙", "丙")}
    assert [fault.cell for fault in plan.rows[3].faults] == ["B5"]
    assert not plan.ok
    assert event.entries.count() == 2


def test_one_bad_row_and_nothing_is_imported():
    event = make_event()
    with pytest.raises(Refused) as refusal:
        do_import(event, [1, "张三", "甲"], ["x", "李四", "乙"], [3, None, "丙"])
    assert [problem.field for problem in refusal.value.problems] == ["A3", "B4"]
    assert "A3: " in str(refusal.value)
    assert "B4: " in str(refusal.value)
    assert not event.entries.exists()
    assert not AuditRow.objects.filter(action__startswith="entr").exists()


def test_a_failure_half_way_leaves_nothing(monkeypatch):
    event = make_event()
    sheet = read(event, [1, "张三", "甲"], [2, "李四", "乙"])

    def fails(**facts):
        raise RuntimeError("power cut")

    monkeypatch.setattr("tournament.services.import_entries.record_audit", fails)
    with pytest.raises(RuntimeError):
        import_entries(actor=SYSTEM, event=event, sheet=sheet)
    assert not event.entries.exists()


def test_a_name_entered_by_hand_is_not_entered_twice():
    event = make_event()
    make_entry(event, "张三", club="甲")
    with pytest.raises(Refused) as refusal:
        do_import(event, [9, "张三", "甲"])
    assert [(problem.code, problem.field) for problem in refusal.value.problems] == [("name_taken", "B2")]


def test_pairs_are_updated_and_keep_a_name_of_their_own():
    event = make_event(Event.Kind.PAIRS)
    headings = ["编号", "姓名", "搭档", "单位"]
    do_import(event, [1, "张三", "李四", "甲"], [2, "王五", "赵六", "乙"], headings=headings)
    assert stored(event) == [(1, "张三 / 李四", "甲"), (2, "王五 / 赵六", "乙")]
    Entry.objects.filter(event=event, number=2).update(name="飞龙")
    do_import(event, [1, "张三", "钱七", "甲"], [2, "王五", "孙八", "乙"], headings=headings)
    assert stored(event) == [(1, "张三 / 钱七", "甲"), (2, "飞龙", "乙")]
    assert (
        statuses(event, [1, "张三", "钱七", "甲"], [2, "王五", "孙八", "乙"], headings=headings)
        == [RowStatus.UNCHANGED] * 2
    )


def test_after_a_draw_only_clubs_and_seeds_change():
    event = make_event(entries=["张三", "李四", "王五", "赵六"])
    make_published_draw(event)
    club = event.entries.get(number=1).club
    with pytest.raises(Refused) as refusal:
        do_import(event, [1, "张珊", club], [5, "钱七", "乙"])
    assert [(p.code, p.field) for p in refusal.value.problems] == [
        ("too_late_to_change", "A2"),
        ("too_late_to_add", "B3"),
    ]
    do_import(event, [1, "张三", "新单位"])
    assert event.entries.get(number=1).club == "新单位"


def test_only_an_organiser_imports():
    event = make_event()
    referee = make_user("chief_referee", event.tournament)
    with pytest.raises(NotAllowed):
        import_entries(actor=actor(referee), event=event, sheet=read(event, [1, "张三", "甲"]))
    organiser = make_user("organiser", event.tournament)
    import_entries(actor=actor(organiser), event=event, sheet=read(event, [1, "张三", "甲"]))
    row = AuditRow.objects.get(action="entries.import")
    assert (row.actor_name, row.address) == (organiser.get_username(), "192.0.2.1")
    assert row.after["new"] == 1


def test_preview_needs_as_many_queries_for_a_long_list(django_assert_max_num_queries):
    event = make_event()
    do_import(event, *([n, f"选手{n}", "甲"] for n in range(1, 101)))
    sheet = read(event, *([n, f"选手{n}", "乙"] for n in range(1, 201)))
    with django_assert_max_num_queries(3):
        assert preview(event=event, sheet=sheet).counts["changed"] == 100


def test_what_the_service_would_refuse_is_said_in_the_preview():
    """The reader and the service agree today; should they ever not, the row is wrong and not the page."""
    event = make_event()
    sheet = read(event, [1, "张三", "甲"])
    long_name = replace(sheet.rows[0], name="长" * 200, players=("长" * 200,))
    plan = preview(event=event, sheet=replace(sheet, rows=(long_name,)))
    assert [(fault.code, fault.cell) for fault in plan.faults] == [("other", "B2")]
    assert str(plan.faults[0]).startswith("B2: ")
