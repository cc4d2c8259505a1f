"""Finding a person by what is typed on a phone: part of the name, the number, or pinyin in full or by
initials.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any
from unicodedata import normalize

from pypinyin import Style, lazy_pinyin, pinyin

#: The most entries a search shows.
MOST_FOUND = 60
#: More characters than any name needs: the rest of what was typed is ignored.
MOST_TYPED = 40


def _plain(text: str) -> str:
    """Letters and digits alone, as one types them on a phone: O’Brien, Seán is obriensean, and １２ is 12."""
    return "".join(one for one in normalize("NFKD", text.casefold()) if one.isalnum())


@lru_cache(maxsize=20_000)
def _readings(character: str) -> tuple[str, ...]:
    """How a character may be spelled: all pinyin readings of a Chinese one, else itself in lower case."""
    found = pinyin(character, style=Style.NORMAL, heteronym=True, errors=lambda text: [text])
    return (
        tuple(sorted({reading.lower().replace("ü", "v") for reading in found[0]})) if found else (character,)
    )


def _spells(typed: str, readings: Sequence[tuple[str, ...]]) -> bool:
    """Whether the typed letters spell the beginning of the characters, each in full or by its initial."""
    if not typed:
        return True
    if not readings:
        return False
    for reading in readings[0]:
        if reading.startswith(typed):
            return True
        # zh, ch and sh count as initials too, so each beginning of the reading is tried.
        for length in {1, 2, len(reading)}:
            head = reading[:length]
            if len(head) == length and typed.startswith(head) and _spells(typed[length:], readings[1:]):
                return True
    return False


#: Characters that are read otherwise as a family name 姓.
_SURNAMES = {
    "单": "shan", "單": "shan", "曾": "zeng", "查": "zha", "解": "xie", "仇": "qiu", "区": "ou", "區": "ou",
    "朴": "piao", "盖": "ge", "蓋": "ge", "员": "yun", "員": "yun", "翟": "zhai", "冼": "xian", "缪": "miao",
    "繆": "miao", "覃": "qin", "召": "shao", "秘": "bi", "折": "she",
}  # fmt: skip


def pinyin_of(name: str) -> str:
    """A name as lists in alphabetical order have it: pinyin without tones, family names as they are read.

    >>> pinyin_of("曾小明"), pinyin_of("Anna Lee")
    ('zeng xiao ming', 'anna lee')
    """
    plain = name.strip()
    if plain[:1] in _SURNAMES:
        return " ".join([_SURNAMES[plain[0]], *lazy_pinyin(plain[1:])]).lower().strip()
    return " ".join(lazy_pinyin(plain)).lower()


def matches(query: str, name: str) -> bool:
    """Whether what was typed is part of the name, accents and marks apart, or spells a part of it in pinyin.

    >>> [matches(typed, "王小明") for typed in ("wxm", "xiaom", "小明", "lxm")]
    [True, True, True, False]
    """
    typed, plain = _plain(query), _plain(name)
    if not typed:
        return False
    if typed in plain:
        return True
    spelled = _plain(query.lower().replace("ü", "v"))
    if not spelled.isascii():
        return False
    readings = [_readings(character) for character in plain]
    return any(_spells(spelled, readings[start:]) for start in range(len(readings)))


def _sounds_like(query: str, name: str) -> bool:
    """Whether a part of the name sounds as what was typed: finds 陳 for 陈, and a name heard but not read."""
    typed = [set(_readings(character)) for character in "".join(query.split())]
    heard = [set(_readings(character)) for character in "".join(name.split())]
    return any(
        all(one & other for one, other in zip(typed, heard[start:], strict=False))
        for start in range(len(heard) - len(typed) + 1)
    )


def find_entries(query: str, entries: Mapping[int, Mapping[str, Any]]) -> list[int]:
    """Numbers of the entries that match: by number, name, a player's name or club.

    Exact matches come first; names that only sound alike are given where nothing else is found.
    """
    typed = query.strip()[:MOST_TYPED]
    if not typed:
        return []
    digits = _plain(typed).lstrip("0")
    exact = [number for number in entries if str(number) == digits]
    found = [
        number for number, entry in entries.items() if any(matches(typed, name) for name in _names(entry))
    ]
    exact += [number for number in found if typed in _names(entries[number])]
    if not exact and not found:
        found = [number for number, entry in entries.items() if matches(typed, entry["club"])]
    if not exact and not found and not typed.isascii():
        found = [
            number
            for number, entry in entries.items()
            if any(_sounds_like(typed, name) for name in _names(entry))
        ]
    return list(dict.fromkeys(exact + found))[:MOST_FOUND]


def _names(entry: Mapping[str, Any]) -> tuple[str, ...]:
    return (entry["name"], *entry["players"])
