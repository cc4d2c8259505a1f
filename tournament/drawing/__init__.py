"""Pictures as numbers: where the boxes of a bracket and the line of a chart go.

PURE: no Django, files or clock. Whoever draws them gets coordinates in pixels and need not know whence.
"""
