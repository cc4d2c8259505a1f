"""Playing at the demo's tables: random legal deals, recorded and checked as referees would."""

from collections.abc import Mapping
from datetime import timedelta
from itertools import count, cycle
from random import Random
from typing import Any
from uuid import UUID, uuid5

from django.utils import timezone

from referee.models import Deal, DealCheck
from referee.queries import checking_seats, current_version, play_of, seats_of
from referee.services.checks import check_deal
from referee.services.deals import correct_deal, record_deal, undo_deal, void_deal
from scoring.engine.cards import HEARTS
from scoring.engine.playout import play_out
from tournament.models import Table
from tournament.services.audit import Actor

#: Ids of the demo's commands are made from it, so that they too are the same wherever the demo is made.
COMMANDS = UUID("6f0f6a51-6f0c-5b6e-9c0e-6d8b3c2a7f11")

#: Who checks, by turns. A referee's entry is checked by a player, everybody else's by one of these.
_CHECKERS = (
    DealCheck.Relation.NEXT,
    DealCheck.Relation.PARTNER,
    DealCheck.Relation.PREVIOUS,
    DealCheck.Relation.REFEREE,
)
#: Every so many deals the referee enters the deal instead of a seat.
_REFEREE_ENTERS = 7
#: How long a deal takes by the tablet's clock, and how long before now the first one began.
_DEAL, _BEGAN = timedelta(minutes=6), timedelta(hours=4)


class TablePlay:
    """One table of one round being played, with its own chance: what other tables do changes nothing here."""

    def __init__(self, table: Table, referee: Actor) -> None:
        event = table.draw.round.event
        self.table, self.referee = table, referee
        self.ruleset, self.mode = event.ruleset_version.ruleset(), event.scoring_mode
        self.name = f"{event.slug}/{table.draw.round.number}/{table.number}"
        self.rng = Random(self.name)  # noqa: S311 - for a demonstration, not for secrecy
        self.seats = tuple(seat.direction for seat in seats_of(table, 1))
        self._serial = count(1)
        self._tablet_clock = timezone.now() - _BEGAN
        self._checkers = cycle(_CHECKERS)

    def play(self, deals: int | None = None) -> None:
        """Plays, records and checks so many deals, or until the plan is played out."""
        for _turn in range(deals) if deals is not None else count():
            number = self._next()
            if number is None:
                return
            self.check(self._store(number, self._played()))

    def play_out(self) -> None:
        """Plays to the end, and leaves the check of the last deal to somebody else."""
        last = self.record()
        while (number := self._next()) is not None:
            self.check(last)
            last = self._store(number, self._played())

    def record(self) -> Deal:
        """Plays the next deal and records it, unchecked."""
        number = self._next()
        assert number is not None, f"{self.name} has played all its deals"
        return self._store(number, self._played())

    def check(self, deal: Deal) -> None:
        """A second person checks the deal as it is now."""
        version = deal.versions.latest("number")
        allowed = checking_seats(self.seats, version.entered_seat)
        relation = next(self._checkers) if version.entered_seat else DealCheck.Relation.PLAYER
        if relation != DealCheck.Relation.REFEREE and relation not in allowed:
            relation = DealCheck.Relation.NEXT
        seats = allowed.get(relation, ("",))
        check_deal(
            actor=self.referee,
            deal=deal,
            version=version.number,
            relation=relation,
            seat=self.rng.choice(seats),
            command_id=self._command(),
        )

    def undo(self, deal: Deal, reason: str) -> None:
        """Takes an unchecked entry back."""
        undo_deal(
            actor=self.referee,
            deal=deal,
            version=current_version(deal).number,
            reason=reason,
            command_id=self._command(),
        )

    def void_and_replay(self, deal: Deal, reason: str) -> None:
        """Declares a deal void and plays it again under the same number."""
        void_deal(
            actor=self.referee,
            deal=deal,
            version=current_version(deal).number,
            reason=reason,
            command_id=self._command(),
        )
        self.check(self._store(deal.number, self._played(), based_on=current_version(deal).number))

    def enter_wrongly_and_correct(self, chief: Actor, reason: str) -> None:
        """Enters a deal with one heart at the wrong seat, checked and all; the chief referee corrects it."""
        number, right = self._next(), self._played()
        assert number is not None, f"{self.name} has played all its deals"
        deal = self._store(number, _one_heart_astray(right))
        self.check(deal)
        correct_deal(
            actor=chief,
            deal=deal,
            version=current_version(deal).number,
            record=right,
            reason=reason,
            command_id=self._command(),
        )
        self.check(deal)

    def _next(self) -> int | None:
        """The number of the deal to be played next, None where the plan is played out."""
        play = play_of(self.table)
        return None if play.finished else play.next_number

    def _played(self) -> dict[str, Any]:
        """The record of a fresh random deal. Its leader is whom the first lead of the ruleset falls to."""
        played = play_out(self.ruleset, self.rng, mode=self.mode, seats=len(self.seats))
        return played.record.to_json()

    def _store(self, number: int, record: Mapping[str, Any], *, based_on: int = 0) -> Deal:
        by_seat = number % _REFEREE_ENTERS != 0
        self._tablet_clock += _DEAL
        record_deal(
            actor=self.referee,
            table=self.table,
            number=number,
            record=record,
            based_on=based_on,
            entered_seat=self.seats[number % len(self.seats)] if by_seat else "",
            tablet_at=self._tablet_clock,
            command_id=self._command(),
        )
        return self.table.deals.get(number=number)

    def _command(self) -> UUID:
        return uuid5(COMMANDS, f"{self.name}/{next(self._serial)}")


def _one_heart_astray(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with one heart moved to the seat after the one that captured it."""
    captures = {seat: list(cards) for seat, cards in record["captures"].items()}
    seats = list(captures)
    seat = next(seat for seat in seats if set(captures[seat]) & set(HEARTS))
    heart = next(card for card in captures[seat] if card in HEARTS)
    captures[seat].remove(heart)
    captures[seats[(seats.index(seat) + 1) % len(seats)]].append(heart)
    return {**record, "captures": captures}
