"""The next step of an event in words, with the page where it is done."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournament.models import Event, Round
from tournament.queries.appeals import MINUTES
from tournament.queries.next_step import Step
from tournament.queries.round_end import RoundEnd
from tournament.views.manage.common import event_url, round_url


@dataclass(frozen=True)
class StepView:
    """What a page shows of a step: a heading, an explanation, the button and where it leads."""

    code: str
    title: str
    text: str
    button: str
    url: str
    #: Stages of the whole way: (label, "done" | "here" | "ahead").
    way: tuple[tuple[str, str], ...] = ()


def step_view(event: Event, step: Step) -> StepView:
    """The step for people."""
    number = step.round.number if step.round else 0
    title, text, button = _words(step, number)
    return StepView(step.code, title, text, button, _address(event, step), _way(step))


@dataclass(frozen=True)
class EndView:
    """The end of a round in one go, as pages offer it: the button, what it will do, what is said when done.

    ``parts`` as `RoundEnd.parts`; the button is blank where there is nothing to publish.
    """

    parts: str
    button: str
    text: str
    done: str


def end_view(end: RoundEnd, round: Round) -> EndView:
    """What is left of a round for people."""
    texts = {
        "close+results+standings": (
            _("Close, publish results and standings"),
            _("Closes the round and publishes its results and the standings after it."),
            _("The round is closed; its results and the standings are public."),
        ),
        "close+results": (
            _("Close and publish the results"),
            _("Closes the round and publishes its results."),
            _("The round is closed; its results are public."),
        ),
        "close+standings": (
            _("Close and publish the standings"),
            _("Closes the round and publishes the standings after it."),
            _("The round is closed; the standings are public."),
        ),
        "close": ("", _("Closes the round."), _("The round is closed.")),
        "results+standings": (
            _("Publish results and standings"),
            _("Publishes the results of the round and the standings after it."),
            _("The results and the standings are public."),
        ),
        "results": (
            _("Publish results"),
            _("Publishes the results of the round."),
            _("The results are public."),
        ),
        "standings": (
            _("Publish standings"),
            _("Publishes the standings after the round."),
            _("The standings are public."),
        ),
        "": ("", "", ""),
    }
    button, text, done = texts[end.parts]
    notes = [text, *_end_notes(end, round)]
    return EndView(end.parts, button, " ".join(str(one) for one in notes if one), done)


def _end_notes(end: RoundEnd, round: Round) -> Iterator[str]:
    """What is not done, or not seen, and why."""
    if end.held_back:
        yield _("It is held back: nothing of it is published until it is released.")
    if end.lacking:
        rounds = pgettext("punctuation", ", ").join(map(str, end.lacking))
        yield _("The standings wait for the results of these rounds: %(rounds)s.") % {"rounds": rounds}
    if end.publishes and (minutes := round.event.options.get(MINUTES)):
        yield ngettext(
            "Provisional for %(minutes)s minute, the time for appeals; then final by itself.",
            "Provisional for %(minutes)s minutes, the time for appeals; then final by itself.",
            minutes,
        ) % {"minutes": minutes}
    if end.publishes and round.event.visibility == Event.Visibility.HIDDEN:
        yield _("The event is hidden: the public sees it once it is shown.")


def _words(step: Step, number: int) -> tuple[str, str, str]:
    params = {"round": number, "done": step.done, "total": step.total}
    texts: dict[str, tuple[str, str, str]] = {
        "entries": (
            _("Enter those who take part"),
            _("Import the list from Excel, or add the entries one by one."),
            _("Import entries"),
        ),
        "advance": (
            _("Confirm who advances"),
            _("The stage before is played out. Its standings say who goes on; you confirm it."),
            _("Who advances"),
        ),
        "draw": (
            _("Draw round %(round)s"),
            _("The draw is first a preview that only you see."),
            _("Draw round %(round)s"),
        ),
        "publish_draw": (
            _("Publish the draw of round %(round)s"),
            _("Look at the tables and the quality report. Publishing opens the tables for the referees."),
            _("Look at the draw"),
        ),
        "play": (
            _("Round %(round)s is being played"),
            _("%(done)s of %(total)s tables have every deal entered and checked."),
            _("Look at the tables"),
        ),
        "close": (
            _("Close round %(round)s"),
            _("Every deal of all %(total)s tables is entered and checked."),
            _("Close round %(round)s"),
        ),
        "publish_results": (
            _("Publish the results of round %(round)s"),
            _("The round is closed. Players see its results once they are published."),
            _("Publish results"),
        ),
        "publish_standings": (
            _("Publish the standings after round %(round)s"),
            _("The results are public; the standings are not yet."),
            _("Publish standings"),
        ),
        "finish": (
            _("Finish the event"),
            _("All rounds are closed and published."),
            _("Finish the event"),
        ),
        "export": (
            _("The event is finished"),
            _("The workbook has entries, pairings, every deal, penalties and standings."),
            _("Result workbook"),
        ),
    }
    title, text, button = texts[step.code]
    return title % params, text % params, button % params


def _address(event: Event, step: Step) -> str:
    pages: dict[str, str] = {
        "entries": "entries_import",
        "finish": "event_finish",
        "export": "workbook",
    }
    if step.round is None:
        return event_url(pages[step.code], event)
    if step.code == "advance":
        return event_url("advance", event, stage=step.round.stage.number)
    if step.code in ("draw", "publish_draw"):
        return round_url("draw", step.round)
    return round_url("round", step.round)


#: The stages an organiser knows, and the steps that belong to each.
_STAGES = (
    ("entries",),
    ("advance", "draw", "publish_draw"),
    ("play", "close"),
    ("publish_results", "publish_standings"),
    ("finish", "export"),
)


def _way(step: Step) -> tuple[tuple[str, str], ...]:
    names: list[Any] = [_("Entries"), _("Draw"), _("Play"), _("Publish"), _("Finish")]
    here = next(place for place, codes in enumerate(_STAGES) if step.code in codes)
    return tuple(
        (str(name), "done" if place < here else "here" if place == here else "ahead")
        for place, name in enumerate(names)
    )
