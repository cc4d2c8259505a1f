"""What an organiser does next with an event: the guided way from an entry list to published results."""

from dataclasses import dataclass

from tournament.models import Entry, Event, Publication, Round
from tournament.queries.board import round_board


@dataclass(frozen=True)
class Step:
    """The next thing to do.

    Codes, in the order they come: ``entries``, ``advance``, ``draw``, ``publish_draw``, ``play``, ``close``,
    ``publish_results``, ``publish_standings``, ``finish``, ``export``. ``round`` is set for those of a round;
    ``done`` of ``total`` tables are complete while it is played. ``advance``: nobody has been confirmed for
    the round's stage yet, so that there is nobody to draw.
    """

    code: str
    round: Round | None = None
    done: int = 0
    total: int = 0


def next_step(event: Event, least_entries: int) -> Step:
    """The first thing in the natural order that has not been done. ``least_entries`` to draw a round."""
    if event.entries.filter(status=Entry.Status.ACTIVE).count() < least_entries:
        return Step("entries")
    published = current_publications(event)
    undecided = _stages_without_entries(event)
    for round in event.rounds.order_by("number"):
        if round.stage_id in undecided and round.state == Round.State.PLANNED:
            return Step("advance", round)
        step = _round_step(round, published)
        if step is not None:
            return step
    return Step("export" if event.state == Event.State.FINISHED else "finish")


def current_publications(event: Event) -> dict[tuple[int, str], Publication]:
    """The latest version of everything published and not withdrawn, by (round id, what)."""
    latest: dict[tuple[int, str], Publication] = {}
    for publication in event.publications.defer("payload").order_by("version"):
        latest[publication.round_id, publication.what] = publication
    return {key: publication for key, publication in latest.items() if not publication.withdrawn}


def _stages_without_entries(event: Event) -> set[int]:
    """Further stages for which nobody is confirmed; the first has everybody."""
    further = event.stages.order_by("number")[1:]
    return {stage.pk for stage in further.prefetch_related("members") if not stage.members.all()}


def _round_step(round: Round, published: dict[tuple[int, str], Publication]) -> Step | None:
    if round.state == Round.State.PLANNED:
        return Step("draw", round)
    if round.state == Round.State.DRAWN:
        return Step("publish_draw", round)
    if round.state == Round.State.PLAYING:
        board = round_board(round)
        return Step("close" if board.complete else "play", round, board.done, len(board.lines))
    if (round.pk, Publication.What.RESULTS) not in published:
        return Step("publish_results", round)
    if (round.pk, Publication.What.STANDINGS) not in published:
        return Step("publish_standings", round)
    return None
