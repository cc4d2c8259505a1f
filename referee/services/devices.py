"""Tablets and table cards: who is let in to a table without an account, for how long, and who is shut out.

A card's code binds a tablet to one table number of one event. The tablet then holds a secret in a cookie; the
database holds its digest. One tablet at a time serves a table: a second one may take over, and the first is
told so at its next request.
"""

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from referee.models import Device, TableCard
from referee.services.attempts import WINDOW, TooOften, try_code
from tournament.models import Event
from tournament.services.audit import Actor, Tablet, record_audit
from tournament.services.errors import Conflict, NotAllowed, Refused
from tournament.services.permissions import require_director
from tournament.services.validation import required_reason

#: Neither 0 O nor 1 I L: a code is read from paper and typed.
ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
CODE_LENGTH = 8
#: Without a last day, cards are good for so long.
DEFAULT_LIFE = timedelta(days=14)
#: After a tournament's last day they stay good for the corrections of the day after.
GRACE = timedelta(days=1)

#: Wrong codes from one address within WINDOW. A whole hall may share one address, and people mistype.
WRONG_PER_ADDRESS = 30
#: Uses of one code within WINDOW, right or wrong.
USES_PER_CODE = 12
#: A row for a sign of life is written at most so often.
HEARTBEAT_STEP = timedelta(seconds=5)
MOST_TABLES = 500


class Occupied(Conflict):
    """Another tablet serves the table. ``device`` is that one."""

    def __init__(self, device: Device) -> None:
        self.device = device
        super().__init__(
            "table_has_tablet",
            _("Tablet %(name)s serves table %(table)s already. Take over only if it is out of use."),
            {"name": device.name, "table": device.table_number},
        )


@dataclass(frozen=True)
class Joined:
    """A tablet just bound, and the secret for its cookie, which cannot be read again."""

    device: Device
    secret: str


def make_cards(*, actor: Actor, event: Event, tables: int) -> list[TableCard]:
    """The valid cards of tables 1 to ``tables``; those that are missing or have expired are made.

    Raises:
        Refused: not a sensible number of tables.
        NotAllowed: neither organiser nor chief referee.
    """
    require_director(actor, event.tournament)
    if not 1 <= tables <= MOST_TABLES:
        raise Refused(
            "table_count",
            _("The number of tables is between 1 and %(most)s."),
            {"most": MOST_TABLES},
            field="tables",
        )
    with transaction.atomic():
        Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        _retire(TableCard.objects.filter(event=event, revoked_at=None, expires_at__lte=timezone.now()))
        valid = {card.table_number: card for card in _valid_cards(event)}
        made = [_new_card(actor, event, number) for number in range(1, tables + 1) if number not in valid]
        if made:
            record_audit(
                actor=actor,
                action="cards.make",
                subject=event,
                event=event,
                after={"tables": [card.table_number for card in made]},
            )
    return [card for card in _valid_cards(event) if card.table_number <= tables]


def renew_card(*, actor: Actor, card: TableCard, reason: str) -> TableCard:
    """Makes a card's code worthless and gives its table another. Tablets bound already stay so.

    Raises:
        Refused: no reason given, or the card is not valid any more.
        NotAllowed: neither organiser nor chief referee.
    """
    require_director(actor, card.event.tournament)
    reason = required_reason(reason)
    with transaction.atomic():
        if not _retire(TableCard.objects.filter(pk=card.pk, revoked_at=None)):
            raise Conflict("card_revoked", _("This card is not valid any more."))
        fresh = _new_card(actor, card.event, card.table_number)
        record_audit(
            actor=actor,
            action="card.renew",
            subject=fresh,
            event=card.event,
            before={"table": card.table_number, "card": card.pk},
            after={"table": card.table_number, "card": fresh.pk},
            reason=reason,
        )
    return fresh


def find_card(*, code: str, address: str | None) -> TableCard:
    """The valid card with that code, however it was typed. Each call is counted.

    Raises:
        Refused: ``join_too_often``, ``join_unknown``, ``join_expired``.
    """
    wanted = normal_code(code)
    cards = TableCard.objects.select_related("event__tournament").filter(code=wanted, revoked_at=None)
    card = try_code(
        address=address,
        key=_digest(wanted),
        wrong_per_address=WRONG_PER_ADDRESS,
        per_key=USES_PER_CODE,
        right_count=True,
        look=cards.first,
        refusal=TooOften(
            "join_too_often",
            _("Too many attempts. Wait %(minutes)s minutes, or ask the desk."),
            {"minutes": int(WINDOW.total_seconds() // 60)},
            field="code",
        ),
    )
    if card is None:
        raise Refused(
            "join_unknown", _("There is no table card with this code; perhaps it was replaced."), field="code"
        )
    if card.expires_at <= timezone.now():
        raise Refused(
            "join_expired", _("This table card has expired. Ask the desk for a new one."), field="code"
        )
    return card


def join(*, card: TableCard, address: str | None, take_over: bool = False, secret: str = "") -> Joined:
    """Binds a tablet to the card's table. ``secret`` is the tablet's own of before, if it had one.

    Raises:
        Occupied: another tablet serves the table, and ``take_over`` was not said.
    """
    now = timezone.now()
    fresh = secrets.token_urlsafe(32)
    try:
        with transaction.atomic():
            Event.objects.select_for_update(no_key=True).get(pk=card.event_id)
            living = Device.objects.filter(event=card.event, table_number=card.table_number, ended_at=None)
            living.filter(expires_at__lte=now).update(ended_at=now, end=Device.End.EXPIRED)
            other = living.first()
            same = other is not None and bool(secret) and other.digest == _digest(secret)
            if other is not None and not same and not take_over:
                raise Occupied(other)
            if other is not None and same:
                other.digest, other.seen_at = _digest(fresh), now
                other.save(update_fields=["digest", "seen_at"])
                return Joined(other, fresh)
            living.update(ended_at=now, end=Device.End.TAKEN_OVER)
            device = Device.objects.create(
                event=card.event,
                table_number=card.table_number,
                card=card,
                name=_random_text(4),
                digest=_digest(fresh),
                joined_from=address,
                expires_at=card.expires_at,
                seen_at=now,
            )
            record_audit(
                actor=Actor(user=None, address=address, tablet=as_tablet(device)),
                action="tablet.join",
                subject=device,
                event=card.event,
                before=other and {"tablet": other.name, "waiting": other.waiting},
                after={"tablet": device.name, "table": device.table_number},
            )
    except IntegrityError:
        # Two tablets at the same moment on a database without row locks: the other one was first.
        raise Occupied(
            Device.objects.get(event=card.event, table_number=card.table_number, ended_at=None)
        ) from None
    return Joined(device, fresh)


def find_device(secret: str) -> Device | None:
    """The tablet whose cookie holds this secret, ended or not; None where there is none."""
    if not secret or len(secret) > 100:
        return None
    return Device.objects.select_related("event__tournament", "card").filter(digest=_digest(secret)).first()


def require_living(device: Device) -> None:
    """Raises Refused, saying why, if the tablet may not act any more."""
    params = {"table": device.table_number}
    if device.end == Device.End.TAKEN_OVER:
        raise Conflict(
            "tablet_taken_over",
            _("Another tablet has taken over table %(table)s. This one records nothing any more."),
            params,
        )
    if device.end == Device.End.REVOKED:
        raise NotAllowed(
            "tablet_revoked",
            _("The desk has shut out this tablet. Ask the desk, or scan the card again."),
            params,
        )
    if device.end or device.expires_at <= timezone.now():
        raise NotAllowed("tablet_expired", _("This tablet's time at table %(table)s is over."), params)


def heartbeat(*, device: Device, waiting: int) -> None:
    """Stores a sign of life, and how many entries the tablet holds that are not sent."""
    now = timezone.now()
    if device.waiting != waiting or now - device.seen_at >= HEARTBEAT_STEP:
        Device.objects.filter(pk=device.pk).update(seen_at=now, waiting=min(waiting, 10_000))


def revoke_device(*, actor: Actor, device: Device, reason: str) -> None:
    """Shuts a tablet out. What it has sent stays; what it has not is refused from now on, and kept on it.

    Raises:
        Refused: no reason given, or it is out already.
        NotAllowed: neither organiser nor chief referee.
    """
    require_director(actor, device.event.tournament)
    reason = required_reason(reason)
    with transaction.atomic():
        changed = Device.objects.filter(pk=device.pk, ended_at=None).update(
            ended_at=timezone.now(), end=Device.End.REVOKED
        )
        if not changed:
            raise Conflict("tablet_ended", _("This tablet is out already."))
        record_audit(
            actor=actor,
            action="tablet.revoke",
            subject=device,
            event=device.event,
            before={"tablet": device.name, "table": device.table_number, "waiting": device.waiting},
            reason=reason,
        )


def as_tablet(device: Device) -> Tablet:
    """The tablet as services take it."""
    return Tablet(device.pk, f"tablet {device.name}", device.event_id, device.table_number)


def normal_code(code: str) -> str:
    """A code as it is stored, whatever the case, with or without its dash and blanks."""
    return "".join(char for char in code.upper() if char.isalnum())[:20]


def shown_code(code: str) -> str:
    """A code as it is printed: in groups of four."""
    return "-".join(code[place : place + 4] for place in range(0, len(code), 4))


def _valid_cards(event: Event) -> Iterable[TableCard]:
    found = TableCard.objects.filter(event=event, revoked_at=None, expires_at__gt=timezone.now())
    return found.order_by("table_number")


def _retire(cards: Any) -> int:
    return cards.update(revoked_at=timezone.now())


def _new_card(actor: Actor, event: Event, number: int) -> TableCard:
    return TableCard.objects.create(
        event=event,
        table_number=number,
        code=_random_text(CODE_LENGTH),
        expires_at=_expiry(event),
        made_by=actor.user,
    )


def _expiry(event: Event) -> datetime:
    tournament = event.tournament
    least = timezone.now() + GRACE
    if tournament.ends_on is None:
        return timezone.now() + DEFAULT_LIFE
    midnight = datetime.combine(tournament.ends_on + timedelta(days=1), time(), tzinfo=tournament.tz)
    return max(midnight + GRACE, least)


def _random_text(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _place in range(length))


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


__all__ = [
    "Joined",
    "Occupied",
    "as_tablet",
    "find_card",
    "find_device",
    "heartbeat",
    "join",
    "make_cards",
    "normal_code",
    "renew_card",
    "require_living",
    "revoke_device",
    "shown_code",
]
