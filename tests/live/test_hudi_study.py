"""RFC-56's test plan on a small real table: the figures that do not depend on the machine."""

import pytest

from real_backend.hudi.study import COLUMNS, Plan, run_plan

pytestmark = pytest.mark.live


def test_early_detection_spares_the_files_of_the_loser(spark):
    """Off: the loser is refused when all its files are written; direct: before the first one."""
    plan = Plan(rows=400, files=4, percent=50, repeats=1, parallelism=2, held=True)
    counted: list[int] = []
    off, direct = run_plan(spark[0], plan, counted.append)
    assert (off.detection, off.refused, off.error) == ("off", "w1", "HoodieWriteConflictException")
    assert (off.files, off.wasted_files) == (8, 4)
    assert (direct.detection, direct.refused, direct.error) == ("direct", "w2", "HoodieEarlyConflictDetectionException")
    assert (direct.files, direct.wasted_files, direct.wasted_bytes) == (4, 0, 0)
    assert 0 < off.wasted_bytes < off.size_bytes
    for measured in (off, direct):
        assert measured.to_refusal_s is not None
        assert 0 < measured.to_refusal_s < sum(measured.seconds)
        assert len(measured.cells) == len(COLUMNS)
    assert len(counted) == 2
    assert not (spark[0].location("hudi") / "study").exists()
