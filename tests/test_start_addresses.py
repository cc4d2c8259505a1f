"""The addresses `make run` names, and that it is answered at them (that it answers: tests/services)."""

import os

import pytest

from scripts import serve

LAN = "192.0.2.7"


@pytest.fixture(autouse=True)
def machine(monkeypatch):
    monkeypatch.setattr(serve, "lan_address", lambda: LAN)
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")


@pytest.mark.parametrize(
    ("given", "for_others"),
    [
        ("", f"https://{LAN}:8443/"),
        ("hall.example.org", "https://hall.example.org:8443/"),
        ("localhost,hall.example.org", "https://hall.example.org:8443/"),
        ("*", f"https://{LAN}:8443/"),
    ],
)
def test_every_address_that_is_named_is_allowed(monkeypatch, capsys, given, for_others):
    monkeypatch.setenv("ALLOWED_HOSTS", given)
    serve.allow_own_names()
    serve.name_addresses("https", 8443)
    named = [line.split()[0] for line in capsys.readouterr().out.splitlines() if "https://" in line]
    assert named == ["https://127.0.0.1:8443/", for_others]
    allowed = os.environ["ALLOWED_HOSTS"].split(",")
    assert {address.split("/")[2].partition(":")[0] for address in named} <= set(allowed)
    assert set(filter(None, given.split(","))) <= set(allowed)


def test_without_a_network_only_this_machine_is_named(monkeypatch, capsys):
    monkeypatch.setattr(serve, "lan_address", lambda: None)
    monkeypatch.delenv("ALLOWED_HOSTS", raising=False)
    serve.allow_own_names()
    serve.name_addresses("http", 8000)
    assert capsys.readouterr().out.count("http://") == 1
