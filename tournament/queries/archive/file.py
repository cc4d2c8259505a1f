"""The file of an archive: JSON in one canonical form, with its own hash, compressed."""

import gzip
import hashlib
import json
import zlib
from typing import Any, NoReturn

from django.utils.translation import gettext_lazy as _

from tournament.queries.audit_chain import canonical

FORMAT = "huapai-tournament"
#: Raised with every change of what an archive holds (docs/archive.md).
VERSION = 1
#: The largest document that is read, in bytes of JSON; larger than any tournament this program can run.
MOST_BYTES = 128 * 1024 * 1024
_STEP = 64 * 1024


class ArchiveError(Exception):
    """A file that cannot be imported: a stable code, a translatable message and what it names."""

    def __init__(self, code: str, message: Any, params: dict[str, Any] | None = None) -> None:
        self.code, self.message, self.params = code, message, params or {}
        super().__init__(code)

    def __str__(self) -> str:
        return str(self.message) % self.params if self.params else str(self.message)


def content_hash(content: Any) -> str:
    """SHA-256 of the content in its canonical form."""
    return hashlib.sha256(canonical(content)).hexdigest()


def pack(content: dict[str, Any]) -> bytes:
    """The file of this content; the same content gives the same bytes."""
    document = {"format": FORMAT, "version": VERSION, "sha256": content_hash(content), "content": content}
    return gzip.compress(canonical(document), compresslevel=6, mtime=0)


def unpack(data: bytes) -> dict[str, Any]:
    """The content of a file. Raises ArchiveError, saying what is wrong with it."""
    document = _parse(_decompress(data))
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ArchiveError("archive_format", _("This file is no archive of a tournament."))
    version = document.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ArchiveError("archive_format", _("This file is no archive of a tournament."))
    if version > VERSION:
        raise ArchiveError(
            "archive_newer",
            _(
                "This archive was made by a newer version of the program (format %(version)s; this one reads "
                "up to %(known)s). Update the program first."
            ),
            {"version": version, "known": VERSION},
        )
    content = document.get("content")
    try:
        good = isinstance(content, dict) and content_hash(content) == document.get("sha256")
    except (UnicodeEncodeError, RecursionError) as fault:
        raise _damaged() from fault
    if not good:
        raise ArchiveError(
            "archive_hash",
            _("The archive is not as it was made: it was damaged or changed. Take another copy of it."),
        )
    return content


def _decompress(data: bytes) -> bytes:
    """The JSON, a piece at a time, so that a small file cannot fill the memory."""
    if data[:2] != b"\x1f\x8b":
        raise ArchiveError("archive_format", _("This file is no archive of a tournament."))
    reader = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    parts, size, rest = [], 0, data
    try:
        while not reader.eof:
            part = reader.decompress(rest, _STEP)
            rest = reader.unconsumed_tail
            if not part and not rest:
                raise _damaged()
            size += len(part)
            if size > MOST_BYTES:
                raise ArchiveError(
                    "archive_too_large",
                    _("Unpacked, the file is larger than %(most)s MB: no tournament is as large as that."),
                    {"most": MOST_BYTES // 1024 // 1024},
                )
            parts.append(part)
    except zlib.error as fault:
        raise _damaged() from fault
    return b"".join(parts)


def _parse(text: bytes) -> Any:
    if b"\\u0000" in text:
        raise _damaged()
    try:
        return json.loads(text.decode(), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as fault:
        raise _damaged() from fault


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _damaged() -> ArchiveError:
    return ArchiveError("archive_damaged", _("The file is damaged: it cannot be read to its end."))
