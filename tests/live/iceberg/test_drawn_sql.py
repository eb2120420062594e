"""Drawn rows that are alike, and formats and branches that are altered beside statements, on real Spark SQL."""

import pytest

from sim.iceberg.incremental import ReadSince
from sim.iceberg.managing import RemoveRef
from sim.iceberg.sql_statements import RewritePositionDeletes
from tests.live.iceberg.agreement import both
from tests.live.iceberg.drawn_races import done_in, drawn

pytestmark = pytest.mark.live
EACH = 3
ALTERED = "altered beside SQL, merge-on-read"


@pytest.mark.parametrize(("configuration", "kind"), [
    ("consumers of rows alike", ReadSince), (ALTERED, RewritePositionDeletes), (ALTERED, RemoveRef),
])  # fmt: skip
def test_generated_races_do_the_same(sql, configuration, kind):
    """Step by step, whatever becomes of the table."""

    def asked(work):
        return any(isinstance(one, kind) for one in done_in(work))

    for _, played in drawn(configuration, asked, EACH):
        both(sql, played.run.scenario, played.schedule.steps)
