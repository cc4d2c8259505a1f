"""People: roles in a tournament, referees' accounts, and the tables given to table referees."""

import secrets
from collections.abc import Iterable

from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from tournament.models import Event, Membership, Role, TableGrant, Tournament
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Conflict, Problem, Refused
from tournament.services.permissions import require_organiser
from tournament.services.validation import problems_of, text

#: Letters and digits that nobody misreads on a slip of paper.
_LEGIBLE = "abcdefghjkmnpqrstuvwxyz23456789"
LARGEST_TABLE = 9_999


def create_account(
    *,
    actor: Actor,
    tournament: Tournament,
    username: str,
    full_name: str = "",
    role: str = Role.TABLE_REFEREE,
) -> tuple[AbstractBaseUser, str]:
    """Creates a user with a role and a fresh password, which is returned to be shown once and is not stored
    in clear.

    Raises NotAllowed, or Refused with every fault (name taken or malformed, unknown role).
    """
    require_organiser(actor, tournament)
    users = get_user_model()
    password = make_password()
    user = users(username=text(username), first_name=text(full_name)[:150])
    user.set_password(password)
    faults = list(_role_problems(role))
    try:
        user.full_clean(validate_unique=False)
    except ValidationError as fault:
        faults.extend(problems_of(fault))
    if users.objects.filter(username__iexact=user.username).exists():
        faults.append(
            Problem(
                "username_taken",
                _("The log-in name “%(name)s” is taken."),
                {"name": user.username},
                "username",
            )
        )
    if faults:
        raise Refused.for_problems(faults)
    with transaction.atomic():
        try:
            with transaction.atomic():
                user.save()
        except IntegrityError as fault:
            raise Conflict(
                "username_taken",
                _("The log-in name “%(name)s” is taken."),
                {"name": user.username},
                field="username",
            ) from fault
        record_audit(
            actor=actor,
            action="account.create",
            subject=user,
            tournament=tournament,
            after={"username": user.username, "full_name": user.first_name},
        )
        _add_role(actor, tournament, user, role)
    return user, password


def reset_password(*, actor: Actor, tournament: Tournament, user: AbstractBaseUser) -> str:
    """Gives a referee's account a fresh password, returned to be shown once.

    Only for accounts that are referees of this tournament and nothing else anywhere: an organiser must not be
    able to take over an account with other powers. Raises NotAllowed or Refused.
    """
    require_organiser(actor, tournament)
    with transaction.atomic():
        current = get_user_model().objects.select_for_update(no_key=True).get(pk=user.pk)
        if not may_reset_password(tournament, current):
            raise Refused(
                "password_not_yours",
                _("%(name)s has other roles as well and changes the password themself."),
                {"name": current.get_username()},
            )
        password = make_password()
        current.set_password(password)
        current.save(update_fields=["password"])
        record_audit(actor=actor, action="account.password", subject=current, tournament=tournament)
    return password


def may_reset_password(tournament: Tournament, user: AbstractBaseUser) -> bool:
    """Whether the account is a referee's of this tournament and has no power anywhere else."""
    if user.is_staff or user.is_superuser:
        return False
    memberships = list(user.memberships.all())
    return bool(memberships) and all(
        one.tournament_id == tournament.pk and one.role != Role.ORGANISER for one in memberships
    )


def give_role(*, actor: Actor, tournament: Tournament, username: str, role: str) -> Membership:
    """Gives an existing account a role. Giving it again changes nothing. Raises NotAllowed or Refused."""
    require_organiser(actor, tournament)
    user = get_user_model().objects.filter(username__iexact=text(username)).first()
    faults = list(_role_problems(role))
    if user is None:
        faults.append(
            Problem(
                "no_such_user",
                _("There is no account with the log-in name “%(name)s”."),
                {"name": username},
                "username",
            )
        )
    if faults:
        raise Refused.for_problems(faults)
    with transaction.atomic():
        return _add_role(actor, tournament, user, role)


def take_role(*, actor: Actor, membership: Membership) -> None:
    """Takes a role away; with the last role of a table referee the tables go too.

    Raises Refused for the last organiser: somebody must be able to go on.
    """
    tournament = membership.tournament
    require_organiser(actor, tournament)
    with transaction.atomic():
        # Locking all organisers' rows keeps two of them from removing each other at once.
        organisers = list(
            tournament.memberships.select_for_update(no_key=True)
            .filter(role=Role.ORGANISER)
            .values_list("pk", flat=True)
        )
        if organisers == [membership.pk]:
            raise Refused("last_organiser", _("A tournament needs at least one organiser."))
        record_audit(
            actor=actor,
            action="role.take",
            subject=membership.user,
            tournament=tournament,
            before={"role": membership.role, "username": membership.user.get_username()},
        )
        if membership.role == Role.TABLE_REFEREE:
            TableGrant.objects.filter(event__tournament=tournament, user=membership.user).delete()
        membership.delete()


def give_tables(
    *, actor: Actor, event: Event, user: AbstractBaseUser, numbers: Iterable[int]
) -> frozenset[int]:
    """Makes these the tables of the event that a table referee may record at, in every round.

    Raises NotAllowed, or Refused if the user is no table referee here or a number is out of range.
    """
    tournament = event.tournament
    require_organiser(actor, tournament)
    wanted = frozenset(numbers)
    wrong = sorted(number for number in wanted if not 1 <= number <= LARGEST_TABLE)
    if wrong:
        raise Refused(
            "table_range",
            _("There is no table %(table)s: numbers are from 1 to %(most)s."),
            {"table": wrong[0], "most": LARGEST_TABLE},
            field="tables",
        )
    if not tournament.memberships.filter(user=user, role=Role.TABLE_REFEREE).exists():
        raise Refused(
            "not_table_referee",
            _("%(name)s is not a table referee of this tournament."),
            {"name": user.get_username()},
        )
    with transaction.atomic():
        grants = TableGrant.objects.select_for_update(no_key=True).filter(event=event, user=user)
        before = frozenset(grants.values_list("table_number", flat=True))
        if wanted != before:
            grants.filter(table_number__in=before - wanted).delete()
            TableGrant.objects.bulk_create(
                TableGrant(event=event, user=user, table_number=number) for number in sorted(wanted - before)
            )
            record_audit(
                actor=actor,
                action="tables.give",
                subject=user,
                event=event,
                before={"tables": sorted(before)},
                after={"tables": sorted(wanted)},
            )
    return wanted


def make_password() -> str:
    """A random password of some 59 bits, in three groups that can be read out and typed on a tablet."""
    return "-".join("".join(secrets.choice(_LEGIBLE) for _char in range(4)) for _group in range(3))


def _add_role(actor: Actor, tournament: Tournament, user: AbstractBaseUser, role: str) -> Membership:
    membership, created = Membership.objects.get_or_create(tournament=tournament, user=user, role=role)
    if created:
        record_audit(
            actor=actor,
            action="role.give",
            subject=user,
            tournament=tournament,
            after={"role": role, "username": user.get_username()},
        )
    return membership


def _role_problems(role: str) -> Iterable[Problem]:
    if role not in Role.values:
        yield Problem("no_such_role", _("There is no role “%(role)s”."), {"role": role}, "role")
