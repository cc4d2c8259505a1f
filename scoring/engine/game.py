"""Games 局, sets 盘 and timed play: when they end, and who is made pig or wins (docs/rules.md §5).

Works on amounts per side and deal, whatever a side is (a seat, a pair, a team). May not know: cards, clocks
(being out of time is told to it), I/O.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Final

from scoring.engine.faults import Fault, RulesetError, fault
from scoring.engine.ruleset import Ruleset

Amount = int | Fraction
Amounts = Mapping[str, Amount]

KINDS: Final = ("game", "set", "time")

#: Number fields of a plan: name → (lowest, highest, may be empty).
_NUMBERS: Final[Mapping[str, tuple[int, int, bool]]] = {
    "lose_line": (-1_000_000, -1, True),
    "win_line": (1, 1_000_000, True),
    "best_of": (1, 99, False),
    "deals": (1, 200, False),
    "minutes": (1, 1440, True),
}
_FLAGS: Final = ("inclusive", "double_pig", "penalties_count", "finish_current_deal")


@dataclass(frozen=True, slots=True)
class GamePlan:
    """How long one round 轮 lasts.

    ``game``: games to a line, the best of `best_of`. ``set``: `deals` deals. ``time``: `minutes` minutes, in
    which games to a line follow each other; `finish_current_deal` says whether the deal begun counts.
    `lose_line` and `win_line` are in points, None where there is no such line; `inclusive`: reaching a line
    is enough. `double_pig` 双猪: lowest and highest are both made pig. `penalties_count`: penalties can end a
    game.
    """

    kind: str = "game"
    lose_line: int | None = -1000
    win_line: int | None = 1000
    inclusive: bool = True
    best_of: int = 1
    deals: int = 16
    minutes: int | None = None
    finish_current_deal: bool = True
    double_pig: bool = False
    penalties_count: bool = False

    def __post_init__(self) -> None:
        faults = list(_plan_faults(self))
        if faults:
            raise RulesetError(faults)

    @classmethod
    def from_dict(cls, plan: Mapping[str, Any], ruleset: Ruleset | None = None) -> "GamePlan":
        """Make a plan from what is stated; lines and their like come from the ruleset where `plan` is silent.

        Raises RulesetError with every fault.
        """
        known = {one.name for one in fields(cls)}
        faults = [fault("ruleset_unknown_field", field=name) for name in plan if name not in known]
        values: dict[str, Any] = {}
        if ruleset is not None:
            values.update(
                lose_line=ruleset.lose_line,
                win_line=ruleset.win_line,
                inclusive=ruleset.lines_inclusive,
                deals=ruleset.set_deals,
                double_pig=ruleset.double_pig,
                penalties_count=ruleset.penalties_count_towards_lines,
            )
        values.update({name: value for name, value in plan.items() if name in known})
        try:
            made = cls(**values)
        except RulesetError as error:
            raise RulesetError([*faults, *error.faults]) from error
        if faults:
            raise RulesetError(faults)
        return made

    def to_dict(self) -> dict[str, Any]:
        """Return every field, ready for JSON; `from_dict` reverses it."""
        return {one.name: getattr(self, one.name) for one in fields(self)}


def _plan_faults(plan: GamePlan) -> Iterable[Fault]:
    if plan.kind not in KINDS:
        yield fault("ruleset_choice", field="kind", choices=", ".join(KINDS))
    for name, (low, high, optional) in _NUMBERS.items():
        value = getattr(plan, name)
        if value is None and optional:
            continue
        if not isinstance(value, int) or isinstance(value, bool):
            yield fault("ruleset_wrong_type", field=name, expected="a whole number")
        elif not low <= value <= high:
            yield fault("ruleset_range", field=name, low=low, high=high)
    for name in _FLAGS:
        if not isinstance(getattr(plan, name), bool):
            yield fault("ruleset_wrong_type", field=name, expected="true or false")
    if plan.kind == "game" and plan.lose_line is None and plan.win_line is None:
        yield fault("ruleset_lines", field="lose_line", other="win_line")
    if plan.kind == "time" and plan.minutes is None:
        yield fault("missing_field", field="minutes")


@dataclass(frozen=True, slots=True)
class Penalty:
    """Penalty points 罚分 of a side: below 0 they cost, above 0 they give.

    `after_deal` is the deal of the round (from 1) they belong to, None for the round as a whole, which adds
    them at its end.
    """

    side: str
    points: Amount
    after_deal: int | None = None


@dataclass(frozen=True, slots=True)
class GameState:
    """A game, set or timed play so far.

    `first_deal` and `last_deal` number its deals within the round from 1 (`last_deal` is one less than
    `first_deal` before any). `played` are the deals' totals, `totals` those with penalties. `ended_by` is
    ``lose_line``, ``win_line``, ``both_lines``, ``deals``, ``time`` or None. `pigs` are the sides made pig
    当猪; `winners` those with the highest total of the others, several where they share it (then `draw`).
    `ranking` groups all sides from best to worst; equal ones stand together. Winners and pigs are empty until
    the game has ended.
    """

    first_deal: int
    last_deal: int
    played: Amounts
    totals: Amounts
    ended_by: str | None = None
    pigs: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()
    ranking: tuple[tuple[str, ...], ...] = ()

    @property
    def finished(self) -> bool:
        """Whether the game has ended."""
        return self.ended_by is not None

    @property
    def draw(self) -> bool:
        """Whether several sides share the win."""
        return len(self.winners) > 1

    @property
    def deals(self) -> int:
        """How many deals were played."""
        return self.last_deal - self.first_deal + 1


@dataclass(frozen=True, slots=True)
class RoundState:
    """All games of a round so far, the last possibly unfinished, and what they add up to.

    `wins` counts games won, a shared win in equal parts. `finished`: nothing more is to be played.
    `surplus` is the number of deals recorded after the end, which do not count.
    """

    games: tuple[GameState, ...]
    totals: Amounts
    wins: Mapping[str, Fraction]
    finished: bool
    surplus: int = 0

    def game_of(self, deal: int) -> int | None:
        """Return the number (from 1) of the game a deal of the round (from 1) belongs to, None if surplus."""
        for number, game in enumerate(self.games, start=1):
            if game.first_deal <= deal <= game.last_deal:
                return number
        return None


def round_state(
    deals: Sequence[Amounts],
    plan: GamePlan,
    *,
    sides: Sequence[str] | None = None,
    penalties: Sequence[Penalty] = (),
    stopped: bool = False,
) -> RoundState:
    """Return the state of a round from its valid deals in the order played, alone.

    Which game a deal belongs to follows from the deals before it. `sides` need be given only before the first
    deal. `stopped`: time is up (or the referee ended play), and what stands counts. Raises ValueError where
    deals or penalties name other sides.
    """
    names = _sides(deals, sides, penalties)
    games: list[GameState] = []
    first = 1
    while True:
        game = _one_game(deals, first, plan, names, penalties, stopped)
        games.append(game)
        if not game.finished or game.last_deal < game.first_deal:
            break
        if _decided(games, plan, names, stopped and game.last_deal == len(deals)):
            break
        first = game.last_deal + 1
        if stopped and first > len(deals):
            break
    games = _with_late_penalties(games, plan, penalties)
    counted = games[-1].last_deal
    finished = games[-1].finished and (
        (stopped and counted == len(deals)) or _decided(games, plan, names, False)
    )
    totals = {side: sum((game.totals[side] for game in games), start=0) for side in names}
    return RoundState(tuple(games), totals, _wins(games, names), finished, len(deals) - counted)


def game_state(
    deals: Sequence[Amounts],
    plan: GamePlan,
    *,
    sides: Sequence[str] | None = None,
    penalties: Sequence[Penalty] = (),
    stopped: bool = False,
) -> GameState:
    """Return the state of the first game (or the set) that `deals` are of; later deals are left alone.

    Arguments as for `round_state`.
    """
    names = _sides(deals, sides, penalties)
    game = _one_game(deals, 1, plan, names, penalties, stopped)
    return _with_late_penalties([game], plan, penalties)[0]


def _sides(
    deals: Sequence[Amounts], sides: Sequence[str] | None, penalties: Sequence[Penalty]
) -> tuple[str, ...]:
    names = tuple(sides) if sides is not None else tuple(deals[0]) if deals else ()
    for deal in deals:
        if set(deal) != set(names):
            raise ValueError(f"a deal of the sides {sorted(deal)} among deals of {sorted(names)}")
    for one in penalties:
        if names and one.side not in names:
            raise ValueError(f"a penalty for {one.side}, who does not play here")
    return names


def _one_game(  # noqa: PLR0917
    deals: Sequence[Amounts],
    first: int,
    plan: GamePlan,
    names: tuple[str, ...],
    penalties: Sequence[Penalty],
    stopped: bool,
) -> GameState:
    """Play through the deals from number `first` until a game's end."""
    played: dict[str, Amount] = dict.fromkeys(names, 0)
    last = first - 1
    ended_by: str | None = None
    for number in range(first, len(deals) + 1):
        last = number
        for side in names:
            played[side] += deals[number - 1][side]
        ended_by = _end(plan, _counted(plan, played, penalties, first, number), number - first + 1)
        if ended_by:
            break
    if ended_by is None and stopped:
        ended_by = "time"
    totals = _with(played, [one for one in penalties if one.after_deal and first <= one.after_deal <= last])
    return _judged(GameState(first, last, played, totals, ended_by), plan)


def _counted(
    plan: GamePlan, played: Amounts, penalties: Sequence[Penalty], first: int, number: int
) -> Amounts:
    """Return what is compared with the lines after a deal."""
    if not plan.penalties_count:
        return played
    return _with(played, [one for one in penalties if one.after_deal and first <= one.after_deal <= number])


def _with(amounts: Amounts, penalties: Sequence[Penalty]) -> dict[str, Amount]:
    totals = dict(amounts)
    for one in penalties:
        totals[one.side] = totals.get(one.side, 0) + one.points
    return totals


def _end(plan: GamePlan, amounts: Amounts, deals: int) -> str | None:
    if plan.kind == "set":
        return "deals" if deals >= plan.deals else None
    low = any(_at_low(plan, value) for value in amounts.values())
    high = any(_at_high(plan, value) for value in amounts.values())
    if low and high:
        return "both_lines"
    return "lose_line" if low else "win_line" if high else None


def _at_low(plan: GamePlan, value: Amount) -> bool:
    line = plan.lose_line
    return line is not None and (value <= line if plan.inclusive else value < line)


def _at_high(plan: GamePlan, value: Amount) -> bool:
    line = plan.win_line
    return line is not None and (value >= line if plan.inclusive else value > line)


def _judged(game: GameState, plan: GamePlan) -> GameState:
    """Say who is made pig and who wins, from the totals with penalties."""
    totals = game.totals
    values = sorted(set(totals.values()), reverse=True)
    ranking = tuple(tuple(side for side in totals if totals[side] == value) for value in values)
    pigs: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()
    if game.finished and ranking:
        if plan.kind != "set" and _at_low(plan, values[-1]):
            pigs = ranking[-1]
        # 双猪 needs somebody between: with two sides it would leave no winner.
        if plan.kind != "set" and plan.double_pig and game.ended_by != "time" and len(ranking) > 2:
            pigs = (*ranking[0], *ranking[-1])
        rest = [group for group in ranking if not set(group) & set(pigs)] or [ranking[0]]
        winners = rest[0]
    return GameState(
        game.first_deal, game.last_deal, game.played, totals, game.ended_by, pigs, winners, ranking
    )


def _with_late_penalties(
    games: list[GameState], plan: GamePlan, penalties: Sequence[Penalty]
) -> list[GameState]:
    """Add to the last game the penalties that belong to no deal of these games."""
    last = games[-1]
    late = [one for one in penalties if one.after_deal is None or one.after_deal > last.last_deal]
    if not late:
        return games
    totals = _with(last.totals, late)
    ended_by = last.ended_by
    if ended_by is None and plan.penalties_count and plan.kind != "set":
        ended_by = _end(plan, totals, last.deals)
    changed = GameState(last.first_deal, last.last_deal, last.played, totals, ended_by)
    return [*games[:-1], _judged(changed, plan)]


def _wins(games: Sequence[GameState], names: tuple[str, ...]) -> dict[str, Fraction]:
    wins = dict.fromkeys(names, Fraction(0))
    for game in games:
        for side in game.winners:
            wins[side] += Fraction(1, len(game.winners))
    return wins


def _decided(games: Sequence[GameState], plan: GamePlan, names: tuple[str, ...], out_of_time: bool) -> bool:
    """Tell whether no further game is to be played: all are, or the leader cannot be caught."""
    if out_of_time or plan.kind == "set":
        return True
    if plan.kind == "time":
        return False
    finished = sum(game.finished for game in games)
    wins = sorted(_wins(games, names).values(), reverse=True)
    lead = wins[0] - wins[1] if len(wins) > 1 else Fraction(0)
    return finished >= plan.best_of or lead > plan.best_of - finished


__all__ = ["Amounts", "GamePlan", "GameState", "Penalty", "RoundState", "game_state", "round_state"]
