"""A table of five has the seats A B C D E: wherever the fifth is named, in any language, it is not East."""

import io
import json
import re
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from openpyxl import load_workbook

from referee.models import Deal, DealVersion, Dispute, Reseating, TableCall
from referee.services.alarms import compare_figures
from referee.services.appeals import file_appeal, set_appeal_minutes
from referee.services.calls import call_referee
from referee.services.checks import check_deal
from referee.services.corrections import propose_correction
from referee.services.deals import correct_deal, record_deal, void_deal
from referee.services.penalties import give_penalty
from referee.services.reseating import reseat
from referee.services.rulings import record_ruling
from referee.services.signoffs import sign_deal
from referee.services.table_exchange import exchange_tables
from scoring.engine.playout import play_out
from tests.factories import actor, make_event, make_tournament, make_user
from tests.test_access_walk import ADDRESSES
from tests.tournament.views.files import as_upload
from tournament.excel.paper_reading import read_paper
from tournament.excel.writing import result_workbook, tournament_workbook
from tournament.models import Draw, Membership, Publication, WorkbookOrder
from tournament.services.audit import SYSTEM
from tournament.services.bulk import withdraw_many
from tournament.services.constraints import keep_apart
from tournament.services.draw import make_draw, publish_draw
from tournament.services.lineups import substitute
from tournament.services.notices import post_announcement
from tournament.services.publish import publish, publish_round
from tournament.services.schedule import add_schedule_item
from tournament.services.tokens import create_token

pytestmark = pytest.mark.django_db

FIVE = "ABCDE"
LANGUAGES = ("en", "zh-hans", "zh-hant")
EAST = re.compile(r"East|东|東")
#: Pages of the site's rulesets, which are tried at a table of four; and what is no page to be read.
ELSEWHERE = re.compile(r"manage:ruleset|^api_|set_language|logout|page_code|preview$|referee:service_worker")
#: Pages that name seats: they have to have been among those that were read.
NAMED = {
    *("round", "table", "entry", "find", "screen", "changes", "seats_print", "wall_print", "sheets_print"),
    *("manage:round", "manage:draw", "manage:match", "manage:audit", "manage:tournament_audit"),
    *("manage:audit_export", "manage:tournament_audit_export", "manage:correction", "manage:deal_correct"),
    *("manage:appeal", "manage:paper_sheets", "manage:paper_cards", "manage:workbook"),
    *("referee:table", "referee:seats", "referee:seats_undo", "referee:exchange", "referee:board"),
    *("referee:calls", "referee:call", "referee:review", "referee:deal", "referee:dispute", "referee:home"),
    *("referee:api_table", "referee:board_tables"),
}


def record_of(rules: Any, seed: int) -> dict[str, Any]:
    """A random deal of five in which E exposes something and takes the pig."""
    for one in range(seed * 1000, seed * 1000 + 1000):
        record = play_out(rules, Random(one), seats=5).record.to_json()
        if any(shown["seat"] == "E" for shown in record["exposed"]) and "SQ" in record["captures"]["E"]:
            return record
    raise AssertionError("no such deal")


@dataclass
class Scene:
    """Two tables of five in play, with everything that names a seat done by or to E at the first."""

    values: dict[str, Any] = field(default_factory=dict)
    at_table: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tournament = make_tournament(slug="cup")
        plan = {"kind": "set", "deals": 8}
        self.event = make_event(entries=10, tournament=self.tournament, slug="fives", plan=plan)
        self.user = make_user("organiser", self.tournament, is_superuser=True)
        self.rules = self.event.ruleset_version.ruleset()
        self.draw = self.drawn(1)
        publish_draw(actor=SYSTEM, draw=self.draw, reason="x")
        publish(actor=SYSTEM, round=self.draw.round, what=Publication.What.DRAW)
        self.table, self.other = self.draw.tables.select_related("draw__round__event__tournament").order_by(
            "number"
        )
        self.play()
        self.dispute()
        self.put_right()
        self.publish_again()
        self.drawn(2)
        self.name_everything()

    def drawn(self, number: int) -> Draw:
        drawn = make_draw(actor=SYSTEM, round=self.event.rounds.get(number=number), seed=1, answer="fives")
        assert [table.seats.count() for table in drawn.tables.all()] == [5, 5]
        return drawn

    def deal(self, number: int) -> Deal:
        return self.table.deals.get(number=number)

    def record(self, number: int, seat: str) -> DealVersion:
        record_deal(
            actor=SYSTEM,
            table=self.table,
            number=number,
            record=record_of(self.rules, number),
            entered_seat=seat,
            command_id=uuid4(),
        )
        return self.deal(number).versions.latest("number")

    def play(self) -> None:
        """E of both tables change places; then five deals, some kept or checked by E; results of the first
        two are published.
        """
        first, second = (table.seats.get(direction="E") for table in (self.table, self.other))
        exchange_tables(actor=SYSTEM, first=first, second=second, deals={}, reason="x", command_id=uuid4())
        for number, seat, checker in ((1, "E", "A"), (2, "D", "E")):
            self.record(number, seat)
            check_deal(
                actor=SYSTEM,
                deal=self.deal(number),
                version=1,
                relation="next",
                seat=checker,
                command_id=uuid4(),
            )
        publish_round(actor=SYSTEM, round=self.draw.round)
        for number in (3, 4, 5):
            self.record(number, "E")
        void_deal(actor=SYSTEM, deal=self.deal(5), version=1, reason="x", command_id=uuid4())

    def dispute(self) -> None:
        """What E objects to, and what a referee is called for and rules."""
        sign_deal(
            actor=SYSTEM,
            deal=self.deal(3),
            version=1,
            seat="E",
            verdict="dispute",
            reason="x",
            record=record_of(self.rules, 9),
            command_id=uuid4(),
        )
        version = self.deal(4).versions.get()
        compare_figures(actor=SYSTEM, event=self.event, version=version, shown={"E": "5"})
        facts = {"seat": "E", "tricks": 1, "remaining": 1, "agreed": list("ABCD")}
        record_ruling(actor=SYSTEM, table=self.table, number=4, kind="claim", facts=facts, command_id=uuid4())
        call_referee(actor=SYSTEM, table=self.table, seat="E", command_id=uuid4())

    def put_right(self) -> None:
        """A deal is corrected; E and A had changed seats in another; somebody else sits at E from now on."""
        correct_deal(
            actor=SYSTEM,
            deal=self.deal(1),
            version=1,
            record=record_of(self.rules, 7),
            entered_seat="E",
            reason="x",
            command_id=uuid4(),
        )
        at = {"A": "E", "E": "A", "B": "B", "C": "C", "D": "D"}
        reseat(
            actor=SYSTEM,
            table=self.table,
            segment=1,
            sat=at,
            deals={2: 1},
            reason="x",
            command_id=uuid4(),
        )
        substitute(actor=SYSTEM, table=self.table, segment=1, direction="E", name="替补", reason="x")

    def publish_again(self) -> None:
        publish(actor=SYSTEM, round=self.draw.round, what=Publication.What.DRAW, note="x")
        publish_round(actor=SYSTEM, round=self.draw.round, note="x")

    def name_everything(self) -> None:
        """Values for every place of an address."""
        seat = self.table.seats.get(direction="E")
        penalty = give_penalty(
            actor=SYSTEM,
            event=self.event,
            round=self.draw.round,
            entry=seat.entry,
            rule="迟到",
            points=-10,
            reason="迟到",
            table=self.table,
            command_id=uuid4(),
        )
        set_appeal_minutes(actor=SYSTEM, event=self.event, minutes=60)
        filed = file_appeal(
            actor=SYSTEM,
            event=self.event,
            round_number=1,
            table=1,
            deal=2,
            number=seat.entry.number,
            statement="x",
        )
        change = {
            "table": 1,
            "deal": 2,
            "version": self.deal(2).versions.count(),
            "record": record_of(self.rules, 6),
        }
        proposed = propose_correction(
            actor=SYSTEM, round=self.draw.round, kind="deal", change=change, reason="x"
        )
        self.values = {
            "tournament": "cup",
            "event": "fives",
            "kind": "csv",
            "code": "NO-SUCH-CODE",
            "order": "pigs",
            "what": "results",
            "matter": "results",
            "address": "t/cup/e/fives/",
            **dict.fromkeys(("round", "number", "after", "table", "match", "entry", "segment", "stage"), 1),
            "part": 1,
            "deal": 2,
            "penalty": penalty.body["penalty"],
            "key": "huapai",
            "membership": Membership.objects.get(user=self.user).pk,
            "bracket_match": self.draw.matches.first().pk,
            "group": keep_apart(actor=SYSTEM, event=self.event, numbers=[1, 2]).pk,
            "row": withdraw_many(actor=SYSTEM, event=self.event, numbers=[8], reason="x").pk,
            "appeal": filed.number,
            "correction": proposed.number,
            "announcement": post_announcement(actor=SYSTEM, tournament=self.tournament, title="x").pk,
            "workbook": WorkbookOrder.objects.create(
                tournament=self.tournament,
                language="en",
                ordered_by=self.user,
                state=WorkbookOrder.State.READY,
                content=b"x",
                expires_at=timezone.now() + timedelta(hours=1),
            ).pk,
            "token": create_token(
                actor=actor(self.user), tournament=self.tournament, purpose="read", name="x", days=1
            )[0].pk,
            "item": add_schedule_item(
                actor=SYSTEM, tournament=self.tournament, title="x", starts_at=timezone.now()
            ).pk,
        }
        self.at_table = {
            "table": self.table.pk,
            "number": 3,
            "deal": self.deal(3).pk,
            "call": TableCall.objects.get().pk,
            "dispute": Dispute.objects.get(seat="E").pk,
            "reseating": Reseating.objects.get().pk,
        }

    def client(self, language: str) -> Client:
        client = Client(headers={"accept-language": language})
        client.force_login(self.user)
        return client

    def addresses(self, name: str, arguments: tuple[str, ...]) -> list[str]:
        """The address, or several where a page shows something else for each."""
        values = {**self.values, **(self.at_table if name.startswith("referee:") else {})}
        asked: list[dict[str, Any]] = [{}]
        if name in ("find", "seats_print"):
            return [reverse(name, kwargs={key: values[key] for key in arguments}) + "?q=选手"]
        if name == "entry":
            asked = [{"number": number} for number in range(1, 11)]
        elif name == "changes":
            asked = [{"matter": matter} for matter in Publication.What.values]
        elif name == "manage:draw":
            asked = [{"round": 1}, {"round": 2}]
        elif name == "referee:deal":
            asked = [{"deal": deal.pk} for deal in self.table.deals.all()]
        elif name == "referee:dispute":
            asked = [{"dispute": one.pk} for one in Dispute.objects.all()]
        return [
            reverse(name, kwargs={key: {**values, **one}[key] for key in arguments})
            + ("?show=all" if name == "referee:review" else "")
            for one in asked
        ]


@pytest.fixture(scope="module")
def scene(django_db_setup, django_db_blocker):
    """Played once; gone after the tests."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield Scene()
        transaction.set_rollback(True)


def text_of(content: bytes) -> str:
    """What a page, a file of data or a workbook says."""
    if content.startswith(b"PK"):
        with ZipFile(io.BytesIO(content)) as book:
            return "\n".join(book.read(name).decode() for name in book.namelist() if name.endswith(".xml"))
    try:
        told = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return ""
    # JSON may write Chinese as escapes.
    return re.sub(r"\\u([0-9a-f]{4})", lambda sign: chr(int(sign[1], 16)), told)


def body_of(response: Any) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else response.content


def spots(text: str) -> list[str]:
    """Where East is named, with what stands around it."""
    return [text[max(found.start() - 80, 0) : found.end() + 20] for found in EAST.finditer(text)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_file_or_print_calls_the_fifth_seat_east(scene, language):
    client = scene.client(language)
    wrong: dict[str, list[str]] = {}
    read = set()
    for name, arguments in ADDRESSES:
        if ELSEWHERE.search(name):
            continue
        for address in scene.addresses(name, arguments):
            response = client.get(address)
            if response.status_code == 200:
                read.add(name)
                found = spots(text_of(body_of(response)))
                if found:
                    wrong[address] = found[:3]
    assert wrong == {}
    assert NAMED - read == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_workbook_calls_the_fifth_seat_east(scene, language):
    for content in (
        result_workbook(scene.event, language),
        tournament_workbook(scene.tournament, language),
    ):
        assert spots(text_of(content)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sheet_of_paper_for_five_is_read_back_and_what_is_told_of_it_names_no_east(scene, language):
    client = scene.client(language)
    here = reverse("manage:paper", kwargs={"tournament": "cup", "event": "fives", "round": 1})
    blank = load_workbook(io.BytesIO(body_of(client.get(f"{here}sheets.xlsx"))))
    sheet = blank.active
    headings = [str(cell.value).split("\n")[0] for cell in sheet[2]]
    column = {heading: place for place, heading in reversed(list(enumerate(headings, start=1)))}
    row = {sheet.cell(one, 3).value: one for one in range(12, 2, -1)}
    # The second deal is otherwise on record, in the sixth a card was taken twice.
    for number, taken in ((2, "♥Q-2"), (6, "♥Q-2 ♠Q")):
        sheet.cell(row[number], column["♠Q"], "E")
        for letter, cards in zip(FIVE, ("♠Q ♥AK", None, "♦J", "♣10", taken), strict=True):
            sheet.cell(row[number], column[letter], cards)
        sheet.cell(row[number], column["E"] + len(FIVE), 1)
    stream = io.BytesIO()
    blank.save(stream)
    with translation.override(language):
        deals = {one.number: one for one in read_paper(stream.getvalue(), round_number=1).deals}
    assert deals[6].record["captures"]["E"][-1] == "SQ"
    assert deals[6].record["held"] == {"SQ": "E"}
    assert (deals[2].shown, deals[6].shown) == ({"E": 1}, {"E": 1})
    page = client.post(here, {"file": as_upload(stream.getvalue()), "command_id": uuid4()})
    told = page.content.decode()
    assert told.count("♠Q") > 1
    assert spots(told) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_answer_to_a_tablet_calls_the_fifth_seat_east(scene, language):
    client = scene.client(language)
    twice = {**record_of(scene.rules, 2)}
    twice["captures"] = {**twice["captures"], "A": [*twice["captures"]["A"], "SQ"]}
    told = []
    for body in (
        {"record": twice, "entered_seat": "E"},
        {"record": record_of(scene.rules, 2), "entered_seat": "E", "seating": "A1 B2 C3 D4 E5"},
        {"record": {**twice, "exposed": [{"card": "SQ", "seat": "E", "kind": "no"}]}, "entered_seat": "E"},
    ):
        address = reverse("referee:api_record", kwargs={"table": scene.table.pk, "number": 6})
        with transaction.atomic():
            response = client.post(
                address, {**body, "command_id": str(uuid4())}, content_type="application/json"
            )
            transaction.set_rollback(True)
        assert response.status_code in (400, 409), response.content
        told.append(json.dumps(response.json(), ensure_ascii=False))
    assert [spots(one) for one in told] == [[], [], []]
    assert re.search(r"\bE\b", told[1])
