"""Creating and editing a tournament."""

from datetime import date

import pytest

from tests.factories import actor, make_tournament, make_user
from tournament.models import AuditRow, Membership, Role, Tournament
from tournament.services.audit import SYSTEM
from tournament.services.errors import Conflict, NotAllowed, Refused
from tournament.services.tournaments import create_tournament, edit_tournament

pytestmark = pytest.mark.django_db


def test_whoever_creates_a_tournament_organises_it():
    user = make_user(is_staff=True)

    tournament = create_tournament(actor=actor(user), name="春季赛", slug="spring")

    assert Membership.objects.get(user=user, tournament=tournament).role == Role.ORGANISER
    row = AuditRow.objects.get(action="tournament.create")
    assert (row.actor, row.actor_name, row.address) == (user, user.username, "192.0.2.1")


def test_create_reports_every_fault():
    with pytest.raises(Refused) as refused:
        create_tournament(
            actor=SYSTEM,
            name="",
            slug="春季",
            time_zone="Mars/Olympus",
            starts_on=date(2026, 5, 2),
            ends_on=date(2026, 5, 1),
        )

    assert {problem.field for problem in refused.value.problems} >= {"name", "slug", "time_zone"}
    assert not Tournament.objects.exists()


def test_last_day_before_the_first_is_refused():
    with pytest.raises(Refused):
        make_tournament(starts_on=date(2026, 5, 2), ends_on=date(2026, 5, 1))


def test_address_is_taken_once():
    make_tournament(slug="spring")

    with pytest.raises((Refused, Conflict)) as refused:
        make_tournament(slug="spring")
    assert refused.value.problems[0].field == "slug"


def test_ordinary_accounts_create_no_tournament():
    with pytest.raises(NotAllowed):
        create_tournament(actor=actor(make_user()), name="x", slug="x")


def test_edit_records_before_and_after():
    tournament = make_tournament(name="旧名")

    edit_tournament(actor=SYSTEM, tournament=tournament, name="新名", starts_on=date(2026, 5, 1))
    edit_tournament(actor=SYSTEM, tournament=tournament, name="新名")

    row = AuditRow.objects.get(action="tournament.edit")
    assert (row.before["name"], row.after["name"]) == ("旧名", "新名")
    assert row.after["starts_on"] == "2026-05-01"


def test_edit_is_for_its_organisers():
    tournament = make_tournament()
    stranger = make_user("organiser", make_tournament())

    with pytest.raises(NotAllowed):
        edit_tournament(actor=actor(stranger), tournament=tournament, name="x")
