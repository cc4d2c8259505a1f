"""`make screenshots`: take the README's pictures from a demo server started for it.

The server has a data folder of its own, so pictures show the demo events as they are shipped and
nothing that somebody entered. SHOTS is the list of pictures; the files go to docs/pictures.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "pictures"

TABLET = (1024, 768)
DESK = (1366, 768)
PHONE = (390, 844)
PROJECTOR = (1920, 1080)


@dataclass(frozen=True)
class Shot:
    """One picture. ``login`` is a demo user's name ("" for the public); ``follow`` are links clicked after
    loading ``path``, as CSS selectors, because demo events' numbers may differ from run to run."""

    name: str
    path: str
    viewport: tuple[int, int]
    login: str = ""
    follow: tuple[str, ...] = ()
    language: str = "zh-hans"


#: A table's link on the referee's page: those with something to check come first.
_TABLE = ":nth-match(main a[href*='/referee/table/'], {})"
#: What is tapped for a deal half entered.
_ENTERED = (
    "#entered-by [data-seat='N']",
    *(
        f":nth-match(.key-row[data-copy='{card}#1'] .tap--seat, {place})"
        for card, place in (("SQ", 1), ("DJ", 4), ("C10", 2), ("HA", 3))
    ),
    ".seat-box[data-seat='N']",
    ".pad [data-copy='SQ#1']",
    ".pad [data-copy='H9#1']",
    ".seat-box[data-seat='S']",
    *(f".pad [data-copy='{card}#1']" for card in ("DJ", "HA", "HK", "H7", "H4")),
)

#: One row for each picture.
SHOTS: tuple[Shot, ...] = (
    Shot("home", "/", DESK),
    Shot("standings-phone", "/t/demo/individual/standings/", PHONE),
    Shot("round-phone", "/t/demo/individual/round/3/", PHONE),
    Shot("deals-phone", "/t/demo/individual/round/2/table/1/", PHONE),
    Shot("entry-phone", "/t/demo/individual/entry/1/", PHONE),
    Shot("statistics-phone", "/t/demo/individual/statistics/", PHONE),
    Shot("standings", "/t/demo/pairs/standings/", DESK),
    Shot("hall-screen", "/t/demo/individual/screen/", PROJECTOR),
    Shot("referee-home", "/referee/", TABLET, login="referee"),
    Shot("referee-entry", "/referee/", TABLET, login="referee", follow=(_TABLE.format(2), *_ENTERED)),
    Shot("referee-table", "/referee/", TABLET, login="referee", follow=(_TABLE.format(1),)),
    Shot("desk", "/referee/board/demo/", DESK, login="chief"),
    Shot("organiser-event", "/manage/t/demo/e/individual/", DESK, login="organiser"),
    Shot("organiser-draw", "/manage/t/demo/e/individual/rounds/3/draw/", DESK, login="organiser"),
    Shot("organiser-board", "/manage/t/demo/e/individual/rounds/3/", DESK, login="organiser"),
    Shot("ruleset", "/manage/rulesets/huapai/", DESK, login="organiser"),
)

#: Password of the demo log-ins (see the `demo` command).
DEMO_PASSWORD = os.environ.get("DEMO_PASSWORD", "demo")
START_SECONDS = 300


def free_port() -> int:
    """A port nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def demo_server() -> Iterator[str]:
    """A server with fresh demo data; gives its address and stops it afterwards.

    Raises:
        RuntimeError: it did not answer within START_SECONDS.
    """
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="huapai-pictures-") as folder:
        environment = {**os.environ, "HUAPAI_DATA": folder, "HUAPAI_SECRETS": folder, "PORT": str(port)}
        environment.pop("DATABASE_URL", None)
        server = subprocess.Popen([sys.executable, "-m", "scripts.serve"], cwd=ROOT, env=environment)
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(address, server)
            yield address
        finally:
            server.terminate()
            server.wait(timeout=20)


def _wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise RuntimeError(f"The server stopped with exit code {server.returncode}.")
        try:
            with urllib.request.urlopen(address, timeout=5):  # noqa: S310 -- this machine's own server
                return
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.3)
    raise RuntimeError(f"No answer from {address} within {START_SECONDS} s.")


def take(browser: Browser, address: str, shot: Shot) -> Path:
    """Take one picture and return its file."""
    context = browser.new_context(
        viewport={"width": shot.viewport[0], "height": shot.viewport[1]},
        locale={"zh-hans": "zh-CN", "zh-hant": "zh-TW", "en": "en-GB"}[shot.language],
        timezone_id="Asia/Shanghai",
        reduced_motion="reduce",
    )
    context.add_cookies([{"name": "django_language", "value": shot.language, "url": address}])
    page = context.new_page()
    if shot.login:
        log_in(page, address, shot.login)
    _must_load(page, address + shot.path)
    for selector in shot.follow:
        page.locator(selector).first.click()
        page.wait_for_load_state("networkidle")
    file = TARGET / f"{shot.name}.png"
    page.screenshot(path=file, animations="disabled")
    context.close()
    return file


def log_in(page: Page, address: str, name: str) -> None:
    """Log a demo user in through the log-in page."""
    _must_load(page, f"{address}/accounts/login/")
    page.fill("input[name=username]", name)
    page.fill("input[name=password]", DEMO_PASSWORD)
    page.press("input[name=password]", "Enter")
    page.wait_for_url(lambda url: "/login" not in url)


def _must_load(page: Page, url: str) -> None:
    answer = page.goto(url, wait_until="networkidle")
    if answer is None or not answer.ok:
        raise RuntimeError(f"{url}: {answer.status if answer else 'no answer'}")


def main(names: list[str]) -> int:
    """Take the named pictures, or all of them."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        print("Chromium is needed. On Debian and Ubuntu: apt install chromium", file=sys.stderr)
        return 1
    unknown = set(names) - {shot.name for shot in SHOTS}
    if unknown:
        print("No such picture: " + ", ".join(sorted(unknown)), file=sys.stderr)
        return 2
    TARGET.mkdir(parents=True, exist_ok=True)
    with demo_server() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium,
            args=["--no-sandbox", "--disable-background-networking", "--disable-component-update"],
        )
        for shot in SHOTS:
            if not names or shot.name in names:
                print(take(browser, address, shot).relative_to(ROOT))
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
