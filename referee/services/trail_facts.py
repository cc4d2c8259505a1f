"""Whether what results are made of is what the audit trail says was written.

The chain shows that no row of the trail was altered. Every fact that bears on a result has a row with its
content, so a fact changed behind the program's back is one that its row does not have. Deals and their checks
are known by the time they were entered, which an archive keeps. What rows name by the ids of one database
(penalties, entries, walkovers, rulings) is held to the rows written on this site.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet

from referee.models import DealVersion, EntryRuling, Penalty
from referee.services.entry_rulings import ruling_state
from referee.services.penalties import penalty_facts
from referee.services.trail_people import check_people
from tournament.models import (
    AuditRow,
    Draw,
    Entry,
    Event,
    MatchDecision,
    Round,
    Stage,
    Tournament,
    Walkover,
)
from tournament.queries.audit_chain import Finding, canonical, imported_rows
from tournament.services.draw_rows import byes_state
from tournament.services.entries import entry_state
from tournament.services.events import event_state
from tournament.services.walkovers import walkover_state

Json = Mapping[str, Any]
#: When a version was entered, the number of its deal, its own number.
_Key = tuple[str, int, int]
_CHUNK = 500
#: A checked version is a recorded one that has a check.
_STATES = {"checked": "recorded"}
#: What rows with these actions say of the things they are about.
_SAYING = {
    "entry.rule": "ruling",
    "entry.rule_lift": "ruling",
    "match.walkover": "walkover",
    "match.walkover_undo": "walkover",
    "match.decide": "decision",
    "match.undecide": "decision",
    "penalty.give": "penalty",
    "penalty.cancel": "penalty",
    "draw.make": "draw",
    "draw.swap": "draw",
    "round.terms": "round",
    "stage.terms": "stage",
    **{f"entry.{one}": "entry" for one in ("add", "edit", "import", "house", "withdraw", "return", "delete")},
    **{f"event.{one}": "event" for one in ("create", "edit", "tie_breaks", "lots")},
}
#: What of an event bears on results; its options are told below.
_OF_EVENT = ("kind", "ruleset_version", "plan", "measure")
#: Options that other rows than the event's own tell of.
_TOLD_APART = ("tie_breaks", "lots", "seeds_apart_rounds")


@dataclass
class _Trail:
    """What the rows say: of versions their content, which of them were checked, of other things the last that
    was written of each, by the row's subject; None where it was taken back.
    """

    versions: dict[_Key, str] = field(default_factory=dict)
    #: By subject and number of a version, its key.
    keys: dict[tuple[str, int], _Key] = field(default_factory=dict)
    checks: set[_Key] = field(default_factory=set)
    last: dict[str, dict[str, Json | None]] = field(default_factory=dict)
    rescored: bool = False


def check_facts(tournament: Tournament) -> list[Finding]:
    """Everything of a tournament that is not as it was written, is missing, or was put in."""
    imported = imported_rows(tournament)
    trail = _read(tournament, imported)
    return [
        *_versions(tournament, trail),
        *_others(tournament, trail, whole=not imported),
        *check_people(tournament, imported),
    ]


def _read(tournament: Tournament, imported: int) -> _Trail:
    trail = _Trail()
    rows = AuditRow.objects.filter(tournament=tournament).order_by("pk")
    values = rows.values_list("action", "subject", "after").iterator(_CHUNK)
    for number, (action, subject, after) in enumerate(values, start=1):
        if action.startswith("deal.") and isinstance(after, Mapping) and "version" in after:
            if "entered_at" in after:
                key = (after["entered_at"], after["number"], after["version"])
                trail.versions[key], trail.keys[subject, after["version"]] = _digest(after), key
            if after.get("check") and (subject, after["version"]) in trail.keys:
                trail.checks.add(trail.keys[subject, after["version"]])
        elif action == "event.recompute":
            trail.rescored = True
        elif action in _SAYING and number > imported:
            _remember(trail.last.setdefault(_SAYING[action], {}), subject, after)
    return trail


def _remember(known: dict[str, Json | None], subject: str, after: Any) -> None:
    if not isinstance(after, Mapping):
        known[subject] = None
        return
    # A row can state a part of a thing: what others said of it holds on.
    before = known.get(subject) or {}
    said = _event_facts(after) if "options" in after else dict(after)
    if "lots" in said:
        said["lots"] = {**before.get("lots", {}), **said["lots"]}
    known[subject] = {**before, **said}


def _event_facts(state: Json) -> dict[str, Any]:
    """What is held of an event's state: its options in parts, as different rows tell of them."""
    options = state["options"]
    return {
        **{name: state[name] for name in _OF_EVENT},
        "options": {name: value for name, value in options.items() if name not in _TOLD_APART},
        "tie_breaks": options.get("tie_breaks", []),
        "lots": options.get("lots", {}),
    }


def _digest(facts: Json) -> str:
    """The mark of what was written of a version; with another, it is not what was written."""
    state = _STATES.get(facts["state"], facts["state"])
    kept = [state, facts["record"], facts["order"], facts["segment"], facts["answer"]]
    return " ".join(hashlib.sha256(canonical(one)).hexdigest() for one in (kept[:-1], kept[-1]))


# -- deals and their checks


def _versions(tournament: Tournament, trail: _Trail) -> Iterator[Finding]:
    left, checks = trail.versions, trail.checks
    of_tournament = {"deal__table__draw__round__event__tournament": tournament}
    found = (
        DealVersion.objects.filter(**of_tournament)
        .select_related("deal__table__draw__round__event", "check_row")
        # They would be read again with every deal of the draw.
        .defer("deal__table__draw__inputs", "deal__table__draw__quality")
    )
    for version in found.order_by("pk").iterator(_CHUNK):
        key = (version.created_at.isoformat(), version.deal.number, version.number)
        written, now = left.pop(key, None), _digest(_facts(version))
        if written is None:
            yield Finding("fact", f"{_where(version)}: no row says that it was entered")
        elif written != now and not (trail.rescored and written.split()[0] == now.split()[0]):
            yield Finding("fact", f"{_where(version)}: not as it was entered")
        if hasattr(version, "check_row") and key not in checks:
            yield Finding("fact", f"{_where(version)}: no row says that it was checked")
        elif key in checks and not hasattr(version, "check_row"):
            yield Finding("fact", f"{_where(version)}: its check is gone")
    for moment, number, version_number in left:
        yield Finding("fact", f"deal {number} v{version_number}, entered {moment}: gone")


def _facts(version: DealVersion) -> Json:
    return {
        "state": str(version.state),
        "record": version.record,
        "answer": version.answer,
        "order": version.deal.order,
        "segment": version.deal.segment,
    }


def _where(version: DealVersion) -> str:
    table = version.deal.table
    round = table.draw.round
    return (
        f"{round.event.slug} round {round.number} table {table.number} deal {version.deal.number} "
        f"v{version.number}"
    )


# -- what rows name by ids


@dataclass(frozen=True)
class _Kind:
    """How things of a kind are known to the trail: the ids of their subjects, and what is said of one.

    ``unsaid`` is what holds where no row says anything; None: there is a row for each.
    """

    name: str
    model: str
    found: Callable[[Tournament], QuerySet[Any]]
    subject: Callable[[Any], int]
    state: Callable[[Any], Json]
    unsaid: Json | None = None


_KINDS = (
    _Kind(
        "penalty",
        "penalty",
        lambda tournament: Penalty.objects.filter(event__tournament=tournament),
        lambda one: one.pk,
        penalty_facts,
    ),
    _Kind(
        "walkover",
        "match",
        lambda tournament: Walkover.objects.filter(match__draw__round__event__tournament=tournament),
        lambda one: one.match_id,
        walkover_state,
    ),
    _Kind(
        "ruling",
        "entry",
        lambda tournament: EntryRuling.objects.filter(entry__event__tournament=tournament, lifted_at=None),
        lambda one: one.entry_id,
        ruling_state,
    ),
    _Kind(
        "entry",
        "entry",
        lambda tournament: Entry.objects.filter(event__tournament=tournament).prefetch_related("players"),
        lambda one: one.pk,
        entry_state,
    ),
    _Kind(
        "event",
        "event",
        lambda tournament: Event.objects.filter(tournament=tournament).select_related(
            "ruleset_version__book"
        ),
        lambda one: one.pk,
        lambda one: _event_facts(event_state(one)),
    ),
    _Kind(
        "decision",
        "match",
        lambda tournament: MatchDecision.objects.filter(match__draw__round__event__tournament=tournament),
        lambda one: one.match_id,
        lambda one: {"winner": one.winner.number},
    ),
    _Kind(
        "round",
        "round",
        lambda tournament: Round.objects.filter(event__tournament=tournament),
        lambda one: one.pk,
        lambda one: {"terms": one.terms},
        unsaid={"terms": {}},
    ),
    _Kind(
        "stage",
        "stage",
        lambda tournament: Stage.objects.filter(event__tournament=tournament),
        lambda one: one.pk,
        lambda one: {"terms": one.terms},
        unsaid={"terms": {}},
    ),
    _Kind(
        "draw",
        "draw",
        lambda tournament: Draw.objects.filter(round__event__tournament=tournament).defer(
            "inputs", "quality"
        ),
        lambda one: one.pk,
        lambda one: {"byes": byes_state(one)},
        unsaid={"byes": []},
    ),
)


def _others(tournament: Tournament, trail: _Trail, *, whole: bool) -> Iterator[Finding]:
    """``whole``: every row was written here, so what none of them names was put in."""
    for kind in _KINDS:
        left = {subject: said for subject, said in trail.last.get(kind.name, {}).items() if said is not None}
        for one in kind.found(tournament).order_by("pk"):
            subject = f"{kind.model}:{kind.subject(one)}"
            said = left.pop(subject, kind.unsaid if whole else None)
            name = f"{kind.name} {one.pk} ({subject})"
            if said is None:
                if whole:
                    yield Finding("fact", f"{name}: no row says that it was made")
                continue
            now = kind.state(one)
            changed = [key for key in now if key in said and canonical(now[key]) != canonical(said[key])]
            if changed:
                yield Finding("fact", f"{name}: not as it was written: {', '.join(changed)}")
        if kind.unsaid is None:
            yield from (Finding("fact", f"{kind.name} ({subject}): gone") for subject in left)
