"""Work that may wait a moment, done once for a burst of calls, in a thread of this process."""

import logging
import threading
import time
from collections.abc import Callable

from django.db import connections

logger = logging.getLogger(__name__)


class Soon:
    """Does ``work`` for a key a moment after it was called for, however often it is called in between.

    A call that comes while the work is being done leads to another turn, so the last call is always followed
    by a whole turn. One thread at most for each key, none while there is nothing to do. Faults of the work
    are logged and end nothing: a turn that failed is taken again, ``ATTEMPTS`` times in all, for a fault such
    as a store that is locked passes, and the next call may be long in coming.

    ``wait`` is in seconds. Where a turn takes long or has failed, the next is waited for longer, up to
    ``LONGEST``: the work leaves two thirds of a processor to the requests.
    """

    LONGEST = 1.0
    ATTEMPTS = 4

    def __init__(self, work: Callable[[int], object], *, wait: float) -> None:
        self._work = work
        self._wait = wait
        self._lock = threading.Lock()
        self._called: dict[int, threading.Event] = {}

    def call(self, key: int) -> None:
        """Asks for a turn; returns at once."""
        with self._lock:
            if key in self._called:
                self._called[key].set()
                return
            self._called[key] = threading.Event()
            self._called[key].set()
        # Not a daemon: a server that stops finishes what it has begun.
        threading.Thread(target=self._run, args=(key,), name=f"soon-{key}").start()

    def _run(self, key: int) -> None:
        called = self._called[key]
        took, faults = 0.0, 0
        try:
            while True:
                time.sleep(min(max(self._wait * 4 ** min(faults, self.ATTEMPTS), 2 * took), self.LONGEST))
                called.clear()
                began = time.monotonic()
                faults = 0 if self._turn(key) else faults + 1
                took = time.monotonic() - began
                with self._lock:
                    if not called.is_set() and not 0 < faults < self.ATTEMPTS:
                        del self._called[key]
                        return
        finally:
            connections.close_all()

    def _turn(self, key: int) -> bool:
        """Whether the work could be done."""
        try:
            self._work(key)
        except Exception:
            logger.exception("work that was called for could not be done")
            return False
        return True
