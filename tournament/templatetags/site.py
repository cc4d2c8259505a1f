"""The frame of every page: navigation by role and the language switch."""

from typing import Any

from django import template
from django.conf import settings
from django.urls import NoReverseMatch, reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament.models import Membership, Role
from tournament.queries.bye_reasons import bye_reason_text

register = template.Library()
register.filter("bye_reason", bye_reason_text)

#: Each language's name for itself, short enough for a phone; never translated.
SHORT = {"zh-hans": "简", "zh-hant": "繁", "en": "EN"}
#: In full, for those who hover or listen.
OWN_NAMES = {"zh-hans": "简体中文", "zh-hant": "繁體中文", "en": "English"}


def staff_links(user: Any, path: str) -> list[dict[str, Any]]:
    """The pages that the user's roles open, in order; none for the public."""
    if user is None or not user.is_authenticated:
        return []
    roles = set(Membership.objects.filter(user=user).values_list("role", flat=True).order_by().distinct())
    wanted = []
    if user.is_superuser or roles & {Role.ORGANISER, Role.CHIEF_REFEREE}:
        wanted.append(("manage:home", _("Organise")))
    if user.is_superuser or roles:
        wanted.append(("referee:home", _("Referee")))
    links = []
    for name, label in wanted:
        try:
            url = reverse(name)
        except NoReverseMatch:  # pragma: no cover - only while that part of the site is not installed
            continue
        links.append({"url": url, "label": label, "here": path.startswith(url)})
    return links


@register.simple_tag
def gap() -> str:
    """What stands between two sentences, or before a bracket: a space; nothing in Chinese, whose marks are as
    wide as a character and bring their room along.
    """
    return "" if (get_language() or "").startswith("zh") else " "


@register.inclusion_tag("parts/account_bar.html", takes_context=True)
def account_bar(context: template.Context) -> dict[str, Any]:
    """Navigation, language switch and log-in. Works without a request: then it is the public's."""
    request = context.get("request")
    path = request.get_full_path() if request else context.get("page_path", "/")
    user = context.get("user")
    if request and request.resolver_match and request.resolver_match.view_name in {"login", "logout"}:
        path = reverse("home")
    current = get_language()
    return {
        "links": staff_links(user, path),
        "languages": [
            {
                "code": code,
                "short": SHORT.get(code, code),
                "name": OWN_NAMES.get(code, name),
                "current": code == current,
            }
            for code, name in settings.LANGUAGES
        ],
        "path": path,
        "user": user,
        "csrf_token": context.get("csrf_token"),
    }
