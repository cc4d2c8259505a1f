"""All settings, each from an environment variable with a safe default.

DEBUG is off unless asked for, cookies and redirects assume HTTPS unless SITE_HTTPS=0 (which `make run`
sets for a hall without certificates), the secret key is generated outside the repository.
"""

from pathlib import Path

import dj_database_url
from django.utils.translation import gettext_lazy as _

from config.env import env_bool, env_int, env_list, env_rate, env_str, secret_key, site_address

BASE_DIR = Path(__file__).resolve().parent.parent
#: What the site makes while it runs: the SQLite database and collected static files (not in version control).
DATA_DIR = Path(env_str("HUAPAI_DATA", str(BASE_DIR / "var")))
DATA_DIR.mkdir(parents=True, exist_ok=True)
#: The generated secret lies outside the checkout, so that no copy or archive of it carries the key away.
SECRET_DIR = Path(env_str("HUAPAI_SECRETS", str(Path.home() / ".local" / "share" / "huapai")))

DEBUG = env_bool("DEBUG", False)
SECRET_KEY = secret_key(SECRET_DIR)
SECRET_KEY_FALLBACKS = env_list("SECRET_KEY_FALLBACKS")
ALLOWED_HOSTS = env_list("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
# HTTPS is the default; SITE_HTTPS=0 is for a hall's own network without certificates.
SITE_HTTPS = env_bool("SITE_HTTPS", True)
#: The site's own address, e.g. https://results.example, for links that leave it: previews of shared pages,
#: feeds. Unless given it is https:// with the first of ALLOWED_HOSTS that others reach the site by.
SITE_ADDRESS = site_address(env_str("SITE_ADDRESS"), ALLOWED_HOSTS, https=SITE_HTTPS)
CSRF_TRUSTED_ORIGINS = env_list("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "scoring",
    "tournament",
    "referee",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.guarded_answers",
    "tournament.views.stored.stored_pages_first",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "config.middleware.bounded_requests",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.middleware.wrong_method_in_words",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

DATABASES = {
    "default": dj_database_url.parse(
        env_str("DATABASE_URL", f"sqlite:///{DATA_DIR / 'huapai.sqlite3'}"),
        conn_max_age=env_int("DATABASE_CONN_MAX_AGE", 60),
        conn_health_checks=True,
    )
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # WAL lets readers go on while one writes; IMMEDIATE takes the write lock at once, so that two
    # writers queue instead of failing half-way; FULL keeps every acknowledged commit through a power cut.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

LANGUAGE_CODE = "zh-hans"
LANGUAGES = [
    ("zh-hans", _("Simplified Chinese")),
    ("zh-hant", _("Traditional Chinese")),
    ("en", _("English")),
]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "config.formats"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SAMESITE = "Lax"
USE_I18N = True
USE_TZ = True
TIME_ZONE = env_str("TIME_ZONE", "Asia/Shanghai")

STATIC_URL = "static/"
STATIC_ROOT = env_str("STATIC_ROOT", str(DATA_DIR / "static"))
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "config.storage.OwnAppsFinder",
    "config.bundles.BundleFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "config.storage.StaticStorage"
    },
}

SECURE_SSL_REDIRECT = SITE_HTTPS
SESSION_COOKIE_SECURE = SITE_HTTPS
CSRF_COOKIE_SECURE = SITE_HTTPS
LANGUAGE_COOKIE_SECURE = SITE_HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if SITE_HTTPS else 0
if env_bool("BEHIND_PROXY", False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SILENCED_SYSTEM_CHECKS = [
    # Sub-domains and browser preload lists are decisions about a whole domain, which this site does not own.
    "security.W005",
    "security.W021",
]
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_HTTPONLY = True
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
# A preview's form carries the largest workbook that is read (10 MB), written in base64.
DATA_UPLOAD_MAX_MEMORY_SIZE = 16 * 1024 * 1024

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["referee.parsers.BoundedJSONParser"],
}

#: Requests of the open interface per token, or per address without one.
API_RATE = env_rate("API_RATE", "600/min")
SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.1.0",
    "TITLE": "Huapai tournaments",
    "VERSION": "1",
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "COMPONENT_SPLIT_PATCH": False,
    "ENUM_NAME_OVERRIDES": {
        "EventKindEnum": "tournament.models.Event.Kind",
        "AppealStateEnum": "referee.models.Appeal.State",
        "AppealActionEnum": [
            (one, one) for one in ("file", "rule", "accept", "escalate", "decide", "withdraw")
        ],
        "AppealOutcomeEnum": [(one, one) for one in ("upheld", "partly", "rejected")],
        "OddAnswerEnum": [(one, one) for one in ("threes", "fives", "byes", "house")],
        "BulkActionEnum": [(one, one) for one in ("bulk.withdraw", "bulk.clear")],
    },
}

# With no broker tasks run in-process; an address must be given all the same, or Celery warns of its absence.
IN_PROCESS = "memory://localhost/"
CELERY_BROKER_URL = env_str("CELERY_BROKER_URL", IN_PROCESS)
CELERY_TASK_ALWAYS_EAGER = CELERY_BROKER_URL == IN_PROCESS
CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Where `celery -A config beat` runs; any other site calls `manage.py prune` now and then.
CELERY_BEAT_SCHEDULE = {"prune": {"task": "tournament.prune", "schedule": 24 * 3600}}
# A request must never hang because the broker is gone: give up quickly, the work is done in-process instead.
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 1, "socket_timeout": 2, "max_retries": 1}
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_max": 0.2}

if env_str("CACHE_URL"):
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": env_str("CACHE_URL"),
        }
    }

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "filters": {"refusals": {"()": "config.logs.RefusalsAsLines"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env_str("LOG_LEVEL", "INFO")},
    "loggers": {
        # Each task done is a line in a worker's own log; in-process it would bury what matters.
        "celery.app.trace": {"level": "WARNING"},
        # Anybody can ask under any name or for any page, and many machines do: a line says enough.
        "django.security.DisallowedHost": {"filters": ["refusals"]},
        "django.request": {"filters": ["refusals"]},
    },
}
