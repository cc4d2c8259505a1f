"""Pages about rulesets: what they show, and what their forms do."""

import pytest
from django.test import Client
from django.urls import reverse

from scoring.engine import Ruleset
from scoring.labels import field_name
from scoring.models import RulesetBook, RulesetVersion
from scoring.rulesets import load, shipped_keys
from tests.factories import actor, make_event, make_tournament, make_user
from tournament.forms.rulesets import RulesetForm, card_codes
from tournament.services.rulesets import copy_ruleset, edit_ruleset

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return make_user("organiser", make_tournament())


@pytest.fixture
def client(owner):
    client = Client(headers={"accept-language": "en"})
    client.force_login(owner)
    return client


@pytest.fixture
def book(owner):
    huapai = RulesetVersion.objects.get(book__key="huapai")
    return copy_ruleset(actor=actor(owner), version=huapai, key="ours", title="Ours")


def _posted(book, **changes):
    """What a browser sends for the form as it is first shown, with these fields typed over."""
    version = book.versions.latest("number")
    form = RulesetForm(ruleset=version.ruleset(), based_on=version.number)
    data = {name: form[name].value() for name in form.fields}
    data["command_id"] = "0c8e9c0e-55c5-4e4a-9fd4-6f5b8f5a3a11"
    data.update(changes)
    return {name: value for name, value in data.items() if value is not None and value is not False}


def _text(response):
    assert response.status_code == 200
    return response.content.decode()


def test_the_list_has_every_ruleset_and_its_events(client, book):
    event = make_event(name="Spring cup")
    page = _text(client.get(reverse("manage:rulesets")))
    for key in (*shipped_keys(), "ours"):
        assert reverse("manage:ruleset", args=[key]) in page
    assert f"{event.tournament.name} · Spring cup" in page


def test_the_list_costs_the_same_however_many_rulesets(client, book, django_assert_num_queries):
    client.get(reverse("manage:rulesets"))
    with django_assert_num_queries(6):
        client.get(reverse("manage:rulesets"))


@pytest.mark.parametrize("key", shipped_keys())
def test_a_rulesets_page_explains_every_rule_and_marks_the_differences(client, key):
    page = _text(client.get(reverse("manage:ruleset", args=[key])))
    for spec in Ruleset.fields_meta():
        if spec.group != "identity":
            assert field_name(spec.name).replace("'", "&#x27;") in page
    differences = set(load(key).to_dict()) - {"key", "titles", "source"}
    assert page.count('class="rules__differs"') == len(differences)


def test_an_own_ruleset_can_be_compared_with_its_origin_and_the_version_before(client, book, owner):
    data = {**book.versions.get().data, "pig": -200}
    edit_ruleset(actor=actor(owner), book=book, data=data, based_on=1)
    for against, marked in {"base": 6, "origin": 1, "before": 1, "nonsense": 6}.items():
        page = _text(client.get(reverse("manage:ruleset", args=["ours"]), {"against": against}))
        assert page.count('class="rules__differs"') == marked, against


def test_a_title_is_shown_in_the_readers_language(client):
    page = client.get(reverse("manage:ruleset", args=["classic"]), headers={"accept-language": "zh-hant"})
    assert "傳統拱豬" in _text(page)


def test_copying_makes_a_ruleset_and_leads_to_its_form(client):
    response = client.post(
        reverse("manage:ruleset_copy", args=["classic", 1]),
        {"command_id": "0c8e9c0e-55c5-4e4a-9fd4-6f5b8f5a3a11", "title": "俱乐部规则", "key": ""},
    )
    assert response.url == reverse("manage:ruleset_edit", args=["ju-le-bu-gui-ze"])
    assert RulesetBook.objects.get(key="ju-le-bu-gui-ze").copied_from.book.key == "classic"


def test_a_copy_under_a_taken_key_says_so_beside_the_field(client):
    response = client.post(
        reverse("manage:ruleset_copy", args=["classic", 1]),
        {"command_id": "0c8e9c0e-55c5-4e4a-9fd4-6f5b8f5a3a11", "title": "x", "key": "huapai"},
    )
    assert response.context["form"].errors["key"] == ["There is already a ruleset “huapai”."]


@pytest.mark.parametrize("key", shipped_keys())
def test_the_form_gives_back_the_ruleset_it_was_made_of(key):
    form = RulesetForm(ruleset=load(key), based_on=1)
    data = {name: form[name].value() for name in form.fields}
    data["command_id"] = "0c8e9c0e-55c5-4e4a-9fd4-6f5b8f5a3a11"
    sent = {name: value for name, value in data.items() if value is not None and value is not False}
    again = RulesetForm(sent, ruleset=load(key), based_on=1)
    assert again.is_valid(), again.errors
    assert Ruleset.from_dict({**again.data_for_service(), "key": key}) == load(key)


def test_editing_stores_a_version(client, book):
    response = client.post(
        reverse("manage:ruleset_edit", args=["ours"]),
        _posted(
            book,
            pig="-200",
            hearts_HA="-60",
            odd_cards="♦2 s2，D3 c3 d4 s4 c4 d5 s5 c5 d6 s6 c6",
            note="测试",
        ),
    )
    assert response.url == reverse("manage:ruleset", args=["ours"])
    version = book.versions.latest("number")
    rules = version.ruleset()
    assert (version.number, version.note) == (2, "测试")
    assert (rules.pig, rules.hearts[0], rules.odd_cards[:3]) == (-200, -60, ("D2", "S2", "D3"))


def test_every_fault_stands_beside_its_field_and_what_was_typed_stays(client, book):
    response = client.post(
        reverse("manage:ruleset_edit", args=["ours"]),
        _posted(book, pig="-999999", hearts_H2="x", odd_cards="SQ", scale="12", titles_en=""),
    )
    form = response.context["form"]
    assert set(form.errors) == {"pig", "hearts_H2", "odd_cards", "scale", "titles_en"}
    assert form["pig"].value() == "-999999"
    assert book.versions.count() == 1


def test_a_rule_that_depends_on_a_faulty_one_is_not_blamed(client, book):
    response = client.post(
        reverse("manage:ruleset_edit", args=["ours"]),
        _posted(book, grand_slam="fixed", grand_slam_value="many"),
    )
    assert set(response.context["form"].errors) == {"grand_slam_value"}


def test_a_stale_edit_shows_both_and_can_be_saved_on_purpose(client, book, owner):
    sent = _posted(book, pig="-150")
    data = {**book.versions.get().data, "pig": -200}
    edit_ruleset(actor=actor(owner), book=book, data=data, based_on=1)
    response = client.post(reverse("manage:ruleset_edit", args=["ours"]), sent)
    (conflict,) = response.context["conflicts"]
    assert (conflict.spec.name, conflict.value, conflict.base_value) == ("pig", -150, -200)
    assert "Version 2 was stored while you were editing" in _text(response)
    again = {**sent, "based_on": response.context["form"]["based_on"].value()}
    client.post(reverse("manage:ruleset_edit", args=["ours"]), again)
    assert book.versions.latest("number").ruleset().pig == -150


def test_the_same_form_sent_twice_stores_once_and_says_saved(client, book):
    sent = _posted(book, pig="-200")
    for _turn in range(2):
        response = client.post(reverse("manage:ruleset_edit", args=["ours"]), sent, follow=True)
        assert "Saved as version 2" in _text(response)
    assert book.versions.count() == 2


@pytest.mark.parametrize(
    ("typed", "codes"),
    [
        ("♦2 ♠10", ["D2", "S10"]),
        ("d2,s10、c3；HA", ["D2", "S10", "C3", "HA"]),
        ("♦\ufe0e2", ["D2"]),
        ("  ", []),
        ("Z9", ["Z9"]),
    ],
)
def test_typed_cards_are_read(typed, codes):
    assert card_codes(typed) == codes


# --- the page to try a ruleset on -----------------------------------------------------------------------


def _tried(client, key, **laid):
    return client.get(reverse("manage:ruleset_try", args=[key, 1]), {"mode": "individual", **laid})


def test_a_partial_deal_is_scored_with_its_formula(client):
    response = _tried(
        client,
        "huapai",
        taken_SQ_1="N", taken_H6_1="N", taken_H8_1="N", taken_H10_1="N", taken_HJ_1="N", taken_C10_1="N",
        held_SQ_1="W", held_C10_1="S", held_HA_1="E", shown_HA_1="exposed", held_DJ_1="W",
    )  # fmt: skip
    score = response.context["score"]
    assert score.scores["N"] == -400
    assert "(-100 + (-20×3) + (-40)) × 2 = -400" in _text(response)
    assert "DJ" in score.missing


def test_two_decks_tell_copies_apart(client):
    response = _tried(
        client,
        "double-pig",
        taken_DJ_1="S", taken_DJ_2="S", held_DJ_1="S", held_DJ_2="N", shown_DJ_1="exposed",
    )  # fmt: skip
    assert response.context["score"].scores["S"] == 400


def test_faults_of_a_tried_deal_stand_at_their_cards(client):
    response = _tried(client, "huapai", taken_SQ_1="N", held_HA_1="W", shown_HA_1="first", shown_DJ_1="first")
    assert "held_DJ_1" in response.context["form"].errors
    three = {f"shown_{card}_1": "exposed" for card in ("SQ", "HA", "DJ")}
    response = _tried(client, "platform", **three, held_SQ_1="N", held_HA_1="N", held_DJ_1="N")
    assert "shown_C10_1" in response.context["form"].errors
    assert response.context["score"] is None


def test_the_page_offers_only_what_the_ruleset_knows(client):
    form = _tried(client, "platform-two-deck").context["form"]
    assert [value for value, _name in form.fields["shown_SQ_2"].choices] == ["", "exposed", "dark"]
    assert [value for value, _name in form.fields["mode"].choices] == ["individual", "partnership"]
    assert len(form.lines) == 32


def test_trying_stores_nothing(client, django_assert_max_num_queries):
    before = RulesetVersion.objects.count()
    response = client.post(reverse("manage:ruleset_try", args=["huapai", 1]), {"mode": "individual"})
    assert response.status_code == 405
    assert RulesetVersion.objects.count() == before


@pytest.mark.parametrize("address", ["/manage/rulesets/none/", "/manage/rulesets/huapai/99/"])
def test_an_unknown_ruleset_or_version_is_not_found(client, address):
    assert client.get(address).status_code == 404
