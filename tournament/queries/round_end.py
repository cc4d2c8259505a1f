"""What is left to do with a round once it is played: closing it, publishing its results and the standings."""

from dataclasses import dataclass

from tournament.models import Publication, Round
from tournament.queries.appeals import MINUTES
from tournament.queries.published import Published

What = Publication.What


@dataclass(frozen=True)
class RoundEnd:
    """What ending a round would do now, in this order; nothing of it for a round that is not being played.

    ``held_back``: nothing of it is published until it is released. ``lacking`` are other rounds without
    public results: the standings need theirs, so they are left out.
    """

    close: bool = False
    results: bool = False
    standings: bool = False
    held_back: bool = False
    lacking: tuple[int, ...] = ()

    @property
    def parts(self) -> str:
        """The parts by name, joined by "+": what texts are chosen by."""
        names = ("close", "results", "standings")
        return "+".join(name for name in names if getattr(self, name))

    @property
    def publishes(self) -> bool:
        return self.results or self.standings


def round_end(round: Round) -> RoundEnd:
    """What is left to do with the round. What is public is published anew only where the round is closed
    now, as it may have changed since; what is published by itself is left to that, unless the event has a
    time for appeals, which begins with the end of the round.
    """
    current = Round.objects.select_related("event").get(pk=round.pk)
    close = current.state == Round.State.PLAYING
    if not close and current.state != Round.State.CLOSED:
        return RoundEnd()
    if current.held_back:
        return RoundEnd(close=close, held_back=True)
    published = Published(current.event)
    have = published.rounds(What.RESULTS)
    drawn = published.rounds(What.DRAW)
    lacking = tuple(number for number in drawn if number < current.number and number not in have)
    by_itself = not current.event.options.get(MINUTES)
    due = {what: _due(published.publication(what, current.number), close, by_itself) for what in What}
    return RoundEnd(
        close=close,
        results=due[What.RESULTS],
        standings=due[What.STANDINGS] and not lacking,
        lacking=lacking,
    )


def _due(public: Publication | None, close: bool, by_itself: bool) -> bool:
    return public is None or (close and not (public.live and by_itself))
