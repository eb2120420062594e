"""Three writers on cached metastores: what is orphaned, and that orphans are counted in the table's metadata."""

import pytest

from checkers.histories.history import Event
from lakeproof.protocols import studies, study_at
from sim.iceberg.metastore_cells import Cell
from sim.iceberg.scenarios import NO_FAULTS
from sim.iceberg.study_wide_metastores import COLUMNS, row
from sim.iceberg.wide_over_metastores import FAULTS, WIDE_CELLS, acknowledged, is_readable, orphaned, wide_composite
from sim.search.run import Run, Runner
from sim.search.strategies import walk_of

pytestmark = pytest.mark.search
SCHEDULES = 60
ORPHANED, UNREADABLE = COLUMNS.index("orphaned of these"), COLUMNS.index("tables that cannot be read")


def runs(cell: Cell, faults: bool = False) -> list[Run]:
    """A few runs of a cell."""
    runner = Runner(wide_composite(cell, FAULTS if faults else NO_FAULTS))
    return [runner.run(walk_of(seed, 60, 0.03)) for seed in range(SCHEDULES)]


@pytest.mark.parametrize("cell", [Cell("shipped", True, 2), Cell("refresh", True, 1), Cell("refresh", True, 2)])
def test_shipped_caches_orphan_acknowledged_commits_without_a_fault(cell: Cell) -> None:
    """Two replicas that follow events; and the default mode, on one metastore."""
    assert any(orphaned(run.events) for run in runs(cell))


@pytest.mark.parametrize("cell", [Cell("off", True, 2), Cell("off", False, 2), Cell("shipped", True, 1)])
def test_nothing_is_orphaned_without_a_stale_cache_and_without_faults(cell: Cell) -> None:
    """Somebody waits for a lock or tries again, and every acknowledged commit stays."""
    found = runs(cell)
    assert all(acknowledged(run.events) and is_readable(run.events) for run in found)
    assert [run.events for run in found if orphaned(run.events)] == []


def test_a_run_orphans_what_its_failure_says() -> None:
    """The checker of acknowledged writes and the count by metadata agree, run by run."""
    for run in runs(Cell("cas", False, 2), faults=True) + runs(Cell("refresh", True, 2)):
        if run.failure is None:
            assert orphaned(run.events) == ()
        elif "commit-not-in-lineage" in run.failure:
            assert orphaned(run.events) != ()


def test_an_orphan_is_an_acknowledged_snapshot_that_the_metadata_does_not_have() -> None:
    """What the setup has made is nobody's commit; one that was refused is not acknowledged."""

    def event(process: str, kind: str, snapshot: str) -> Event:
        return Event(0, 0, process, kind, 0, "insert", snapshot=snapshot)

    done = [event("setup", "ok", "1"), event("w1", "ok", "2"), event("w2", "ok", "3"), event("w3", "fail", "4")]
    read = [event("lineage", "version", "1"), event("lineage", "version", "3")]
    assert acknowledged(done) == ("2", "3")
    assert orphaned([*done, *read]) == ("2",)


def test_a_row_says_where_nothing_is_acknowledged() -> None:
    """A cache that ships, with the lock off."""
    assert row(Cell("refresh", False, 1), False, 5)[ORPHANED] == "none acknowledged"
    assert row(Cell("off", False, 1), False, 5)[ORPHANED] == 0
    assert study_at(studies()["hive-iceberg-wide"]).steps == 2 * len(WIDE_CELLS)
