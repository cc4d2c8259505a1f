"""Score sheets of a round: blank as a workbook, and filled in on paper brought back as deals."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from referee.presenting_signoff import told_difference
from referee.services.paper import LineStatus, PaperPreview, import_paper, preview_paper
from tournament.excel.paper_book import paper_workbook
from tournament.excel.paper_reading import read_paper
from tournament.excel.table_cards import table_cards
from tournament.models import Event, Round
from tournament.views.access import actor_of, director_required
from tournament.views.manage import uploads
from tournament.views.manage.common import round_url
from tournament.views.manage.downloads import workbook_response


@director_required
def blank(request: HttpRequest, event: Event, round: int) -> HttpResponse:
    """A page for each table, with who sits there and a line for each deal."""
    found = _round(event, round)
    name = _("Score sheets %(event)s, round %(round)s") % {"event": event.name, "round": round}
    return workbook_response(paper_workbook(found, get_language()), f"{name}.xlsx")


@director_required
def cards(request: HttpRequest, event: Event, round: int) -> HttpResponse:
    """A page for each table, its number large, to stand on it."""
    name = _("Table cards %(event)s, round %(round)s") % {"event": event.name, "round": round}
    return workbook_response(table_cards(_round(event, round), get_language()), f"{name}.xlsx")


@director_required
def upload(request: HttpRequest, event: Event, round: int) -> HttpResponse:
    """Choosing a filled-in workbook, and what bringing it in would do."""
    found = _round(event, round)
    return uploads.choose(request, _upload(found), _look(found))


@director_required
def confirm(request: HttpRequest, event: Event, round: int) -> HttpResponse:
    """Records the deals of a previewed workbook that are not on record, all or nothing."""
    found = _round(event, round)

    def work(content: bytes, command_id: UUID) -> str:
        sheet = read_paper(content, round_number=round)
        return _outcome_text(
            import_paper(actor=actor_of(request), round=found, sheet=sheet, command_id=command_id)
        )

    return uploads.confirm(request, _upload(found), _look(found), "deals.import", work)


def _round(event: Event, number: int) -> Round:
    rounds = Round.objects.select_related("event__tournament", "event__ruleset_version__book", "stage")
    return get_object_or_404(rounds, event=event, number=number)


def _upload(round: Round) -> uploads.Upload:
    return uploads.Upload(
        event=round.event,
        here="rounds",
        title=_("Deals from paper"),
        templates=("tournament/paper.html", "tournament/paper_preview.html"),
        upload=round_url("paper", round),
        confirm=round_url("paper_confirm", round),
        back=round_url("round", round),
        about={"round": round},
    )


def _look(round: Round) -> uploads.Look:
    def look(content: bytes) -> tuple[dict[str, Any], int, bool]:
        plan = preview_paper(round=round, sheet=read_paper(content, round_number=round.number))
        lines = [(line, [told_difference(one, line.scores) for one in line.differs]) for line in plan.lines]
        return {"plan": plan, "lines": lines}, plan.counts["new"] + plan.counts["void"], plan.ok

    return look


def _outcome_text(done: PaperPreview) -> str:
    new, void, conflicts = (done.counts[name] for name in (LineStatus.NEW, "void", LineStatus.CONFLICT))
    parts = []
    if new:
        told = ngettext(
            "%(n)s deal recorded; it needs its check.", "%(n)s deals recorded; they need their checks.", new
        )
        parts.append(told % {"n": new})
    if void:
        told = ngettext("%(n)s deal put on record as void.", "%(n)s deals put on record as void.", void)
        parts.append(told % {"n": void})
    parts = parts or [_("The sheets say nothing new.")]
    if conflicts:
        parts.append(
            ngettext(
                "%(n)s deal differs from what is on record, which stays.",
                "%(n)s deals differ from what is on record, which stays.",
                conflicts,
            )
            % {"n": conflicts}
        )
    return " ".join(parts)
