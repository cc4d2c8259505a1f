"""Appeals: filed in time by an entry's own code, ruled on, taken further, closed; nothing private is told."""

from datetime import timedelta
from io import BytesIO
from itertools import product
from random import Random
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone
from openpyxl import load_workbook

from referee.models import Appeal, EntryCode, JoinAttempt
from referee.services.appeals import (
    TRANSITIONS,
    WRONG_PER_ENTRY,
    TooOften,
    file_appeal,
    make_entry_codes,
    set_appeal_minutes,
    step_appeal,
)
from tests.checked_deals import checked_deal
from tests.factories import actor, make_event, make_published_draw, make_user
from tests.played import random_record
from tournament.excel.writing import result_workbook, tournament_workbook
from tournament.models import AuditRow, Event, Publication
from tournament.queries.appeals import open_appeals, under_appeal
from tournament.services.audit import SYSTEM, Actor
from tournament.services.errors import Conflict, NotAllowed, Refused
from tournament.services.publish import publish_round

pytestmark = pytest.mark.django_db

State, Outcome = Appeal.State, Appeal.Outcome
PUBLIC = Actor(user=None, address="192.0.2.7")
SECRET = "对家提前看牌，理由不公开"


class Scene:
    """Eight singles, one deal a table, checked and published; codes made, an hour for appeals."""

    def __init__(self):
        event = make_event(
            Event.Kind.INDIVIDUAL, 8, slug="singles", planned_rounds=2, plan={"kind": "set", "deals": 1}
        )
        self.pk = event.pk
        self.organiser = actor(make_user("organiser", event.tournament))
        self.chief = actor(make_user("chief_referee", event.tournament))
        for table in make_published_draw(event).tables.all():
            checked_deal(table, 1, random_record(Random(table.number)))
        publish_round(actor=SYSTEM, round=event.rounds.get(number=1))
        make_entry_codes(actor=self.organiser, event=event)
        set_appeal_minutes(actor=self.organiser, event=event, minutes=60)

    @property
    def event(self):
        return Event.objects.select_related("tournament").get(pk=self.pk)

    def number_at(self, table):
        draw = self.event.rounds.get(number=1).draws.get()
        return draw.tables.get(number=table).seats.get(direction="N").entry.number

    def code(self, number):
        return EntryCode.objects.get(entry__event=self.pk, entry__number=number).code

    def file(self, by=PUBLIC, table=1, number=None, **values):
        number = number or self.number_at(table)
        given = {"code": self.code(number)} if by is PUBLIC and "code" not in values else {}
        return file_appeal(
            actor=by,
            event=self.event,
            round_number=1,
            table=table,
            number=number,
            **{"deal": 1, "statement": SECRET, **given, **values},
        )

    def address(self, page):
        event = self.event
        return f"/t/{event.tournament.slug}/{event.slug}/{page}"


@pytest.fixture(scope="module")
def scene(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), transaction.atomic():
        yield Scene()
        transaction.set_rollback(True)


@pytest.fixture
def web():
    return Client(headers={"accept-language": "en"})


def test_an_appeal_pins_the_record_and_the_published_version(scene):
    made = scene.file()
    results = Publication.objects.get(event=scene.pk, what=Publication.What.RESULTS)
    assert (made.version.number, made.published, made.state) == (1, results.version, State.FILED)
    assert made.deadline == results.published_at + timedelta(minutes=60)
    assert not made.at_desk
    assert [one.number for one in open_appeals(scene.event.tournament)] == [1]
    row = AuditRow.objects.filter(action="appeal.file").latest("pk")
    assert SECRET not in str(row.after)


def test_a_code_speaks_for_its_own_entry_alone_and_however_it_is_typed(scene):
    own, other = scene.number_at(1), scene.number_at(2)
    for wrong in (scene.code(other), "", "ABCD-EFGH", "的" * 8):
        with pytest.raises(Refused) as refused:
            scene.file(code=wrong)
        assert refused.value.code == "wrong_code"
    code = scene.code(own)
    assert scene.file(code=f"{code[:4]}-{code[4:]} ".lower()).entry.number == own


def test_a_number_that_does_not_exist_is_told_like_a_wrong_code(scene):
    with pytest.raises(Refused) as refused:
        scene.file(number=77, code="ABCDEFGH")
    assert refused.value.code == "wrong_code"


def test_wrong_codes_shut_the_form_for_the_entry_and_for_the_address(scene):
    for _attempt in range(WRONG_PER_ENTRY):
        with pytest.raises(Refused):
            scene.file(code="ABCDEFGH")
    with pytest.raises(TooOften):
        scene.file()
    JoinAttempt.objects.all().delete()
    for number in range(1, 9):
        for _attempt in range(2):
            with pytest.raises(Refused):
                scene.file(number=number, code="ABCDEFGH")
    with pytest.raises(TooOften):
        scene.file()


def test_after_the_deadline_only_the_desk_takes_an_appeal(scene):
    Publication.objects.filter(event=scene.pk).update(published_at=timezone.now() - timedelta(minutes=61))
    with pytest.raises(Refused) as refused:
        scene.file()
    assert refused.value.code == "deadline_over"
    assert scene.file(by=scene.chief).at_desk
    referee = actor(make_user("table_referee", scene.event.tournament))
    with pytest.raises(NotAllowed):
        scene.file(by=referee)


def test_every_fault_is_told_at_once(scene):
    with pytest.raises(Refused) as refused:
        scene.file(number=scene.number_at(2), statement="  \n ")
    assert {one.code for one in refused.value.problems} == {"statement_missing", "not_at_table"}


def test_what_is_not_published_cannot_be_appealed_against(scene):
    with pytest.raises(Conflict) as refused:
        scene.file(deal=2)
    assert refused.value.code == "deal_not_public"


def test_an_entry_has_one_open_appeal_against_a_record(scene):
    made = scene.file()
    with pytest.raises(Conflict) as refused:
        scene.file()
    assert refused.value.code == "appeal_open"
    step_appeal(actor=scene.chief, appeal=made, action="withdraw", statement="误会")
    assert scene.file().number == 2


@pytest.mark.parametrize(("state", "action"), list(product(State.values, TRANSITIONS)))
def test_only_the_steps_of_the_table_follow(scene, state, action):
    made = scene.file()
    Appeal.objects.filter(pk=made.pk).update(state=state)
    step = TRANSITIONS[action]

    def work():
        return step_appeal(
            actor=scene.organiser, appeal=made, action=action, statement="理由", outcome=Outcome.REJECTED
        )

    if state in step.states:
        after = work()
        assert after.state == step.then
        assert [one.action for one in after.steps.all()] == ["file", action]
        assert bool(after.outcome) == step.with_outcome
    else:
        with pytest.raises(Conflict):
            work()


def test_the_committee_decides_over_the_referee_and_every_step_is_kept(scene):
    made = scene.file()
    step_appeal(actor=scene.chief, appeal=made, action="rule", statement="记录无误", outcome=Outcome.REJECTED)
    step_appeal(actor=scene.chief, appeal=made, action="escalate", statement="不服")
    with pytest.raises(NotAllowed):
        step_appeal(actor=scene.chief, appeal=made, action="decide", statement="改判", outcome=Outcome.UPHELD)
    with pytest.raises(Refused):
        step_appeal(actor=scene.organiser, appeal=made, action="decide", statement="改判")
    closed = step_appeal(
        actor=scene.organiser, appeal=made, action="decide", statement="改判", outcome=Outcome.UPHELD
    )
    assert (closed.state, closed.outcome) == (State.CLOSED, Outcome.UPHELD)
    assert [(one.action, one.outcome) for one in closed.steps.all()] == [
        ("file", ""),
        ("rule", "rejected"),
        ("escalate", ""),
        ("decide", "upheld"),
    ]


PAGES = ("", "standings/", "round/1/", "round/1/table/1/")
PAPER = ("round/1/print/seats/", "round/1/print/wall/", "round/1/print/sheets/", "standings/1/certificates/")


def test_the_public_sees_that_a_deal_is_under_appeal_and_nothing_more(scene, web):
    before = {page: web.get(scene.address(page)).content.decode() for page in PAGES}
    assert not any("Under appeal" in html for html in before.values())
    made = scene.file()
    (public,) = under_appeal(scene.event)
    assert (public.round, public.table, public.deal, len(public.entries)) == (1, 1, 1, 4)
    for page in PAGES:
        html = web.get(scene.address(page)).content.decode()
        assert "Under appeal" in html, page
        assert SECRET not in html
    # What is hung up and handed out has no room for the notice; a certificate says it in its own words.
    paper = {page: web.get(scene.address(page)).content.decode() for page in PAPER}
    assert [page for page, html in paper.items() if "Under appeal" in html] == []
    assert [page for page, html in paper.items() if "Subject to an appeal" in html] == [PAPER[-1]]
    standings = web.get(scene.address("standings/")).content.decode()
    assert standings.count("under appeal</span>") == 4

    step_appeal(actor=scene.chief, appeal=made, action="withdraw", statement="误会")
    assert {page: web.get(scene.address(page)).content.decode() for page in PAGES} == before


def test_an_appeal_is_filed_on_the_public_page_of_the_table(scene, web):
    table = web.get(scene.address("round/1/table/1/")).content.decode()
    address = scene.address("round/1/table/1/appeal/")
    assert address in table
    number = scene.number_at(1)
    values = {
        "command_id": str(uuid4()),
        "deal": 1,
        "number": number,
        "statement": SECRET,
    }
    wrong = web.post(address, {**values, "code": "ABCDEFGH"})
    assert wrong.status_code == 400
    assert JoinAttempt.objects.filter(good=False).count() == 1
    done = web.post(address, {**values, "code": scene.code(number)})
    assert done.status_code == 200
    assert "number 1" in done.content.decode()
    again = web.post(address, {**values, "code": scene.code(number)})
    assert again.status_code == 409
    assert Appeal.objects.count() == 1


def test_whoever_has_the_code_follows_the_appeals_of_its_entry_to_their_end(scene, web):
    made = scene.file()
    address = scene.address("appeals/")
    assert f'href="{address}"' in web.get(scene.address("standings/")).content.decode()

    def follow(number, code):
        return web.post(address, {"command_id": str(uuid4()), "number": number, "code": code})

    number = scene.number_at(1)
    page = follow(number, scene.code(number))
    html = page.content.decode()
    assert SECRET in html
    assert "waits for the referee" in html
    assert "time for appeals until" in html
    assert "no-store" in page.headers["Cache-Control"]
    step_appeal(actor=scene.chief, appeal=made, action="rule", statement="记录无误", outcome=Outcome.REJECTED)
    step_appeal(actor=scene.chief, appeal=made, action="escalate", statement="不服")
    step_appeal(
        actor=scene.organiser, appeal=made, action="decide", statement="委员会改判", outcome=Outcome.UPHELD
    )
    html = follow(number, scene.code(number)).content.decode()
    assert all(text in html for text in ("记录无误", "不服", "委员会改判", "closed", "upheld"))
    assert scene.chief.user.get_username() not in html

    other = scene.number_at(2)
    html = follow(other, scene.code(other)).content.decode()
    assert "This entry has filed no appeal." in html
    assert SECRET not in html
    for wrong in (follow(number, scene.code(other)), follow(9999, scene.code(other))):
        assert wrong.status_code == 400
        assert SECRET not in wrong.content.decode()
    for _attempt in range(WRONG_PER_ENTRY):
        follow(number, "ABCDEFGH")
    assert follow(number, scene.code(number)).status_code == 429


def test_without_a_time_for_appeals_there_is_no_public_form(scene, web):
    set_appeal_minutes(actor=scene.organiser, event=scene.event, minutes=0)
    assert web.get(scene.address("round/1/table/1/appeal/")).status_code == 404
    assert "appeal/" not in web.get(scene.address("round/1/table/1/")).content.decode()
    assert web.get(scene.address("round/2/table/1/appeal/")).status_code == 404


def test_codes_are_made_once_and_only_by_an_organiser(scene):
    first = [one.code for one in make_entry_codes(actor=scene.organiser, event=scene.event)]
    assert len(set(first)) == 8
    assert [one.code for one in make_entry_codes(actor=scene.organiser, event=scene.event)] == first
    with pytest.raises(NotAllowed):
        make_entry_codes(actor=scene.chief, event=scene.event)
    with pytest.raises(Refused):
        set_appeal_minutes(actor=scene.organiser, event=scene.event, minutes=99_999)


def test_the_slips_with_codes_say_where_to_appeal_and_the_page_whether_they_open_anything(scene):
    make_entry_codes(actor=scene.organiser, event=scene.event)
    desk = Client(headers={"accept-language": "en"})
    desk.force_login(scene.organiser.user)
    page = f"/manage/t/{scene.event.tournament.slug}/e/{scene.event.slug}/appeals/codes/"
    text = desk.get(page).content.decode()
    assert text.count(f"http://testserver{scene.address('')}") == 8
    assert "The codes open nothing yet" not in text
    set_appeal_minutes(actor=scene.organiser, event=scene.event, minutes=0)
    assert "The codes open nothing yet" in desk.get(page).content.decode()


def test_the_organisers_overview_says_how_many_appeals_are_open(scene):
    desk = Client(headers={"accept-language": "en"})
    desk.force_login(scene.organiser.user)
    page = f"/manage/t/{scene.event.tournament.slug}/e/{scene.event.slug}/"
    assert "appeals/" not in desk.get(page).content.decode()
    made = scene.file()
    assert "1 appeal waits" in desk.get(page).content.decode()
    step_appeal(actor=scene.chief, appeal=made, action="withdraw", statement="误会")
    assert "1 appeal waits" not in desk.get(page).content.decode()


def test_the_desk_sees_the_statement_and_links_the_correction(scene):
    made = scene.file()
    desk = Client(headers={"accept-language": "en"})
    desk.force_login(scene.chief.user)
    event = scene.event
    base = f"/manage/t/{event.tournament.slug}/e/{event.slug}/"
    assert SECRET in desk.get(f"{base}appeals/{made.number}/").content.decode()
    board = desk.get(f"/referee/board/{event.tournament.slug}/tables/").content.decode()
    assert f"{base}appeals/{made.number}/" in board
    address = f"{base}rounds/1/table/1/deal/1/correct/?appeal={made.number}"
    form = desk.get(address).context["form"]
    values = {name: form[name].value() for name in form.fields}
    sent = {name: value for name, value in values.items() if value not in (None, False)}
    answer = desk.post(address, {**sent, "command_id": str(uuid4()), "reason": "申诉成立"})
    assert answer.status_code == 302
    made.refresh_from_db()
    assert answer.headers["Location"] == f"{base}corrections/{made.correction.number}/"
    assert f"{base}appeals/{made.number}/" in desk.get(answer.headers["Location"]).content.decode()


def test_the_workbook_marks_who_is_concerned(scene):
    before = list(load_workbook(BytesIO(result_workbook(scene.event, "en")))["Standings"].values)
    scene.file()
    after = list(load_workbook(BytesIO(result_workbook(scene.event, "en")))["Standings"].values)
    marked = {row[1] for row in after[1:] if "under appeal" in (row[-1] or "")}
    assert marked == under_appeal(scene.event)[0].entries
    assert [row[:-1] for row in after] == [row[:-1] for row in before]


def test_medals_are_marked_until_the_appeal_is_closed(scene):
    Event.objects.filter(pk=scene.pk).update(state=Event.State.FINISHED)

    def marks():
        data = tournament_workbook(scene.event.tournament, "en")
        return {row[-1] for row in list(load_workbook(BytesIO(data))["Prize winners"].values)[1:]}

    assert marks() == {None}
    made = scene.file()
    assert marks() == {"under appeal"}
    step_appeal(actor=scene.chief, appeal=made, action="withdraw", statement="误会")
    assert marks() == {None}
