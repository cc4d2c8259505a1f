"""Keep the catalogs: locale/<language>/LC_MESSAGES/django.po, and the .mo files made from them."""

from collections.abc import Iterable
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from scripts.catalogs.extract import Entry, Key

#: Django's names of the locales, and how many plural forms each has.
LOCALES = {
    "zh_Hans": "nplurals=1; plural=0;",
    "zh_Hant": "nplurals=1; plural=0;",
    "en": "nplurals=2; plural=(n != 1);",
}
#: The language the strings in the code are written in: its translations are the strings themselves.
SOURCE_LOCALE = "en"


def catalog_path(root: Path, locale: str) -> Path:
    """Where a locale's catalog lies."""
    return root / "locale" / locale / "LC_MESSAGES" / "django.po"


def load(root: Path, locale: str) -> Catalog:
    """A locale's catalog as stored; an empty one if there is none yet.

    Raises:
        babel.messages.pofile.PoFileError: the file is malformed.
    """
    path = catalog_path(root, locale)
    if not path.exists():
        return Catalog(locale=locale)
    with path.open("rb") as stream:
        return read_po(stream, locale=locale, abort_invalid=True)


def key_of(message_id: str | tuple[str, ...] | list[str], context: str | None) -> Key:
    """The key of a catalog's message, whose id is a pair when it has a plural."""
    return Key(message_id if isinstance(message_id, str) else message_id[0], context or "")


def update(root: Path, entries: Iterable[Entry], *, prune: bool = False) -> None:
    """Bring every locale's catalog in line with the strings in the code, keeping its translations.

    A string that left the code is kept below as obsolete (``#~``), and its translation returns with it;
    ``prune`` drops these. Nothing is guessed: a changed string is a new one without translation.
    """
    wanted = list(entries)
    for locale in LOCALES:
        old = load(root, locale)
        known = {
            key_of(message.id, message.context): message
            for message in [*old.obsolete.values(), *old]
            if message.id
        }
        new = Catalog(locale=locale)
        for entry in wanted:
            before = known.pop(entry.key, None)
            new.add(
                (entry.key.msgid, entry.plural) if entry.plural else entry.key.msgid,
                _translation(locale, entry, before.string if before else None),
                locations=[(source, 0) for source in entry.sources],
                auto_comments=entry.comments,
                user_comments=before.user_comments if before else (),
                flags={"fuzzy"} if before and before.fuzzy and locale != SOURCE_LOCALE else (),
                context=entry.key.context or None,
            )
        if not prune and locale != SOURCE_LOCALE:
            # Only what somebody translated is worth keeping.
            new.obsolete.update(
                {str(key): message for key, message in known.items() if any(forms(message.string))}
            )
        path = catalog_path(root, locale)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as stream:
            stream.write(_header(locale).encode())
            write_po(stream, new, width=110, include_lineno=False, omit_header=True)


def compile_all(root: Path) -> int:
    """Write the .mo file of every locale; returns how many strings are translated over all of them.

    Fuzzy and empty translations are left out: the reader then sees English, never a guess.
    """
    count = 0
    for locale in LOCALES:
        catalog = load(root, locale)
        for message in list(catalog):
            if message.id and not all(forms(message.string)):
                catalog.delete(message.id, context=message.context)
        path = catalog_path(root, locale).with_suffix(".mo")
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(".mo.new")
        with temporary.open("wb") as stream:
            write_mo(stream, catalog, use_fuzzy=False)
        # A server that starts meanwhile finds either the old file or the new one.
        temporary.replace(path)
        count += sum(1 for message in catalog if message.id and not message.fuzzy)
    return count


def _header(locale: str) -> str:
    # The same header every time: a date in it would change the file with every run.
    return (
        "# Translations of the 华牌 tournament software. Written by `make messages`.\n"
        'msgid ""\n'
        'msgstr ""\n'
        '"Project-Id-Version: huapai\\n"\n'
        f'"Language: {locale}\\n"\n'
        f'"Plural-Forms: {LOCALES[locale]}\\n"\n'
        '"MIME-Version: 1.0\\n"\n'
        '"Content-Type: text/plain; charset=utf-8\\n"\n'
        '"Content-Transfer-Encoding: 8bit\\n"\n\n'
    )


def forms(string: object) -> tuple[str, ...]:
    """A translation's forms, whether it has plurals or not."""
    if isinstance(string, str):
        return (string,)
    return tuple(string) if isinstance(string, tuple | list) else ("",)


def _translation(locale: str, entry: Entry, before: object) -> str | tuple[str, ...]:
    if locale == SOURCE_LOCALE:
        return (entry.key.msgid, entry.plural) if entry.plural else entry.key.msgid
    count = int(LOCALES[locale].split(";", 1)[0].removeprefix("nplurals="))
    known = forms(before)
    if not entry.plural:
        return known[0]
    return (*known, *[""] * count)[:count]
