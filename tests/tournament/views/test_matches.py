"""The page of a match: line-ups by segment, substitutions, duplicate deals compared."""

from uuid import uuid4

import pytest

from referee.services.deals import record_deal
from tests.factories import actor, make_event, make_published_draw, make_user
from tests.referee.conftest import CAPTURES, simple_record
from tournament.models import Event, Match, Player, Round, Substitution
from tournament.services.audit import SYSTEM

pytestmark = pytest.mark.django_db

MATCH = "/manage/t/cup/e/teams/rounds/1/match/1/"


@pytest.fixture
def match(tournament) -> Match:
    """A duplicate match of two teams of five in two segments of two deals."""
    event = make_event(
        Event.Kind.TEAMS,
        2,
        tournament=tournament,
        slug="teams",
        plan={"kind": "set", "deals": 4},
        options={"duplicate": True, "segments": {"count": 2, "change": "keep"}},
    )
    for entry in event.entries.all():
        Player.objects.create(entry=entry, place=5, name=f"{entry.name}戊")
    return make_published_draw(event).matches.get()


def _record(match, table, number, **changes):
    record_deal(
        actor=SYSTEM,
        table=match.tables.order_by("number")[table],
        number=number,
        record=simple_record(**changes),
        command_id=uuid4(),
    )


def _seats(match, entry, segment):
    return [
        seat
        for table in match.tables.order_by("number")
        for seat in table.seats.filter(entry=entry, segment=segment).order_by("order")
    ]


def test_a_line_up_is_set_for_one_segment(match, send):
    entry = match.sides.get(position=1).entry
    seats = _seats(match, entry, 2)
    fifth = entry.players.get(place=5)
    prefix = f"lineup-{entry.number}-2"
    values = {f"{prefix}-seat_{seat.pk}": str(seat.player_id) for seat in seats}
    values[f"{prefix}-seat_{seats[0].pk}"] = str(fifth.pk)
    answer = send(f"{MATCH}lineup/{entry.number}/2/", values, page=MATCH)
    assert (answer.status_code, answer.headers["Location"]) == (302, MATCH)
    assert next(seat.player for seat in _seats(match, entry, 2)) == fifth
    assert fifth not in [seat.player for seat in _seats(match, entry, 1)]


def test_a_line_up_that_cannot_be_is_shown_with_its_faults_beside_the_seats(match, send):
    entry = match.sides.get(position=1).entry
    seats = _seats(match, entry, 1)
    prefix = f"lineup-{entry.number}-1"
    values = {f"{prefix}-seat_{seat.pk}": str(seats[0].player_id) for seat in seats}
    answer = send(f"{MATCH}lineup/{entry.number}/1/", values, page=MATCH)
    assert answer.status_code == 400
    assert answer.content.decode().count("has another seat already") == 3
    assert "seat South: “" in answer.content.decode()


def test_a_substitute_from_outside_comes_in_and_is_listed(match, organiser, send):
    table = match.tables.order_by("number")[0]
    values = {
        "substitute-place": f"{table.number}-1-N",
        "substitute-name": "客卿",
        "substitute-reason": "急病",
    }
    assert send(f"{MATCH}substitute/", values, page=MATCH).status_code == 302
    assert Substitution.objects.filter(player_in__name="客卿").count() == 2
    page = organiser.get(MATCH).content.decode()
    assert "客卿" in page
    assert "急病" in page
    assert Substitution.objects.first().made_by.get_username() == "organiser"


def test_a_substitution_without_a_person_or_reason_says_so(match, send):
    table = match.tables.order_by("number")[0]
    answer = send(f"{MATCH}substitute/", {"substitute-place": f"{table.number}-1-N"}, page=MATCH)
    assert answer.status_code == 400
    assert "Please state the reason." in answer.content.decode()
    answer = send(
        f"{MATCH}substitute/",
        {"substitute-place": f"{table.number}-1-N", "substitute-reason": "x"},
        page=MATCH,
    )
    assert "Who comes in?" in answer.content.decode()


def test_duplicate_deals_are_compared_for_both_teams(match, organiser):
    _record(match, 0, 1)
    assert organiser.get(MATCH).context["compared"] is None
    # At the other table West and East change places with North and South in what they take.
    swapped = {"N": CAPTURES["W"], "W": CAPTURES["N"], "S": CAPTURES["E"], "E": CAPTURES["S"]}
    _record(match, 1, 1, captures=swapped, held={"SQ": "N", "DJ": "N", "C10": "S", "HA": "S"})
    compared = organiser.get(MATCH).context["compared"]
    # North–South took everything, −210; the same team sits East–West at table 2 and takes all again.
    assert compared["rows"][0]["tables"] == [-210, -210]
    assert compared["rows"][0]["ahead"] == (None, 420)
    assert compared["totals"] == [0, 420]
    assert compared["doubtful"] == [1]
    assert organiser.get(MATCH).context["has_lineups"]  # of the second segment


def test_in_a_closed_round_no_line_up_is_set_and_a_substitution_is_looked_at_first(match, organiser, send):
    Round.objects.update(state=Round.State.CLOSED)
    page = organiser.get(MATCH)
    assert page.status_code == 200
    assert not page.context["has_lineups"]

    place = page.context["substitution"].fields["place"].choices[0][0]
    values = {"substitute-place": place, "substitute-name": "替补", "substitute-reason": "伤"}
    answer = send(f"{MATCH}substitute/", values, page=MATCH)

    assert "/corrections/1/" in answer.headers["Location"]
    assert not Substitution.objects.exists()
    assert "Nothing beyond what it changes" in organiser.get(answer.headers["Location"]).content.decode()


def test_the_board_leads_to_the_match_and_there_is_none_of_an_unpublished_draw(match, organiser):
    assert MATCH in organiser.get("/manage/t/cup/e/teams/rounds/1/").content.decode()
    assert organiser.get(MATCH.replace("match/1", "match/2")).status_code == 404


def test_a_table_referee_has_no_access(match, client, tournament):
    referee = make_user("table_referee", tournament)
    client.force_login(actor(referee).user)
    assert client.get(MATCH).status_code == 403
