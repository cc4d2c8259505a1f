"""Bringing in an archive that can be shown: its content is somebody else's word.

Values of columns and what belongs together are checked where rows are stored (services.archive). What stands
within a plan, a record or a publication is proven here by reading it as the pages will: nothing is stored of
an archive whose own pages would fail.
"""

import logging
from collections.abc import Iterator, Mapping

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from referee.models import DealVersion
from scoring.engine import DealRecord
from tournament.models import Event, Publication
from tournament.queries.board import round_board
from tournament.queries.draw_sources import collect_inputs
from tournament.queries.plans import event_terms, round_terms
from tournament.queries.published import Published
from tournament.queries.standings import event_standings
from tournament.services.archive.transfer import Imported, import_tournament
from tournament.services.audit import Actor
from tournament.services.errors import Refused
from tournament.tasks.pages import PAGES, page_path, render_page

logger = logging.getLogger(__name__)

What = Publication.What
#: Pages of one event that are many: they are put together, but not rendered.
_MANY = ("table", "match", "entry")

Page = tuple[str, Mapping[str, int | str]]


def import_shown(*, actor: Actor, data: bytes, slug: str = "") -> Imported:
    """Stores the tournament of a file if all its pages can be made (services.archive.transfer).

    Raises as ``import_tournament`` does; Refused as well where a page cannot be made of what the file says.
    """
    with transaction.atomic():
        found = import_tournament(actor=actor, data=data, slug=slug)
        for event in found.tournament.events.select_related("tournament", "ruleset_version__book"):
            _prove(event)
    return found


def _prove(event: Event) -> None:
    place = event.slug
    try:
        _read_records(event)
        published = Published(event)
        for name, arguments in _pages(published):
            place = page_path(name, event, arguments)
            if name in _MANY:
                PAGES[name].builder(published, **arguments)
            else:
                render_page(published, name, arguments, settings.LANGUAGE_CODE)
    except Exception as fault:  # whatever a wrong value brings about
        logger.warning("an archive was refused: %s cannot be shown", place, exc_info=True)
        raise Refused(
            "archive_not_shown",
            _("%(place)s: this cannot be shown as the archive has it (%(fault)s); nothing was stored."),
            {"place": place, "fault": f"{type(fault).__name__}: {fault}"[:200]},
            field="file",
        ) from fault


def _read_records(event: Event) -> None:
    """Everything that is not published: plans, records, boards, standings, what draws are made of."""
    event_terms(event)
    versions = DealVersion.objects.filter(
        deal__table__draw__round__event=event, state=DealVersion.State.RECORDED
    )
    for record, scores in versions.values_list("record", "answer__scores").iterator(chunk_size=500):
        # Whether the scores are those of the record says ``recompute``.
        DealRecord.from_json(record)
        scores.keys()
    for round in event.rounds.select_related("event__tournament", "stage").order_by("number"):
        round_terms(round)
        round_board(round)
        try:
            collect_inputs(round)
        except Refused:
            pass  # a round that cannot be drawn yet
    event_standings(event)


def _pages(published: Published) -> Iterator[Page]:
    """Every public page of the event, by name and arguments of its address."""
    for name in ("event", "standings", "screen", "cross", "statistics", "entries_json"):
        yield name, {}
    for stage in published.event.stages.values_list("number", flat=True):
        yield "bracket", {"stage": stage}
    for what in What:
        for number in published.rounds(what):
            yield "changes", {"number": number, "matter": str(what)}
    for number in published.rounds(What.STANDINGS):
        yield "standings_after", {"after": number}
        yield "certificates", {"after": number}
    for number in published.rounds():
        for name in ("round", "seats_print", "wall_print", "sheets_print", "pairings_json", "deals_json"):
            yield name, {"number": number}
        shown = published.payload(What.DRAW, number) or published.payload(What.RESULTS, number) or {}
        tables = shown.get("tables", ())
        for table in tables:
            yield "table", {"number": number, "table": table["number"]}
        for match in sorted({table["match"] for table in tables}):
            yield "match", {"number": number, "match": match}
    for number in published.entries:
        yield "entry", {"number": number}
