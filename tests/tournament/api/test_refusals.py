"""Every refusal is a problem: its status, its form, its language, all its faults."""

import json
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import override_settings
from django.utils import timezone

from tests.factories import actor
from tests.tournament.api.conftest import Sender
from tournament.models import ApiToken, Membership
from tournament.services.tokens import revoke_token


def problem(response, status):
    """The body of a refusal, after checking its form."""
    assert response.status_code == status, response.content
    assert response.headers["Content-Type"] == "application/problem+json"
    body = response.json()
    assert body["status"] == status
    assert body["type"].startswith("/api/docs#")
    assert body["title"]
    assert body["detail"]
    assert all(one["code"] and one["message"] for one in body["errors"])
    return body


def test_no_token_where_one_is_needed(scene):
    response = Sender(base=scene.of_event).get("/entries")
    problem(response, 401)
    assert response.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("secret", ["hp_nothing", "", "\x00", "ü" * 500])
def test_a_token_that_opens_nothing(scene, secret):
    response = Sender(base=scene.reading().base).get("", headers={"authorization": f"Bearer {secret}"})
    problem(response, 401)


def test_a_revoked_an_expired_and_an_orphaned_token_open_nothing(scene):
    made = [scene.token() for _n in range(3)]
    revoke_token(actor=actor(scene.organiser), token=made[0][0])
    ApiToken.objects.filter(pk=made[1][0].pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    senders = [Sender(secret, scene.of_event) for _token, secret in made]
    assert [one.get("").status_code for one in senders] == [401, 401, 200]
    Membership.objects.filter(user=scene.organiser).delete()
    problem(senders[2].get(""), 401)


def test_a_token_of_another_tournament_is_not_told_what_there_is(scene):
    sender = Sender(scene.token()[1], "/api/v1/tournaments/")
    there, nowhere = sender.get("other"), sender.get("nowhere")
    assert problem(there, 403) == problem(nowhere, 403)


def test_an_unknown_address_method_format_and_media_type(scene):
    sender = scene.organising()
    problem(sender.get("/nothing"), 404)
    problem(sender.get("/entries/999"), 404)
    problem(sender.send("delete", "/entries"), 405)
    problem(sender.send("brew", "/entries"), 405)
    problem(sender.get("/entries", headers={"accept": "text/csv"}), 406)
    problem(sender.send("post", "/entries", content_type="text/plain", data="x"), 415)


def test_what_cannot_be_read_and_what_is_too_long(scene):
    sender = scene.organising()
    for text in ("{", '{"name": NaN}', "[" * 100_000, '{"name": "\\u0000"}'):
        problem(sender.send("post", "/entries", data=text), 400)
    problem(sender.send("post", "/entries", data=b" " * (300 * 1024)), 413)


def test_all_faults_come_at_once_each_with_its_field(scene):
    body = {"name": 5, "number": -1, "players": ["a", []], "colour": "red"}
    errors = problem(scene.organising().post("/entries", body), 422)["errors"]
    assert {one["field"] for one in errors} == {"number", "players.1", "colour"}


@pytest.mark.parametrize("body", [[], "x", 5, None, True])
def test_a_body_that_is_no_object(scene, body):
    problem(scene.organising().send("post", "/entries", data=json.dumps(body)), 422)


def test_faults_that_a_service_finds_name_their_fields(scene):
    errors = problem(
        scene.organising().post("/entries", {"name": "选手1", "club": "甲队", "first_round": 9}), 422
    )["errors"]
    assert [(one["code"], one["field"]) for one in errors] == [
        ("first_round_range", "first_round"),
        ("name_taken", "name"),
    ]


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "The name is missing."), ("zh-hans", "缺少名称。"), ("zh-hant", "缺少名稱。")],
)
def test_refusals_are_in_the_asked_language(scene, language, said):
    sender = scene.organising()
    response = sender.post("/entries", {"name": ""}, headers={"accept-language": language})
    assert response.headers["Content-Language"] == language
    assert problem(response, 422)["errors"][0]["message"] == said


@override_settings(API_RATE="3/min")
def test_more_than_a_fair_share_is_told_to_wait(scene):
    cache.clear()
    public, sender = scene.reading(), scene.organising()
    assert [public.get("").status_code for _n in range(4)] == [200, 200, 200, 429]
    refused = public.get("")
    problem(refused, 429)
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    # A token has a share of its own; one that opens nothing has none.
    assert [sender.get("").status_code for _n in range(4)] == [200, 200, 200, 429]
    assert Sender("hp_nothing", public.base).get("").status_code == 429
    cache.clear()


def test_a_failure_of_the_program_is_a_problem_too(scene, monkeypatch):
    def fail(*args, **kwargs):
        raise RuntimeError

    monkeypatch.setattr("tournament.api.events.withdraw_entry", fail)
    sender = scene.organising()
    sender.client.raise_request_exception = False
    problem(sender.post("/entries/1/withdraw", {"reason": "ill"}), 500)
