"""Values that no schema forbids and some store, clock or renderer cannot hold, in every field of every body
and query: each gets an answer that says what is wrong, never a failure of the program. Each request is
undone.
"""

import json
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.db import transaction

from tests.tournament.api.busy import desk_busy
from tests.tournament.api.conftest import Sender, make_scene
from tests.tournament.api.walking import operations

pytestmark = pytest.mark.django_db

#: Written as JSON; some of it Python's own writer would not write.
BODY_VALUES = [
    "1e400",
    '{"kind": "set", "deals": 1e400, "count": 1e400}',
    "9" * 40,
    '{"kind": "set", "deals": ' + "9" * 40 + ', "count": ' + "9" * 40 + "}",
    "[" * 90 + "]" * 90,
    '"0001-01-01"',
    '"9999-12-31"',
    '"\\ud800"',
    '{"N": [[]], "captures": {"N": {}}}',
    '"%s %(name)s {0} =1+1"',
]
QUERY_VALUES = ["\x00", "9" * 5000, "0001-01-01", "9999-12-31", "1e400", "../.."]
WITH_VALUES = [one for one in operations() if one.stated.input or one.stated.query]


@pytest.fixture(scope="module")
def busy(django_db_setup, django_db_blocker):
    """What exists, and a sender that reaches all of it; gone after the walk."""
    with django_db_blocker.unblock(), transaction.atomic():
        scene = make_scene()
        values = {"tournament": "cup", "event": "singles", "ruleset": "huapai", **desk_busy(scene)}
        sender = Sender(scene.token()[1], "")
        sender.change("patch", scene.base.rstrip("/"), {"starts_on": "2026-05-01", "ends_on": "2026-05-02"})
        sender.client.raise_request_exception = False
        yield values, sender
        transaction.set_rollback(True)


def _status(sender, method, address, **data):
    headers = {"authorization": f"Bearer {sender.secret}", "if-match": "*", "idempotency-key": str(uuid4())}
    with transaction.atomic():
        response = sender.client.generic(
            method.upper(), address, content_type="application/json", headers=headers, **data
        )
        transaction.set_rollback(True)
    return response.status_code


@pytest.mark.parametrize("one", WITH_VALUES, ids=str)
def test_no_value_makes_the_program_fail(busy, one):
    values, sender = busy
    address = one.address(values)
    query = one.stated.query().fields if one.stated.query else ()
    good = {field: json.dumps(value) for field, value in one.body().items()}
    fields = one.stated.input().fields if one.stated.input else ()
    asked = [
        (f"{address.partition('?')[0]}?{urlencode({field: value})}", {})
        for field in query
        for value in QUERY_VALUES
    ]
    for field in fields:
        for value in BODY_VALUES:
            body = ", ".join(f'"{name}": {said}' for name, said in {**good, field: value}.items())
            asked.append((address, {"data": "{" + body + "}"}))
    failed = [(where, said) for where, said in asked if _status(sender, one.method, where, **said) >= 500]
    assert failed == []
