"""What is ruled at a table besides the cards captured: claims, wrong numbers of cards, misplaced exposures,
discards of the wrong colour, and the log of tricks (docs/rules.md §6).

A ruling is appended and never changed. One that moves cards or exposures appends a version of the deal as
well.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from referee.models import Deal, DealVersion, TableRuling
from referee.queries import Play, check_of, play_of
from referee.services.commands import Outcome, run_once
from referee.services.deals import replace_record
from referee.services.guards import (
    lock_table,
    require_current,
    require_play,
    require_referee,
    require_state,
    seats_in_play,
)
from scoring.engine import Ruleset
from scoring.engine.cards import KEY_CARDS, PACK
from scoring.engine.deal import EXPOSURE_KINDS
from tournament.models import Table
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Conflict, Problem, Refused
from tournament.services.validation import REASON_LENGTH, required_reason, text, unknown_seat

_Kind = TableRuling.Kind
#: Given the locked table, the version in force and the record that is ruled: what is proposed in place of a
#: new version; None: the version is made.
Instead = Callable[[Table, DealVersion, Mapping[str, Any]], dict[str, Any] | None]
#: Wrong number of cards: the short hand draws unseen from the long one where the referee and all agree,
#: else the cards are dealt again.
DRAW, REDEAL = "draw", "redeal"
#: A misplaced exposure: it stands, it is taken back, or it counts as another kind.
STANDS, TAKEN_BACK, AS_KIND = "stands", "taken_back", "as_kind"


def record_ruling(
    *,
    actor: Actor,
    table: Table,
    number: int,
    kind: str,
    facts: Mapping[str, Any],
    note: str = "",
    version: int | None = None,
    command_id: UUID,
    instead: Instead | None = None,
) -> Outcome:
    """Stores what happened in a deal and what was ruled; ``number`` is the deal's, recorded already or not.

    An exposure of a recorded deal is put into its record, or struck from it, by a version of its own with the
    note as its reason; ``version`` is the one the sender saw, None where the deal is not recorded. First
    ``instead`` is asked whether the other record is to be proposed: then the ruling names what was proposed.

    ``facts`` by kind. claim: ``seat`` claims ``tricks`` of the ``remaining`` ones, ``agreed`` lists the
    seats that agreed. card_count: ``hands`` says how many cards each seat had, ``procedure`` is "draw"
    (``agreed`` lists every seat) or "redeal". exposure: ``seat``, ``card``, the ``exposure`` shown, and the
    ``ruling`` "stands", "taken_back" or "as_kind" with ``as_kind``.

    Raises:
        Refused: every fault of the facts, naming field, card and seat; an exposure ruled otherwise than
            recorded without a note, or after the deal was checked.
        Stale: the deal has moved on since.
        NotAllowed: neither a referee of this table nor its tablet.
    """
    require_referee(actor, table)
    note = text(note)[:REASON_LENGTH]
    payload = {
        "table": table.pk,
        "number": number,
        "kind": kind,
        "facts": dict(facts),
        "note": note,
        **({} if version is None else {"version": version}),
    }

    def work() -> dict[str, Any]:
        locked = lock_table(table)
        require_play(locked)
        play = play_of(locked)
        found = seats_in_play(locked, play, number)
        current = play.version(number)
        rules = locked.draw.round.event.ruleset_version.ruleset()
        if current is not None and version is not None:
            require_current(play, current.deal, version)
        kept = judged_facts(kind, facts, tuple(one.direction for one in found), rules)
        after = current
        if kind == _Kind.EXPOSURE and current is not None and current.state == DealVersion.State.RECORDED:
            record = exposed_as_ruled(current.record, kept)
            if record["exposed"] != list(current.record.get("exposed", ())):
                after, more = _replaced(
                    actor=actor,
                    table=locked,
                    play=play,
                    current=current,
                    record=record,
                    reason=required_reason(note),
                    instead=instead,
                )
                kept = {**kept, **more}
        return _store(actor, locked, number, kind=kind, facts=kept, note=note, version=after)

    return run_once(actor=actor, command_id=command_id, action="ruling.record", payload=payload, work=work)


def rule_colour(
    *,
    actor: Actor,
    deal: Deal,
    version: int,
    cards: Sequence[str],
    to_seat: str,
    note: str,
    command_id: UUID,
    instead: Instead | None = None,
) -> Outcome:
    """Rules a discard of the wrong colour: the seat takes that trick's scoring ``cards``, which another seat
    has in the record (docs/rules.md §6). The version before stays on record; the new one needs its check.
    ``instead`` as for record_ruling.

    A card is written as in the record, with two decks "SQ:N" where copies are told apart.

    Raises:
        Refused: the event has no such rule; a card nobody has; nothing would move; no reason given.
        Stale: the deal has moved on since.
        NotAllowed: neither a referee of this table nor its tablet.
    """
    table = deal.table
    require_referee(actor, table)
    note = required_reason(note)

    def work() -> dict[str, Any]:
        locked = lock_table(table)
        require_play(locked)
        play = play_of(locked)
        current = require_current(play, deal, version)
        require_state(current, DealVersion.State.RECORDED)
        _require_unchecked(current)
        if not locked.draw.round.event.ruleset_version.ruleset().discard_colour:
            raise Conflict("no_colour_rule", _("These rules do not prescribe the colour of a discard."))
        record = moved(current.record, cards, to_seat)
        new, more = _replaced(
            actor=actor,
            table=locked,
            play=play,
            current=current,
            record=record,
            reason=note,
            instead=instead,
        )
        facts = {"seat": to_seat, "cards": list(cards), **more}
        return _store(actor, locked, deal.number, kind=_Kind.COLOUR, facts=facts, note=note, version=new)

    payload = {"deal": deal.pk, "version": version, "cards": list(cards), "seat": to_seat, "note": note}
    return run_once(actor=actor, command_id=command_id, action="ruling.colour", payload=payload, work=work)


def exposed_as_ruled(record: Mapping[str, Any], facts: Mapping[str, Any]) -> dict[str, Any]:
    """The record with the exposure as ruled: struck, counted as the kind shown, or as another kind."""
    kind = {STANDS: facts["exposure"], TAKEN_BACK: "", AS_KIND: facts["as_kind"]}[facts["ruling"]]
    exposed = [dict(one) for one in record.get("exposed", ())]
    mine = [one for one in exposed if (one["card"], one["seat"]) == (facts["card"], facts["seat"])]
    # Of two copies the one shown as the ruling says is meant.
    meant = next((one for one in mine if one["kind"] == facts["exposure"]), mine[0] if mine else None)
    if meant is not None and kind:
        meant["kind"] = kind
    elif meant is not None:
        exposed.remove(meant)
    elif kind:
        exposed.append({"card": facts["card"], "seat": facts["seat"], "kind": kind})
    return {**record, "exposed": exposed}


def moved(record: Mapping[str, Any], cards: Sequence[str], to_seat: str) -> dict[str, Any]:
    """The record with the cards in the seat's captures.

    Raises:
        Refused: no such seat, a card that no other seat has, or no cards at all.
    """
    captures = {seat: list(taken) for seat, taken in record["captures"].items()}
    if to_seat not in captures:
        raise unknown_seat(to_seat, field="seat")
    if not cards:
        raise Refused("cards_missing", _("Name the cards of the trick."), field="cards")
    faults = []
    for card in cards:
        owner = next((seat for seat in captures if seat != to_seat and card in captures[seat]), None)
        if owner is None:
            faults.append(
                Problem("card_not_there", _("No other seat has captured %(card)s."), {"card": card}, "cards")
            )
            continue
        captures[owner].remove(card)
        captures[to_seat].append(card)
    if faults:
        raise Refused.for_problems(faults)
    return {**record, "captures": captures}


def judged_facts(
    kind: str, facts: Mapping[str, Any], seats: tuple[str, ...], rules: Ruleset
) -> dict[str, Any]:
    """The facts of a ruling as they are stored. Raises Refused with every fault."""
    judge = {_Kind.CLAIM: _claim, _Kind.CARD_COUNT: _card_count, _Kind.EXPOSURE: _exposure}.get(kind)
    if judge is None:
        raise Refused("unknown_ruling", _("There is no such kind of ruling."), field="kind")
    return judge(facts, seats, rules)


def _claim(facts: Mapping[str, Any], seats: tuple[str, ...], rules: Ruleset) -> dict[str, Any]:
    most = rules.decks * len(PACK) // len(seats)
    kept = {
        "seat": facts.get("seat"),
        "tricks": facts.get("tricks"),
        "remaining": facts.get("remaining"),
        "agreed": _listed(facts, "agreed"),
    }
    faults = _seat_faults([kept["seat"]], seats, "seat") + _seat_faults(kept["agreed"], seats, "agreed")
    counts = (kept["tricks"], kept["remaining"])
    if not all(isinstance(one, int) and not isinstance(one, bool) for one in counts) or not (
        0 <= kept["tricks"] <= kept["remaining"] <= most and kept["remaining"]
    ):
        faults.append(
            Problem(
                "claim_tricks",
                _("Say how many of the remaining tricks are claimed: at most %(most)s are left."),
                {"most": most},
                "tricks",
            )
        )
    return _clean(kept, faults)


def _card_count(facts: Mapping[str, Any], seats: tuple[str, ...], rules: Ruleset) -> dict[str, Any]:
    hands = facts.get("hands")
    kept = {
        "hands": dict(hands) if isinstance(hands, Mapping) else {},
        "procedure": facts.get("procedure"),
        "agreed": _listed(facts, "agreed"),
    }
    faults = _seat_faults(list(kept["hands"]), seats, "hands") + _seat_faults(kept["agreed"], seats, "agreed")
    most = rules.decks * len(PACK)
    if not kept["hands"] or any(
        not isinstance(one, int) or isinstance(one, bool) or not 0 <= one <= most
        for one in kept["hands"].values()
    ):
        faults.append(Problem("hand_count", _("Say how many cards the hands had."), {}, "hands"))
    if kept["procedure"] not in (DRAW, REDEAL):
        faults.append(
            Problem("count_procedure", _("Draw from the long hand, or deal again."), {}, "procedure")
        )
    elif kept["procedure"] == DRAW and any(one not in kept["agreed"] for one in seats):
        faults.append(
            Problem(
                "count_agreement",
                _("Drawing needs the agreement of all seats; without it the cards are dealt again."),
                {},
                "agreed",
            )
        )
    return _clean(kept, faults)


def _exposure(facts: Mapping[str, Any], seats: tuple[str, ...], _rules: Ruleset) -> dict[str, Any]:
    kept = {name: facts.get(name, "") for name in ("seat", "card", "exposure", "ruling", "as_kind")}
    faults = _seat_faults([kept["seat"]], seats, "seat")
    if kept["card"] not in KEY_CARDS:
        faults.append(
            Problem(
                "exposure_card",
                _("Only ♠Q, ♦J, ♣10 and ♥A can be exposed, not “%(card)s”."),
                {"card": str(kept["card"])[:40]},
                "card",
            )
        )
    if kept["ruling"] not in (STANDS, TAKEN_BACK, AS_KIND) or (
        kept["ruling"] == AS_KIND and kept["as_kind"] not in EXPOSURE_KINDS
    ):
        faults.append(
            Problem(
                "exposure_ruling",
                _("The exposure stands, is taken back, or counts as another kind."),
                {},
                "ruling",
            )
        )
    if kept["exposure"] not in EXPOSURE_KINDS:
        faults.append(Problem("exposure_kind", _("Say how the card was exposed."), {}, "exposure"))
    return _clean(kept, faults)


# -- the parts


def _replaced(
    *,
    actor: Actor,
    table: Table,
    play: Play,
    current: DealVersion,
    record: Mapping[str, Any],
    reason: str,
    instead: Instead | None,
) -> tuple[DealVersion, dict[str, Any]]:
    """The version in force after a ruling that asks for another record, and what the ruling says of it."""
    _require_unchecked(current)
    proposed = instead(table, current, record) if instead else None
    if proposed is not None:
        return current, proposed
    new = replace_record(
        actor=actor,
        table=table,
        play=play,
        current=current,
        record=record,
        entered_seat=current.entered_seat,
        reason=reason,
    )
    return new, {"before": current.number}


def _require_unchecked(current: DealVersion) -> None:
    if check_of(current):
        raise Conflict(
            "deal_checked",
            _("Deal %(deal)s is checked already. Only the chief referee can correct it."),
            {"deal": current.deal.number},
        )


def _store(
    actor: Actor,
    table: Table,
    number: int,
    *,
    kind: str,
    facts: dict[str, Any],
    note: str,
    version: DealVersion | None,
) -> dict[str, Any]:
    ruling = TableRuling.objects.create(
        table=table,
        deal_number=number,
        version=version,
        kind=kind,
        facts=facts,
        note=note,
        ruled_by=actor.user,
    )
    record_audit(
        actor=actor,
        action=f"ruling.{kind}",
        subject=ruling,
        event=table.draw.round.event,
        after={"deal": number, "facts": facts},
        reason=note,
    )
    told = {"ruling": ruling.pk, "number": number, "kind": str(kind), "facts": facts}
    return {**told, "correction": facts["correction"]} if "correction" in facts else told


def _listed(facts: Mapping[str, Any], name: str) -> list[Any]:
    value = facts.get(name, [])
    return list(value) if isinstance(value, list | tuple) else [value]


def _seat_faults(named: Sequence[Any], seats: tuple[str, ...], field: str) -> list[Problem]:
    return [
        problem
        for one in named
        if one not in seats
        for problem in unknown_seat(str(one)[:9], field=field).problems
    ]


def _clean(kept: dict[str, Any], faults: list[Problem]) -> dict[str, Any]:
    if faults:
        raise Refused.for_problems(faults)
    return kept
