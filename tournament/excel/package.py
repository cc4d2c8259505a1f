"""Opening a workbook that a stranger may have made: what kind of file it is, and how much it may unpack to.

An .xlsx file is a zip of XML parts. Its directory is checked before anything is unpacked, and a part is
unpacked in pieces, counted as they come, so that neither a lying directory nor a bomb costs memory.
"""

import io
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pyexpat import ExpatError
from typing import IO

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from tournament.services.entry_sheet import SheetFault

MEGABYTE = 1024 * 1024
LARGEST_FILE = 10 * MEGABYTE
#: Bytes that all parts read together may unpack to; 5,000 entries with six columns take about 2 MB.
LARGEST_UNPACKED = 16 * MEGABYTE
MOST_PARTS = 1000
#: Faults that are told one by one; nobody reads more.
MOST_FAULTS = 1_000
_PIECE = 64 * 1024
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError)
#: How each part's entry in a zip's directory begins.
_DIRECTORY_ENTRY = b"PK\x01\x02"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
#: The name of the stream that holds an encrypted workbook, as an OLE file stores it.
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


class UnreadableFileError(Exception):
    """The file is refused as a whole; carries the one fault to show."""

    def __init__(self, code: str, **params: object) -> None:
        self.fault = SheetFault(code, params=params)
        super().__init__(code)


class Package:
    """The parts of a workbook file. Raises UnreadableFileError for whatever is not a harmless .xlsx file."""

    def __init__(self, file: IO[bytes] | bytes) -> None:
        data = file if isinstance(file, bytes) else _read(file)
        if len(data) > LARGEST_FILE:
            raise UnreadableFileError("file_too_large", limit=LARGEST_FILE // MEGABYTE)
        if data.startswith(_OLE):
            raise UnreadableFileError("protected_workbook" if _ENCRYPTED in data else "old_workbook")
        if not data.startswith(b"PK\x03\x04"):
            raise UnreadableFileError("not_a_workbook")
        # Counted first: making an object of each of 200,000 names in a directory takes seconds and memory.
        if data.count(_DIRECTORY_ENTRY) > MOST_PARTS:
            raise UnreadableFileError("unpacks_too_large")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (*_DAMAGE, ValueError) as error:
            raise UnreadableFileError("damaged") from error
        self._left = LARGEST_UNPACKED
        self._check_directory()

    def _check_directory(self) -> None:
        infos = self._zip.infolist()
        names = [info.filename for info in infos]
        self._parts = {info.filename.lower(): info for info in infos}
        if len(self._parts) != len(infos):
            raise UnreadableFileError("damaged")
        if any(info.flag_bits & 0x1 for info in infos):
            raise UnreadableFileError("protected_workbook")
        if any(name.lower().endswith(("vbaproject.bin", "vbadata.xml")) for name in names):
            raise UnreadableFileError("macros")
        if "[content_types].xml" not in self._parts:
            raise UnreadableFileError("not_a_workbook")
        if sum(info.file_size for info in infos if info.filename.lower().endswith(".xml")) > LARGEST_UNPACKED:
            raise UnreadableFileError("unpacks_too_large")

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._parts

    def pieces(self, name: str) -> Iterator[bytes]:
        """The part's bytes piece by piece.

        Raises UnreadableFileError once more has been unpacked than is accepted.
        """
        info = self._parts.get(name.lower())
        if info is None:
            raise UnreadableFileError("damaged")
        try:
            with self._zip.open(info) as stream:
                while piece := stream.read(_PIECE):
                    self._left -= len(piece)
                    if self._left < 0:
                        raise UnreadableFileError("unpacks_too_large")
                    yield piece
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            NotImplementedError,
            OSError,
            RuntimeError,
        ) as error:
            raise UnreadableFileError("damaged") from error

    def parse(self, name: str, handler: "PartHandler") -> None:
        """Feeds the part to the handler's start, end and text.

        A document type or an entity definition is refused as soon as it begins, so nothing can expand.
        """
        # The defused parser sets expat up to refuse; the handlers are then tied to expat directly, which
        # takes a third of the time of going through element objects.
        expat = DefusedXMLParser(forbid_dtd=True).parser
        expat.StartElementHandler = handler.start
        expat.EndElementHandler = handler.end
        expat.CharacterDataHandler = handler.text
        expat.DefaultHandlerExpand = None
        expat.CommentHandler = None
        expat.ProcessingInstructionHandler = None
        expat.ordered_attributes = False
        expat.buffer_text = True
        try:
            for piece in self.pieces(name):
                expat.Parse(piece, False)
            expat.Parse(b"", True)
        except DefusedXmlException as error:
            raise UnreadableFileError("unsafe_xml") from error
        except (ExpatError, ValueError) as error:
            raise UnreadableFileError("damaged") from error


class PartHandler:
    """What a reader of a part provides. Element names come as ``namespace}name``; see `local`."""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""

    def end(self, tag: str) -> None:
        """An element ends."""

    def text(self, data: str) -> None:
        """Text within the element of the moment."""


def first_faults(faults: Sequence[SheetFault]) -> tuple[SheetFault, ...]:
    """The faults that are told: the first MOST_FAULTS, and how many more there are."""
    more = len(faults) - MOST_FAULTS
    if more <= 0:
        return tuple(faults)
    return (*faults[:MOST_FAULTS], SheetFault("more_faults", params={"count": more}))


@lru_cache(maxsize=1024)
def local(tag: str) -> str:
    """The name without its namespace: ordinary and “strict” workbooks differ in namespaces only."""
    return tag.rpartition("}")[2]


def _read(file: IO[bytes]) -> bytes:
    if hasattr(file, "seek"):
        file.seek(0)
    return file.read(LARGEST_FILE + 1)
