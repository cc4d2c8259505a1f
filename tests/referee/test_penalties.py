"""Penalties: given, cancelled, both on record; who may."""

import uuid
from fractions import Fraction
from typing import Any

import pytest

from referee.models import Penalty
from referee.presenting_rules import articles_json
from referee.queries import play_of
from referee.queries.catalogue import catalogue_of
from referee.services.penalties import cancel_penalty, give_penalty
from tests.referee.conftest import Hall, open_hall
from tournament.forms.penalty import PenaltyForm
from tournament.models import AuditRow, EntryResult, Round
from tournament.queries.penalty_units import counts_points
from tournament.queries.plans import event_terms
from tournament.services.errors import NotAllowed, Refused


def give(hall: Hall, **values: Any) -> Any:
    round_ = Round.objects.get(pk=hall.table.draw.round_id)
    seat = hall.table.seats.select_related("entry", "player").get(direction="N")
    values = {
        "actor": hall.referee,
        "event": hall.event,
        "round": round_,
        "entry": seat.entry,
        "player": seat.player,
        "table": hall.table,
        "rule": "迟到",
        "points": -50,
        "reason": "迟到十分钟",
        "command_id": uuid.uuid4(),
        **values,
    }
    return give_penalty(**values)


def cancel(hall: Hall, **values: Any) -> Any:
    values = {"actor": hall.referee, "reason": "弄错了人", "command_id": uuid.uuid4(), **values}
    return cancel_penalty(penalty=Penalty.objects.get(), **values)


def codes(refusal: Refused) -> set[str]:
    return {problem.code for problem in refusal.problems}


def test_penalty_is_stored_with_who_rule_points_and_reason(hall: Hall) -> None:
    outcome = give(hall)
    penalty = Penalty.objects.get()
    assert (penalty.rule, penalty.points, penalty.reason) == ("迟到", -50, "迟到十分钟")
    assert (penalty.given_by, penalty.entry_id) == (hall.referee.user, outcome.body["entry"])
    row = AuditRow.objects.get(action="penalty.give")
    assert (row.before, row.after["points"], row.reason) == (None, "-50", "迟到十分钟")


def test_penalty_same_command_twice_is_given_once(hall: Hall) -> None:
    command = uuid.uuid4()
    give(hall, command_id=command)
    assert give(hall, command_id=command).repeated
    assert Penalty.objects.count() == 1
    with pytest.raises(Refused) as refusal:
        give(hall, command_id=command, points=-60)
    assert refusal.value.code == "command_id_reused"


def test_penalty_names_every_fault(hall: Hall) -> None:
    with pytest.raises(Refused) as refusal:
        give(hall, rule="", reason=" ", points=-10_000_000)
    assert codes(refusal.value) == {"rule_missing", "reason_missing", "points_range"}
    with pytest.raises(Refused) as refusal:
        give(hall, rule="x" * 121, reason="x" * 301, points=Fraction(1, 7))
    assert codes(refusal.value) == {"rule_too_long", "reason_too_long", "points_fraction"}
    assert not Penalty.objects.exists()


def test_penalty_facts_must_belong_together(hall: Hall) -> None:
    other = open_hall()
    seat = other.table.seats.select_related("entry", "player").get(direction="N")
    hall.record()
    with pytest.raises(Refused) as refusal:
        give(
            hall,
            actor=hall.chief,
            round=other.table.draw.round,
            entry=seat.entry,
            table=hall.tables[1],
            deal=hall.deal(),
        )
    assert codes(refusal.value) == {"wrong_round", "wrong_entry", "wrong_player", "wrong_table", "wrong_deal"}


def test_penalty_by_a_table_referee_only_at_their_table_while_it_is_played(hall: Hall) -> None:
    with pytest.raises(NotAllowed):
        give(hall, actor=hall.other_referee)
    stranger = hall.tables[1].seats.select_related("entry").first()
    with pytest.raises(NotAllowed):
        give(hall, entry=stranger.entry, player=None)
    with pytest.raises(NotAllowed):
        give(hall, table=None)
    Round.objects.update(state=Round.State.CLOSED)
    with pytest.raises(Refused) as refusal:
        give(hall)
    assert refusal.value.code == "round_closed"


def test_penalty_by_the_chief_referee_for_anybody_in_a_closed_round_too(hall: Hall) -> None:
    Round.objects.update(state=Round.State.CLOSED)
    give(hall, actor=hall.chief, table=None, player=None)
    give(hall, actor=hall.organiser, points=0)
    assert Penalty.objects.count() == 2


def test_penalty_cancelled_stays_on_record(hall: Hall) -> None:
    give(hall)
    cancel(hall)
    penalty = Penalty.objects.get()
    assert (penalty.points, penalty.cancelled_by, penalty.cancel_reason) == (
        -50,
        hall.referee.user,
        "弄错了人",
    )
    row = AuditRow.objects.get(action="penalty.cancel")
    assert (row.before["cancelled"], row.after["cancelled"], row.reason) == (False, True, "弄错了人")


def test_penalty_cancelled_twice_is_refused_but_not_the_same_command(hall: Hall) -> None:
    give(hall)
    command = uuid.uuid4()
    cancel(hall, command_id=command)
    assert cancel(hall, command_id=command).repeated
    with pytest.raises(Refused) as refusal:
        cancel(hall)
    assert refusal.value.code == "penalty_cancelled"


def test_penalty_cancelled_by_its_giver_or_a_director_with_a_reason(hall: Hall) -> None:
    give(hall)
    with pytest.raises(NotAllowed):
        cancel(hall, actor=hall.other_referee)
    with pytest.raises(Refused) as refusal:
        cancel(hall, reason="")
    assert refusal.value.code == "reason_missing"
    cancel(hall, actor=hall.chief)


def test_penalty_of_the_chief_is_not_a_table_referees_to_cancel(hall: Hall) -> None:
    give(hall, actor=hall.chief)
    with pytest.raises(NotAllowed):
        cancel(hall)


def test_penalty_of_mine_in_a_closed_round_is_the_chiefs_to_cancel(hall: Hall) -> None:
    give(hall)
    Round.objects.update(state=Round.State.CLOSED)
    with pytest.raises(Refused) as refusal:
        cancel(hall)
    assert refusal.value.code == "round_closed"
    cancel(hall, actor=hall.chief)


def test_penalty_does_not_change_the_result_at_the_table(hall: Hall) -> None:
    hall.record()
    before = set(EntryResult.objects.values_list("entry", "points", "value"))
    give(hall, deal=hall.deal())
    assert set(EntryResult.objects.values_list("entry", "points", "value")) == before
    assert not play_of(hall.table).finished


def test_penalty_in_a_deal_ends_the_game_where_the_plan_says_so(db: None) -> None:
    hall = open_hall(plan={"kind": "game", "penalties_count": True})
    hall.record()  # North −190
    give(hall, points=-900, deal=hall.deal())
    play = play_of(hall.table)
    assert (play.finished, play.state.games[0].ended_by) == (True, "lose_line")
    north = EntryResult.objects.get(table=hall.table, entry=hall.table.seats.get(direction="N").entry)
    # The penalty is a line of its own in the standings: it is not in the points of the deals.
    assert (north.points, north.value, north.pigs) == (-190, -190, 1)
    cancel(hall)
    north.refresh_from_db()
    assert north.pigs == 0


@pytest.mark.parametrize(
    ("measure", "options", "most"),
    [
        ("games", {}, 1),
        ("victory_points", {}, 20),
        ("victory_points", {"victory_points": [[0, 15, 15], [500, 20, 10], [900, 30, 0]]}, 30),
        ("place_points", {}, 4),
        ("place_points", {"place_points": [10, 6, 3, 0]}, 10),
    ],
)
def test_penalty_beyond_what_a_round_is_worth_must_be_confirmed(
    hall: Hall, measure: str, options: dict[str, Any], most: int
) -> None:
    hall.event.measure, hall.event.options = measure, options
    hall.event.save()
    give(hall, points=-most)
    with pytest.raises(Refused) as refusal:
        give(hall, points=-most - 1)
    assert codes(refusal.value) == {"out_of_scale"}
    assert str(most) in str(refusal.value)
    give(hall, points=-most - 1, sure=True)
    assert sorted(Penalty.objects.values_list("points", flat=True)) == [-most - 1, -most]


@pytest.mark.parametrize("measure", ["points", "difference"])
def test_penalty_in_points_of_deals_needs_no_confirmation(hall: Hall, measure: str) -> None:
    hall.event.measure = measure
    hall.event.save()
    give(hall, points=-5000)
    assert Penalty.objects.get().points == -5000


@pytest.mark.parametrize(("measure", "proposed"), [("points", "-50"), ("victory_points", "")])
def test_penalty_articles_propose_points_only_where_points_count(
    hall: Hall, measure: str, proposed: str
) -> None:
    hall.event.measure = measure
    hall.event.save()
    articles = articles_json(
        catalogue_of(hall.event.tournament, hall.event), counts_points(event_terms(hall.event))
    )
    late = next(one for one in articles if one["rule"].startswith("1.2 "))
    assert late["points"] == proposed
    form = PenaltyForm(event=hall.event)
    assert (form.fields["points"].initial or "") == proposed
    assert str(hall.event.get_measure_display()) in form.fields["points"].help_text
    assert ("sure" in form.fields) == (measure == "victory_points")
