"""The log of a deal's tricks 逐圈记录: what was captured by it, and what in it the rules do not allow."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as translate
from django.utils.translation import gettext_lazy as _

from referee.models import TableRuling
from referee.queries import play_of
from referee.services.commands import Outcome, run_once
from referee.services.guards import lock_table, require_play, require_referee, seats_in_play
from scoring.engine import Ruleset
from scoring.engine.cards import PACK, SCORING_CARDS, symbol
from scoring.engine.procedure import order_of_play
from scoring.engine.tricks import IRREGULARITY_MESSAGES, Irregularity, Trick, captures_of, review_log
from scoring.messages import seat_name
from tournament.models import Table
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Problem, Refused


def record_trick_log(
    *, actor: Actor, table: Table, number: int, tricks: Any, exposed: Any = (), command_id: UUID
) -> Outcome:
    """Stores the tricks of a deal as logged, as far as they go, and answers what follows from them.

    ``tricks``: a list of tricks, each a list of ``{"seat", "cards"}`` in the order played; with two decks a
    play has one card or two. ``exposed`` as in a deal record. The answer has ``captures`` (scoring cards by
    seat), ``winners``, and ``irregularities`` [{code, trick, seat, card, message}]: revokes, exposed cards
    played too early, leads out of turn and the like. A log is stored beside the deal, and again where it is
    sent again longer.

    Raises:
        Refused: every fault of the log, naming trick, seat and card.
        NotAllowed: neither a referee of this table nor its tablet.
    """
    require_referee(actor, table)
    payload = {"table": table.pk, "number": number, "tricks": tricks, "exposed": exposed}

    def work() -> dict[str, Any]:
        locked = lock_table(table)
        require_play(locked)
        play = play_of(locked)
        seats = tuple(one.direction for one in seats_in_play(locked, play, number))
        rules = locked.draw.round.event.ruleset_version.ruleset()
        found = _review(tricks, exposed, seats, rules)
        ruling = TableRuling.objects.create(
            table=locked,
            deal_number=number,
            version=play.version(number),
            kind=TableRuling.Kind.TRICK_LOG,
            facts={"tricks": tricks, **found},
            ruled_by=actor.user,
        )
        record_audit(
            actor=actor,
            action="ruling.trick_log",
            subject=ruling,
            event=locked.draw.round.event,
            after={"deal": number, **found},
        )
        return {"ruling": ruling.pk, "number": number, **found}

    return run_once(actor=actor, command_id=command_id, action="ruling.tricks", payload=payload, work=work)


def _review(tricks: Any, exposed: Any, seats: tuple[str, ...], rules: Ruleset) -> dict[str, Any]:
    read = read_tricks(tricks, seats, rules)
    shown: dict[str, list[str]] = {}
    for one in exposed if isinstance(exposed, list | tuple) else ():
        if isinstance(one, Mapping) and one.get("kind") == "exposed" and one.get("seat") in seats:
            shown.setdefault(one["seat"], []).append(str(one.get("card")))
    order = order_of_play(seats, rules.direction, seats[0])
    review = review_log(read, rules, seats, shown, order)
    # Nobody has taken a trick that is not complete.
    complete = [trick for trick in read if len(trick.plays) == len(seats)]
    captures = captures_of(complete, rules, seats)
    return {
        "captures": {
            seat: [card for card in cards if card in SCORING_CARDS] for seat, cards in captures.items()
        },
        "winners": list(review.winners),
        "irregularities": [
            {
                "code": one.code,
                "trick": one.trick,
                "seat": one.seat,
                "card": one.card or "",
                "message": irregularity_text(one, seats),
            }
            for one in review.irregularities
        ],
    }


def irregularity_text(one: Irregularity, at: Collection[str]) -> str:
    """An irregularity at a table with the seats ``at`` as a sentence in the reader's language."""
    return translate(IRREGULARITY_MESSAGES[one.code]).format(
        trick=one.trick, seat=seat_name(one.seat, at), card=symbol(one.card or "")
    )


def read_tricks(tricks: Any, seats: tuple[str, ...], rules: Ruleset) -> tuple[Trick, ...]:
    """The log in the engine's form. Raises Refused with every fault of its form."""
    most = rules.decks * len(PACK) // len(seats)
    if not isinstance(tricks, list) or not 1 <= len(tricks) <= most:
        raise Refused("log_length", _("A log has 1 to %(most)s tricks."), {"most": most}, field="tricks")
    faults: list[Problem] = []
    found = []
    for number, trick in enumerate(tricks, start=1):
        plays = []
        for play in trick if isinstance(trick, list) else ():
            seat = play.get("seat") if isinstance(play, Mapping) else None
            cards = play.get("cards") if isinstance(play, Mapping) else None
            good = (
                isinstance(cards, list)
                and 1 <= len(cards) <= rules.decks
                and all(isinstance(card, str) and card in PACK for card in cards)
            )
            if seat not in seats or not good or any(seat == one for one, _cards in plays):
                faults.append(
                    Problem(
                        "log_play",
                        _("Trick %(trick)s: every seat plays once, with cards that exist."),
                        {"trick": number},
                        "tricks",
                    )
                )
                break
            plays.append((str(seat), tuple(cards or ())))
        if not plays:
            faults.append(
                Problem("log_trick", _("Trick %(trick)s has no cards."), {"trick": number}, "tricks")
            )
        else:
            found.append(Trick(tuple(plays)))
    if faults:
        raise Refused.for_problems(faults)
    return tuple(found)
