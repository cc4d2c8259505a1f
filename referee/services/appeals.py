"""Appeals 申诉 against published deals: filed by an entry's own code or at the desk, ruled on, closed.

TRANSITIONS says what can follow what, and who does it. Everybody is told that a result is under appeal;
the statement and who appeals are for the desk alone.
"""

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from referee.models import Appeal, AppealStep, Correction, DealVersion, EntryCode
from referee.services.attempts import WINDOW, TooOften, try_code
from referee.services.devices import ALPHABET, CODE_LENGTH, normal_code
from tournament.models import Entry, Event
from tournament.queries.appeals import MINUTES, appeal_deadline, appeals_of, entries_of, published_version
from tournament.queries.published import Published
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Conflict, Problem, Refused
from tournament.services.locks import lock_event
from tournament.services.permissions import require_director, require_organiser
from tournament.services.publish import touch_public_pages
from tournament.services.validation import required_reason

State, Outcome = Appeal.State, Appeal.Outcome

#: The longest statement, in characters.
LONGEST = 2_000
#: Codes tried from one address, and for one entry, within WINDOW; right ones are not counted.
WRONG_PER_ADDRESS = 15
WRONG_PER_ENTRY = 6
#: The longest time for appeals, in minutes: two weeks.
MOST_MINUTES = 20_160


@dataclass(frozen=True)
class Step:
    """One thing that can be done about an appeal: its name in the audit trail, in which states, what state
    follows, whether an outcome has to be stated, and whether only an organiser (for the committee) may.
    """

    name: str
    states: tuple[str, ...]
    then: str
    with_outcome: bool = False
    committee: bool = False


TRANSITIONS: Mapping[str, Step] = {
    "rule": Step("appeal.rule", (State.FILED,), State.RULED, with_outcome=True),
    "accept": Step("appeal.accept", (State.RULED,), State.CLOSED),
    "escalate": Step("appeal.escalate", (State.FILED, State.RULED), State.COMMITTEE),
    "decide": Step("appeal.decide", (State.COMMITTEE,), State.CLOSED, with_outcome=True, committee=True),
    "withdraw": Step("appeal.withdraw", (State.FILED, State.RULED, State.COMMITTEE), State.WITHDRAWN),
}


def set_appeal_minutes(*, actor: Actor, event: Event, minutes: int) -> None:
    """How long after a publication appeals can be filed by the public; 0: only at the desk.

    Raises NotAllowed; Refused for more than two weeks.
    """
    require_organiser(actor, event.tournament)
    if not 0 <= minutes <= MOST_MINUTES:
        raise Refused(
            "minutes_range",
            _("The minutes are between 0 and %(most)s."),
            {"most": MOST_MINUTES},
            field="minutes",
        )
    with transaction.atomic():
        current = Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        before = current.options.get(MINUTES, 0)
        if before == minutes:
            return
        current.options = {**current.options, MINUTES: minutes}
        current.save(update_fields=["options"])
        record_audit(
            actor=actor,
            action="appeal.minutes",
            subject=current,
            event=event,
            before={"minutes": before},
            after={"minutes": minutes},
        )
        touch_public_pages(event=event)


def make_entry_codes(*, actor: Actor, event: Event) -> list[EntryCode]:
    """The codes of all entries, those that had none getting one. Raises NotAllowed."""
    require_organiser(actor, event.tournament)
    with transaction.atomic():
        Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        lacking = list(event.entries.filter(code=None, house=False).order_by("number"))
        EntryCode.objects.bulk_create(EntryCode(entry=entry, code=_random_code()) for entry in lacking)
        if lacking:
            record_audit(
                actor=actor,
                action="appeal.codes",
                subject=event,
                event=event,
                after={"numbers": [entry.number for entry in lacking]},
            )
    found = EntryCode.objects.filter(entry__event=event, entry__house=False)
    return list(found.select_related("entry").order_by("entry__number"))


def file_appeal(
    *,
    actor: Actor,
    event: Event,
    round_number: int,
    table: int,
    deal: int,
    number: int,
    statement: str,
    code: str | None = None,
) -> Appeal:
    """Files an appeal of entry ``number`` against a deal as it is public now.

    With a ``code`` by whoever has it, until the deadline; without one at the desk, for which the actor is a
    director, at any time.

    Raises:
        TooOften: too many wrong codes from this address or for this entry.
        NotAllowed: no code, and no director.
        Refused: with every fault: a wrong code, the deadline over, no statement, or the entry did not play
        there.
        Conflict: the deal is not public, or the entry's appeal against this record is open already.
    """
    at_desk = code is None
    if at_desk:
        require_director(actor, event.tournament)
    else:
        _require_code(actor, event, number, code or "")
    kept = statement.strip()
    faults = _statement_faults(kept)
    shown = published_version(Published(event), round_number, table, deal)
    if shown is None:
        raise Conflict(
            "deal_not_public", _("This deal is not published: there is nothing to appeal against.")
        )
    publication, version = shown
    deadline = appeal_deadline(event, publication)
    if not at_desk and (deadline is None or deadline <= timezone.now()):
        faults.append(Problem("deadline_over", _("The time for appeals is over. Speak to the desk."), {}, ""))
    entry = next((one for one in entries_of(version.deal.table.match) if one.number == number), None)
    if entry is None:
        faults.append(
            Problem("not_at_table", _("Number %(number)s did not play there."), {"number": number}, "number")
        )
    if faults or entry is None:
        raise Refused.for_problems(faults)
    with transaction.atomic():
        Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        made = _store(version, entry, published=publication.version, statement=kept, at_desk=at_desk)
        Appeal.objects.filter(pk=made.pk).update(deadline=deadline)
        _step(actor, made, "file", kept, "")
        facts = {"number": made.number, "entry": number, "round": round_number, "table": table, "deal": deal}
        record_audit(
            actor=actor,
            action="appeal.file",
            subject=made,
            event=event,
            after={**facts, "version": version.number, "at_desk": at_desk},
        )
        touch_public_pages(event=event)
    made.refresh_from_db()
    return made


def follow_appeals(*, actor: Actor, event: Event, number: int, code: str) -> list[Appeal]:
    """The appeals of entry ``number`` for whoever has its code, the newest first; wrong codes are counted.

    Raises TooOften; Refused for a wrong code, whether there is such an entry or not.
    """
    _require_code(actor, event, number, code)
    return appeals_of(event, number)


def step_appeal(*, actor: Actor, appeal: Appeal, action: str, statement: str, outcome: str = "") -> Appeal:
    """Does one of TRANSITIONS, with what is said about it.

    Raises NotAllowed; Conflict if it cannot follow in the appeal's state; Refused without a text, or without
    an outcome where one has to be stated.
    """
    event = appeal.event
    step = TRANSITIONS.get(action)
    if step is None:
        raise Refused("no_such_step", _("There is no such step."))
    (require_organiser if step.committee else require_director)(actor, event.tournament)
    kept = required_reason(statement)
    if step.with_outcome and outcome not in Outcome.values:
        raise Refused("outcome_missing", _("State the outcome."), field="outcome")
    with transaction.atomic():
        lock_event(event)
        current = Appeal.objects.get(pk=appeal.pk)
        if current.state not in step.states:
            raise Conflict(
                "appeal_state", _("The appeal is now: %(state)s."), {"state": current.get_state_display()}
            )
        before = {"state": current.state, "outcome": current.outcome}
        current.state = step.then
        if step.with_outcome:
            current.outcome = outcome
        current.save(update_fields=["state", "outcome"])
        _step(actor, current, action, kept, outcome if step.with_outcome else "")
        record_audit(
            actor=actor,
            action=step.name,
            subject=current,
            event=event,
            before=before,
            after={"state": str(current.state), "outcome": str(current.outcome)},
            reason=kept,
        )
        touch_public_pages(event=event)
    return current


def link_correction(*, actor: Actor, appeal: Appeal, correction: Correction) -> None:
    """The correction follows from the appeal. Raises NotAllowed; Refused for one of another event."""
    event = appeal.event
    require_director(actor, event.tournament)
    if correction.event_id != event.pk:
        raise Refused("other_event", _("This correction is of another event."))
    with transaction.atomic():
        before = appeal.correction and appeal.correction.number
        Appeal.objects.filter(pk=appeal.pk).update(correction=correction)
        record_audit(
            actor=actor,
            action="appeal.link",
            subject=appeal,
            event=event,
            before={"correction": before},
            after={"correction": correction.number},
        )


# -- the parts


def _statement_faults(statement: str) -> list[Problem]:
    if not statement:
        return [Problem("statement_missing", _("State what is wrong in the record."), {}, "statement")]
    if len(statement) > LONGEST:
        return [
            Problem(
                "statement_too_long",
                _("The statement is longer than %(limit)s characters."),
                {"limit": LONGEST},
                "statement",
            )
        ]
    return []


def _store(version: DealVersion, entry: Entry, *, published: int, statement: str, at_desk: bool) -> Appeal:
    event = entry.event
    try:
        with transaction.atomic():
            return Appeal.objects.create(
                event=event,
                number=(event.appeals.aggregate(last=Max("number"))["last"] or 0) + 1,
                round=version.deal.table.draw.round,
                entry=entry,
                version=version,
                published=published,
                statement=statement,
                at_desk=at_desk,
            )
    except IntegrityError as fault:
        raise Conflict(
            "appeal_open", _("An appeal of this entry against this record is open already.")
        ) from fault


def _step(actor: Actor, appeal: Appeal, action: str, text: str, outcome: str) -> None:
    AppealStep.objects.create(
        appeal=appeal,
        place=appeal.steps.count() + 1,
        action=action,
        outcome=outcome,
        text=text,
        made_by=actor.user,
    )


def _require_code(actor: Actor, event: Event, number: int, code: str) -> None:
    """Raises unless the code is the entry's. Compared in constant time, and counted, entry there or not."""
    stored = EntryCode.objects.filter(entry__event=event, entry__number=number).first()
    expected = stored.code if stored else "·" * CODE_LENGTH
    given = normal_code(code)
    right = try_code(
        address=actor.address,
        key=hashlib.sha256(f"appeal/{event.pk}/{number}".encode()).hexdigest(),
        wrong_per_address=WRONG_PER_ADDRESS,
        per_key=WRONG_PER_ENTRY,
        look=lambda: secrets.compare_digest(given.encode(), expected.encode()) or None,
        refusal=TooOften(
            "appeal_too_often",
            _("Too many attempts. Wait %(minutes)s minutes, or speak to the desk."),
            {"minutes": int(WINDOW.total_seconds() // 60)},
            field="code",
        ),
    )
    if right is None:
        raise Refused("wrong_code", _("This number and this code do not belong together."), field="code")


def _random_code() -> str:
    return "".join(secrets.choice(ALPHABET) for _place in range(CODE_LENGTH))
