"""The JSON Schema of an archive, made from the sections, so that it cannot say anything else than they do."""

from typing import Any

from django.db import models

from tournament.points import PointsField
from tournament.queries.archive.file import FORMAT, VERSION
from tournament.queries.archive.sections import PEOPLE, RULESETS, SECTIONS, Section, section_of

_NUMBER = {"type": "integer", "minimum": 1}
_HASH = {"type": "string", "pattern": "^[0-9a-f]{64}$"}


def archive_schema() -> dict[str, Any]:
    """The schema of the whole document (JSON Schema 2020-12)."""
    sections = {
        PEOPLE: _rows(
            "People who did something, by the names of their accounts.", {"name": {"type": "string"}}
        ),
        RULESETS: _rows(
            "Versions of rulesets that events or deals name.",
            {
                "key": {"type": "string"},
                "version": _NUMBER,
                "shipped": {"type": "boolean"},
                "data": {"type": "object"},
                "note": {"type": "string"},
            },
        ),
        **{section.name: _section(section) for section in SECTIONS},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Archive of a tournament",
        "description": "See docs/archive.md. The file is this document as canonical JSON, in gzip.",
        **_object(
            {
                "format": {"const": FORMAT},
                "version": {"const": VERSION},
                "sha256": {**_HASH, "description": "Of the content as canonical JSON."},
                "content": _object(sections),
            }
        ),
    }


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": sorted(properties),
        "additionalProperties": False,
    }


def _rows(description: str, properties: dict[str, Any]) -> dict[str, Any]:
    return {"description": description, "type": "array", "items": _object({"id": _NUMBER, **properties})}


def _section(section: Section) -> dict[str, Any]:
    properties: dict[str, Any] = {field.name: _field(field) for field in section.fields}
    for one in section.lists:
        target = section_of(one.related_model)
        properties[one.name] = {"description": f"ids in {target}", "type": "array", "items": _NUMBER}
    description = " ".join((section.model.__doc__ or "").split("\n\n")[0].split())
    return _rows(description, properties)


def _field(field: models.Field) -> dict[str, Any]:
    found = _kind(field)
    if field.null and "type" in found:
        types = found["type"] if isinstance(found["type"], list) else [found["type"]]
        found["type"] = [*types, "null"]
        if "enum" in found:
            found["enum"].append(None)
    if field.help_text and not field.is_relation:
        found["description"] = str(field.help_text)
    return found


def _kind(field: models.Field) -> dict[str, Any]:
    if field.is_relation:
        return {"type": "integer", "description": f"id in {section_of(field.related_model)}"}
    if isinstance(field, models.JSONField):
        return {}
    if isinstance(field, PointsField):
        return {"type": ["integer", "string"], "pattern": "^-?[0-9]+/[0-9]+$"}
    if isinstance(field, models.BooleanField):
        return {"type": "boolean"}
    if isinstance(field, models.IntegerField):
        return {"type": "integer"}
    if isinstance(field, models.DateTimeField):
        return {"type": "string", "format": "date-time"}
    if isinstance(field, models.DateField):
        return {"type": "string", "format": "date"}
    if isinstance(field, models.UUIDField):
        return {"type": "string", "format": "uuid"}
    text: dict[str, Any] = {"type": "string"}
    if field.max_length:
        text["maxLength"] = field.max_length
    if field.choices:
        text["enum"] = [*([""] if field.blank else []), *(value for value, _label in field.flatchoices)]
    return text
