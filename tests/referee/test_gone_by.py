"""Disputes ruled, entries undone or replaced, deals declared void, play ended and winners named where others
go by the round already: proposed and looked at first, or refused with the way.
"""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from referee.models import Correction, Deal, DealCheck, Dispute
from referee.queries import check_of
from referee.services.corrections import drop_correction, propose_undo
from tests.factories import PASSWORD, make_user
from tests.played import played_deal
from tests.referee.conftest import Hall, open_hall, simple_record
from tests.referee.test_api import client_of, post
from tests.referee.test_table_corrections import (
    GONE_BY,
    _answer,
    _make,
    _proposed,
    waiting_for_a_check,
)
from tests.tournament.draws import close, draw_round, give_values, seeded_event
from tournament.models import Match, MatchDecision, Publication, Round, Table
from tournament.queries.brackets import stage_standing
from tournament.services.audit import SYSTEM
from tournament.services.errors import Conflict


@pytest.fixture
def waiting(db: None) -> Hall:
    """Two tables; the first deal was checked and corrected, and waits for its check."""
    return waiting_for_a_check(open_hall(planned_rounds=2))


@pytest.fixture
def going_on(db: None) -> Hall:
    """Two tables with a checked deal each; their games are not over."""
    hall = open_hall(planned_rounds=2)
    hall.record()
    hall.check()
    played_deal(hall.tables[1], 1)
    return hall


# --- disputes -----------------------------------------------------------------------------------------


def _dispute(hall: Hall) -> Dispute:
    return Dispute.objects.create(
        version=hall.versions()[-1], kind=Dispute.Kind.SEAT, seat="W", offered=simple_record()
    )


@pytest.mark.parametrize("gone_by", GONE_BY)
def test_the_other_record_of_a_dispute_is_proposed_where_others_go_by_the_first(
    waiting: Hall, gone_by: str
) -> None:
    dispute = _dispute(waiting)
    GONE_BY[gone_by](waiting)
    client = client_of(waiting.chief)
    body = {"outcome": "offered", "ruling": "西家没有猪", "command_id": str(uuid4())}
    first, again = (
        _answer(post(client, "api_dispute", waiting.table.pk, dispute.pk, **body)) for _ in range(2)
    )
    proposed = _proposed(waiting, first, again)
    dispute.refresh_from_db()
    assert (dispute.closed_at, len(waiting.versions())) == (None, 2)
    assert client.get(first["look"]).status_code == 200

    _make(waiting, proposed)
    dispute.refresh_from_db()
    assert (dispute.outcome, dispute.ruling) == ("offered", "西家没有猪")
    *_before, taken = waiting.versions()
    assert (taken.number, taken.answer["scores"]["W"]) == (3, 0)
    # The ruling is the check as well.
    assert check_of(taken).relation == DealCheck.Relation.REFEREE

    proposed.refresh_from_db()
    _make(waiting, propose_undo(actor=waiting.chief, correction=proposed, reason="裁错了"))
    assert waiting.versions()[-1].answer == waiting.versions()[1].answer


def test_a_dispute_stays_open_where_what_was_proposed_for_it_is_dropped(waiting: Hall) -> None:
    dispute = _dispute(waiting)
    GONE_BY["results"](waiting)
    client = client_of(waiting.chief)
    page = reverse("referee:dispute", args=[dispute.pk])
    body = {"command_id": str(uuid4()), "outcome": "offered", "ruling": "西家没有猪"}
    answer = client.post(page, body)
    (proposed,) = waiting.event.corrections.all()
    look = reverse(
        "manage:correction", args=[waiting.event.tournament.slug, waiting.event.slug, proposed.number]
    )
    assert answer["Location"] == look
    assert look in client.get(page).content.decode()
    drop_correction(actor=waiting.chief, correction=proposed)
    assert look not in client.get(page).content.decode()
    _answer(post(client, "api_dispute", waiting.table.pk, dispute.pk, outcome="stands", ruling="牌对"))
    dispute.refresh_from_db()
    assert dispute.outcome == "stands"


# --- entries that wait for a check --------------------------------------------------------------------

ENTRIES: dict[str, dict[str, Any]] = {
    "api_undo": {"version": 2},
    "api_record": {"record": simple_record(), "based_on": 2, "entered_seat": "N"},
}


@pytest.mark.parametrize("name", ENTRIES)
@pytest.mark.parametrize("gone_by", GONE_BY)
def test_an_entry_that_others_go_by_is_neither_undone_nor_replaced_and_the_way_is_told(
    waiting: Hall, name: str, gone_by: str
) -> None:
    GONE_BY[gone_by](waiting)
    for who in (waiting.referee, waiting.chief):
        with override("en"):
            response = post(client_of(who), name, waiting.table.pk, 1, **ENTRIES[name])
        assert response.status_code == 409
        (fault,) = response.json()["errors"]
        assert fault["code"] == "look_needed"
        assert "declare it void" in fault["message"]
    assert len(waiting.versions()) == 2


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_that_nobody_goes_by_is_undone_or_replaced_at_once(waiting: Hall, name: str) -> None:
    _answer(post(client_of(waiting.referee), name, waiting.table.pk, 1, **ENTRIES[name]))
    assert len(waiting.versions()) == 3


@pytest.mark.parametrize("gone_by", GONE_BY)
def test_a_deal_waiting_for_its_check_that_others_go_by_is_proposed_to_be_void(
    waiting: Hall, gone_by: str
) -> None:
    GONE_BY[gone_by](waiting)
    body = {"reason": "发错牌", "version": 2, "command_id": str(uuid4())}
    refused = post(client_of(waiting.referee), "api_void", waiting.table.pk, 1, **body)
    assert refused.status_code == 409
    first, again = (
        _answer(post(client_of(waiting.chief), "api_void", waiting.table.pk, 1, **body)) for _ in range(2)
    )
    proposed = _proposed(waiting, first, again)
    assert (proposed.kind, len(waiting.versions())) == (Correction.Kind.VOID, 2)
    _make(waiting, proposed)
    # Its replay is recorded at once: nobody goes by a deal that is not there.
    replay = {"record": simple_record(), "based_on": 3, "entered_seat": "N"}
    _answer(post(client_of(waiting.referee), "api_record", waiting.table.pk, 1, **replay))
    assert [one.state for one in waiting.versions()] == ["recorded", "recorded", "void", "recorded"]


# --- the end of play ----------------------------------------------------------------------------------


@pytest.mark.parametrize("gone_by", GONE_BY)
def test_ending_play_where_others_go_by_the_round_is_proposed_made_and_taken_back(
    going_on: Hall, gone_by: str
) -> None:
    GONE_BY[gone_by](going_on)
    table = going_on.table
    body = {"reason": "时间到", "command_id": str(uuid4())}
    assert post(client_of(going_on.referee), "api_stop", table.pk, **body).status_code == 409
    client = client_of(going_on.chief)
    first, again = (_answer(post(client, "api_stop", table.pk, **body)) for _ in range(2))
    proposed = _proposed(going_on, first, again)
    assert Table.objects.get(pk=table.pk).stopped_at is None
    assert client.get(first["look"]).status_code == 200

    _make(going_on, proposed)
    assert Table.objects.get(pk=table.pk).stop_reason == "时间到"

    answer = _answer(post(client, "api_resume", table.pk, reason="还有时间"))
    resume = going_on.event.corrections.get(number=answer["outcome"]["correction"])
    assert resume.kind == Correction.Kind.RESUME
    _make(going_on, resume)
    assert Table.objects.get(pk=table.pk).stopped_at is None
    resume.refresh_from_db()
    _make(going_on, propose_undo(actor=going_on.chief, correction=resume, reason="时间到了"))
    assert Table.objects.get(pk=table.pk).stop_reason == "时间到了"


def test_play_that_nobody_goes_by_is_ended_and_goes_on_at_once(going_on: Hall) -> None:
    client = client_of(going_on.referee)
    _answer(post(client, "api_stop", going_on.table.pk, reason="时间到"))
    answer = _answer(post(client, "api_resume", going_on.table.pk, reason="还有时间"))
    assert "look" not in answer
    assert not Correction.objects.exists()
    assert Deal.objects.filter(table=going_on.table).count() == 1


# --- winners ------------------------------------------------------------------------------------------


def _final(value: Callable[[Any], int]) -> Match:
    """A final of two pairs with these results, in a closed round."""
    event = seeded_event("knockout", 2, 1)
    draw = draw_round(event, 1)
    give_values(draw, value)
    close(draw.round)
    Round.objects.filter(pk=draw.round_id).update(override_reason="没有打完")
    return draw.matches.get()


def _organiser(match: Match) -> Client:
    client = Client()
    user = make_user("organiser", match.draw.round.event.tournament)
    client.login(username=user.username, password=PASSWORD)
    return client


def _name(client: Client, match: Match, winner: Any) -> Any:
    event = match.draw.round.event
    page = reverse("manage:match_decide", args=[event.tournament.slug, event.slug, 1, match.pk])
    return client.post(page, {"command_id": str(uuid4()), "winner": winner.pk, "reason": "对手弃权"})


def test_naming_the_winner_that_is_missing_acts_at_once_though_the_round_is_closed(db: None) -> None:
    match = _final(lambda entry: 50)
    winner = match.sides.order_by("position").last().entry
    client, event = _organiser(match), match.draw.round.event
    _name(client, match, winner)
    assert MatchDecision.objects.get().winner == winner
    page = reverse("manage:match_undecide", args=[event.tournament.slug, event.slug, 1, match.pk])
    client.post(page, {"command_id": str(uuid4()), "reason": "弄错了"})
    assert not MatchDecision.objects.exists()
    assert not Correction.objects.exists()


def test_another_winner_than_others_go_by_is_proposed_made_and_taken_back(db: None) -> None:
    match = _final(lambda entry: -entry.number)
    client, event = _organiser(match), match.draw.round.event
    lost = match.sides.get(entry__number=2).entry
    answer = _name(client, match, lost)
    (proposed,) = event.corrections.all()
    assert answer["Location"].endswith(f"/corrections/{proposed.number}/")
    assert not MatchDecision.objects.exists()
    assert client.get(answer["Location"]).context["moves"]["anything"]

    def make(correction: Correction) -> None:
        page = reverse("manage:correction", args=[event.tournament.slug, event.slug, correction.number])
        form = client.get(page).context["form"]
        client.post(
            page,
            {
                "command_id": str(uuid4()),
                "later": "keep",
                "note": "改判",
                "seen": form["seen"].value(),
            },
        )
        correction.refresh_from_db()
        assert correction.state == Correction.State.APPLIED

    make(proposed)
    assert MatchDecision.objects.get().winner == lost
    assert stage_standing(event.stages.get()).state.champion == lost.pk
    round = match.draw.round
    shown = Publication.objects.create(event=event, round=round, what="results", version=1, payload={})
    page = reverse("manage:match_undecide", args=[event.tournament.slug, event.slug, 1, match.pk])
    client.post(page, {"command_id": str(uuid4()), "reason": "弄错了"})
    shown.delete()  # values without deals cannot be published anew
    undo = event.corrections.get(number=2)
    assert undo.kind == Correction.Kind.WINNER_UNDO
    make(undo)
    assert not MatchDecision.objects.exists()
    with pytest.raises(Conflict):
        propose_undo(actor=SYSTEM, correction=proposed, reason="先撤销后来的")
    again = propose_undo(actor=SYSTEM, correction=undo, reason="没有错")
    make(again)
    assert MatchDecision.objects.get().winner == lost
