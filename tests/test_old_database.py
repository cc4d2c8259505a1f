"""A database that the program cannot work with is named at the start, not found out in the middle of play."""

import pytest
from django.db import connection

from scripts.schema import missing_parts
from scripts.serve import migrate

pytestmark = pytest.mark.django_db


def _drop(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def test_a_migrated_database_lacks_nothing():
    assert missing_parts(connection) == []
    migrate()


@pytest.mark.parametrize(
    ("statement", "lacking"),
    [
        ("ALTER TABLE referee_dealversion DROP COLUMN reason", "referee_dealversion.reason"),
        ("DROP TABLE tournament_publishedpage", "tournament_publishedpage"),
    ],
)
def test_a_database_of_an_earlier_form_stops_the_start_and_says_what_to_do(statement, lacking, monkeypatch):
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    _drop(statement)
    assert missing_parts(connection) == [lacking]
    with pytest.raises(SystemExit) as stopped:
        migrate()
    text = str(stopped.value)
    assert lacking in text
    assert "HUAPAI_DATA=" in text
    assert "Nothing in it was deleted" in text
