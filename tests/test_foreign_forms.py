"""A form on another site sends nothing in the name of who is logged in here."""

from django.urls import URLResolver, get_resolver


def _exempt(patterns, namespace=""):
    for one in patterns:
        if isinstance(one, URLResolver):
            inner = f"{one.namespace}:" if one.namespace else namespace
            yield from _exempt(one.url_patterns, inner)
        elif getattr(one.callback, "csrf_exempt", False):
            yield namespace + one.name, one.callback


def test_only_the_language_and_what_asks_by_itself_goes_without_a_token():
    """The open interface reads no cookies; at the table both ways in ask for the token themselves."""
    exempt = dict(_exempt(get_resolver().url_patterns))
    pages = {name for name, view in exempt.items() if not hasattr(view, "view_class")}
    assert pages == {"set_language"}
    ways = {
        tuple(way.__name__ for way in view.view_class.authentication_classes)
        for name, view in exempt.items()
        if name not in pages
    }
    assert ways == {("BearerToken",), ("SessionAuthentication", "TabletAuthentication")}
