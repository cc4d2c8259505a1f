"""Everything about one table that its page shows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.models import Correction, DealVersion, Penalty
from referee.queries.deals import seats_of
from referee.queries.layout import deal_layout
from referee.queries.play import Play, play_of, tables_in_play
from referee.queries.proposed import proposed_by_rulings
from referee.queries.signoffs import Signoff, policy_of, signoffs_of
from scoring.engine import DealRecord, Ruleset, score_deal
from scoring.engine.procedure import Procedure, next_procedure, order_of_play
from tournament.models import Draw, Event, Round, Seat, Table


@dataclass(frozen=True)
class TableState:
    """A table as its page shows it.

    ``seats`` are those of the segment whose deal comes next, in the order of play. ``play`` has deals, games
    and what comes next; ``procedure`` who shuffles, cuts, draws first and leads in the next deal; ``layout``
    what its entry must ask; ``by_pig`` the procedure for each seat that may have captured the first ♠Q,
    where that has to be asked;
    ``signoffs`` what has been said of each version, by its id; ``proposed`` the corrections that rulings have
    proposed, by number.
    """

    table: Table
    round: Round
    event: Event
    ruleset: Ruleset
    seats: tuple[Seat, ...]
    play: Play
    procedure: Procedure
    by_pig: Mapping[str, Procedure]
    layout: dict[str, Any]
    penalties: tuple[Penalty, ...]
    signoffs: Mapping[int, Signoff]
    proposed: Mapping[int, Correction]

    @property
    def playing(self) -> bool:
        """Whether anything may be recorded at this table at all."""
        return self.table.draw.state == Draw.State.PUBLISHED and self.round.state == Round.State.PLAYING

    @property
    def next_based_on(self) -> int:
        """The version in force of the deal to be recorded next, 0 where it is not on record."""
        for line in self.play.deals:
            if line.number == self.play.next_number:
                return line.version.number
        return 0

    @property
    def status(self) -> str:
        """One of waiting (for a check or a replay), playing, done, closed."""
        if not self.playing:
            return "closed"
        if self.play.outstanding or any(line.state == "recorded" for line in self.play.deals):
            return "waiting"
        return "done" if self.play.finished else "playing"


def table_state(table: Table) -> TableState:
    """Reads a table. The number of queries does not depend on how many deals are on record."""
    found = (
        tables_in_play()
        .prefetch_related("seats__player", "seats__entry", "substitutions__player_out", "rulings")
        .get(pk=table.pk)
    )
    round_ = found.draw.round
    event = round_.event
    ruleset = event.ruleset_version.ruleset()
    play = play_of(found, people_too=True)
    around = seats_of(found, play.segment_shown)
    by_letter = {seat.direction: seat for seat in around}
    letters = tuple(by_letter)
    before = _deal_before(play, ruleset)
    procedure = next_procedure(ruleset, letters, before, mode=event.scoring_mode)
    by_pig = {
        seat: next_procedure(ruleset, letters, before, mode=event.scoring_mode, first_pig=seat)
        for seat in procedure.ask_pig
    }
    in_order = order_of_play(letters, ruleset.direction, letters[0])
    return TableState(
        table=found,
        round=round_,
        event=event,
        ruleset=ruleset,
        seats=tuple(by_letter[letter] for letter in in_order),
        play=play,
        procedure=procedure,
        by_pig=by_pig,
        layout=deal_layout(ruleset, event.scoring_mode, in_order, procedure),
        penalties=tuple(
            found.penalties.select_related("entry", "player", "deal", "given_by").order_by("given_at", "id")
        ),
        signoffs=signoffs_of((line.version for line in play.deals), policy_of(event)),
        proposed=proposed_by_rulings(event, found.rulings.all()),
    )


def _deal_before(play: Play, ruleset: Ruleset) -> Any:
    """Record and score of the last deal that counted, for the procedure of the next."""
    for line in reversed(play.deals):
        if line.version.state == DealVersion.State.RECORDED:
            record = DealRecord.from_json(line.version.record)
            return record, score_deal(record, ruleset)
    return None
