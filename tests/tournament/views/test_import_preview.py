"""The preview of an imported list shows of a changed row what each field was and what it will be."""

import re

import pytest

from tests.factories import make_event
from tests.tournament.excel.files import xlsx
from tests.tournament.views.files import as_upload
from tournament.excel.reading import read_entries
from tournament.models import Event
from tournament.services.audit import SYSTEM
from tournament.services.import_entries import import_entries
from tournament.views.manage import imports, uploads

pytestmark = pytest.mark.django_db

LISTS = {
    Event.Kind.INDIVIDUAL: (
        ["编号", "姓名", "单位", "种子"],
        [7, "张三", "甲", 4],
        [7, "张珊", "乙", None],
        [("张三", "张珊"), ("甲", "乙"), ("4", "—")],
    ),
    Event.Kind.PAIRS: (
        ["编号", "姓名", "搭档", "单位", "种子"],
        [7, "张三", "李四", None, None],
        [7, "张三", "王五", "乙", 2],
        [("张三 / 李四", "张三 / 王五"), ("张三, 李四", "张三, 王五"), ("—", "乙"), ("—", "2")],
    ),
    Event.Kind.TEAMS: (
        ["编号", "队名", "单位", "种子", "队员一", "队员二", "队员三", "队员四"],
        [7, "红队", "甲", 1, "赵", "钱", "孙", "李"],
        [7, "蓝队", "乙", 3, "赵", "钱", "孙", "周"],
        [("红队", "蓝队"), ("赵, 钱, 孙, 李", "赵, 钱, 孙, 周"), ("甲", "乙"), ("1", "3")],
    ),
}


@pytest.mark.parametrize("kind", LISTS)
def test_every_changed_field_is_shown_before_and_after(send, tournament, kind):
    headings, before, after, shown = LISTS[kind]
    event = make_event(kind, tournament=tournament)
    sheet = read_entries(xlsx([headings, before]), event)
    import_entries(actor=SYSTEM, event=event, sheet=sheet)
    address = f"/manage/t/cup/e/{event.slug}/entries/import/"
    page = send(address, {"file": as_upload(xlsx([headings, after]))}).content.decode()
    assert re.findall(r"<del[^>]*>(.*?)</del> → <ins>(.*?)</ins>", page) == shown
    again = send(address, {"file": as_upload(xlsx([headings, before]))}).content.decode()
    assert "<ins>" not in again


@pytest.mark.parametrize("lists", [1, 2], ids=["new", "changed"])
def test_players_stand_beside_each_other_as_the_reader_s_language_has_it(organiser, send, tournament, lists):
    """The list after the import has them so; a preview that has them otherwise looks like another list."""
    event = make_event(Event.Kind.TEAMS, tournament=tournament)
    headings, before, after, _shown = LISTS[Event.Kind.TEAMS]
    *stored, sheet = [xlsx([headings, one]) for one in (before, after)[:lists]]
    for one in stored:
        import_entries(actor=SYSTEM, event=event, sheet=read_entries(one, event))
    organiser.cookies["django_language"] = "zh-hans"
    page = send(f"/manage/t/cup/e/{event.slug}/entries/import/", {"file": as_upload(sheet)}).content.decode()
    for line in (before, after)[:lists]:
        assert "、".join(line[4:]) in page
    assert ", ".join(before[4:]) not in page


def test_a_file_larger_than_any_list_is_not_even_read(send, tournament, monkeypatch):
    event = make_event(tournament=tournament)
    monkeypatch.setattr(uploads, "LARGEST_FILE", 1000)
    looked = []
    monkeypatch.setattr(imports, "read_entries", lambda *one: looked.append(one))
    address = f"/manage/t/cup/e/{event.slug}/entries/import/"
    answer = send(address, {"file": as_upload(b"PK\x03\x04" + bytes(1000))})
    assert (answer.status_code, looked) == (400, [])


def test_what_was_not_in_the_preview_is_not_done_by_agreeing_to_it(send, tournament):
    """A colleague puts a name right between the preview and the import of an older list."""
    event = make_event(tournament=tournament)
    sheet = read_entries(xlsx([["编号", "姓名"], [7, "张三"], [8, "李四"]]), event)
    import_entries(actor=SYSTEM, event=event, sheet=sheet)
    address = f"/manage/t/cup/e/{event.slug}/entries/import/"
    page = send(address, {"file": as_upload(xlsx([["编号", "姓名"], [7, "张三"], [8, "李思"]]))}).content
    fields = dict(re.findall(r'name="(content|filename|seen)" value="([^"]*)"', page.decode()))
    right = read_entries(xlsx([["编号", "姓名"], [7, "张珊"]]), event)
    import_entries(actor=SYSTEM, event=event, sheet=right)
    again = send(f"{address}confirm/", fields).content.decode()
    assert set(event.entries.values_list("name", flat=True)) == {"张珊", "李四"}
    assert re.findall(r"<del[^>]*>(.*?)</del> → <ins>(.*?)</ins>", again) == [
        ("张珊", "张三"),
        ("李四", "李思"),
    ]
    fields = dict(re.findall(r'name="(content|filename|seen)" value="([^"]*)"', again))
    send(f"{address}confirm/", fields)
    assert set(event.entries.values_list("name", flat=True)) == {"张三", "李思"}
