"""An entry's page where the standings count something else than what was played: it agrees with them."""

from fractions import Fraction

import pytest
from django.urls import reverse
from django.utils import translation

from referee.models import EntryRuling
from referee.services.entry_rulings import rule_on_entry
from tests.played import given_penalty, played_event, played_round
from tests.tournament.public.test_statements import ADDRESSES
from tournament.models import Event
from tournament.queries.public_entry import whole_entry_page
from tournament.queries.published import Published
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish, publish_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    """Four players, three rounds played and published, one table each."""
    made = played_event(list("甲乙丙丁"), clubs=("东队",))
    for number in (1, 2, 3):
        publish_round(actor=SYSTEM, round=played_round(made, number, deals=3, seed=number).round)
    return made


def _ruled(event, annul_from, **more):
    guilty = event.entries.get(number=2)
    rule_on_entry(actor=SYSTEM, entry=guilty, unranked=False, annul_from=annul_from, reason="作弊", **more)
    publish(actor=SYSTEM, round=event.rounds.get(number=3), what="standings")


def _page(event, number):
    with translation.override("en"):
        return whole_entry_page(Published(Event.objects.get(pk=event.pk)), number)


def _read(client, event, number):
    address = f"/t/{event.tournament.slug}/{event.slug}/entry/{number}/"
    return client.get(address, headers={"accept-language": "en"}).content.decode()


@pytest.mark.parametrize("annul_from", [2, 3])
def test_the_line_ends_at_the_total_of_the_standings(event, annul_from):
    assert _page(event, 2)["line"]["deals"] == 9
    _ruled(event, annul_from)
    for number in (1, 2, 3, 4):
        page = _page(event, number)
        assert Fraction(page["line"]["final"]) == Fraction(page["row"]["total"])
        assert page["line"]["deals"] == (3 * (annul_from - 1) if number == 2 else 9)


def test_nothing_is_left_of_the_line_where_everything_is_annulled(client, event):
    _ruled(event, 1)
    assert _page(event, 2)["line"] is None
    html = _read(client, event, 2)
    assert html.count("annulled</span>") == 3
    assert html.count('<del class="figure">') == 3
    assert "Rounds 1, 2, 3 are not in the line" in html


def test_annulled_rounds_stay_in_the_list_struck_out(client, event):
    _ruled(event, 3)
    html = _read(client, event, 2)
    assert html.count("path__round") == 3
    assert html.count("annulled</span>") == 1
    assert html.count('<del class="figure">') == 1
    assert "Round 3 is not in the line" in html
    assert "annulled</span>" not in _read(client, event, 1)


def test_a_round_with_results_alone_is_annulled_with_those_before_it(event):
    round = event.rounds.get(number=3)
    event.publications.filter(round=round, what="standings").delete()
    guilty = event.entries.get(number=2)
    rule_on_entry(actor=SYSTEM, entry=guilty, unranked=False, annul_from=2, reason="作弊")
    publish(actor=SYSTEM, round=event.rounds.get(number=2), what="standings")
    page = _page(event, 2)
    assert page["left_out"] == [2, 3]
    assert Fraction(page["line"]["final"]) == Fraction(page["row"]["total"])


def test_whoever_has_a_stated_score_instead_sees_it_beside_what_was_played(client, event):
    _ruled(event, 3, opponents=EntryRuling.Opponents.STATED, opponents_points=Fraction(77))
    page = _page(event, 1)
    assert page["left_out"] == [3]
    assert Fraction(page["line"]["final"]) + 77 == Fraction(page["row"]["total"])
    html = _read(client, event, 1)
    assert "stated score</span>" in html
    assert html.count('<del class="figure">') == 1


def test_the_total_is_told_with_all_that_it_is_made_of_besides_deals(client, event):
    given_penalty(event.entries.get(number=4), -30, round_number=3)
    publish_round(actor=SYSTEM, round=event.rounds.get(number=3))
    _ruled(event, 3, opponents=EntryRuling.Opponents.STATED, opponents_points=Fraction(77))
    page = _page(event, 4)
    others = {one["name"]: one["points"] for one in page["sum"]["others"]}
    assert others == {"stated score": 77, "penalties": -30}
    deals = Fraction(page["line"]["final"])
    assert deals + 77 - 30 == Fraction(page["sum"]["total"]) == Fraction(page["row"]["total"])
    html = _read(client, event, 4)
    assert "+77" in html
    assert "−30" in html
    assert _page(event, 2)["sum"] is None


@pytest.mark.parametrize("kind", [Event.Kind.INDIVIDUAL, Event.Kind.PAIRS])
def test_every_page_is_shown_with_a_disqualified_entry(client, kind):
    made = played_event(list("甲乙丙丁"), kind=kind)
    first = played_round(made, 1, deals=2).round
    publish(actor=SYSTEM, round=first, what="draw")
    guilty = made.entries.get(number=1)
    rule_on_entry(actor=SYSTEM, entry=guilty, unranked=True, annul_from=1, reason="作弊")
    publish_round(actor=SYSTEM, round=first)
    slugs = {"tournament": made.tournament.slug, "event": made.slug}
    unlike = {"match"} if kind == Event.Kind.INDIVIDUAL else set()
    answers = {
        name: client.get(reverse(name, kwargs={**address, **slugs}))
        for name, address in ADDRESSES.items()
        if name not in {*unlike, "cross_more"}
    }
    assert {name: one.status_code for name, one in answers.items() if one.status_code != 200} == {}
