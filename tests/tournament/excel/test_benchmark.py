"""The benchmark of result workbooks runs on what the workbook needs today, without a database."""

from benchmarks.excel import measure


def test_a_small_event_is_measured():
    result = measure(8, 2, 3)
    assert result["cells"] > 400
    assert result["ratio"] > 0
