"""The hall's Wi-Fi between a browser and the server, which can be switched off for good and on again."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from playwright.sync_api import BrowserContext


class HallNetwork:
    """Passes on every connection to `server` (host and port), or refuses it while it is off.

    Unlike the browser's own "offline" it holds for a browser from its very first request, its service
    worker's included: Chromium told to be offline while it restarts does not start a stored service worker.
    """

    def __init__(self, server: tuple[str, int]) -> None:
        self._server = server
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._open: set[socket.socket] = set()
        self._on = True
        threading.Thread(target=self._accept, daemon=True).start()

    def address(self, host: str = "localhost") -> str:
        """Where a browser finds the server through this network."""
        return f"http://{host}:{self.port}"

    def switch(self, *, on: bool) -> None:
        """Off: connections end in the middle, and new ones at once."""
        self._on = on
        for one in () if on else list(self._open):
            _end(one)

    def close(self) -> None:
        self.switch(on=False)
        _end(self._listener)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _address = self._listener.accept()
                if not self._on:
                    near.close()
                    continue
                far = socket.create_connection(self._server)
                self._open |= {near, far}
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while part := one.recv(65536):
                other.sendall(part)
        for end in (one, other):
            _end(end)
            self._open.discard(end)


def _end(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()


def server_of(live_server: Any) -> tuple[str, int]:
    return live_server.thread.host, live_server.thread.port


def offline_for_good(context: BrowserContext, network: HallNetwork) -> None:
    """From now on `context.set_offline` switches its network as well.

    Chromium's own "offline" is told to each page and worker by itself: one that has just been started, as by
    a reload, can send a request before it has heard of it.
    """
    tell = context.set_offline

    def set_offline(offline: bool) -> None:
        if not offline:
            network.switch(on=True)
        tell(offline)
        if offline:
            network.switch(on=False)

    context.set_offline = set_offline  # type: ignore[method-assign]


@contextmanager
def hall_network(server: tuple[str, int]) -> Iterator[HallNetwork]:
    """A network of its own for one test."""
    network = HallNetwork(server)
    try:
        yield network
    finally:
        network.close()
