"""The frame of every page: navigation by role and the language switch."""

from datetime import datetime, time
from typing import Any

from django import template
from django.conf import settings
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from tournament.models import Membership, Role, Tournament
from tournament.queries.bye_reasons import bye_reason_text

register = template.Library()
register.filter("bye_reason", bye_reason_text)

#: Each language's name for itself, short enough for a phone; never translated.
SHORT = {"zh-hans": "简", "zh-hant": "繁", "en": "EN"}
#: In full, for those who hover or listen.
OWN_NAMES = {"zh-hans": "简体中文", "zh-hant": "繁體中文", "en": "English"}

#: Zones with names of their own where Gongzhu is played; the others are told by their distance from UTC.
ZONES = {
    "Asia/Shanghai": gettext_lazy("Beijing time"),
    "Asia/Hong_Kong": gettext_lazy("Hong Kong time"),
    "Asia/Macau": gettext_lazy("Macao time"),
    "Asia/Taipei": gettext_lazy("Taipei time"),
    "Asia/Singapore": gettext_lazy("Singapore time"),
}


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


@register.filter
def zone_words(tournament: Tournament) -> str:
    """A tournament's time zone for people: "Beijing time (UTC+8)", or "UTC+5:30" as on its first day."""
    day = tournament.starts_on or timezone.localdate(timezone=tournament.tz)
    offset = datetime.combine(day, time(12), tournament.tz).utcoffset()
    minutes = round(offset.total_seconds() / 60) if offset else 0
    hours, rest = divmod(abs(minutes), 60)
    sign = "−" if minutes < 0 else "+"
    distance = f"UTC{sign}{hours}" + (f":{rest:02}" if rest else "")
    name = ZONES.get(tournament.time_zone)
    return _("%(zone)s (%(distance)s)") % {"zone": name, "distance": distance} if name else distance


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
