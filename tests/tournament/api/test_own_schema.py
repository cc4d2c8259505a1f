"""The interface against its own schema: generated requests get no 500 and no undocumented answer.

Addresses are filled with what exists, most of the time, and every request is undone, so that each meets the
same tournament. The same requests are made every time.
"""

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.transport.serialization import serialize_binary

from tests.tournament.api.busy import desk_busy
from tests.tournament.api.conftest import make_scene
from tournament.api.parsers import GZIP
from tournament.views.manage.downloads import XLSX

pytestmark = pytest.mark.django_db

#: Random requests for each operation, beside those at the edges of what its schema allows.
EXAMPLES = 3
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]

#: Requests that got a documented answer.
SEEN: set[str] = set()

schema = schemathesis.openapi.from_wsgi("/api/openapi.json", WSGIHandler())
schema.config.phases.coverage.unexpected_methods = {"DELETE"}
for media_type in (XLSX, GZIP):
    schemathesis.serializer(media_type)(lambda _context, value: serialize_binary(value))


#: What exists, by the part of an address that names it; other parts are numbers from 1 to 3.
EXISTING: dict[str, str | int] = {"tournament": "cup", "event": "singles", "ruleset": "huapai"}


def reach(case):
    """Puts what exists into the address, and lets every second change past the question of versions."""
    for name, value in (case.path_parameters or {}).items():
        number = len(str(value)) % 3 + 1
        case.path_parameters[name] = EXISTING.get(name, number)
    if len(str(case.headers.get("If-Match", ""))) % 2:
        case.headers["If-Match"] = "*"


@pytest.fixture(scope="module")
def secret(django_db_setup, django_db_blocker):
    """A token that opens everything; its tournament is gone after the walk."""
    ends = (request_started, request_finished)
    with django_db_blocker.unblock(), transaction.atomic():
        scene = make_scene()
        EXISTING.update(desk_busy(scene))
        token = scene.token()[1]
        # Served in this very transaction: its connection stays open between requests.
        for signal in ends:
            signal.disconnect(close_old_connections)
        yield token
        transaction.set_rollback(True)
    for signal in ends:
        signal.connect(close_old_connections)


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_generated_requests_get_documented_answers(case, secret):
    reach(case)
    # What differed in the address alone is one request now.
    request = repr((case.method, case.path, case.path_parameters, case.query, dict(case.headers), case.body))
    if request in SEEN:
        return
    with transaction.atomic():
        response = case.call(headers={"Authorization": f"Bearer {secret}", "Accept-Language": "en"})
        transaction.set_rollback(True)
    case.validate_response(response, checks=CHECKS)
    SEEN.add(request)
