"""Requests that are too long, and requests that break off: refused, without work and without alarm."""

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from config.middleware import LARGEST_BODY
from tests.factories import make_user
from tournament.excel.package import LARGEST_FILE
from tournament.forms.archives import LARGEST_FILE as LARGEST_ARCHIVE

pytestmark = pytest.mark.django_db

FORM = "multipart/form-data; boundary=x"


class _Body:
    """What arrives of a request: nothing may be read of it, or its connection ends."""

    def __init__(self, fault):
        self._fault = fault

    def read(self, *_):
        raise self._fault

    readline = read


def _send(client, address, fault, **environment):
    client.raise_request_exception = False
    environment |= {"wsgi.input": _Body(fault), "CONTENT_TYPE": FORM}
    return client.generic("POST", address, **environment)


@pytest.mark.parametrize("address", ["login", "set_language", "home", "manage:tournament_import"])
def test_a_body_longer_than_anything_taken_is_refused_unread(address):
    client = Client(enforce_csrf_checks=True)
    client.cookies[settings.CSRF_COOKIE_NAME] = "a" * 32
    length = str(LARGEST_BODY + 1)
    response = _send(client, reverse(address), AssertionError("read"), CONTENT_LENGTH=length)
    assert response.status_code == 413
    assert "<h1>" in response.content.decode()


def test_the_largest_files_fit():
    assert LARGEST_ARCHIVE + 1_000_000 < LARGEST_BODY
    # The preview of a workbook sends it once more, in base64.
    assert LARGEST_FILE * 4 / 3 + 100_000 < settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def test_a_body_that_breaks_off_is_the_senders_failure(caplog):
    client = Client()
    client.force_login(make_user(is_superuser=True))
    address = reverse("manage:tournament_create")
    response = _send(client, address, ConnectionResetError("gone"), CONTENT_LENGTH="5000")
    assert response.status_code == 400
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
