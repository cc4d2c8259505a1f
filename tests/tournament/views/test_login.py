"""Passwords are not guessed without end: an address that was wrong too often waits."""

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from referee.models import JoinAttempt
from referee.services import attempts
from tests.factories import make_tournament, make_user
from tournament.demo.cast import PASSWORD as DEMO_PASSWORD

pytestmark = pytest.mark.django_db

PASSWORD = "a long enough one"


@pytest.fixture(autouse=True)
def three(monkeypatch):
    monkeypatch.setattr(attempts, "WRONG_PASSWORDS", 3)


@pytest.fixture
def username():
    user = make_user()
    user.set_password(PASSWORD)
    user.save()
    return user.username


def log_in(username, password=PASSWORD, address="192.0.2.1"):
    client = Client(headers={"accept-language": "en"}, REMOTE_ADDR=address)
    return client.post(reverse("login"), {"username": username, "password": password})


def test_after_too_many_wrong_passwords_not_even_the_right_one_is_looked_at(username):
    wrong = [log_in(name, "wrong").status_code for name in (username, "nobody", username)]
    assert wrong == [200, 200, 200]
    answer = log_in(username)
    assert answer.status_code == 429
    assert "Too many attempts" in answer.content.decode()
    assert PASSWORD not in answer.content.decode()


@pytest.mark.parametrize(
    ("role", "start"), [("organiser", "manage:home"), ("table_referee", "referee:home"), (None, "home")]
)
def test_logging_in_leads_to_where_the_role_works_or_to_the_page_asked_for(role, start):
    user = make_user(role, make_tournament()) if role else make_user()
    user.set_password(PASSWORD)
    user.save()
    for asked, led_to in (
        ("", start),
        (reverse("home"), start),
        ("/t/cup/", None),
        ("https://elsewhere.example/", start),
    ):
        client = Client()
        answer = client.post(
            reverse("login"), {"username": user.username, "password": PASSWORD, "next": asked}
        )
        assert answer.headers["Location"] == (reverse(led_to) if led_to else asked)


def test_whoever_logs_in_with_the_password_of_the_demo_is_told_to_change_it(username):
    user = get_user_model().objects.get(username=username)
    for password, told in ((DEMO_PASSWORD, True), (PASSWORD, False)):
        user.set_password(password)
        user.save()
        client = Client(headers={"accept-language": "en"})
        page = client.post(
            reverse("login"), {"username": username, "password": password, "next": "/manage/"}, follow=True
        )
        assert page.status_code == 200
        assert ("Everybody knows this password" in page.content.decode()) == told


def test_other_addresses_and_later_times_are_not_shut(username):
    for _ in range(4):
        log_in(username, "wrong")
    assert log_in(username, address="192.0.2.2").status_code == 302
    JoinAttempt.objects.update(at=timezone.now() - attempts.WINDOW - timedelta(seconds=1))
    assert log_in(username).status_code == 302


def test_right_passwords_and_empty_forms_do_not_count(username):
    for _ in range(4):
        assert log_in(username).status_code == 302
        assert log_in("", "").status_code == 200
    assert log_in(username).status_code == 302
