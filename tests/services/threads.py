"""Things done at once, each in a thread with database connections of its own."""

import threading
from collections.abc import Callable

from django.db import connections


def start(*works: Callable[[], object], seconds: float = 60) -> Callable[[], list[Exception]]:
    """Starts them; the function it gives waits until all are done and gives what went wrong in any."""
    faults: list[Exception] = []

    def run(work: Callable[[], object]) -> None:
        try:
            work()
        except Exception as fault:  # noqa: BLE001 - told to the test
            faults.append(fault)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()

    def wait() -> list[Exception]:
        for thread in threads:
            thread.join(timeout=seconds)
        assert not any(thread.is_alive() for thread in threads)
        return faults

    return wait
