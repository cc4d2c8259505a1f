"""`make run`: prepare the database and serve the program to the hall's own network.

Everything here may be done twice: what was entered stays. Settings given in the environment win over
the ones chosen here. What is printed is in the terminal's language (LANG). A real site is started with
gunicorn and its own settings (see docs/development.md).
"""

import hashlib
import os
import re
import signal
import socket
import sys
from pathlib import Path
from typing import Any, NoReturn

from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from config.env import env_list, reachable_name

#: Enough for a hall: a request takes milliseconds, and SQLite lets one writer in at a time anyway.
WORKERS, THREADS = 2, 8
#: How long Ctrl-C waits for requests under way, in seconds. A worker that was still starting when the key was
#: pressed does not hear it and is ended after this time.
STOP_SECONDS = 10


def lan_address() -> str | None:
    """This machine's address in its own network, or None without one. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Choosing a route for a datagram names the outgoing address; the target (a documentation
            # address) is never written to.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if address.startswith(("127.", "0.")) else address


def port_from_environment() -> int:
    """The port to listen at (PORT, 8000 if unset)."""
    text = os.environ.get("PORT") or "8000"
    if not re.fullmatch(r"\d{1,5}", text) or not 0 < int(text) < 65536:
        stop(_("PORT must be a number from 1 to 65535, not “%(text)s”."), text=text)
    return int(text)


def certificate_from_environment() -> list[str]:
    """The server's arguments for https: TLS_CERT and TLS_KEY name the files, both or neither."""
    cert, key = os.environ.get("TLS_CERT", ""), os.environ.get("TLS_KEY", "")
    if not cert and not key:
        return []
    for name, path in {"TLS_CERT": cert, "TLS_KEY": key}.items():
        if not os.path.isfile(path):
            stop(
                _(
                    "%(name)s must name a file of the certificate (TLS_CERT and TLS_KEY go together): "
                    "“%(path)s”"
                ),
                name=name,
                path=path,
            )
    return ["--certfile", cert, "--keyfile", key]


def own_address(scheme: str, port: int) -> str:
    """Where others reach this server: what previews of shared links and feeds name."""
    name = reachable_name(env_list("ALLOWED_HOSTS")) or "localhost"
    usual = {"http": 80, "https": 443}[scheme]
    return f"{scheme}://{name}" if port == usual else f"{scheme}://{name}:{port}"


def allow_own_names() -> None:
    """Add this machine's own names to ALLOWED_HOSTS, behind those given: it answers at what it prints."""
    lan = lan_address()
    own = ["localhost", "127.0.0.1", "[::1]", *([lan] if lan else [])]
    os.environ["ALLOWED_HOSTS"] = ",".join(dict.fromkeys([*env_list("ALLOWED_HOSTS"), *own]))


def ensure_free(port: int) -> None:
    """Stop with a clear message when another program (perhaps this one) has the port."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except PermissionError:
            stop(
                _("This user may not listen at port %(port)s. Choose one above 1023: make run PORT=8000"),
                port=port,
            )
        except OSError:
            stop(
                _("Port %(port)s is taken. Is the program running already? Else: make run PORT=%(next)s"),
                port=port,
                next=port + 1,
            )


def told(text: Any, /, **params: object) -> str:
    """The text in the terminal's language."""
    ready()
    from tournament.management.terminal import terminal_language

    with override(terminal_language()):
        return str(text) % params


def stop(text: Any, /, **params: object) -> NoReturn:
    """End the program with the text."""
    sys.exit(told(text, **params))


def ready() -> None:
    """Start Django, without which there are no texts; again changes nothing."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()


def prepare() -> None:
    """Bring database, static files and demo data up to date; all of it in this process, which is quicker."""
    ready()
    from django.core.management import call_command
    from django.db import connections

    migrate()
    collect_static()
    call_command("demo")
    call_command("prune", verbosity=0)
    connections.close_all()


def migrate() -> None:
    """Bring the tables up to date, or stop and say what to do with a database that cannot be."""
    from django.conf import settings
    from django.core.management import call_command
    from django.db import DatabaseError, connection
    from django.db.migrations.exceptions import BadMigrationError, InconsistentMigrationHistory

    from scripts.schema import missing_parts

    try:
        call_command("migrate", interactive=False, verbosity=0)
        lacking = missing_parts(connection)
    except (BadMigrationError, InconsistentMigrationHistory, DatabaseError) as fault:
        lacking = [str(fault)]
    if not lacking:
        return
    place = settings.DATABASES["default"]["NAME"]
    more = told(_(" and %(more)s more"), more=len(lacking) - 3) if len(lacking) > 3 else ""
    stop(
        _(
            "The database %(place)s cannot be used: it was made by an early version of this program, or is"
            " damaged. What is wrong with it: %(wrong)s.\n"
            "Nothing in it was deleted. To begin with a fresh one, move it to another folder, together with"
            " the files beside it that end in -wal and -shm,\n"
            "or name another folder for the data:   HUAPAI_DATA=/path/to/a/new/folder make run\n"
            "What was entered there can still be read with the version of the program that made it."
        ),
        place=place,
        wrong=", ".join(lacking[:3]) + more,
    )


def collect_static() -> None:
    """Run collectstatic if a static file was added, changed or removed since: compressing takes seconds."""
    from django.conf import settings
    from django.contrib.staticfiles.finders import get_finders
    from django.core.management import call_command

    files = sorted(
        (name, os.stat(storage.path(name)).st_size, os.stat(storage.path(name)).st_mtime_ns)
        for finder in get_finders()
        for name, storage in finder.list([])
    )
    stamp = Path(settings.STATIC_ROOT) / ".collected"
    fingerprint = hashlib.sha256(repr(files).encode()).hexdigest()
    if not stamp.exists() or stamp.read_text() != fingerprint:
        call_command("collectstatic", interactive=False, verbosity=0, clear=True)
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.write_text(fingerprint)


def name_addresses(scheme: str, port: int) -> None:
    """Print where the running server is reached, here and from other devices, and how to stop it."""
    print(f"\n  {scheme}://127.0.0.1:{port}/", flush=True)
    if reachable_name(env_list("ALLOWED_HOSTS")):
        others = told(_("(other devices in this network)"))
        print(f"  {own_address(scheme, port)}/   {others}", flush=True)
    print(f"  {told(_('Ctrl-C stops the server; what was entered stays.'))}\n", flush=True)


def interrupted() -> int:
    """The exit code after Ctrl-C before the server answered, as a shell gives it: nothing went wrong, so no
    traceback. What was under way is not done, and is done by the next start.
    """
    return 128 + signal.SIGINT


def main() -> None:
    port = port_from_environment()
    certificate = certificate_from_environment()
    ensure_free(port)
    allow_own_names()
    # Most halls' networks have no certificates; a site on the internet sets SITE_HTTPS=1.
    os.environ.setdefault("SITE_HTTPS", "1" if certificate else "0")
    scheme = "https" if certificate else "http"
    os.environ.setdefault("SITE_ADDRESS", own_address(scheme, port))

    prepare()

    os.execv(  # noqa: S606 -- a fixed program replaces this process
        sys.executable,
        [
            sys.executable, "-m", "scripts.hall", "config.wsgi",
            "--bind", f"0.0.0.0:{port}", "--workers", str(WORKERS), "--threads", str(THREADS),
            "--worker-class", "config.worker.Worker",
            "--graceful-timeout", str(STOP_SECONDS), "--log-level", "warning", "--preload",
            # One in the user's home, for all servers of that user: nobody asks it anything.
            "--no-control-socket", *certificate,
        ],
    )  # fmt: skip


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(interrupted())
