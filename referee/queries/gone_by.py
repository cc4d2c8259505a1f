"""Whether others go by a round, or by a deal of it: then what a change moves is looked at first."""

from referee.models import Deal, DealCheck
from tournament.models import Match, Publication, Round
from tournament.queries.draw_sources import stage_outcomes
from tournament.queries.later_draws import draws_after
from tournament.queries.published import Published


def weighs(round: Round) -> bool:
    """Whether a change in a round has consequences to be looked at first: it is closed, the organiser has
    published its results, or a later round is drawn that goes by them.
    """
    return is_gone_by(round) or _is_published(round)


def _is_published(round: Round) -> bool:
    """Whether the organiser has published its results: what is public by itself changes by itself too."""
    shown = Published(round.event).publication(Publication.What.RESULTS, round.number)
    return shown is not None and not shown.live


def is_gone_by(round: Round) -> bool:
    """Whether even what is not checked, and so in no published result, counts for others by now: the round is
    closed, or a later one is drawn that goes by it.
    """
    return round.state == Round.State.CLOSED or draws_after(round.event, round.number).exists()


def deal_weighs(deal: Deal) -> bool:
    """Whether others go by what is on record of a deal. What was never checked is in no published result."""
    known = DealCheck.objects.filter(version__deal=deal.pk).exists()
    round = deal.table.draw.round
    return weighs(round) if known else is_gone_by(round)


def winner_weighs(match: Match) -> bool:
    """Whether others go by who has won a match that eliminates.

    Naming the winner that was missing moves nothing; and who was named can be named otherwise until a later
    round is drawn or the results are published, though the round is closed: before that nobody is named.
    """
    round = match.draw.round
    if hasattr(match, "decision"):
        return draws_after(round.event, round.number).exists() or _is_published(round)
    if not weighs(round):
        return False
    sides = frozenset(side.entry_id for side in match.sides.all())
    return any(
        one.round == round.number and frozenset(one.entries) == sides and one.leader is not None
        for one in stage_outcomes(round.stage)
    )
