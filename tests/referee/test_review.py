"""The review queue, a deal's versions side by side, and the desk's ruling on a dispute."""

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from referee.models import DealVersion, Dispute
from referee.presenting_desk import compared_history
from referee.queries.outliers import plausible_points
from referee.queries.review import ReviewGroup, review_queue
from referee.services.deals import correct_deal, record_deal, undo_deal
from tests.referee.conftest import CAPTURES, Hall, open_hall, simple_record
from tournament.models import Draw


@pytest.fixture
def calm(hall: Hall) -> Hall:
    """Nothing odd about the times: the draw was published an hour ago."""
    Draw.objects.update(published_at=timezone.now() - timedelta(hours=1))
    return hall


def _queue(hall: Hall, who: str = "chief", **values: Any) -> list[ReviewGroup]:
    return review_queue(getattr(hall, who).user, hall.event.tournament, **values)


def _found(groups: list[ReviewGroup]) -> list[tuple[int | str, list[int]]]:
    return [
        (
            group.table.number if group.table else group.person,
            [line.version.deal.number for line in group.lines],
        )
        for group in groups
    ]


def _client(hall: Hall, who: str = "chief") -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(getattr(hall, who).user)
    return client


def _swapped() -> dict[str, Any]:
    """The simple record with North's and West's captures exchanged."""
    return simple_record(captures={**CAPTURES, "N": [], "W": CAPTURES["N"]})


def test_the_queue_has_what_waits_by_table(calm: Hall) -> None:
    calm.record(1)
    calm.check(1)
    calm.record(1, table=calm.tables[1], actor=calm.other_referee)
    assert _found(_queue(calm)) == [(2, [1])]
    assert _found(_queue(calm, everything=True)) == [(1, [1]), (2, [1])]


def test_the_queue_groups_by_who_entered(calm: Hall) -> None:
    calm.record(1)
    calm.record(1, table=calm.tables[1], actor=calm.other_referee)
    calm.record(2, table=calm.tables[1], actor=calm.other_referee)
    found = _found(_queue(calm, by_person=True))
    # Whoever left most to check comes first.
    assert found == [(calm.other_referee.name, [1, 2]), (calm.referee.name, [1])]


def test_a_table_referee_sees_only_their_own_tables(calm: Hall) -> None:
    for table in calm.tables:
        calm.record(1, table=table, actor=calm.chief)
    assert _found(_queue(calm, "referee")) == [(1, [1])]
    assert _found(_queue(calm, "other_referee")) == [(2, [1])]
    assert _found(_queue(calm, "organiser")) == [(1, [1]), (2, [1])]


def test_an_own_entry_is_not_mine_to_check(calm: Hall) -> None:
    calm.record(1, actor=calm.referee, entered_seat="")
    calm.record(2, actor=calm.referee, entered_seat="N")
    lines = {line.version.deal.number: line for group in _queue(calm, "referee") for line in group.lines}
    assert (lines[1].mine, lines[1].own) == (False, True)
    # There the seat kept the score: a referee is a second person.
    assert (lines[2].mine, lines[2].own) == (True, False)
    assert lines[2].seat.direction == "N"
    lines = {line.version.deal.number: line for group in _queue(calm, "chief") for line in group.lines}
    assert lines[1].mine


def test_an_undone_entry_is_in_no_queue(calm: Hall) -> None:
    calm.record(1)
    undo_deal(actor=calm.referee, deal=calm.deal(1), version=1, command_id=uuid4())
    assert _queue(calm, everything=True) == []


def test_a_checked_deal_in_dispute_waits_again(calm: Hall) -> None:
    calm.record(1)
    calm.check(1)
    Dispute.objects.create(version=calm.versions(1)[0], kind=Dispute.Kind.SEAT, seat="W")
    (group,) = _queue(calm)
    assert [one.seat for one in group.lines[0].disputes] == ["W"]
    assert not group.lines[0].mine


def test_a_deal_in_dispute_is_nobody_s_to_check_before_the_ruling(calm: Hall) -> None:
    calm.record(1)
    assert _queue(calm)[0].lines[0].mine
    Dispute.objects.create(version=calm.versions(1)[0], kind=Dispute.Kind.SEAT, seat="W")
    assert not _queue(calm)[0].lines[0].mine


def test_an_odd_deal_says_why(hall: Hall) -> None:
    """Here the draw was published this moment."""
    hall.record(1)
    assert [(sign.code, sign.deal) for sign in _queue(hall)[0].lines[0].signs] == [("quick", 1)]


@pytest.mark.parametrize("entries", [8, 40])
def test_the_queue_takes_the_same_number_of_queries_for_many_tables(
    db: None, entries: int, django_assert_num_queries: Any
) -> None:
    hall = open_hall(entries=entries)
    for table in hall.tables:
        for number in (1, 2):
            record_deal(
                actor=hall.chief,
                table=table,
                number=number,
                record=simple_record(),
                entered_seat="N",
                command_id=uuid4(),
            )
    plausible_points(hall.event.ruleset_version, hall.event.scoring_mode)
    with django_assert_num_queries(7):
        groups = review_queue(hall.chief.user, hall.event.tournament)
        assert [line.seat.player.name for group in groups for line in group.lines]


def test_the_pages_show_who_entered_and_what_is_mine(calm: Hall) -> None:
    calm.record(1)
    page = _client(calm).get(reverse("referee:review", args=[calm.event.tournament.slug])).content.decode()
    keeper = calm.table.seats.get(direction="N").player.name
    assert f"North {keeper}, on {calm.referee.name}" in page
    assert "yours to check" in page
    assert "1 deal is yours to check" in page
    by_person = _client(calm).get(
        reverse("referee:review", args=[calm.event.tournament.slug]), {"by": "person", "show": "all"}
    )
    assert "Table 1, deal 1" in by_person.content.decode()


# -- a deal's versions


def test_a_correction_shows_before_and_after(calm: Hall) -> None:
    calm.record(1)
    calm.check(1)
    correct_deal(
        actor=calm.chief,
        deal=calm.deal(1),
        version=1,
        record=_swapped(),
        reason="记反了",
        command_id=uuid4(),
    )
    newest, first = compared_history(calm.deal(1))
    assert [row.seat.direction for row in newest.rows if row.changed] == ["N", "W"]
    # West was dealt the pig it captures: more than what North had for it.
    assert [row.credited for row in newest.rows] == [0, -290, -20, 0]
    assert [row.credited for row in first.rows] == [-190, 0, -20, 0]
    assert not any(row.changed for row in first.rows)
    assert (newest.exposed_changed, newest.held_changed) == (False, False)
    page = _client(calm).get(reverse("referee:deal", args=[calm.deal(1).pk])).content.decode()
    assert "记反了" in page
    assert page.count("is-changed") == 2


def test_a_version_after_a_void_one_is_compared_with_what_was_recorded(calm: Hall) -> None:
    calm.record(1)
    undo_deal(actor=calm.referee, deal=calm.deal(1), version=1, command_id=uuid4())
    calm.record(1, based_on=2, record=_swapped())
    newest, undone, _first = compared_history(calm.deal(1))
    assert [row.seat.direction for row in newest.rows if row.changed] == ["N", "W"]
    assert undone.rows == ()


# -- rulings


def _dispute(hall: Hall, **values: Any) -> Dispute:
    hall.record(1)
    return Dispute.objects.create(
        **{"version": hall.versions(1)[0], "kind": Dispute.Kind.SEAT, "seat": "W", **values}
    )


def test_the_desk_takes_the_other_record(calm: Hall) -> None:
    offered = {**_full_record(calm), "captures": _swapped()["captures"]}
    dispute = _dispute(calm, offered=offered, reason="我没有收猪")
    client = _client(calm)
    path = reverse("referee:dispute", args=[dispute.pk])
    page = client.get(path)
    assert page.content.decode().count("is-changed") == 2
    assert "我没有收猪" in page.content.decode()
    command = str(page.context["form"]["command_id"].value())
    refused = client.post(path, {"command_id": command, "outcome": "offered", "ruling": ""})
    assert (refused.status_code, DealVersion.objects.count()) == (400, 1)
    for _ in range(2):
        done = client.post(path, {"command_id": command, "outcome": "offered", "ruling": "西家收猪"})
        assert done.status_code == 302
    versions = calm.versions(1)
    assert [version.answer["credited"]["W"] for version in versions] == [0, -290]
    dispute.refresh_from_db()
    assert (dispute.outcome, dispute.ruling, dispute.closed_by) == ("offered", "西家收猪", calm.chief.user)
    assert _queue(calm) == []


@pytest.mark.parametrize(
    ("offered", "shown"),
    [
        ({"held": {"SQ": "N", "DJ": "W", "C10": "E", "HA": "E"}}, "North"),
        ({"exposed": [{"card": "HA", "seat": "E", "kind": "dark"}]}, "dark-exposed East"),
    ],
)
def test_a_dispute_about_no_captured_card_shows_what_it_is_about(
    calm: Hall, offered: dict[str, Any], shown: str
) -> None:
    dispute = _dispute(calm, offered={**_full_record(calm), **offered})
    path = reverse("referee:dispute", args=[dispute.pk])
    page = _client(calm).get(path, headers={"Accept-Language": "en"})
    (row,) = re.findall(r'<tr class="is-changed">.*?</tr>', page.content.decode(), re.DOTALL)
    assert shown in row.rpartition("<td")[2]


def _full_record(hall: Hall) -> dict[str, Any]:
    return {**simple_record(), "mode": hall.event.scoring_mode}


def test_a_dispute_without_another_record_can_only_stand(calm: Hall) -> None:
    dispute = _dispute(calm)
    client = _client(calm)
    path = reverse("referee:dispute", args=[dispute.pk])
    assert [value for value, _label in client.get(path).context["form"].fields["outcome"].choices] == [
        "stands"
    ]
    refused = client.post(path, {"command_id": str(uuid4()), "outcome": "offered", "ruling": "x"})
    assert refused.status_code == 400
    dispute.refresh_from_db()
    assert dispute.closed_at is None


def test_an_alarm_about_a_figure_is_noted(calm: Hall) -> None:
    offered = {"N": "-180", "W": "0", "S": "-20", "E": "0"}
    dispute = _dispute(calm, kind=Dispute.Kind.FIGURE, seat="", offered=offered)
    client = _client(calm)
    path = reverse("referee:dispute", args=[dispute.pk])
    assert "−180" in client.get(path).content.decode()
    done = client.post(path, {"command_id": str(uuid4()), "outcome": "noted", "ruling": "旧页面"})
    assert done.status_code == 302
    assert calm.versions(1)[-1].number == 1


@pytest.mark.parametrize(("who", "status"), [("referee", 403), ("chief", 200), ("organiser", 200)])
def test_rulings_are_the_desk_s(calm: Hall, who: str, status: int) -> None:
    dispute = _dispute(calm)
    response = _client(calm, who).get(reverse("referee:dispute", args=[dispute.pk]))
    assert response.status_code == status
