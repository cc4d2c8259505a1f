"""Rulesets of an organiser's own: who may make and change them, what is stored, what is refused."""

import pytest
from django.utils import translation

from scoring.engine import Ruleset
from scoring.models import RulesetBook, RulesetVersion
from tests.factories import actor, make_event, make_tournament, make_user
from tournament.models import AuditRow
from tournament.services import rulesets as services
from tournament.services.audit import SYSTEM
from tournament.services.errors import Conflict, NotAllowed, Refused, Stale

pytestmark = pytest.mark.django_db


@pytest.fixture
def huapai():
    return RulesetVersion.objects.get(book__key="huapai", number=1)


@pytest.fixture
def owner():
    return make_user("organiser", make_tournament())


@pytest.fixture
def book(huapai, owner):
    return services.copy_ruleset(actor=actor(owner), version=huapai, key="ours", title="我们的规则")


def _rules(book, **changes):
    return {**book.versions.latest("number").data, **changes}


def test_a_copy_has_every_rule_of_its_origin_and_its_own_name(huapai, book, owner):
    (version,) = book.versions.all()
    differing = {name for name in version.data if version.data[name] != huapai.data[name]}
    assert differing == {"key", "titles"}
    assert version.data["key"] == "ours"
    assert set(version.data["titles"].values()) == {"我们的规则"}
    assert (book.shipped, book.copied_from, book.created_by) == (False, huapai, owner)


def test_a_copy_is_audited(book, owner):
    row = AuditRow.objects.get(action="ruleset.copy")
    assert (row.actor, row.subject, row.after["copied_from"]) == (
        owner,
        f"rulesetbook:{book.pk}",
        "huapai v1",
    )


def test_the_same_copy_sent_twice_is_made_once(book, huapai, owner):
    again = services.copy_ruleset(actor=actor(owner), version=huapai, key="ours", title="我们的规则")
    assert again == book
    assert RulesetBook.objects.filter(shipped=False).count() == 1
    assert AuditRow.objects.filter(action="ruleset.copy").count() == 1


@pytest.mark.parametrize("key", ["huapai", "ours"])
def test_a_key_that_is_taken_is_refused(book, huapai, key):
    other = make_user("organiser", make_tournament())
    with pytest.raises(Conflict) as refused:
        services.copy_ruleset(actor=actor(other), version=huapai, key=key, title="我们的规则")
    assert refused.value.code == "ruleset_key_taken"
    assert refused.value.field == "key"


def test_every_fault_of_a_copy_is_reported_at_once(huapai, owner):
    with pytest.raises(Refused) as refused:
        services.copy_ruleset(actor=actor(owner), version=huapai, key="no spaces!", title="  ")
    assert {problem.field for problem in refused.value.problems} == {"key", "titles"}
    assert not RulesetBook.objects.filter(shipped=False).exists()


@pytest.mark.parametrize("role", [None, "chief_referee", "table_referee"])
def test_only_organisers_copy(huapai, role):
    user = make_user(role, make_tournament() if role else None)
    with pytest.raises(NotAllowed):
        services.copy_ruleset(actor=actor(user), version=huapai, key="x", title="x")


def test_an_edit_makes_a_new_version_and_leaves_the_old(book, owner):
    before = book.versions.get(number=1).data
    made = services.edit_ruleset(
        actor=actor(owner), book=book, data=_rules(book, pig=-200), based_on=1, note="猪改为两百"
    )
    assert (made.number, made.note, made.created_by) == (2, "猪改为两百", owner)
    assert made.ruleset().pig == -200
    assert book.versions.get(number=1).data == before
    row = AuditRow.objects.get(action="ruleset.edit")
    assert (row.before, row.after, row.reason) == ({"pig": -100}, {"version": 2, "pig": -200}, "猪改为两百")


def test_differences_from_the_base_are_enough(book, owner):
    titles = book.versions.get(number=1).data["titles"]
    made = services.edit_ruleset(
        actor=actor(owner), book=book, data={"titles": titles, "sheep": 50}, based_on=1
    )
    assert made.ruleset() == Ruleset.from_dict({"key": "ours", "titles": titles, "sheep": 50})


def test_an_edit_that_changes_nothing_stores_nothing(book, owner):
    same = services.edit_ruleset(actor=actor(owner), book=book, data=_rules(book), based_on=1)
    assert same.number == 1
    assert not AuditRow.objects.filter(action="ruleset.edit").exists()


def test_the_same_edit_sent_twice_is_stored_once(book, owner):
    data = _rules(book, pig=-200)
    first = services.edit_ruleset(actor=actor(owner), book=book, data=data, based_on=1)
    second = services.edit_ruleset(actor=actor(owner), book=book, data=data, based_on=1)
    assert first == second
    assert book.versions.count() == 2


def test_an_edit_of_an_older_version_is_stale_and_carries_both(book, owner):
    services.edit_ruleset(actor=actor(owner), book=book, data=_rules(book, pig=-200), based_on=1)
    offered = {**_rules(book), "pig": -100, "sheep": 80}
    with pytest.raises(Stale) as stale:
        services.edit_ruleset(actor=actor(owner), book=book, data=offered, based_on=1)
    assert (stale.value.current["pig"], stale.value.offered["pig"]) == (-200, -100)
    assert stale.value.params["number"] == 2
    assert book.versions.count() == 2


def test_the_key_is_never_changed(book, owner):
    made = services.edit_ruleset(
        actor=actor(owner), book=book, data=_rules(book, key="huapai", pig=-1), based_on=1
    )
    assert made.data["key"] == "ours"


def test_every_fault_of_an_edit_names_its_field_in_words(book, owner):
    data = _rules(book, pig=10**7, exposure="sometimes", hearts=[1, 2], scale=12)
    with translation.override("en"), pytest.raises(Refused) as refused:
        services.edit_ruleset(actor=actor(owner), book=book, data=data, based_on=1)
    by_field = {problem.field: str(problem) for problem in refused.value.problems}
    assert set(by_field) == {"pig", "exposure", "hearts"}
    assert by_field["pig"].startswith("“Pig ♠Q” must lie between")
    assert "optional, with forced fourth" in by_field["exposure"]
    assert book.versions.count() == 1


def test_rules_that_need_each_other_are_refused_together(book, owner):
    with translation.override("en"), pytest.raises(Refused) as refused:
        services.edit_ruleset(actor=actor(owner), book=book, data=_rules(book, scale=12), based_on=1)
    assert str(refused.value) == "“Zero-sum scores are multiplied by” = 12 needs “Zero-sum scores” to be yes."


def test_a_note_that_is_too_long_is_refused(book, owner):
    with pytest.raises(Refused) as refused:
        services.edit_ruleset(
            actor=actor(owner), book=book, data=_rules(book, pig=-1), based_on=1, note="x" * 301
        )
    assert refused.value.field == "note"


def test_only_its_maker_and_superusers_edit(book, owner):
    stranger = make_user("organiser", make_tournament())
    with pytest.raises(NotAllowed):
        services.edit_ruleset(actor=actor(stranger), book=book, data=_rules(book, pig=-1), based_on=1)
    admin = make_user(is_superuser=True)
    assert (
        services.edit_ruleset(actor=actor(admin), book=book, data=_rules(book, pig=-1), based_on=1).number
        == 2
    )


def test_a_maker_who_organises_nothing_any_more_may_not_edit(book, owner):
    owner.memberships.all().delete()
    with pytest.raises(NotAllowed):
        services.edit_ruleset(actor=actor(owner), book=book, data=_rules(book, pig=-1), based_on=1)


def test_nobody_edits_a_shipped_ruleset(huapai):
    admin = make_user(is_superuser=True)
    with pytest.raises(NotAllowed):
        services.edit_ruleset(actor=actor(admin), book=huapai.book, data={"pig": -1}, based_on=1)


def test_an_event_keeps_the_version_it_names(book, owner):
    event = make_event(entries=0)
    event.ruleset_version = book.versions.get(number=1)
    event.save()
    services.edit_ruleset(actor=SYSTEM, book=book, data=_rules(book, pig=-200), based_on=1)
    event.refresh_from_db()
    assert event.ruleset_version.ruleset().pig == -100
