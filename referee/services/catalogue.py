"""Editing the penalty catalogue of a tournament, or of one of its events."""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from referee.catalogue import Article
from referee.models import PenaltyRule
from referee.queries.catalogue import stored_articles
from referee.services.commands import Outcome, run_once
from referee.services.penalty_faults import MOST_POINTS, RULE_LENGTH, storable
from tournament.models import Event, Tournament
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Problem, Refused
from tournament.services.permissions import require_director
from tournament.services.validation import text

ARTICLE_LENGTH = 20
MOST_ARTICLES = 100


def save_catalogue(
    *,
    actor: Actor,
    tournament: Tournament,
    event: Event | None = None,
    articles: Sequence[Article],
    command_id: UUID,
) -> Outcome:
    """Puts a catalogue in the place of the one written before; articles that did not change keep their rows.

    With no articles at all the tournament's (or the shipped ones) hold again. Retired articles stay on
    record: penalties name them.

    Raises:
        Refused: every fault, naming its article: no number or breach, a number twice, points out of range.
        NotAllowed: neither chief referee nor organiser.
    """
    require_director(actor, tournament)
    wanted = [
        Article(text(one.article), text(str(one.name)), one.points, one.warning_first) for one in articles
    ]
    faults = list(_faults(wanted))
    if faults:
        raise Refused.for_problems(faults)

    def work() -> dict[str, Any]:
        before = stored_articles(tournament, event)
        kept = {_facts(one): one.pk for one in before}
        wanted_facts = [_facts(one) for one in wanted]
        PenaltyRule.objects.filter(
            pk__in=[pk for facts, pk in kept.items() if facts not in wanted_facts]
        ).update(retired_at=timezone.now())
        for place, one in enumerate(wanted, start=1):
            pk = kept.get(_facts(one))
            if pk is not None:
                PenaltyRule.objects.filter(pk=pk).update(place=place)
                continue
            PenaltyRule.objects.create(
                tournament=tournament,
                event=event,
                article=one.article,
                name=one.name,
                points=one.points,
                warning_first=one.warning_first,
                place=place,
            )
        record_audit(
            actor=actor,
            action="penalty_catalogue.save",
            subject=event or tournament,
            tournament=tournament,
            event=event,
            before=[_json(one) for one in before],
            after=[_json(one) for one in wanted],
        )
        return {"articles": len(wanted)}

    payload = {
        "tournament": tournament.pk,
        "event": event and event.pk,
        "articles": [_json(one) for one in wanted],
    }
    return run_once(
        actor=actor, command_id=command_id, action="penalty_catalogue.save", payload=payload, work=work
    )


def _facts(one: Article) -> tuple[Any, ...]:
    return one.article, str(one.name), one.points, one.warning_first


def _json(one: Article) -> dict[str, Any]:
    return {
        "article": one.article,
        "name": str(one.name),
        "points": str(one.points),
        "warning_first": one.warning_first,
    }


def _faults(articles: Sequence[Article]) -> Iterator[Problem]:
    if len(articles) > MOST_ARTICLES:
        yield Problem(
            "too_many_articles",
            _("A catalogue has at most %(most)s articles."),
            {"most": MOST_ARTICLES},
            "articles",
        )
    seen: set[str] = set()
    for row, one in enumerate(articles, start=1):
        params = {"row": row, "article": one.article}
        if not one.article or len(one.article) > ARTICLE_LENGTH:
            yield Problem(
                "article_number",
                _("Row %(row)s: the article's number has 1 to 20 characters."),
                params,
                "articles",
            )
        elif one.article in seen:
            yield Problem(
                "article_twice", _("Row %(row)s: article %(article)s stands twice."), params, "articles"
            )
        seen.add(one.article)
        # The article's number stands before the breach on every penalty given under it.
        if not one.name or len(str(one.name)) + len(one.article) + 1 > RULE_LENGTH:
            yield Problem(
                "article_name",
                _("Row %(row)s: name the breach in 1 to 99 characters."),
                params,
                "articles",
            )
        if abs(one.points) > MOST_POINTS or not storable(one.points):
            yield Problem(
                "points_range",
                _("Row %(row)s: the points of article %(article)s cannot be stored."),
                params,
                "articles",
            )
