"""Line-ups of teams by segment, and substitutions: who plays, kept per match."""

from uuid import uuid4

import pytest

from referee.queries import seating_text, seats_at, seats_of
from referee.queries.play import tables_in_play
from referee.services.deals import undo_deal, void_deal
from referee.services.reseating import reseat
from tests.referee.conftest import Hall, open_hall
from tournament.models import AuditRow, Event, Player, Substitution
from tournament.queries.payloads import draw_payload, results_payload
from tournament.queries.public_matches import seats_of_deal
from tournament.services.audit import SYSTEM
from tournament.services.entries import EntryData, edit_entry
from tournament.services.errors import Conflict, NotAllowed, Refused
from tournament.services.lineups import roster, set_lineup, substitute

pytestmark = pytest.mark.django_db

FOUR = {"kind": "set", "deals": 4}


@pytest.fixture
def teams() -> Hall:
    """A match of two teams, the first of which has five players; two segments of two deals."""
    hall = open_hall(Event.Kind.TEAMS, 2, plan=FOUR, options={"segments": {"count": 2, "change": "keep"}})
    Player.objects.create(entry=hall.table.match.sides.first().entry, place=5, name="第五人")
    return hall


def side(hall: Hall):
    return hall.table.match.sides.first().entry


def seats_in(hall: Hall, segment: int):
    seats = hall.table.match.tables.model.objects.filter(match=hall.table.match)
    return [
        seat
        for table in seats.order_by("number")
        for seat in table.seats.filter(segment=segment, entry=side(hall)).order_by("order")
    ]


def lineup(hall: Hall, segment: int, order: list[int], **values):
    """Seats the players of these places of the roster, in the order of the seats."""
    players = roster(hall.table.match, side(hall))
    chosen = {seat.pk: players[at].pk for seat, at in zip(seats_in(hall, segment), order, strict=True)}
    values = {"actor": SYSTEM, "match": hall.table.match, "entry": side(hall), "players": chosen, **values}
    return set_lineup(segment=segment, **values)


def test_a_line_up_seats_the_players_chosen_in_that_segment_alone(teams: Hall) -> None:
    before = [seat.player.name for seat in seats_in(teams, 1)]
    lineup(teams, 2, [4, 1, 0, 3])
    names = [player.name for player in roster(teams.table.match, side(teams))]
    assert [seat.player.name for seat in seats_in(teams, 2)] == [names[4], names[1], names[0], names[3]]
    assert [seat.player.name for seat in seats_in(teams, 1)] == before
    row = AuditRow.objects.get(action="lineup.set")
    assert row.after["seats"][0]["player"] == names[4]


def test_two_players_can_exchange_seats_at_one_table_and_between_two(teams: Hall) -> None:
    lineup(teams, 2, [1, 0, 3, 2])
    lineup(teams, 2, [2, 3, 1, 0])
    names = [player.name for player in roster(teams.table.match, side(teams))]
    assert [seat.player.name for seat in seats_in(teams, 2)] == [names[at] for at in (2, 3, 1, 0)]


def test_a_line_up_with_faults_names_every_seat_and_stores_nothing(teams: Hall) -> None:
    seats = seats_in(teams, 1)
    stranger = Player.objects.exclude(entry=side(teams)).first()
    with pytest.raises(Refused) as refused:
        set_lineup(
            actor=SYSTEM,
            match=teams.table.match,
            entry=side(teams),
            segment=1,
            players={
                seats[0].pk: seats[0].player_id,
                seats[1].pk: seats[0].player_id,
                seats[2].pk: stranger.pk,
            },
        )
    assert [one.code for one in refused.value.problems] == [
        "player_twice_in_lineup",
        "seat_empty",
        "seat_empty",
    ]
    assert [seat.player_id for seat in seats_in(teams, 1)] == [seat.player_id for seat in seats]


def test_a_line_up_stands_once_a_deal_of_its_segment_is_on_record(teams: Hall) -> None:
    teams.record(number=1)
    with pytest.raises(Conflict) as refused:
        lineup(teams, 1, [1, 0, 2, 3])
    assert refused.value.code == "segment_begun"
    lineup(teams, 2, [1, 0, 2, 3])


def test_only_directors_decide_who_plays(teams: Hall) -> None:
    with pytest.raises(NotAllowed):
        lineup(teams, 2, [1, 0, 2, 3], actor=teams.referee)
    lineup(teams, 2, [1, 0, 2, 3], actor=teams.chief)
    with pytest.raises(NotAllowed):
        substitute(actor=teams.referee, table=teams.table, segment=1, direction="N", name="客人", reason="病")


def test_a_substitute_plays_from_the_next_deal_on_and_the_deals_played_stay_the_others(teams: Hall) -> None:
    teams.record(number=1)
    out = seats_in(teams, 1)[0].player
    made = substitute(
        actor=teams.chief, table=teams.table, segment=1, direction="N", name="替补甲", reason="突然生病"
    )
    teams.record(number=2)
    assert (made.after_dealing, made.player_out, made.reason) == (1, out, "突然生病")
    table = tables_in_play().get(pk=teams.table.pk)
    sat = {
        deal.number: next(seat.player.name for seat in seats_at(table, deal) if seat.direction == "N")
        for deal in (teams.deal(1), teams.deal(2))
    }
    assert sat == {1: out.name, 2: "替补甲"}
    # … and in the next segment as well, where nothing has been played yet.
    assert seats_in(teams, 2)[0].player.name == "替补甲"
    assert Substitution.objects.count() == 2
    assert AuditRow.objects.get(action="lineup.substitute").after["outside"] is True


def test_a_substitute_belongs_to_the_match_and_not_to_the_entry(teams: Hall) -> None:
    substitute(actor=SYSTEM, table=teams.table, segment=1, direction="N", name="替补甲", reason="病")
    entry = side(teams)
    assert "替补甲" not in [player.name for player in entry.players.all()]
    assert "替补甲" in [player.name for player in roster(teams.table.match, entry)]
    payload = draw_payload(teams.table.draw)
    assert "替补甲" not in payload["entries"][str(entry.number)]["players"]
    assert "替补甲" in [seat["player"] for seat in payload["tables"][0]["seats"]]
    # Editing the entry leaves the substitute alone.
    names = tuple(player.name for player in entry.players.all())
    edit_entry(
        actor=SYSTEM,
        entry=entry,
        data=EntryData(number=entry.number, name=entry.name, club="新队", players=names),
    )
    assert Player.everyone.filter(match=teams.table.match).count() == 1


def test_a_player_of_the_team_comes_in_and_the_one_replaced_may_come_back(teams: Hall) -> None:
    fifth = roster(teams.table.match, side(teams))[4]
    out = seats_in(teams, 1)[0].player
    substitute(actor=SYSTEM, table=teams.table, segment=1, direction="N", player=fifth, reason="战术")
    substitute(actor=SYSTEM, table=teams.table, segment=1, direction="N", player=out, reason="战术")
    assert seats_in(teams, 1)[0].player == out
    assert fifth.match_id is None


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"name": "客人", "reason": " "}, "reason_missing"),
        ({"name": " "}, "substitute_missing"),
        ({"direction": "X", "name": "客人"}, "unknown_seat"),
        ({"name": "第五人"}, "name_in_entry"),
        ({"name": "长" * 121}, "name_too_long"),
    ],
)
def test_a_substitution_that_cannot_be_is_refused(teams: Hall, values, code) -> None:
    wanted = {"actor": SYSTEM, "table": teams.table, "segment": 1, "direction": "N", "reason": "病", **values}
    with pytest.raises(Refused) as refused:
        substitute(**wanted)
    assert refused.value.code == code
    assert not Player.everyone.exclude(match=None).exists()
    assert not Substitution.objects.exists()


def test_nobody_sits_twice_or_plays_for_the_other_team(teams: Hall) -> None:
    other_table = seats_in(teams, 1)[2].player
    opponent = Player.objects.exclude(entry=side(teams)).first()
    for player, code in ((other_table, "player_seated"), (opponent, "not_of_entry")):
        with pytest.raises(Refused) as refused:
            substitute(actor=SYSTEM, table=teams.table, segment=1, direction="N", player=player, reason="病")
        assert refused.value.code == code


def played_at(hall: Hall, seat: str) -> dict[int, str]:
    """By number of the deal, who played it at the seat of the first table."""
    table = tables_in_play().get(pk=hall.table.pk)
    return {
        deal.number: next(one.player.name for one in seats_at(table, deal) if one.direction == seat)
        for deal in table.deals.order_by("number")
    }


def void(hall: Hall, number: int) -> None:
    deal = hall.deal(number)
    version = deal.versions.count()
    void_deal(actor=hall.chief, deal=deal, version=version, reason="发错牌", command_id=uuid4())


def replay(hall: Hall, number: int) -> None:
    hall.record(number=number, based_on=hall.deal(number).versions.count())


@pytest.mark.parametrize("void_first", [True, False])
def test_a_deal_replayed_after_a_substitution_is_the_substitutes(teams: Hall, void_first: bool) -> None:
    out = seats_in(teams, 1)[0].player.name
    teams.record(number=1)
    teams.record(number=2)
    if void_first:
        void(teams, 1)
    substitute(actor=SYSTEM, table=teams.table, segment=1, direction="N", name="替补甲", reason="病")
    if not void_first:
        void(teams, 1)
    assert played_at(teams, "N") == {1: out, 2: out}
    replay(teams, 1)
    assert played_at(teams, "N") == {1: "替补甲", 2: out}
    # An entry undone and made again is no second dealing.
    undo_deal(actor=SYSTEM, deal=teams.deal(1), version=3, command_id=uuid4())
    replay(teams, 1)
    assert played_at(teams, "N") == {1: "替补甲", 2: out}


def test_a_deal_replayed_before_a_substitution_stays_the_one_who_left(teams: Hall) -> None:
    out = seats_in(teams, 1)[0].player.name
    teams.record(number=1)
    teams.record(number=2)
    void(teams, 1)
    replay(teams, 1)
    substitute(actor=SYSTEM, table=teams.table, segment=1, direction="N", name="替补甲", reason="病")
    assert played_at(teams, "N") == {1: out, 2: out}


def test_a_replay_entered_for_the_one_who_left_is_not_taken(teams: Hall) -> None:
    teams.record(number=1)
    void(teams, 1)
    before = seating_text(seats_of(tables_in_play().get(pk=teams.table.pk), 1))
    substitute(actor=SYSTEM, table=teams.table, segment=1, direction="N", name="替补甲", reason="病")
    with pytest.raises(Conflict) as refused:
        teams.record(number=1, based_on=2, seating=before)
    assert refused.value.code == "seats_changed"


def test_the_published_sheet_names_the_substitute_for_the_replay(teams: Hall) -> None:
    out = seats_in(teams, 1)[0].player.name
    teams.record(number=1)
    void(teams, 1)
    substitute(actor=SYSTEM, table=teams.table, segment=1, direction="N", name="替补甲", reason="病")
    replay(teams, 1)
    teams.record(number=2)
    for number in (1, 2):
        teams.check(number)
    table = results_payload(teams.table.draw)["tables"][0]
    seats = [one for one in table["seats"] if one["segment"] == 1]
    shown = {**table, "segments": [{"number": 1, "seats": seats}], "seated": seats}
    named = {
        deal["number"]: next(one["player"] for one in seats_of_deal(shown, deal) if one["direction"] == "N")
        for deal in table["deals"]
    }
    assert out not in named.values()
    assert named == {1: "替补甲", 2: "替补甲"}


def test_deals_at_wrong_seats_go_to_those_who_sat_there_then(teams: Hall) -> None:
    """Deal 1 was played with one pair on each other's seats; then one of them was replaced."""
    north, south = (one.player.name for one in seats_in(teams, 1)[:2])
    teams.record(number=1)
    substitute(actor=SYSTEM, table=teams.table, segment=1, direction="N", name="替补甲", reason="病")
    teams.record(number=2)
    was = teams.versions(1)[-1].answer["scores"]
    reseat(
        actor=teams.chief,
        table=teams.table,
        segment=1,
        sat={"N": "S", "S": "N"},
        deals={1: 1},
        reason="坐错位",
        command_id=uuid4(),
    )
    now = teams.versions(1)[-1].answer["scores"]
    assert (now["N"], now["S"]) == (was["S"], was["N"])
    assert played_at(teams, "N") == {1: north, 2: "替补甲"}
    assert played_at(teams, "S") == {1: south, 2: south}
