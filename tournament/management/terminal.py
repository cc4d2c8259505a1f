"""The language of a terminal: what commands print there is in one language, whoever reads it."""

import os
from collections.abc import Mapping

from django.conf import settings

#: The variables that say it, the weightiest first, as gettext reads them.
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
_TRADITIONAL = ("tw", "hk", "mo", "hant")


def terminal_language(environ: Mapping[str, str] | None = None) -> str:
    """The language the environment asks for, e.g. "zh-hans" for zh_CN.UTF-8; English for any other than
    Chinese, the site's own where nothing is said (unset, C or POSIX).
    """
    given = os.environ if environ is None else environ
    said = next((given[name] for name in _VARIABLES if given.get(name)), "")
    language, _, region = said.partition(".")[0].replace("-", "_").partition("_")
    if language in ("", "C", "POSIX"):
        return str(settings.LANGUAGE_CODE)
    if language != "zh":
        return "en"
    return "zh-hant" if any(one in region.lower() for one in _TRADITIONAL) else "zh-hans"
