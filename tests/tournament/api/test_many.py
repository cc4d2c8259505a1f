"""Changes of many things through the open interface, and what the desk sees."""

from tests.tournament.api.test_organising import good
from tests.tournament.api.test_refusals import problem
from tournament.models import AuditRow, Entry, Publication


def test_several_entries_are_looked_at_withdrawn_and_brought_back(scene):
    sender = scene.organising()
    rows = AuditRow.objects.count()
    shown = good(sender.post("/bulk/withdraw/preview", {"numbers": [3, 4, 99]}))
    assert (shown["going"], shown["already"], shown["unknown"]) == ([3, 4], [], [99])
    assert (shown["seated_in"], shown["left"]) == ([1], 6)
    assert AuditRow.objects.count() == rows
    problem(sender.post("/bulk/withdraw", {"numbers": [3, 99], "reason": "退赛"}), 422)
    assert not Entry.objects.filter(status="withdrawn").exists()
    done = good(sender.post("/bulk/withdraw", {"numbers": [3, 4], "reason": "退赛"}))
    assert (done["action"], done["numbers"], done["undone"]) == ("bulk.withdraw", [3, 4], False)
    undone = good(sender.post(f"/bulk/{done['id']}/undo", {"reason": "误会"}))
    assert undone["undone"]
    assert not Entry.objects.filter(status="withdrawn").exists()
    assert [(row["id"], row["undone"]) for row in good(sender.get("/bulk"))["results"]] == [
        (done["id"], True)
    ]
    problem(sender.post(f"/bulk/{done['id']}/undo", {"reason": "误会"}), 409)
    problem(sender.post("/bulk/999999/undo", {"reason": "误会"}), 404)


def test_rounds_are_looked_at_cleared_and_restored(scene):
    sender = scene.organising()
    good(sender.post("/rounds/2/draw", {"seed": 2}), 201)
    shown = good(sender.post("/bulk/clear/preview", {"from_round": 1}))
    assert [(row["round"], row["tables"], row["deals"]) for row in shown] == [(1, 2, 1), (2, 2, 0)]
    problem(sender.post("/bulk/clear", {"from_round": 1, "reason": "重抽"}), 422)  # a deal would be lost
    body = {"from_round": 1, "reason": "重抽", "with_deals": True}
    done = good(sender.post("/bulk/clear", body))
    assert (done["action"], done["numbers"]) == ("bulk.clear", [1, 2])
    problem(sender.get("/rounds/1/draw"), 404)
    good(sender.post(f"/bulk/{done['id']}/undo", {"reason": "误会"}))
    assert good(sender.get("/rounds/1/draw"))["state"] == "published"
    assert good(sender.get("/rounds/2/draw"))["state"] == "preview"


def test_the_desk_sees_what_comes_next_and_what_is_missing(scene):
    sender = scene.organising()
    assert good(sender.get("/next-step")) == {"code": "play", "round": 1, "done": 0, "total": 2}
    board = good(sender.get("/rounds/1/board"))
    assert not board["complete"]
    first, second = board["tables"]
    assert (first["state"], first["recorded"], first["checked"], len(first["seats"])) == ("playing", 1, 1, 4)
    assert (second["state"], second["missing"]) == ("waiting", [{"code": "no_deal", "deals": []}])


def test_the_desk_sees_standings_that_nobody_has_published(scene):
    Publication.objects.all().delete()
    sender = scene.organising()
    good(
        sender.post(
            "/penalties", {"entry": 1, "round": 1, "rule": "迟到", "points": "-5/2", "reason": "迟到"}
        ),
        201,
    )
    found = good(sender.get("/standings?limit=3"))
    assert (found["count"], len(found["results"]), found["complete"]) == (8, 3, False)
    assert found["rounds"][0] == 1
    rows = good(sender.get("/standings"))["results"]
    assert {row["entry"] for row in rows} == set(range(1, 9))
    assert next(row for row in rows if row["entry"] == 1)["penalties"] == "-5/2"
    assert good(sender.get("/standings?after=1&stage=1"))["after_round"] == 1
    for query in ("after=99", "stage=2"):
        problem(sender.get(f"/standings?{query}"), 404)
    problem(sender.get("/standings?after=x"), 422)
