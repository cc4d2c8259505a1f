"""Who sends a request, and how many they may send."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext_lazy as _
from redis.exceptions import RedisError
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from tournament.models import ApiToken
from tournament.services.tokens import use_token
from tournament.views.access import address_of

_SCHEME = "bearer"


class BearerToken(BaseAuthentication):
    """``Authorization: Bearer hp_…``; the token is ``request.auth``. Cookies count for nothing here."""

    def authenticate(self, request: Request) -> tuple[Any, ApiToken] | None:
        """Raises AuthenticationFailed for a token that opens nothing, on public addresses too: who sends one
        wants to know.
        """
        scheme, _space, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != _SCHEME:
            return None
        token = use_token(secret=secret.strip(), address=address_of(request))
        if token is None:
            raise exceptions.AuthenticationFailed(_("This token is unknown, expired or revoked."))
        return AnonymousUser(), token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class FairShare(SimpleRateThrottle):
    """So many requests per token, or per address where none opens anything (`settings.API_RATE`).

    Counted in the cache: without a shared one by each process for itself. A cache that is gone counts
    nothing and keeps nobody out.
    """

    def get_rate(self) -> str:
        return settings.API_RATE

    def get_cache_key(self, request: Request, view: Any) -> str:
        token = request.auth
        return f"api-share-{f'token-{token.pk}' if token else address_of(request)}"

    def allow_request(self, request: Request, view: Any) -> bool:
        try:
            return super().allow_request(request, view)
        except (RedisError, OSError):
            return True
