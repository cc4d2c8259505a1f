"""What makes the table page open without network: its service worker, and its name once installed."""

import hashlib
import json
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

#: What the table page may ask for, by the beginnings of names.
_PARTS = ("referee/", "css/", "js/", "img/")
_KINDS = (".js", ".css", ".svg", ".png")
_WORKER = Path(__file__).parent / "static" / "referee" / "sw.js"


@never_cache
@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker, told which files belong to the page. It is served here, for the addresses below
    /referee/ to be in its reach.
    """
    version, names = _files() if not settings.DEBUG else _files.__wrapped__()
    addresses = [staticfiles_storage.url(name) for name in names]
    head = f"const VERSION = {json.dumps(version)};\nconst FILES = {json.dumps(addresses)};\n"
    return HttpResponse(head + _WORKER.read_text(), content_type="text/javascript; charset=utf-8")


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """The web app manifest: the page can be put on a tablet's home screen."""
    return JsonResponse(
        {
            "name": _("Table tablet: Gongzhu tournaments"),
            "short_name": _("Table tablet"),
            "start_url": reverse("referee:tablet"),
            "scope": reverse("referee:home"),
            "display": "standalone",
            "background_color": "#fdfcf8",
            "theme_color": "#fdfcf8",
            "icons": [{"src": static("img/icon.svg"), "sizes": "any", "type": "image/svg+xml"}],
        },
        content_type="application/manifest+json",
    )


@cache
def _files() -> tuple[str, tuple[str, ...]]:
    """The static files of the page, and one name for their state: it changes when any of them does."""
    found: dict[str, str] = {}
    for finder in finders.get_finders():
        for name, storage in finder.list([]):
            if name.startswith(_PARTS) and name.endswith(_KINDS) and name != "referee/sw.js":
                found.setdefault(name, storage.path(name))
    state = hashlib.sha256()
    for name in sorted(found):
        state.update(name.encode() + b"\0" + Path(found[name]).read_bytes())
    return state.hexdigest()[:16], tuple(sorted(found))
