"""Why a penalty is given: what was typed, else the catalogue's article under which it is given."""

from django.conf import settings
from django.utils import translation

from referee.models import PenaltyRule
from referee.queries.catalogue import catalogue_of
from tournament.models import Event
from tournament.services.validation import text


def penalty_reason(*, event: Event, rule: str, reason: str, article: PenaltyRule | None = None) -> str:
    """The reason as it is stored; "" where none was typed and no article is named, and then one is needed.

    An article is named by its row, or by ``rule`` as pages name one: its number and its breach, in any of the
    site's languages. Those that are shipped have no rows.
    """
    typed = text(reason)
    if typed:
        return typed
    if article is not None:
        return f"{article.article} {article.name}"
    wanted, articles = text(rule), catalogue_of(event.tournament, event)
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            if any(one.rule == wanted for one in articles):
                return wanted
    return ""
