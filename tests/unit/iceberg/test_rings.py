"""Histories that come back to themselves: who walks them is told, and who judges them ends."""

from collections.abc import Sequence

import pytest

from model.iceberg.errors import HistoryNeverEnds
from model.iceberg.metadata import MAIN, Snapshot, TableMetadata, ancestors
from sim.iceberg.lineage import committed, line_of, rings
from sim.iceberg.managing import Expire
from sim.iceberg.scenarios import race
from sim.iceberg.workload import Append, Statement
from sim.search.explore import default_plan
from sim.world.scenario import FaultSpace

LINE, RING = {1: None, 2: 1, 3: 2}, {2: 3, 3: 2}


def table(parents):
    """Its head is the last one."""
    snapshots = tuple([Snapshot(one, parent, one, "append", f"list-{one}") for one, parent in parents.items()])
    return TableMetadata(1, snapshots=snapshots, current_snapshot_id=3, refs=((MAIN, 3),))


def test_what_was_never_current_is_no_version_whatever_was_so_twice():
    """A transaction's snapshot inside: the history has all others, and one of them twice."""
    whole = table({1: None, 2: 1, 3: 2})
    left = committed(list(whole.snapshots), whole._replace(snapshot_log=(1, 3, 1, 3)))
    assert [(one.snapshot_id, one.parent_id) for one in left] == [(1, None), (3, 1)]


@pytest.mark.parametrize(("parents", "found"), [
    (LINE, []), ({3: 2}, []), ({3: 3}, [3]), (RING, [3]), ({1: 2, **RING}, [3]), ({3: 1, 1: 2, 2: 1}, [3]),
])  # fmt: skip
def test_a_head_that_comes_from_itself_is_told(parents, found):
    """Or that comes from a ring; a parent that has expired ends a history."""
    assert [text.split()[6] for text in rings(parents, [(MAIN, 3)])] == [str(one) for one in found]


def test_whoever_walks_a_ring_goes_round():
    """Who judges meets each snapshot once."""
    metadata = table(RING)
    with pytest.raises(HistoryNeverEnds):
        list(ancestors(metadata, metadata.current))
    assert [each.snapshot_id for each in line_of(metadata, metadata.current)] == [3, 2]
    assert [each.snapshot_id for each in ancestors(table(LINE), table(LINE).current)] == [3, 2, 1]


def test_a_commit_that_has_expired_before_its_retry_makes_a_ring():
    """Its manifest is listed twice, and read once."""
    writers: dict[str, Sequence[Statement]] = {
        "w1": [Append(((3, "x"),))],
        "w2": [Append(((4, "y"),))],
        "w3": [Expire(1)],
    }
    misreported = FaultSpace({"commit": ("409-after",)}, 1)
    found = default_plan(race(
        "x", "", writers, catalog="java-api", faults=misreported, properties=("table-invariants",),
    )).failures  # fmt: skip
    assert list(found) == ["table-invariants/ring"]
    read = next(event for event in found["table-invariants/ring"].events if event.process == "r-final" and event.reads)
    assert ("row:3", "x") in [(one.key, one.value) for one in read.reads]
