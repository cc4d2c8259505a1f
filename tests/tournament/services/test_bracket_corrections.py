"""Corrections that turn a played match of a bracket after the next rounds were drawn."""

import pytest
from django.urls import reverse

from tests.factories import PASSWORD, make_user
from tests.tournament.draws import close, draw_round, give_values, seeded_event
from tournament.models import Draw, EntryResult, Match, MatchDecision, Role, Round
from tournament.queries.brackets import stage_standing
from tournament.queries.stale_draws import stale_draws
from tournament.services.audit import SYSTEM
from tournament.services.bracket_corrections import keep_bracket, withdraw_overtaken
from tournament.services.bulk import bulk_changes, undo_bulk
from tournament.services.decisions import decide_match
from tournament.services.errors import Conflict, Refused

pytestmark = pytest.mark.django_db


def _play(event, *numbers):
    for number in numbers:
        draw = draw_round(event, number)
        give_values(draw, lambda entry: -entry.number)
        close(draw.round)


def _correct(event, round_number, entry_number):
    """The entry has won its match of that round after all."""
    EntryResult.objects.filter(entry__number=entry_number, round__number=round_number).update(value=100)


def _sides(match):
    return sorted(match.sides.values_list("entry__number", flat=True))


@pytest.fixture
def double():
    """Double elimination of four, three rounds played: 1 beat 2 in the winners' final, 2 beat 3 after it."""
    event = seeded_event("double_elimination", 4, 5)
    _play(event, 1, 2, 3)
    return event


def _stage(event):
    return event.stages.get()


def test_nothing_is_stale_while_the_results_say_what_they_said(double):
    assert stale_draws(_stage(double)) is None
    # A correction that turns nothing leaves the draws standing.
    EntryResult.objects.filter(entry__number=1, round__number=1).update(value=77)
    assert stale_draws(_stage(double)) is None


def test_matches_drawn_by_a_result_that_turned_no_longer_belong(double):
    _correct(double, 1, 4)

    found = stale_draws(_stage(double))

    assert [(one.round, _sides(one.match)) for one in found.turned] == [(1, [1, 4])]
    names = double.entries.in_bulk()
    turned = found.turned[0]
    assert (names[turned.was].number, names[turned.now].number) == (1, 4)
    assert found.first_round == 2
    assert {(one.round, tuple(_sides(one.match))) for one in found.in_round(2)} == {
        (2, (1, 2)),
        (2, (3, 4)),
    }


def test_kept_draws_stand_by_a_decision_with_its_reason(double):
    _correct(double, 1, 4)

    keep_bracket(actor=SYSTEM, stage=_stage(double), reason="三轮已打完")

    assert stale_draws(_stage(double)) is None
    decision = MatchDecision.objects.get()
    assert (decision.winner.number, decision.reason) == (1, "三轮已打完")
    assert stage_standing(_stage(double)).stale == ()
    _play(double, 4)
    with pytest.raises(Conflict):
        keep_bracket(actor=SYSTEM, stage=_stage(double), reason="again")


def test_withdrawn_rounds_are_drawn_anew_by_the_corrected_result(double):
    _correct(double, 1, 4)

    with pytest.raises(Refused):
        withdraw_overtaken(actor=SYSTEM, stage=_stage(double), reason="")
    first = withdraw_overtaken(actor=SYSTEM, stage=_stage(double), reason="改判")

    assert first.number == 2
    assert stale_draws(_stage(double)) is None
    states = dict(Round.objects.filter(event=double).values_list("number", "state"))
    assert (states[1], states[2], states[3]) == ("closed", "planned", "planned")
    draw = draw_round(double, 2)
    assert sorted(_sides(match) for match in draw.matches.all()) == [[1, 3], [2, 4]]


def test_withdrawing_by_mistake_can_be_undone(double):
    _correct(double, 1, 4)
    withdraw_overtaken(actor=SYSTEM, stage=_stage(double), reason="改判")
    ((row, undone),) = bulk_changes(double)
    assert not undone
    undo_bulk(actor=SYSTEM, event=double, row=row, reason="还是保留")
    assert Draw.objects.filter(round__event=double, state=Draw.State.PUBLISHED).count() == 3


def test_a_decided_match_stays_decided_whatever_its_deals_become():
    event = seeded_event("knockout", 4, 2, third_place=False)
    draw = draw_round(event, 1)
    give_values(draw, lambda entry: -entry.number)
    close(draw.round)
    match = Match.objects.get(draw=draw, sides__entry__number=4)
    decide_match(
        actor=SYSTEM, match=match, winner=event.entries.get(number=4), reason="the other did not come"
    )
    _play(event, 2)
    EntryResult.objects.filter(entry__number=1, round__number=1).update(value=500)
    assert stale_draws(_stage(event)) is None


def test_a_match_that_became_equal_can_be_kept_too():
    event = seeded_event("knockout", 4, 2, third_place=False)
    _play(event, 1, 2)
    EntryResult.objects.filter(entry__number__in=(1, 4), round__number=1).update(value=0)
    found = stale_draws(_stage(event))
    assert found.turned[0].now is None
    assert found.keepable
    keep_bracket(actor=SYSTEM, stage=_stage(event), reason="决赛已赛完")
    assert stale_draws(_stage(event)) is None


def test_games_of_a_longer_match_cannot_be_kept_by_deciding_the_whole_match():
    event = seeded_event("knockout", 4, 6, third_place=False, best_of=3)
    _play(event, 1, 2, 3)
    # After two games each semi-final was over; now number 4 has one of them, and a third would follow.
    _correct(event, 1, 4)
    found = stale_draws(_stage(event))
    assert [one.round for one in found.overtaken] == [3]
    assert not found.keepable
    with pytest.raises(Refused) as refused:
        keep_bracket(actor=SYSTEM, stage=_stage(event), reason="已赛完")
    assert refused.value.code == "not_keepable"
    assert not MatchDecision.objects.exists()


def test_other_formats_have_no_bracket_to_overtake():
    event = seeded_event("swiss", 4, 3)
    _play(event, 1, 2)
    _correct(event, 1, 4)
    assert stale_draws(_stage(event)) is None


def test_pages_warn_and_lead_to_both_ways(double, client):
    _correct(double, 1, 4)
    organiser = make_user(Role.ORGANISER, double.tournament)
    client.login(username=organiser.get_username(), password=PASSWORD)
    here = {"tournament": double.tournament.slug, "event": double.slug}
    corrected = reverse("manage:bracket_corrected", kwargs={**here, "stage": 1})
    for address in (
        reverse("manage:draw", kwargs={**here, "round": 2}),
        reverse("manage:draw", kwargs={**here, "round": 3}),
        reverse("manage:bracket", kwargs={**here, "stage": 1}),
    ):
        assert corrected in client.get(address).content.decode()
    assert corrected not in client.get(reverse("manage:draw", kwargs={**here, "round": 1})).content.decode()

    page = client.get(corrected)
    form = page.context["keep_form"]
    answer = client.post(
        reverse("manage:bracket_keep", kwargs={**here, "stage": 1}),
        {"keep-reason": "三轮已打完", "keep-command_id": form["command_id"].value()},
    )
    assert answer.status_code == 302
    assert stale_draws(_stage(double)) is None
    assert client.get(corrected).context["stale"] is None


def test_withdrawing_from_the_page_leads_to_the_new_draw(double, client):
    _correct(double, 1, 4)
    organiser = make_user(Role.ORGANISER, double.tournament)
    client.login(username=organiser.get_username(), password=PASSWORD)
    here = {"tournament": double.tournament.slug, "event": double.slug}
    page = client.get(reverse("manage:bracket_corrected", kwargs={**here, "stage": 1}))
    fields = {"withdraw-command_id": page.context["withdraw_form"]["command_id"].value()}
    address = reverse("manage:bracket_withdraw", kwargs={**here, "stage": 1})
    assert client.post(address, fields).status_code == 400
    answer = client.post(address, {**fields, "withdraw-reason": "改判"})
    assert answer.headers["Location"] == reverse("manage:draw", kwargs={**here, "round": 2})
