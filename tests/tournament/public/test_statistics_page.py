"""Statistics against deals written down by hand."""

import re

import pytest

from scoring.engine import DealRecord
from scoring.engine.cards import HEARTS, KEY_CARDS, PIG, SCORING_CARDS, SHEEP, TRANSFORMER
from scoring.engine.worth import exposure_worth
from scoring.models import RulesetVersion
from tests.played import drawn_round, played_deal, played_event, update_results
from tests.tournament.public.bracket_play import bracket_event, draw_and_publish, play_round
from tournament.models import EntryResult
from tournament.queries.public_statistics import COLUMNS, count_deals, statistics_page
from tournament.queries.published import Published
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish

pytestmark = pytest.mark.django_db

HELD = dict.fromkeys(KEY_CARDS, "N")


def _record(captures, exposed=()):
    record = {
        "mode": "individual",
        "captures": {seat: list(captures.get(seat, ())) for seat in "NWSE"},
        "exposed": [{"card": card, "seat": "N", "kind": "exposed"} for card in exposed],
        "held": HELD,
    }
    return DealRecord.from_json(record).to_json()


@pytest.fixture
def worked():
    """One table, three deals without self-capture: all hearts; a grand slam; cards shown for good and ill.

    1: West all hearts +200, South pig −100, East sheep +100, North transformer +50.
    2: North everything: hearts 200, pig +100, sheep 100, together 400, doubled by the transformer: 800.
    3: North shows pig and sheep, takes both: −200 + 200 = 0; East hearts but one, West ♥2, transformer.
    """
    return played_event(["甲", "乙", "丙", "丁"], ruleset="computer")


@pytest.fixture
def table(worked):
    return drawn_round(worked, 1).tables.get()


def _entry(table, seat):
    return table.seats.get(direction=seat).entry.number


def _play(table):
    deals = [
        _record({"W": HEARTS, "S": [PIG], "E": [SHEEP], "N": [TRANSFORMER]}),
        _record({"N": SCORING_CARDS}),
        _record({"N": [PIG, SHEEP], "E": HEARTS[:-1], "W": [HEARTS[-1], TRANSFORMER]}, exposed=(PIG, SHEEP)),
    ]
    for number, record in enumerate(deals, start=1):
        played_deal(table, number, record=record)
    update_results(table, complete=True)
    publish(actor=SYSTEM, round=table.draw.round, what="results")


@pytest.fixture
def worked_page(worked, table):
    _play(table)
    return statistics_page(Published(worked))


def test_feats_are_told_of_once_each_with_who_and_where(worked_page, table):
    (hearts,) = worked_page["all_hearts"]
    (slam,) = worked_page["grand_slams"]
    assert (hearts["entry"], hearts["deal"], hearts["points"]) == (_entry(table, "W"), 1, 200)
    assert (slam["entry"], slam["deal"], slam["points"]) == (_entry(table, "N"), 2, 800)
    assert (hearts["round"], hearts["table"]) == (1, 1)


def test_cards_taken_are_counted_for_the_entry_that_sat_there(worked, table):
    _play(table)
    found = count_deals(Published(worked))
    north, west, south, east = (found.by_entry[_entry(table, seat)] for seat in "NWSE")
    assert (north.pigs, north.sheep, north.transformers) == (2, 2, 2)
    assert (west.pigs, west.sheep, west.transformers) == (0, 0, 1)
    assert (south.pigs, east.sheep) == (1, 1)
    assert (found.everybody.pigs, found.everybody.sheep, found.everybody.transformers) == (3, 3, 3)
    assert (north.deals, north.credited, north.best, north.worst) == (3, 850, 800, 0)
    assert round(float(north.average), 1) == 283.3


def test_exposures_that_paid_and_cost(worked_page, worked, table):
    (paid,), (cost,) = worked_page["paid_most"], worked_page["cost_most"]
    assert (paid["card"], paid["points"], paid["deal"]) == (SHEEP, 100, 3)
    assert (cost["card"], cost["points"], cost["deal"]) == (PIG, -100, 3)
    everybody = worked_page["everybody"]
    assert (everybody.shown, everybody.paid, everybody.cost, everybody.worth) == (2, 1, 1, 0)


def test_extreme_scores_stand_in_order(worked_page):
    highest = [one["points"] for one in worked_page["highest"]]
    lowest = [one["points"] for one in worked_page["lowest"]]
    assert highest[:2] == [800, 200]
    assert highest == sorted(highest, reverse=True)
    assert lowest[0] == -200  # East's hearts but one: −50−40−30−20−6×10
    assert lowest == sorted(lowest)


def test_every_order_is_an_address_and_puts_its_best_first(worked, table, client):
    _play(table)
    base = f"/t/{worked.tournament.slug}/{worked.slug}/statistics/"
    for column in COLUMNS:
        page = statistics_page(Published(worked), column.key)
        place = [one["key"] for one in page["columns"]].index(column.key)
        values = [row["cells"][place]["value"] for row in page["rows"]]
        assert values == sorted(values, reverse=not column.lowest_first), column.key
        assert client.get(f"{base}by/{column.key}/").status_code == 200
    assert client.get(f"{base}by/name/").status_code == 404
    html = client.get(base).content.decode()
    for link in set(re.findall(rf'href="({base}by/[^"#]+)', html)):
        assert client.get(link).status_code == 200


def test_totals_agree_with_the_stored_results():
    event = bracket_event(8)
    play_round(draw_and_publish(event, 1), deals=4)
    found = count_deals(Published(event))
    for result in EntryResult.objects.select_related("entry"):
        tally = found.by_entry[result.entry.number]
        assert tally.credited == result.points
        assert tally.deals == result.deals
    assert found.everybody.pigs == found.everybody.deals


def test_what_is_not_checked_is_not_counted(worked, table):
    played_deal(table, 1, record=_record({"N": SCORING_CARDS}))
    played_deal(table, 2, record=_record({"W": SCORING_CARDS}), checked=False)
    publish(actor=SYSTEM, round=table.draw.round, what="results")
    found = count_deals(Published(worked))
    assert found.everybody.grand_slams == 1
    assert found.everybody.deals == 1


def test_what_showing_was_worth_follows_the_choice_to_exchange_pig_and_sheep():
    """A ruleset of one's own: whoever has all hearts may have pig and sheep exchanged."""
    event = played_event(["甲", "乙", "丙", "丁"], ruleset="computer")
    version = event.ruleset_version
    own = RulesetVersion.objects.create(book=version.book, number=2, data=version.data | {"swap": "choice"})
    event.ruleset_version = own
    event.save()
    table = drawn_round(event, 1).tables.get()
    plain = _record({"N": [*HEARTS, PIG], "E": [SHEEP], "W": [TRANSFORMER]}, exposed=(PIG,))
    chosen = plain | {"swap_pig_sheep": True}
    for number, record in enumerate((plain, chosen), start=1):
        played_deal(table, number, record=record)
    publish(actor=SYSTEM, round=table.draw.round, what="results")
    expected = [exposure_worth(DealRecord.from_json(one), own.ruleset())[0][1] for one in (plain, chosen)]
    assert expected[0] != expected[1]
    found = count_deals(Published(event))
    assert [one["points"] for one in found.exposures] == expected
