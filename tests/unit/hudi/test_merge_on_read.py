"""Merge-on-read tables: what a slice is, what a compaction takes, and who carries it out."""

import pytest

from tests.unit.hudi.merging_vectors import CASES, Model


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.after}: {case.calls}")
def test_slices_and_rows(case):
    """As Hudi 1.2.0 did, of which `tests/live/hudi/test_merge_on_read.py` plays the same cases."""
    assert Model(case).play(case.calls) == (case.slices, case.rows)
