"""Non-blocking writers on the real Hudi 1.2.0, without a gate: of the cases that the model plays each fourth, for each
takes seconds, one of a deletion and one of clustering. All agreed on 2026-11-26."""

import pytest

from tests.live.hudi.test_merge_on_read import Table
from tests.unit.hudi.merging_vectors import NON_BLOCKING_CASES

pytestmark = pytest.mark.live
NAMED = ("5=E ~p2 5=F", "1=A cplan crun 1=B")
PLAYED = [case for number, case in enumerate(NON_BLOCKING_CASES) if number % 4 == 0 or case.calls in NAMED]


@pytest.mark.parametrize("case", PLAYED, ids=lambda case: f"{case.order}: {case.calls}")
def test_slices_and_rows(spark, tmp_path, case):
    """What a file group without a base file shows, and which of two rows counts."""
    assert Table(spark[0], tmp_path / "table", case).play(case.calls) == (case.slices, case.rows)
