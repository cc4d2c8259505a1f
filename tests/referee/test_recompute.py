"""Recomputing an event: whatever is tampered with is named, what is right is left alone."""

from copy import deepcopy
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from referee.models import DealVersion
from referee.queries.published_figures import publication_differences
from referee.services.deals import correct_deal
from referee.services.recompute import recompute_event
from referee.services.trail_facts import check_facts
from tests.factories import actor, make_user
from tests.referee.conftest import open_hall
from tournament.models import AuditRow, EntryResult, Event, Publication
from tournament.queries.results_sheet import results_sheet
from tournament.rehearsal.plan import RehearsalPlan
from tournament.rehearsal.play import rehearse
from tournament.rehearsal.scratch import scratch_database
from tournament.services.audit import SYSTEM
from tournament.services.errors import NotAllowed
from tournament.services.publish import publish_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    """A round of two tables, two checked deals at the first, published; one of them corrected before."""
    hall = open_hall(Event.Kind.PAIRS, 4, plan={"kind": "set", "deals": 2})
    for number in (1, 2):
        hall.record(number=number, record=hall.random_record(number))
    correct_deal(
        actor=hall.chief,
        deal=hall.deal(2),
        version=1,
        record=hall.random_record(7),
        reason="记错",
        command_id=uuid4(),
    )
    hall.check(1)
    hall.check(2, relation="player", seat="W")
    publish_round(actor=hall.organiser, round=hall.event.rounds.get(number=1))
    return hall.event


def _differences(event, **how):
    return [str(one) for one in recompute_event(actor=SYSTEM, event=event, **how).differences]


def _version(number=1):
    return DealVersion.objects.get(deal__number=number, number=number)


def _publication(what):
    return Publication.objects.get(what=what)


@pytest.mark.parametrize(
    "work",
    [
        lambda event: recompute_event(actor=SYSTEM, event=event, every_version=True),
        lambda event: check_facts(event.tournament),
    ],
)
def test_what_a_draw_was_made_from_is_not_read_again_with_every_deal(event, work):
    with CaptureQueriesContext(connection) as caught:
        work(event)
    rows = ("referee_dealversion", "tournament_entryresult")
    many = [one["sql"] for one in caught if any(f'FROM "{name}"' in one["sql"] for name in rows)]
    assert many
    assert not [sql for sql in many if '"tournament_draw"."inputs"' in sql]


def test_nothing_differs_where_nothing_was_touched(event):
    found = recompute_event(actor=SYSTEM, event=event, every_version=True)
    assert found.differences == []
    assert (found.versions, found.results) == (3, 2)


@pytest.mark.parametrize("kind", Event.Kind.values)
def test_nothing_differs_in_a_whole_event_of_any_kind(kind):
    with scratch_database():
        played = rehearse(
            RehearsalPlan(kind=kind, entries=9, rounds=2, deals=2, format="random"), lambda *_: None
        )
        event = played.standings.event
        found = recompute_event(actor=SYSTEM, event=event, every_version=True)
        assert [str(one) for one in found.differences] == []
        assert found.versions == played.deals


def test_a_changed_score_is_named_by_table_deal_and_seat(event):
    version = _version()
    seat, value = next(iter(version.answer["scores"].items()))
    DealVersion.objects.filter(pk=version.pk).update(
        answer={**version.answer, "scores": {**version.answer["scores"], seat: 9999}}
    )
    assert _differences(event) == [
        f"round 1 draw 1 table 1 deal 1 v1: scores.{seat}: stored 9999, by the records {value}"
    ]


@pytest.mark.parametrize("part", ["credited", "flags", "formula", "sides"])
def test_every_part_of_an_answer_is_compared(event, part):
    version = _version()
    DealVersion.objects.filter(pk=version.pk).update(answer={**version.answer, part: {}})
    found = _differences(event)
    assert found
    assert all(f"deal 1 v1: {part}" in one for one in found)


def test_a_changed_record_is_named_in_scores_results_and_what_was_published(event):
    version = _version(2)
    record = version.record
    seats = list(record["captures"])
    swapped = {
        **record["captures"],
        seats[0]: record["captures"][seats[1]],
        seats[1]: record["captures"][seats[0]],
    }
    DealVersion.objects.filter(pk=version.pk).update(record={**record, "captures": swapped})
    found = recompute_event(actor=SYSTEM, event=event)
    assert any("deal 2 v2: scores" in str(one) for one in found.repairable)
    assert any("table 1 entry" in str(one) and "points" in str(one) for one in found.repairable)
    assert any(one.field == "captures" for one in found.published)


def test_a_record_that_cannot_be_scored_is_named(event):
    version = _version()
    DealVersion.objects.filter(pk=version.pk).update(record={**version.record, "captures": {}})
    assert any("deal 1 v1: record: stored 'cannot be scored'" in one for one in _differences(event))


@pytest.mark.parametrize(
    "field",
    [
        one.name
        for one in EntryResult._meta.concrete_fields
        if one.name not in ("id", "round", "table", "entry")
    ],
)
def test_every_field_of_a_result_is_compared(event, field):
    result = EntryResult.objects.filter(round__event=event).first()
    value = getattr(result, field)
    EntryResult.objects.filter(pk=result.pk).update(**{field: not value if value in (True, False) else 77})
    (found,) = _differences(event)
    assert f"table 1 entry {result.entry.number}: {field}:" in found


def test_a_missing_and_a_surplus_result_are_named(event):
    result = EntryResult.objects.filter(round__event=event).first()
    stranger = event.entries.exclude(results__table=result.table).first()
    EntryResult.objects.filter(pk=result.pk).update(entry=stranger)
    found = _differences(event)
    assert any("'missing'" in one for one in found)
    assert any(f"entry {stranger.number}: result: stored 'there'" in one for one in found)


def _tampered(payload, path, value):
    inner = payload
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return payload


@pytest.mark.parametrize(
    ("what", "path", "value"),
    [
        ("results", ["tables", 0, "deals", 0, "scores"], {"N": 1}),
        ("results", ["tables", 0, "deals", 0, "credited", "N"], 5000),
        ("results", ["tables", 0, "deals", 0, "version"], 9),
        ("results", ["tables", 0, "deals", 1, "captures"], {}),
        ("results", ["tables", 0, "lines", 0, "points"], 4321),
        ("results", ["tables", 0, "lines", 0, "deals"], 3),
        ("standings", ["rows", 0, "total"], 4321),
        ("standings", ["rows", 0, "cells", 0, "value"], 4321),
    ],
)
def test_a_changed_figure_of_a_publication_is_named(event, what, path, value):
    publication = _publication(what)
    Publication.objects.filter(pk=publication.pk).update(payload=_tampered(publication.payload, path, value))
    found = _differences(event)
    assert found
    assert all(one.startswith(f"publication of {what} round 1 v1") for one in found)


def _leaves(value, path=()):
    """The path to everything that a payload says, and that value; of a list, the first."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, (*path, key))
    elif isinstance(value, list):
        for inner in value[:1]:
            yield from _leaves(inner, (*path, 0))
    else:
        yield path, value


def _another(value):
    if isinstance(value, bool):
        return not value
    return f"{value}x" if isinstance(value, str) else (value or 0) + 77


@pytest.mark.parametrize("what", Publication.What.values)
def test_whatever_a_publication_says_otherwise_than_it_was_published_is_named(event, what):
    publication = _publication(what)
    right = publication.payload
    paths = list(_leaves(right))
    assert len(paths) > 20
    for path, value in paths:
        payload = _tampered(deepcopy(right), path, _another(value))
        changed = [one.field for one in _published_differences(event, publication, payload)]
        assert "digest" in changed, path
    assert _published_differences(event, publication, right) == []


def _published_differences(event, publication, payload):
    """With the sheet of a publication made to agree with its payload, as who changes both would."""
    sheet = results_sheet(publication.what, payload)
    Publication.objects.filter(pk=publication.pk).update(payload=payload, sheet=sheet)
    answers = {one.pk: one.answer for one in DealVersion.objects.all() if one.answer}
    return list(publication_differences(event, answers))


def test_a_publication_that_is_gone_put_in_or_taken_off_is_named(event):
    publication = _publication("standings")
    Publication.objects.filter(pk=publication.pk).update(withdrawn=True)
    (taken_off,) = _differences(event)
    assert "standings round 1 v1: digest" in taken_off
    Publication.objects.filter(pk=publication.pk).update(withdrawn=False, version=2)
    assert sorted(one.split(":")[0] for one in _differences(event, every_version=True)) == [
        "publication of standings round 1 v1",
        "publication of standings round 1 v2",
    ]
    publication.delete()
    (gone,) = _differences(event)
    assert "publication: stored 'missing'" in gone


def test_a_payload_that_cannot_be_read_is_named(event):
    publication = _publication("results")
    Publication.objects.filter(pk=publication.pk).update(payload={"tables": [{}]}, live=True)
    assert any("cannot be read" in one for one in _differences(event))


def test_earlier_versions_of_publications_are_looked_at_when_asked(event):
    publication = _publication("results")
    tampered = _tampered(publication.payload, ["tables", 0, "lines", 0, "points"], 1)
    Publication.objects.filter(pk=publication.pk).update(payload=tampered)
    publish_round(actor=SYSTEM, round=event.rounds.get(number=1))
    assert _differences(event) == []
    assert _differences(event, every_version=True)


def test_looking_changes_nothing(event):
    EntryResult.objects.filter(round__event=event).update(points=1)
    rows = AuditRow.objects.count()
    before = _differences(event)
    assert _differences(event) == before != []
    assert AuditRow.objects.count() == rows


def test_repairing_stores_what_the_records_give_and_is_on_record(event):
    version = _version()
    right = list(EntryResult.objects.filter(round__event=event).values())
    DealVersion.objects.filter(pk=version.pk).update(answer={**version.answer, "credited": {}, "scores": {}})
    EntryResult.objects.filter(round__event=event).update(points=1)
    organiser = actor(make_user("organiser", event.tournament))
    found = recompute_event(actor=organiser, event=event, repair=True)
    assert found.repairable
    assert _differences(event) == []
    assert _version().answer == version.answer
    assert list(EntryResult.objects.filter(round__event=event).values()) == right
    row = AuditRow.objects.get(action="event.recompute")
    assert row.actor == organiser.user
    assert len(row.before) == len(row.after) == len(found.repairable)


def test_what_was_published_is_never_repaired(event):
    publication = _publication("results")
    tampered = _tampered(publication.payload, ["tables", 0, "lines", 0, "points"], 1)
    Publication.objects.filter(pk=publication.pk).update(payload=tampered)
    assert recompute_event(actor=SYSTEM, event=event, repair=True).published
    assert Publication.objects.get(pk=publication.pk).payload == tampered


def test_only_an_organiser_may_have_it_recomputed(event):
    with pytest.raises(NotAllowed):
        recompute_event(actor=actor(make_user("chief_referee", event.tournament)), event=event)


def _run(*arguments):
    out = StringIO()
    try:
        call_command("recompute", *arguments, stdout=out)
    except CommandError as fault:
        return fault.returncode, out.getvalue() + str(fault)
    return 0, out.getvalue()


def test_the_command_reports_ends_with_an_error_and_repairs(event):
    address = f"{event.tournament.slug}/{event.slug}"
    assert _run(address) == (0, f"{address}: 3 records, 2 results, 0 differences\n")
    assert _run("--all")[0] == 0
    EntryResult.objects.filter(round__event=event).update(deals=5)
    status, text = _run(str(event.pk))
    assert status == 1
    assert "deals: stored 5, by the records 2" in text
    assert _run(address, "--repair")[0] == 0
    assert _run("--all")[0] == 0


@pytest.mark.parametrize("arguments", [(), ("x/y",), ("99999",), ("1", "--all")])
def test_the_command_says_what_is_missing(arguments):
    assert _run(*arguments)[0] == 1
