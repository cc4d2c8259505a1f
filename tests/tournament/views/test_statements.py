"""What an organiser's page asks of the database does not grow with the rounds or with the entries."""

from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import make_event, make_user
from tests.pages import hidden_fields
from tests.tournament.draws import close, draw_round, give_results
from tournament.models import Event, Membership, Role, Round, Tournament
from tournament.services.audit import SYSTEM
from tournament.services.bulk import undo_bulk, withdraw_many
from tournament.services.stages import StageData, add_stage

#: Pages of an event that are only looked at, each with the further parts of its address.
PAGES = {
    "event": {},
    "event_edit": {},
    "entries": {},
    "entry": {"number": 1},
    "rounds": {},
    "round": {"round": 1},
    "draw": {"round": 1},
    "round_terms": {"round": 1},
    "stages": {},
    "stage": {"stage": 1},
    "advance": {"stage": 2},
    "constraints": {},
    "bulk": {},
    "penalties": {},
    "standings": {},
    "tie_breaks": {},
    "corrections": {},
    "appeals": {},
    "tables": {},
    "publicity": {},
}


def _event(tournament: Tournament, rounds: int, pairs: int) -> Event:
    """So many pairs and rounds, all played, and as many changes of many entries done and undone."""
    event = make_event(Event.Kind.PAIRS, pairs, tournament=tournament, planned_rounds=rounds)
    add_stage(actor=SYSTEM, event=event, data=StageData(format="random", rounds=1))
    for number in range(1, rounds + 1):
        draw = draw_round(event, number)
        give_results(draw)
        close(draw.round)
        row = withdraw_many(actor=SYSTEM, event=event, numbers=[1], reason="x")
        undo_bulk(actor=SYSTEM, event=event, row=row, reason="x")
    return event


def _statements(client, event: Event) -> dict[str, int]:
    found = {}
    for name, address in PAGES.items():
        where = reverse(f"manage:{name}", args=[event.tournament.slug, event.slug, *address.values()])
        client.get(where)  # what is remembered by process is so from now on
        with CaptureQueriesContext(connection) as asked:
            assert client.get(where).status_code == 200, name
        found[name] = len(asked)
    return found


def test_every_page_asks_as_much_with_more_rounds_and_more_entries(organiser, tournament):
    few, many = (_statements(organiser, _event(tournament, *size)) for size in ((2, 6), (4, 12)))
    assert many == few


def test_a_plan_whose_rounds_are_all_in_play_asks_as_much_for_more_of_them(organiser, tournament):
    asked = []
    for rounds in (2, 5):
        event = make_event(Event.Kind.PAIRS, 8, tournament=tournament, planned_rounds=rounds)
        for number in range(1, rounds + 1):
            draw_round(event, number)
        assert event.rounds.filter(state=Round.State.PLAYING).count() == rounds
        for page in ("event", "rounds"):
            with CaptureQueriesContext(connection) as found:
                organiser.get(reverse(f"manage:{page}", args=[tournament.slug, event.slug]))
            asked.append((page, len(found)))
    assert asked[:2] == asked[2:]


def test_the_list_of_tournaments_asks_as_much_for_more_of_them(organiser):
    """And leads a table's referee to the tables, whoever else directs that tournament."""
    user = get_user_model().objects.get(username="organiser")
    asked = []
    for more in (2, 5):
        for _each in range(more):
            tables_only = make_event().tournament
            Membership.objects.create(user=user, tournament=tables_only, role=Role.TABLE_REFEREE)
            make_user("organiser", tables_only)
        with CaptureQueriesContext(connection) as found:
            page = organiser.get(reverse("manage:home")).content.decode()
        asked.append(len(found))
    assert asked[0] == asked[1]
    assert page.count(f'href="{reverse("referee:home")}"') == 1 + 7
    assert page.count(f'href="{reverse("manage:tournament", args=["cup"])}"') == 1
    assert reverse("manage:tournament", args=[tables_only.slug]) not in page


def test_a_look_at_rounds_to_be_cleared_asks_as_much_for_more_of_them(organiser, tournament):
    asked = []
    for rounds in (2, 5):
        event = _event(tournament, rounds, pairs=8)
        event.rounds.filter(number__lte=rounds).update(state=Round.State.PLAYING)
        where = reverse("manage:bulk_clear", args=[tournament.slug, event.slug])
        page = organiser.get(reverse("manage:bulk", args=[tournament.slug, event.slug])).content.decode()
        with CaptureQueriesContext(connection) as found:
            shown = organiser.post(where, {**hidden_fields(page, where), "from_round": 1, "reason": "x"})
        assert shown.content.decode().count("<tr>") == 1 + rounds
        asked.append(len(found))
    assert asked[0] == asked[1]
