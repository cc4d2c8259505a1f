"""Who stands where, and why: points of an encounter, tie-breaks, standings, advancement.

Pure: knows no Django, clock, I/O, settings or cards, and nothing of ``tournament.pairing``. Frozen data in,
frozen data out; the same results give the same standings in whatever order they are handed in.
"""
