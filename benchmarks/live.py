"""Open pages kept up to date: asking again and again (ETag/304) against a stream of events, one worker.

    python benchmarks/live.py [--json] [--clients 500] [--seconds 20] [--threads 8]

A gunicorn worker with so many threads, as `make run` starts two of, serves an event of 40 entries from a
database of its own. Clients hold their connections; each asks for the standings every 1.3 s (as
static/js/live.js does) with the ETag it has. Halfway a new version is published. ``seen_ms`` is how long
after the commit each client has the new bytes; ``answer_ms`` how long an answer takes; ``worker_cpu`` the
share of one processor that the worker takes.

The stream is the simplest there can be: each client holds one response open, on which the worker would write.
A thread serves one response at a time, so ``connected`` says how many clients a worker can hold at all, and
``page_answered`` whether anybody else still gets a page meanwhile.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.server import one_worker, worker_cpu

#: As static/js/live.js asks, in seconds.
EVERY = 1.3

STREAM = '''
import time
from config.wsgi import application as site

def application(environ, start_response):
    """The site, and a stream of events beside it."""
    if environ["PATH_INFO"] != "/stream/":
        return site(environ, start_response)
    start_response("200 OK", [("Content-Type", "text/event-stream")])
    def events():
        while True:
            yield b": still here\\n\\n"
            time.sleep(1)
    return events()
'''


def prepare() -> tuple[str, object]:
    """An event in the database the environment names; its address and itself."""
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from benchmarks.large_event import played_rounds

    event = played_rounds(40, 2, 4)
    return f"/t/{event.tournament.slug}/{event.slug}/standings/", event


def publish_again(event) -> float:
    """A further version of the standings; the moment of its commit."""
    from tests.played import given_penalty
    from tournament import tasks
    from tournament.services.audit import SYSTEM
    from tournament.services.publish import pages_changed, publish_round

    commits: list[float] = []

    def note_and_prepare(**facts) -> None:
        commits.append(time.monotonic())
        tasks.prepare_later(**facts)

    pages_changed.disconnect(tasks.prepare_later)
    pages_changed.connect(note_and_prepare)
    given_penalty(event.entries.get(number=1), -999, round_number=2)
    publish_round(actor=SYSTEM, round=event.rounds.get(number=2), note="x")
    return commits[0]


class Client:
    """One open page: a kept connection and the tag of what it shows."""

    def __init__(self, port: int, path: str) -> None:
        self.port, self.path = port, path
        self.tag = ""
        self.answers: list[float] = []
        self.changes: list[float] = []
        self.failures = 0

    async def follow(self, until: float, delay: float) -> None:
        await asyncio.sleep(delay)
        reader = writer = None
        while time.monotonic() < until:
            began = time.monotonic()
            try:
                if writer is None:
                    reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                status, tag = await self._ask(reader, writer)
                self.answers.append(time.monotonic() - began)
                if status == 200:
                    self.changes.append(time.monotonic())
                    self.tag = tag
            except (OSError, asyncio.IncompleteReadError):
                self.failures += writer is None
                writer = None  # the server closes connections that were idle: the next one is new
                continue
            await asyncio.sleep(max(0.0, EVERY - (time.monotonic() - began)))
        if writer is not None:
            writer.close()

    async def _ask(self, reader, writer) -> tuple[int, str]:
        known = f"If-None-Match: {self.tag}\r\n" if self.tag else ""
        writer.write(
            f"GET {self.path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n"
            f"Accept-Language: zh-CN\r\n{known}\r\n".encode()
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        headers = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        await reader.readexactly(int(headers.get("Content-Length", 0)))
        return int(head.split()[1]), headers.get("ETag", self.tag)


async def polling(port: int, path: str, clients: int, seconds: float, event) -> dict[str, float]:
    """Every client asks; halfway something is published."""
    until = time.monotonic() + seconds
    pages = [Client(port, path) for _ in range(clients)]
    following = [page.follow(until, EVERY * n / clients) for n, page in enumerate(pages)]
    published: list[float] = []

    async def publish_halfway() -> None:
        await asyncio.sleep(seconds / 2)
        published.append(await asyncio.to_thread(publish_again, event))

    await asyncio.gather(publish_halfway(), *following)
    answers = sorted(took for page in pages for took in page.answers)
    seen = sorted(max(0.0, page.changes[-1] - published[0]) for page in pages if len(page.changes) > 1)
    return {
        "clients": clients,
        "answers_per_second": round(len(answers) / seconds),
        "answer_ms_median": round(statistics.median(answers) * 1000, 1),
        "answer_ms_99": round(answers[int(len(answers) * 0.99)] * 1000, 1),
        "seen_by": len(seen),
        "seen_ms_median": round(statistics.median(seen) * 1000),
        "seen_ms_most": round(seen[-1] * 1000),
        "failures": sum(page.failures for page in pages),
    }


async def streaming(port: int, path: str, clients: int) -> dict[str, float]:
    """Every client opens a stream; then somebody else asks for a page."""

    async def open_stream() -> bool:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /stream/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await asyncio.wait_for(reader.readuntil(b"still here"), 5)
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            return False
        held.append(writer)
        return True

    held: list[asyncio.StreamWriter] = []
    connected = await asyncio.gather(*(open_stream() for _ in range(clients)))
    other = Client(port, path)
    try:
        await asyncio.wait_for(other.follow(time.monotonic() + 0.1, 0), 5)
    except TimeoutError:
        pass
    for writer in held:
        writer.close()
    return {"connected": sum(connected), "page_answered": bool(other.answers)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    for name, value in (("clients", 500), ("seconds", 20), ("threads", 8)):
        parser.add_argument(f"--{name}", type=int, default=value)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "HUAPAI_DATA": folder,
            "HUAPAI_SECRETS": folder,
            "SITE_HTTPS": "0",
            "DEBUG": "1",  # static files are not part of this: the bytes of the page are
            "LOG_LEVEL": "ERROR",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        path, event = prepare()
        with one_worker(STREAM, Path(folder), ready=path, environment={}, threads=wanted.threads) as served:
            before = worker_cpu(served)
            figures = asyncio.run(polling(served.port, path, wanted.clients, wanted.seconds, event))
            figures["worker_cpu"] = round((worker_cpu(served) - before) / wanted.seconds, 2)
            figures["stream"] = asyncio.run(streaming(served.port, path, wanted.clients))
    print(json.dumps(figures) if wanted.json else "\n".join(f"{k:20} {v}" for k, v in figures.items()))


if __name__ == "__main__":
    main()
