"""How static files are stored for serving: compressed, under names that carry a hash of their content."""

from typing import Any

from django.contrib.staticfiles.finders import AppDirectoriesFinder
from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticStorage(CompressedManifestStaticFilesStorage):
    """Rewrites the imports of scripts too: a page must never mix modules of two versions of the program."""

    support_js_module_import_aggregation = True


class OwnAppsFinder(AppDirectoriesFinder):
    """Finds the static files of the program's own apps; others bring pages that are not used."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(("scoring", "tournament", "referee"), *args, **kwargs)
