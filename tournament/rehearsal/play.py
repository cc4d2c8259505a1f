"""Playing the event: entries, draws, deals, checks, closing, publishing, standings and the workbook, each
by the service that a real event uses.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from time import process_time
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import transaction

from referee.models import DealCheck
from referee.queries import checking_seats, seats_of, tables_in_play
from referee.services.checks import check_deal
from referee.services.deals import record_deal
from scoring.engine.playout import play_out
from scoring.models import RulesetVersion
from tournament.excel.writing import result_workbook
from tournament.models import Draw, Event, Match, Role, Round, Table
from tournament.queries.brackets import stage_standing
from tournament.queries.draw_formats import FORMATS
from tournament.queries.standings import Standings, event_standings
from tournament.rehearsal.figures import DrawFigures, draw_figures
from tournament.rehearsal.plan import RehearsalPlan
from tournament.services.audit import SYSTEM, Actor
from tournament.services.decisions import decide_match
from tournament.services.draw import make_draw, publish_draw
from tournament.services.entry_sheet import EntryRow, EntrySheet
from tournament.services.errors import Refused
from tournament.services.events import create_event
from tournament.services.import_entries import import_entries
from tournament.services.members import give_role
from tournament.services.publish import publish_round
from tournament.services.rounds import close_round
from tournament.services.stages import StageData, configure_stage
from tournament.services.terms import default_measure
from tournament.services.tournaments import create_tournament

#: Clubs keep apart in so many rounds, as is usual where clubs travel together.
CLUBS_APART = 3
_CLUBS = 10
#: The checker finds what a draw could not avoid, and equal matches are decided: the reason stated for either.
_REASON = "rehearsal"
_LANGUAGE = "zh-hans"


@dataclass
class Seconds:
    """How long each step took, in seconds: each draw by itself, the other steps in sum.

    Seconds of work by this process, as on a core of its own: what other programs take meanwhile is not in
    them.
    """

    draws: list[float] = field(default_factory=list)
    publish: float = 0.0
    record: float = 0.0
    standings: float = 0.0
    export: float = 0.0


@dataclass(frozen=True)
class Rehearsal:
    """What came of it. ``deals`` were recorded and checked."""

    plan: RehearsalPlan
    figures: DrawFigures
    seconds: Seconds
    deals: int
    standings: Standings


def rehearse(plan: RehearsalPlan, after_round: Callable[[Round, Draw, Seconds], None]) -> Rehearsal:
    """Plays the whole event on the database in place; call it within `scratch_database`.

    ``after_round`` is told of each round when it is published. A bracket ends once its winner is known, and
    what the deals leave equal in it is decided by lot, as a director would. Raises Refused if the event
    cannot be played as planned.
    """
    plan.check()
    seconds = Seconds()
    players = _Players()
    event = _event(plan, players)
    deals = 0
    for number in range(1, plan.rounds + 1):
        round = event.rounds.select_related("event__tournament", "stage").get(number=number)
        try:
            with _timed() as spent:
                draw = make_draw(
                    actor=players.organiser,
                    round=round,
                    seed=plan.seed * 1000 + number,
                    answer=plan.answer,
                )
        except Refused as refusal:
            if refusal.code == "finished":
                break
            raise
        seconds.draws.append(spent())
        with _timed() as spent:
            publish_draw(
                actor=players.organiser,
                draw=draw,
                reason=_REASON if draw.quality["violations"] else "",
            )
        seconds.publish += spent()
        with _timed() as spent:
            deals += sum(
                _play_table(table, plan, players.referee) for table in tables_in_play().filter(draw=draw)
            )
        seconds.record += spent()
        with _timed() as spent:
            close_round(actor=players.referee, round=round)
            publish_round(actor=players.organiser, round=round)
        seconds.publish += spent()
        _decide_equal_matches(round, plan, players.referee)
        after_round(round, draw, seconds)
    with _timed() as spent:
        standings = event_standings(event)
    seconds.standings = spent()
    with _timed() as spent:
        result_workbook(event, _LANGUAGE)
    seconds.export = spent()
    return Rehearsal(plan, draw_figures(event), seconds, deals, standings)


class _Players:
    """Those who run the rehearsal, with accounts that nobody can log in to."""

    def __init__(self) -> None:
        self.tournament = create_tournament(actor=SYSTEM, name="Rehearsal", slug="rehearsal")
        self.organiser = self._actor("organiser", Role.ORGANISER)
        self.referee = self._actor("chief", Role.CHIEF_REFEREE)

    def _actor(self, username: str, role: str) -> Actor:
        user = get_user_model().objects.create_user(username=username)
        give_role(actor=SYSTEM, tournament=self.tournament, username=username, role=role)
        return Actor(user)


def _event(plan: RehearsalPlan, players: _Players) -> Event:
    event = create_event(
        actor=players.organiser,
        tournament=players.tournament,
        name="Rehearsal",
        slug="rehearsal",
        kind=plan.kind,
        ruleset_version=RulesetVersion.objects.filter(book__key="huapai").latest("number"),
        plan={"kind": "set", "deals": plan.deals},
        measure=default_measure(plan.kind, "set"),
        planned_rounds=plan.rounds,
        clubs_apart_rounds=min(CLUBS_APART, plan.rounds) if FORMATS[plan.format].needs_results else 0,
    )
    configure_stage(
        actor=players.organiser,
        stage=event.stages.get(),
        data=StageData(format=plan.format, rounds=plan.rounds, options=plan.options),
    )
    import_entries(
        actor=players.organiser, event=event, sheet=EntrySheet(rows=tuple(_rows(event, plan.entries)))
    )
    return event


def _rows(event: Event, entries: int) -> Iterator[EntryRow]:
    width = len(str(entries))
    for number in range(1, entries + 1):
        name = f"{event.get_kind_display()} {number:0{width}}"
        members = "甲乙丙丁"[: event.entry_size]
        players = (name,) if event.entry_size == 1 else tuple(f"{name}{one}" for one in members)
        club = "" if entries < _CLUBS else f"{number % _CLUBS}"
        yield EntryRow(row=number + 1, number=number, name=name, club=club, players=players)


def _play_table(table: Table, plan: RehearsalPlan, referee: Actor) -> int:
    """Plays a table's deals; each is entered by a seat by turns and checked by the next.

    In one transaction, since nobody waits meanwhile: the rows of the audit trail are sealed together.
    """
    event = table.draw.round.event
    ruleset = event.ruleset_version.ruleset()
    seats = tuple(seat.direction for seat in seats_of(table, 1))
    rng = Random(f"{plan.seed}/{table.draw.round.number}/{table.number}")  # noqa: S311 - for a rehearsal
    with transaction.atomic():
        for number in range(1, plan.deals + 1):
            record = play_out(ruleset, rng, mode=event.scoring_mode, seats=len(seats)).record
            _enter(table, number, record.to_json(), seats=seats, referee=referee, rng=rng)
    return plan.deals


def _enter(
    table: Table,
    number: int,
    record: dict[str, Any],
    *,
    seats: tuple[str, ...],
    referee: Actor,
    rng: Random,
) -> None:
    entered = seats[number % len(seats)]
    outcome = record_deal(
        actor=referee,
        table=table,
        number=number,
        record=record,
        entered_seat=entered,
        command_id=_command(rng),
    )
    check_deal(
        actor=referee,
        deal=table.deals.model(pk=outcome.body["deal"], table=table, number=number),
        version=outcome.body["version"],
        relation=DealCheck.Relation.NEXT,
        seat=checking_seats(seats, entered)[DealCheck.Relation.NEXT][0],
        command_id=_command(rng),
    )


def _decide_equal_matches(round: Round, plan: RehearsalPlan, referee: Actor) -> None:
    """Names a winner, by lot, of every match of a bracket that its deals leave without one."""
    standing = stage_standing(round.stage)
    if standing is None or not standing.undecided:
        return
    rng = Random(f"{plan.seed}/{round.number}")  # noqa: S311 - for a rehearsal
    open_sides = {frozenset(one.sides) for one in standing.undecided}
    matches = Match.objects.filter(draw__round=round, draw__state=Draw.State.PUBLISHED)
    for match in matches.prefetch_related("sides__entry").order_by("number"):
        sides = [side.entry for side in match.sides.all()]
        if frozenset(one.pk for one in sides) in open_sides:
            decide_match(actor=referee, match=match, winner=rng.choice(sides), reason=_REASON)


def _command(rng: Random) -> UUID:
    return UUID(int=rng.getrandbits(128), version=4)


@contextmanager
def _timed() -> Iterator[Callable[[], float]]:
    """Within the block time runs; afterwards what it yields tells the seconds."""
    began = process_time()
    spent = 0.0
    yield lambda: spent
    spent = process_time() - began
