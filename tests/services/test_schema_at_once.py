"""The description of the interface asked for by several at once, in a process that has not made it yet."""

import threading

from tests.services.threads import start
from tournament.api import schema


def test_several_who_ask_for_the_description_at_once_get_the_same():
    schema._made_schema.cache_clear()
    gate = threading.Barrier(4)
    given = []

    def ask():
        gate.wait()
        given.append(schema.whole_schema())

    assert start(*[ask] * 4)() == []
    assert all(one is given[0] for one in given)
