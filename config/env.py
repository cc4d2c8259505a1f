"""Reading settings from environment variables."""

import os
import secrets
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
    """The variable as a whole number."""
    value = os.environ.get(name, "").strip()
    return int(value) if value else default


def env_list(name: str, default: str = "") -> list[str]:
    """Comma-separated values, blanks dropped."""
    return [part.strip() for part in env_str(name, default).split(",") if part.strip()]


def secret_key(home: Path) -> str:
    """SECRET_KEY from the environment, else one generated once and kept in the data folder.

    The file lies outside the repository and is readable by its owner only; creating it with O_EXCL lets
    two processes that start together agree on one key.
    """
    given = env_str("SECRET_KEY")
    if given:
        return given
    path = home / "secret_key"
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
    return path.read_text().strip()
