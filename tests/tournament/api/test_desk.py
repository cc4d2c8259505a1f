"""The desk through the open interface: calls, disputes, rulings, logs, seats, cards, table rules."""

from random import Random

import pytest

from referee.models import Device, TableRuling
from referee.services.devices import find_card, join
from tests.played import random_record
from tests.tournament.api.conftest import make_scene
from tests.tournament.api.test_organising import good
from tests.tournament.api.test_refusals import problem
from tournament.models import AuditRow, Publication

ENTRY = {"record": random_record(Random(5)), "entered_seat": "N"}
TABLE = "/rounds/1/tables/1"


@pytest.fixture
def desk(scene):
    """A token to organise below the event, whose results nobody has published yet."""
    Publication.objects.all().delete()
    return scene.organising()


def test_a_call_is_taken_and_closed_with_a_ruling(scene):
    good(scene.recording().post("/call", {"seat": "E"}))
    desk = scene.organising(scene.base.rstrip("/"))
    (call,) = good(desk.get("/calls"))["results"]
    assert (call["event"], call["round"], call["table"], call["seat"]) == ("singles", 1, 1, "E")
    path = f"/calls/{call['id']}"
    assert good(desk.post(f"{path}/take"))["taken_by"] == scene.organiser.username
    problem(desk.post(f"{path}/close", {"ruling": ""}), 422)
    closed = good(desk.post(f"{path}/close", {"ruling": "照打"}))
    assert (closed["outcome"], closed["ruling"]) == ("ruled", "照打")
    problem(desk.post(f"{path}/close", {"ruling": "再"}), 409)
    assert good(desk.get(path)) == closed
    problem(desk.get("/calls/999999"), 404)


def test_a_dispute_is_settled_by_the_other_record(scene):
    table = scene.recording()
    other = random_record(Random(9))
    good(table.post("/deals/2/record", ENTRY))
    body = {"version": 1, "seat": "S", "verdict": "dispute", "reason": "不对", "record": other}
    good(table.post("/deals/2/sign", body))
    desk, whole = scene.organising(), scene.organising(scene.base.rstrip("/"))
    (line,) = [one for one in good(whole.get("/review"))["results"] if one["disputes"]]
    (dispute,) = good(desk.get("/disputes"))["results"]
    assert (line["deal"], line["disputes"]) == (2, [dispute["id"]])
    assert dispute["offered"]["captures"] == other["captures"]
    path = f"/disputes/{dispute['id']}/rule"
    problem(desk.post(path, {"outcome": "noted", "ruling": "x"}), 422)
    assert good(desk.post(path, {"outcome": "offered", "ruling": "以南为准"}))["outcome"] == "offered"
    versions = good(desk.get(f"{TABLE}/deals/2/versions"))["results"]
    assert [(one["version"], one["state"]) for one in versions] == [(2, "checked"), (1, "recorded")]
    assert versions[0]["record"]["captures"] == other["captures"]
    problem(desk.post(path, {"outcome": "stands", "ruling": "x"}), 409)


def test_the_board_says_where_every_table_is(scene):
    good(scene.recording().post("/call", {"seat": "E"}))
    lines = good(scene.organising(scene.base.rstrip("/")).get("/board"))["results"]
    assert [one["table"] for one in lines] == [1, 2]
    assert [one["recorded"] for one in lines] == [1, 0]
    assert lines[0]["call"]
    assert lines[1]["call"] is None


def test_a_claim_is_ruled_and_a_misplaced_exposure_changes_the_record(scene):
    table = scene.recording()
    record = {**ENTRY["record"], "exposed": []}
    good(table.post("/deals/2/record", ENTRY | {"record": record}))
    claim = {"kind": "claim", "facts": {"seat": "N", "tricks": 3, "remaining": 4, "agreed": ["E"]}}
    good(table.post("/deals/2/ruling", claim))
    facts = {"seat": "N", "card": "SQ", "exposure": "exposed", "ruling": "stands"}
    ruled = {"kind": "exposure", "facts": facts, "note": "补明", "version": 1}
    good(table.post("/deals/2/ruling", ruled))
    desk = scene.organising()
    versions = good(desk.get(f"{TABLE}/deals/2/versions"))["results"]
    assert [one["card"] for one in versions[0]["record"]["exposed"]] == ["SQ"]
    assert problem(table.post("/deals/2/ruling", ruled), 409)["current"]["version"] == 2
    found = good(desk.get(f"{TABLE}/rulings"))["results"]
    assert [one["kind"] for one in found] == ["exposure", "claim"]
    assert found[1]["facts"] == claim["facts"]


@pytest.mark.parametrize(
    ("kind", "facts"),
    [
        ("claim", {"seat": ["N"], "tricks": True, "remaining": 10**30, "agreed": [["N"], {}]}),
        ("card_count", {"hands": {"N": 14, "E": 12}, "procedure": "draw", "agreed": [["N"], {"E": 1}]}),
        ("card_count", {"hands": [1], "procedure": {}, "agreed": None}),
        ("exposure", {"seat": {}, "card": ["SQ"], "exposure": [], "ruling": {}, "as_kind": []}),
        ("fortune", {}),
    ],
)
def test_facts_of_any_shape_are_refused_with_their_faults(scene, kind, facts):
    problem(scene.recording().post("/deals/2/ruling", {"kind": kind, "facts": facts}), 422)
    assert not TableRuling.objects.exists()


def test_a_log_of_tricks_says_what_was_captured_and_what_was_irregular(scene):
    table = scene.recording()
    cards = {"N": "S2", "W": "S3", "S": "SQ", "E": "SA"}
    tricks = [[{"seat": seat, "cards": [card]} for seat, card in cards.items()]]
    told = good(table.post("/deals/2/tricks", {"tricks": tricks}))["outcome"]
    assert told["captures"]["E"] == ["SQ"]
    assert told["winners"] == ["E"]
    problem(table.post("/deals/2/tricks", {"tricks": [[{"seat": "Z"}], 7, []]}), 422)
    problem(table.post("/deals/7/tricks", {"tricks": tricks}), 422)


def test_a_discard_of_the_wrong_colour_needs_a_rule_for_it(scene):
    table = scene.recording()
    good(table.post("/deals/2/record", ENTRY))
    body = {"version": 1, "cards": ["SQ"], "to_seat": "N", "note": "垫错"}
    assert problem(table.post("/deals/2/colour", body), 409)["errors"][0]["code"] == "no_colour_rule"


def test_a_score_is_told_and_nothing_stored(scene):
    table = scene.recording()
    before = AuditRow.objects.count()
    told = good(table.post("/score", {"record": ENTRY["record"]}))["score"]
    assert set(told["scores"]) == set("NWSE")
    assert AuditRow.objects.count() == before
    problem(table.post("/score", {"record": {"captures": {"N": ["SQ", "SQ"]}}}), 422)


def test_a_penalty_is_given_to_a_seat_in_a_deal_under_an_article(desk):
    articles = [{"article": "9.1", "name": "吵闹", "points": -30}]
    good(desk.change("put", "/penalty-articles", {"articles": articles}))
    (article,) = good(desk.get("/penalty-articles"))["articles"]
    given = {
        "seat": "N",
        "deal": 1,
        "article": article["id"],
        "rule": "9.1 吵闹",
        "points": -30,
        "reason": "x",
    }
    table = good(desk.post(f"{TABLE}/penalties", given))["table"]
    assert len(table["penalties"]) == 1
    (penalty,) = good(desk.get("/penalties"))["results"]
    assert (penalty["table"], penalty["deal"], penalty["points"]) == (1, 1, -30)
    problem(desk.post(f"{TABLE}/penalties", given | {"seat": "Z"}), 422)
    problem(desk.post(f"{TABLE}/penalties", given | {"deal": 77}), 404)
    good(desk.post(f"/penalties/{penalty['id']}/cancel", {"reason": "误判"}))


def test_a_penalty_under_an_article_of_nobodys_or_of_another_catalogue_is_refused(desk):
    far = make_scene("far").organising()
    articles = [{"article": "9.1", "name": "吵闹", "points": -30}]
    good(far.change("put", "/penalty-articles", {"articles": articles}))
    (foreign,) = good(far.get("/penalty-articles"))["articles"]
    for article in (foreign["id"], foreign["id"] + 1000):
        body = {"seat": "N", "rule": "x", "points": -5, "reason": "x", "article": article}
        refused = problem(desk.post(f"{TABLE}/penalties", body), 422)
        assert [one["code"] for one in refused["errors"]] == ["wrong_article"]


def test_deals_move_to_the_seats_of_those_who_played_them_and_back(desk):
    before = good(desk.get(f"{TABLE}/deals/1/versions"))["results"][0]["record"]["captures"]
    sat = [{"seat": "N", "at": "W"}, {"seat": "W", "at": "N"}]
    body = {"sat": sat, "deals": [{"deal": 1, "version": 1}], "reason": "坐错"}
    good(desk.post(f"{TABLE}/seats", body))
    moved = good(desk.get(f"{TABLE}/deals/1/versions"))["results"][0]["record"]["captures"]
    assert moved.get("N") == before.get("W")
    assert moved.get("W") == before.get("N")
    (made,) = good(desk.get(f"{TABLE}/seats"))["results"]
    assert made["deals"] == [1]
    good(desk.post(f"{TABLE}/seats/{made['id']}/undo", {"reason": "没坐错"}))
    assert good(desk.get(f"{TABLE}/deals/1/versions"))["results"][0]["record"]["captures"] == before
    problem(desk.post(f"{TABLE}/seats/{made['id']}/undo", {"reason": "再"}), 409)


def test_players_at_each_others_tables_are_looked_at_and_exchanged(desk):
    places = {"first": {"table": 1, "seat": "N"}, "second": {"table": 2, "seat": "N"}}
    first, second = good(desk.post("/rounds/1/exchange/preview", places))
    assert (first["goes_to"], second["goes_to"], second["deals"]) == (2, 1, [1])
    seen = [{"table": one["goes_to"], "deals": one["deals"]} for one in (first, second)]
    body = places | {"deals": seen, "reason": "坐错桌"}
    stale = problem(desk.post("/rounds/1/exchange", body | {"deals": []}), 409)
    assert stale["errors"][0]["code"] == "deals_since"
    now = good(desk.post("/rounds/1/exchange", body))
    assert [(one["table"], one["entry"]) for one in now] == [(1, second["entry"]), (2, first["entry"])]
    problem(desk.post("/rounds/1/exchange/preview", places | {"first": {"table": 77, "seat": "N"}}), 422)


def test_cards_are_made_and_renewed_and_a_tablet_is_shut_out(desk):
    made = good(desk.post("/cards", {"tables": 2}), 201)
    assert [one["table"] for one in made] == [1, 2]
    assert good(desk.get("/cards"))["results"] == made
    device = join(card=find_card(code=made[0]["code"], address=None), address=None).device
    fresh = good(desk.post("/cards/1/renew", {"reason": "丢了"}))
    assert fresh["code"] != made[0]["code"]
    assert fresh["address"].endswith(f"/{fresh['code'].replace('-', '')}/")
    (tablet,) = good(desk.get("/tablets"))["results"]
    assert (tablet["id"], tablet["table"], tablet["end"]) == (device.pk, 1, "")
    assert good(desk.post(f"/tablets/{device.pk}/revoke", {"reason": "丢了"}))["end"] == Device.End.REVOKED
    problem(desk.post(f"/tablets/{device.pk}/revoke", {"reason": "再"}), 409)
    problem(desk.post("/cards/77/renew", {"reason": "x"}), 404)


def test_penalty_articles_are_the_events_own_else_the_tournaments(scene):
    whole, own = scene.organising(scene.base.rstrip("/")), scene.organising()
    shipped = good(whole.get("/penalty-articles"))
    assert not shipped["own"]
    articles = [{"article": "1", "name": "迟到", "points": "-5/2", "warning_first": True}]
    good(whole.change("put", "/penalty-articles", {"articles": articles}))
    taken = good(own.get("/penalty-articles"))
    assert (taken["own"], taken["articles"][0]["points"]) == (False, "-5/2")
    twice = {"articles": [{"article": "2", "name": "犹豫", "points": -10}] * 2}
    problem(own.change("put", "/penalty-articles", twice), 422)
    problem(own.send("put", "/penalty-articles", {"articles": []}, headers={"if-match": '"old"'}), 412)
    good(whole.change("put", "/penalty-articles", {"articles": []}))
    assert good(own.get("/penalty-articles")) == shipped


def test_how_deals_are_signed_off_is_chosen(scene):
    desk = scene.organising()
    assert good(desk.get("/signoff")) == {"policy": "one"}
    assert good(desk.change("put", "/signoff", {"policy": "all"})) == {"policy": "all"}
    problem(desk.change("put", "/signoff", {"policy": "none"}), 422)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/penalties", {"seat": "N", "rule": "x", "points": -5, "reason": "x"}),
        ("/seats", {"sat": [], "deals": [], "reason": "x"}),
        ("/seats/1/undo", {"reason": "x"}),
    ],
)
def test_what_is_the_desks_needs_a_token_to_organise(scene, path, body):
    problem(scene.recording().post(path, body), 403)
    for read in ("/rulings", "/deals/1/versions", "/seats"):
        problem(scene.recording().get(read), 403)
