"""A connection that says no more costs a thread for a while, not for good."""

import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from config import worker

ROOT = Path(__file__).resolve().parents[2]

#: An answer that tells how much of the body came; short times, so that the test is short.
APPLICATION = """
from config import worker

worker.GRACE = 1

def application(environ, start_response):
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    start_response("200 OK", [("Content-Length", "5")])
    return [b"%05d" % len(body)]
"""
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n"


@contextmanager
def _serving(folder: Path):
    (folder / "served.py").write_text(APPLICATION)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [
            sys.executable, "-m", "gunicorn", "served:application", "--bind", f"127.0.0.1:{port}",
            "--worker-class", "config.worker.Worker", "--workers", "1", "--threads", "2",
        ],
        env={**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"},
        cwd=folder,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait(20)


def _open(port: int, data: bytes) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), 15)
    connection.sendall(data)
    return connection


def _answer(connection: socket.socket) -> bytes:
    """What comes until the answer's body is there, or the connection ends."""
    told = b""
    while b"\r\n\r\n0" not in told and (more := connection.recv(1000)):
        told += more
    return told


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    with _serving(tmp_path_factory.mktemp("served")) as port:
        yield port


@pytest.mark.parametrize("left", [GET[:20], POST + b"abc"], ids=["in the head", "in the body"])
def test_connections_that_fall_silent_do_not_keep_the_threads(port, left):
    silent = [_open(port, left) for _ in range(4)]
    with _open(port, GET) as asking:
        assert _answer(asking).startswith(b"HTTP/1.1 200")
    for one in silent:
        assert b"200 OK" not in _answer(one)
        one.close()


def test_a_body_cut_short_is_not_taken_for_the_whole(port):
    with _open(port, POST + b"abc") as asking:
        asking.shutdown(socket.SHUT_WR)
        assert b"200 OK" not in _answer(asking)


def test_one_connection_serves_one_request_after_the_other(port):
    with _open(port, POST + b"0123456789") as asking:
        assert _answer(asking).endswith(b"00010")
        time.sleep(1.2)  # longer than a single request may take to come
        asking.sendall(POST + b"01234")
        asking.sendall(b"56789")
        assert _answer(asking).endswith(b"00010")


def test_what_comes_drop_by_drop_ends(monkeypatch):
    monkeypatch.setattr(worker, "GRACE", 0.2)
    ours, theirs = socket.socketpair()
    reader = worker.BoundedUnreader(ours)
    reader.in_body = True

    def drops():
        for _ in range(100):
            theirs.send(b"x")
            reader.chunk()
            time.sleep(0.01)

    with ours, theirs, pytest.raises(TimeoutError):
        drops()
