"""What the log says, and how much of it."""

import logging


class RefusalsAsLines(logging.Filter):
    """Takes the traceback off refused requests (wrong host, no permission): they are no fault of the program,
    and many of them would bury one that is.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", 500) < 500:
            record.exc_info = record.exc_text = None
        return True
