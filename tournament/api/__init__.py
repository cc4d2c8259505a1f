"""The open interface, /api/v1/: what the pages do, for other programs.

`operations` says what an operation is (its body, its answer, its headers) and carries it out; the schema
(`schema`) is made from the same statements, so the two cannot differ. `views` resolves addresses and asks who
may; `problems` turns every refusal into problem+json (RFC 9457); the other modules hold the operations, each
of which calls one query or one service.
"""
