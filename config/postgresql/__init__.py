"""PostgreSQL as this program uses it."""
