"""Corrections at the table: at once while nobody goes by the round, else proposed and looked at first."""

from typing import Any
from uuid import uuid4

import pytest

from referee.models import Correction
from referee.queries import current_version
from referee.services.corrections import apply_correction, foresee, moves_mark
from tests.factories import make_published_draw
from tests.played import played_deal
from tests.referee.conftest import Hall, open_hall, simple_record
from tests.referee.test_api import client_of, post
from tournament.models import Publication
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

    seen = moves_mark(foresee(actor=played.chief, correction=proposed))
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
