"""The open interface: its documentation, its schema, and the operations themselves."""

from django.urls import include, path

from tournament.api import docs

urlpatterns = [
    path("docs", docs.docs, name="api_docs"),
    path("openapi.json", docs.schema, name="api_schema"),
    path("v1/", include("tournament.urls.api_v1")),
]
