"""Corrections at the table: at once while nobody goes by the round, else proposed and looked at first."""

from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils.translation import override

from referee.models import Correction, Penalty, TableRuling
from referee.queries import current_version
from referee.services.corrections import (
    apply_correction,
    drop_correction,
    look_ahead,
    moves_mark,
    propose_undo,
)
from referee.services.deals import correct_deal
from tests.factories import make_published_draw
from tests.played import played_deal
from tests.referee.conftest import Hall, open_hall, simple_record
from tests.referee.test_api import client_of, post
from tests.referee.test_rulings import colour_hall
from tournament.models import Event, Publication
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish

#: North's pig was West's.
OTHER = simple_record(
    captures={**simple_record()["captures"], "N": ["HA", "HK"], "W": ["SQ"]},
)

CHANGES: dict[str, dict[str, Any]] = {
    "api_correct": {"record": OTHER, "reason": "猪记错了", "version": 1},
    "api_void": {"reason": "发错牌", "version": 1},
}
KINDS = {"api_correct": Correction.Kind.DEAL, "api_void": Correction.Kind.VOID}


def _results_public(hall: Hall) -> None:
    publish(actor=SYSTEM, round=hall.table.draw.round, what=Publication.What.RESULTS)


def _next_round_drawn(hall: Hall) -> None:
    make_published_draw(hall.event, 2)


GONE_BY = {"results": _results_public, "draw": _next_round_drawn}


@pytest.fixture
def played(db: None) -> Hall:
    """Two tables with one checked deal each, in a round by lot that others can be drawn after."""
    hall = open_hall(planned_rounds=2)
    hall.record()
    hall.check()
    played_deal(hall.tables[1], 1)
    return hall


def _answer(response: Any) -> dict[str, Any]:
    assert response.status_code == 200, response.content
    return response.json()


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("gone_by", GONE_BY)
def test_a_change_that_others_go_by_is_looked_at_before_it_is_made(
    played: Hall, name: str, gone_by: str
) -> None:
    GONE_BY[gone_by](played)
    client, command = client_of(played.chief), str(uuid4())

    first, again = (
        _answer(post(client, name, played.table.pk, 1, command_id=command, **CHANGES[name])) for _ in range(2)
    )

    (proposed,) = played.event.corrections.all()
    assert (proposed.kind, proposed.state) == (KINDS[name], Correction.State.PROPOSED)
    assert first["outcome"] == again["outcome"] == {"correction": proposed.number}
    assert again["repeated"]
    assert len(played.versions()) == 1
    page = client.get(first["look"])
    assert page.status_code == 200
    assert page.context["moves"]["anything"]

    seen = moves_mark(look_ahead(actor=played.chief, correction=proposed).moves)
    apply_correction(actor=played.chief, correction=proposed, seen=seen)
    assert len(played.versions()) == 2


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_that_nobody_goes_by_is_made_at_once_and_answered_so_ever_after(
    played: Hall, name: str
) -> None:
    client, command = client_of(played.chief), str(uuid4())
    first = _answer(post(client, name, played.table.pk, 1, command_id=command, **CHANGES[name]))
    _results_public(played)
    again = _answer(post(client, name, played.table.pk, 1, command_id=command, **CHANGES[name]))

    assert first["outcome"] == again["outcome"]
    assert first["outcome"]["version"] == 2
    assert "look" not in first
    assert not Correction.objects.exists()


def test_what_nobody_has_checked_is_void_at_once(played: Hall) -> None:
    played.record(2)
    _results_public(played)
    answer = _answer(
        post(client_of(played.referee), "api_void", played.table.pk, 2, reason="发错牌", version=1)
    )
    assert answer["outcome"]["state"] == "void"
    assert not Correction.objects.exists()


def test_a_record_that_would_be_refused_is_refused_with_its_faults(played: Hall) -> None:
    _results_public(played)
    wrong = {**CHANGES["api_correct"], "record": simple_record(captures={})}
    response = post(client_of(played.chief), "api_correct", played.table.pk, 1, **wrong)
    assert response.status_code == 400
    assert response.json()["errors"]
    stale = {**CHANGES["api_correct"], "version": 3}
    response = post(client_of(played.chief), "api_correct", played.table.pk, 1, **stale)
    assert response.status_code == 409
    assert response.json()["current"]["version"] == 1
    assert not Correction.objects.exists()
    assert current_version(played.deal()).number == 1


# --- rulings and penalties ----------------------------------------------------------------------------


def _proposed(hall: Hall, first: dict[str, Any], again: dict[str, Any]) -> Correction:
    """What a command that came twice has proposed."""
    (proposed,) = hall.event.corrections.all()
    assert proposed.state == Correction.State.PROPOSED
    assert first["outcome"]["correction"] == again["outcome"]["correction"] == proposed.number
    assert again["repeated"]
    assert first["look"] == again["look"]
    return proposed


def _make(hall: Hall, proposed: Correction) -> None:
    seen = moves_mark(look_ahead(actor=hall.chief, correction=proposed).moves)
    apply_correction(actor=hall.chief, correction=proposed, seen=seen)


RULINGS: dict[str, dict[str, Any]] = {
    "api_colour": {"version": 2, "cards": ["SQ"], "to_seat": "S", "note": "错垫"},
    "api_ruling": {
        "version": 2,
        "kind": "exposure",
        "facts": {"seat": "W", "card": "SQ", "exposure": "exposed", "ruling": "stands", "as_kind": ""},
        "note": "漏记",
    },
}


def waiting_for_a_check(hall: Hall) -> Hall:
    """The hall with a deal at each table: the first was checked and corrected, and waits for its check."""
    hall.record()
    hall.check()
    correct_deal(
        actor=hall.chief, deal=hall.deal(), version=1, record=OTHER, reason="猪记错了", command_id=uuid4()
    )
    played_deal(hall.tables[1], 1)
    return hall


@pytest.fixture
def with_colours(db: None) -> Hall:
    """Two tables under rules that prescribe a discard's colour; the first deal was checked and corrected,
    and waits for its check.
    """
    return waiting_for_a_check(colour_hall(planned_rounds=2))


@pytest.mark.parametrize("name", RULINGS)
@pytest.mark.parametrize("gone_by", GONE_BY)
def test_a_ruling_that_changes_a_record_others_go_by_is_looked_at_before_the_record_is_made(
    with_colours: Hall, name: str, gone_by: str
) -> None:
    hall = with_colours
    GONE_BY[gone_by](hall)
    client, command = client_of(hall.chief), str(uuid4())
    first, again = (
        _answer(post(client, name, hall.table.pk, 1, command_id=command, **RULINGS[name])) for _ in range(2)
    )
    proposed = _proposed(hall, first, again)
    assert proposed.kind == Correction.Kind.DEAL
    assert len(hall.versions()) == 2
    ruling = TableRuling.objects.get()
    assert (ruling.version, ruling.facts["correction"]) == (hall.versions()[1], proposed.number)
    assert client.get(first["look"]).status_code == 200

    _make(hall, proposed)
    _first, before, after = hall.versions()
    assert (proposed.change["version"], after.number) == (before.number, before.number + 1)
    assert before.answer["scores"] != after.answer["scores"]


@pytest.mark.parametrize("name", RULINGS)
def test_a_ruling_that_nobody_goes_by_changes_the_record_at_once(with_colours: Hall, name: str) -> None:
    answer = _answer(post(client_of(with_colours.referee), name, with_colours.table.pk, 1, **RULINGS[name]))
    assert "look" not in answer
    assert len(with_colours.versions()) == 3
    assert not Correction.objects.exists()


@pytest.mark.parametrize("name", RULINGS)
def test_a_ruling_on_what_was_never_checked_acts_at_once_though_results_are_public(
    db: None, name: str
) -> None:
    """It is in no published result; only a later draw can have gone by it."""
    hall = colour_hall(planned_rounds=2)
    hall.record(record=OTHER)
    played_deal(hall.tables[1], 1)
    _results_public(hall)
    body = {**RULINGS[name], "version": 1}
    _answer(post(client_of(hall.referee), name, hall.table.pk, 1, **body))
    assert len(hall.versions()) == 2


def test_a_ruling_that_changes_no_record_is_stored_at_once_whoever_goes_by_the_round(
    with_colours: Hall,
) -> None:
    _results_public(with_colours)
    as_recorded = {**RULINGS["api_ruling"]["facts"], "ruling": "taken_back"}
    body = {**RULINGS["api_ruling"], "facts": as_recorded}
    answer = _answer(post(client_of(with_colours.referee), "api_ruling", with_colours.table.pk, 1, **body))
    assert "correction" not in answer["outcome"]
    assert TableRuling.objects.get().facts == as_recorded


PENALTY: dict[str, Any] = {"seat": "N", "rule": "迟到", "points": -30, "reason": "迟到十分钟"}


@pytest.mark.parametrize("gone_by", GONE_BY)
def test_a_penalty_at_a_table_others_go_by_is_looked_at_before_it_is_given_and_before_it_is_cancelled(
    played: Hall, gone_by: str
) -> None:
    GONE_BY[gone_by](played)
    client = client_of(played.chief)
    body = {**PENALTY, "deal": 1, "command_id": str(uuid4())}
    first, again = (_answer(post(client, "api_penalty", played.table.pk, **body)) for _ in range(2))
    proposed = _proposed(played, first, again)
    assert not Penalty.objects.exists()
    assert client.get(first["look"]).context["moves"]["anything"]
    _make(played, proposed)
    (given,) = Penalty.objects.all()
    assert (given.table, given.deal, given.target) == (played.table, played.deal(), Penalty.Target.SEAT)
    assert given.player == played.table.seats.get(direction="N").player

    body = {"reason": "弄错了人", "command_id": str(uuid4())}
    answer = _answer(post(client, "api_cancel_penalty", played.table.pk, given.pk, **body))
    assert "look" in answer
    given.refresh_from_db()
    assert given.cancelled_at is None
    _make(played, played.event.corrections.get(number=answer["outcome"]["correction"]))
    given.refresh_from_db()
    assert given.cancelled_at is not None


def test_a_penalty_against_a_side_is_proposed_given_and_taken_back_as_a_whole(db: None) -> None:
    hall = open_hall(Event.Kind.INDIVIDUAL, planned_rounds=2)
    hall.record()
    hall.check()
    _results_public(hall)
    body = {**PENALTY, "target": "side", "game": 1, "rule": "3.1 Revoke", "reason": ""}
    answer = _answer(post(client_of(hall.chief), "api_penalty", hall.table.pk, **body))
    proposed = hall.event.corrections.get(number=answer["outcome"]["correction"])
    _make(hall, proposed)
    assert {(one.target, one.game, one.table) for one in Penalty.objects.all()} == {("side", 1, hall.table)}
    entries = {hall.table.seats.get(direction=one).entry for one in "NS"}
    assert {one.entry for one in Penalty.objects.all()} == entries
    # Nobody typed a reason: the article says why.
    assert {one.reason for one in Penalty.objects.all()} == {proposed.reason} == {"3.1 Revoke"}
    proposed.refresh_from_db()
    undo = propose_undo(actor=hall.chief, correction=proposed, reason="弄错了人")
    _make(hall, undo)
    assert not Penalty.objects.filter(cancelled_at=None).exists()


@pytest.mark.parametrize("name", [*RULINGS, "api_penalty"])
@pytest.mark.parametrize("gone_by", GONE_BY)
def test_whoever_may_not_look_ahead_is_told_to_ask_and_nothing_is_changed(
    with_colours: Hall, name: str, gone_by: str
) -> None:
    hall = with_colours
    GONE_BY[gone_by](hall)
    where = (hall.table.pk,) if name == "api_penalty" else (hall.table.pk, 1)
    body = PENALTY if name == "api_penalty" else RULINGS[name]
    with override("en"):
        response = post(client_of(hall.referee), name, *where, **body)
    assert response.status_code == 409
    assert [one["code"] for one in response.json()["errors"]] == ["look_needed"]
    assert len(hall.versions()) == 2
    for model in (Penalty, TableRuling, Correction):
        assert not model.objects.exists()


# --- what a ruling's text says of its record ----------------------------------------------------------


def _told(hall: Hall, who: Any) -> tuple[str, str]:
    """What the table's page and the deal's history tell whom of the ruling's record; with the address."""
    with override("en"):
        client = client_of(who)
        page = client.get(
            reverse("referee:api_table", args=[hall.table.pk]), headers={"accept-language": "en"}
        )
        (ruling,) = page.json()["table"]["rulings"]
        history = client.get(
            reverse("referee:deal", args=[hall.deal().pk]), headers={"accept-language": "en"}
        ).content.decode()
    proposal = ruling["proposal"]
    assert proposal["text"] in history
    assert not proposal["look"] or proposal["look"] in history
    return proposal["text"], proposal["look"]


@pytest.mark.parametrize("name", RULINGS)
def test_a_ruling_says_that_its_record_is_only_proposed_and_what_became_of_it(
    with_colours: Hall, name: str
) -> None:
    hall = with_colours
    _results_public(hall)
    answer = _answer(post(client_of(hall.chief), name, hall.table.pk, 1, **RULINGS[name]))
    proposed = hall.event.corrections.get()
    text, look = _told(hall, hall.chief)
    assert text == "Proposed only: the record changes once correction 1 is made."
    assert look == answer["look"]
    assert _told(hall, hall.referee) == (text, "")

    _make(hall, proposed)
    assert _told(hall, hall.chief)[0] == "Made with correction 1."
    proposed.refresh_from_db()
    _make(hall, propose_undo(actor=hall.chief, correction=proposed, reason="弄错了"))
    assert _told(hall, hall.chief)[0] == "Correction 1 was made and undone."


def test_a_ruling_says_that_its_record_was_dropped(with_colours: Hall) -> None:
    _results_public(with_colours)
    _answer(
        post(client_of(with_colours.chief), "api_colour", with_colours.table.pk, 1, **RULINGS["api_colour"])
    )
    drop_correction(actor=with_colours.chief, correction=with_colours.event.corrections.get())
    told, _look = _told(with_colours, with_colours.chief)
    assert told == "Correction 1 was dropped: the record has not changed."


@pytest.mark.parametrize("name", RULINGS)
def test_a_ruling_that_changed_the_record_at_once_says_nothing_of_a_correction(
    with_colours: Hall, name: str
) -> None:
    answer = _answer(post(client_of(with_colours.referee), name, with_colours.table.pk, 1, **RULINGS[name]))
    assert [one["proposal"] for one in answer["table"]["rulings"]] == [None]
