"""A rehearsal: figures in JSON, the same event from the same seed, and nothing left behind."""

import json
from collections import Counter, defaultdict
from fractions import Fraction
from io import StringIO
from itertools import combinations

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.test import override_settings

from tests.played import drawn_round, played_event
from tournament.models import Draw, Event
from tournament.rehearsal.figures import draw_figures
from tournament.rehearsal.plan import RehearsalPlan
from tournament.rehearsal.play import rehearse
from tournament.rehearsal.report import as_json
from tournament.rehearsal.scratch import scratch_database
from tournament.services.publish import pages_changed

pytestmark = pytest.mark.django_db

ASKED_FOR = {
    "entries",
    "rounds",
    "format",
    "repeats",
    "byes",
    "max_points_gap",
    "seat_spread",
    "club_clashes",
    "violations",
    "draw_seconds",
    "record_seconds",
    "standings_seconds",
    "export_seconds",
}


def _rehearse(**options):
    out = StringIO()
    call_command("rehearse", stdout=out, as_json=True, **{"deals": 1, **options})
    return json.loads(out.getvalue().splitlines()[-1]), out.getvalue()


def _rows():
    return {model._meta.label: model.objects.count() for model in apps.get_models()}


def test_rehearsal_of_individuals_reports_every_figure_and_leaves_nothing():
    before, site, receivers = _rows(), connections["default"], len(pages_changed.receivers)
    found, text = _rehearse(kind="individual", entries=16, rounds=2)
    assert found.keys() >= ASKED_FOR
    assert (found["entries"], found["rounds"], found["format"]) == (16, 2, "swiss")
    assert (found["repeats"], found["byes"], found["violations"]) == (0, 0, 0)
    assert found["deals"] == 8
    assert len(found["draw_seconds"]) == 2
    assert all(second > 0 for second in found["draw_seconds"])
    assert [row["rank"] for row in found["standings"]] == sorted(row["rank"] for row in found["standings"])
    assert {row["entry"] for row in found["standings"]} == set(range(1, 17))
    assert "2" in text.splitlines()[1]
    assert connections["default"] is site
    assert _rows() == before
    assert len(pages_changed.receivers) == receivers


def test_rehearsal_of_the_same_seed_is_the_same_event():
    (first, _), (again, _), (other, _) = (
        _rehearse(kind="individual", entries=8, rounds=2, seed=seed) for seed in (5, 5, 6)
    )
    assert first["standings"] == again["standings"]
    assert first["standings"] != other["standings"]


@pytest.mark.parametrize(
    ("kind", "entries", "form", "tables"), [("pairs", 5, "swiss", 2), ("teams", 4, "round_robin", 4)]
)
def test_rehearsal_of_two_sides_counts_byes_and_tables(kind, entries, form, tables):
    found, _ = _rehearse(kind=kind, entries=entries, rounds=2, format=form)
    assert found["byes"] == 2 * (entries % 2)
    assert found["deals"] == 2 * tables
    assert (found["repeats"], found["violations"]) == (0, 0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"entries": 2, "rounds": 3}, "3"),
        ({"entries": 8, "rounds": 0}, "60"),
        ({"entries": 8, "rounds": 2, "format": "round_robin"}, "swiss"),
        ({"kind": "pairs", "entries": 4, "rounds": 9, "format": "round_robin"}, "6"),
    ],
)
def test_rehearsal_that_cannot_be_played_is_refused(options, words):
    with pytest.raises(CommandError, match=words):
        _rehearse(**{"kind": "individual", **options})


def test_rehearsal_of_more_rounds_than_a_single_round_robin_is_a_double_one():
    found, _ = _rehearse(kind="pairs", entries=4, rounds=6, format="round_robin")
    assert (found["repeats"], found["violations"]) == (6, 0)


@pytest.mark.parametrize(
    ("entries", "rounds", "form", "deals"),
    [(3, 2, "swiss", 2), (3, 2, "movement", 2), (5, 2, "heats", 2)],
)
def test_rehearsal_of_a_field_that_cannot_be_seated_as_usual_takes_another_way(entries, rounds, form, deals):
    found, _ = _rehearse(kind="individual", entries=entries, rounds=rounds, format=form)
    assert (found["byes"], found["deals"]) == (0, deals)


def _recounted(event):
    """The figures of a rehearsed event, counted from its rows round by round, as one would by hand."""
    points, met, places = defaultdict(Fraction), Counter(), defaultdict(Counter)
    clubs = dict(event.entries.values_list("pk", "club"))
    gap = byes = clashes = 0
    for round in event.rounds.order_by("number"):
        draw = round.draws.get(state=Draw.State.PUBLISHED)
        for match in draw.matches.all():
            if event.kind == Event.Kind.INDIVIDUAL:
                seated = list(match.tables.get().seats.values_list("entry", "direction"))
            else:
                seated = list(match.sides.values_list("entry", "position"))
            for who, place in seated:
                places[who][place] += len(seated) in (2, 4)
            who = sorted(who for who, _ in seated)
            gap = max(gap, max(points[one] for one in who) - min(points[one] for one in who))
            met.update(combinations(who, 2))
            if round.number <= event.clubs_apart_rounds:
                clashes += sum(clubs[a] == clubs[b] != "" for a, b in combinations(who, 2))
        for bye in draw.byes.all():
            byes, points[bye.entry_id] = byes + 1, points[bye.entry_id] + bye.points
        for result in round.results.all():
            points[result.entry_id] += result.value
    names = {name for own in places.values() for name in own}
    spread = max(max(own.values()) - min(own[name] for name in names) for own in places.values())
    return {
        "repeats": sum(met.values()) - len(met),
        "byes": byes,
        "max_points_gap": gap,
        "seat_spread": spread,
        "club_clashes": clashes,
    }


@pytest.mark.parametrize(
    "plan",
    [
        RehearsalPlan(kind="individual", entries=12, rounds=4, seed=3, deals=1),
        RehearsalPlan(kind="individual", entries=16, rounds=6, format="movement", deals=1),
        RehearsalPlan(kind="pairs", entries=11, rounds=4, deals=1),
    ],
    ids=lambda plan: f"{plan.kind}-{plan.entries}-{plan.format}",
)
def test_figures_are_what_a_recount_of_the_rows_gives(plan):
    with scratch_database():
        found = as_json(rehearse(plan, lambda *told: None))
        counted = _recounted(Event.objects.get())
    assert {name: found[name] for name in counted} == counted
    assert len(found["draw_seconds"]) == plan.rounds
    assert found["deals"] == plan.rounds * (plan.entries // (4 if plan.kind == "individual" else 2))


def test_figures_count_meetings_beyond_the_first_and_uneven_seats():
    event = played_event([f"选手{n}" for n in range(8)], rounds=3)
    for number, seed in ((1, 1), (2, 1), (3, 1)):
        Draw.objects.filter(pk=drawn_round(event, number, seed=seed).pk).update(
            quality={"max_points_gap": "880/3", "club_clashes": 1, "violations": [{"code": "repeat"}]}
        )
    found = draw_figures(event)
    # The same two tables three times: six pairs at each, every one met twice too often.
    assert found.repeats == 2 * 6 * 2
    # Everybody sat three times in one direction and never in the others.
    assert found.seat_spread == 3
    assert (found.club_clashes, found.violations["repeat"]) == (3, 3)
    assert found.max_points_gap * 3 == 880


def test_figures_leave_withdrawn_draws_out():
    event = played_event([f"选手{n}" for n in range(8)], rounds=2)
    drawn_round(event, 1)
    Draw.objects.update(quality={"max_points_gap": 0, "club_clashes": 0, "violations": []})
    second = drawn_round(event, 2)
    second.quality, second.state = {"max_points_gap": 5}, Draw.State.WITHDRAWN
    second.save()
    found = draw_figures(event)
    assert (found.repeats, found.max_points_gap) == (0, 0)


def test_scratch_database_is_left_even_when_something_fails():
    site = connections["default"]
    event = played_event(["甲", "乙", "丙", "丁"])
    seen = []

    def fail():
        with scratch_database():
            seen.append((connection.settings_dict["NAME"], Event.objects.count()))
            raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError, match="on purpose"):
        fail()
    assert seen == [(":memory:", 0)]
    assert Event.objects.get() == event
    assert connections["default"] is site


@override_settings(CELERY_BROKER_URL="redis://localhost:1")
def test_rehearsal_prepares_no_page_of_the_site(monkeypatch):
    from tournament import tasks

    def called(*args):
        raise AssertionError("a page was to be prepared")

    monkeypatch.setattr(tasks.prepare_pages, "delay", called)
    found, _ = _rehearse(kind="individual", entries=4, rounds=1)
    assert found["deals"] == 1
