"""Translations without the system's gettext: collecting strings, keeping catalogs, finding what is wrong."""
