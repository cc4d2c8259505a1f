"""`make run` as an organiser starts it: twice in a row, keeping what was entered in between."""

import os
import signal
import socket
import sqlite3
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
START_SECONDS = 120


@pytest.fixture
def environment(tmp_path):
    """The environment of a user who has set nothing, with a data folder of its own."""
    ours = {
        "DATABASE_URL",
        "CELERY_BROKER_URL",
        "CACHE_URL",
        "DJANGO_SETTINGS_MODULE",
        "LOG_LEVEL",
        "MAKEFLAGS",
        # What the tests' own settings put into the environment.
        "SITE_HTTPS",
        "DEBUG",
        "SECRET_KEY",
        "ALLOWED_HOSTS",
        # What a browser in the same process of tests asks for.
        "DJANGO_ALLOW_ASYNC_UNSAFE",
    }
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    return {
        **{name: value for name, value in os.environ.items() if name not in ours},
        "HUAPAI_DATA": str(tmp_path / "数据 data"),
        "HUAPAI_SECRETS": str(tmp_path / "secrets"),
        "PORT": str(port),
        "LC_ALL": "en_GB.UTF-8",
    }


def _begun(environment: dict[str, str], log: Path) -> subprocess.Popen[bytes]:
    """`make run`, just started, writing to ``log``."""
    with log.open("w") as output:
        return subprocess.Popen(
            ["make", "run"],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def _stop(process: subprocess.Popen[bytes]) -> None:
    """As Ctrl-C does it."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)
    process.wait(timeout=30)


@contextmanager
def running(environment: dict[str, str], log: Path, trusted: ssl.SSLContext | None = None) -> Iterator[str]:
    """`make run`, from when it answers, writing to ``log``; stopped as Ctrl-C does it."""
    process = _begun(environment, log)
    address = f"{'https' if trusted else 'http'}://127.0.0.1:{environment['PORT']}"
    try:
        _wait(address, process, log, trusted)
        yield address
    finally:
        _stop(process)


def _wait(address: str, process: subprocess.Popen[bytes], log: Path, trusted: ssl.SSLContext | None) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            pytest.fail(f"make run stopped:\n{log.read_text()}")
        try:
            with urllib.request.urlopen(address, timeout=10, context=trusted) as answer:
                answer.read()
            return
        except urllib.error.HTTPError as fault:
            fault.close()
            pytest.fail(f"{fault}\n{log.read_text()}")
        except OSError:
            time.sleep(0.3)
    pytest.fail(f"no answer within {START_SECONDS} s:\n{log.read_text()}")


@pytest.fixture
def starting(environment, tmp_path):
    """Starts `make run` and gives its process and what it has printed once a text stands there."""
    begun = []

    def start(text: str) -> tuple[subprocess.Popen[bytes], Path]:
        log = tmp_path / f"log {len(begun)}"
        process = _begun(environment, log)
        begun.append(process)
        deadline = time.monotonic() + START_SECONDS
        while text not in log.read_text():
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.02)
        return process, log

    yield start
    for process in begun:
        _stop(process)


def _rows(environment: dict[str, str]) -> dict[str, int]:
    with closing(sqlite3.connect(Path(environment["HUAPAI_DATA"]) / "huapai.sqlite3")) as database:
        tables = [
            name
            for (name,) in database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
            )
            if name.startswith(("tournament_", "referee_", "scoring_", "auth_user"))
            # Rendered pages are derived: every migration voids them, and they are made anew when asked for.
            and name != "tournament_publishedpage"
        ]
        return {name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in tables}


def test_make_run_serves_twice_and_keeps_what_was_entered(environment, tmp_path):
    log = tmp_path / "log"
    with running(environment, log) as address:
        with urllib.request.urlopen(f"{address}/accounts/login/") as answer:
            page = answer.read().decode()
        assert 'lang="zh-hans"' in page
        assert "登录" in page
        style = page.split('<link rel="stylesheet" href="')[1].split('"')[0]
        with urllib.request.urlopen(address + style) as answer:
            assert answer.headers["Cache-Control"].startswith("max-age=3")  # a year: its name has a digest
    assert f"http://127.0.0.1:{environment['PORT']}/" in log.read_text()

    first = _rows(environment)
    assert first["tournament_event"] >= 3
    with closing(sqlite3.connect(Path(environment["HUAPAI_DATA"]) / "huapai.sqlite3")) as database, database:
        database.execute("UPDATE auth_user SET first_name = '改过' WHERE id = 1")

    # Not at the first start, whose installation reads and keeps what pip has in a home.
    with running({**environment, "HOME": str(tmp_path / "home")}, log):
        pass
    assert _rows(environment) == first
    assert not (tmp_path / "home").exists()  # everything lies in the folders that the settings name
    with closing(sqlite3.connect(Path(environment["HUAPAI_DATA"]) / "huapai.sqlite3")) as database:
        assert database.execute("SELECT first_name FROM auth_user WHERE id = 1").fetchone() == ("改过",)


def test_ctrl_c_before_the_server_answers_is_no_fault(starting):
    # Within the making of the demo, and while gunicorn reads the program.
    for text in ("this takes some seconds", "referee2   demo"):
        process, log = starting(text)
        os.killpg(process.pid, signal.SIGINT)
        process.wait(timeout=30)
        assert "Traceback" not in log.read_text()


def test_an_address_is_named_once_it_answers(environment, starting):
    address = f"http://127.0.0.1:{environment['PORT']}/"
    starting(address)
    with urllib.request.urlopen(address, timeout=20) as answer:
        assert answer.status == 200


def test_make_run_serves_https_with_a_certificate(environment, tmp_path):
    cert, key = tmp_path / "hall.crt", tmp_path / "hall.key"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
            *("-nodes", "-days", "2", "-subj", "/CN=hall", "-addext", "subjectAltName=IP:127.0.0.1"),
            *("-keyout", str(key), "-out", str(cert)),
        ],
        check=True,
        capture_output=True,
    )
    trusted = ssl.create_default_context(cafile=str(cert))
    environment |= {"TLS_CERT": str(cert), "TLS_KEY": str(key)}
    with (
        running(environment, tmp_path / "log", trusted) as address,
        urllib.request.urlopen(f"{address}/accounts/login/", context=trusted) as answer,
    ):
        assert "Secure" in answer.headers["Set-Cookie"]
    assert f"{address}/" in (tmp_path / "log").read_text()


def test_make_run_names_a_certificate_that_is_not_there(environment, tmp_path):
    environment["TLS_CERT"] = str(tmp_path / "nowhere.crt")
    result = subprocess.run(
        ["make", "run"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode != 0
    assert "TLS_CERT must name a file" in result.stderr


def test_make_run_names_a_taken_port(environment):
    with socket.socket() as other:
        other.bind(("127.0.0.1", int(environment["PORT"])))
        other.listen()
        result = subprocess.run(
            ["make", "run"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
    assert result.returncode != 0
    assert f"Port {environment['PORT']} is taken" in result.stderr


def test_check_deploy_is_clean_for_a_site_that_set_nothing(environment):
    result = subprocess.run(
        [str(ROOT / ".venv/bin/python"), "manage.py", "check", "--deploy", "--fail-level", "INFO"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
