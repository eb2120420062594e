"""A DELETE that whole files answer deletes what is there when it is committed: of an absent row, nothing."""

from collections.abc import Sequence

import pytest

from real_backend.iceberg.history import history_of
from real_backend.iceberg.live_run import Command, LiveRun, Version
from sim.iceberg.managing import Expire
from sim.iceberg.scenarios import race
from sim.iceberg.workload import Delete, IcebergWorkload, Insert, Merge, Statement
from sim.search.explore import by_deviations
from sim.search.run import Runner
from sim.search.strategies import FirstCome
from sim.world.scenario import FaultSpace

PROPERTIES = ("no-lost-update", "acknowledged-writes-survive", "snapshot-isolation")
STEPS = ("load", "commit")
WRITERS: dict[str, Sequence[Statement]] = {"w1": [Delete(3)], "w2": [Merge(((3, "x"),))]}


@pytest.mark.parametrize("level", ["snapshot", "serializable"])
@pytest.mark.parametrize("mode", ["merge-on-read", "copy-on-write"])
def test_a_merge_that_inserts_a_row_has_lost_no_delete_of_it(mode, level):
    """The row was not there before the DELETE, nor behind it: what the MERGE has read is so still."""
    scenario = race("x", "", WRITERS, mode=mode, isolation=level, properties=PROPERTIES, yield_points=STEPS)
    assert not by_deviations(scenario, 2).failures


def test_nor_if_the_delete_does_not_know_what_came_of_it():
    """The connection breaks when the commit was applied."""
    faults = FaultSpace({"commit": ("drop-after",)}, 1, ("w1",))
    scenario = race("x", "", WRITERS, properties=PROPERTIES, yield_points=STEPS, faults=faults)
    result = by_deviations(scenario, 2)
    assert result.coverage["fault drop-after"]
    assert not result.failures


def test_a_row_that_was_there_is_deleted():
    """It is found when the DELETE is committed, though not when it was planned."""
    writers: dict[str, Sequence[Statement]] = {"w1": [Insert(((3, "x"),)), Delete(3), Delete(3)]}
    run = Runner(race("x", "", writers, properties=PROPERTIES)).run(FirstCome())
    written = [event.writes for event in run.events if event.f == "delete" and event.type == "ok"]
    assert [len(writes) for writes in written] == [1, 0]
    assert run.failure is None


def test_nor_does_it_matter_that_the_table_before_it_has_expired():
    """Whoever is told late has deleted what was there all the same."""
    writers: dict[str, Sequence[Statement]] = {"w1": [Delete(1)], "w2": [Insert(((2, "x"),)), Expire(1)]}
    scenario = race("x", "", writers, rows=((1, "a"),), properties=PROPERTIES[:2], yield_points=STEPS)
    assert not by_deviations(scenario, 3).failures


@pytest.mark.parametrize(("before", "writes"), [(((1, "a"),), 0), (((1, "a"), (3, "x")), 1)], ids=["absent", "there"])
def test_so_it_is_in_a_live_history(before, writes):
    """Spark has loaded the table twice, and dropped files by metadata alone."""
    workload = IcebergWorkload(writers=(("w1", (Delete(3),)),), rows=((1, "a"),))
    command = Command("w1", Delete(3), "ok", 0, 1, 0, 1, 10, 11, 2)
    lineage = (Version(0, 10, None, "append", None), Version(1, 11, 10, "delete", "w1"))
    run = LiveRun(workload, (("w1", "ok"),), (), lineage, before[:1], None, 0.1, (command,), (before, before[:1]))
    told = next(event for event in history_of(run).events if event.f == "delete" and event.type == "ok")
    assert len(told.writes) == writes


def test_also_of_a_session_that_caches_the_table():
    """It has loaded the table to commit alone: a row that came since it was planned is deleted."""
    first, grown = ((1, "a"),), ((1, "a"), (3, "x"))
    workload = IcebergWorkload(writers=(("w1", (Delete(3),)),), rows=first, cached=("w1",))
    command = Command("w1", Delete(3), "ok", 0, 1, 0, 1, 10, 12, 1)
    lineage = (
        Version(0, 10, None, "append", None), Version(1, 11, 10, "append", "w2"), Version(2, 12, 11, "delete", "w1"),
    )  # fmt: skip
    run = LiveRun(workload, (("w1", "ok"),), (), lineage, first, None, 0.1, (command,), (first, grown, first))
    told = next(event for event in history_of(run).events if event.f == "delete" and event.type == "ok")
    assert [write.key for write in told.writes] == ["row:3"]
