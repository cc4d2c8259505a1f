"""A tournament in play, with a token of each kind, and a client that sends JSON with one."""

import json
import re
from dataclasses import dataclass, field
from functools import cache
from http import HTTPStatus
from random import Random
from uuid import uuid4

import pytest
from django.test import Client
from jsonschema import Draft202012Validator

from tests.checked_deals import checked_deal
from tests.factories import actor, make_event, make_published_draw, make_tournament, make_user
from tests.played import random_record
from tournament.api.schema import whole_schema
from tournament.models import ApiToken, Event, Tournament
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish_round
from tournament.services.tokens import create_token

Purpose = ApiToken.Purpose


@cache
def _stated():
    """Every address as a pattern, with what the schema states of its methods; the longest first."""
    paths = sorted(whole_schema()["paths"].items(), key=lambda one: -len(one[0]))
    names = dict.fromkeys(("tournament", "event", "ruleset"), "[^/]+")  # other parts are numbers
    return [
        (re.compile(re.sub(r"{(\w+)}", lambda part: names.get(part[1], r"\d+"), path) + "$"), methods)
        for path, methods in paths
    ]


@cache
def _validator(text):
    components = json.loads(json.dumps(whole_schema()["components"], default=str))
    return Draft202012Validator({**json.loads(text), "components": components})


def documented(method, address, response):
    """Raises AssertionError where the answer is none that the schema states for the request."""
    address = address.partition("?")[0]
    found = next((methods for pattern, methods in _stated() if pattern.match(address)), {})
    stated = found.get(method)
    # A defect is documented nowhere; whether one is wanted, the test itself says.
    if stated is None or response.status_code == HTTPStatus.INTERNAL_SERVER_ERROR:
        return
    answers = stated["responses"]
    status = str(response.status_code)
    assert status in answers, f"{method} {address}: {status} is not documented"
    content = answers[status].get("content", {})
    kind = response.headers.get("Content-Type", "")
    assert kind in content or not response.content, f"{method} {address}: {status} {kind} is not documented"
    if "json" in kind:
        fault = next(_validator(json.dumps(content[kind]["schema"])).iter_errors(response.json()), None)
        assert fault is None, f"{method} {address}: {fault}"


@dataclass
class Sender:
    """Sends requests below an address, with a token where one is given, in English; what comes back is held
    to the schema.
    """

    secret: str = ""
    base: str = "/api/v1/"
    client: Client = field(default_factory=Client)

    def send(self, method, path, body=None, *, key=None, headers=None, **more):
        sent = {"accept-language": "en"}
        if self.secret:
            sent["authorization"] = f"Bearer {self.secret}"
        if method == "post":
            sent["idempotency-key"] = key or str(uuid4())
        data = {} if body is None else {"data": json.dumps(body)}
        response = self.client.generic(
            method.upper(),
            self.base + path,
            **{"content_type": "application/json", **data, **more},
            headers=sent | (headers or {}),
        )
        documented(method, self.base + path, response)
        return response

    def get(self, path, **more):
        return self.send("get", path, **more)

    def post(self, path, body=None, **more):
        return self.send("post", path, {} if body is None else body, **more)

    def change(self, method, path, body=None):
        """A change of what is there now."""
        tag = self.get(path).headers["ETag"]
        return self.send(method, path, body, headers={"if-match": tag})


@dataclass
class Scene:
    """Round 1 of eight is played at table 1 (one deal checked) and published; round 2 is not drawn."""

    tournament: Tournament
    event: Event
    organiser: object

    @property
    def base(self):
        return f"/api/v1/tournaments/{self.tournament.slug}/"

    @property
    def of_event(self):
        return f"{self.base}events/{self.event.slug}"

    def token(self, purpose=Purpose.ORGANISE, *, table=None, name="", days=1):
        event = self.event if table else None
        return create_token(
            actor=actor(self.organiser),
            tournament=self.tournament,
            purpose=purpose,
            name=name or str(uuid4())[:30],
            days=days,
            event=event,
            table_number=table,
        )

    def organising(self, base=None):
        return Sender(self.token()[1], self.of_event if base is None else base)

    def recording(self, table=1):
        secret = self.token(Purpose.RECORD, table=table)[1]
        return Sender(secret, f"{self.of_event}/rounds/1/tables/{table}")

    def reading(self):
        return Sender("", f"/api/v1/public/tournaments/{self.tournament.slug}")


def make_scene(tournament="cup", event="singles", **facts):
    tournament = make_tournament(slug=tournament)
    return Scene(tournament, played_event(tournament, event, **facts), make_user("organiser", tournament))


def played_event(tournament, slug, *, entries=8, published=True, **facts):
    """An event of the tournament, as Scene says; or its results not published."""
    event = make_event(entries=entries, tournament=tournament, slug=slug, **facts)
    draw = make_published_draw(event)
    table = draw.tables.get(number=1)
    checked_deal(table, 1, random_record(Random(1)))
    if published:
        publish_round(actor=SYSTEM, round=draw.round)
    return event


@pytest.fixture
def scene(db):
    return make_scene()


def organiser_of(event, by):
    """Sends below the event's address with an organiser's token that this actor has made."""
    tournament = event.tournament
    secret = create_token(actor=by, tournament=tournament, purpose="organise", name="desk", days=1)[1]
    return Sender(secret, f"/api/v1/tournaments/{tournament.slug}/events/{event.slug}")


def reader_of(event):
    """Reads below the event's public address, with no token."""
    return Sender("", f"/api/v1/public/tournaments/{event.tournament.slug}/events/{event.slug}")
