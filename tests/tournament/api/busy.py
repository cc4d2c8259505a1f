"""A tournament in play with something of everything that the desk has to do with."""

from random import Random

from referee.models import Dispute, Penalty, Reseating, TableCall
from referee.services.devices import find_card, join
from tests.factories import actor
from tests.played import random_record
from tests.tournament.api.test_organising import good
from tournament.models import AuditRow
from tournament.tasks.workbooks import order_workbook

#: Two players who sat at each other's seats.
SAT = [{"seat": "N", "at": "W"}, {"seat": "W", "at": "N"}]


def desk_busy(scene):
    """Something of everything that the desk has to do with, so that requests meet it; its ids."""
    table, desk, whole = scene.recording(), scene.organising(), scene.organising(scene.base.rstrip("/"))
    why = {"reason": "x"}
    record = random_record(Random(5))
    good(table.post("/call", {"seat": "E"}))
    good(table.post("/deals/2/record", {"record": record, "entered_seat": "N"}))
    good(table.post("/deals/2/sign", {"version": 1, "seat": "S", "verdict": "dispute", "reason": "x"}))
    claim = {"seat": "N", "tricks": 1, "remaining": 2}
    good(table.post("/deals/2/ruling", {"kind": "claim", "facts": claim}))
    card = good(desk.post("/cards", {"tables": 3}), 201)[0]
    entry = scene.event.rounds.get(number=1).draws.get().tables.get(number=1).seats.first().entry.number
    appeal = {"round": 1, "table": 1, "deal": 1, "entry": entry, "statement": "x"}
    good(desk.post("/appeals", appeal), 201)
    # A correction that was made, one that waits for its check, and one that is proposed.
    for kind, body, make in [
        ("penalty", {"entry": entry, "rule": "x", "points": -5}, True),
        ("seats", {"table": 1, "sat": SAT, "deals": [{"deal": 1, "version": 1}]}, True),
        ("void", {"table": 1, "deal": 1, "version": 2}, False),
    ]:
        shown = good(desk.post(f"/rounds/1/corrections/{kind}", body | why), 201)
        if make:
            number = shown["correction"]["number"]
            good(desk.post(f"/corrections/{number}/apply", {"seen": shown["seen"]}))
    item = {"title": "Lunch", "starts_at": "2026-05-01T12:00:00+08:00"}
    good(desk.post("/bulk/withdraw", {"numbers": [8], **why}))
    return {
        "call": TableCall.objects.get(table__draw__round__event=scene.event).pk,
        "dispute": Dispute.objects.get(version__deal__table__draw__round__event=scene.event).pk,
        "penalty": Penalty.objects.get(event=scene.event).pk,
        "reseating": Reseating.objects.get(table__draw__round__event=scene.event).pk,
        "tablet": join(card=find_card(code=card["code"], address=None), address=None).device.pk,
        "announcement": good(whole.post("/announcements", {"title": "x"}), 201)["id"],
        "item": good(whole.post("/schedule", item), 201)["id"],
        "person": scene.tournament.memberships.get().pk,
        "token": scene.token("read")[0].pk,
        "order": order_workbook(
            actor=actor(scene.organiser), tournament=scene.tournament, event=scene.event, language="en"
        ).pk,
        "group": good(desk.post("/apart", {"numbers": [1, 2]}), 201)["id"],
        "change": AuditRow.objects.get(event=scene.event, action="bulk.withdraw").pk,
    }
