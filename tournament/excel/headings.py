"""The columns of an entry list by kind of event, and the many names that people give them."""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournament.models import Event
from tournament.services.entry_sheet import MOST_PLAYERS

#: Heading of each column in the template and in messages.
HEADINGS: Mapping[str, Any] = {
    "number": pgettext_lazy("entry list", "Number"),
    "name": pgettext_lazy("entry list", "Name"),
    "team": pgettext_lazy("entry list", "Team name"),
    "pair": pgettext_lazy("entry list", "Pair name"),
    "partner": pgettext_lazy("entry list", "Partner"),
    "club": pgettext_lazy("entry list", "Club"),
    "seeding": pgettext_lazy("entry list", "Seed"),
}
PLAYER_HEADING = _("Player %(place)s")

_SYNONYMS: Mapping[str, str] = {
    "number": (
        "编号 序号 号码 号 参赛号 参赛编号 参赛号码 "
        "編號 序號 號碼 號 參賽號 參賽編號 參賽號碼 No Nr Number ID EntryNo EntryNumber StartNo StartNumber"
    ),
    "name": (
        "姓名 名字 名称 选手 选手姓名 参赛者 参赛者姓名 参赛选手 运动员 运动员姓名 棋手 牌手 队员 "
        "名稱 選手 選手姓名 參賽者 參賽者姓名 參賽選手 運動員 運動員姓名 隊員 "
        "Name FullName Player PlayerName Entry"
    ),
    "team": (
        "队名 队伍 队伍名称 球队 代表队 参赛队 参赛队名 参赛队伍 团队 队 "
        "隊名 隊伍 隊伍名稱 代表隊 參賽隊 參賽隊名 參賽隊伍 團隊 隊 Team TeamName"
    ),
    "pair": "对名 组名 组合 组合名 搭档名 搭档名称 對名 組名 組合 組合名 搭檔名 搭檔名稱 Pair PairName",
    "partner": (
        "搭档 搭挡 搭档姓名 同伴 队友 对家 配对 配对选手 伙伴 "
        "搭檔 搭檔姓名 隊友 對家 配對 配對選手 夥伴 Partner PartnerName"
    ),
    "club": (
        "单位 所属单位 代表单位 参赛单位 工作单位 俱乐部 所属俱乐部 协会 地区 省市 学校 代表队 "
        "單位 所屬單位 代表單位 參賽單位 工作單位 俱樂部 所屬俱樂部 協會 地區 省市 學校 代表隊 "
        "Club Organisation Organization Affiliation Unit"
    ),
    "seeding": "种子 种子号 种子序号 种子排名 種子 種子號 種子序號 種子排名 Seed Seeding SeedNo",
}
#: Where another column gives the entries' numbers, these only count the lines.
_RUNNING_NUMBER = ("序号", "序號")
_PLAYER_WORDS = "队员 选手 姓名 运动员 成员 隊員 選手 運動員 成員 Player Name Member"
_DIGITS = {digit: place for place, digit in enumerate("一二三四五六七八九十", start=1)}
_NOTHING = re.compile(r"[\s\W_]+")
#: (必填) is a remark, 队员(2) is a place.
_REMARK = re.compile(r"[(\[【〔](?!\s*[0-9]+\s*[)\]】〕]).*?[)\]】〕]")


def plain(heading: str) -> str:
    """A heading as it is compared: no case, width, spaces, punctuation or remarks in brackets."""
    return _NOTHING.sub("", _REMARK.sub("", unicodedata.normalize("NFKC", heading).casefold()))


def is_running_number(heading: str) -> bool:
    """Whether a heading is that of a column which may only count the lines."""
    return plain(heading) in _RUNNING_NUMBER


def columns_of(kind: str) -> tuple[str, ...]:
    """The template's columns for a kind of event, in order."""
    if kind == Event.Kind.PAIRS:
        return ("number", "name", "partner", "club", "seeding")
    if kind == Event.Kind.TEAMS:
        return ("number", "team", "club", *(f"player_{place}" for place in range(1, 7)), "seeding")
    return ("number", "name", "club", "seeding")


def required_columns(kind: str) -> tuple[str, ...]:
    """The columns without which a list cannot be read."""
    if kind == Event.Kind.PAIRS:
        return ("name", "partner")
    if kind == Event.Kind.TEAMS:
        return ("team", "player_1")
    return ("name",)


def heading(column: str) -> str:
    """The column's heading in the language of the moment."""
    if column.startswith("player_"):
        return str(PLAYER_HEADING) % {"place": column.removeprefix("player_")}
    return str(HEADINGS[column])


@cache
def _names(kind: str) -> Mapping[str, str]:
    """Columns by compared heading. Of two columns with a name in common, the kind decides which it means."""
    wanted = [column for column in _SYNONYMS if column in {*columns_of(kind), "pair", "club", "number"}]
    if kind != Event.Kind.PAIRS:
        wanted.remove("pair")
    names: dict[str, str] = {}
    # The club comes first and may be overruled: 代表队 is the team of a team event, else the club.
    for column in sorted(wanted, key=lambda column: column != "club"):
        names.update({plain(name): column for name in _SYNONYMS[column].split()})
    if kind == Event.Kind.TEAMS:
        names.update({plain(name): "players" for name in _PLAYER_WORDS.split() if plain(name) != "name"})
        names.update({plain(name): "team" for name in ("名称", "名稱", "Name")})
    for language, _title in settings.LANGUAGES:
        with translation.override(language):
            names.update({plain(heading(column)): column for column in wanted})
            if kind == Event.Kind.TEAMS:
                names.update(
                    {plain(heading(f"player_{n}")): f"player_{n}" for n in range(1, MOST_PLAYERS + 1)}
                )
    return names


def column_of(kind: str, text: str) -> str | None:
    """The column that a heading names, or None. Teams: ``player_3`` for 队员3, ``players`` for one column of
    all; pairs: 姓名2 is the partner.
    """
    bare = plain(text)
    names = _names(kind)
    if bare in names:
        return names[bare]
    match = re.fullmatch(r"(.*?)([0-9]{1,2}|[一二三四五六七八九十])", bare)
    if not match:
        return None
    place = int(match[2]) if match[2].isdigit() else _DIGITS[match[2]]
    if match[1] not in {plain(word) for word in _PLAYER_WORDS.split()}:
        return None
    if kind == Event.Kind.TEAMS and 1 <= place <= MOST_PLAYERS:
        return f"player_{place}"
    if kind == Event.Kind.PAIRS and place in {1, 2}:
        return "name" if place == 1 else "partner"
    return None
