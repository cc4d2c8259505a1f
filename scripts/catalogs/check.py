"""Find what is wrong with the catalogs: every fault of every language, not the first one only."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from babel.messages.catalog import Catalog, Message

from scripts.catalogs.extract import Entry, Key
from scripts.catalogs.store import LOCALES, SOURCE_LOCALE, forms, key_of, load

#: %(name)s, %s, %%, {name} and {0}
_PLACEHOLDER = re.compile(
    r"%\(\w+\)[#0\- +]*[\d.]*[diouxXeEfFgGcrsa]|%[diouxXeEfFgGcrsa]|\{\w*(?:[.\[][^{}]*)?\}"
)
_ESCAPED_BRACES = re.compile(r"\{\{|\}\}")


@dataclass(frozen=True, order=True)
class Fault:
    """One thing to mend. ``kind``: missing, untranslated, fuzzy, obsolete, placeholder, changed or plural."""

    locale: str
    kind: str
    msgid: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.locale}: {self.kind}: {self.msgid!r}" + (f" ({self.detail})" if self.detail else "")


def check(root: Path, entries: Sequence[Entry]) -> list[Fault]:
    """All faults of the catalogs below ``root`` measured by the strings in the code, in order.

    Raises:
        babel.messages.pofile.PoFileError: a catalog is malformed.
    """
    return sorted(fault for locale in LOCALES for fault in _check_locale(locale, load(root, locale), entries))


def placeholders(text: str) -> frozenset[str]:
    """The names a text is to be filled with: ``%(name)s``, ``{name}``."""
    return frozenset(_PLACEHOLDER.findall(_ESCAPED_BRACES.sub("", text.replace("%%", ""))))


def _check_locale(locale: str, catalog: Catalog, entries: Sequence[Entry]) -> Iterator[Fault]:
    stored: dict[Key, Message] = {
        key_of(message.id, message.context): message for message in catalog if message.id
    }
    wanted = {entry.key: entry for entry in entries}
    for key in [*(stored.keys() - wanted.keys()), *(_obsolete_keys(catalog))]:
        yield Fault(locale, "obsolete", key.msgid)
    for key, entry in wanted.items():
        if key not in stored:
            yield Fault(locale, "missing", key.msgid, entry.sources[0])
        else:
            yield from _check_message(locale, entry, stored[key])


def _obsolete_keys(catalog: Catalog) -> list[Key]:
    return [key_of(message.id, message.context) for message in catalog.obsolete.values()]


def _check_message(locale: str, entry: Entry, message: Message) -> Iterator[Fault]:
    msgid = entry.key.msgid
    stored_plural = "" if isinstance(message.id, str) else message.id[1]
    if stored_plural != entry.plural:
        yield Fault(locale, "plural", msgid, f"{stored_plural!r} instead of {entry.plural!r}")
        return
    translations = forms(message.string)
    if message.fuzzy:
        yield Fault(locale, "fuzzy", msgid)
    if not all(text.strip() for text in translations):
        yield Fault(locale, "untranslated", msgid, entry.sources[0])
        return
    if locale == SOURCE_LOCALE and translations != ((msgid, entry.plural) if entry.plural else (msgid,)):
        yield Fault(locale, "changed", msgid, "English is written in the code itself")
    always = placeholders(msgid)
    allowed = always
    if entry.plural:
        # "one entry" need not say its number: what both forms have is a must, what either has is allowed.
        always, allowed = always & placeholders(entry.plural), always | placeholders(entry.plural)
    for text in translations:
        lost, added = always - placeholders(text), placeholders(text) - allowed
        if lost or added:
            detail = ", ".join(
                [*(f"lacks {name}" for name in sorted(lost)), *(f"adds {name}" for name in sorted(added))]
            )
            yield Fault(locale, "placeholder", msgid, detail)
