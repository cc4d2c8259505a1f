"""Rules for every test run: what was asked to be tested is tested."""

from collections.abc import Generator

import pytest
from _pytest.reports import BaseReport
from django.db import connection
from pytest_django import DjangoDbBlocker

_REASON = "skipped, which counts as a failure here: choose what to run by folder instead\n"


def _refuse_skip(report: BaseReport) -> None:
    """Turn a skip (or an expected failure) into a failure, so that no green run hides what it left out."""
    if report.outcome == "skipped":
        report.longrepr = f"{_REASON}{getattr(report, 'wasxfail', '') or report.longrepr}"
        report.outcome = "failed"
        if hasattr(report, "wasxfail"):
            del report.wasxfail


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _refuse_skip(report)
    return report


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Generator[None]:
    """The test database; PostgreSQL drops it only once nobody is connected to it.

    The last request of a browser may still be in a thread of the test's server when all tests are done.
    """
    yield
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
