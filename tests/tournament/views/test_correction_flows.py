"""Corrections through the pages: in a bracket played further, and of teams with a substitute."""

from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponse

from referee.models import Correction, Penalty
from tests.checked_deals import checked_deal
from tests.factories import make_event, make_published_draw, make_user
from tests.referee.conftest import simple_record
from tests.tournament.draws import close
from tournament.models import (
    AuditRow,
    Draw,
    EntryResult,
    Event,
    Player,
    Publication,
    Round,
    Seat,
    Walkover,
)
from tournament.queries.published import Published
from tournament.services.audit import SYSTEM
from tournament.services.lineups import substitute
from tournament.services.publish import publish_round
from tournament.services.results import rebuild_event_results
from tournament.services.stages import StageData, configure_stage

pytestmark = pytest.mark.django_db

Send = Callable[..., HttpResponse]
What = Publication.What
#: Whoever had a card of the record that all tables play has it from the seat after that.
OTHER_SEAT = {"N": "W", "S": "E"}


def _played(event: Event, number: int) -> Draw:
    """The round drawn, each table's one deal played and checked, closed and published."""
    draw = make_published_draw(event, number)
    _play(draw)
    return draw


def _play(draw: Draw) -> None:
    for table in draw.tables.order_by("number"):
        checked_deal(table, 1, simple_record())
    close(draw.round)
    publish_round(actor=SYSTEM, round=draw.round)


def _facts(event: Event) -> tuple[Any, ...]:
    """What a correction can move, as it is."""
    return (
        sorted(EntryResult.objects.filter(round__event=event).values_list("table__number", "entry", "value")),
        sorted(event.rounds.values_list("number", "state")),
        list(Penalty.objects.filter(event=event, cancelled_at=None).values_list("rule", "player")),
        list(Walkover.objects.values_list("match", "met")),
        sorted(Seat.objects.filter(table__draw__round__event=event).values_list("pk", "player")),
    )


def _finalists(event: Event) -> set[int]:
    draw = Draw.objects.get(round__event=event, round__number=2, state=Draw.State.PUBLISHED)
    return set(draw.matches.get().sides.values_list("entry__number", flat=True))


def _another_winner(client: Any, page: str) -> dict[str, Any]:
    """The deal's page as it is laid out, with everything captured by the other side."""
    form = client.get(page).context["form"]
    values = {name: form[name].value() for name in form.fields if name != "command_id"}
    return {
        name: OTHER_SEAT.get(value, value) if name.startswith("taken_") else value
        for name, value in values.items()
        if value not in (None, False)
    }


@pytest.fixture
def bracket(tournament) -> Event:
    """A knock-out of four pairs, both rounds played and published."""
    event = make_event(
        Event.Kind.PAIRS,
        4,
        tournament=tournament,
        slug="pairs",
        planned_rounds=2,
        plan={"kind": "set", "deals": 1},
    )
    data = StageData(format="knockout", rounds=2, options={"third_place": False})
    configure_stage(actor=SYSTEM, stage=event.stages.get(), data=data)
    for number in (1, 2):
        _played(event, number)
    return event


def test_a_bracket_played_further_is_kept_or_repaired_and_the_undo_brings_it_back(bracket, organiser, send):
    page = "/manage/t/cup/e/pairs/rounds/1/table/1/deal/1/correct/"
    chief = make_user("chief_referee", bracket.tournament, username="chief")
    before, standing = _finalists(bracket), Published(bracket).publication(What.RESULTS, 1).payload["tables"]

    look = send(page, {**_another_winner(organiser, page), "reason": "抄错"}).headers["Location"]
    Correction.objects.update(proposed_by=chief)
    shown = organiser.get(look)
    (final,) = shown.context["moves"]["draws"]
    assert (final["round"], final["bracket"], final["closed"], final["deals"]) == (2, True, True, 1)
    assert {entry["number"] for entry in final["broken"][0]} == before
    refused = send(look, {"note": "抄错", "later": "2"})
    assert refused.status_code == 400
    assert _finalists(bracket) == before

    assert send(look, {"note": "抄错", "later": "2", "with_deals": "on"}).status_code == 302
    assert _finalists(bracket) == {entry["number"] for entry in final["instead"][0]} != before
    assert bracket.rounds.get(number=2).state == Round.State.PLAYING
    assert Published(bracket).publication(What.RESULTS, 1).note == "抄错"
    assert Published(bracket).publication(What.RESULTS, 2) is None

    _play(Draw.objects.get(round__event=bracket, round__number=2, state=Draw.State.PUBLISHED))
    undo = send(f"{look}undo/", page=look).headers["Location"]
    assert send(undo, {"note": "改回", "later": "2", "with_deals": "on"}).status_code == 302
    assert _finalists(bracket) == before
    again = Published(bracket).publication(What.RESULTS, 1)
    assert (again.version, again.note) == (3, "改回")
    assert [table["lines"] for table in again.payload["tables"]] == [table["lines"] for table in standing]
    assert list(bracket.corrections.order_by("number").values_list("kind", "state", "redrawn_from")) == [
        ("deal", "undone", 2),
        ("undo", "applied", 2),
    ]
    assert AuditRow.objects.filter(action="correction.apply").count() == 2
    assert rebuild_event_results(bracket) == 0


def test_a_bracket_kept_says_who_should_have_met_and_its_final_stands(bracket, organiser, send):
    match = bracket.rounds.get(number=1).draws.get().matches.get(number=1)
    winner = next(side for side in match.sides.all() if side.entry.number in _finalists(bracket)).entry
    scores = {f"score_{side.entry_id}": "0" if side.entry == winner else "10" for side in match.sides.all()}
    before = _finalists(bracket)

    address = "/manage/t/cup/e/pairs/rounds/1/match/1/walkover/"
    look = send(address, {"absent": [winner.pk], "reason": "冒名", **scores}).headers["Location"]
    assert organiser.get(look).context["moves"]["draws"][0]["broken"]
    assert send(look, {"note": "冒名", "later": "keep"}).status_code == 302
    assert _finalists(bracket) == before
    assert bracket.rounds.get(number=2).state == Round.State.CLOSED
    assert Published(bracket).publication(What.STANDINGS, 2).note == "冒名"


@pytest.fixture
def teams(tournament) -> Event:
    """Four teams of five by lot: a substitute played in the first round; the second is drawn."""
    event = make_event(
        Event.Kind.TEAMS,
        4,
        tournament=tournament,
        slug="teams",
        planned_rounds=2,
        plan={"kind": "set", "deals": 1},
    )
    for entry in event.entries.all():
        Player.objects.create(entry=entry, place=5, name=f"{entry.name}戊")
    draw = make_published_draw(event, 1)
    table = draw.tables.get(number=1)
    north = table.seats.get(direction="N")
    substitute(
        actor=SYSTEM,
        table=table,
        segment=1,
        direction="N",
        player=north.entry.players.get(place=5),
        reason="病",
    )
    _play(draw)
    make_published_draw(event, 2)
    return event


def _deal(event: Event, client: Any, send: Send) -> HttpResponse:
    page = "/manage/t/cup/e/teams/rounds/1/table/1/deal/1/correct/"
    return send(page, {**_another_winner(client, page), "reason": "更正"})


def _penalty(event: Event, client: Any, send: Send) -> HttpResponse:
    first = event.rounds.get(number=1)
    entry = first.draws.get().tables.get(number=1).seats.get(direction="N").entry
    values = {"entry": entry.pk, "round": first.pk, "rule": "迟到", "points": "-50", "reason": "更正"}
    return send("/manage/t/cup/e/teams/penalties/", {**values, "player": entry.players.get(place=5).pk})


def _forfeit(event: Event, client: Any, send: Send) -> HttpResponse:
    match = event.rounds.get(number=1).draws.get().matches.get(number=1)
    one, other = match.sides.order_by("position")
    values = {f"score_{one.entry_id}": "0", f"score_{other.entry_id}": "100"}
    page = "/manage/t/cup/e/teams/rounds/1/match/1/walkover/"
    return send(page, {"absent": [one.entry_id], "reason": "更正", **values})


def _seats(event: Event, client: Any, send: Send) -> HttpResponse:
    table = event.rounds.get(number=1).draws.get().tables.get(number=1)
    sat = {"sat_N": "W", "sat_W": "S", "sat_S": "E", "sat_E": "N"}
    return send(f"/referee/table/{table.pk}/seats/", {**sat, "deals": ["1:1"], "reason": "更正"})


def _substitute(event: Event, client: Any, send: Send) -> HttpResponse:
    page = "/manage/t/cup/e/teams/rounds/1/match/1/"
    seat = event.rounds.get(number=1).draws.get().tables.get(number=1).seats.get(direction="W")
    values = {
        "substitute-place": "1-1-W",
        "substitute-player": seat.entry.players.get(place=5).pk,
        "substitute-after_deals": "0",
        "substitute-reason": "更正",
    }
    return send(f"{page}substitute/", values, page=page)


def _told(event: Event, kind: str) -> set[str]:
    """What the public reads with the newest versions that the change can have touched."""
    touched = [What.RESULTS] if kind == Correction.Kind.SUBSTITUTE else [What.RESULTS, What.STANDINGS]
    return {Published(event).publication(what, 1).note for what in touched}


KINDS = {
    Correction.Kind.DEAL: _deal,
    Correction.Kind.PENALTY: _penalty,
    Correction.Kind.WALKOVER: _forfeit,
    Correction.Kind.SEATS: _seats,
    Correction.Kind.SUBSTITUTE: _substitute,
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_change_after_a_substitute_played_is_looked_at_made_and_undone(
    teams, organiser, send, kind
):
    before = _facts(teams)
    answer = KINDS[kind](teams, organiser, send)
    assert answer.status_code == 302, answer.content.decode()
    look = answer.headers["Location"]
    assert teams.corrections.get().kind == kind
    assert _facts(teams) == before
    moved = organiser.get(look).context["moves"]["anything"]
    assert moved == (kind != Correction.Kind.SUBSTITUTE)
    Correction.objects.update(proposed_by=make_user("chief_referee", teams.tournament, username="chief"))

    assert send(look, {"note": "对外说明", "later": "keep"}).status_code == 302
    assert _told(teams, kind) == {"对外说明"}
    assert _facts(teams) != before

    undo = send(f"{look}undo/", page=look).headers["Location"]
    assert send(undo, {"note": "改回", "later": "keep"}).status_code == 302

    assert _facts(teams) == before
    assert _told(teams, kind) == {"改回"}
    assert list(teams.corrections.order_by("number").values_list("state", flat=True)) == ["undone", "applied"]
    assert rebuild_event_results(teams) == 0
