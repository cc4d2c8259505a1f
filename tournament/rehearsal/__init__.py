"""A whole event played through the real services on a database of its own, to see how its draws would turn
out and how long each step takes. The site's database is neither read nor written.
"""
