"""Taking a tournament out as one file, and bringing one in (docs/archive.md)."""
