"""Events in play, stored as the facts that the services would leave: for tests of what reads them."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import count
from random import Random
from typing import Any

from referee.models import Deal, DealCheck, DealVersion, Penalty
from referee.services.records import answer_of
from scoring.engine import DealRecord, score_deal
from scoring.engine.cards import FOUR_SEATS, KEY_CARDS, SCORING_CARDS
from scoring.models import RulesetBook, RulesetVersion
from scoring.rulesets import load
from tournament.models import (
    Bye,
    Draw,
    Entry,
    EntryResult,
    Event,
    Match,
    MatchSide,
    Player,
    Round,
    Seat,
    Stage,
    Table,
    Tournament,
)

_serial = count(1)


def played_event(
    names: Sequence[str],
    *,
    kind: str = Event.Kind.INDIVIDUAL,
    measure: str = Event.Measure.POINTS,
    rounds: int = 3,
    clubs: Sequence[str] = (),
    ruleset: str = "huapai",
    **fields: Any,
) -> Event:
    """A started event with entries of these names and its rounds, none of them drawn."""
    number = next(_serial)
    book, _ = RulesetBook.objects.get_or_create(key=ruleset, defaults={"shipped": True})
    version, _ = RulesetVersion.objects.get_or_create(
        book=book, number=1, defaults={"data": load(ruleset).to_dict()}
    )
    tournament = fields.pop("tournament", None) or Tournament.objects.create(
        name=f"第{number}届华牌赛", slug=f"played-{number}"
    )
    event = Event.objects.create(
        **{
            "tournament": tournament,
            "name": "个人赛",
            "slug": f"event-{number}",
            "kind": kind,
            "measure": measure,
            "plan": {"kind": "set", "deals": 16},
            "planned_rounds": rounds,
            "ruleset_version": version,
            "state": Event.State.STARTED,
            **fields,
        }
    )
    stage = Stage.objects.create(event=event)
    for round_number in range(1, rounds + 1):
        Round.objects.create(event=event, stage=stage, number=round_number)
    for place, name in enumerate(names, start=1):
        club = clubs[(place - 1) % len(clubs)] if clubs else ""
        entry = Entry.objects.create(event=event, number=place, name=name, club=club)
        members = [name] if event.entry_size == 1 else [f"{name}{n}" for n in "甲乙丙丁"[: event.entry_size]]
        for seat, member in enumerate(members, start=1):
            Player.objects.create(entry=entry, place=seat, name=member)
    return event


def drawn_round(event: Event, number: int = 1, *, seed: int = 1, byes: int = 0) -> Draw:
    """A published draw of a round: tables of four singles, or two pairs; the last entries sit out."""
    round = event.rounds.get(number=number)
    draw = Draw.objects.create(round=round, number=1, state=Draw.State.PUBLISHED, method="random", seed=seed)
    Round.objects.filter(pk=round.pk).update(state=Round.State.PLAYING)
    entries = list(event.entries.filter(status=Entry.Status.ACTIVE).prefetch_related("players"))
    for entry in entries[len(entries) - byes :]:
        Bye.objects.create(draw=draw, entry=entry, points=50, reason="")
    entries = entries[: len(entries) - byes]
    Random(seed).shuffle(entries)
    size = 4 if event.entry_size == 1 else 2
    for place in range(0, len(entries), size):
        sides = entries[place : place + size]
        match = Match.objects.create(draw=draw, number=place // size + 1)
        table = Table.objects.create(draw=draw, match=match, number=place // size + 1)
        for position, entry in enumerate(sides, start=1):
            MatchSide.objects.create(match=match, position=position, entry=entry)
        players = (
            [(entry, entry.players.all()[0]) for entry in sides]
            if size == 4
            else [(entry, entry.players.all()[k]) for k in (0, 1) for entry in sides]
        )
        for order, ((entry, player), direction) in enumerate(zip(players, FOUR_SEATS, strict=True), start=1):
            Seat.objects.create(table=table, direction=direction, order=order, entry=entry, player=player)
    return draw


def random_record(random: Random, mode: str = "individual") -> dict[str, Any]:
    """A valid record: who took, held and exposed what, by chance."""
    captures: dict[str, list[str]] = {seat: [] for seat in FOUR_SEATS}
    lucky = random.choice(FOUR_SEATS)
    for one in SCORING_CARDS:
        captures[lucky if random.random() < 0.4 else random.choice(FOUR_SEATS)].append(one)
    held = {one: random.choice(FOUR_SEATS) for one in KEY_CARDS}
    exposed = [
        {"card": one, "seat": held[one], "kind": "exposed"}
        for one in KEY_CARDS
        if mode != "pig_sheep" and random.random() < 0.25
    ]
    return {"mode": mode, "captures": captures, "exposed": exposed, "held": held}


def played_deal(
    table: Table, number: int, *, seed: int = 0, checked: bool = True, record: Any = None
) -> DealVersion:
    """One more deal at the table, recorded and, unless told otherwise, checked; results follow."""
    event = table.draw.round.event
    version = event.ruleset_version
    record = record or random_record(Random(f"{table.pk}/{number}/{seed}"), event.scoring_mode)
    parsed = DealRecord.from_json(record)
    deal, _ = Deal.objects.get_or_create(
        table=table, number=number, defaults={"order": number, "dealing": number}
    )
    stored = DealVersion.objects.create(
        deal=deal,
        number=deal.versions.count() + 1,
        record=parsed.to_json(),
        answer=answer_of(score_deal(parsed, version.ruleset())),
        ruleset_version=version,
    )
    if checked:
        DealCheck.objects.create(version=stored, relation=DealCheck.Relation.NEXT, seat="W")
    update_results(table)
    return stored


def update_results(table: Table, *, complete: bool = False) -> None:
    """Stored results of a table from all its recorded deals."""
    event = table.draw.round.event
    seats = {seat.direction: seat.entry for seat in table.seats.select_related("entry")}
    sums: dict[int, Fraction] = defaultdict(Fraction)
    deals = checked = 0
    for deal in table.deals.all():
        latest = deal.versions.order_by("-number").first()
        if latest is None or latest.state != DealVersion.State.RECORDED:
            continue
        deals += 1
        checked += hasattr(latest, "check_row")
        for pk, value in {seats[d].pk: Fraction(v) for d, v in latest.answer["credited"].items()}.items():
            sums[pk] += value
    total = sum(sums.values(), Fraction(0))
    for entry in set(seats.values()):
        own = sums[entry.pk]
        others = total - own
        EntryResult.objects.update_or_create(
            table=table,
            entry=entry,
            defaults={
                "round": table.draw.round,
                "points": own,
                "opponents_points": others if len(sums) == 2 else 0,
                "value": own - others if event.measure == Event.Measure.DIFFERENCE else own,
                "deals": deals,
                "checked_deals": checked,
                "complete": complete,
            },
        )


def played_round(
    event: Event, number: int = 1, *, deals: int = 4, complete: bool = True, **draw: Any
) -> Draw:
    """A drawn round whose tables have all played so many checked deals."""
    drawn = drawn_round(event, number, **draw)
    for table in drawn.tables.all():
        for deal in range(1, deals + 1):
            played_deal(table, deal)
        update_results(table, complete=complete)
    return drawn


def given_penalty(entry: Entry, points: int = -10, *, round_number: int = 1, **fields: Any) -> Penalty:
    """A penalty of a round."""
    return Penalty.objects.create(
        event=entry.event,
        round=entry.event.rounds.get(number=round_number),
        entry=entry,
        points=points,
        **{"rule": "迟到", "reason": "迟到五分钟", **fields},
    )
