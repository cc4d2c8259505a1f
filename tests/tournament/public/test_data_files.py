"""Published rows for programs and spreadsheets: the figures of the pages, in cells that do nothing."""

import csv
import io
import json

import pytest

from tests.played import drawn_round, played_event, played_round
from tests.tournament.public.test_pages_structures import _open, _play
from tournament.models import EntryResult, Event
from tournament.queries.public_data import deals_data
from tournament.queries.published import Published
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish, publish_round
from tournament.tasks.data_files import plain

pytestmark = pytest.mark.django_db

FILES = (
    "standings",
    "standings/1",
    "entries",
    "round/1/pairings",
    "round/1/results",
    "round/1/deals",
    "round/2/pairings",
)


def _json(client, address):
    response = client.get(f"{address}.json")
    assert response.status_code == 200, address
    assert response["Content-Type"] == "application/json"
    return json.loads(response.content)


def _csv(client, address, language="en"):
    response = client.get(f"{address}.csv", headers={"accept-language": language})
    assert response.status_code == 200, address
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response.content.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))


@pytest.mark.parametrize("name", FILES)
def test_json_and_csv_have_the_same_rows(client, base, name):
    answer, (titles, *rows) = _json(client, base + name), _csv(client, base + name)
    assert len(rows) == len(answer["rows"]) > 0
    assert {len(row) for row in rows} == {len(titles)} == {len(answer["rows"][0])}
    assert answer["address"] == f"{base}{name}.json"


@pytest.mark.parametrize("name", FILES)
def test_files_are_stored_and_answered_by_304(client, base, name, django_assert_num_queries):
    first = client.get(f"{base}{name}.json")
    with django_assert_num_queries(1):
        again = client.get(f"{base}{name}.json", headers={"if-none-match": first["ETag"]})
    assert again.status_code == 304
    packed = client.get(f"{base}{name}.json", headers={"accept-encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"


def test_standings_are_those_of_the_page(client, base):
    answer = _json(client, f"{base}standings")
    ranks = [row["rank"] for row in answer["rows"]]
    assert ranks == sorted(ranks)
    assert answer["after_round"] == 1
    assert answer["version"] == 1
    for row in answer["rows"]:
        assert row["total"] == row["round_1"] + row["at_entry"] + row["penalties"]


def test_results_add_up_to_what_is_stored(client, base):
    rows = _json(client, f"{base}round/1/results")["rows"]
    stored = {
        one.entry.number: one for one in EntryResult.objects.filter(round__number=1).select_related("entry")
    }
    at_tables = [row for row in rows if row["kind"] == "table"]
    assert {row["entry"]: row["value"] for row in at_tables} == {
        key: one.value for key, one in stored.items()
    }
    assert [row["value"] for row in rows if row["kind"] == "bye"] == [50]
    assert [row["value"] for row in rows if row["kind"] == "penalty"] == [
        -20
    ]  # the cancelled one is no result


def test_deals_name_who_played_each_seat(client):
    event, tables = _open(Event.Kind.TEAMS)
    for table in tables:
        _play(table, 1)
        _play(table, 2, checked=False)
    publish_round(actor=SYSTEM, round=tables[0].draw.round)
    table = deals_data(Published(event), 1)
    assert len(table.rows) == 2 * 4
    for place in tables:
        seats = {one.direction: one.player.name for one in place.seats.filter(segment=1)}
        rows = [row for row in table.rows if row["table"] == place.number]
        assert {row["seat"]: row["player"] for row in rows} == seats
        assert sum(len(row["captures"]) for row in rows) == 16
    answer = _json(client, f"/t/{event.tournament.slug}/{event.slug}/round/1/deals")
    assert answer["rows"] == json.loads(json.dumps(table.rows))


@pytest.mark.parametrize("name", ["=1+1", "+86", "-2", "@SUM(A1)", "\tx", "\rx", "＝1"])
def test_a_name_cannot_be_a_formula(client, name):
    assert plain(name) == f"'{name}"
    event = played_event([name, "乙", "丙", "丁"])
    draw = played_round(event, 1)
    publish(actor=SYSTEM, round=draw.round, what="draw")
    publish_round(actor=SYSTEM, round=draw.round)
    base = f"/t/{event.tournament.slug}/{event.slug}/"
    for file in ("standings", "entries", "round/1/pairings", "round/1/results", "round/1/deals"):
        cells = [cell for row in _csv(client, base + file) for cell in row]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "@", "\t", "\r", "＝"))], file
        assert not [
            cell for cell in cells if cell.startswith("-") and not cell[1:].replace(".", "").isdigit()
        ]
    assert name in {row["name"] for row in _json(client, f"{base}entries")["rows"]}


def test_thirds_are_exact_for_programs_and_figures_for_spreadsheets(client):
    event = played_event(["甲", "乙", "丙", "丁"], ruleset="platform")
    draw = played_round(event, 1, deals=1)
    result = EntryResult.objects.filter(table__draw=draw).first()
    publish(actor=SYSTEM, round=draw.round, what="results")
    publication = event.publications.get()
    line = next(
        one for one in publication.payload["tables"][0]["lines"] if one["entry"] == result.entry.number
    )
    line["points"] = "-880/3"
    publication.save(update_fields=["payload"])
    base = f"/t/{event.tournament.slug}/{event.slug}/round/1/results"
    assert "-880/3" in {row["points"] for row in _json(client, base)["rows"]}
    titles, *rows = _csv(client, base)
    assert "-293.3333" in {row[titles.index("points")] for row in rows}


def test_titles_are_in_the_readers_language_and_keys_are_not(client, base):
    assert _csv(client, f"{base}standings", "zh-hans")[0] != _csv(client, f"{base}standings", "en")[0]
    assert "rank" in _json(client, f"{base}standings")["rows"][0]


@pytest.mark.parametrize("name", ["standings/2", "round/2/results", "round/2/deals", "round/3/pairings"])
def test_what_is_not_published_has_no_file(client, base, name):
    for ending in ("json", "csv"):
        assert client.get(f"{base}{name}.{ending}").status_code == 404


def test_a_drawn_round_of_which_nothing_is_public_has_no_entries(client):
    event = played_event(["甲", "乙", "丙", "丁"])
    drawn_round(event, 1)
    assert client.get(f"/t/{event.tournament.slug}/{event.slug}/entries.json").status_code == 404


def test_staff_get_the_same_file(client, base, django_user_model):
    public = client.get(f"{base}standings.json").content
    client.force_login(django_user_model.objects.create_superuser("chief"))
    assert client.get(f"{base}standings.json").content == public
