"""Django's PostgreSQL, whose locks of rows let others refer to the row."""

from typing import Any

from django.db.backends.postgresql import base
from django.db.backends.postgresql.operations import DatabaseOperations as Operations


class DatabaseOperations(Operations):
    def for_update_sql(self, *args: Any, **options: Any) -> str:
        """FOR NO KEY UPDATE. No key of a row is ever changed here; with FOR UPDATE whoever stores a row that
        names a locked one, as every row of the audit trail names its event, would wait for the lock at its
        commit, and two could wait for each other.
        """
        return str(super().for_update_sql(*args, **{**options, "no_key": True}))


class DatabaseWrapper(base.DatabaseWrapper):
    ops_class = DatabaseOperations
