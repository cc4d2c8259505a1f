"""Colours of the design: readable by WCAG AA in the light and in the dark theme."""

import re
from pathlib import Path

import pytest

TOKENS = Path(__file__).resolve().parents[3] / "static" / "css" / "tokens.css"

SURFACES = ("paper", "sheet", "sheet-sunk")
#: Text of ordinary size (4.5 to 1), by what it stands on.
TEXT = [
    *((ink, surface) for ink in ("ink", "ink-soft", "link", "accent") for surface in SURFACES),
    *((tone, f"{tone}-wash") for tone in ("good", "warn", "bad", "note")),
    *(("ink", f"{tone}-wash") for tone in ("good", "warn", "bad", "note", "accent")),
    *(("link", f"{tone}-wash") for tone in ("note", "accent")),
    *(("bad", surface) for surface in SURFACES),
    ("ink-soft", "accent-wash"),
    ("accent-ink", "accent"),
    ("accent-ink", "accent-hover"),
    *((suit, face) for suit in ("suit-red", "suit-black") for face in ("card-face", *SURFACES)),
]
#: Edges of fields and the focus ring (3 to 1).
EDGES = [*(("rule-strong", surface) for surface in ("paper", "sheet")), *(("focus", one) for one in SURFACES)]


def _themes():
    text = TOKENS.read_text(encoding="utf-8")
    light, dark = text.split("@media (prefers-color-scheme: dark)")
    read = re.compile(r"--([a-z-]+): (#[0-9a-f]{6});").findall
    base = dict(read(light))
    return {"light": base, "dark": base | dict(read(dark))}


def _luminance(colour):
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_computed_right():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), TEXT)
def test_text_is_readable(theme, ink, ground):
    colours = _themes()[theme]
    assert contrast(colours[ink], colours[ground]) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("edge", "ground"), EDGES)
def test_edges_can_be_seen(theme, edge, ground):
    colours = _themes()[theme]
    assert contrast(colours[edge], colours[ground]) >= 3
