"""The site behind gunicorn, as it is served, for benchmarks that ask it over HTTP."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent


class Served(NamedTuple):
    """Where one worker listens, and the process id of its parent."""

    port: int
    master: int


def free_port() -> int:
    """A port nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def one_worker(
    code: str, folder: Path, *, ready: str, environment: Mapping[str, str], threads: int = 8
) -> Iterator[Served]:
    """One gunicorn worker with so many threads for the ``application`` of a module of this text.

    The module is written to ``folder``. Comes back once the worker answers at the address ``ready``; ends it
    afterwards.
    """
    (folder / "served.py").write_text(code, encoding="utf-8")
    port = free_port()
    process = subprocess.Popen(  # noqa: S603 - a fixed program
        [
            sys.executable, "-m", "gunicorn", "served:application", "--bind", f"127.0.0.1:{port}",
            "--workers", "1", "--threads", str(threads), "--keep-alive", "5",
            "--log-level", "error", "--pythonpath", f"{folder},{ROOT}",
        ],
        cwd=ROOT,
        env={**os.environ, **environment},
    )  # fmt: skip
    try:
        _wait_for(port, ready, process)
        yield Served(port, process.pid)
    finally:
        process.kill()
        process.wait()


def _wait_for(port: int, path: str, process: subprocess.Popen[bytes], seconds: float = 30.0) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=seconds) as connection:
                connection.sendall(f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
                if connection.recv(1):
                    return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"nobody answered at port {port} within {seconds:g} s")


def worker_cpu(served: Served) -> float:
    """Seconds of processor time that the worker has taken."""
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended meanwhile
        if int(fields[1]) == served.master:
            total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")
