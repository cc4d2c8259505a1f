"""Deals from score sheets: new ones are recorded, those on record are compared, never overwritten."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from referee.models import Deal, DealCheck, DealVersion, Device, TableCard
from referee.presenting_desk import compared_history
from referee.queries.board import live_board
from referee.queries.review import review_queue
from referee.queries.sources import sources_of
from referee.services.deals import record_deal, void_deal
from referee.services.devices import as_tablet
from referee.services.paper import LineStatus, import_paper, preview_paper
from referee.services.paper_sheet import PaperDeal, PaperSheet
from tests.referee.conftest import CAPTURES, simple_record
from tournament.models import AuditRow, Draw
from tournament.services.audit import Actor
from tournament.services.entry_sheet import SheetFault
from tournament.services.errors import NotAllowed, Refused
from tournament.services.rounds import close_round

pytestmark = pytest.mark.django_db
CELLS = {"table": "A9", "number": "B9", "N": "H9", "SQ": "D9", "name_N": "H2"}


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


def paper(table=1, number=1, record=None, **more):
    return PaperDeal(9, table, number, record or simple_record(), cells=CELLS, **more)


def other_record():
    """The same but for ♥K, which South took."""
    captures = {**CAPTURES, "N": ["SQ", "HA"], "S": [*CAPTURES["S"], "HK"]}
    return simple_record(captures=captures)


def round_of(hall):
    return hall.tables[0].draw.round


def preview(hall, *deals):
    return preview_paper(round=round_of(hall), sheet=PaperSheet(deals))


def bring_in(hall, *deals, actor=None):
    return import_paper(
        actor=actor or hall.chief, round=round_of(hall), sheet=PaperSheet(deals), command_id=uuid4()
    )


def statuses(plan):
    return [(line.paper.number, line.status.value) for line in plan.lines]


def told(plan):
    return [str(fault) for fault in plan.faults]


def record(hall, number=1, **more):
    return record_deal(
        actor=more.pop("actor", hall.referee),
        table=hall.tables[0],
        number=number,
        record=more.pop("record", simple_record()),
        command_id=uuid4(),
        **more,
    )


def test_new_deals_are_recorded_and_wait_for_their_check(hall):
    plan = bring_in(hall, paper(number=1), paper(number=2, record=other_record()))
    assert statuses(plan) == [(1, "new"), (2, "new")]
    versions = list(DealVersion.objects.order_by("deal__number"))
    assert [(one.deal.number, one.entered_by, one.entered_seat) for one in versions] == [
        (1, hall.chief.user, ""),
        (2, hall.chief.user, ""),
    ]
    assert not DealCheck.objects.exists()
    row = AuditRow.objects.get(action="deals.import")
    assert row.after["deals"] == ["1/1", "1/2"]


def test_a_sheet_that_arrives_twice_changes_nothing(hall):
    bring_in(hall, paper())
    plan = bring_in(hall, paper())
    assert statuses(plan) == [(1, "same")]
    assert DealVersion.objects.count() == 1
    assert AuditRow.objects.filter(action="deals.import").count() == 1


def test_a_deal_that_differs_from_the_tablet_is_shown_and_left_alone(hall):
    record(hall)
    plan = bring_in(hall, paper(record=other_record()), paper(number=2))
    assert statuses(plan) == [(1, "conflict"), (2, "new")]
    assert plan.lines[0].differs == ({"what": "captured", "card": "HK", "first": "N", "second": "S"},)
    first, second = DealVersion.objects.order_by("deal__number")
    assert first.record["captures"]["N"] == ["SQ", "HA", "HK"]
    assert (first.number, second.deal.number) == (1, 2)


def test_a_void_deal_is_recorded_anew(hall):
    done = record(hall)
    deal = DealVersion.objects.get().deal
    void_deal(
        actor=hall.referee, deal=deal, version=done.body["version"], reason="少一张牌", command_id=uuid4()
    )
    assert statuses(bring_in(hall, paper())) == [(1, "new")]
    assert [one.state for one in deal.versions.order_by("number")] == ["recorded", "void", "recorded"]


def test_scores_written_wrongly_are_told_and_the_cards_count(hall):
    plan = bring_in(hall, paper(shown={"N": -180, "S": -20}))
    assert plan.lines[0].misadded == ("N",)
    assert DealVersion.objects.get().answer["scores"]["N"] == -190
    assert AuditRow.objects.get(action="deals.import").after["misadded"] == ["1/1 N"]


def test_the_deals_of_a_game_are_recorded_in_the_order_of_play(hall):
    plan = bring_in(hall, paper(number=3, record=other_record()), paper(number=1), paper(number=2))
    assert statuses(plan) == [(1, "new"), (2, "new"), (3, "new")]
    deals = DealVersion.objects.order_by("deal__order")
    assert [(one.deal.order, one.deal.number) for one in deals] == [(1, 1), (2, 2), (3, 3)]
    assert deals[2].record["captures"]["N"] == ["SQ", "HA"]


def test_a_game_has_no_deal_left_out(hall):
    plan = preview(hall, paper(number=1), paper(number=4), paper(number=2))
    assert statuses(plan) == [(1, "new"), (2, "new"), (4, "wrong")]
    assert told(plan) == ["B9: Deal 4 cannot be recorded now; the next one is deal 3."]


def test_the_deals_of_a_set_are_recorded_as_they_are_written_or_as_the_sheet_numbers_them(set_hall):
    record = simple_record()
    bring_in(set_hall, *(paper(number=number, turn=turn) for number, turn in ((1, 2), (3, 3), (4, 1))))
    bring_in(set_hall, paper(number=2, record=record))
    deals = DealVersion.objects.order_by("deal__order")
    assert [one.deal.number for one in deals] == [4, 1, 3, 2]


def void_states(hall, number=1):
    versions = DealVersion.objects.filter(deal__table=hall.tables[0], deal__number=number)
    return [(one.state, one.reason) for one in versions.order_by("number")]


def test_a_void_deal_and_its_replay_are_put_on_record(hall):
    deals = (
        paper(number=1),
        paper(number=2, void="少一张牌"),
        paper(number=3),
        paper(number=2, void="摊牌"),
        paper(number=2, record=other_record()),
    )
    plan = bring_in(hall, *deals)
    assert plan.counts == {"new": 3, "void": 2, "same": 0, "conflict": 0, "wrong": 0}
    assert void_states(hall, 2) == [("void", "少一张牌"), ("void", "摊牌"), ("recorded", "")]
    assert AuditRow.objects.get(action="deals.import").after["void_deals"] == ["1/2", "1/2"]
    again = bring_in(hall, *deals)
    assert again.counts == {"new": 0, "void": 0, "same": 5, "conflict": 0, "wrong": 0}
    assert len(void_states(hall, 2)) == 3


def test_a_deal_void_on_paper_and_played_on_the_tablet_is_a_conflict_and_stays(hall):
    record(hall)
    plan = bring_in(hall, paper(void="少一张牌"), paper(number=2))
    assert statuses(plan) == [(1, "conflict"), (2, "new")]
    assert void_states(hall) == [("recorded", "")]


def test_a_void_deal_comes_before_its_replay(hall):
    plan = preview(hall, paper(), paper(void="少一张牌"))
    assert statuses(plan) == [(1, "new"), (1, "wrong")]
    assert told(plan) == ["B9: Deal 1 of table 1 is void here, after it was played in B9."]


def test_a_void_deal_out_of_turn_is_refused(hall):
    assert told(preview(hall, paper(number=4, void="少一张牌"))) == [
        "B9: Deal 4 cannot be recorded now; the next one is deal 1."
    ]


def test_a_deal_void_on_the_tablet_only_is_told_to_be_taken_for_the_replay(hall):
    done = record(hall)
    deal = DealVersion.objects.get().deal
    void_deal(
        actor=hall.referee, deal=deal, version=done.body["version"], reason="少一张牌", command_id=uuid4()
    )
    assert [line.replay for line in preview(hall, paper()).lines] == [True]
    assert [line.replay for line in preview(hall, paper(void="少"), paper()).lines] == [False, False]


def test_faults_name_their_cells_and_nothing_is_stored(hall):
    missing = simple_record(captures={**CAPTURES, "N": ["SQ", "HA"]})
    deals = (paper(table=9), paper(number=1), paper(number=1), paper(number=2, record=missing))
    plan = preview(hall, *deals)
    assert told(plan) == [
        "A9: There is no table 9 in this round.",
        "B9: Deal 1 of table 1 stands in B9 already.",
        "B9: Nobody has captured ♥K.",
    ]
    with pytest.raises(Refused) as refused:
        bring_in(hall, *deals)
    assert [problem.field for problem in refused.value.problems] == ["A9", "B9", "B9"]
    assert not DealVersion.objects.exists()


def test_a_sheet_with_the_names_of_another_round_is_refused(hall):
    plan = preview(hall, paper(names={"N": "别人"}))
    assert plan.faults[0].cell == "H2"
    assert "别人" in told(plan)[0]
    seated = {seat.direction: seat.player.name for seat in hall.tables[0].seats.all()}
    assert preview(hall, paper(names=seated)).ok


def test_only_a_round_in_play_takes_deals(hall):
    close_round(actor=hall.chief, round=round_of(hall), override_reason="停电")
    assert told(preview(hall, paper())) == ["Round 1 is closed. The chief referee can reopen it."]


def test_faults_of_the_file_keep_everything_out(hall):
    sheet = PaperSheet((paper(),), (SheetFault("missing", "B3", {"column": "Deal"}),))
    plan = preview_paper(round=round_of(hall), sheet=sheet)
    assert plan.lines[0].status == LineStatus.NEW
    with pytest.raises(Refused):
        import_paper(actor=hall.chief, round=round_of(hall), sheet=sheet, command_id=uuid4())
    assert not DealVersion.objects.exists()


def test_a_tables_referee_may_not_bring_in_sheets(hall):
    with pytest.raises(NotAllowed):
        bring_in(hall, paper(), actor=hall.referee)


def test_the_preview_asks_the_database_no_more_for_more_deals_of_a_table(hall, django_assert_max_num_queries):
    with django_assert_max_num_queries(15):
        preview(hall, *(paper(number=number) for number in range(1, 6)))


def test_where_an_entry_came_from_is_in_the_trail_the_queue_and_the_history(hall):
    record(hall)
    later = timezone.now() + timedelta(days=1)
    card = TableCard.objects.create(event=hall.event, table_number=1, code="CODE1", expires_at=later)
    tablet = Device.objects.create(
        event=hall.event,
        table_number=1,
        card=card,
        name="A7",
        digest="x",
        seen_at=timezone.now(),
        expires_at=later,
    )
    bring_in(hall, paper(number=2), paper(number=3, void="a card too few"))
    ways = {
        3: replace(hall.chief, token="scorer"),
        4: Actor(user=None, tablet=as_tablet(tablet)),
    }
    for number, actor in ways.items():
        based_on = DealVersion.objects.filter(deal__number=number).count()
        record(hall, number, actor=actor, based_on=based_on)
    told = dict(AuditRow.objects.filter(action="deal.record").values_list("after__number", "after__source"))
    assert told == {1: "page", 2: "paper", 3: "interface", 4: "tablet"}
    (group,) = review_queue(hall.chief.user, hall.event.tournament)
    assert {line.version.deal.number: line.source for line in group.lines} == told
    history = compared_history(Deal.objects.get(number=3))
    assert [one.source for one in history] == ["interface", "paper"]
    client = Client(headers={"accept-language": "en"})
    client.force_login(hall.chief.user)
    page = client.get(reverse("referee:review", args=[hall.event.tournament.slug])).content.decode()
    for words in ("from a referee", "from a score sheet", "from the table", "through the open interface"):
        assert page.count(words) == 1
    deal = Deal.objects.get(number=2)
    assert "from a score sheet" in client.get(reverse("referee:deal", args=[deal.pk])).content.decode()


def test_another_sites_rows_about_deals_of_the_same_ids_say_nothing_of_ours(hall):
    record(hall)
    AuditRow.objects.update(after={"entered_at": "2020-01-01T00:00:00+00:00", "source": "paper"})
    assert sources_of(list(DealVersion.objects.all())) == {}


def test_deals_from_paper_are_not_called_quick_and_neither_is_the_next(hall):
    Draw.objects.update(published_at=timezone.now() - timedelta(hours=1))
    bring_in(hall, paper(number=1), paper(number=2, record=other_record()))
    record(hall, 3)

    def signs():
        (group,) = review_queue(hall.chief.user, hall.event.tournament)
        (line,) = (one for one in live_board(hall.event.tournament) if one.table.number == 1)
        queued = [(sign.code, sign.deal) for one in group.lines for sign in one.signs]
        assert queued == [(sign.code, sign.deal) for sign in line.signs]
        return queued

    assert signs() == []
    record(hall, 4)
    assert signs() == [("quick", 4)]
