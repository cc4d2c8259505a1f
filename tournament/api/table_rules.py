"""Organising: what the tables go by: penalty articles, sign-off; and what lets tablets in to them."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request

from referee.catalogue import Article
from referee.models import Device, TableCard
from referee.queries.catalogue import catalogue_of, stored_articles
from referee.queries.signoffs import POLICIES, policy_of
from referee.queries.tablets import TabletLine, tablets_of
from referee.services.catalogue import MOST_ARTICLES, save_catalogue
from referee.services.devices import MOST_TABLES, make_cards, renew_card, revoke_device, shown_code
from referee.services.table_rules import set_signoff
from tournament.api.fields import Body, PointsIn, PointsOut, ReasonBody, WholeNumber
from tournament.api.operations import operation
from tournament.api.paging import Listed
from tournament.api.views import OrganiseView
from tournament.models import Event, Tournament

RULES, TABLETS = "Organise: table rules", "Organise: table cards and tablets"


class ArticleOut(serializers.Serializer):
    """``id`` is null for an article as shipped."""

    id = serializers.IntegerField(source="pk", allow_null=True)
    article = serializers.CharField()
    name = serializers.CharField()
    points = PointsOut()
    warning_first = serializers.BooleanField()


class CatalogueOut(serializers.Serializer):
    """The articles that hold; ``own``: they were written here, not taken over."""

    own = serializers.BooleanField()
    articles = ArticleOut(many=True)


class ArticleBody(Body):
    article = serializers.CharField(max_length=20, allow_blank=True)
    name = serializers.CharField(max_length=120, allow_blank=True)
    points = PointsIn(default=0)
    warning_first = serializers.BooleanField(default=False)


class CatalogueBody(Body):
    """All articles; none at all: those of the tournament hold again, or those shipped."""

    articles = serializers.ListField(child=ArticleBody(), max_length=MOST_ARTICLES)


class SignoffBody(Body):
    """``one``: one second person checks; ``all``: all seats agree; ``second``: a second, blind entry."""

    policy = serializers.ChoiceField(list(POLICIES))


class SignoffOut(serializers.Serializer):
    policy = serializers.ChoiceField(list(POLICIES))


class CardsBody(Body):
    tables = WholeNumber(min_value=1, max_value=MOST_TABLES, help_text="Tables 1 to this one have cards.")


class CardOut(serializers.Serializer):
    """A valid card: its code, or the address in its QR code, binds a tablet to the table."""

    table = serializers.IntegerField(source="table_number")
    code = serializers.SerializerMethodField()
    address = serializers.SerializerMethodField()
    expires_at = serializers.DateTimeField()

    def get_code(self, card: TableCard) -> str:
        return shown_code(card.code)

    def get_address(self, card: TableCard) -> str:
        return reverse("referee:join_code", args=[card.code])


class TabletOut(serializers.Serializer):
    """``waiting`` is how many entries it said it holds that are not sent; ``end`` why it is out, empty while
    it is bound. ``silent``: nothing heard for a minute.
    """

    id = serializers.IntegerField(source="device.pk")
    name = serializers.CharField(source="device.name")
    table = serializers.IntegerField(source="device.table_number")
    joined_at = serializers.DateTimeField(source="device.joined_at")
    seen_at = serializers.DateTimeField(source="device.seen_at")
    waiting = serializers.IntegerField(source="device.waiting")
    silent = serializers.BooleanField()
    end = serializers.ChoiceField(["", *Device.End.values], source="device.end")
    ended_at = serializers.DateTimeField(source="device.ended_at", allow_null=True)


class _CatalogueView(OrganiseView):
    tag = RULES

    def shown(self, event: Event | None) -> Mapping[str, Any]:
        """The catalogue as CatalogueOut shows it."""
        return {
            "own": bool(stored_articles(self.tournament, event)),
            "articles": catalogue_of(self.tournament, event),
        }

    def save(self, event: Event | None, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Puts the articles in the place of those before."""
        articles = [Article(**one) for one in data["articles"]]
        # If-Match is what keeps it from being done twice: the command needs no id of the sender's.
        save_catalogue(
            actor=self.actor,
            tournament=self.tournament,
            event=event,
            articles=articles,
            command_id=uuid4(),
        )
        return self.shown(event)


class CatalogueView(_CatalogueView):
    def found(self, *, lock: bool) -> Mapping[str, Any]:
        if lock:
            Tournament.objects.select_for_update(no_key=True).get(pk=self.tournament.pk)
        return self.shown(None)

    @operation(output=CatalogueOut)
    def get(self, request: Request) -> Mapping[str, Any]:
        """The penalty articles of all events that have none of their own."""
        return self.found(lock=False)

    @operation(input=CatalogueBody, output=CatalogueOut, versioned=True)
    def put(self, request: Request, found: Any, data: dict[str, Any]) -> Mapping[str, Any]:
        """Write the penalty articles of the tournament. Penalties given keep the text of theirs."""
        return self.save(None, data)


class EventCatalogueView(_CatalogueView):
    def found(self, *, lock: bool) -> Mapping[str, Any]:
        if lock:
            Event.objects.select_for_update(no_key=True).get(pk=self.event.pk)
        return self.shown(self.event)

    @operation(output=CatalogueOut)
    def get(self, request: Request) -> Mapping[str, Any]:
        """The penalty articles that hold in an event."""
        return self.found(lock=False)

    @operation(input=CatalogueBody, output=CatalogueOut, versioned=True)
    def put(self, request: Request, found: Any, data: dict[str, Any]) -> Mapping[str, Any]:
        """Write penalty articles for an event, in place of the tournament's."""
        return self.save(self.event, data)


class SignoffView(OrganiseView):
    tag = RULES

    def found(self, *, lock: bool) -> Mapping[str, str]:
        events = Event.objects.select_for_update(no_key=True) if lock else Event.objects
        return {"policy": policy_of(events.get(pk=self.event.pk))}

    @operation(output=SignoffOut)
    def get(self, request: Request) -> Mapping[str, str]:
        """How a deal of the event becomes checked."""
        return self.found(lock=False)

    @operation(input=SignoffBody, output=SignoffOut, versioned=True)
    def put(self, request: Request, found: Any, data: dict[str, Any]) -> Mapping[str, str]:
        """Choose how deals become checked from now on; those checked before stay so."""
        set_signoff(actor=self.actor, event=self.event, command_id=uuid4(), **data)
        return self.found(lock=False)


class CardsView(OrganiseView):
    tag = TABLETS

    @operation(output=CardOut, paged=True)
    def get(self, request: Request) -> Listed:
        """The table cards that are valid."""
        return Listed(_cards(self.event))

    @operation(input=CardsBody, output=CardOut, many=True, status=201, once=True)
    def post(self, request: Request, data: dict[str, Any]) -> Any:
        """Make the cards of so many tables: those that are missing or have expired."""
        return make_cards(actor=self.actor, event=self.event, **data)


class RenewCardView(OrganiseView):
    tag = TABLETS

    @operation(input=ReasonBody, output=CardOut, once=True)
    def post(self, request: Request, table: int, data: dict[str, Any]) -> TableCard:
        """Make a card's code worthless and give its table another. Tablets bound already stay so."""
        card = get_object_or_404(_cards(self.event), table_number=table)
        return renew_card(actor=self.actor, card=card, **data)


class TabletsView(OrganiseView):
    tag = TABLETS

    @operation(output=TabletOut, paged=True)
    def get(self, request: Request) -> Listed:
        """The event's tablets with their last sign of life: those bound first, then those that were."""
        return Listed(tablets_of(self.event))


class RevokeTabletView(OrganiseView):
    tag = TABLETS

    @operation(input=ReasonBody, output=TabletOut, once=True)
    def post(self, request: Request, tablet: int, data: dict[str, Any]) -> TabletLine:
        """Shut a tablet out: what it has sent stays."""
        devices = Device.objects.select_related("event__tournament").filter(event=self.event)
        revoke_device(actor=self.actor, device=get_object_or_404(devices, pk=tablet), **data)
        return next(line for line in tablets_of(self.event) if line.device.pk == tablet)


def _cards(event: Event) -> Any:
    found = TableCard.objects.filter(event=event, revoked_at=None, expires_at__gt=timezone.now())
    return found.select_related("event__tournament").order_by("table_number")
