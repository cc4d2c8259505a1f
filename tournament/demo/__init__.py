"""The demo tournament: three events in mid-play, made through the same services as a real one.

Every chance is drawn from a seed, so that the demo is the same wherever it is made.
"""
