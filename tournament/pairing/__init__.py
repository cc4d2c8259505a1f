"""Draws: who plays whom, where and in which seat.

Pure: knows no Django, clock, I/O, settings or cards, and nothing of ``tournament.ranking``. A draw is a
function of entrants, history, constraints and a seed; the same input gives the same draw on every machine.

``model`` holds the data, ``options`` what can be done when the field does not fit the tables, ``four`` random
and Swiss draws of tables of four, ``swiss`` and ``random_sides`` draws of two sides, ``round_robin``,
``movement`` and ``whist`` plans made for all rounds at once, ``knockout``, ``groups`` and ``heats`` the
stages that eliminate, and ``checker`` verifies any draw without sharing a line with those that make them.
"""
