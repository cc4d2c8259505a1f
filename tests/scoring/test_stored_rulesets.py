"""The shipped rulesets are in the database, and stay what they were when an event chose them."""

import logging

import pytest
from django.core.management import call_command

from scoring import services
from scoring.engine import Ruleset
from scoring.models import RulesetBook, RulesetVersion
from scoring.rulesets import load, shipped_keys
from scoring.services import sync_shipped_rulesets

pytestmark = pytest.mark.django_db


def test_every_shipped_ruleset_is_stored_by_migrating():
    stored = {version.book.key: version for version in RulesetVersion.objects.select_related("book")}
    assert set(stored) == set(shipped_keys())
    for key, version in stored.items():
        assert version.book.shipped
        assert version.number == 1
        assert version.ruleset() == load(key)


def test_a_stored_version_states_every_field():
    fields = {spec.name for spec in Ruleset.fields_meta()}
    for version in RulesetVersion.objects.all():
        assert set(version.data) == fields


def test_storing_again_stores_nothing(django_assert_max_num_queries):
    with django_assert_max_num_queries(4 + len(shipped_keys())):
        assert sync_shipped_rulesets() == ()
    call_command("migrate", verbosity=0)
    assert RulesetVersion.objects.count() == len(shipped_keys())


def test_a_changed_file_makes_a_new_version_and_leaves_the_old(monkeypatch):
    before = load("classic")
    changed = Ruleset.from_dict({**before.to_full_dict(), "sheep": 60})
    monkeypatch.setattr(services, "load", lambda key: changed if key == "classic" else load(key))
    (made,) = sync_shipped_rulesets()
    assert (made.book.key, made.number, made.ruleset()) == ("classic", 2, changed)
    assert RulesetVersion.objects.get(book__key="classic", number=1).ruleset() == before


def test_a_field_new_in_this_release_makes_no_new_version():
    version = RulesetVersion.objects.get(book__key="huapai")
    data = dict(version.data)
    del data["odd_cards"]
    RulesetVersion.objects.filter(pk=version.pk).update(data=data)
    assert sync_shipped_rulesets() == ()


def test_a_version_that_can_no_longer_be_read_gets_a_successor():
    RulesetVersion.objects.filter(book__key="huapai").update(data={"no_such_rule": 1})
    (made,) = sync_shipped_rulesets()
    assert made.number == 2
    assert made.ruleset() == load("huapai")


def test_an_own_ruleset_under_a_shipped_key_is_left_alone(caplog):
    RulesetVersion.objects.filter(book__key="book-b").delete()
    RulesetBook.objects.filter(key="book-b").update(shipped=False)
    with caplog.at_level(logging.WARNING, logger="scoring.services"):
        assert sync_shipped_rulesets() == ()
    assert "book-b" in caplog.text
    assert not RulesetVersion.objects.filter(book__key="book-b").exists()
