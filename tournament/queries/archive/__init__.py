"""The archive of a tournament: one file that holds all of it (docs/archive.md).

sections says what is in it, values how a field is written, entry_ids what refers to entries within JSON,
reading collects a tournament, file turns the document into bytes and back, schema states its JSON Schema.
"""
