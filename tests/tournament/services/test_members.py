"""Accounts, roles and tables given to referees."""

import pytest
from django.contrib.auth import authenticate, get_user_model

from tests.factories import actor, make_event, make_tournament, make_user
from tournament.models import AuditRow, Membership, Role
from tournament.queries.access import can_organise, given_tables
from tournament.services.audit import SYSTEM
from tournament.services.errors import NotAllowed, Refused
from tournament.services.members import (
    create_account,
    give_role,
    give_tables,
    make_password,
    reset_password,
    take_role,
)

pytestmark = pytest.mark.django_db


def test_new_account_can_log_in_with_the_password_shown():
    tournament = make_tournament()

    user, password = create_account(
        actor=SYSTEM, tournament=tournament, username="referee1", full_name="王裁判"
    )

    assert authenticate(username="referee1", password=password) == user
    assert Membership.objects.get(user=user).role == Role.TABLE_REFEREE
    assert not user.is_staff
    stored = [row.after for row in AuditRow.objects.filter(subject=f"user:{user.pk}")]
    assert password not in str(stored)


def test_account_faults_are_reported_together_and_nothing_is_stored():
    tournament = make_tournament()
    make_user(username="Taken")

    with pytest.raises(Refused) as refused:
        create_account(actor=SYSTEM, tournament=tournament, username="taken", role="king")

    assert {problem.code for problem in refused.value.problems} == {"username_taken", "no_such_role"}
    with pytest.raises(Refused) as refused:
        create_account(actor=SYSTEM, tournament=tournament, username="a b/c")
    assert {problem.field for problem in refused.value.problems} == {"username"}
    assert get_user_model().objects.count() == 1


def test_passwords_differ_and_hold_no_letters_that_are_misread():
    passwords = {make_password() for _ in range(50)}

    assert len(passwords) == 50
    assert not set("".join(passwords)) & set("0o1liOI")


def test_reset_gives_a_new_password_to_a_referee_of_this_tournament():
    tournament = make_tournament()
    user, old = create_account(actor=SYSTEM, tournament=tournament, username="referee1")

    new = reset_password(actor=SYSTEM, tournament=tournament, user=user)

    assert authenticate(username="referee1", password=old) is None
    assert authenticate(username="referee1", password=new) == user


@pytest.mark.parametrize("power", ["staff", "organiser here", "elsewhere", "no role"])
def test_reset_is_refused_for_accounts_with_other_powers(power):
    tournament = make_tournament()
    role = {"organiser here": "organiser", "no role": None}.get(power, "table_referee")
    user = make_user(role, tournament, is_staff=power == "staff")
    if power == "elsewhere":
        Membership.objects.create(user=user, tournament=make_tournament(), role=Role.TABLE_REFEREE)

    with pytest.raises(Refused) as refused:
        reset_password(actor=SYSTEM, tournament=tournament, user=user)
    assert refused.value.code == "password_not_yours"


def test_give_role_twice_stores_one():
    tournament = make_tournament()
    make_user(username="Wang")

    give_role(actor=SYSTEM, tournament=tournament, username="wang", role="chief_referee")
    give_role(actor=SYSTEM, tournament=tournament, username="Wang", role="chief_referee")

    assert Membership.objects.count() == 1
    assert AuditRow.objects.filter(action="role.give").count() == 1
    with pytest.raises(Refused) as refused:
        give_role(actor=SYSTEM, tournament=tournament, username="nobody", role="organiser")
    assert refused.value.field == "username"


def test_last_organiser_stays():
    tournament = make_tournament()
    first = make_user("organiser", tournament)
    one = Membership.objects.get(user=first)

    with pytest.raises(Refused) as refused:
        take_role(actor=SYSTEM, membership=one)
    assert refused.value.code == "last_organiser"

    make_user("organiser", tournament)
    take_role(actor=SYSTEM, membership=one)
    assert not can_organise(first, tournament)


def test_tables_go_with_the_role():
    event = make_event()
    user = make_user("table_referee", event.tournament)
    give_tables(actor=SYSTEM, event=event, user=user, numbers=[1, 2])

    take_role(actor=SYSTEM, membership=Membership.objects.get(user=user))

    assert given_tables(user, event) == frozenset()


def test_give_tables_replaces_what_was_given():
    event = make_event()
    user = make_user("table_referee", event.tournament)

    give_tables(actor=SYSTEM, event=event, user=user, numbers=[1, 2, 3])
    give_tables(actor=SYSTEM, event=event, user=user, numbers=[3, 4])
    give_tables(actor=SYSTEM, event=event, user=user, numbers=[3, 4])

    assert given_tables(user, event) == {3, 4}
    rows = AuditRow.objects.filter(action="tables.give").order_by("id")
    assert [row.after for row in rows] == [{"tables": [1, 2, 3]}, {"tables": [3, 4]}]


def test_tables_only_for_table_referees_and_real_numbers():
    event = make_event()
    chief = make_user("chief_referee", event.tournament)
    referee = make_user("table_referee", event.tournament)

    with pytest.raises(Refused) as refused:
        give_tables(actor=SYSTEM, event=event, user=chief, numbers=[1])
    assert refused.value.code == "not_table_referee"
    with pytest.raises(Refused) as refused:
        give_tables(actor=SYSTEM, event=event, user=referee, numbers=[0])
    assert refused.value.code == "table_range"


def test_only_organisers_give_roles():
    tournament = make_tournament()
    chief = actor(make_user("chief_referee", tournament))

    with pytest.raises(NotAllowed):
        give_role(actor=chief, tournament=tournament, username="x", role="organiser")
    with pytest.raises(NotAllowed):
        create_account(actor=chief, tournament=tournament, username="x")
    with pytest.raises(NotAllowed):
        take_role(actor=chief, membership=Membership.objects.get())
