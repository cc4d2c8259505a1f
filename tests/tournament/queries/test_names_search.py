"""Finding a person: by part of the name, number, pinyin in full, by initials or mixed, and by sound."""

import pytest

from tournament.queries.names import MOST_FOUND, find_entries, matches


def _entries(*names, club=""):
    return {
        number: {"name": name, "club": club, "players": [name]} for number, name in enumerate(names, start=1)
    }


@pytest.mark.parametrize(
    "typed",
    ["王小明", "小明", "明", "wangxiaoming", "wxm", "WXM", "wangxm", "wxming", "w x m", "xm", "xiaom"],
)
def test_matches_a_name_however_it_is_typed(typed):
    assert matches(typed, "王小明")


@pytest.mark.parametrize("typed", ["", "  ", "lxm", "wxmz", "王明", "wmx", "iao"])
def test_matches_nothing_else(typed):
    assert not matches(typed, "王小明")


@pytest.mark.parametrize(
    ("typed", "name"), [("zhx", "张雪"), ("zx", "张雪"), ("chy", "陈勇"), ("sh", "单阳")]
)
def test_matches_initials_of_two_letters_and_other_readings(typed, name):
    assert matches(typed, name)


def test_matches_u_umlaut_typed_as_v():
    assert matches("lvbu", "吕布")


def test_matches_latin_names_from_any_word():
    assert matches("lee", "Ann Lee")
    assert matches("annl", "Ann Lee")


def test_find_by_number_before_names_with_that_figure():
    entries = _entries("选手2", "选手1", "选手12")
    assert find_entries("2", entries) == [2, 1, 3]
    assert find_entries("#003", entries) == [3]


def test_find_exact_name_first():
    assert find_entries("王小", _entries("王小明", "王小")) == [2, 1]


def test_find_by_a_players_name_within_a_pair():
    entries = {7: {"name": "红桃队", "club": "", "players": ["李雷", "韩梅梅"]}}
    assert find_entries("hmm", entries) == [7]


def test_find_by_club_only_where_no_name_matches():
    entries = _entries("张三", club="南开队")
    assert find_entries("nkd", entries) == [1]


def test_find_names_that_sound_alike_where_nothing_else_is_found():
    assert find_entries("陳曉", _entries("陈晓", "王二")) == [1]


def test_find_nothing_for_nothing():
    assert find_entries("   ", _entries("张三")) == []


def test_find_bears_long_and_odd_input():
    entries = _entries("张三", "李四")
    for typed in ("9" * 5000, "%", "\x00", "zhang" * 500, "🂡", "<script>"):
        assert find_entries(typed, entries) == []


def test_find_stops_at_a_page_full():
    assert len(find_entries("w", _entries(*["王伟"] * 500))) == MOST_FOUND


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("obrien", "O’Brien, Seán"),
        ("sean", "O’Brien, Seán"),
        ("Seán", "O’Brien, Sean"),
        ("muller", "Jörg Müller"),
        ("maimaiti", "阿卜杜·买买提"),
        ("李雷韩", "李雷/韩梅梅"),
        ("lü", "吕布"),
    ],
)
def test_accents_and_marks_between_letters_need_not_be_typed(typed, name):
    assert matches(typed, name)


def test_a_number_may_be_typed_in_full_width():
    assert find_entries("１２", _entries(*["选手"] * 12)) == [12]
