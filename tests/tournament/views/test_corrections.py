"""The pages of corrections: a change is laid out, looked at, made, published and undone."""

from random import Random
from uuid import uuid4

import pytest
from django.urls import reverse

from referee.models import Correction, EntryRuling, Penalty
from referee.queries import current_version
from referee.services.checks import check_deal
from referee.services.corrections import propose_correction
from tests.checked_deals import checked_deal
from tests.factories import actor, make_event, make_published_draw, make_user
from tests.played import random_record
from tests.tournament.draws import close
from tournament.models import Event, Publication, Walkover
from tournament.queries.published import Published
from tournament.services.audit import SYSTEM
from tournament.services.errors import Refused
from tournament.services.publish import publish_round
from tournament.services.round_end import end_round
from tournament.views.manage import correction_view

pytestmark = pytest.mark.django_db

BASE = "/manage/t/cup/e/singles/"
DEAL = f"{BASE}rounds/1/table/1/deal/1/correct/"


@pytest.fixture
def event(tournament):
    """Eight singles, drawn by lot: round 1 with one deal a table, checked, closed and published; 2 drawn."""
    event = make_event(
        Event.Kind.INDIVIDUAL,
        8,
        tournament=tournament,
        slug="singles",
        planned_rounds=2,
        plan={"kind": "set", "deals": 1},
    )
    draw = make_published_draw(event)
    for table in draw.tables.all():
        checked_deal(table, 1, random_record(Random(table.number)))
    close(draw.round)
    publish_round(actor=SYSTEM, round=draw.round)
    make_published_draw(event, 2)
    return event


def _deal(event):
    return event.rounds.get(number=1).draws.get().tables.get(number=1).deals.get()


def _laid_out(organiser, **changes):
    """The fields of the deal's page as they are shown, with these changed."""
    form = organiser.get(DEAL).context["form"]
    values = {name: form[name].value() for name in form.fields if name != "command_id"}
    return {**{name: value for name, value in values.items() if value not in (None, False)}, **changes}


def test_the_page_of_a_deal_shows_what_is_on_record_and_sends_it_back_unchanged(event, organiser, send):
    record = current_version(_deal(event)).record
    answer = send(DEAL, _laid_out(organiser, reason="再看一次"))
    assert answer.status_code == 302
    proposed = Correction.objects.get().change["record"]
    assert {seat: sorted(cards) for seat, cards in proposed["captures"].items() if cards} == {
        seat: sorted(cards) for seat, cards in record["captures"].items() if cards
    }
    assert (proposed["held"], proposed["exposed"]) == (record["held"], record["exposed"])


def test_a_deal_is_laid_out_otherwise_looked_at_and_made_by_somebody_else(event, organiser, send, client):
    chief = make_user("chief_referee", event.tournament, username="chief")
    values = _laid_out(organiser, taken_SQ_1=_loser(event), reason="♠Q记错")
    answer = send(DEAL, values)
    address = answer.headers["Location"]
    page = organiser.get(address)
    html = page.content.decode()
    assert "What this would move" in html
    assert "somebody else has to check it" in html
    assert len(page.context["figures"]) == 4
    assert page.context["moves"]["standings"]
    assert current_version(_deal(event)).number == 1

    Correction.objects.update(proposed_by=chief)
    answer = send(address, {"note": "第1桌第1副更正", "later": "keep"})
    assert (answer.status_code, answer.headers["Location"]) == (302, address)
    shown = Published(event).publication(Publication.What.STANDINGS, 1)
    assert (shown.version, shown.note) == (2, "第1桌第1副更正")
    public = client.get(f"/t/cup/{event.slug}/standings/1/").content.decode()
    assert "第1桌第1副更正" in public

    made = organiser.get(address).content.decode()
    assert "What this moved" in made
    undo = send(f"{address}undo/", page=address)
    answer = send(undo.headers["Location"], {"note": "改回", "later": "keep"})
    assert answer.status_code == 302
    assert Published(event).publication(Publication.What.STANDINGS, 1).note == "改回"
    listed = organiser.get(f"{BASE}corrections/").content.decode()
    assert "undone" in listed


def test_a_correction_not_finished_is_what_the_overview_and_the_round_say(event, organiser, send):
    """Ending the round there would publish it without the reason, and leave the correction as it is."""
    values = _laid_out(organiser, taken_SQ_1=_loser(event), reason="♠Q记错")
    address = send(DEAL, values).headers["Location"]
    assert send(address, {"note": "更正", "later": "keep"}).status_code == 302
    pages = [BASE, f"{BASE}rounds/1/"]
    for page in pages:
        html = organiser.get(page).content.decode()
        assert f'href="{address}"' in html
        assert f'href="{address}finish/"' not in html
    deal = _deal(event)
    check_deal(
        actor=actor(make_user("chief_referee", event.tournament, username="chief")),
        deal=deal,
        version=current_version(deal).number,
        relation="referee",
        seat="",
        command_id=uuid4(),
    )
    for page in pages:
        assert f'href="{address}finish/"' in organiser.get(page).content.decode()
    overview = organiser.get(BASE).context
    assert (overview["go"], overview["step"].url) == (None, f"{address}finish/")
    assert f"{BASE}rounds/1/end/" not in organiser.get(pages[1]).content.decode()
    with pytest.raises(Refused) as refused:  # from a page that was open before
        end_round(actor=SYSTEM, round=event.rounds.get(number=1))
    assert refused.value.code == "correction_unfinished"
    assert ">Finish and publish</button>" in organiser.get(f"{address}finish/").content.decode()
    assert send(f"{address}finish/").status_code == 302
    for page in pages:
        assert f'href="{address}"' not in organiser.get(page).content.decode()
    assert Published(event).publication(Publication.What.STANDINGS, 1).note == "更正"


def _loser(event):
    """A seat that has not captured the ♠Q of the deal."""
    return next(seat for seat in "NWSE" if "SQ" not in current_version(_deal(event)).record["captures"][seat])


def test_a_faulty_record_is_refused_on_the_page_of_the_deal(event, organiser, send):
    values = _laid_out(organiser, reason="x")
    values.pop("taken_SQ_1")
    answer = send(DEAL, values)
    assert answer.status_code == 400
    assert not Correction.objects.exists()


def test_a_penalty_in_a_published_round_is_looked_at_first_and_one_in_play_is_not(event, organiser, send):
    page = f"{BASE}penalties/"
    entry = event.entries.get(number=1)
    values = {"entry": entry.pk, "rule": "迟到", "points": "-50", "reason": "迟到"}
    answer = send(page, {**values, "round": event.rounds.get(number=1).pk})
    assert "/corrections/1/" in answer.headers["Location"]
    assert not Penalty.objects.exists()
    send(answer.headers["Location"], {"note": "补记罚分", "later": "keep"})
    given = Penalty.objects.get()

    answer = send(page, {**values, "round": event.rounds.get(number=2).pk})
    assert answer.headers["Location"] == page

    answer = send(f"{page}{given.pk}/cancel/", {"reason": "误罚"})
    assert "/corrections/2/" in answer.headers["Location"]
    send(answer.headers["Location"], {"note": "误罚", "later": "keep"})
    given.refresh_from_db()
    assert given.cancelled_at is not None


def test_a_walkover_in_a_closed_round_is_looked_at_first(event, organiser, send):
    address = f"{BASE}rounds/1/match/1/walkover/"
    match = event.rounds.get(number=1).draws.get().matches.get(number=1)
    entries = [seat.entry for seat in match.tables.get().seats.select_related("entry")]
    scores = {f"score_{entry.pk}": str(10 * place) for place, entry in enumerate(entries)}
    answer = send(address, {"absent": [entries[0].pk], "reason": "未到", **scores})
    assert "/corrections/1/" in answer.headers["Location"]
    assert not Walkover.objects.exists()
    send(answer.headers["Location"], {"note": "未到", "later": "keep"})
    assert Walkover.objects.get().match == match


def test_an_entry_is_disqualified_after_a_look_and_the_ruling_lifted_again(event, organiser, send):
    address = f"{BASE}entries/3/ruling/"
    answer = send(
        address,
        {
            "unranked": "on",
            "annul_from": "1",
            "opponents": "stated",
            "opponents_points": "20",
            "reason": "作弊",
        },
    )
    answer = send(answer.headers["Location"], {"note": "3号取消资格", "later": "keep"})
    assert answer.status_code == 302
    assert EntryRuling.objects.get().annul_from == 1
    for page in (
        f"{BASE}standings/",
        "/t/cup/singles/standings/",
        "/t/cup/singles/entry/3/",
        "/t/cup/singles/",
    ):
        html = organiser.get(page).content.decode()
        assert "None" not in html, page
        if "standings" in page:
            assert html.count('badge--bad">disqualified') == 1

    answer = send(f"{address}lift/", {"reason": "申诉成立"})
    send(answer.headers["Location"], {"note": "申诉成立", "later": "keep"})
    assert EntryRuling.objects.get().lifted_at is not None


def test_an_undo_that_is_refused_says_why(event, organiser, send):
    ruling = {"opponents": "played", "opponents_points": "0", "reason": "作弊"}
    first = send(f"{BASE}entries/3/ruling/", {**ruling, "annul_from": "1"}).headers["Location"]
    send(first, {"note": "成绩作废", "later": "keep"})
    second = send(f"{BASE}entries/3/ruling/", {**ruling, "unranked": "on"}).headers["Location"]
    send(second, {"note": "取消资格", "later": "keep"})

    answer = send(f"{first}undo/", page=first, follow=True)
    assert answer.redirect_chain == [(first, 302)]
    assert "take that back first" in answer.content.decode()
    assert Correction.objects.count() == 2


def test_a_proposal_is_dropped(event, organiser, send):
    made = propose_correction(
        actor=actor(make_user("chief_referee", event.tournament)),
        round=event.rounds.get(number=1),
        kind=Correction.Kind.VOID,
        change={"table": 1, "deal": 1, "version": 1},
        reason="x",
    )
    send(f"{BASE}corrections/{made.number}/drop/")
    made.refresh_from_db()
    assert made.state == Correction.State.DROPPED
    assert organiser.get(f"{BASE}corrections/{made.number}/").status_code == 200


def test_the_page_of_a_deal_leads_to_its_correction(event, organiser):
    html = organiser.get(reverse("referee:deal", args=[_deal(event).pk])).content.decode()
    assert DEAL in html


@pytest.mark.parametrize(("after", "lines"), [([2, 1], 2), ([1, 2], 1)], ids=["others", "the same"])
def test_ranks_are_counted_where_some_change(after, lines):
    rows = [
        {"entry": entry, "rank": (entry, rank), "total": (0, 1)}
        for entry, rank in zip((1, 2), after, strict=True)
    ]
    moves = {"standings": [{"rows": rows}], "draws": [], "advancing": []}
    assert len(correction_view._summary(moves)) == lines
