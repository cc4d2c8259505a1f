"""The form that draws a round asks what this draw needs, and names a better format while it can be chosen."""

import pytest

from tests.factories import make_event
from tests.pages import hidden_fields
from tests.played import played_event, played_round
from tournament.models import Draw, Event, Round
from tournament.services.audit import SYSTEM
from tournament.services.constraints import mark_absent
from tournament.services.draw import make_draw
from tournament.services.stages import StageData, configure_stage

pytestmark = pytest.mark.django_db


def staged(tournament, kind: str, entries: int, form: str, /, *, rounds: int = 3, **options) -> Event:
    event = make_event(kind, entries, tournament=tournament, slug="walked", planned_rounds=rounds)
    data = StageData(format=form, rounds=rounds, name="", options=options)
    configure_stage(actor=SYSTEM, stage=event.stages.get(number=1), data=data)
    return event


def form_page(organiser, round: int = 1) -> str:
    return organiser.get(f"/manage/t/cup/e/walked/rounds/{round}/draw/").content.decode()


@pytest.mark.parametrize(
    ("field", "options", "asked"),
    [
        ((Event.Kind.PAIRS, 6, "round_robin"), {}, False),
        ((Event.Kind.PAIRS, 7, "round_robin"), {}, True),
        ((Event.Kind.TEAMS, 8, "groups"), {"groups": 2}, False),
        ((Event.Kind.PAIRS, 6, "groups"), {"groups": 2}, True),  # two groups of three
        ((Event.Kind.PAIRS, 8, "knockout"), {}, False),
        ((Event.Kind.PAIRS, 6, "knockout"), {}, True),  # two go through
        ((Event.Kind.PAIRS, 6, "swiss"), {}, False),
        ((Event.Kind.PAIRS, 7, "swiss"), {}, True),
    ],
)
def test_the_score_for_sitting_out_is_asked_where_somebody_sits_out(
    organiser, tournament, field, options, asked
):
    staged(tournament, *field, **options)
    assert ('name="bye_points"' in form_page(organiser)) is asked


def test_it_is_asked_for_where_an_absence_leaves_somebody_without_an_opponent(organiser, tournament):
    event = staged(tournament, Event.Kind.PAIRS, 6, "round_robin", rounds=5)
    mark_absent(actor=SYSTEM, round=Round.objects.get(event=event, number=1), numbers=[2], reason="病")
    assert 'name="bye_points"' in form_page(organiser)


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ((16, 5, "swiss"), True),
        ((16, 5, "random"), True),
        ((40, 13, "swiss"), True),
        ((16, 5, "movement"), False),
        ((16, 3, "swiss"), False),  # strangers enough
        ((16, 6, "swiss"), False),  # no plan is without repeats either
        ((18, 5, "swiss"), False),
    ],
)
def test_a_movement_is_named_where_it_would_have_no_repeats_and_this_format_may(
    organiser, tournament, field, told
):
    entries, rounds, form = field
    staged(tournament, Event.Kind.INDIVIDUAL, entries, form, rounds=rounds)
    words = "In a planned movement nobody does"
    assert (words in form_page(organiser)) is told
    assert (words in organiser.get("/manage/t/cup/e/walked/stages/").content.decode()) is told


def test_a_movement_is_not_named_once_the_stage_is_drawn(organiser, tournament, send):
    staged(tournament, Event.Kind.INDIVIDUAL, 16, "swiss", rounds=5)
    page = "/manage/t/cup/e/walked/rounds/1/draw/"
    assert send(f"{page}make/", {"seed": "1"}, page=page).status_code == 302
    stages = organiser.get("/manage/t/cup/e/walked/stages/").content.decode()
    assert "In a planned movement nobody does" not in stages


def test_who_draws_second_is_told_and_shown_the_draw_of_the_first(organiser, tournament):
    staged(tournament, Event.Kind.INDIVIDUAL, 8, "random")
    page = "/manage/t/cup/e/walked/rounds/1/draw/"
    shown = [organiser.get(page).content.decode() for _ in range(2)]  # both open the form before either draws
    answers = [
        organiser.post(f"{page}make/", {**hidden_fields(one, f"{page}make/"), "seed": str(seed)}, follow=True)
        for seed, one in enumerate(shown, start=1)
    ]
    assert [answer.redirect_chain[-1][0] for answer in answers] == [page, page]
    assert Draw.objects.get(round__event__slug="walked").seed == 1
    second = answers[1].content.decode()
    assert "has a draw already" in second
    assert "seed 1" in second


def test_draw_of_a_bracket_says_where_in_it_each_match_is(organiser, tournament):
    event = staged(tournament, Event.Kind.PAIRS, 8, "knockout", rounds=9, best_of=3)
    make_draw(actor=SYSTEM, round=event.rounds.get(number=1))
    shown = form_page(organiser)
    assert shown.count("Quarter-finals · game 1 of at most 3") == 4


def test_a_draw_by_points_says_what_came_before_points(organiser, tournament):
    event = played_event([f"选手{n}" for n in range(16)], tournament=tournament, slug="walked")
    played_round(event)
    event.stages.update(format="swiss")
    Round.objects.filter(event=event, number=1).update(state=Round.State.CLOSED)
    draw = make_draw(actor=SYSTEM, round=Round.objects.get(event=event, number=2), seed=1)
    page = form_page(organiser, 2)
    assert "Tables filled by points alone would have a largest gap of" in page
    assert "pairs of such neighbours have met already" in page
    # Where nobody has met and all are equal, points need no excuse.
    assert draw.inputs["tables"]
    Draw.objects.filter(pk=draw.pk).update(inputs={**draw.inputs, "tables": [], "entrants": equal(draw)})
    assert "points alone" not in form_page(organiser, 2)


def equal(draw: Draw) -> list[dict]:
    return [{**one, "points": "0"} for one in draw.inputs["entrants"]]
