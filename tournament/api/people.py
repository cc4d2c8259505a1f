"""Organising: people of a tournament with their roles and tables, and the tokens of other programs."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.request import Request

from tournament.api.fields import Body, Nothing, WholeNumber
from tournament.api.operations import operation
from tournament.api.paging import Listed
from tournament.api.views import OrganiseView
from tournament.models import ApiToken, Membership, Role, TableGrant
from tournament.queries.access import given_tables
from tournament.services.members import (
    create_account,
    give_role,
    give_tables,
    may_reset_password,
    reset_password,
    take_role,
)
from tournament.services.tokens import revoke_token

TAG = "Organise: people and tokens"


class RoleBody(Body):
    """Somebody who has an account."""

    username = serializers.CharField(max_length=150)
    role = serializers.ChoiceField(Role.choices)


class AccountBody(RoleBody):
    """Somebody who has none yet."""

    full_name = serializers.CharField(max_length=150, allow_blank=True, default="")


class TablesBody(Body):
    """The tables of the event at which a table referee may record, in every round."""

    username = serializers.CharField(max_length=150)
    tables = serializers.ListField(child=WholeNumber(min_value=1), max_length=2000)


class PersonOut(serializers.Serializer):
    """Somebody with a role; who has several is there once for each."""

    id = serializers.IntegerField()
    username = serializers.CharField(source="user.username")
    full_name = serializers.CharField(source="user.first_name", allow_blank=True)
    role = serializers.ChoiceField(Role.choices)
    resettable = serializers.SerializerMethodField(help_text="A new password can be made here.")

    def get_resettable(self, one: Membership) -> bool:
        return may_reset_password(one.tournament, one.user)


class PasswordOut(serializers.Serializer):
    """The password is told once and stored nowhere: null where the request comes again."""

    username = serializers.CharField()
    password = serializers.CharField(allow_null=True)


class RefereeOut(serializers.Serializer):
    """A table referee, and the tables of the event given to them."""

    username = serializers.CharField()
    tables = serializers.ListField(child=serializers.IntegerField())


class TokenOut(serializers.Serializer):
    """A token, without its secret."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    purpose = serializers.ChoiceField(ApiToken.Purpose.choices)
    event = serializers.CharField(source="event.slug", allow_null=True)
    table = serializers.IntegerField(source="table_number", allow_null=True)
    made_by = serializers.CharField(source="user.username")
    expires_at = serializers.DateTimeField()
    revoked_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True)


class PeopleActView(OrganiseView):
    """What can be done with people."""

    tag = TAG

    def memberships(self) -> QuerySet[Membership]:
        """Everybody's roles in the tournament."""
        found = self.tournament.memberships.select_related("user", "tournament")
        return found.prefetch_related("user__memberships").order_by("role", "user__username")


class PeopleView(PeopleActView):
    @operation(output=PersonOut, paged=True)
    def get(self, request: Request) -> Listed:
        """Everybody who has a role in the tournament."""
        return Listed(self.memberships())

    @operation(input=RoleBody, output=PersonOut, status=201, once=True)
    def post(self, request: Request, data: dict[str, Any]) -> Membership:
        """Give a role to somebody who has an account. Giving it again changes nothing."""
        made = give_role(actor=self.actor, tournament=self.tournament, **data)
        return self.memberships().get(pk=made.pk)


class PersonView(PeopleActView):
    def found(self, *, person: int, lock: bool) -> Membership:
        rows = self.memberships()
        return get_object_or_404(
            rows.select_for_update(of=("self",), no_key=True) if lock else rows, pk=person
        )

    @operation(output=PersonOut)
    def get(self, request: Request, person: int) -> Membership:
        """Somebody's role."""
        return self.found(person=person, lock=False)

    @operation(versioned=True)
    def delete(self, request: Request, person: int, found: Membership) -> None:
        """Take a role away. The account stays."""
        take_role(actor=self.actor, membership=found)


class AccountView(PeopleActView):
    @operation(input=AccountBody, output=PasswordOut, status=201, once=True, secret=("password",))
    def post(self, request: Request, data: dict[str, Any]) -> dict[str, str]:
        """Create an account with a role and a password."""
        user, password = create_account(actor=self.actor, tournament=self.tournament, **data)
        return {"username": user.get_username(), "password": password}


class PasswordView(PeopleActView):
    @operation(input=Nothing, output=PasswordOut, once=True, secret=("password",))
    def post(self, request: Request, person: int, data: dict[str, Any]) -> dict[str, str]:
        """Make a new password for a referee of this tournament who has no other role anywhere."""
        found = get_object_or_404(self.memberships(), pk=person)
        password = reset_password(actor=self.actor, tournament=self.tournament, user=found.user)
        return {"username": found.user.get_username(), "password": password}


class RefereesView(PeopleActView):
    @operation(output=RefereeOut, paged=True)
    def get(self, request: Request) -> Listed:
        """The table referees, and the tables of the event given to each."""
        given: dict[int, list[int]] = {}
        for user, number in TableGrant.objects.filter(event=self.event).values_list("user", "table_number"):
            given.setdefault(user, []).append(number)
        return Listed(
            [
                {"username": one.user.get_username(), "tables": sorted(given.get(one.user_id, ()))}
                for one in self._referees()
            ]
        )

    @operation(input=TablesBody, output=RefereeOut, once=True)
    def post(self, request: Request, data: dict[str, Any]) -> dict[str, Any]:
        """Give a table referee these tables of the event, and no other."""
        found = self._referees().filter(user__username__iexact=data["username"]).first()
        if found is None:
            raise serializers.ValidationError({"username": _("There is no such table referee.")})
        give_tables(actor=self.actor, event=self.event, user=found.user, numbers=data["tables"])
        tables = sorted(given_tables(found.user, self.event))
        return {"username": found.user.get_username(), "tables": tables}

    def _referees(self) -> QuerySet[Membership]:
        return self.memberships().filter(role=Role.TABLE_REFEREE)


class TokensView(OrganiseView):
    tag = TAG

    @operation(output=TokenOut, paged=True)
    def get(self, request: Request) -> Listed:
        """All tokens of the tournament. New ones are made on its page: a token cannot make another."""
        return Listed(self.tournament.api_tokens.select_related("event", "user"))


class RevokeTokenView(OrganiseView):
    tag = TAG

    @operation(input=Nothing, output=TokenOut, once=True)
    def post(self, request: Request, token: int, data: dict[str, Any]) -> ApiToken:
        """End a token at once."""
        found = get_object_or_404(self.tournament.api_tokens.select_related("tournament"), pk=token)
        return revoke_token(actor=self.actor, token=found)
