"""The penalty catalogue: shipped, a tournament's or an event's; penalties given under its articles."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from referee.catalogue import SHIPPED, Article
from referee.models import Penalty, PenaltyRule
from referee.queries.catalogue import catalogue_of, punished_before
from referee.services.catalogue import save_catalogue
from referee.services.penalties import give_penalty
from tests.referee.conftest import Hall, open_hall
from tournament.models import AuditRow, Event
from tournament.services.errors import NotAllowed, Refused

pytestmark = pytest.mark.django_db

REVOKE = Article("1", "Revoke", -60)
LATE = Article("2", "Late", -10, warning_first=True)


def save(hall: Hall, *articles: Article, **values: Any) -> Any:
    values = {"actor": hall.chief, "command_id": uuid4(), **values}
    return save_catalogue(tournament=hall.event.tournament, articles=articles, **values)


def names(hall: Hall, event: Event | None) -> list[str]:
    return [one.article for one in catalogue_of(hall.event.tournament, event)]


def give(hall: Hall, **values: Any) -> Any:
    seat = hall.table.seats.get(direction="N", segment=1)
    values = {
        "actor": hall.referee,
        "event": hall.event,
        "round": hall.table.draw.round,
        "entry": seat.entry,
        "player": seat.player,
        "rule": "1 Revoke",
        "points": -60,
        "reason": "seen by all",
        "table": hall.table,
        "command_id": uuid4(),
        **values,
    }
    return give_penalty(**values)


def test_shipped_articles_hold_until_others_are_written(hall: Hall) -> None:
    assert catalogue_of(hall.event.tournament, hall.event) == SHIPPED
    numbers = [one.article for one in SHIPPED]
    assert len(set(numbers)) == len(numbers)
    assert all(one.points <= 0 for one in SHIPPED)
    assert any(one.warning_first for one in SHIPPED)


def test_events_own_catalogue_goes_before_the_tournaments(hall: Hall) -> None:
    save(hall, REVOKE, LATE)
    assert names(hall, hall.event) == ["1", "2"]
    save(hall, LATE, event=hall.event)
    assert names(hall, hall.event) == ["2"]
    assert names(hall, None) == ["1", "2"]
    save(hall, event=hall.event)
    assert names(hall, hall.event) == ["1", "2"]


def test_changed_article_is_a_new_row_and_the_old_one_stays(hall: Hall) -> None:
    save(hall, REVOKE, LATE)
    kept = PenaltyRule.objects.get(article="2").pk
    save(hall, Article("1", "Revoke", -80), LATE)
    assert PenaltyRule.objects.filter(article="1").count() == 2
    assert PenaltyRule.objects.get(article="1", retired_at=None).points == -80
    assert PenaltyRule.objects.get(article="2").pk == kept
    assert AuditRow.objects.filter(action="penalty_catalogue.save").count() == 2


def test_every_fault_of_a_catalogue_is_named_at_once(hall: Hall) -> None:
    with pytest.raises(Refused) as refused:
        save(hall, REVOKE, REVOKE, Article("", "No number", 0), Article("9", "", -1_000_000))
    codes = [one.code for one in refused.value.problems]
    assert codes == ["article_twice", "article_number", "article_name", "points_range"]
    assert not PenaltyRule.objects.exists()


def test_only_the_desk_edits_the_catalogue(hall: Hall) -> None:
    with pytest.raises(NotAllowed):
        save(hall, REVOKE, actor=hall.referee)


def test_penalty_names_its_article_its_target_and_its_game(hall: Hall) -> None:
    save(hall, REVOKE)
    article = PenaltyRule.objects.get()
    give(hall, article=article, target="seat", game=1)
    penalty = Penalty.objects.get()
    assert (penalty.article, penalty.target, penalty.scope, penalty.game) == (article, "seat", "game", 1)


def test_article_says_why_where_no_reason_is_typed(hall: Hall) -> None:
    save(hall, REVOKE)
    article = PenaltyRule.objects.get()
    for typed, kept in (("", "1 Revoke"), ("seen by all", "seen by all")):
        give(hall, article=article, reason=typed)
        assert (Penalty.objects.latest("pk").reason, AuditRow.objects.latest("pk").reason) == (kept, kept)
    give(hall, rule="1 Revoke", reason=" ")
    assert Penalty.objects.latest("pk").reason == "1 Revoke"
    with pytest.raises(Refused) as refused:
        give(hall, rule="2.1 Hesitation", reason="")  # shipped, and not in the catalogue that holds
    assert refused.value.code == "reason_missing"


@pytest.mark.parametrize("language", ["en", "zh-hans", "zh-hant"])
def test_shipped_article_says_why_in_the_language_it_was_chosen_in(hall: Hall, language: str) -> None:
    with translation.override(language):
        rule = SHIPPED[4].rule
    give(hall, rule=rule, reason="")
    assert Penalty.objects.get().reason == rule
    with pytest.raises(Refused) as refused:
        give(hall, rule=f"{rule}?", reason="")
    assert refused.value.code == "reason_missing"


def test_desk_s_page_and_program_s_interface_need_no_reason_under_an_article(hall: Hall) -> None:
    event, entry = hall.event, hall.event.entries.get(number=1)
    where = [event.tournament.slug, event.slug]
    desk = Client(headers={"accept-language": "en"})
    desk.force_login(hall.chief.user)
    values = {
        "entry": entry.pk,
        "round": hall.table.draw.round_id,
        "points": "-50",
        "command_id": str(uuid4()),
    }
    address = reverse("manage:penalties", args=where)
    assert desk.post(address, values | {"rule": "Shouting"}).status_code == 400
    assert desk.post(address, values | {"rule": "3.5 Wrong claim"}).status_code == 302
    assert "3.5 Wrong claim" in desk.get(address).content.decode()

    body = {"seat": "N", "points": -20, "deal": None}
    table = reverse("referee:api_penalty", args=[hall.table.pk])
    for rule, status in (("Shouting", 400), ("2.1 Hesitation", 200)):
        sent = body | {"rule": rule, "command_id": str(uuid4())}
        assert desk.post(table, sent, content_type="application/json").status_code == status
    given = Penalty.objects.order_by("pk").values_list("rule", "reason")
    assert [rule == reason for rule, reason in given] == [True, True]


def test_penalty_against_a_side_is_each_of_its_entries(db: None) -> None:
    hall = open_hall(Event.Kind.CHANGING, 8)
    north, south = (hall.table.seats.get(direction=one, segment=1) for one in "NS")
    body = give(hall, target="side", partners=(south.entry,)).body
    given = Penalty.objects.order_by("id")
    assert [one.entry_id for one in given] == [north.entry_id, south.entry_id]
    assert body["also"] == [given[1].pk]


def test_penalty_against_strangers_or_under_a_foreign_article_is_refused(hall: Hall) -> None:
    other = open_hall()
    save(other, REVOKE)
    stranger = other.table.seats.get(direction="N", segment=1).entry
    with pytest.raises(Refused) as refused:
        give(hall, target="side", partners=(stranger,), article=PenaltyRule.objects.get())
    assert [one.code for one in refused.value.problems] == ["wrong_entry", "wrong_article"]
    assert not Penalty.objects.exists()


def test_who_was_warned_before_is_told_by_seat(hall: Hall) -> None:
    give(hall, rule="2.1 Hesitation", points=0)
    seats = list(hall.table.seats.filter(segment=1))
    assert punished_before(hall.event, seats) == {"N": ["2.1 Hesitation"], "W": [], "S": [], "E": []}


def page(hall: Hall, client: Client, **fields: Any) -> Any:
    client.force_login(hall.organiser.user)
    slugs = {"tournament": hall.event.tournament.slug, "event": hall.event.slug}
    address = reverse("referee:event_rules", kwargs=slugs)
    return client.post(address, {"command_id": str(uuid4()), **fields}) if fields else client.get(address)


def test_page_saves_rows_and_leaves_empty_ones_out(hall: Hall, client: Client) -> None:
    assert SHIPPED[0].article in page(hall, client).content.decode()
    columns = {
        "article": ["7", "", "8"],
        "name": ["Late", "", "Loud"],
        "points": ["−5", "", "1/2"],
        "warning_first": ["yes", "no", "no"],
    }
    assert page(hall, client, form="catalogue", **columns).status_code == 302
    found = [
        (one.article, one.points, one.warning_first)
        for one in catalogue_of(hall.event.tournament, hall.event)
    ]
    assert [(article, str(points), warning) for article, points, warning in found] == [
        ("7", "-5", True),
        ("8", "1/2", False),
    ]
    assert page(hall, client, form="drop").status_code == 302
    assert catalogue_of(hall.event.tournament, hall.event) == SHIPPED


def test_page_says_which_row_is_wrong_and_keeps_what_was_typed(hall: Hall, client: Client) -> None:
    columns = {"article": ["7"], "name": ["Late"], "points": ["many"], "warning_first": ["no"]}
    answer = page(hall, client, form="catalogue", **columns)
    assert answer.status_code == 400
    assert "many" in answer.content.decode()
    assert not PenaltyRule.objects.exists()


def test_page_chooses_the_sign_off(hall: Hall, client: Client) -> None:
    assert page(hall, client, form="signoff", policy="all").status_code == 302
    hall.event.refresh_from_db()
    assert hall.event.options["signoff"] == "all"
    assert page(hall, client, form="signoff", policy="none").status_code == 400
