"""A bracket, groups or heats as their page shows them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from tournament.models import Draw, Entry, Match, MatchDecision, Stage
from tournament.pairing.bracket import Section
from tournament.pairing.knockout import MatchState, Status
from tournament.queries.bracket_names import section_title
from tournament.queries.draw_brackets import Standing


@dataclass(frozen=True)
class SideView:
    """One side of a match: the entry if it is known, games won, and whether it won the match."""

    entry: Entry | None
    won: int
    winner: bool
    nobody: bool


@dataclass(frozen=True)
class BoxView:
    """A match of the bracket; ``state`` is its status, or undecided."""

    name: str
    state: str
    sides: tuple[SideView, SideView]
    best_of: int


@dataclass(frozen=True)
class ColumnView:
    """A round of a section."""

    title: str
    boxes: tuple[BoxView, ...]


@dataclass(frozen=True)
class SectionView:
    """A part of the bracket: the main one, the losers' one, the finals."""

    title: str
    columns: tuple[ColumnView, ...]


def sections(standing: Standing, entries: Mapping[int, Entry]) -> list[SectionView]:
    """The bracket as columns of boxes."""
    states = list(standing.state.matches.values())
    undecided = {one.match.id for one in standing.undecided}
    double = standing.state.bracket.double
    first = (Section.MAIN,) if double else (Section.MAIN, Section.FINAL)
    main = [one for one in states if one.match.section in first]
    losers = [one for one in states if one.match.section is Section.LOSERS]
    finals = [one for one in states if double and one.match.section in (Section.FINAL, Section.DECIDER)]
    third = [one for one in states if one.match.section is Section.THIRD_PLACE]
    made = [
        (_("Main bracket") if double else _("Bracket"), main),
        (_("Losers' bracket"), losers),
        (_("Finals"), finals),
        (_("Match for third place"), third),
    ]
    return [_section(title, part, entries, undecided) for title, part in made if part]


def _section(
    title: str, states: list[MatchState], entries: Mapping[int, Entry], undecided: set[str]
) -> SectionView:
    levels = sorted({(one.match.section is Section.DECIDER, one.match.level) for one in states})
    columns = []
    for level in levels:
        column = [one for one in states if _level(one) == level]
        first = column[0].match
        name = section_title(first.section, first.level, levels[-1][1])
        columns.append(ColumnView(name, tuple(_box(one, entries, undecided) for one in column)))
    return SectionView(title, tuple(columns))


def _level(one: MatchState) -> tuple[bool, int]:
    return one.match.section is Section.DECIDER, one.match.level


def _box(one: MatchState, entries: Mapping[int, Entry], undecided: set[str]) -> BoxView:
    done = one.status in (Status.DECIDED, Status.BYE, Status.VOID)
    sides = tuple(
        SideView(
            entries.get(who) if who is not None else None,
            won,
            who is not None and who == one.winner,
            who is None and done,
        )
        for who, won in zip(one.sides, one.won, strict=True)
    )
    state = "undecided" if one.match.id in undecided else one.status.value
    return BoxView(one.match.id, state, (sides[0], sides[1]), one.match.best_of)


def open_decisions(stage: Stage, standing: Standing, entries: Mapping[int, Entry]) -> list[dict[str, Any]]:
    """Matches whose outcome the organiser must, or did, decide: with their sides and what was decided."""
    wanted = {frozenset(who for who in one.sides if who is not None) for one in standing.undecided}
    published = Draw.objects.filter(round__stage=stage, state=Draw.State.PUBLISHED)
    last = published.order_by("-round__number").first()
    if last is None:
        return []
    decided = {one.match_id: one for one in MatchDecision.objects.filter(match__draw=last)}
    found = []
    for match in Match.objects.filter(draw=last).prefetch_related("sides").order_by("number"):
        sides = [side.entry_id for side in match.sides.all()]
        decision = decided.get(match.pk)
        found.append(
            {
                "match": match,
                "sides": [entries[who] for who in sides],
                "decision": decision,
                "winner": entries.get(decision.winner_id) if decision else None,
                "needed": frozenset(sides) in wanted,
            }
        )
    return sorted(found, key=lambda one: (not one["needed"], one["match"].number))
