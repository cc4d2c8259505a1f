"""Bodies that are files, taken as they are, within the size that any file of their kind has."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.parsers import BaseParser

from referee.parsers import BodyTooLarge
from tournament.excel.package import LARGEST_FILE
from tournament.forms.archives import LARGEST_FILE as LARGEST_ARCHIVE
from tournament.views.manage.downloads import XLSX

GZIP = "application/gzip"


class WorkbookParser(BaseParser):
    """Reads a workbook's bytes. Raises BodyTooLarge."""

    media_type = XLSX
    largest = LARGEST_FILE

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        content = stream.read(self.largest + 1)
        if len(content) > self.largest:
            raise BodyTooLarge
        return content


class ArchiveParser(WorkbookParser):
    """Reads a tournament's archive. Raises BodyTooLarge."""

    media_type = GZIP
    largest = LARGEST_ARCHIVE
