"""Whether the database is one that this version of the program can work with.

Before its first release the program's tables were changed without a step from one form to the next; a
database of that time looks up to date to `migrate` and fails later, far from the cause.
"""

from django.apps import apps
from django.db.backends.base.base import BaseDatabaseWrapper


def missing_parts(connection: BaseDatabaseWrapper) -> list[str]:
    """Tables, and columns as ``table.column``, that the program needs and the database lacks, by name."""
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        lacking = []
        for model in apps.get_models(include_auto_created=True):
            options = model._meta
            if not options.managed or options.proxy:
                continue
            if options.db_table not in there:
                lacking.append(options.db_table)
                continue
            description = connection.introspection.get_table_description(cursor, options.db_table)
            columns = {column.name for column in description}
            lacking += [
                f"{options.db_table}.{field.column}"
                for field in options.local_concrete_fields
                if field.column not in columns
            ]
    return sorted(lacking)
