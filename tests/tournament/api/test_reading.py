"""Reading what is published: without a token, in parts, with ETags, and nothing else."""

import pytest

from tests.tournament.api.conftest import Sender
from tournament.models import Publication
from tournament.services.audit import SYSTEM
from tournament.services.publish import withdraw_publication

EVENT = "/events/singles"


@pytest.mark.parametrize(
    ("path", "key", "count"),
    [
        ("", "name", None),
        ("/events", "results", 1),
        (EVENT, "kind", None),
        (f"{EVENT}/rounds", "results", 1),
        (f"{EVENT}/entries", "results", 8),
        (f"{EVENT}/standings", "results", 8),
        (f"{EVENT}/rounds/1/pairings", "results", 8),
        (f"{EVENT}/rounds/1/results", "results", 8),
        (f"{EVENT}/rounds/1/deals", "results", 4),
        ("/announcements", "results", 0),
        ("/schedule", "results", 0),
    ],
)
def test_what_is_published_is_read_without_a_token(scene, path, key, count):
    response = scene.reading().get(path)
    assert response.status_code == 200, response.content
    assert response.headers["Content-Type"] == "application/json"
    body = response.json()
    if count is None:
        assert body[key]
    else:
        assert body["count"] == len(body[key]) == count


def test_standings_name_version_round_and_each_rounds_value(scene):
    body = scene.reading().get(f"{EVENT}/standings").json()
    assert (body["round"], body["version"], body["complete"]) == (1, 1, False)
    assert min(row["rank"] for row in body["results"]) == 1
    assert [one["round"] for one in body["results"][0]["rounds"]] == [1]


def test_a_long_list_comes_in_parts_that_lead_to_each_other(scene):
    reader = scene.reading()
    first = reader.get(f"{EVENT}/entries?limit=3").json()
    assert first["previous"] is None
    seen, here = list(first["results"]), first
    while here["next"]:
        here = Sender(base="").get(here["next"].removeprefix("http://testserver")).json()
        seen += here["results"]
    assert [row["entry"] for row in seen] == list(range(1, 9))
    assert here["previous"]


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=501", "limit=x", "offset=-1", "offset=99999999999999999999"]
)
def test_a_part_that_cannot_be_is_a_fault_that_names_its_field(scene, query):
    response = scene.reading().get(f"{EVENT}/entries?{query}")
    assert response.status_code == 422
    assert response.json()["errors"][0]["field"] == query.partition("=")[0]


@pytest.mark.parametrize("sent", ["{}", "W/{}", '"other", {}'])
def test_what_was_read_before_is_not_sent_again(scene, sent):
    reader = scene.reading()
    tag = reader.get(f"{EVENT}/standings").headers["ETag"]
    again = reader.get(f"{EVENT}/standings", headers={"if-none-match": sent.format(tag)})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)


def test_what_is_taken_off_the_pages_is_gone_here_too(scene):
    for what in (Publication.What.STANDINGS, Publication.What.RESULTS):
        publication = Publication.objects.get(what=what)
        withdraw_publication(actor=SYSTEM, publication=publication, reason="wrong")
    reader = scene.reading()
    for path in ("/standings", "/rounds/1/results", "/rounds/1/deals", "/rounds/2/pairings"):
        assert reader.get(EVENT + path).status_code == 404, path
    assert reader.get(f"{EVENT}/rounds/1/pairings").status_code == 200


def test_a_token_to_read_reads_and_does_nothing_else(scene):
    reader = Sender(scene.token("read")[1], scene.of_event)
    assert reader.get("/entries").status_code == 403
    public = Sender(reader.secret, scene.reading().base)
    assert public.get("").status_code == 200
