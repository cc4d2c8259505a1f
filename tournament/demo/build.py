"""Building the demo tournament, all or nothing."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Any
from uuid import uuid5

from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.hashers import make_password
from django.db import transaction

from referee.services.penalties import cancel_penalty, give_penalty
from scoring.models import RulesetVersion
from tournament.demo.cast import CHIEF, CLUBS, FAMILY, ORGANISER, PAIRS, REFEREE, REFEREE_TWO, SINGLES, USERS
from tournament.demo.play import COMMANDS, TablePlay
from tournament.models import Entry, Event, Round, Tournament
from tournament.services.audit import SYSTEM, Actor
from tournament.services.draw import make_draw, publish_draw
from tournament.services.entries import EntryData, add_entry
from tournament.services.events import create_event
from tournament.services.members import give_role, give_tables
from tournament.services.publish import publish_round
from tournament.services.rounds import close_round
from tournament.services.tournaments import create_tournament

SLUG = "demo"


def demo_tournament() -> Tournament | None:
    """The demo tournament, or None where it has not been made."""
    return Tournament.objects.filter(slug=SLUG, memberships__user__username=ORGANISER.username).first()


def build_demo(*, password: str, today: date) -> Tournament:
    """Makes the demo's accounts, with this password, and its tournament, which began yesterday.

    One transaction: an interrupted build leaves nothing behind. Raises IntegrityError if one of the
    accounts exists.
    """
    with transaction.atomic():
        tournament = create_tournament(
            actor=SYSTEM,
            name="华牌示范赛",
            slug=SLUG,
            venue="北京 · 示范赛场",
            starts_on=today - timedelta(days=1),
            ends_on=today + timedelta(days=1),
        )
        # Hashing is slow on purpose; a password that everybody knows needs no salt for each account.
        hashed = make_password(password)
        users = {one.username: _account(tournament, one, hashed) for one in USERS}
        staff = _Staff(tournament, users)
        _individual(staff)
        _pairs(staff)
        _pig_and_sheep(staff)
    return tournament


def _account(tournament: Tournament, one: Any, hashed_password: str) -> AbstractBaseUser:
    user = get_user_model().objects.create(
        username=one.username, password=hashed_password, first_name=one.full_name
    )
    give_role(actor=SYSTEM, tournament=tournament, username=one.username, role=one.role)
    return user


class _Staff:
    """The people who run the demo, as the services take them."""

    def __init__(self, tournament: Tournament, users: Mapping[str, AbstractBaseUser]) -> None:
        self.tournament, self.users = tournament, users
        self.organiser = Actor(users[ORGANISER.username])
        self.chief = Actor(users[CHIEF.username])
        self._referees = (Actor(users[REFEREE.username]), Actor(users[REFEREE_TWO.username]))

    def referee_of(self, table_number: int) -> Actor:
        """Tables 1 and 2 are the first referee's, the others the second's."""
        return self._referees[0 if table_number <= 2 else 1]

    def create_event(self, entries: Iterable[EntryData], tables: int, **fields: Any) -> Event:
        """An event under the official rules with its entries, its tables given to the referees."""
        version = RulesetVersion.objects.filter(book__key="huapai").latest("number")
        event = create_event(
            actor=self.organiser, tournament=self.tournament, ruleset_version=version, **fields
        )
        for data in entries:
            add_entry(actor=self.organiser, event=event, data=data)
        for referee in self._referees:
            numbers = [number for number in range(1, tables + 1) if self.referee_of(number) is referee]
            give_tables(actor=self.organiser, event=event, user=referee.user, numbers=numbers)
        return event

    def draw(self, event: Event, number: int) -> list[TablePlay]:
        """Draws a round, publishes the pairings, and hands over its tables."""
        draw = make_draw(actor=self.organiser, round=event.rounds.get(number=number), seed=1000 + number)
        # Twelve players at three tables cannot avoid meeting again in the second round.
        reason = "人数少，无法避免再次同桌" if draw.quality["violations"] else ""
        publish_draw(actor=self.organiser, draw=draw, reason=reason)
        tables = draw.tables.select_related("draw__round__event__ruleset_version").prefetch_related("seats")
        return [TablePlay(table, self.referee_of(table.number)) for table in tables.order_by("number")]

    def finish(self, event: Event, number: int) -> None:
        """Closes a round whose tables are all played out and checked, and publishes it."""
        round = close_round(actor=self.chief, round=event.rounds.get(number=number))
        publish_round(actor=self.organiser, round=round)

    def penalise(self, entry: Entry, number: int, *, rule: str, points: int, reason: str) -> int:
        """The chief referee gives a penalty; returns its id."""
        event = entry.event
        outcome = give_penalty(
            actor=self.chief,
            event=event,
            round=Round.objects.get(event=event, number=number),
            entry=entry,
            rule=rule,
            points=points,
            reason=reason,
            command_id=uuid5(COMMANDS, f"{event.slug}/{number}/penalty/{entry.number}"),
        )
        return int(outcome.body["penalty"])

    def cancel_penalty(self, event: Event, penalty: int, reason: str) -> None:
        """The chief referee cancels a penalty; both stay on record."""
        cancel_penalty(
            actor=self.chief,
            penalty=event.penalties.get(pk=penalty),
            reason=reason,
            command_id=uuid5(COMMANDS, f"{event.slug}/cancel/{penalty}"),
        )


def _individual(staff: _Staff) -> None:
    """16 single players, games to ±1000: two rounds published, the third in play."""
    event = staff.create_event(
        [EntryData(name=name, club=CLUBS[club]) for name, club in SINGLES],
        tables=4,
        name="个人赛",
        slug="individual",
        kind=Event.Kind.INDIVIDUAL,
        plan={"kind": "game"},
        measure=Event.Measure.POINTS,
        planned_rounds=4,
        clubs_apart_rounds=2,
    )
    entries = list(event.entries.order_by("number"))

    first, second, third, fourth = staff.draw(event, 1)
    second.play(1)
    second.enter_wrongly_and_correct(staff.chief, "一张红桃记错座位，四家核对后更正")
    for table in (first, second, third, fourth):
        table.play()
    staff.penalise(entries[6], 1, rule="迟到", points=-30, reason="迟到六分钟，按补充规定罚 30 分")
    staff.finish(event, 1)

    first, second, third, fourth = staff.draw(event, 2)
    third.play(2)
    third.void_and_replay(third.record(), "发牌后发现有人少一张牌，全桌同意重打")
    for table in (first, second, third, fourth):
        table.play()
    given = staff.penalise(entries[10], 2, rule="出牌超时", points=-20, reason="第三副两次超过二十秒")
    staff.cancel_penalty(event, given, "复核录像：计时器误触，撤销罚分")
    staff.finish(event, 2)

    first, second, third, fourth = staff.draw(event, 3)
    first.play(4)
    first.record()
    second.play(3)
    second.void_and_replay(second.record(), "发牌时亮出一张牌，裁判判定作废重打")
    third.play(2)
    third.undo(third.record(), "录错座位，重新录入")
    fourth.play_out()
    staff.penalise(entries[3], 3, rule="与同桌议论牌情", points=0, reason="警告一次")


def _pairs(staff: _Staff) -> None:
    """8 pairs, sets of 16 deals: one round published, the second in play."""
    event = staff.create_event(
        [EntryData(players=players, club=CLUBS[club]) for players, club in PAIRS],
        tables=4,
        name="对家赛",
        slug="pairs",
        kind=Event.Kind.PAIRS,
        plan={"kind": "set", "deals": 16},
        measure=Event.Measure.DIFFERENCE,
        planned_rounds=3,
        clubs_apart_rounds=1,
    )
    for table in staff.draw(event, 1):
        table.play()
    staff.finish(event, 1)

    first, second, third, fourth = staff.draw(event, 2)
    first.play(7)
    second.play(6)
    second.record()
    third.play(8)
    fourth.play(5)


def _pig_and_sheep(staff: _Staff) -> None:
    """12 players at 猪羊一家, sets of 8 deals: one round published, the second in play."""
    event = staff.create_event(
        [EntryData(name=name, club=CLUBS[club]) for name, club in FAMILY],
        tables=3,
        name="猪羊一家",
        slug="pig-sheep",
        kind=Event.Kind.PIG_SHEEP,
        plan={"kind": "set", "deals": 8},
        measure=Event.Measure.POINTS,
        planned_rounds=4,
        clubs_apart_rounds=1,
    )
    for table in staff.draw(event, 1):
        table.play()
    staff.finish(event, 1)

    first, second, third = staff.draw(event, 2)
    first.play(5)
    second.play(3)
    second.record()
    third.play(2)
