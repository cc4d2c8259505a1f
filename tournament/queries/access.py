"""Who may do what. Every view and service that changes something asks here."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from tournament.models import Event, Membership, Role, Table, TableGrant, Tournament

User = AbstractBaseUser | AnonymousUser


def roles_of(user: User, tournament: Tournament) -> frozenset[str]:
    """The user's roles in the tournament. A superuser has those of an organiser and a chief referee."""
    if not user.is_authenticated or not user.is_active:
        return frozenset()
    if user.is_superuser:
        return frozenset({Role.ORGANISER, Role.CHIEF_REFEREE})
    return frozenset(
        Membership.objects.filter(tournament=tournament, user=user).values_list("role", flat=True)
    )


def can_organise(user: User, tournament: Tournament) -> bool:
    """May set up, draw, correct, publish and export."""
    return Role.ORGANISER in roles_of(user, tournament)


def can_direct(user: User, tournament: Tournament) -> bool:
    """May act as a referee at every table: chief referees and organisers."""
    return bool(roles_of(user, tournament) & {Role.ORGANISER, Role.CHIEF_REFEREE})


def can_referee_table(user: User, table: Table) -> bool:
    """May record and check at this table: chief referee, organiser, or a table referee given this table."""
    event = table.draw.round.event
    roles = roles_of(user, event.tournament)
    if roles & {Role.ORGANISER, Role.CHIEF_REFEREE}:
        return True
    return (
        Role.TABLE_REFEREE in roles
        and TableGrant.objects.filter(event=event, user=user, table_number=table.number).exists()
    )


def tournaments_of(user: User) -> QuerySet[Tournament]:
    """The tournaments in which the user has any role; a superuser has all."""
    if not user.is_authenticated:
        return Tournament.objects.none()
    if user.is_superuser:
        return Tournament.objects.all()
    return Tournament.objects.filter(memberships__user=user).distinct()


def directed_by(user: User) -> QuerySet[Tournament]:
    """The tournaments in which the user may do what `can_direct` asks for, found by one query for all."""
    if not user.is_authenticated or user.is_superuser:
        return tournaments_of(user)
    desk = Membership.objects.filter(user=user, role__in=(Role.ORGANISER, Role.CHIEF_REFEREE))
    return Tournament.objects.filter(pk__in=desk.values("tournament"))


def given_tables(user: User, event: Event) -> frozenset[int]:
    """Numbers of the tables of the event given to a table referee."""
    return frozenset(TableGrant.objects.filter(event=event, user=user).values_list("table_number", flat=True))


def can_create_tournaments(user: User) -> bool:
    """May create a tournament: staff, and whoever already organises one."""
    if not user.is_authenticated or not user.is_active:
        return False
    return user.is_staff or user.is_superuser or user.memberships.filter(role=Role.ORGANISER).exists()
