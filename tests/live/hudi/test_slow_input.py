"""A slow writer on the real Hudi 1.2.0, by Spark's own writes, without a gate: its input takes long to compute.

It loads the timeline, and computes its input before it lists the table's files to look for the ids. What is cleaned
meanwhile it looks for in vain.
"""

import threading
import time

import pytest
from pyspark.sql import functions

from tests.live.hudi.held_input import ASKED, held_until
from tests.live.hudi.hours import hours_behind

pytestmark = pytest.mark.live
WAIT_S = 120
OPERATION = "hoodie.datasource.write.operation"
OCC = {
    "hoodie.table.name": "t",
    "hoodie.datasource.write.recordkey.field": "id",
    "hoodie.datasource.write.partitionpath.field": "p",
    "hoodie.datasource.write.precombine.field": "ts",
    "hoodie.write.concurrency.mode": "optimistic_concurrency_control",
    "hoodie.write.lock.provider": "org.apache.hudi.client.transaction.lock.InProcessLockProvider",
    "hoodie.clean.failed.writes.policy": "LAZY",
    "hoodie.upsert.shuffle.parallelism": "1",
    "hoodie.insert.shuffle.parallelism": "1",
    "hoodie.simple.index.parallelism": "1",
    "hoodie.parquet.small.file.limit": "0",
}
COMMITS = {"hoodie.clean.commits.retained": "1"}
HOURS = {"hoodie.clean.policy": "KEEP_LATEST_BY_HOURS", "hoodie.clean.hours.retained": "1"}
VERSIONS = {"hoodie.clean.policy": "KEEP_LATEST_FILE_VERSIONS", "hoodie.clean.fileversions.retained": "1"}


class Table:
    """A table of Spark's writes. Each is an upsert, if not another `operation`, with Hudi's own cleaning after it, its
    options but for `cleaning` as by default."""

    def __init__(self, spark, folder, cleaning) -> None:
        self._spark, self._folder, self._cleaning = spark, folder, cleaning
        self._path = str(folder / "table")

    def write(self, rows, order, gate="", *, cleans=True, mode="append", operation="upsert"):
        """Write rows (id, partition, value); `gate`: a file before which the value is not known."""
        frame = self._spark.createDataFrame([(*row, order) for row in rows], "id string, p string, v string, ts int")
        if gate:
            frame = frame.withColumn("v", held_until(str(self._folder / gate))(functions.col("v")))
        options = {**OCC, **self._cleaning, "hoodie.clean.automatic": str(cleans).lower(), OPERATION: operation}
        frame.write.format("hudi").options(**options).mode(mode).save(self._path)

    def begin(self, rows, order, gate, operation="upsert"):
        """Begin a write in a thread; returns when it has announced itself, and waits for its input."""
        pending = len(self.requested())
        how = {"cleans": False, "operation": operation}
        thread = threading.Thread(target=self.write, args=(rows, order, gate), kwargs=how)
        thread.start()
        deadline = time.monotonic() + WAIT_S
        while len(self.requested()) == pending or not (self._folder / f"{gate}{ASKED}").exists():
            assert time.monotonic() < deadline, "the writer never asked for its input"
            time.sleep(0.05)
        return thread

    def end(self, thread, gate):
        """Let it have its input, and end."""
        (self._folder / gate).touch()
        thread.join(WAIT_S)
        assert not thread.is_alive()

    def requested(self):
        """The instants that were announced."""
        folder = self._folder / "table" / ".hoodie" / "timeline"
        return sorted(each.name for each in folder.glob("*commit.requested"))

    def rows(self):
        """What a reader sees: id and value."""
        frame = self._spark.read.format("hudi").load(self._path).select("id", "v")
        return sorted((row.id, row.v) for row in frame.collect())


def test_slices_are_counted(spark, tmp_path):
    """One writer beside another one, which cleans: the slow one's row is there twice."""
    table = Table(spark[0].spark, tmp_path, VERSIONS)
    table.write([("1", "p1", "a"), ("2", "p1", "b")], 0, mode="overwrite", cleans=False)
    slow = table.begin([("2", "p1", "C")], 2, "c")
    table.write([("1", "p1", "A")], 1)
    table.end(slow, "c")
    assert table.rows() == [("1", "A"), ("2", "C"), ("2", "b")]


def test_commits_are_counted(spark, tmp_path):
    """The same by the default policy, if one more writer had begun before, and ends meanwhile."""
    table = Table(spark[0].spark, tmp_path, COMMITS)
    table.write([("1", "p1", "a"), ("2", "p2", "b")], 0, mode="overwrite", cleans=False)
    before = table.begin([("1", "p1", "A")], 1, "a")
    table.write([("2", "p2", "B")], 2, cleans=False)
    slow = table.begin([("1", "p1", "D")], 3, "d")
    table.end(before, "a")
    table.write([("2", "p2", "E")], 4)
    table.end(slow, "d")
    assert table.rows() == [("1", "A"), ("1", "D"), ("2", "E")]


def test_what_was_overwritten_is_counted_as_old(spark, tmp_path):
    """The same if the one that had begun before overwrites the partition: nothing is left of the file group that the
    slow one knows, and its row is there beside the one that was put in its place."""
    table = Table(spark[0].spark, tmp_path, COMMITS)
    table.write([("1", "p1", "a"), ("2", "p2", "b")], 0, mode="overwrite", cleans=False)
    before = table.begin([("1", "p1", "A")], 1, "a", "insert_overwrite")
    table.write([("2", "p2", "B")], 2, cleans=False)
    slow = table.begin([("1", "p1", "D")], 3, "d")
    table.end(before, "a")
    table.write([("2", "p2", "E")], 4)
    table.end(slow, "d")
    assert table.rows() == [("1", "A"), ("1", "D"), ("2", "E")]


def test_hours_are_counted(spark, tmp_path):
    """A write that takes longer than the hours that are retained: it is pending all the time, and nobody minds it."""
    with hours_behind(spark[0], 1) as hours:
        table = Table(spark[0].spark, tmp_path, HOURS)
        table.write([("1", "p1", "a"), ("2", "p1", "b")], 0, mode="overwrite", cleans=False)
        slow = table.begin([("2", "p1", "C")], 3, "c")
        table.write([("1", "p1", "A")], 1, cleans=False)
        hours.passes()
        table.write([("1", "p1", "B")], 2)
        table.end(slow, "c")
        assert table.rows() == [("1", "B"), ("2", "C"), ("2", "b")]
