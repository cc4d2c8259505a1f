"""The formats in which a round can be drawn: one registry, so that a further format is one more entry here.

A format turns the inputs and a seed into a draw, with the pure generators of tournament.pairing; it knows
nothing of tables in the store.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext_lazy as _

from tournament.models import Event
from tournament.pairing.four import draw_random_four
from tournament.pairing.model import Draw, Entrant, PairingError
from tournament.pairing.movement import rounds_without_repeat
from tournament.pairing.options import OddAnswer, OddOption, odd_options
from tournament.pairing.random_sides import draw_random_sides
from tournament.pairing.round_robin import rounds_needed
from tournament.queries import draw_brackets, draw_groups, draw_plans, draw_swiss_rounds
from tournament.queries.draw_inputs import DrawInputs, StageInputs
from tournament.queries.format_options import Count, Flag, FormatOption

Generator = Callable[[DrawInputs, int], Draw]
Options = Mapping[str, Any]

TWO_SIDED = frozenset({Event.Kind.PAIRS, Event.Kind.TEAMS})
OF_FOUR = frozenset({Event.Kind.INDIVIDUAL, Event.Kind.CHANGING, Event.Kind.PIG_SHEEP})

_BY_PLAN = frozenset({"bye_again", "byes_fill_a_table"})
_REPEAT = frozenset({"repeat"})


@dataclass(frozen=True)
class Format:
    """One way to draw the rounds of a stage.

    ``generators`` by event kind. ``needs_results``: earlier rounds must be closed before. ``by_points``:
    equals meet. ``begin`` fixes with the stage's first draw what the later ones go by; ``planned``
    formats go by nothing else, so all their rounds can be drawn at once. ``out`` names those who no longer
    play: the format eliminates. ``stage_history``: meetings and sit-outs of earlier stages do not matter.
    ``rounds`` tells how many rounds a field of so many takes, 0 where it cannot be drawn so; None for the
    format: as many as wished. ``seats_field``: the organiser chooses what is done with a field that does not
    fill the tables; otherwise the plan says who sits out. ``nobody_rests``: to sit out is no
    answer. ``by_design`` are what the checker may find because the format means it so. ``clubs_apart``:
    whether keeping clubs apart means anything, which it does not where everybody meets everybody.
    """

    key: str
    title: Any
    help: Any
    generators: Mapping[str, Generator]
    needs_results: bool = False
    by_points: bool = False
    planned: bool = False
    begin: Callable[[DrawInputs, int], StageInputs] | None = None
    out: Callable[[tuple[Entrant, ...], StageInputs, int], frozenset[int]] | None = None
    stage_history: bool = False
    options: tuple[FormatOption, ...] = ()
    rounds: Callable[[int, Options], int] | None = None
    by_design: Callable[[DrawInputs], frozenset[str]] | None = None
    seats_field: bool = True
    nobody_rests: bool = False
    clubs_apart: bool = True

    @property
    def kinds(self) -> frozenset[str]:
        return frozenset(self.generators)

    @property
    def fixes_positions(self) -> bool:
        return self.begin is not None

    @property
    def eliminates(self) -> bool:
        return self.out is not None

    @property
    def option_names(self) -> frozenset[str]:
        return frozenset(one.name for one in self.options)


def _random_four(inputs: DrawInputs, seed: int) -> Draw:
    return draw_random_four(
        inputs.entrants,
        inputs.history,
        round=inputs.round,
        constraints=inputs.constraints,
        answer=inputs.answer,
        seed=seed,
    )


def _random_sides(inputs: DrawInputs, seed: int) -> Draw:
    return draw_random_sides(
        inputs.entrants,
        inputs.history,
        round=inputs.round,
        constraints=inputs.constraints,
        seed=seed,
        planned_rounds=inputs.planned_rounds,
    )


def _places(
    positions: Callable[[DrawInputs, int], tuple[int, ...]],
) -> Callable[[DrawInputs, int], StageInputs]:
    """A beginning that gives each entry its place in the plan."""
    return lambda inputs, seed: replace(inputs.stage, positions=positions(inputs, seed))


def _repeats_planned(inputs: DrawInputs) -> frozenset[str]:
    """A movement longer than its field allows without repeats has them in its plan."""
    unavoidable = 3 * inputs.stage.rounds > max(len(inputs.stage.positions) - 1, 0)
    return _REPEAT if unavoidable else frozenset()


def _berger_by_design(inputs: DrawInputs) -> frozenset[str]:
    return _BY_PLAN | (_REPEAT if inputs.stage.options.get("double") else frozenset())


def _everybody_by_design(inputs: DrawInputs) -> frozenset[str]:
    """Those of one club meet as well, in whichever round."""
    return _berger_by_design(inputs) | {"club"}


_BEST_OF = (
    Count(
        "best_of",
        _("A match is best of … rounds"),
        1,
        9,
        1,
        help=_("1: each match is played in one round. 3: until one side has won two rounds."),
        odd=True,
    ),
    Count("best_of_final", _("The final is best of … rounds"), 1, 9, 1, odd=True),
)

FORMATS: Mapping[str, Format] = {
    one.key: one
    for one in (
        Format(
            key="random",
            title=_("by lot"),
            help=_("Each round is drawn by lot, as few as possible meeting again."),
            generators={
                **dict.fromkeys(OF_FOUR, _random_four),
                **dict.fromkeys(TWO_SIDED, _random_sides),
            },
        ),
        Format(
            key="swiss",
            title=_("Swiss"),
            help=_("Those with equal points meet; nobody meets again while it can be avoided."),
            generators={
                **dict.fromkeys(OF_FOUR, draw_swiss_rounds.swiss_four),
                **dict.fromkeys(TWO_SIDED, draw_swiss_rounds.swiss_sides),
            },
            needs_results=True,
            by_points=True,
            options=(draw_swiss_rounds.FIRST_ROUND,),
        ),
        Format(
            key="movement",
            title=_("planned movement"),
            help=_("All rounds are planned at once so that any two meet as seldom as can be."),
            generators={
                Event.Kind.INDIVIDUAL: draw_plans.movement,
                **dict.fromkeys(OF_FOUR - {Event.Kind.INDIVIDUAL}, draw_plans.movement_of_fours),
            },
            planned=True,
            begin=_places(draw_plans.by_lot_and_wishes),
            stage_history=True,
            by_design=_repeats_planned,
        ),
        Format(
            key="whist",
            title=_("whist movement"),
            help=_("Everybody is everybody's partner once and everybody's opponent twice."),
            generators={Event.Kind.CHANGING: draw_plans.whist},
            planned=True,
            begin=_places(draw_plans.whist_positions),
            stage_history=True,
            rounds=lambda entries, options: draw_plans.whist_rounds(entries),
            by_design=lambda inputs: _REPEAT,
        ),
        Format(
            key="round_robin",
            title=_("round robin"),
            help=_("Everybody meets everybody, in the order of Berger's tables."),
            generators=dict.fromkeys(TWO_SIDED, draw_plans.round_robin),
            planned=True,
            begin=_places(draw_plans.seeds_first),
            stage_history=True,
            options=(
                Flag("double", _("Twice round"), _("Every match is played again, with sides exchanged.")),
            ),
            rounds=lambda entries, options: rounds_needed(entries, double=options.get("double", False)),
            by_design=_everybody_by_design,
            seats_field=False,
            clubs_apart=False,
        ),
        Format(
            key="groups",
            title=_("groups"),
            help=_("Several round robins side by side; the first of each group go on to the next stage."),
            generators=dict.fromkeys(TWO_SIDED, draw_groups.group_round),
            planned=True,
            begin=draw_groups.begin_groups,
            stage_history=True,
            options=(
                Count("groups", _("Groups"), 2, 64, 2),
                Flag("double", _("Twice round"), _("Every match is played again, with sides exchanged.")),
            ),
            rounds=draw_groups.group_rounds,
            by_design=_berger_by_design,
            seats_field=False,
        ),
        Format(
            key="knockout",
            title=_("knock-out"),
            help=_(
                "Who loses is out. Seeds meet late; the best seeds go through where the bracket is not full."
            ),
            generators=dict.fromkeys(TWO_SIDED, draw_brackets.draw_bracket),
            needs_results=True,
            begin=_places(draw_brackets.seeding),
            out=draw_brackets.out_of_bracket,
            stage_history=True,
            options=(
                Flag("third_place", _("Match for third place"), default=True),
                *_BEST_OF,
            ),
            rounds=draw_brackets.rounds_single,
            by_design=lambda inputs: _BY_PLAN | _REPEAT,
            seats_field=False,
        ),
        Format(
            key="double_elimination",
            title=_("double elimination"),
            help=_("Who loses twice is out."),
            generators=dict.fromkeys(TWO_SIDED, draw_brackets.draw_bracket),
            needs_results=True,
            begin=_places(draw_brackets.seeding),
            out=draw_brackets.out_of_bracket,
            stage_history=True,
            options=(
                Flag(
                    "decider",
                    _("Second final"),
                    _(
                        "If the one from the losers' bracket wins the final, both have lost once: "
                        "they play again."
                    ),
                    default=True,
                ),
                *_BEST_OF,
            ),
            rounds=draw_brackets.rounds_double,
            by_design=lambda inputs: _BY_PLAN | _REPEAT,
            seats_field=False,
        ),
        Format(
            key="heats",
            title=_("heats to a final"),
            help=_(
                "The first of each table go on, and the best of the rest, until four are left for the final."
            ),
            generators=dict.fromkeys(OF_FOUR, draw_groups.draw_heat),
            needs_results=True,
            begin=draw_groups.begin_heats,
            out=draw_groups.out_of_heats,
            options=(Count("first", _("Of each table go on at least"), 1, 3, 2),),
            rounds=draw_groups.heat_rounds,
            by_design=lambda inputs: _REPEAT,
            nobody_rests=True,
        ),
    )
}


def formats_for(kind: str) -> tuple[Format, ...]:
    """The formats that an event of this kind can be played in."""
    return tuple(one for one in FORMATS.values() if kind in one.kinds)


def answers_for(kind: str, format_key: str) -> tuple[OddAnswer, ...]:
    """How a field that does not fill the tables may be seated. Only individuals play by three or five."""
    possible = tuple(OddAnswer) if kind == Event.Kind.INDIVIDUAL else (OddAnswer.BYES, OddAnswer.HOUSE)
    rests = not FORMATS[format_key].nobody_rests
    return tuple(one for one in possible if rests or one is not OddAnswer.BYES)


def seating_options(kind: str, format_key: str, present: int) -> tuple[OddOption, ...]:
    """The possible answers for a field of so many, side by side; none where it fills the tables, or where the
    plan of the format says what is done.
    """
    if not FORMATS[format_key].seats_field:
        return ()
    if kind in TWO_SIDED:
        if present % 2 == 0 or present < 2:
            return ()
        matches = present // 2
        return (
            OddOption(OddAnswer.BYES, (2,) * matches, byes=1),
            OddOption(OddAnswer.HOUSE, (2,) * (matches + 1), house_players=1),
        )
    return tuple(one for one in odd_options(present) if one.answer in (None, *answers_for(kind, format_key)))


def generate(format_key: str, kind: str, inputs: DrawInputs, seed: int) -> Draw:
    """Draws a round. Raises PairingError when these inputs cannot be drawn, KeyError for an unknown
    format.
    """
    return FORMATS[format_key].generators[kind](inputs, seed)


def with_positions(format_key: str, inputs: DrawInputs, seed: int) -> DrawInputs:
    """The inputs with the plan's positions fixed, where the format has a plan and this draw begins it."""
    form = FORMATS[format_key]
    if form.begin is None or inputs.stage.positions:
        return inputs
    stage = replace(form.begin(inputs, seed), seed=seed, answer=inputs.answer)
    return replace(inputs, stage=stage)


def somebody_rests(format_key: str, kind: str, inputs: DrawInputs) -> bool:
    """Whether the plan of a format leaves somebody without a game in the round to be drawn.

    Who it is may depend on the seed, whether anybody is does not. Where these inputs cannot be drawn it is
    not known, and taken to be so.
    """
    try:
        return bool(generate(format_key, kind, with_positions(format_key, inputs, 0), 0).byes)
    except PairingError:
        return True


def movement_fits(format_key: str, kind: str, entries: int, rounds: int) -> bool:
    """Whether a planned movement would spare so many rounds the repeats that this format may have.

    Drawn round by round, the last rounds have few strangers left to choose from: from about three quarters of
    all possible opponents on a Swiss draw cannot avoid repeats any more, where a design still has none.
    """
    if kind not in FORMATS["movement"].kinds or format_key not in ("swiss", "random") or rounds < 2:
        return False
    tight = 4 * rounds > entries - 1
    return tight and rounds <= rounds_without_repeat(entries)


def eliminated(
    format_key: str, entrants: Iterable[Entrant], stage: StageInputs, round_number: int
) -> frozenset[int]:
    """Ids of those who do not play in a round because of how the stage went."""
    form = FORMATS[format_key]
    return form.out(tuple(entrants), stage, round_number) if form.out else frozenset()


def by_design(format_key: str, inputs: DrawInputs) -> frozenset[str]:
    """Codes of what the checker may find without anything being wrong."""
    form = FORMATS[format_key]
    return form.by_design(inputs) if form.by_design else frozenset()
