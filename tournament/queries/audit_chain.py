"""The chain of the audit trail: what of a row is sealed, and whether a chain is whole.

A row's seal is the SHA-256 of the seal before it and of the row's content, so none can be altered, removed,
put in or moved without all later seals changing. Nothing in the content depends on the numbering of one
database: an archive brought to another site carries its chain along, to be checked there in the same way.
"""

import hashlib
import ipaddress
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC
from itertools import groupby
from typing import Any

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import QuerySet
from django.utils.crypto import constant_time_compare, salted_hmac

from tournament.models import AuditChain, AuditRow, Tournament

_PROOF_SALT = "tournament.audit"
#: The action of the row, in the site's own chain, that says what an archive brought.
IMPORT = "tournament.import"
#: Rows read at a time.
_CHUNK = 2000
#: The fewest characters of a digest that may be typed from paper.
LEAST_OF_DIGEST = 16


#: How the names of accounts begin that stand for people named in an archive. Nobody can log in with one, and
#: no form accepts the colon.
PLACEHOLDER = "archive:"


@dataclass(frozen=True)
class Finding:
    """Something wrong with a chain. ``row`` is the id of the row it names, ``place`` its place, or None."""

    code: str
    text: str
    row: int | None = None
    place: int | None = None


@dataclass(frozen=True)
class ChainReport:
    """What looking at a chain came to; ``seal`` is that of its last row."""

    name: str
    rows: int
    seal: str
    findings: tuple[Finding, ...] = field(default=())


def chain_name(tournament: Tournament | None) -> str:
    """The name of a tournament's chain, or of the chain of what belongs to no tournament."""
    return str(tournament.uid) if tournament else AuditChain.SITE


def account_name(user: AbstractBaseUser) -> str:
    """The name of an account as the audit trail has it: that of somebody whom an archive named, as it was."""
    name = user.get_username()
    return user.get_short_name() if name.startswith(PLACEHOLDER) else name


def _is_named(written: str, name: str) -> bool:
    """Whether a row says that this account made it, itself or by one of its tokens."""
    return written == name or (written.startswith(f"{name[:100]} [") and written.endswith("]"))


def rows_of_chain(tournament: Tournament | None) -> QuerySet[AuditRow]:
    """All rows of a chain, with what their content needs, in no order."""
    rows = AuditRow.objects.filter(tournament=tournament).select_related("tournament", "event", "actor")
    return rows.order_by()


def content_of(row: AuditRow) -> dict[str, Any]:
    """What is sealed of a row: everything but its id and its place."""
    return {
        "chain": chain_name(row.tournament),
        "event": str(row.event.uid) if row.event else None,
        "at": row.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "actor": row.actor_name,
        # A database may write an address in another form than it was given.
        "address": ipaddress.ip_address(row.address).exploded if row.address else None,
        "action": row.action,
        "subject": row.subject,
        # Read as JSON first: keys that are numbers are sorted as the text they become.
        "before": json.loads(json.dumps(row.before)),
        "after": json.loads(json.dumps(row.after)),
        "reason": row.reason,
    }


def canonical(value: Any) -> bytes:
    """JSON in the one form that is hashed: keys sorted, no spaces, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def proof_of(row: AuditRow, key: str = "") -> str:
    """Shows that whoever wrote the row knew the site's secret key, which is not in the database."""
    secret = key or settings.SECRET_KEY
    return salted_hmac(_PROOF_SALT, canonical(content_of(row)), secret=secret, algorithm="sha256").hexdigest()


def is_proven(row: AuditRow) -> bool:
    """Whether the program itself wrote this row, under the key in use or one of those before it."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return any(constant_time_compare(row.proof, proof_of(row, key)) for key in keys)


def seal_of(row: AuditRow, place: int, before: str) -> str:
    """The seal of a row at a place of its chain, after a row with the seal ``before`` ("" for the first)."""
    return hashlib.sha256(canonical({"before": before, "place": place, "row": content_of(row)})).hexdigest()


def check_chain(tournament: Tournament | None, digest: str = "") -> ChainReport:
    """Looks at every row of a chain. ``digest``: the printed one of some day, in full or its beginning."""
    head = AuditChain.objects.filter(name=chain_name(tournament)).first()
    walk = _Walk(_plain_digest(digest))
    sealed = rows_of_chain(tournament).exclude(place=None).order_by("place")
    for row in sealed.iterator(chunk_size=_CHUNK):
        walk.step(row)
    findings = [
        *walk.findings,
        *_unproven(walk, imported_rows(tournament)),
        *_end_faults(head, walk),
        *_waiting(tournament),
    ]
    if tournament is not None and head is None and not rows_of_chain(tournament).exists():
        findings.append(Finding("removed", "no row at all: a tournament has that of its creation", place=1))
    if walk.digest and not walk.digest_met:
        findings.append(Finding("digest", f"no row has the printed digest {walk.digest}"))
    return ChainReport(chain_name(tournament), walk.last, walk.seal, tuple(findings))


class _Walk:
    """Goes along a chain, row by row, keeping what was wrong."""

    def __init__(self, digest: str) -> None:
        self.digest = digest
        self.digest_met = False
        self.last = 0
        self.seal = ""
        self.findings: list[Finding] = []
        #: Places of rows without this site's proof.
        self.unproven: list[int] = []

    def step(self, row: AuditRow) -> None:
        if row.place <= self.last:
            # Places begin with 1, and no two rows have the same: the program has given this one to no row.
            self.findings.append(Finding("foreign", f"{describe(row)}: not written by this program", row.pk))
            return
        for missing in _ranges(self.last + 1, row.place - 1):
            self.findings.append(Finding("removed", f"{missing}: removed", place=self.last + 1))
        # After a gap nobody can say what the seal before was; the gap is named already.
        whole = row.place == self.last + 1
        if whole and row.seal != seal_of(row, row.place, self.seal):
            self.findings.append(
                Finding("altered", f"{describe(row)}: altered, moved or put in", row.pk, row.place)
            )
        elif not is_proven(row):
            self.unproven.append(row.place)
        if row.actor is not None and not _is_named(row.actor_name, account_name(row.actor)):
            self.findings.append(
                Finding("actor", f"{describe(row)}: linked to another account", row.pk, row.place)
            )
        self.digest_met |= bool(self.digest) and row.seal.startswith(self.digest)
        self.last, self.seal = row.place, row.seal


def imported_rows(tournament: Tournament | None) -> int:
    """How many rows of a chain an archive brought: so says the site's own trail, if that row is proven."""
    if tournament is None:
        return 0
    rows = AuditRow.objects.filter(tournament=None, action=IMPORT, subject=f"tournament:{tournament.pk}")
    return max((row.after["rows"]["audit"] for row in rows.order_by("pk") if is_proven(row)), default=0)


def _unproven(walk: _Walk, imported: int) -> Iterator[Finding]:
    """Rows with a right seal that were written without the site's key: whoever can write to the database can
    make a chain anew, but not the proofs of its rows. An archive brings its rows without them.
    """
    rows = [place for place in walk.unproven if place > imported]
    for first, last in _runs(rows):
        text = f"{_ranges(first, last)[0]}: not written under this site's key (SECRET_KEY or a fallback)"
        yield Finding("unproven", text, place=first)


def _runs(places: list[int]) -> Iterator[tuple[int, int]]:
    """Rising numbers as runs of such as follow on each other."""
    for _key, run in groupby(enumerate(places), lambda one: one[1] - one[0]):
        members = [place for _n, place in run]
        yield members[0], members[-1]


def _end_faults(head: AuditChain | None, walk: _Walk) -> Iterator[Finding]:
    length, seal = (head.length, head.seal) if head else (0, "")
    if length > walk.last:
        for missing in _ranges(walk.last + 1, length):
            yield Finding("removed", f"{missing}: removed at the end of the chain", place=walk.last + 1)
    elif length < walk.last or seal != walk.seal:
        yield Finding("head", f"the chain says it ends at row {length}, the rows end at {walk.last}")


def _waiting(tournament: Tournament | None) -> Iterator[Finding]:
    """Rows without a place. After a power cut the program seals its own with the next change; others were
    not written by it.
    """
    for row in rows_of_chain(tournament).filter(place=None).order_by("pk").iterator(chunk_size=_CHUNK):
        if is_proven(row):
            yield Finding("waiting", f"{describe(row)}: not sealed yet", row.pk)
        else:
            yield Finding("foreign", f"{describe(row)}: not written by this program", row.pk)


def describe(row: AuditRow) -> str:
    """A row for people who look for it."""
    place = row.place if row.place is not None else "–"
    return f"row {place} (id {row.pk}, {row.at:%Y-%m-%d %H:%M:%S}, {row.action} {row.subject})"


def _ranges(first: int, last: int) -> list[str]:
    if first > last:
        return []
    return [f"row {first}" if first == last else f"rows {first}–{last}"]


def _plain_digest(typed: str) -> str:
    plain = "".join(typed.split()).lower()
    if plain and len(plain) < LEAST_OF_DIGEST:
        raise ValueError(f"a digest needs at least {LEAST_OF_DIGEST} characters")
    return plain
