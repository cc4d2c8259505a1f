"""An event from its creation to its published standings, through the open interface alone."""

from random import Random

import pytest

from tests.factories import make_event
from tests.played import random_record
from tests.tournament.api.conftest import Sender
from tests.tournament.api.test_refusals import problem
from tests.tournament.excel.files import xlsx
from tournament.models import ApiAnswer, AuditRow, Entry, Event, Publication
from tournament.views.manage.downloads import XLSX

SET = {"kind": "set", "deals": 1}
NEW = {
    "name": "对家赛",
    "slug": "pairs",
    "kind": "individual",
    "ruleset": "huapai",
    "plan": SET,
    "measure": "points",
    "planned_rounds": 1,
}


def good(response, status=200):
    assert response.status_code == status, response.content
    return response.json()


def test_an_event_is_held_through_the_interface_alone(scene):
    whole = scene.organising(scene.base)
    made = good(whole.post("events", NEW), 201)
    assert (made["slug"], made["state"], made["ruleset"]) == ("pairs", "setup", "huapai")
    sender = Sender(whole.secret, f"{scene.base}events/pairs")
    for name in "甲乙丙丁":
        good(sender.post("/entries", {"name": name}), 201)
    assert [row["number"] for row in good(sender.get("/entries"))["results"]] == [1, 2, 3, 4]
    drawn = good(sender.post("/rounds/1/draw", {"seed": 7}), 201)
    assert (drawn["state"], drawn["seed"]) == ("preview", 7)
    seats = {seat["entry"]: seat["seat"] for seat in drawn["tables"][0]["seats"]}
    swapped = good(sender.post("/rounds/1/draw/swap", {"first": 1, "second": 2}))
    after = {seat["entry"]: seat["seat"] for seat in swapped["tables"][0]["seats"]}
    assert (after[1], after[2]) == (seats[2], seats[1])
    assert good(sender.get("/rounds/1/draw/verify")) == {"same": True}
    assert good(sender.post("/rounds/1/draw/publish"))["state"] == "published"
    table = "/rounds/1/tables/1"
    record = random_record(Random(3))
    done = good(sender.post(f"{table}/deals/1/record", {"record": record, "entered_seat": "N"}))
    assert done["outcome"]["version"] == 1
    good(sender.post(f"{table}/deals/1/check", {"version": 1, "relation": "next", "seat": "W"}))
    given = {"entry": 1, "round": 1, "rule": "迟到", "points": -5, "reason": "迟到"}
    assert good(sender.post("/penalties", given), 201)["points"] == -5
    good(sender.post("/rounds/1/close"))
    for what in ("results", "standings"):
        good(sender.post("/rounds/1/publish", {"what": what}))
    good(sender.post("/finish"))
    standings = good(Sender(base="/api/v1/public/tournaments/cup").get("/events/pairs/standings"))
    assert standings["complete"]
    assert {row["penalties"] for row in standings["results"] if row["entry"] == 1} == {-5}
    assert sender.get("/results.xlsx").headers["Content-Type"] == XLSX


def test_the_audit_trail_names_the_person_and_the_token(scene):
    token, secret = scene.token(name="报名网站")
    good(Sender(secret, scene.of_event).post("/entries", {"name": "新"}), 201)
    row = AuditRow.objects.filter(action="entry.add").latest("id")
    assert row.actor == scene.organiser
    assert row.actor_name == f"{scene.organiser.username} [报名网站]"
    assert token.name in row.actor_name


# --- requests that come twice ---------------------------------------------------------------------------


def test_the_same_key_with_the_same_request_gets_the_same_answer(scene):
    sender = scene.organising()
    first = sender.post("/entries", {"name": "新"}, key="a-key-of-mine")
    again = sender.post("/entries", {"name": "新"}, key="a-key-of-mine")
    assert (first.status_code, first.json()) == (again.status_code, again.json()) == (201, first.json())
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    assert Entry.objects.filter(name="新").count() == 1


@pytest.mark.parametrize(
    ("path", "body"), [("/entries", {"name": "别"}), ("/entries/1/withdraw", {"reason": "x"})]
)
def test_the_same_key_with_another_request_is_refused(scene, path, body):
    sender = scene.organising()
    good(sender.post("/entries", {"name": "新"}, key="a-key-of-mine"), 201)
    assert problem(sender.post(path, body, key="a-key-of-mine"), 422)["errors"][0]["code"] == "key_reused"
    assert Entry.objects.filter(status="withdrawn").count() == 0


def test_a_key_belongs_to_its_token(scene):
    for n in range(2):
        good(scene.organising().post("/entries", {"name": f"新{n}"}, key="a-key-of-mine"), 201)


def test_a_refused_request_leaves_not_even_its_key(scene):
    sender = scene.organising()
    problem(sender.post("/entries", {"name": ""}, key="a-key-of-mine"), 422)
    assert not ApiAnswer.objects.exists()
    good(sender.post("/entries", {"name": "新"}, key="a-key-of-mine"), 201)


@pytest.mark.parametrize("key", [None, "", "short", "x" * 81, "schlüssel", "two\x01lines"])
def test_a_key_of_no_use_is_refused(scene, key):
    sender = scene.organising()
    headers = {"idempotency-key": key or ""}
    response = sender.post("/entries", {"name": "新"}, headers=headers)
    assert problem(response, 400)["errors"][0]["code"] == "key_missing"
    assert not Entry.objects.filter(name="新").exists()


# --- versions -------------------------------------------------------------------------------------------


def test_a_change_says_which_version_was_read(scene):
    sender = scene.organising()
    tag = sender.get("/entries/1").headers["ETag"]
    problem(sender.send("patch", "/entries/1", {"club": "新队"}), 428)
    problem(sender.send("patch", "/entries/1", {"club": "新队"}, headers={"if-match": '"other"'}), 412)
    # As a proxy that compresses answers gives the tag on.
    changed = sender.send("patch", "/entries/1", {"club": "新队"}, headers={"if-match": f"W/{tag}"})
    assert good(changed)["club"] == "新队"
    assert changed.headers["ETag"] == sender.get("/entries/1").headers["ETag"] != tag
    problem(sender.send("patch", "/entries/1", {"club": "旧队"}, headers={"if-match": tag}), 412)
    assert good(sender.get("/entries/1"))["club"] == "新队"


def test_what_is_not_sent_stays(scene):
    sender = scene.organising()
    before = good(sender.get("/entries/3"))
    after = good(sender.change("patch", "/entries/3", {"seeding": 2}))
    assert after == before | {"seeding": 2}


def test_a_version_is_the_same_in_every_language(scene):
    sender = scene.organising()
    for path in ("", "/entries/1", "/stages/1"):
        tags = {
            sender.get(path, headers={"accept-language": language}).headers["ETag"]
            for language in ("zh-hans", "zh-hant", "en")
        }
        assert len(tags) == 1, path


def test_entries_are_removed_and_events_changed_with_their_version(scene):
    sender = scene.organising()
    good(sender.post("/entries", {"name": "新"}), 201)
    assert sender.change("delete", "/entries/9").status_code == 204
    problem(sender.get("/entries/9"), 404)
    problem(sender.change("delete", "/entries/1"), 422)  # drawn already
    assert good(sender.change("patch", "", {"name": "决赛"}))["name"] == "决赛"
    errors = problem(sender.change("patch", "", {"kind": "pairs"}), 422)["errors"]
    assert [(one["code"], one["field"]) for one in errors] == [("event_started", "kind")]
    assert Event.objects.get(pk=scene.event.pk).kind == "individual"


# --- entries from a workbook ----------------------------------------------------------------------------


def test_a_workbook_is_previewed_and_then_imported(scene):
    make_event(entries=1, tournament=scene.tournament, slug="fresh")
    sender = scene.organising(f"{scene.base}events/fresh")
    rows = [["编号", "姓名", "单位"], [9, "新人", "新队"], [1, "选手1", "改队"]]
    content = xlsx(rows)
    plan = good(sender.send("post", "/entries/import/preview", data=content, content_type=XLSX))
    assert plan["faults"] == []
    assert [row["status"] for row in plan["rows"]] == ["new", "changed"]
    assert not Entry.objects.filter(name="新人").exists()
    done = good(sender.send("post", "/entries/import", data=content, content_type=XLSX))
    assert done == {"added": [9], "changed": [1], "unchanged": 0}


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04nothing", b"name,club\n"])
def test_a_file_that_is_no_workbook_is_refused(scene, content):
    sender = scene.organising()
    assert problem(sender.send("post", "/entries/import", data=content, content_type=XLSX), 422)["errors"]
    assert not good(sender.send("post", "/entries/import/preview", data=content, content_type=XLSX))["ok"]


# --- stages, announcements, schedule, archive -----------------------------------------------------------


def test_stages_are_added_changed_and_removed(scene):
    sender = scene.organising()
    made = good(sender.post("/stages", {"format": "random", "rounds": 1, "name": "决赛"}), 201)
    assert (made["number"], made["rounds"], made["members"]) == (2, [4], [])
    problem(sender.get("/stages/1/advance?places=4"), 422)
    preview = good(sender.get("/stages/2/advance?places=4"))
    assert not preview["settled"]
    numbers = [one["entry"] for one in preview["lines"][:4]]
    problem(sender.post("/stages/2/advance", {"numbers": numbers}), 422)
    chosen = good(sender.post("/stages/2/advance", {"numbers": numbers, "reason": "加赛"}))
    assert chosen["members"] == numbers
    assert good(sender.post("/stages/2/advance/withdraw", {"reason": "错"}))["members"] == []
    good(sender.change("put", "/stages/2", {"format": "random", "rounds": 2, "name": "决赛"}))
    assert sender.change("delete", "/stages/2").status_code == 204


def test_announcements_and_schedule_reach_the_public(scene):
    sender, public = scene.organising(scene.base), scene.reading()
    said = good(sender.post("announcements", {"title": "开幕", "event": "singles"}), 201)
    good(sender.change("put", f"announcements/{said['id']}", {"title": "开幕式", "body": "请准时"}))
    assert good(public.get("/announcements"))["results"][0]["title"] == "开幕式"
    assert sender.change("delete", f"announcements/{said['id']}").status_code == 204
    assert good(public.get("/announcements"))["count"] == 0
    item = good(sender.post("schedule", {"title": "午餐", "starts_at": "2026-05-01T12:00:00+08:00"}), 201)
    good(sender.post("events/singles/rounds/2/time", {"starts_at": "2026-05-01T14:00:00+08:00"}))
    lines = good(public.get("/schedule"))["results"]
    assert [(one["title"], one["round"]) for one in lines] == [("午餐", None), ("", 2)]
    assert sender.change("delete", f"schedule/{item['id']}").status_code == 204
    problem(sender.post("announcements", {"title": "x", "event": "nothing"}), 422)
    problem(sender.post("schedule", {"title": "x", "starts_at": "1025-09-30T13:37:10Z"}), 422)


def test_the_archive_is_the_file_that_the_command_writes(scene):
    response = scene.organising(scene.base).get("archive")
    assert response.headers["Content-Type"] == "application/gzip"
    assert response.content[:2] == b"\x1f\x8b"


def test_a_draw_withdrawn_and_a_round_that_misses_something(scene):
    sender = scene.organising()
    errors = problem(sender.post("/rounds/1/close"), 422)["errors"]
    assert {one["code"] for one in errors} == {"unfinished", "no_deal"}
    problem(sender.post("/rounds/1/draw/withdraw", {"reason": "错"}), 422)
    body = {"reason": "错", "with_deals": True}
    assert good(sender.post("/rounds/1/draw/withdraw", body))["state"] == "withdrawn"
    problem(sender.get("/rounds/1/draw"), 404)


# --- constraints, tie-breaks, matches, clock ------------------------------------------------------------


def test_entries_are_kept_apart_and_let_meet_again(scene):
    sender = scene.organising()
    made = good(sender.post("/apart", {"numbers": [2, 1], "name": "一家"}), 201)
    assert made["numbers"] == [1, 2]
    assert good(sender.get("/apart"))["count"] == 1
    assert sender.change("delete", f"/apart/{made['id']}").status_code == 204
    assert good(sender.get("/apart"))["count"] == 0
    problem(sender.post("/apart", {"numbers": [1, 99]}), 422)


def test_who_does_not_come_to_a_round_is_not_drawn_in_it(scene):
    sender = scene.organising()
    rows = good(sender.post("/rounds/2/absences", {"numbers": [3, 5], "reason": "晚到"}), 201)
    assert [row["entry"] for row in rows] == [3, 5]
    assert sender.post("/rounds/2/absences/5/undo").status_code == 204
    assert [row["entry"] for row in good(sender.get("/rounds/2/absences"))["results"]] == [3]


def test_tie_breaks_are_chosen_with_the_version_that_was_read(scene):
    sender = scene.organising()
    assert good(sender.change("put", "/tie-breaks", {"tie_breaks": ["lot"]}))["tie_breaks"] == ["lot"]
    lots = good(sender.post("/lots", {"seed": 4}))["lots"]
    assert sorted(lots) == [str(number) for number in range(1, 9)]
    assert good(sender.post("/lots", {"seed": 5}))["lots"] == lots
    problem(sender.change("put", "/tie-breaks", {"tie_breaks": ["fortune"]}), 422)


def test_a_match_is_a_walkover_and_is_played_after_all(scene):
    Publication.objects.all().delete()  # else it is a correction
    sender = scene.organising()
    match = good(sender.get("/rounds/1/matches"))["results"][1]
    scores = [{"entry": number, "points": 0} for number in match["entries"]]
    body = {"absent": match["entries"][:1], "scores": scores, "reason": "未到"}
    path = f"/rounds/1/matches/{match['number']}"
    assert good(sender.post(f"{path}/walkover", body))["walkover"] == "未到"
    assert good(sender.post(f"{path}/walkover/undo", {"reason": "到了"}))["walkover"] is None
    stranger = next(number for number in range(1, 9) if number not in match["entries"])
    problem(sender.post(f"{path}/walkover", body | {"absent": [stranger]}), 422)
    problem(sender.post(f"{path}/decide", {"winner": match["entries"][0], "reason": "x"}), 422)


def test_the_winner_of_a_match_of_a_bracket_is_named_and_unnamed(scene):
    event = make_event("pairs", entries=4, tournament=scene.tournament, slug="cup")
    sender = scene.organising(f"{scene.base}events/{event.slug}")
    good(sender.change("put", "/stages/1", {"format": "knockout", "rounds": 2}))
    good(sender.post("/rounds/1/draw", {"seed": 1}), 201)
    good(sender.post("/rounds/1/draw/publish", {"reason": "x"}))
    match = good(sender.get("/rounds/1/matches/1"))
    body = {"winner": match["entries"][0], "reason": "弃权"}
    assert good(sender.post("/rounds/1/matches/1/decide", body))["winner"] == match["entries"][0]
    assert good(sender.post("/rounds/1/matches/1/undecide", {"reason": "错"}))["winner"] is None


def test_the_clock_of_a_timed_round_is_started_and_moved(scene):
    timed = {"kind": "time", "minutes": 30, "finish_current_deal": False}
    make_event(entries=4, tournament=scene.tournament, slug="timed", plan=timed, planned_rounds=1)
    sender = scene.organising(f"{scene.base}events/timed")
    good(sender.post("/rounds/1/draw", {"seed": 1}), 201)
    good(sender.post("/rounds/1/draw/publish", {"reason": "x"}))
    started = good(sender.post("/rounds/1/clock/start"))["ends_at"]
    assert good(sender.post("/rounds/1/clock/move", {"minutes": 10, "reason": "断电"}))["ends_at"] > started
    problem(sender.post("/rounds/1/clock/late/1", {"reason": "x"}), 409)  # time is not up yet
    problem(sender.post("/rounds/1/clock/start"), 409)
    good(sender.post("/rounds/1/clock/move", {"minutes": -60, "reason": "误按"}))
    assert sender.post("/rounds/1/clock/late/1", {"reason": "已打完"}).status_code == 204
