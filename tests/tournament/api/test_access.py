"""Every address of the open interface with every token, against a stated table of which opens what."""

from dataclasses import dataclass, replace
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from tests.tournament.api.busy import desk_busy
from tests.tournament.api.conftest import Sender, make_scene, played_event
from tests.tournament.api.test_organising import good
from tests.tournament.api.walking import METHODS, operations
from tests.tournament.api.who_opens import WHO_OPENS
from tournament.models import ApiAnswer, ApiToken, AuditRow

pytestmark = pytest.mark.django_db

VALUES = {"tournament": "cup", "event": "singles", "ruleset": "huapai"}
#: Parts of addresses by which an event knows its own things, and those by which a tournament does.
OF_EVENT = (
    "round",
    "table",
    "match",
    "deal",
    "number",
    "stage",
    "correction",
    "appeal",
    "dispute",
    "penalty",
)
OF_EVENT += ("reseating", "tablet", "group", "change")
OF_TOURNAMENT = ("call", "announcement", "item", "person", "token", "order")
#: What is not there for its own token either: no clock runs, nobody is absent, the workbook is not ready, the
#: table has one correction of its seats.
NOT_THERE = {"post absence_undo", "get bracket", "get clock", "get ordered_workbook"}
#: What takes the number of a deal that is not on record yet.
MAKES_DEALS = {"post deal_record", "post deal_ruling", "post deal_tricks"}


def _by_address():
    found = {}
    for one in operations():
        found.setdefault(one.address(VALUES).partition("?")[0], []).append(one)
    return found


ADDRESSES = _by_address()


@dataclass
class World:
    """A tournament with two events and another with an event of the same name. ``far`` is what the larger
    ones have, by part of an address, that the event walked has not.
    """

    senders: dict[str, Sender]
    far: dict[str, dict]


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    """Gone after the walk."""
    with django_db_blocker.unblock(), transaction.atomic():
        scene = make_scene()
        larger = {"entries": 16, "planned_rounds": 9}
        beside = replace(scene, event=played_event(scene.tournament, "doubles", **larger))
        abroad = make_scene("far", **larger)
        secrets = {
            "nobody": "",
            "reader": scene.token("read")[1],
            "table": scene.token("record", table=1)[1],
            "other_table": scene.token("record", table=2)[1],
            "other_event": beside.token("record", table=1)[1],
            "abroad": abroad.token("record", table=1)[1],
            "organiser": scene.token()[1],
            "other_organiser": abroad.token()[1],
        }
        numbers = {"round": 9, "table": 3, "match": 3, "deal": 2, "number": 9}
        far = {
            name: {
                "tournament": one.tournament.slug,
                "event": one.event.slug,
                **desk_busy(one),
                **numbers,
                "correction": 1,
                "appeal": 1,
                "stage": add_stage(one),
            }
            for name, one in (("beside", beside), ("abroad", abroad))
        }
        yield World({role: Sender(secret, "") for role, secret in secrets.items()}, far)
        transaction.set_rollback(True)


def add_stage(scene):
    """Another stage of the event; its number."""
    return good(scene.organising().post("/stages", {"format": "random", "rounds": 1, "name": "x"}), 201)[
        "number"
    ]


def _sent(sender, method, address, body=None, **more):
    """The status of one request whose effects are undone, and what it wrote of the audit trail."""
    before = AuditRow.objects.count() + ApiAnswer.objects.count()
    with transaction.atomic():
        response = sender.send(method, address, body or {}, headers={"if-match": "*"}, **more)
        written = AuditRow.objects.count() + ApiAnswer.objects.count() - before
        transaction.set_rollback(True)
    return response.status_code, written


def test_every_operation_has_its_line():
    assert sorted(WHO_OPENS) == sorted(map(str, operations())), "write down who opens it: who_opens.py"


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_is_open_to_the_tokens_that_open_it_and_to_no_other(world, address):
    there = {one.method: one for one in ADDRESSES[address]}
    opens = {method: WHO_OPENS[str(one)] for method, one in there.items()}
    any_of_it = frozenset().union(*opens.values())
    # A method that is not there is asked for by nobody, by one the address is open to and by one it is not.
    shut_out = [role for role in world.senders if role not in any_of_it]
    asks_all = {"nobody", *sorted(any_of_it)[:1], *shut_out[:2]}
    wrong = []
    for role, sender in world.senders.items():
        for method in METHODS if role in asks_all else there:
            body = there[method].body() if method in there else {}
            status, written = _sent(sender, method, address, body)
            if role in opens.get(method, ()):
                good = status not in {401, 403, 405}
            elif method not in opens and role in any_of_it:
                good = status == 405
            else:
                # A method that is not there is not there for anybody.
                refused = (403, 405) if method not in opens else (403,)
                good = status in ((401,) if role == "nobody" else refused) and not written
            if not good:
                wrong.append(f"{method} {role}: {status}")
    assert not wrong, f"{address}\n" + "\n".join(wrong)


def _foreign():
    """Operations with a part of their address that names what belongs to another event or tournament."""
    for one in operations():
        for part in one.parts:
            if part in OF_TOURNAMENT:
                yield one, part, "abroad"
            elif part in OF_EVENT and not (part == "deal" and str(one) in MAKES_DEALS):
                yield one, part, "beside"
                yield one, part, "abroad"
            else:
                assert part in {*VALUES, "version", "deal"}, f"{part}: say to what it belongs"


FOREIGN = list(_foreign())


@pytest.mark.parametrize(
    ("one", "part", "where"), FOREIGN, ids=[f"{one} {part} {where}" for one, part, where in FOREIGN]
)
def test_what_belongs_to_another_event_or_tournament_is_not_there(world, one, part, where):
    far = world.far[where]
    sent = (one.method, one.address(VALUES | {part: far[part]}), one.body())
    # Who is absent is asked of the round, in which the entry is not.
    expected = 422 if (one.name, part) == ("absence_undo", "number") else 404
    assert _sent(world.senders["organiser"], *sent, content_type=one.reads) == (expected, 0)
    if where == "abroad" and str(one) not in NOT_THERE:
        there = far | dict.fromkeys(("round", "table", "match", "number", "stage"), 1)
        sent = (one.method, one.address(there), one.body())
        status, _ = _sent(world.senders["other_organiser"], *sent, content_type=one.reads)
        assert status != 404, "there is nothing of the kind anywhere: this says nothing"


def test_a_person_logged_in_is_nobody_here(world, django_user_model):
    sender = Sender(base="")
    sender.client.force_login(django_user_model.objects.create_superuser("root"))
    with transaction.atomic():
        assert sender.get("/api/v1/tournaments/cup").status_code == 401
        transaction.set_rollback(True)


def test_an_expired_token_opens_nothing(world):
    with transaction.atomic():
        ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        statuses = {sender.get("/api/v1/tournaments/cup").status_code for sender in world.senders.values()}
        assert statuses == {401}
        transaction.set_rollback(True)
