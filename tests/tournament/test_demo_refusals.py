"""The demo is never made on top of a site's own data unasked, and made whole or not at all."""

from io import StringIO

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.utils import timezone

from tests.factories import make_tournament, make_user
from tournament.demo.build import build_demo, demo_tournament
from tournament.management.commands import demo as command

pytestmark = pytest.mark.django_db


def _rows():
    return {model._meta.label: model.objects.count() for model in apps.get_models()}


def test_a_site_with_tournaments_of_its_own_is_left_alone(monkeypatch):
    make_tournament()
    built = []
    monkeypatch.setattr(command, "build_demo", lambda **how: built.append(how) or make_tournament())
    before = _rows()
    with pytest.raises(CommandError, match="--anyway"):
        call_command("demo")
    assert _rows() == before
    call_command("demo", "--anyway", stdout=StringIO())
    assert len(built) == 1


def test_accounts_that_exist_are_never_given_the_demos_password():
    user = make_user(username="chief")
    with pytest.raises(CommandError, match="chief"):
        call_command("demo", "--anyway")
    user.refresh_from_db()
    assert not user.check_password(command.PASSWORD)
    assert demo_tournament() is None


def test_a_build_that_fails_leaves_nothing_behind(monkeypatch):
    def fails(staff):
        raise RuntimeError("power cut")

    monkeypatch.setattr("tournament.demo.build._individual", fails)
    before = _rows()
    with pytest.raises(RuntimeError, match="power cut"):
        build_demo(password="x", today=timezone.localdate())
    assert _rows() == before
