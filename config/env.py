"""Reading settings from environment variables."""

import os
import re
import secrets
from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path


def env_str(name: str, default: str = "") -> str:
    """The variable's text, or the default where it is unset or empty."""
    return os.environ.get(name) or default


def env_bool(name: str, default: bool) -> bool:
    """True for 1/true/yes/on, False for 0/false/no/off; anything else is refused rather than guessed."""
    value = os.environ.get(name, "").strip().lower()
    if not value:
        return default
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    raise ValueError(f"{name} must be 1 or 0, not {value!r}")


def env_int(name: str, default: int) -> int:
    """The variable as a whole number, 0 or more; anything else is refused."""
    value = os.environ.get(name, "").strip()
    if not value:
        return default
    if not value.isdecimal():
        raise ValueError(f"{name} must be a whole number, not {value!r}")
    return int(value)


def env_rate(name: str, default: str) -> str:
    """So many requests in a time, as REST framework reads it: 600/min. Anything else is refused here, for it
    would be with the first request, and with every one.
    """
    value = env_str(name, default).strip()
    if not re.fullmatch(r"[1-9][0-9]{0,8}/[smhd][a-z]*", value):
        raise ValueError(f"{name} must be like 600/min (s, min, hour or day), not {value!r}")
    return value


def env_list(name: str, default: str = "") -> list[str]:
    """Comma-separated values, blanks dropped."""
    return [part.strip() for part in env_str(name, default).split(",") if part.strip()]


def secret_key(home: Path) -> str:
    """SECRET_KEY from the environment, else one generated once and kept in the folder `home`.

    The file lies outside the repository and is readable by its owner only; creating it with O_EXCL lets
    two processes that start together agree on one key. Once it is there the folder need not be writable.
    """
    given = env_str("SECRET_KEY")
    if given:
        return given
    path = home / "secret_key"
    if not path.exists():
        _keep_a_fresh_key(path)
    return path.read_text().strip()


def _keep_a_fresh_key(path: Path) -> None:
    home = path.parent
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = secrets.token_urlsafe(64)
    temporary = home / f".secret_key.{os.getpid()}.{secrets.token_hex(4)}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as stream:
        stream.write(fresh)
    try:
        # A hard link appears whole or not at all: no reader ever sees a half-written key.
        os.link(temporary, path)
    except FileExistsError:
        pass
    finally:
        temporary.unlink()


def reachable_name(hosts: Sequence[str]) -> str:
    """The first of the site's names that others reach it by: no pattern, and not this machine's own; or "".

    >>> reachable_name(["localhost", "127.0.0.1", "[::1]", ".example", "results.example"])
    'results.example'
    """
    for host in hosts:
        bare = host.strip("[]")
        try:
            own = ip_address(bare).is_loopback or ip_address(bare).is_unspecified
        except ValueError:
            own = bare == "localhost" or bare.endswith(".localhost")
        if not own and not host.startswith((".", "*")):
            return host
    return ""


def site_address(given: str, hosts: Sequence[str], *, https: bool) -> str:
    """The site's own address without a slash at its end: as given, else that of its first name over https.

    Empty where neither is known. A name without https is none: such sites are reached by ports of their own.
    Nothing comes from a request, so what is prepared for everybody names no address that one of them sent.
    """
    if given:
        return given.rstrip("/")
    name = reachable_name(hosts)
    return f"https://{name}" if https and name else ""
