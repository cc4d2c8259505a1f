"""Whatever is sent to any address: an answer that says what is wrong, never a failure of the program.

Everything is sent by a superuser, who gets furthest; each request's effects are undone.
"""

import json
import signal
from contextlib import contextmanager
from html.parser import HTMLParser
from uuid import uuid4

import pytest
from django.db import transaction
from django.urls import resolve, reverse

from tests.test_access_walk import ADDRESSES, _use, scene  # noqa: F401

pytestmark = pytest.mark.django_db

#: More than any of these answers takes, and far less than one that counts to a power of ten.
SECONDS = 20
LARGE = "9" * 30

#: Texts that some store, parser or renderer cannot hold, or that cost without end.
TEXTS = ["\x00", LARGE, "9" * 5000, "1e99999999999", "1/0", "x" * 70_000, "%s %(name)s {0}", "\u202e<script>"]
#: Those that a form takes for a text or a number.
WORST = [LARGE, "1e99999999999"]
VALUES = ["\x00", "\ud800", LARGE, "1e99999999999", "x" * 70_000, None, True, -1, 10**30, 1.5, {"": []}, [[]]]
VALUES += ["0001-01-01", "9999-12-31"]


@contextmanager
def time_limit():
    def ring(*_):
        raise TimeoutError("no answer in time")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _fields_of(address):
    """The fields that an address of the table's interface takes."""
    view = resolve(address).func.view_class
    return list(view.input_class().fields) if hasattr(view, "post") else []


def _post_json(client, address, text):
    with transaction.atomic():
        response = client.post(address, text, content_type="application/json")
        transaction.set_rollback(True)
    return response


API = [(name, arguments) for name, arguments in ADDRESSES if name.startswith("referee:api")]


@pytest.mark.parametrize(("name", "arguments"), API, ids=[name for name, _ in API])
def test_every_api_address_answers_hostile_values(scene, name, arguments):  # noqa: F811
    address, client = scene.address(name, arguments), scene.client("superuser")
    client.raise_request_exception = False
    failed = []
    body = scene.body()
    for field in _fields_of(address):
        for value in VALUES:
            text = json.dumps({**body, "command_id": str(uuid4()), field: value})
            with time_limit():
                response = _post_json(client, address, text)
            if response.status_code >= 500:
                failed.append((field, repr(value)[:40]))
    assert failed == []


@pytest.mark.parametrize(("name", "arguments"), API, ids=[name for name, _ in API])
def test_every_api_address_answers_bodies_that_are_no_object(scene, name, arguments):  # noqa: F811
    address, client = scene.address(name, arguments), scene.client("superuser")
    client.raise_request_exception = False
    bodies = [
        b"", b"{", b"[]", b"null", b"1", b'"x"', b"\xff\xfe", b"NaN", b"[" * 100_000, b'{"a":' * 100_000,
        b'{"command_id": ' + b"9" * 10_000 + b"}",
        b'{"record": {"captures": {"N": ["' + b"x" * 200_000 + b'"]}}}',
    ]  # fmt: skip
    failed = []
    for text in bodies:
        with time_limit():
            response = _post_json(client, address, text)
        if response.status_code >= 500 or (response.status_code != 405 and "errors" not in response.json()):
            failed.append((text[:20], response.status_code))
    assert failed == []


class _Forms(HTMLParser):
    """The forms of a page: where each goes, and its fields as they stand."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "form" and attrs.get("method", "").lower() == "post":
            self.found.append((attrs.get("action") or "", {}))
        elif self.found and attrs.get("name") and tag in ("input", "select", "textarea", "button"):
            self.found[-1][1].setdefault(attrs["name"], attrs.get("value") or "1")


PAGES = [one for one in ADDRESSES if not one[0].startswith("referee:api") and one[0] != "logout"]


@pytest.mark.parametrize(("name", "arguments"), PAGES, ids=[name for name, _ in PAGES])
def test_every_form_answers_hostile_values(scene, name, arguments):  # noqa: F811
    address, client = scene.address(name, arguments), scene.client("superuser")
    response, _ = _use(client, "get", address, {})
    is_page = response.headers.get("Content-Type", "").startswith("text/html")
    if response.streaming or response.status_code != 200 or not is_page:
        return
    page = _Forms()
    page.feed(response.content.decode())
    client.raise_request_exception = False
    failed = []
    for action, fields in page.found:
        if action in (reverse("logout"), reverse("set_language")):
            continue
        # One field at a time gets past the form to the service; the rest only has to be refused.
        wanted = [({field: value}) for field in fields for value in WORST]
        wanted += [dict.fromkeys(fields, value) for value in TEXTS]
        for changed in wanted:
            ids = {field: str(uuid4()) for field in fields if field.endswith("command_id")}
            with time_limit(), transaction.atomic():
                answer = client.post(action or address, {**fields, **ids, **changed})
                transaction.set_rollback(True)
            if answer.status_code >= 500:
                failed.append((action, [(field, value[:40]) for field, value in changed.items()][:3]))
    assert failed == []


@pytest.mark.parametrize(("name", "arguments"), ADDRESSES, ids=[name for name, _ in ADDRESSES])
def test_every_address_answers_numbers_that_are_none(scene, name, arguments):  # noqa: F811
    client = scene.client("superuser")
    client.raise_request_exception = False
    values = scene.at_table if name.startswith("referee:") else scene.values
    failed = []
    for argument in arguments:
        if not isinstance(values[argument], int):
            continue
        for number in (0, 2**31, 2**63, 10**30):
            address = reverse(name, kwargs={one: values[one] for one in arguments} | {argument: number})
            with transaction.atomic():
                response = client.get(address)
                posted = client.post(address, scene.body(), content_type="application/json")
                transaction.set_rollback(True)
            if max(response.status_code, posted.status_code) >= 500:
                failed.append((argument, number))
    assert failed == []
