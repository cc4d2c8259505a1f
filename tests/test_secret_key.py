"""The key that a site makes for itself: once, outside the repository, readable by its owner only."""

import os

import pytest

from config.env import secret_key


@pytest.fixture(autouse=True)
def _none_given(monkeypatch):
    monkeypatch.delenv("SECRET_KEY", raising=False)


def test_a_key_is_made_once_and_kept(tmp_path):
    home = tmp_path / "secrets"
    key = secret_key(home)
    assert len(key) > 50
    assert secret_key(home) == key
    assert [path.name for path in home.iterdir()] == ["secret_key"]
    assert (home / "secret_key").stat().st_mode & 0o077 == 0


def test_a_key_that_is_there_is_read_without_writing(tmp_path, monkeypatch):
    """A folder handed in read-only, as secrets often are, or a disk that has no hard links."""
    key = secret_key(tmp_path)

    def refused(*args, **options):
        raise PermissionError

    for name in ("open", "link", "mkdir"):
        monkeypatch.setattr(os, name, refused)
    assert secret_key(tmp_path) == key


def test_a_given_key_needs_no_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "given")
    assert secret_key(tmp_path / "none") == "given"
    assert not (tmp_path / "none").exists()
