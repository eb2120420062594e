"""Partitions whose names have `.marker` in them, on the real Hudi 1.2.0: what its rollbacks leave there is read again.

`WriteMarkers.stripMarkerSuffix` cuts a marker's path at its first `.marker`. The file of a write that was rolled back
stays; readers pass over it as long as the timeline begins before it, and take it for committed when its instants have
been archived.
"""

from pathlib import Path
from typing import Any

import pytest

from real_backend.hudi.client import SplitClient
from real_backend.hudi.options import FIXED
from real_backend.hudi.table import LiveTable
from tests.live.hudi.agreement import both, found

pytestmark = pytest.mark.live
SERVICES = {
    "hoodie.clean.automatic": "true",
    "hoodie.clean.commits.retained": "1",
    "hoodie.archive.automatic": "true",
    "hoodie.keep.min.commits": "2",
    "hoodie.keep.max.commits": "3",
}
SERVER = {
    "hoodie.write.markers.type": "TIMELINE_SERVER_BASED",
    "hoodie.embed.timeline.server": "true",
    "hoodie.embed.timeline.server.port": "0",
}
LATER = 6
"""How many commits come after the writes that fail: archival begins with the fourth."""


class Table:
    """A table, and clients that make one write each."""

    def __init__(self, spark: Any, path: Path, options: dict[str, str]) -> None:
        self._session, self._options = spark[0], {**FIXED, **options}
        self.table = LiveTable(self._session, path)
        self.table.create()

    def write(self, key, partition, value, ordering, *, dies=False):
        """An upsert of one row; who `dies` never commits it."""
        client = SplitClient(self._session, str(self.table.path), self._options)
        try:
            client.start()
            client.upsert(((key, partition, value),), ordering)
            if not dies:
                client.commit()
        finally:
            client.close()


@pytest.mark.parametrize("markers", [{}, SERVER], ids=["direct", "server"])
@pytest.mark.parametrize(("partition", "value"), [("p.marker", "dead"), ("p", "a")])
def test_what_was_rolled_back_is_read_when_it_is_archived(spark, tmp_path, partition, value, markers):
    """One writer, the default clean-up, a client that died: in the other partition the same leaves nothing."""
    made = Table(spark, tmp_path / "t", {**SERVICES, **markers})
    made.write("1", partition, "a", 0)
    made.write("1", partition, "dead", 1, dies=True)
    for number in range(2, 2 + LATER):
        made.write("2", "q", f"b{number}", number)
    assert len(made.table.rollbacks()) <= 1
    assert made.table.rows() == ((("1", value), ("2", f"b{LATER + 1}")), None)


def test_no_commit_succeeds_beside_the_partition_of_the_shorter_name(spark, tmp_path):
    """It would delete the other one's folder; and who begins after it cannot roll it back, now or later."""
    made = Table(spark, tmp_path / "t", {})
    made.write("1", "p", "a", 0)
    for _ in range(2):
        with pytest.raises(Exception, match="is not empty"):
            made.write("2", "p.marker", "b", 1)
        with pytest.raises(Exception, match="is not empty"):
            made.write("1", "p", "c", 2)
    assert made.table.rows() == ((("1", "a"),), None)


def test_found_schedule_does_the_same_to_the_real_hudi(hudi):
    """Steps, outcomes, completed instants and rows agree."""
    both(hudi, *found("marker-in-partition"))
