"""Style sheets of the public pages as one file: a phone draws nothing before it has them all.

The parts stay files of their own, each with one job; the bundle is put together from them whenever they have
changed and lies with the other generated files, never in version control.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

#: Address below static/ → the files in it, in order; those for paper are wrapped in a media query.
BUNDLES: Mapping[str, tuple[str, ...]] = {
    "css/public.bundle.css": (
        "css/tokens.css",
        "css/base.css",
        "css/components.css",
        "css/content.css",
        "css/forms.css",
        "css/tables.css",
        "css/cards.css",
        "css/public.css",
        "css/standings.css",
        "css/notices.css",
        "css/print.css",
    )
}
_PRINT = frozenset({"css/print.css"})


def bundled(names: Iterable[str], folder: Path) -> str:
    """The files as one style sheet."""
    parts = []
    for name in names:
        text = (folder / name).read_text(encoding="utf-8").strip()
        parts.append(f"@media print {{\n{text}\n}}" if name in _PRINT else text)
    return "\n".join(parts) + "\n"


class BundleFinder(BaseFinder):
    """Finds bundles as if they were static files."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.folder = Path(settings.DATA_DIR) / "bundles"
        self.storage = FileSystemStorage(self.folder)

    def find(self, path: str, find_all: bool = False, **_kwargs: Any) -> str | list[str]:
        """The bundle's place on the disk; an empty list for any other file."""
        if path not in BUNDLES:
            return []
        found = str(self._written(path))
        return [found] if find_all else found

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        """Every bundle, for collectstatic."""
        for name in BUNDLES:
            self._written(name)
            yield name, self.storage

    def _written(self, name: str) -> Path:
        target = self.folder / name
        text = bundled(BUNDLES[name], settings.BASE_DIR / "static")
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.parent.mkdir(parents=True, exist_ok=True)
            # Another process may read it at this moment: it finds the old one or the new one.
            draft = target.with_suffix(f".{os.getpid()}")
            draft.write_text(text, encoding="utf-8")
            draft.replace(target)
        return target
