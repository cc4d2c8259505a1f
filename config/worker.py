"""gunicorn's worker with threads, with an end to waiting for the other side.

gunicorn waits for the rest of a request, and for an answer to be taken, as long as the connection stands. A
phone that leaves the hall in the middle of either says nothing any more, and a thread is gone until the
server is started anew; there are eight in a worker. Here both have their time, and a request that is not
whole is never answered as if it were.
"""

import errno
from time import monotonic
from typing import Any

from gunicorn.http.errors import NoMoreData
from gunicorn.http.unreader import SocketUnreader
from gunicorn.workers.gthread import TConn, ThreadWorker

#: Seconds in which a request has to arrive, and bytes a second that it may be longer for: what comes drop by
#: drop, each in time, ends too.
GRACE, LEAST_RATE = 20.0, 4096
#: Seconds in which what is written at once, a page or a piece of a file, has to be taken.
SENDING = 60.0


class BoundedUnreader(SocketUnreader):
    """Reads requests of a connection, each within its time."""

    def __init__(self, sock: Any) -> None:
        super().__init__(sock)
        self.begin()

    def begin(self) -> None:
        """A request begins: its time runs from now."""
        self._until = monotonic() + GRACE
        self.in_body = False

    def chunk(self, size_hint: int | None = None) -> bytes:
        """The next piece. Raises NoMoreData where the head of a request is late, TimeoutError where its body
        is, and ConnectionResetError where that ends too soon.
        """
        left = self._until - monotonic()
        try:
            if left <= 0:
                raise TimeoutError
            self.sock.settimeout(left)
            data: bytes = super().chunk(size_hint)
        except TimeoutError as late:
            if self.in_body:
                raise
            raise NoMoreData from late
        finally:
            self.sock.settimeout(SENDING)
        if not data and self.in_body:
            raise ConnectionResetError(errno.ECONNRESET, "the connection ended within a request")
        self._until += len(data) / LEAST_RATE
        return data


class Worker(ThreadWorker):
    """For ``gunicorn --worker-class config.worker.Worker``."""

    def handle(self, conn: TConn) -> Any:
        made = conn.init

        def init() -> None:
            made()
            if conn.is_http2:
                return
            if not isinstance(conn.parser.unreader, BoundedUnreader):
                conn.parser.unreader = BoundedUnreader(conn.sock)
            conn.parser.unreader.begin()

        # Called by the worker once there is something to read, before it is read.
        conn.init = init
        try:
            return super().handle(conn)
        finally:
            conn.init = made

    def handle_request(self, req: Any, conn: TConn) -> Any:
        conn.parser.unreader.in_body = True
        try:
            return super().handle_request(req, conn)
        except TimeoutError as late:  # the answer was not taken: as if the other side had hung up
            raise ConnectionResetError(errno.ECONNRESET, "the answer was not taken in time") from late
