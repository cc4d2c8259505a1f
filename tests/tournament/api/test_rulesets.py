"""Rulesets through the open interface."""

import pytest

from scoring.models import RulesetBook, RulesetVersion
from tests.factories import actor, make_tournament, make_user
from tests.tournament.api.conftest import Sender
from tests.tournament.api.test_organising import good
from tests.tournament.api.test_refusals import problem
from tournament.services.tokens import create_token


@pytest.fixture
def sender(scene):
    return scene.organising("/api/v1/rulesets")


@pytest.fixture
def own(sender):
    """An own ruleset, as it was made."""
    body = {"key": "our-club", "title": "我们的规则"}
    return good(sender.post("/huapai/versions/1/copy", body), 201)


def test_rulesets_are_listed_and_read(sender):
    rows = {row["key"]: row for row in good(sender.get(""))["results"]}
    assert rows["huapai"]["shipped"]
    assert rows["huapai"]["titles"]["zh-Hans"]
    assert rows["huapai"]["events"] == 1
    newest = good(sender.get("/huapai"))
    assert (newest["key"], newest["number"], newest["mine"]) == ("huapai", rows["huapai"]["newest"], False)
    assert set(newest["differs"]) <= set(newest["rules"])
    version = good(sender.get(f"/huapai/versions/{newest['number']}"))
    assert version == {name: value for name, value in newest.items() if name != "mine"}
    assert good(sender.get("/huapai/versions"))["count"] == rows["huapai"]["versions"]
    problem(sender.get("/nowhere"), 404)
    problem(sender.get("/huapai/versions/99"), 404)


def test_a_copy_gets_a_version_of_its_own(sender, own):
    assert (own["number"], own["copied_from"], own["shipped"]) == (1, "huapai v1", False)
    body = {"rules": own["rules"] | {"set_deals": 12}, "based_on": 1, "note": "试一试"}
    made = good(sender.post("/our-club/versions", body), 201)
    assert (made["number"], made["rules"]["set_deals"], made["note"]) == (2, 12, "试一试")
    assert "set_deals" in made["differs"]
    assert good(sender.get("/our-club"))["mine"]
    assert good(sender.get("/our-club/versions/1"))["rules"] == own["rules"]


def test_a_version_that_came_between_is_not_overwritten(sender, own):
    first, second = (own["rules"] | {"set_deals": deals} for deals in (11, 12))
    good(sender.post("/our-club/versions", {"rules": first, "based_on": 1}), 201)
    refused = problem(sender.post("/our-club/versions", {"rules": second, "based_on": 1}), 409)
    assert refused["errors"][0]["code"] == "ruleset_changed"
    assert (refused["current"]["set_deals"], refused["offered"]["set_deals"]) == (11, 12)
    assert RulesetVersion.objects.filter(book__key="our-club").count() == 2


def test_only_who_made_a_ruleset_changes_it(sender, own, scene):
    body = {"rules": own["rules"], "based_on": 1}
    problem(sender.post("/huapai/versions", {"rules": {}, "based_on": 1}), 403)
    tournament = make_tournament()
    stranger = make_user("organiser", tournament)
    token = create_token(actor=actor(stranger), tournament=tournament, purpose="organise", name="x", days=1)
    problem(Sender(token[1], "/api/v1/rulesets").post("/our-club/versions", body), 403)
    problem(Sender(scene.token("read")[1], "/api/v1/rulesets").get(""), 403)
    problem(Sender("", "/api/v1/rulesets").get(""), 401)


def test_everything_wrong_with_a_ruleset_is_told(sender, own):
    body = {"rules": {"decks": 7, "no_such_rule": 1}, "based_on": 1}
    fields = {one["field"] for one in problem(sender.post("/our-club/versions", body), 422)["errors"]}
    assert fields == {"decks", "no_such_rule"}
    problem(sender.post("/huapai/versions/1/copy", {"key": "huapai", "title": "别的"}), 409)
    assert RulesetBook.objects.filter(key="our-club").count() == 1


def test_a_deal_is_scored_under_a_version_and_not_stored(sender):
    held = {"SQ": "W", "DJ": "S", "C10": "N", "HA": "E"}
    body = {"mode": "individual", "record": {"captures": {"N": ["SQ"]}, "held": held}}
    scores = good(sender.post("/huapai/versions/1/try", body))["score"]["scores"]
    assert scores["N"] == -100
    assert {seat: score for seat, score in scores.items() if seat != "N"} == {"W": 0, "S": 0, "E": 0}
    wrong = {"mode": "individual", "record": {"captures": {"N": ["SQ"], "E": ["SQ"]}, "held": held}}
    errors = problem(sender.post("/huapai/versions/1/try", wrong), 422)["errors"]
    assert {one["card"] for one in errors} == {"SQ"}
