"""Names are cut only where they do not fit, and then visibly."""

import pytest

from tournament.drawing.text import fit, width_of


@pytest.mark.parametrize("name", ["王小明", "Maximilian Featherstonehaugh", "ＡＢＣ", "é́", ""])
def test_a_name_that_fits_stays_whole(name):
    assert fit(name, width_of(name)) == name


@pytest.mark.parametrize("name", ["工人文化宫第二代表队", "Maximilian Featherstonehaugh", "Lucky 红桃 Pigs"])
@pytest.mark.parametrize("ems", [2, 4, 5.5, 7])
def test_a_name_that_does_not_fit_ends_in_an_ellipsis_and_keeps_its_width(name, ems):
    cut = fit(name, ems)
    assert cut.endswith("…")
    assert name.startswith(cut[:-1])
    assert width_of(cut) <= ems
