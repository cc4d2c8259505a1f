"""What people type, or an archive brings, stands on every page, feed and file as a text and does nothing; and
every answer has the headers that keep others from using it.
"""

import io
import json
import re
from html.parser import HTMLParser

import pytest
from defusedxml import ElementTree
from django.apps import apps
from django.db import IntegrityError, models, transaction
from openpyxl import load_workbook

from scoring.models import RulesetVersion
from tests.test_access_walk import ADDRESSES, scene  # noqa: F401
from tests.who_may import WHO_MAY
from tournament.excel.writing import tournament_workbook
from tournament.models import AuditRow, Publication, PublishedPage, WorkbookOrder

pytestmark = pytest.mark.django_db

#: Ends attributes, scripts, lines and documents; begins as a formula does; turns the reading direction round;
#: has characters that XML cannot hold. What a column has no room for is cut off.
EVIL = "=\"'><evil>&\u202e\uffff\x0b\r\nX-Evil: 1</script>]]>"
OWN = {"auth", "scoring", "tournament", "referee"}
SKIP = {"auth.Permission", "tournament.PublicPart"}
#: Columns that hold no free text although nothing says so.
CODES = {"action", "code", "content_type", "digest", "direction", "etag", "format", "seat", "time_zone"}
CODES |= {
    "entered_seat",
    "key",
    "language",
    "method",
    "password",
    "path",
    "proof",
    "seal",
    "seat",
    "time_zone",
}


def _free_texts():
    """Every column in which somebody's own words are stored, with its model."""
    own = [model for model in apps.get_models() if model._meta.app_label in OWN]
    for model in own:
        for field in model._meta.concrete_fields:
            words = type(field) in (models.CharField, models.TextField) and not field.unique
            if words and not field.choices and field.name not in CODES and model._meta.label not in SKIP:
                yield model, field


def _replaced(value, words):
    """JSON with each of these words exchanged."""
    if isinstance(value, dict):
        return {key: _replaced(one, words) for key, one in value.items()}
    if isinstance(value, list):
        return [_replaced(one, words) for one in value]
    return EVIL if isinstance(value, str) and value in words else value


def _spoil():
    """Puts the hostile text into every column, and into what was published or put on record of it."""
    words = set()
    for model, field in _free_texts():
        rows = model._base_manager.exclude(**{field.name: ""})
        words |= set(rows.values_list(field.name, flat=True))
        for some in (model._base_manager.all(), rows):
            try:
                with transaction.atomic():
                    some.update(**{field.name: EVIL[: field.max_length]})
                break
            except IntegrityError:
                continue
    words -= {"", "x"}
    for model, names in ((Publication, ("payload", "sheet")), (AuditRow, ("before", "after"))):
        for row in model._base_manager.all():
            for name in names:
                setattr(row, name, _replaced(getattr(row, name), words))
            model._base_manager.filter(pk=row.pk).update(**{name: getattr(row, name) for name in names})
    for row in RulesetVersion.objects.all():
        titles = dict.fromkeys(row.data.get("titles", {}), EVIL[:11])
        RulesetVersion.objects.filter(pk=row.pk).update(data={**row.data, "titles": titles})
    PublishedPage.objects.all().delete()
    for order in WorkbookOrder.objects.all():
        order.content = tournament_workbook(order.tournament, "en")
        order.save(update_fields=["content"])


#: A sheet's name in a formula, with what it is of; a quotation mark in it is doubled.
_SHEET_NAME = re.compile(r"'(?:[^']|'')*'!")


class _Tags(HTMLParser):
    """Elements and attributes that only a text could have put into a page."""

    def __init__(self):
        super().__init__()
        self.wrong = []

    def handle_starttag(self, tag, attrs):
        if tag == "evil" or any(name == "evil" or name.startswith("on") for name, _value in attrs):
            self.wrong.append((tag, attrs))


def _faults(response):
    """What of the text is more than a text in an answer."""
    kind = response.headers.get("Content-Type", "").partition(";")[0]
    body = b"".join(response.streaming_content) if response.streaming else response.content
    headers = response.headers
    guards = (headers.get("X-Frame-Options"), headers.get("X-Content-Type-Options"))
    if guards != ("DENY", "nosniff") or "frame-ancestors 'none'" not in headers["Content-Security-Policy"]:
        yield f"guards {guards}"
    if response.wsgi_request.user.is_authenticated and "Cache-Control" not in headers:
        yield "may be kept by a cache"
    for name, value in response.headers.items():
        if "\n" in value or "\r" in value or name.lower() == "x-evil":
            yield f"header {name}: {value!r}"
    if kind == "text/html":
        page = _Tags()
        page.feed(body.decode())
        yield from page.wrong
    elif kind in ("application/atom+xml", "image/svg+xml"):
        ElementTree.fromstring(body)
    elif kind == "application/json":
        json.loads(body)
    elif kind == "text/csv":
        yield from re.findall(r'(?m)(?:^|,)"?[=@]', body.decode())
    elif kind == "text/calendar":
        lines = body.decode().split("\r\n")
        yield from [line for line in lines if len(line.encode()) > 75 or re.search(r"\n|^X-Evil", line)]
    elif "spreadsheet" in kind:
        book = load_workbook(io.BytesIO(body))
        for sheet in book:
            for row in sheet.iter_rows():
                formulas = [_SHEET_NAME.sub("", cell.value) for cell in row if cell.data_type == "f"]
                yield from [formula for formula in formulas if "evil" in formula]


def test_a_typed_text_is_a_text_everywhere(scene):  # noqa: F811
    _spoil()
    wrong, seen = {}, 0
    for name, arguments in ADDRESSES:
        client = scene.client("public" if "public" in WHO_MAY[name] else "superuser")
        client.raise_request_exception = False
        with transaction.atomic():
            response = client.get(scene.address(name, arguments))
            found = list(_faults(response))
            transaction.set_rollback(True)
        seen += response.status_code == 200
        if found or response.status_code >= 500:
            wrong[name] = (response.status_code, found[:3])
    assert wrong == {}
    assert seen > 100
