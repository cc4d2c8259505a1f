"""What public pages cost: 200 entries, 8 rounds, one process.

    python benchmarks/publish.py [--json] [--entries 200] [--rounds 8] [--deals 8] [--requests 2000]

``first_build_cpu_ms``  processor time of the standings page from the publication to stored, compressed
                        bytes, in one language, median; nothing is kept from the build before
``served_ratio``        how many requests for that page a second, stored in the database, against a view of
                        the same site that returns the same bytes from memory: over HTTP from one gunicorn
                        worker, four clients, alternating, best of five
``served_cpu_ratio``    the same by processor time of the worker, which other programs disturb less
``compressed_bytes``    of that page
``rebuild_cpu_ms``      processor time after one checked deal in an event that publishes results and standings
                        by itself: both payloads, stored, and every page that had been asked for made anew
                        (event, standings and round, in all three languages)
``rebuild_results_cpu_ms``  the same where only results are published by themselves
"""

import argparse
import http.client
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.large_event import own_database, played_rounds
from benchmarks.server import one_worker, worker_cpu


def cpu_ms(work: Callable[[], object]) -> float:
    """Processor time of this process while the work is done, in milliseconds."""
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1000


def first_build(event, language: str = "zh-hans") -> float:
    """The standings page from the publication to stored bytes."""
    from tournament.models import Event, PublishedPage
    from tournament.queries.published import Published
    from tournament.tasks.pages import prepare_page

    def build() -> None:
        fresh = Event.objects.select_related("tournament", "ruleset_version__book").get(pk=event.pk)
        prepare_page(Published(fresh), "standings", {}, language)

    build()  # templates and catalogs are read once in the life of a process
    times = []
    for _ in range(9):
        PublishedPage.objects.all().delete()
        times.append(cpu_ms(build))
    return statistics.median(times)


#: A view of the same site, behind the same middleware, that returns the page's bytes from memory.
FROM_MEMORY = """
from pathlib import Path
from config.wsgi import application
from django.http import HttpResponse
from django.urls import path
from config import urls

BODY, TAG = Path({body!r}).read_bytes(), {tag!r}

def from_memory(request):
    return HttpResponse(BODY, headers={{"Content-Encoding": "gzip", "ETag": TAG}})

urls.urlpatterns.insert(0, path("from-memory/", from_memory))
"""


def served_ratio(path: str, requests: int) -> dict[str, float]:
    """The stored page against the same bytes from memory, over HTTP from one worker."""
    from django.test import Client

    answer = Client(headers={"accept-encoding": "gzip", "accept-language": "zh-CN"}).get(path)
    body = answer.content
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "body").write_bytes(body)
        code = FROM_MEMORY.format(body=str(folder / "body"), tag=answer["ETag"])
        with one_worker(code, folder, ready="/from-memory/", environment=_same_database()) as served:
            rates: dict[str, list[float]] = {"stored": [], "memory": []}
            costs: dict[str, list[float]] = {"stored": [], "memory": []}
            for _ in range(5):
                for which, address in (("stored", path), ("memory", "/from-memory/")):
                    begun, before = time.perf_counter(), worker_cpu(served)
                    ask_together(served.port, address, requests, body)
                    rates[which].append(requests / (time.perf_counter() - begun))
                    costs[which].append(worker_cpu(served) - before)
    best, least = max(rates["stored"]), min(costs["stored"])
    return {
        "served_ratio": round(best / max(rates["memory"]), 3),
        "served_cpu_ratio": round(min(costs["memory"]) / least, 3),
        "served_per_second": round(best),
        "compressed_bytes": len(body),
    }


def _same_database() -> dict[str, str]:
    """What a server needs to serve from the database of this process, with the settings of a real site."""
    from django.db import connection

    name = connection.settings_dict["NAME"]
    before = os.environ["DATABASE_URL"]
    url = f"sqlite:///{name}" if connection.vendor == "sqlite" else f"{before.rpartition('/')[0]}/{name}"
    return {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings", "LOG_LEVEL": "ERROR"}


def ask_together(port: int, path: str, requests: int, body: bytes, connections: int = 4) -> None:
    """So many requests for a page over a few kept connections; each answer must be these bytes."""

    def ask(count: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        for _ in range(count):
            headers = {"Host": "localhost", "Accept-Encoding": "gzip", "Accept-Language": "zh-CN"}
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            assert (answer.status, answer.read()) == (200, body), answer.status
        connection.close()

    with ThreadPoolExecutor(connections) as threads:
        list(threads.map(ask, [requests // connections] * connections))


def rebuild(event, live: str) -> float:
    """One deal checked, its results published by themselves, the pages people look at made anew."""
    from tests.played import played_deal
    from tournament import tasks
    from tournament.models import Event
    from tournament.queries.published import Published
    from tournament.services.live import mark_everything, mark_table, publish_marked, results_marked
    from tournament.services.publish import pages_changed
    from tournament.tasks.pages import prepare_main_pages

    # Measured here, in this thread, instead of in one of its own a moment later.
    results_marked.disconnect(tasks.publish_soon)
    pages_changed.disconnect(tasks.prepare_later)
    Event.objects.filter(pk=event.pk).update(live=live)
    event.refresh_from_db()
    number = Published(event).latest_draw
    table = event.rounds.get(number=number).draws.get().tables.order_by("number").last()
    mark_everything(event)
    publish_marked(event_id=event.pk)
    times = []
    for deal in range(first := table.deals.count() + 1, first + 7):
        played_deal(table, deal)

        def follow() -> None:
            mark_table(table)
            assert publish_marked(event_id=event.pk), "nothing was published"
            fresh = Event.objects.select_related("tournament", "ruleset_version__book").get(pk=event.pk)
            prepare_main_pages(fresh, number, live=True)

        table.draw.round.event = event
        times.append(cpu_ms(follow))
    return statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    for name, value in (("entries", 200), ("rounds", 8), ("deals", 8), ("requests", 2000)):
        parser.add_argument(f"--{name}", type=int, default=value)
    wanted = parser.parse_args()
    with own_database():
        event = played_rounds(wanted.entries, wanted.rounds, wanted.deals)
        base = f"/t/{event.tournament.slug}/{event.slug}/"
        build = first_build(event)
        served = served_ratio(f"{base}standings/", wanted.requests)
        figures = {
            "first_build_cpu_ms": round(build, 1),
            **served,
            "rebuild_cpu_ms": round(rebuild(event, "standings"), 1),
            "rebuild_results_cpu_ms": round(rebuild(event, "results"), 1),
        }
    if wanted.json:
        print(json.dumps(figures))
    else:
        for key, value in figures.items():
            print(f"{key:26} {value:>10}")


if __name__ == "__main__":
    main()
