"""Drawn overwrites by the filter of a row, and deletes whose vectors a commit merges, on the real Java API."""

import pytest

from sim.iceberg.by_hand import OverwriteWhere
from sim.iceberg.statements import DeleteRow
from tests.live.iceberg.agreement import agree
from tests.live.iceberg.drawn_races import done_in, drawn

pytestmark = pytest.mark.live
EACH = 6


@pytest.mark.parametrize("configuration", ["Java API, overwrites by filter", "Java API, format 3, deletes apart"])
def test_generated_races_do_the_same(java, configuration):
    """Step by step, in outcomes, lineage, rows and files."""
    for _, played in drawn(configuration, _asked, EACH):
        agree(java, played)


def _asked(work):
    return any(isinstance(one, OverwriteWhere) or (isinstance(one, DeleteRow) and one.apart) for one in done_in(work))
