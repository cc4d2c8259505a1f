"""`make run` that cannot start: it ends with what is wrong, in the terminal's language."""

import socket

import pytest

from scripts import serve


@pytest.fixture(params=["en_GB.UTF-8", "zh_CN.UTF-8"])
def language(request, monkeypatch):
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", request.param)
    return request.param[:2]


def ended(run, *arguments):
    with pytest.raises(SystemExit) as ending:
        run(*arguments)
    return ending.value.code


@pytest.mark.parametrize("port", ["0", "65536", "eight", "-1", "80 80"])
def test_a_port_that_is_none_is_named(monkeypatch, language, port):
    monkeypatch.setenv("PORT", port)
    told = ended(serve.port_from_environment)
    assert f"“{port}”" in told
    assert ("must be a number" in told) == (language == "en")


def test_half_a_certificate_is_named(monkeypatch, language, tmp_path):
    monkeypatch.setenv("TLS_CERT", str(tmp_path / "no-such-file"))
    monkeypatch.delenv("TLS_KEY", raising=False)
    told = ended(serve.certificate_from_environment)
    assert told.startswith("TLS_CERT")
    assert ("must name a file" in told) == (language == "en")


def test_a_port_that_is_taken_is_said_with_another(language):
    with socket.create_server(("0.0.0.0", 0)) as other:
        port = other.getsockname()[1]
        assert f"make run PORT={port + 1}" in ended(serve.ensure_free, port)
