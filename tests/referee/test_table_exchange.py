"""Two players found at each other's tables: they change places in the draw, and their deals follow them."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from referee.models import Deal
from referee.services.table_exchange import exchange_tables, preview_exchange
from tests.referee.conftest import Hall, simple_record
from tournament.models import AuditRow, EntryResult, MatchSide, Seat, Table
from tournament.queries.draws import same_as_stored
from tournament.services.errors import Conflict, NotAllowed, Refused
from tournament.services.results import rebuild_event_results

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(hall: Hall) -> Hall:
    """Two deals at the first table, the first checked; one at the second."""
    hall.record(1)
    hall.check(1)
    hall.record(2)
    hall.record(1, table=hall.tables[1], actor=hall.other_referee, record=simple_record())
    return hall


def seat(table: Table, direction: str) -> Seat:
    related = "table__draw__round__event__tournament"
    return Seat.objects.select_related("player", "entry", related).get(table=table, direction=direction)


def numbers(hall: Hall) -> dict[str, list[int]]:
    return {
        str(one.pk): list(Deal.objects.filter(table=one).order_by("order").values_list("number", flat=True))
        for one in hall.tables[:2]
    }


def exchange(hall: Hall, **values: Any) -> Any:
    values = {
        "actor": hall.chief,
        "first": seat(hall.tables[0], "N"),
        "second": seat(hall.tables[1], "S"),
        "deals": numbers(hall),
        "reason": "坐错桌",
        "command_id": uuid4(),
        **values,
    }
    return exchange_tables(**values)


def points(hall: Hall) -> dict[int, Any]:
    return dict(EntryResult.objects.filter(table__in=hall.tables[:2]).values_list("entry", "points"))


def test_deals_count_for_who_played_them_and_the_draw_names_them(played: Hall) -> None:
    north, south = seat(played.tables[0], "N"), seat(played.tables[1], "S")
    before = points(played)
    assert (before[north.entry_id], before[south.entry_id]) == (-380, -20)
    shown = preview_exchange(north, south)
    assert [(line.deals, line.before, line.points) for line in shown] == [
        ((1,), -380, -20),
        ((1, 2), -20, -380),
    ]
    exchange(played)
    after = points(played)
    assert (after.pop(north.entry_id), after.pop(south.entry_id)) == (-20, -380)
    assert after == {entry: value for entry, value in before.items() if entry in after}
    assert seat(played.tables[0], "N").player == south.player
    assert seat(played.tables[1], "S").player == north.player
    assert MatchSide.objects.get(entry=north.entry_id).match_id == played.tables[1].match_id
    assert rebuild_event_results(played.event) == 0
    draw = seat(played.tables[0], "N").table.draw
    assert same_as_stored(draw), "it can still be drawn again from its seed"


def test_doing_it_again_puts_them_back_and_sending_it_twice_does_not(played: Hall) -> None:
    before = points(played)
    command = uuid4()
    first, second = seat(played.tables[0], "N"), seat(played.tables[1], "S")
    assert not exchange(played, command_id=command, first=first, second=second).repeated
    assert exchange(played, command_id=command, first=first, second=second).repeated
    assert points(played) != before
    exchange(played)
    assert points(played) == before
    rows = AuditRow.objects.filter(action="table.exchange")
    assert [row.reason for row in rows] == ["坐错桌", "坐错桌"]
    assert {one["player"] for one in rows[0].before["seats"]} == {first.player.name, second.player.name}


def test_what_cannot_be_exchanged_is_refused_and_changes_nothing(played: Hall) -> None:
    before = points(played)
    cases: list[tuple[dict[str, Any], type[Exception]]] = [
        ({"reason": " "}, Refused),
        ({"second": seat(played.tables[0], "W")}, Refused),
        ({"deals": {**numbers(played), str(played.table.pk): [1]}}, Conflict),
        ({"actor": played.referee}, NotAllowed),
    ]
    for values, refusal in cases:
        with pytest.raises(refusal):
            exchange(played, **values)
    assert points(played) == before
    assert not AuditRow.objects.filter(action="table.exchange").exists()


def test_partners_are_not_torn_apart(set_hall: Hall) -> None:
    with pytest.raises(Refused) as refused:
        exchange(set_hall)
    assert refused.value.code == "not_single_players"


def test_the_page_shows_what_will_change_before_it_is_done(played: Hall) -> None:
    client = Client(headers={"accept-language": "en"})
    client.force_login(played.chief.user)
    page = reverse("referee:exchange", args=[played.table.pk])
    north, south = seat(played.tables[0], "N"), seat(played.tables[1], "S")
    values = {
        "command_id": str(client.get(page).context["form"]["command_id"].value()),
        "first": str(north.pk),
        "second": str(south.pk),
        "reason": "坐错桌",
    }
    shown = client.post(page, values)
    assert shown.status_code == 200
    assert "−380 → −20" in shown.content.decode()
    assert seat(played.tables[0], "N").player == north.player
    seen = shown.context["form"]["seen"].value()
    assert client.post(page, {**values, "seen": seen}).status_code == 302
    assert seat(played.tables[0], "N").player == south.player
