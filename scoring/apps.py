"""Django application configuration."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ScoringConfig(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        post_migrate.connect(_store_shipped_rulesets, sender=self, dispatch_uid="scoring.shipped_rulesets")


def _store_shipped_rulesets(*, using: str, **kwargs: Any) -> None:
    """After every `migrate`: a release brings its rulesets along, with no step to be forgotten."""
    from django.db import connections, router

    from scoring.models import RulesetVersion
    from scoring.services import sync_shipped_rulesets

    if not router.allow_migrate_model(using, RulesetVersion):
        return
    # `migrate scoring zero` ends without the tables.
    if RulesetVersion._meta.db_table in connections[using].introspection.table_names():
        sync_shipped_rulesets(using=using)
