"""Makes what tests need, through the real services wherever there is one."""

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser

from scoring.models import RulesetVersion
from tournament.models import Draw, Entry, Event, Membership, Role, Tournament
from tournament.services.audit import SYSTEM, Actor
from tournament.services.draw import make_draw, publish_draw
from tournament.services.entries import EntryData, add_entry
from tournament.services.events import create_event
from tournament.services.tournaments import create_tournament

_serial = count(1)

#: A password for every account made here.
PASSWORD = "a-password-for-tests"

#: Round plans as an event stores them.
GAME_PLAN: Mapping[str, Any] = {"kind": "game"}
SET_PLAN: Mapping[str, Any] = {"kind": "set", "deals": 16}


def make_user(
    role: str | None = None, tournament: Tournament | None = None, username: str = "", **fields: Any
) -> AbstractBaseUser:
    """A user who can log in with PASSWORD, with a role in a tournament where one is given."""
    username = username or f"{role or 'user'}{next(_serial)}"
    user = get_user_model().objects.create_user(username=username, password=PASSWORD, **fields)
    if role is not None:
        assert tournament is not None, "a role is one in a tournament"
        Membership.objects.create(user=user, tournament=tournament, role=Role(role))
    return user


def make_ruleset_version(key: str = "huapai") -> RulesetVersion:
    """The newest stored version of a shipped ruleset."""
    return RulesetVersion.objects.filter(book__key=key).latest("number")


def make_tournament(**fields: Any) -> Tournament:
    """A tournament without people."""
    number = next(_serial)
    return create_tournament(
        actor=SYSTEM, **{"name": f"第{number}届华牌赛", "slug": f"cup-{number}", **fields}
    )


def make_event(
    kind: str = Event.Kind.INDIVIDUAL,
    entries: int | Sequence[str] = 0,
    *,
    tournament: Tournament | None = None,
    ruleset: str = "huapai",
    **fields: Any,
) -> Event:
    """An event with so many entries (or entries of these names), in clubs 甲 乙 丙 丁 … by turns of four."""
    two_sided = kind in (Event.Kind.PAIRS, Event.Kind.TEAMS)
    values = {
        "name": "项目",
        "slug": f"event-{next(_serial)}",
        "plan": SET_PLAN if two_sided else GAME_PLAN,
        "measure": Event.Measure.DIFFERENCE if two_sided else Event.Measure.POINTS,
        "planned_rounds": 3,
        "clubs_apart_rounds": 0,
        **fields,
    }
    event = create_event(
        actor=SYSTEM,
        tournament=tournament or make_tournament(),
        kind=kind,
        ruleset_version=make_ruleset_version(ruleset),
        **values,
    )
    names = [f"选手{n}" for n in range(1, entries + 1)] if isinstance(entries, int) else entries
    for place, name in enumerate(names):
        make_entry(event, name, club="甲乙丙丁戊己庚辛壬癸"[place // 4 % 10] + "队")
    return event


def make_entry(event: Event, name: str = "", *, club: str = "", number: int | None = None) -> Entry:
    """One entry with as many players as its event asks for."""
    name = name or f"选手{next(_serial)}"
    players = (
        () if event.entry_size == 1 else tuple(f"{name}{chr(ord('甲') + n)}" for n in range(event.entry_size))
    )
    return add_entry(
        actor=SYSTEM, event=event, data=EntryData(number=number, name=name, club=club, players=players)
    )


def make_published_draw(
    event: Event, round_number: int = 1, seed: int = 1, answer: str | None = None
) -> Draw:
    """A published draw of a round: its tables may be played at."""
    drawn = make_draw(actor=SYSTEM, round=event.rounds.get(number=round_number), seed=seed, answer=answer)
    return publish_draw(actor=SYSTEM, draw=drawn, reason="few players")


def actor(user: AbstractBaseUser) -> Actor:
    """The user as services take them."""
    return Actor(user=user, address="192.0.2.1")
