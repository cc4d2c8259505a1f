"""The second person's check: who may give it, of which version."""

import uuid

import pytest

from referee.models import DealCheck
from referee.queries import checking_seats
from referee.services import deals
from tests.factories import actor, make_user
from tests.referee.conftest import Hall, open_hall
from tournament.models import AuditRow, EntryResult, Role, Round, TableGrant
from tournament.services.errors import NotAllowed, Refused, Stale


@pytest.mark.parametrize(("relation", "seat"), [("previous", "E"), ("next", "W"), ("partner", "S")])
def test_check_by_a_seat_records_relation_seat_and_player(hall: Hall, relation: str, seat: str) -> None:
    hall.record()
    hall.check(relation=relation, seat=seat)
    check = DealCheck.objects.get()
    assert (check.relation, check.seat) == (relation, seat)
    assert check.player == hall.table.seats.get(direction=seat).player
    assert check.user == hall.referee.user


@pytest.mark.parametrize(
    ("relation", "seat"),
    [
        ("previous", "N"),
        ("next", "N"),
        ("partner", "N"),
        ("player", "N"),
        ("previous", "W"),
        ("next", "E"),
        ("partner", "E"),
        ("player", "W"),
        ("next", ""),
        ("next", "A"),
        ("friend", "W"),
        ("", ""),
    ],
)
def test_check_by_who_entered_or_from_a_wrong_seat_is_refused(hall: Hall, relation: str, seat: str) -> None:
    hall.record()
    with pytest.raises(Refused) as refusal:
        hall.check(relation=relation, seat=seat)
    assert refusal.value.code == "wrong_checker"
    assert not DealCheck.objects.exists()


def test_check_by_the_referee_of_what_a_seat_entered(hall: Hall) -> None:
    hall.record()
    hall.check(relation="referee", seat="")
    check = DealCheck.objects.get()
    assert (check.relation, check.seat, check.player, check.user) == (
        "referee",
        "",
        None,
        hall.referee.user,
    )


def test_check_by_the_referee_who_entered_it_is_refused(hall: Hall) -> None:
    hall.record(entered_seat="")
    with pytest.raises(Refused) as refusal:
        hall.check(relation="referee", seat="")
    assert refusal.value.code == "own_entry"


def test_check_of_a_referees_entry_by_another_referee(hall: Hall) -> None:
    hall.record(entered_seat="")
    hall.check(actor=hall.chief, relation="referee", seat="")
    assert DealCheck.objects.get().user == hall.chief.user


@pytest.mark.parametrize("seat", ["N", "W", "S", "E"])
def test_check_of_a_referees_entry_by_any_player(hall: Hall, seat: str) -> None:
    hall.record(entered_seat="")
    hall.check(relation="player", seat=seat)
    assert DealCheck.objects.get().seat == seat


def test_check_of_a_referees_entry_needs_a_seat_at_the_table(hall: Hall) -> None:
    hall.record(entered_seat="")
    for relation, seat in (("player", "A"), ("player", ""), ("next", "W")):
        with pytest.raises(Refused):
            hall.check(relation=relation, seat=seat)


def test_check_same_command_twice_is_stored_once(hall: Hall) -> None:
    hall.record()
    command = uuid.uuid4()
    first = hall.check(command_id=command)
    again = hall.check(command_id=command)
    assert again.repeated
    assert again.body == first.body
    assert DealCheck.objects.count() == AuditRow.objects.filter(action="deal.check").count() == 1


def test_check_a_second_time_is_refused(hall: Hall) -> None:
    hall.record()
    hall.check()
    with pytest.raises(Refused) as refusal:
        hall.check(relation="previous", seat="E")
    assert refusal.value.code == "already_checked"


def test_check_of_a_version_replaced_meanwhile_is_stale(hall: Hall) -> None:
    hall.record()
    hall.record(record=hall.random_record(7), based_on=1)
    with pytest.raises(Stale) as refusal:
        hall.check(version=1)
    assert refusal.value.current["version"] == 2
    assert not DealCheck.objects.exists()


def test_check_of_an_undone_or_void_deal_is_refused(hall: Hall) -> None:
    hall.record()
    deals.undo_deal(actor=hall.referee, deal=hall.deal(), version=1, command_id=uuid.uuid4())
    with pytest.raises(Refused) as refusal:
        hall.check()
    assert refusal.value.code == "deal_withdrawn"


def test_check_counts_in_the_results(hall: Hall) -> None:
    hall.record()
    hall.check()
    assert set(EntryResult.objects.values_list("checked_deals", flat=True)) == {1}


def test_check_in_a_closed_round_is_refused(hall: Hall) -> None:
    hall.record()
    Round.objects.update(state=Round.State.CLOSED)
    with pytest.raises(Refused) as refusal:
        hall.check()
    assert refusal.value.code == "round_closed"


def test_check_by_somebody_without_the_table_is_not_allowed(hall: Hall) -> None:
    hall.record()
    for stranger in (hall.other_referee, actor(make_user()), open_hall().chief):
        with pytest.raises(NotAllowed):
            hall.check(actor=stranger, relation="referee", seat="")


def test_check_by_a_second_table_referee(hall: Hall) -> None:
    second = make_user(Role.TABLE_REFEREE, hall.event.tournament)
    TableGrant.objects.create(event=hall.event, user=second, table_number=1)
    hall.record(entered_seat="")
    hall.check(actor=actor(second), relation="referee", seat="")
    assert DealCheck.objects.get().user == second


def test_check_next_seat_follows_the_rulesets_direction(db: None) -> None:
    hall = open_hall(ruleset="computer")  # played clockwise
    hall.record(record=hall.random_record(2))
    with pytest.raises(Refused):
        hall.check(relation="next", seat="W")
    hall.check(relation="next", seat="E")


def test_checking_seats_only_a_table_of_four_has_a_partner() -> None:
    assert checking_seats(("N", "W", "S", "E"), "N") == {
        "previous": ("E",),
        "next": ("W",),
        "partner": ("S",),
    }
    assert checking_seats(("A", "B", "C"), "C") == {"previous": ("B",), "next": ("A",)}
    assert checking_seats(("A", "B", "C", "D", "E"), "") == {"player": ("A", "B", "C", "D", "E")}
