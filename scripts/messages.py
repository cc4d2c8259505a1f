"""Translations: ``python -m scripts.messages update | compile | check``.

update   collect the strings of code and templates into locale/*/LC_MESSAGES/django.po
         (``--prune``: forget translations of strings that are gone)
compile  make the .mo files that the program reads
check    list what is missing, untranslated, fuzzy, obsolete or has other placeholders; exit 1 if anything is
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

from babel.messages.pofile import PoFileError

from scripts.catalogs.check import check
from scripts.catalogs.extract import ExtractionError, extract
from scripts.catalogs.store import compile_all, update

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: list[str] | None = None, *, root: Path = ROOT) -> int:
    """Run one command; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="messages", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("command", choices=["update", "compile", "check"])
    parser.add_argument("--prune", action="store_true", help="with update: drop obsolete translations")
    options = parser.parse_args(arguments)
    try:
        return _run(options.command, root, prune=options.prune)
    except (ExtractionError, PoFileError) as fault:
        print(fault, file=sys.stderr)
        return 2


def _run(command: str, root: Path, *, prune: bool) -> int:
    if command == "compile":
        compile_all(root)
        return 0
    entries = extract(root)
    if command == "update":
        update(root, entries, prune=prune)
    faults = check(root, entries)
    if command == "check":
        print(*faults, sep="\n", end="\n" if faults else "")
    counts = Counter((fault.locale, fault.kind) for fault in faults)
    print(
        f"{len(entries)} strings;",
        ", ".join(f"{locale} {n} {kind}" for (locale, kind), n in counts.items()) or "no faults",
    )
    return 1 if faults and command == "check" else 0


if __name__ == "__main__":
    sys.exit(main())
