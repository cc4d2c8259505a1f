"""A large event in a database of its own, for benchmarks of what the public sees: published and played."""

import os
import random
import sys
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")


@contextmanager
def own_database():
    """Django set up with a fresh database that is dropped at the end."""
    import django
    from django.conf import settings

    django.setup()
    # Nothing here changes what is measured: hosts a test client asks for, and the log of tasks done.
    settings.ALLOWED_HOSTS = ["*"]
    from django.db import connection
    from django.test.runner import DiscoverRunner

    runner = DiscoverRunner(verbosity=0, interactive=False)
    databases = runner.setup_databases()
    # As on a real site (config.settings); dj-database-url forgets it for a database in memory.
    connection.settings_dict["CONN_MAX_AGE"] = 60
    try:
        yield
    finally:
        runner.teardown_databases(databases)


def played_rounds(entries: int = 200, rounds: int = 8, deals: int = 8, *, seed: int = 1, **fields):
    """An individual event of so many entries, every round played, checked and published by hand."""
    from django.db import transaction

    from tests.played import played_event, played_round
    from tournament.models import Publication
    from tournament.services.audit import SYSTEM
    from tournament.services.publish import publish, publish_round

    chance = random.Random(seed)
    surnames, given = (
        "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗",
        "伟芳娜敏静强磊军洋勇艳杰娟涛明超秀霞平刚桂英",
    )
    names = [
        f"{chance.choice(surnames)}{chance.choice(given)}{chance.choice(['', chance.choice(given)])}"
        for _ in range(entries)
    ]
    clubs = [f"{city}队" for city in ("北京", "上海", "南京", "杭州", "广州", "成都", "武汉", "西安")]
    with transaction.atomic():
        event = played_event(names, rounds=rounds, clubs=clubs, **fields)
        for number in range(1, rounds + 1):
            draw = played_round(event, number, deals=deals, seed=seed + number)
            publish(actor=SYSTEM, round=draw.round, what=Publication.What.DRAW)
            publish_round(actor=SYSTEM, round=draw.round)
    return event
