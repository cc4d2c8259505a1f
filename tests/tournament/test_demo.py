"""The demo: three events in mid-play, made once."""

from io import StringIO
from random import Random

import pytest
from django.apps import apps
from django.contrib.auth import authenticate, get_user_model
from django.core.management import call_command
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from referee.models import DealVersion, Penalty
from referee.queries import current_versions, play_of
from referee.queries.board import live_board
from scoring.engine import score_deal
from scoring.engine.playout import play_out
from tournament.demo.build import build_demo
from tournament.demo.cast import USERS
from tournament.management.commands import demo as command
from tournament.management.terminal import terminal_language
from tournament.models import AuditRow, Draw, Event, Publication, Round, Table
from tournament.queries import access
from tournament.services.results import rebuild_event_results

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def tournament(django_db_setup, django_db_blocker):
    """The demo as the command makes it, once for all tests here, and gone afterwards."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield build_demo(password=command.PASSWORD, today=timezone.localdate())
        transaction.set_rollback(True)


def _tables(tournament, state):
    return Table.objects.filter(
        draw__round__event__tournament=tournament,
        draw__state=Draw.State.PUBLISHED,
        draw__round__state=state,
    ).select_related("draw__round__event__ruleset_version")


def _rows():
    return {model._meta.label: model.objects.count() for model in apps.get_models()}


def test_there_are_three_events_in_mid_play(tournament):
    events = {event.kind: event for event in tournament.events.all()}
    assert set(events) == {Event.Kind.INDIVIDUAL, Event.Kind.PAIRS, Event.Kind.PIG_SHEEP}
    for event in events.values():
        states = list(event.rounds.values_list("state", flat=True))
        assert event.state == Event.State.STARTED
        assert Round.State.CLOSED in states
        assert states.count(Round.State.PLAYING) == 1
        assert states[-1] == Round.State.PLANNED
    individual = events[Event.Kind.INDIVIDUAL]
    assert individual.entries.count() == 16
    assert 5 <= individual.entries.values("club").distinct().count() <= 6


def test_closed_rounds_are_played_out_checked_and_public(tournament):
    for table in _tables(tournament, Round.State.CLOSED):
        assert play_of(table).complete, table
    for round in Round.objects.filter(event__tournament=tournament, state=Round.State.CLOSED):
        assert round.override_reason == ""
        assert set(round.publications.values_list("what", flat=True)) == set(Publication.What)


def test_games_end_at_the_lines_and_sets_after_their_deals(tournament):
    for table in _tables(tournament, Round.State.CLOSED):
        play = play_of(table)
        if play.plan.kind == "set":
            assert len(play.counted) == play.plan.deals
            continue
        totals = [sum(line.amounts[column.key] for line in play.counted) for column in play.columns]
        assert min(totals) <= -1000 or max(totals) >= 1000
        before = [
            total - play.counted[-1].amounts[column.key]
            for total, column in zip(totals, play.columns, strict=True)
        ]
        assert min(before) > -1000
        assert max(before) < 1000


def test_rounds_in_play_show_every_state_a_deal_can_be_in(tournament):
    states, histories = set(), []
    for table in _tables(tournament, Round.State.PLAYING):
        play = play_of(table)
        states |= {line.state for line in play.deals}
        states |= {"finished, last deal unchecked"} if play.finished and not play.complete else set()
        histories += [
            list(deal.versions.order_by("number").values_list("state", flat=True))
            for deal in table.deals.all()
        ]
    assert states == {"recorded", "checked", "withdrawn", "finished, last deal unchecked"}
    recorded, void = DealVersion.State.RECORDED, DealVersion.State.VOID
    assert [recorded, void, recorded] in histories


def test_one_deal_was_corrected_by_the_chief_referee(tournament):
    row = AuditRow.objects.get(action="deal.correct")
    assert row.actor_name == "chief"
    assert row.before["record"] != row.after["record"]
    assert row.reason


def test_penalties_stand_cancelled_and_as_a_warning(tournament):
    penalties = Penalty.objects.filter(event__tournament=tournament)
    assert sorted((int(one.points), one.cancelled_at is not None) for one in penalties) == [
        (-30, False),
        (-20, True),
        (0, False),
    ]


def test_every_deal_is_legal_and_stored_with_its_right_score(tournament):
    for event in tournament.events.all():
        for table in Table.objects.filter(draw__round__event=event):
            for version in current_versions(table, ruleset_too=True):
                if version.record is not None:
                    score = score_deal(version.record, version.ruleset_version.ruleset())
                    assert version.answer["scores"] == score.scores
        assert rebuild_event_results(event) == 0


def test_no_deal_looks_entered_in_haste(tournament):
    signs = {sign.code for line in live_board(tournament) for sign in line.signs}
    assert "quick" not in signs


def test_nobody_checked_what_they_entered(tournament):
    for version in DealVersion.objects.filter(check_row__isnull=False).select_related("check_row"):
        check = version.check_row
        assert check.seat != version.entered_seat or (check.relation == "referee" and version.entered_seat)


def test_deals_are_the_same_wherever_the_demo_is_made(tournament):
    table = _tables(tournament, Round.State.CLOSED).get(draw__round__event__slug="pairs", number=3)
    ruleset = table.draw.round.event.ruleset_version.ruleset()
    played = play_out(ruleset, Random("pairs/1/3"), mode="partnership")
    first = table.deals.get(number=1).versions.get(number=1)
    assert first.record["captures"] == played.record.to_json()["captures"]


def test_everybody_can_log_in_with_their_role(tournament):
    for one in USERS:
        user = authenticate(username=one.username, password=command.PASSWORD)
        assert access.roles_of(user, tournament) == {one.role}
        assert not user.is_staff
        assert not user.is_superuser


def test_every_table_in_play_is_some_referees(tournament):
    referees = get_user_model().objects.filter(username__startswith="referee")
    for table in _tables(tournament, Round.State.PLAYING):
        assert [access.can_referee_table(user, table) for user in referees].count(True) == 1


def test_public_pages_show_it(tournament, client):
    pages = [reverse("home"), reverse("tournament", args=[tournament.slug])]
    for event in tournament.events.all():
        pages += [
            reverse("event", args=[tournament.slug, event.slug]),
            reverse("standings", args=[tournament.slug, event.slug]),
            reverse("round", args=[tournament.slug, event.slug, 1]),
        ]
    for page in pages:
        assert client.get(page).status_code == 200, page


def test_a_second_run_changes_nothing_and_prints_the_logins(tournament):
    before, out = _rows(), StringIO()
    call_command("demo", stdout=out)
    assert _rows() == before
    printed = out.getvalue()
    for one in USERS:
        assert one.username in printed
        assert reverse(one.start) in printed
    assert command.PASSWORD in printed


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh-hans"),
        ({"LANG": "zh_TW.UTF-8"}, "zh-hant"),
        ({"LANG": "zh-Hant-HK"}, "zh-hant"),
        ({"LANG": "zh"}, "zh-hans"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": ""}, "en"),
        ({"LANG": "C.UTF-8"}, "zh-hans"),  # the site's own
        ({}, "zh-hans"),
    ],
)
def test_a_terminal_is_spoken_to_in_its_own_language(environ, language):
    assert terminal_language(environ) == language


@pytest.mark.parametrize(("lang", "word"), [("en_GB.UTF-8", "public pages"), ("zh_CN.UTF-8", "公开页面")])
def test_the_logins_are_printed_in_the_terminals_language(tournament, monkeypatch, lang, word):
    monkeypatch.setenv("LC_ALL", lang)
    out = StringIO()
    call_command("demo", stdout=out)
    assert word in out.getvalue()


def test_a_changed_password_is_not_printed_wrongly(tournament):
    user = get_user_model().objects.get(username="chief")
    user.set_password("something-else-entirely")
    user.save()
    out = StringIO()
    call_command("demo", stdout=out)
    (line,) = [line for line in out.getvalue().splitlines() if line.split()[:1] == ["chief"]]
    assert command.PASSWORD not in line.split()
