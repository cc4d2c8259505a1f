"""A round played, checked, closed and public, and the next one drawn: what corrections are tried on."""

from random import Random

from referee.models import Correction
from referee.queries import current_version
from referee.services.corrections import (
    apply_correction,
    look_ahead,
    moves_mark,
    propose_correction,
)
from tests.checked_deals import checked_deal
from tests.factories import actor, make_event, make_published_draw, make_user
from tests.played import random_record
from tests.tournament.draws import close
from tournament.models import Draw, EntryResult, Event, Publication, Round
from tournament.queries.standings import event_standings
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish_round
from tournament.services.stages import StageData, configure_stage

Kind, State = Correction.Kind, Correction.State
What = Publication.What


class Scene:
    """Twelve singles, Swiss by four, two deals: round 1 played, checked, closed and public; round 2 drawn."""

    def __init__(self):
        event = make_event(Event.Kind.INDIVIDUAL, 12, planned_rounds=2, plan={"kind": "set", "deals": 2})
        configure_stage(
            actor=SYSTEM,
            stage=event.stages.get(),
            data=StageData(format="swiss", rounds=2, options={}),
        )
        self.pk = event.pk
        tournament = event.tournament
        self.organiser = actor(make_user("organiser", tournament))
        self.chief = actor(make_user("chief_referee", tournament))
        self.play(make_published_draw(self.event, 1))
        publish_round(actor=self.organiser, round=self.round)
        make_published_draw(self.event, 2)

    def play(self, draw, seed=0):
        for table in draw.tables.order_by("number"):
            for number in (1, 2):
                record = random_record(Random(f"{seed}/{draw.round.number}/{table.number}/{number}"))
                checked_deal(table, number, record)
        close(draw.round)

    @property
    def event(self):
        return Event.objects.select_related("tournament").get(pk=self.pk)

    @property
    def round(self):
        return self.event.rounds.select_related("event__tournament").get(number=1)

    @property
    def deal(self):
        return self.round.draws.get().tables.get(number=1).deals.get(number=1)

    def other_record(self):
        """The pig and the whole of hearts move to another seat: a change that shows."""
        record = current_version(self.deal).record
        everything = [card for seat in "NWSE" for card in record["captures"].get(seat, [])]
        loser = next(seat for seat in "NWSE" if "SQ" not in record["captures"].get(seat, []))
        return {**record, "captures": {loser: everything}}

    def deal_change(self, **changes):
        return {"table": 1, "deal": 1, "version": 1, "record": self.other_record(), **changes}

    def propose(self, kind=Kind.DEAL, change=None, by=None, reason="记分表抄错"):
        return propose_correction(
            actor=by or self.organiser,
            round=self.round,
            kind=kind,
            change=self.deal_change() if change is None else change,
            reason=reason,
        )

    def make(self, correction, by=None, **how):
        who = by or self.organiser
        seen = moves_mark(look_ahead(actor=who, correction=correction).moves)
        return apply_correction(actor=who, correction=correction, seen=seen, **how)

    def stored(self):
        """Everything that a change in a round could move, as it is."""
        return (
            sorted(EntryResult.objects.values_list("table", "entry", "value", "deals", "complete")),
            [(row.entry.number, row.rank, row.total) for row in event_standings(self.event).rows],
            sorted(Round.objects.values_list("number", "state")),
            sorted(Draw.objects.values_list("pk", "state")),
            Publication.objects.count(),
        )

    def totals(self, after=1):
        return {row.entry.number: row.total for row in event_standings(self.event, after).rows}
