"""A tournament out and in again: the same bytes, the same facts, no rights."""

import json
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.auth import authenticate, get_user_model

from referee.models import Device, TableCard
from referee.services.recompute import recompute_event
from scoring.models import RulesetBook, RulesetVersion
from tests.factories import actor, make_tournament, make_user
from tests.tournament.archive.filled import filled_tournament
from tournament.models import AuditRow, Draw, Entry, Membership, TableGrant, Tournament
from tournament.queries import access
from tournament.queries.archive.file import unpack
from tournament.queries.archive.schema import archive_schema
from tournament.queries.archive.sections import LEFT_OUT, PEOPLE, RULESETS, SECTIONS
from tournament.queries.audit_chain import check_chain
from tournament.queries.draws import same_as_stored
from tournament.rehearsal.scratch import scratch_database
from tournament.services.archive.transfer import export_tournament, import_tournament
from tournament.services.audit import SYSTEM
from tournament.services.bulk import bulk_changes, undo_bulk
from tournament.services.errors import Conflict, NotAllowed

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def archive(django_db_setup, django_db_blocker):
    """The file of a tournament that has everything; what it was made from is gone."""
    with django_db_blocker.unblock(), scratch_database():
        return export_tournament(actor=SYSTEM, tournament=filled_tournament())


@pytest.fixture(scope="module")
def content(archive):
    return unpack(archive)


@pytest.fixture
def elsewhere(archive):
    """The tournament on another site, whose own rows have taken the ids it had at home."""
    filled_tournament("own")
    return import_tournament(actor=SYSTEM, data=archive).tournament


def test_every_section_has_rows(content):
    assert [name for name, rows in content.items() if not rows] == []


def test_exported_again_elsewhere_it_is_the_same_file(archive, elsewhere):
    assert export_tournament(actor=SYSTEM, tournament=elsewhere) == archive


def test_exported_twice_it_is_the_same_file(elsewhere):
    assert export_tournament(actor=SYSTEM, tournament=elsewhere) == export_tournament(
        actor=SYSTEM, tournament=elsewhere
    )


def test_the_audit_trail_is_whole_elsewhere(elsewhere):
    report = check_chain(elsewhere)
    assert report.findings == ()
    assert report.rows == AuditRow.objects.filter(tournament=elsewhere).count() > 20


def test_draws_are_what_their_inputs_and_seeds_give_elsewhere(elsewhere):
    draws = Draw.objects.filter(round__event__tournament=elsewhere).exclude(method="王")
    assert draws.count() >= 2
    assert all(same_as_stored(draw) for draw in draws)


def test_recomputing_finds_elsewhere_what_it_finds_at_home(elsewhere):
    home, away = (
        [
            str(one)
            for event in tournament.events.order_by("pk")
            for one in recompute_event(actor=SYSTEM, event=event).differences
        ]
        for tournament in (Tournament.objects.get(slug="own"), elsewhere)
    )
    assert away == home
    assert recompute_event(actor=SYSTEM, event=elsewhere.events.get(slug="singles")).versions >= 4


def test_a_change_of_many_things_is_undone_elsewhere_and_only_there(elsewhere):
    own = Tournament.objects.get(slug="own").events.get(slug="singles")
    event = elsewhere.events.get(slug="singles")
    before = list(Draw.objects.filter(round__event=own).values_list("pk", "state"))
    clearing = next(row for row, undone in bulk_changes(event) if row.action == "bulk.clear" and not undone)

    undo_bulk(actor=SYSTEM, event=event, row=clearing, reason="doch richtig")

    assert event.rounds.get(number=2).draws.get().state == Draw.State.PUBLISHED
    assert list(Draw.objects.filter(round__event=own).values_list("pk", "state")) == before
    assert [undone for row, undone in bulk_changes(event) if row.action == "bulk.clear"] == [True]
    assert [undone for row, undone in bulk_changes(own) if row.action == "bulk.clear"] == [False]


def test_an_import_gives_nobody_a_right_or_a_log_in(archive, content):
    local = make_user(username="zhang-cup")
    tournament = import_tournament(actor=SYSTEM, data=archive).tournament
    assert not Membership.objects.filter(tournament=tournament).exists()
    assert not TableGrant.objects.filter(event__tournament=tournament).exists()
    assert access.roles_of(local, tournament) == frozenset()
    made = get_user_model().objects.filter(username__startswith="archive:")
    assert {user.first_name for user in made} == {row["name"] for row in content[PEOPLE]}
    for user in made:
        assert not user.is_active
        assert not user.has_usable_password()
        assert authenticate(username=user.username, password="") is None
    assert not AuditRow.objects.filter(tournament=tournament, actor=local).exists()


def test_secrets_of_tablets_and_cards_are_not_in_the_file_and_new_elsewhere(content, elsewhere):
    assert "code" not in content["table_cards"][0]
    assert "digest" not in content["devices"][0]
    assert len(TableCard.objects.get(event__tournament=elsewhere).code) == 12
    assert len(Device.objects.get(event__tournament=elsewhere).digest) == 64


def test_who_imports_becomes_the_organiser_and_the_site_has_it_on_record(archive):
    user = make_user(is_staff=True)
    tournament = import_tournament(actor=actor(user), data=archive).tournament
    assert access.can_organise(user, tournament)
    row = AuditRow.objects.get(action="tournament.import")
    assert row.tournament is None
    assert row.after["rows"]["entries"] == 14
    assert export_tournament(actor=actor(user), tournament=tournament) == archive


def test_only_those_who_may_create_tournaments_import_and_only_organisers_export(archive):
    with pytest.raises(NotAllowed):
        import_tournament(actor=actor(make_user()), data=archive)
    own = make_tournament()
    with pytest.raises(NotAllowed):
        export_tournament(actor=actor(make_user("chief_referee", own)), tournament=own)


def test_a_tournament_that_is_here_already_is_refused(archive, elsewhere):
    with pytest.raises(Conflict) as refused:
        import_tournament(actor=SYSTEM, data=archive, slug="other")
    assert refused.value.code == "archive_here"
    assert Tournament.objects.count() == 2


def test_a_taken_address_is_refused_and_another_one_may_be_given(archive):
    make_tournament(slug="cup")
    with pytest.raises(Conflict) as refused:
        import_tournament(actor=SYSTEM, data=archive)
    assert refused.value.code == "address_taken"
    found = import_tournament(actor=SYSTEM, data=archive, slug="cup-2").tournament
    assert found.slug == "cup-2"
    assert check_chain(found).findings == ()


def test_a_ruleset_of_the_same_key_that_says_something_else_is_left_alone(archive):
    version = RulesetVersion.objects.get(book__key="huapai")
    RulesetVersion.objects.filter(pk=version.pk).update(data={**version.data, "title": "other"})
    found = import_tournament(actor=SYSTEM, data=archive).tournament
    used = found.events.get(slug="singles").ruleset_version
    assert used.book.key == "huapai-2"
    assert not used.book.shipped
    assert RulesetBook.objects.get(key="huapai").versions.get().pk == version.pk


def test_an_entry_deleted_since_a_draw_keeps_a_number_of_its_own():
    with scratch_database():
        tournament = filled_tournament()
        draw = Draw.objects.filter(round__event__tournament=tournament).first()
        gone = Entry.objects.latest("pk").pk + 1000
        stranger = {**draw.inputs["entrants"][0], "id": gone, "present": False}
        Draw.objects.filter(pk=draw.pk).update(
            inputs={**draw.inputs, "entrants": [*draw.inputs["entrants"], stranger]}
        )
        data = export_tournament(actor=SYSTEM, tournament=tournament)
    found = import_tournament(actor=SYSTEM, data=data).tournament
    assert export_tournament(actor=SYSTEM, tournament=found) == data


def test_every_model_of_the_program_is_held_or_named_as_left_out():
    ours = {
        model
        for app in ("tournament", "referee", "scoring")
        for model in apps.get_app_config(app).get_models()
    }
    held = {section.model for section in SECTIONS}
    assert held | set(LEFT_OUT) == ours, "give new models a section, or say why they are left out"
    assert not held & set(LEFT_OUT)


def test_the_documented_schema_is_the_one_in_force():
    documented = json.loads((ROOT / "docs" / "archive.schema.json").read_text(encoding="utf-8"))
    assert documented == json.loads(json.dumps(archive_schema())), (
        "what an archive holds has changed: raise VERSION once archives are in use, then "
        "manage.py archive_schema > docs/archive.schema.json"
    )


def test_the_file_is_as_the_schema_says(content):
    sections = archive_schema()["properties"]["content"]["properties"]
    assert sections.keys() == content.keys()
    assert RULESETS in sections
    for name, rows in content.items():
        item = sections[name]["items"]
        for row in rows:
            assert sorted(row) == item["required"]
            for field, value in row.items():
                assert _fits(item["properties"][field], value), (name, field, value)


def _fits(schema, value):
    types = {
        "null": type(None),
        "integer": int,
        "string": str,
        "boolean": bool,
        "array": list,
        "object": dict,
    }
    wanted = schema.get("type")
    if wanted is None:
        return True
    names = [wanted] if isinstance(wanted, str) else wanted
    return any(type(value) is types[name] for name in names) and (
        "enum" not in schema or value in schema["enum"]
    )
