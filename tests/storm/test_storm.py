"""A server killed in the middle of the storm: 20 tablets send 1,000 deals (HUAPAI_STORM_DEALS), the server is
killed with SIGKILL 20 times (HUAPAI_STORM_KILLS). Every deal that was acknowledged is there once, none twice;
on SQLite and on PostgreSQL.
"""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest

ROOT = Path(__file__).resolve().parents[2]
TABLETS = 20
#: 1,000 deals in all; a check of every change does with fewer.
DEALS_EACH = int(os.environ.get("HUAPAI_STORM_DEALS", "1000")) // TABLETS
KILLS = int(os.environ.get("HUAPAI_STORM_KILLS", "20"))
#: Every so many kills take the whole server with its master; the others all processes that serve requests,
#: which the master replaces at once.
WHOLE_EVERY = 4
#: The storm must be over by then, with all restarts; a machine busy with other things may need more.
LIMIT_SECONDS = int(os.environ.get("HUAPAI_STORM_SECONDS", "170"))
TOKEN = "s" * 32

#: Makes the event and its joined tablets; prints [[table, secret], …].
PREPARE = """
import json
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from referee.services import devices
from scoring.models import RulesetVersion
from tests.factories import make_event, make_published_draw
from tournament.services.audit import SYSTEM
event = make_event(entries=4 * {tablets}, plan={{"kind": "set", "deals": {deals}}})
draw = make_published_draw(event)
cards = devices.make_cards(actor=SYSTEM, event=event, tables={tablets})
tables = {{table.number: table.pk for table in draw.tables.all()}}
print(json.dumps([[tables[c.table_number], devices.join(card=c, address=None).secret] for c in cards]))
"""

#: Prints what is stored: versions by table and deal, and how many commands.
LOOK = """
import json
import django
django.setup()
from referee.models import DealVersion, ReceivedCommand
from tournament.models import AuditRow
rows = DealVersion.objects.values_list("deal__table", "deal__number", "number", "answer")
print(json.dumps({
    "versions": [[t, d, n, a["scores"]] for t, d, n, a in rows],
    "commands": ReceivedCommand.objects.filter(action="deal.record").count(),
    "audit": AuditRow.objects.filter(action="deal.record").count(),
}))
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment_for(folder: Path, database: str) -> dict[str, str]:
    ours = {"CELERY_BROKER_URL", "CACHE_URL"}
    return {
        **{name: value for name, value in os.environ.items() if name not in ours},
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": database,
        "HUAPAI_DATA": str(folder / "data"),
        "HUAPAI_SECRETS": str(folder / "secrets"),
        "SITE_HTTPS": "0",
        "LOG_LEVEL": "ERROR",
        "PYTHONPATH": str(ROOT),
    }


def run_code(code: str, environment: dict[str, str]) -> Any:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture
def sqlite(tmp_path: Path) -> dict[str, str]:
    return environment_for(tmp_path, f"sqlite:///{tmp_path / 'storm.sqlite3'}")


@pytest.fixture
def postgresql(tmp_path: Path) -> Iterator[dict[str, str]]:
    """A database of its own, gone afterwards, at the server that DATABASE_URL names (else this machine's)."""
    named = os.environ.get("DATABASE_URL", "")
    server = named if named.startswith("postgres") else "postgres://postgres@127.0.0.1:5432/test"
    name = f"storm_{uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield environment_for(tmp_path, f"{server.rpartition('/')[0]}/{name}")
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def wait_for(port: int, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    pytest.fail(f"nothing listens at {port} after {seconds} s")


class Server:
    """The program under gunicorn, killed and started again."""

    def __init__(self, environment: dict[str, str], port: int, log: Path) -> None:
        self.environment, self.port, self.log = environment, port, log
        self.start()

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [
                    sys.executable,
                    *("-W", "ignore", "-m", "gunicorn", "config.wsgi", "--preload"),
                    *("--workers", "2", "--threads", "4", "--bind", f"127.0.0.1:{self.port}"),
                    *("--log-level", "error"),
                ],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def kill_workers(self) -> bool:
        """SIGKILL for all that serve requests; False where none has been started yet."""
        master = self.process.pid
        workers = Path(f"/proc/{master}/task/{master}/children").read_text().split()
        for worker in workers:
            os.kill(int(worker), signal.SIGKILL)
        return bool(workers)

    def kill(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(timeout=10)


class TabletInTheStorm(threading.Thread):
    """Sends its deals one after the other, each until it is acknowledged, as the tablet's outbox does."""

    def __init__(self, port: int, table: int, secret: str, end: float) -> None:
        super().__init__(daemon=True)
        self.port, self.table, self.secret, self.end = port, table, secret, end
        self.acknowledged: dict[int, dict[str, int]] = {}
        self.sent = self.repeated = 0
        self.wrong: list[str] = []
        #: Why sends failed that were sent again, and how often; the last of them in full.
        self.failed: Counter[str] = Counter()
        self.last_failure = ""
        self.connection: http.client.HTTPConnection | None = None

    def run(self) -> None:
        try:
            self.send_all()
        finally:
            self.hang_up()

    def hang_up(self) -> None:
        if self.connection is not None:
            self.connection.close()
        self.connection = None

    def send_all(self) -> None:
        for number in range(1, DEALS_EACH + 1):
            body = json.dumps(
                {
                    "record": record_of(self.table, number),
                    "entered_seat": "N",
                    "based_on": 0,
                    "command_id": str(uuid4()),
                }
            )
            while not self.deliver(number, body):
                if time.monotonic() > self.end:
                    return
                time.sleep(0.05)

    def deliver(self, number: int, body: str) -> bool:
        self.sent += 1
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=15)
            self.connection.request(
                "POST",
                f"/referee/api/tables/{self.table}/deals/{number}/record/",
                body,
                {
                    "Content-Type": "application/json",
                    "Cookie": f"tablet={self.secret}; csrftoken={TOKEN}",
                    "X-CSRFToken": TOKEN,
                },
            )
            answer = self.connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as fault:
            self.failed[type(fault).__name__] += 1
            self.hang_up()
            return False
        if answer.status >= 500:
            self.failed[f"HTTP {answer.status}"] += 1
            self.last_failure = text.decode(errors="replace")[:2000]
            return False
        if answer.status != 200:
            self.wrong.append(f"{answer.status} {text[:300]!r}")
            return True
        found = json.loads(text)
        self.repeated += found["repeated"]
        self.acknowledged[number] = found["outcome"]["answer"]["scores"]
        return True


def record_of(table: int, number: int) -> dict[str, Any]:
    """A deal that differs from the others of its table, so that one in the place of another is noticed."""
    hearts = ["HA", "HK", "HQ", "HJ", "H10", "H9", "H8", "H7", "H6", "H5", "H4", "H3", "H2"]
    mine = [card for place, card in enumerate(hearts) if (number + table) >> (place % 7) & 1]
    return {
        "captures": {
            "N": ["SQ", *mine],
            "W": [card for card in hearts if card not in mine],
            "S": ["DJ", "C10"],
            "E": [],
        },
        "exposed": [],
        "held": {"SQ": "W", "DJ": "W", "C10": "E", "HA": "E"},
    }


def story(tablets: list[TabletInTheStorm], log: Path) -> str:
    """What the tablets and the server said on the way, for whoever has to find out why it took too long."""
    failed = sum((one.failed for one in tablets), Counter())
    last = next((one.last_failure for one in tablets if one.last_failure), "none")
    written = log.read_text(errors="replace")
    raised = Counter(re.findall(r"^[\w.]+(?:Error|Exception|Refused)\b.*", written, re.MULTILINE))
    done = sum(len(one.acknowledged) for one in tablets)
    return (
        f"{done} acknowledged; failed sends: {dict(failed)}\nlast 5xx: {last}\n"
        f"raised in the server: {raised.most_common(5)}\nits last words: {written[-3000:]}"
    )


@contextmanager
def storm(environment: dict[str, str], log: Path) -> Iterator[list[TabletInTheStorm]]:
    """Prepares an event, lets tablets send while the server is killed, gives them when all is sent."""
    joined = run_code(PREPARE.format(tablets=TABLETS, deals=DEALS_EACH), environment)
    port = free_port()
    server = Server(environment, port, log)
    try:
        wait_for(port, 60)
        end = time.monotonic() + LIMIT_SECONDS
        tablets = [TabletInTheStorm(port, table, secret, end) for table, secret in joined]
        for one in tablets:
            one.start()
        total = TABLETS * DEALS_EACH
        for kill in range(1, KILLS + 1):
            # Spread over the storm: each time once another share of the deals is acknowledged.
            while sum(len(one.acknowledged) for one in tablets) < kill * total // (KILLS + 1):
                assert time.monotonic() < end, f"the storm takes too long: {story(tablets, log)}"
                assert not [one.wrong for one in tablets if one.wrong]
                time.sleep(0.01)
            if kill % WHOLE_EVERY == 0:
                server.kill()
                server.start()
            else:
                while not server.kill_workers():
                    assert time.monotonic() < end, "the server does not start"
                    time.sleep(0.05)
        for one in tablets:
            one.join(max(0.0, end - time.monotonic()))
        yield tablets
        print(story(tablets, log))  # noqa: T201 - shown with a failure, or with -s
    finally:
        server.kill()


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_acknowledged_deals_are_there_once_after_the_server_was_killed_again_and_again(
    database: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    environment = request.getfixturevalue(database)
    log = tmp_path / "server.log"
    with storm(environment, log) as tablets:
        assert [one.wrong for one in tablets if one.wrong] == []
        acknowledged = {
            (one.table, number): scores for one in tablets for number, scores in one.acknowledged.items()
        }
        sent = sum(one.sent for one in tablets)
    stored = run_code(LOOK, environment)
    assert len(acknowledged) == TABLETS * DEALS_EACH, story(tablets, log)
    assert sent > len(acknowledged), "no command was cut off: the storm was none"
    found = [(table, deal) for table, deal, _version, _scores in stored["versions"]]
    assert len(found) == len(set(found)), "a deal is there twice"
    assert {version for _table, _deal, version, _scores in stored["versions"]} == {1}
    assert {(table, deal): scores for table, deal, _version, scores in stored["versions"]} == acknowledged
    assert stored["commands"] == stored["audit"] == TABLETS * DEALS_EACH
