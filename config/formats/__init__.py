"""Dates and times where Django's own for a language would be read wrongly; the others are Django's."""
