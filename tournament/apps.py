"""Django application configuration."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class TournamentConfig(AppConfig):
    name = "tournament"

    def ready(self) -> None:
        # Connects the preparing of public pages to publications.
        from tournament import tasks  # noqa: F401

        post_migrate.connect(_void_stored_pages, sender=self, dispatch_uid="tournament.void_stored_pages")


def _void_stored_pages(*, using: str, **_: Any) -> None:
    """After every `migrate`: a release may bring other templates, style sheets and translations."""
    from django.db import connections

    from tournament.models import PublishedPage

    # `migrate tournament zero` ends without the table.
    if PublishedPage._meta.db_table in connections[using].introspection.table_names():
        PublishedPage.objects.using(using).all().delete()
