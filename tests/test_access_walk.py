"""Every address of the site with every role, against a stated table of who may.

A new address fails here until somebody has written down who may open it.
"""

from collections.abc import Iterator
from datetime import timedelta
from random import Random
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from referee.models import DealVersion, Dispute, Reseating, TableCall
from referee.services.alarms import compare_figures
from referee.services.appeals import file_appeal, set_appeal_minutes
from referee.services.checks import check_deal
from referee.services.corrections import propose_correction
from referee.services.deals import record_deal
from referee.services.penalties import give_penalty
from scoring.models import RulesetVersion
from tests.factories import actor, make_event, make_published_draw, make_tournament, make_user
from tests.played import random_record
from tests.tournament.public.bracket_play import bracket_event, draw_and_publish
from tests.who_may import ROLES, WHO_MAY
from tournament.models import AuditRow, Membership, WorkbookOrder
from tournament.services.audit import SYSTEM
from tournament.services.bulk import withdraw_many
from tournament.services.constraints import keep_apart
from tournament.services.members import give_tables
from tournament.services.notices import post_announcement
from tournament.services.publish import publish_round
from tournament.services.rulesets import copy_ruleset
from tournament.services.schedule import add_schedule_item
from tournament.services.tokens import create_token

pytestmark = pytest.mark.django_db

#: A deal as a table would send it.
RECORD = random_record(Random(1))


def _addresses(
    patterns: list[URLPattern | URLResolver], namespace: str = "", before: tuple[str, ...] = ()
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Name and arguments of every address below these patterns."""
    for one in patterns:
        arguments = (*before, *one.pattern.regex.groupindex)
        if isinstance(one, URLResolver):
            inner = f"{one.namespace}:" if one.namespace else namespace
            yield from _addresses(one.url_patterns, inner, arguments)
        else:
            assert one.name, f"{one.pattern}: an address without a name can be walked by nobody"
            yield namespace + one.name, arguments


#: Every address but those of the open interface, which knows tokens and no people:
#: tests/tournament/api/test_access.py walks these.
ADDRESSES = [one for one in _addresses(get_resolver().url_patterns) if not one[0].startswith("api:")]


@pytest.fixture(scope="module")
def scene(django_db_setup, django_db_blocker):
    """A tournament in play and somebody of each role; gone after the walk."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield _Scene()
        transaction.set_rollback(True)


class _Scene:
    """One event, at its first table a checked deal, an unchecked one and a penalty; all of it published."""

    def __init__(self):
        tournament = make_tournament(slug="cup")
        event = make_event(entries=8, tournament=tournament, slug="singles")
        self.users = {
            "public": None,
            "nobody": make_user(),
            "organiser": make_user("organiser", tournament),
            "other_organiser": make_user("organiser", make_tournament()),
            "chief": make_user("chief_referee", tournament),
            "referee": make_user("table_referee", tournament),
            "other_table": make_user("table_referee", tournament),
            "superuser": make_user(is_superuser=True),
        }
        draw = make_published_draw(event)
        for number, role in enumerate(("referee", "other_table"), start=1):
            give_tables(actor=SYSTEM, event=event, user=self.users[role], numbers=[number])
        table = draw.tables.get(number=1)
        for number in (1, 2):
            record_deal(
                actor=SYSTEM,
                table=table,
                number=number,
                record=RECORD,
                entered_seat="N",
                command_id=uuid4(),
            )
        check_deal(
            actor=SYSTEM,
            deal=table.deals.get(number=1),
            version=1,
            relation="next",
            seat="W",
            command_id=uuid4(),
        )
        alarm = compare_figures(
            actor=SYSTEM,
            event=event,
            version=DealVersion.objects.get(deal__table=table, deal__number=1),
            shown={},
        )
        penalty = give_penalty(
            actor=SYSTEM,
            event=event,
            round=draw.round,
            entry=table.seats.get(direction="N").entry,
            rule="迟到",
            points=-10,
            reason="迟到",
            table=table,
            command_id=uuid4(),
        )
        publish_round(actor=SYSTEM, round=draw.round)
        set_appeal_minutes(actor=SYSTEM, event=event, minutes=60)
        shipped = RulesetVersion.objects.get(book__key="huapai")
        copy_ruleset(actor=actor(self.users["organiser"]), version=shipped, key="ours", title="Ours")
        self.values = {
            "tournament": "cup",
            "event": "singles",
            "round": 1,
            "number": 1,
            "kind": "csv",
            "after": 1,
            "table": 1,
            "membership": Membership.objects.get(user=self.users["other_table"]).pk,
            "penalty": penalty.body["penalty"],
            "dispute": alarm.pk,
            "what": "results",
            "match": 1,
            "entry": 1,
            "segment": 1,
            "stage": 1,
            "bracket_match": draw.matches.first().pk,
            "group": keep_apart(actor=SYSTEM, event=event, numbers=[1, 2]).pk,
            "row": withdraw_many(actor=SYSTEM, event=event, numbers=[8], reason="x").pk,
            "key": "ours",
            "code": "NO-SUCH-CODE",
            "matter": "results",
            "deal": 1,
            "appeal": file_appeal(
                actor=SYSTEM,
                event=event,
                round_number=1,
                table=1,
                deal=1,
                number=table.seats.get(direction="N").entry.number,
                statement="x",
            ).number,
            "correction": propose_correction(
                actor=SYSTEM,
                round=draw.round,
                kind="penalty",
                change={"entry": 1, "rule": "x", "points": "-1", "sure": True},
                reason="x",
            ).number,
            "order": "pigs",
            "part": 1,
            "address": "t/cup/singles/",
            "announcement": post_announcement(actor=SYSTEM, tournament=tournament, title="x").pk,
            "workbook": WorkbookOrder.objects.create(
                tournament=tournament,
                language="en",
                ordered_by=self.users["organiser"],
                state=WorkbookOrder.State.READY,
                content=b"x",
                expires_at=timezone.now() + timedelta(hours=1),
            ).pk,
            "token": create_token(
                actor=actor(self.users["organiser"]),
                tournament=tournament,
                purpose="read",
                name="x",
                days=1,
            )[0].pk,
            "item": add_schedule_item(
                actor=SYSTEM, tournament=tournament, title="x", starts_at=timezone.now()
            ).pk,
        }
        second = table.deals.get(number=2)
        bracket = bracket_event(4)
        draw_and_publish(bracket, 1)
        self.in_bracket = {**self.values, "tournament": bracket.tournament.slug, "event": bracket.slug}
        self.at_table = {
            **self.values,
            "table": table.pk,
            "number": 2,
            "deal": second.pk,
            "call": TableCall.objects.create(table=table).pk,
            "dispute": Dispute.objects.create(version=second.versions.get(), kind=Dispute.Kind.FIGURE).pk,
            "reseating": Reseating.objects.create(table=table, moved={}, reason="x").pk,
        }

    def address(self, name, arguments):
        values = self.at_table if name.startswith("referee:") else self.values
        if name in {"bracket", "match"}:  # single players have neither
            values = self.in_bracket
        return reverse(name, kwargs={key: values[key] for key in arguments})

    def client(self, role):
        client = Client(headers={"accept-language": "en"})
        if self.users[role] is not None:
            client.force_login(self.users[role])
        return client

    def body(self):
        """Enough for every command of the table to be understood."""
        return {
            "command_id": str(uuid4()),
            "record": RECORD,
            "version": 1,
            "based_on": 1,
            "relation": "next",
            "seat": "W",
            "rule": "x",
            "points": -5,
            "reason": "because",
            "verdict": "dispute",
            "kind": "claim",
            "facts": {"seat": "N", "tricks": 1, "remaining": 1},
            "note": "because",
            "cards": ["SQ"],
            "to_seat": "N",
            "tricks": [[{"seat": "N", "cards": ["S3"]}]],
            "outcome": "noted",
            "ruling": "because",
            "segment": 2,
        }


def _outcome(response):
    """What an answer says about access: login, forbidden, method (not the way to use it) or open."""
    address = response.headers.get("Location", "")
    if response.status_code == 302 and address.startswith(reverse(settings.LOGIN_URL)):
        return "login"
    return {401: "login", 403: "forbidden", 405: "method"}.get(response.status_code, "open")


def _use(client, method, address, body):
    """One request whose effects are undone."""
    with transaction.atomic():
        if method == "get":
            response = client.get(address)
        elif "/api/" in address:
            response = client.post(address, body, content_type="application/json")
        else:
            response = client.post(address, {})
        if response.streaming:
            list(response.streaming_content)
        written = AuditRow.objects.count()
        transaction.set_rollback(True)
    return response, written


def test_every_address_is_in_the_table_once():
    names = [name for name, _arguments in ADDRESSES]
    assert sorted(names) == sorted(set(names)), "two addresses of one name"
    assert set(names) - set(WHO_MAY) == set(), "state in WHO_MAY who may open these"
    assert set(WHO_MAY) - set(names) == set(), "these addresses are no more"


@pytest.mark.parametrize(("name", "arguments"), ADDRESSES, ids=[name for name, _arguments in ADDRESSES])
def test_an_address_is_open_to_those_who_may_and_nobody_else(scene, name, arguments):
    address = scene.address(name, arguments)
    wrong = []
    for role in ROLES:
        before = AuditRow.objects.count()
        found = {
            method: _use(scene.client(role), method, address, scene.body()) for method in ("get", "post")
        }
        outcomes = {method: _outcome(response) for method, (response, _written) in found.items()}
        if role in WHO_MAY[name]:
            statuses = {response.status_code for response, _written in found.values()}
            good = set(outcomes.values()) <= {"open", "method"} and statuses & {200, 302, 400, 409}
        else:
            refusals = {"login", "forbidden"} if role == "public" else {"forbidden"}
            good = (
                set(outcomes.values()) <= {*refusals, "method"}
                and outcomes["get" if outcomes["post"] == "method" else "post"] in refusals
                and all(written == before for _response, written in found.values())
            )
        if not good:
            statuses = {method: response.status_code for method, (response, _written) in found.items()}
            wrong.append(f"{role}: {statuses}")
    assert not wrong, f"{address}\n" + "\n".join(wrong)


def test_commands_of_the_walk_are_understood(scene):  # malformed, they would never be asked who may give them
    client = scene.client("superuser")
    for name, arguments in ADDRESSES:
        if name.startswith("referee:api_") and name != "referee:api_table":
            response, _written = _use(client, "post", scene.address(name, arguments), scene.body())
            told = b"segment_by_deals" in response.content  # the walk's round is not timed
            assert response.status_code in {200, 409} or told, (name, response.content)
