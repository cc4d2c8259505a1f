"""Addresses turned into objects, and who may: the frames in which operations stand."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from referee.parsers import BoundedJSONParser
from tournament.api.problems import problem_response
from tournament.api.schema import OperationSchema
from tournament.api.security import BearerToken, FairShare
from tournament.models import ApiToken, Event, Round, Tournament
from tournament.queries.published import Published, public_events, public_tournaments
from tournament.services.audit import Actor
from tournament.services.errors import NotAllowed
from tournament.services.tokens import actor_of_token
from tournament.views.access import address_of

Purpose = ApiToken.Purpose
NO_EVENT = _("There is no such event.")
OTHER_TOURNAMENT = _("This token belongs to another tournament.")


class ApiView(APIView):
    """What all addresses share: JSON only, tokens only, a fair share each, problems for every refusal."""

    authentication_classes = [BearerToken]
    permission_classes = [AllowAny]  # asked in ``admit``, where the address is known
    throttle_classes = [FairShare]
    renderer_classes = [JSONRenderer]
    parser_classes = [BoundedJSONParser]
    schema = OperationSchema()
    http_method_names = ["get", "post", "put", "patch", "delete", "head"]

    #: Purposes of the tokens that open this; empty: open to everybody.
    purposes: tuple[str, ...] = ()
    #: The heading under which the documentation has it.
    tag = ""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        self.format_kwarg = None
        negotiated = self.perform_content_negotiation(request)
        request.accepted_renderer, request.accepted_media_type = negotiated
        fault = None
        try:
            self.perform_authentication(request)
        except exceptions.AuthenticationFailed as refused:
            fault = refused
        # Who tries tokens has a share too: it is counted before anything is said about the token.
        self.check_throttles(request)
        if fault is not None:
            raise fault
        self.admit(request, **kwargs)

    def perform_authentication(self, request: Request) -> None:
        """Reads the token; with a wrong one the request counts as nobody's. Raises AuthenticationFailed."""
        try:
            request.user  # noqa: B018 - asking is what authenticates
        except exceptions.AuthenticationFailed:
            request._not_authenticated()
            raise

    def admit(self, request: Request, **parts: str) -> None:
        """Finds what the address names and asks who may."""

    def handle_exception(self, exc: Exception) -> Response:
        response = problem_response(exc)
        if response is None:
            raise exc
        return response

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        final = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(final, ["Authorization", "Accept-Language"])
        final.headers["Cache-Control"] = "no-store" if self.purposes else "no-cache"
        return final

    @property
    def actor(self) -> Actor:
        """Who acts, for the services."""
        return actor_of_token(self.request.auth, address_of(self.request))

    def token_for(self, request: Request) -> ApiToken:
        """The request's token. Raises NotAuthenticated; PermissionDenied for a token of another purpose."""
        token = request.auth
        if token is None:
            raise exceptions.NotAuthenticated
        if token.purpose not in self.purposes:
            raise exceptions.PermissionDenied
        return token


class UnknownView(ApiView):
    """Any other address below /api/v1/."""

    schema = None

    def admit(self, request: Request, **parts: str) -> None:
        raise exceptions.NotFound


class PublicView(ApiView):
    """What is published, of a tournament the public may know of."""

    tag = "Published"
    tournament: Tournament

    def admit(self, request: Request, **parts: str) -> None:
        if "tournament" in parts:
            self.tournament = get_object_or_404(public_tournaments(), slug=parts["tournament"])


class PublicEventView(PublicView):
    """What is published of an event."""

    published: Published

    def admit(self, request: Request, **parts: str) -> None:
        super().admit(request, **parts)
        events = public_events().filter(tournament=self.tournament).select_related("tournament")
        self.published = Published(get_object_or_404(events, slug=parts["event"]))


class SiteView(ApiView):
    """What belongs to no tournament: it is open to every token to organise, in the name of its person."""

    purposes = (Purpose.ORGANISE,)

    def admit(self, request: Request, **parts: str) -> None:
        self.token_for(request)


class OrganiseView(ApiView):
    """The organiser's side of the token's tournament, and of an event of it where the address names one."""

    purposes = (Purpose.ORGANISE,)
    tournament: Tournament
    event: Event

    def admit(self, request: Request, **parts: str) -> None:
        token = self.token_for(request)
        # Whether there is another tournament of that name is not this token's to know.
        if token.tournament.slug != parts["tournament"]:
            raise NotAllowed("other_tournament", OTHER_TOURNAMENT)
        self.tournament = token.tournament
        if "event" in parts:
            events = Event.objects.select_related("tournament", "ruleset_version__book")
            self.event = get_object_or_404(events, tournament=self.tournament, slug=parts["event"])

    def event_of(self, slug: str | None) -> Event | None:
        """The tournament's event that a body or query names; None where it names none. Raises
        ValidationError.
        """
        event: Event | None = None if slug is None else self.tournament.events.filter(slug=slug).first()
        if slug is not None and event is None:
            raise exceptions.ValidationError({"event": NO_EVENT})
        return event

    def round(self, number: int) -> Round:
        """The event's round of that number. Raises Http404."""
        rounds = self.event.rounds.select_related("event__tournament", "stage")
        return get_object_or_404(rounds, number=number)
