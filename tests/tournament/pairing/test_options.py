"""What is offered for a field that does not fill tables of four."""

import random
from collections import Counter

import pytest

from tests.tournament.pairing.events import field
from tournament.pairing.model import History, PairingError, SitOut, SitOutKind
from tournament.pairing.options import OddAnswer, OddOption, choose_sit_outs, chosen_option, odd_options


def test_odd_options_of_a_multiple_of_four_is_the_one_that_fits():
    assert odd_options(12) == (OddOption(None, (4, 4, 4)),)


def test_odd_options_of_23_stand_side_by_side():
    assert odd_options(23) == (
        OddOption(OddAnswer.THREES, (4, 4, 4, 4, 4, 3)),
        OddOption(OddAnswer.FIVES, (4, 4, 5, 5, 5)),
        OddOption(OddAnswer.BYES, (4, 4, 4, 4, 4), byes=3),
        OddOption(OddAnswer.HOUSE, (4, 4, 4, 4, 4, 4), house_players=1),
    )


@pytest.mark.parametrize("players", range(3, 80))
def test_odd_options_seat_everybody(players):
    options = odd_options(players)
    assert options
    for option in options:
        assert sum(option.sizes) + option.byes == players + option.house_players
        assert set(option.sizes) <= {3, 4, 5}
        assert option.byes < 4
        assert option.house_players < 4


@pytest.mark.parametrize("players", [0, 1, 2])
def test_odd_options_of_too_few_is_empty(players):
    assert odd_options(players) == ()
    with pytest.raises(PairingError) as fault:
        chosen_option(players, OddAnswer.THREES)
    assert fault.value.code == "too_few_entrants"


@pytest.mark.parametrize(
    ("players", "answer", "code"),
    [
        (7, None, "answer_needed"),
        (7, OddAnswer.FIVES, "answer_impossible"),
        (5, OddAnswer.THREES, "answer_impossible"),
    ],
)
def test_chosen_option_refuses(players, answer, code):
    with pytest.raises(PairingError) as fault:
        chosen_option(players, answer)
    assert fault.value.code == code


def test_sit_outs_come_round_before_anybody_sits_out_twice():
    entrants = field(11)
    history = History()
    times = Counter()
    for number in range(1, 12):
        byes, reasons = choose_sit_outs(entrants, history, 3, random.Random(number), by_points=False)
        assert len(set(byes)) == len(reasons) == 3
        times.update(byes)
        history = History((), history.sit_outs + tuple(SitOut(number, who) for who in byes))
        assert max(times.values()) - min(times[e.id] for e in entrants) <= 1
    assert set(times.values()) == {3}


def test_missed_rounds_count_as_one_sit_out_so_rejoining_earns_no_second_bye():
    entrants = field(5)
    back, others = entrants[0].id, [e.id for e in entrants[1:]]
    missed = tuple(SitOut(r, back, SitOutKind.MISSED) for r in (1, 2, 3))
    first = [
        choose_sit_outs(entrants, History((), missed), 1, random.Random(seed), by_points=True)[0][0]
        for seed in range(30)
    ]
    assert back not in first
    everybody_once = missed + tuple(SitOut(4, who) for who in others)
    second = {
        choose_sit_outs(entrants, History((), everybody_once), 1, random.Random(seed), by_points=False)[0][0]
        for seed in range(60)
    }
    assert second == {back, *others}
