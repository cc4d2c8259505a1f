"""Settings from the environment: what cannot be meant is refused at the start, by the variable's name."""

import pytest

from config.env import env_bool, env_int, env_rate


@pytest.mark.parametrize(
    ("read", "default", "wrong"),
    [
        (env_bool, False, "perhaps"),
        (env_int, 60, "60 s"),
        (env_int, 60, "-1"),
        (env_rate, "600/min", "600"),
        (env_rate, "600/min", "600 per minute"),
        (env_rate, "600/min", "0/min"),
    ],
)
def test_a_wrong_value_is_refused_by_name(monkeypatch, read, default, wrong):
    monkeypatch.setenv("SOME_SETTING", wrong)
    with pytest.raises(ValueError, match="^SOME_SETTING must be .*" + wrong):
        read("SOME_SETTING", default)


@pytest.mark.parametrize(
    ("read", "default", "given", "meant"),
    [
        (env_bool, True, " No ", False),
        (env_int, 60, "0", 0),
        (env_rate, "600/min", "20/s", "20/s"),
        (env_rate, "600/min", "1000/day", "1000/day"),
    ],
)
def test_a_value_is_taken_and_an_empty_one_means_the_default(monkeypatch, read, default, given, meant):
    monkeypatch.setenv("SOME_SETTING", given)
    assert read("SOME_SETTING", default) == meant
    monkeypatch.setenv("SOME_SETTING", "")
    assert read("SOME_SETTING", default) == default
