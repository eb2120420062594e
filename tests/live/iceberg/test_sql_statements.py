"""MERGE, INSERT OVERWRITE, TRUNCATE and `rewrite_data_files` by Spark SQL on the real Iceberg, step by step."""

import pytest

from sim.iceberg.built_in.sql import SQL
from sim.iceberg.workload import Insert, InsertOverwrite, Merge, RewriteDataFiles, Truncate, Update
from tests.live.iceberg.agreement import both, kinds, operations, scenario_of

pytestmark = pytest.mark.live
HELD = [scenario for scenario in SQL if scenario.broken is None]
FIRST, SECOND = "w2:commit w1:end w2:end", "w1:commit w2:end w1:end"
MODES = ("merge-on-read", "copy-on-write")
BY_ALL = Merge(((1, "x"), (3, "y")))
"""Of a row that is there, and of one that is not."""


@pytest.mark.parametrize("schedule", [FIRST, SECOND], ids=["w1 first", "w2 first"])
@pytest.mark.parametrize("scenario", HELD, ids=[scenario.name for scenario in HELD])
def test_what_holds_ends_alike_whoever_commits_first(sql, scenario, schedule):
    """Step by step; of three writers the third one begins when the others have ended."""
    both(sql, scenario, schedule)


@pytest.mark.parametrize("isolation", ["snapshot", "serializable"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("width", [0, 2])
def test_a_merge_updates_and_inserts(sql, mode, isolation, width):
    """Alone, on a table of one file, or of two partitions; what it inserts is in a file with what it updates."""
    scenario = scenario_of({"w1": [BY_ALL]}, mode=mode, isolation=isolation, partition_width=width)
    _, run = both(sql, scenario, "w1:end")
    assert run.rows == ((1, "x"), (2, "b"), (3, "y"))


@pytest.mark.parametrize("mode", MODES)
def test_a_merge_whose_table_has_changed_under_its_scan_is_refused_at_once(sql, mode):
    """Copy-on-write alone, which scans again; merge-on-read goes on to its commit."""
    scenario = scenario_of({"w1": [BY_ALL], "w2": [Insert(((4, "z"),))]}, mode=mode)
    _, run = both(sql, scenario, "w1.load w2:end w1:end")
    assert kinds(run) == {"w1": "invalid" if mode == "copy-on-write" else "ok", "w2": "ok"}


def test_a_merge_that_only_inserts_sees_what_was_committed_before_its_scan(sql):
    """It plans, another one inserts the key, and its own scan finds it."""
    scenario = scenario_of({"w1": [Merge(((3, "x"),), "nothing")], "w2": [Merge(((3, "y"),), "nothing")]})
    _, run = both(sql, scenario, "w1.load w2:end w1:end")
    assert run.rows == ((1, "a"), (2, "b"), (3, "y"))


@pytest.mark.parametrize(("dynamic", "rows"), [(False, ((1, "A"),)), (True, ((1, "A"), (4, "d")))])
def test_an_overwrite_takes_what_its_mode_says(sql, dynamic, rows):
    """Everything, or the partition of its row."""
    scenario = scenario_of({"w1": [InsertOverwrite(((1, "A"),), dynamic)]}, rows=((1, "a"), (4, "d")),
                           partition_width=4, properties=("readable",))  # fmt: skip
    _, run = both(sql, scenario, "w1:end")
    assert run.rows == rows
    assert operations(run)[1:] == [("overwrite", "w1")]


@pytest.mark.parametrize("by", ["TRUNCATE TABLE", "DELETE FROM"])
def test_a_truncation_takes_what_was_added_meanwhile(sql, by):
    """Its filter is evaluated when the commit is tried; what comes later stays."""
    scenario = scenario_of({"w1": [Truncate(by)], "w2": [Insert(((3, "x"),)), Insert(((4, "y"),))]})
    _, run = both(sql, scenario, "w1:commit w2.load w2.load w2.commit w1:end w2:end")
    assert run.rows == ((4, "y"),)


def test_a_rewrite_of_nothing_commits_nothing(sql):
    """A table without files is left as it is."""
    _, run = both(sql, scenario_of({"w1": [Truncate(), RewriteDataFiles()]}), "w1:end")
    assert operations(run)[1:] == [("delete", "w1")]


def test_a_rewrite_that_an_update_has_overtaken_is_refused(sql):
    """Its RuntimeException has the refusal for a cause."""
    scenario = scenario_of({"w1": [RewriteDataFiles()], "w2": [Update(1, "A")]})
    _, run = both(sql, scenario, SECOND)
    assert kinds(run) == {"w1": "refused", "w2": "ok"}
