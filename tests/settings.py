"""The program's own settings, kept away from the user's data and made quick for tests."""

import os
import tempfile

# Before config.settings is read: a test must never see, nor write, what was entered in the real program.
_scratch = tempfile.TemporaryDirectory(prefix="huapai-tests-")
os.environ["HUAPAI_DATA"] = os.environ["HUAPAI_SECRETS"] = _scratch.name
# WhiteNoise warns of a folder that collectstatic has not made, and warnings are errors.
os.mkdir(os.path.join(_scratch.name, "static"))
os.environ.setdefault("DATABASE_URL", "sqlite://:memory:")
os.environ.setdefault("SITE_HTTPS", "0")
os.environ.setdefault("LOG_LEVEL", "WARNING")
# Tests send more than any program may; those of the limit set their own.
os.environ.setdefault("API_RATE", "1000000/min")

from config.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Pages are tested without collectstatic having run.
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":  # noqa: F405
    # A file, as in earnest: in memory, threads share one cache whose table locks no timeout waits for.
    # Nothing here has to survive a power cut.
    DATABASES["default"]["TEST"] = {"NAME": os.path.join(_scratch.name, "test.sqlite3")}  # noqa: F405
    DATABASES["default"]["OPTIONS"]["init_command"] = (  # noqa: F405
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA foreign_keys=ON;"
    )

if os.environ.get("SLOW_ANSWERS"):
    MIDDLEWARE = ["tests.slow_answers.SlowAnswers", *MIDDLEWARE]  # noqa: F405
