"""The documentation of the open interface: its schema, and a page made of it without any outside script."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString
from django.utils.translation import get_language, get_supported_language_variant
from django.utils.translation.trans_real import parse_accept_lang_header

from tournament.api.problems import KINDS
from tournament.api.wording import WRITTEN_IN, schema_in

_METHODS = ("get", "post", "put", "patch", "delete")


def schema(request: HttpRequest) -> HttpResponse:
    """OpenAPI 3.1, as JSON, in the language that is asked for; English where none is."""
    language = _asked_language(request)
    response = HttpResponse(
        _schema_bytes(language), content_type="application/json", headers={"Content-Language": language}
    )
    patch_vary_headers(response, ("Accept-Language", "Cookie"))
    return response


def docs(request: HttpRequest) -> HttpResponse:
    """Every operation with its parameters, body and answers."""
    return render(request, "api/docs.html", {"reference": _reference(get_language())})


def _asked_language(request: HttpRequest) -> str:
    """The first of the site's languages that the reader chose on a page or that Accept-Language names."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    listed = parse_accept_lang_header(request.headers.get("Accept-Language", ""))
    for code in (chosen, *(code for code, _weight in listed)):
        try:
            return get_supported_language_variant(code)
        except LookupError:
            continue
    return WRITTEN_IN


@lru_cache(maxsize=len(settings.LANGUAGES))
def _reference(language: str) -> SafeString:
    """What the page says in a language, which is the language in use. It takes seconds and never changes."""
    described = schema_in(language)
    return render_to_string(
        "api/reference.html",
        {
            # Within a paragraph every second part is code.
            "description": [part.split("`") for part in described["info"]["description"].split("\n\n")],
            "groups": _groups(described),
            "schemas": _schemas(described),
            "problems": [
                {"status": status, "name": name, "title": title} for status, (name, title) in KINDS.items()
            ],
        },
    )


@lru_cache(maxsize=len(settings.LANGUAGES))
def _schema_bytes(language: str) -> bytes:
    return json.dumps(schema_in(language), ensure_ascii=False, default=str).encode()


def _groups(described: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The operations under their headings, in the order of the addresses; the organiser's come last."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for address, methods in described["paths"].items():
        for method in _METHODS:
            if method in methods:
                one = _operation(address, method, methods[method])
                groups.setdefault(methods[method]["tags"][0], []).append(one)
    headings = {one["name"]: one["description"] for one in described["tags"]}
    ordered = sorted(groups.items(), key=lambda one: (one[0].startswith("Organise"), one[0]))
    return [{"tag": headings[tag], "operations": found} for tag, found in ordered]


def _operation(address: str, method: str, stated: Mapping[str, Any]) -> dict[str, Any]:
    body = stated.get("requestBody", {}).get("content", {})
    return {
        "id": stated["operationId"],
        "method": method.upper(),
        "address": address,
        "summary": stated.get("summary", ""),
        "description": stated.get("description", ""),
        "token": {} not in stated["security"],
        "parameters": [
            {**one, "type": _type(one["schema"])}
            for one in stated.get("parameters", ())
            if one["in"] != "path"
        ],
        "body": [{"media": media, "type": _type(one["schema"])} for media, one in body.items()],
        "answers": [_answer(status, one) for status, one in stated["responses"].items()],
    }


def _answer(status: str, stated: Mapping[str, Any]) -> dict[str, Any]:
    content = stated.get("content", {})
    types = [_type(one["schema"]) for one in content.values()]
    return {"status": status, "types": types, "text": stated.get("description", "")}


def _schemas(described: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The types that bodies and answers are made of, with their fields."""
    return [
        {
            "name": name,
            "text": one.get("description", ""),
            "choices": one.get("enum", ()),
            "fields": [
                {
                    "name": field,
                    "type": _type(stated),
                    "text": stated.get("description", ""),
                    "required": field in one.get("required", ()),
                }
                for field, stated in one.get("properties", {}).items()
            ],
        }
        for name, one in sorted(described["components"]["schemas"].items())
    ]


def _type(schema: Mapping[str, Any]) -> dict[str, str]:
    """A type in a few words; ``ref`` is the name of one that has a place of its own on the page."""
    if "$ref" in schema:
        return {"ref": schema["$ref"].rpartition("/")[2], "text": ""}
    for way in ("oneOf", "anyOf", "allOf"):
        if way in schema:
            parts = [_type(one) for one in schema[way]]
            ref = next((one["ref"] for one in parts if one["ref"]), "")
            return {"ref": ref, "text": " | ".join(one["text"] for one in parts if one["text"])}
    kinds = schema.get("type", "any")
    text = " | ".join(kinds) if isinstance(kinds, list) else kinds
    if text == "array":
        inner = _type(schema.get("items", {}))
        return {"ref": inner["ref"], "text": f"[ {inner['text']} ]" if inner["text"] else "[ ]"}
    limits = [
        f"{sign} {schema[name]}"
        for name, sign in (("minimum", "≥"), ("maximum", "≤"), ("maxLength", "≤"))
        if name in schema
    ]
    more = [schema["format"]] if "format" in schema else []
    choices = [" · ".join(map(str, schema["enum"]))] if "enum" in schema else []
    return {"ref": "", "text": ", ".join([text, *more, *choices, *limits])}
