"""The engine that runs slices on Spark: a task a slice, a job a wave.

A task is told a slice and yields its rows; it writes nothing itself, so one that runs twice does no harm. All rows of
a wave leave in one table, with the number of rows that each slice has, and are counted before they are taken apart
into the campaign's tables.

Choices:
* `spark.range` with a partition for each slice: `repartition` would put two slices into one task and none into another.
* Rows leave through `DataFrame.write` alone: Spark lets one attempt of each task commit.
* The job runs in a thread, so that Ctrl-C and the progress are not held up by it.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark import InheritableThread
from pyspark.sql.pandas.types import from_arrow_schema

from real_backend.errors import BackendError
from real_backend.pipeline.interrupts import interrupted_later
from real_backend.pipeline.schema import TABLES, SliceRow, plain, schema_of, slice_row
from real_backend.pipeline.session import campaign_session, place, said, to_read
from real_backend.pipeline.slices import Slice
from real_backend.pipeline.waves import Done, Work

RAW = pa.schema(
    [
        ("slice", pa.string()),
        ("rows", pa.int64()),
        *[(table, pa.struct(list(schema_of(row)))) for table, row in TABLES.items()],
    ]
)
"""A row of any table, in the column of its name; `rows` is how many its slice has in all."""
_ANSWER = pa.schema([("task", pa.int64()), ("answer", pa.string())])
_POLL_S = 0.2
_FILE_BYTES = 64 << 20
_GROUP = "lakeproof"


class OnSpark:
    """Runs slices in tasks of a Spark session.

    Args: `session` is the `SparkSession`; `master` is told in the manifests.
    """

    def __init__(self, session: Any, master: str) -> None:
        self.session = session
        self.context = session.sparkContext
        self.name = f"spark {master}"
        self.cores = 1
        self.each(_import, ["slices"] * max(2, self.context.defaultParallelism), lambda number: None)
        self.cores = int(self.context.defaultParallelism)

    def make(self, staging: Path, slices: Sequence[Slice], done: Done) -> list[SliceRow]:
        """As `Engine.make`."""
        raw, sent = staging / "raw", [(one.key, one.text) for one in slices]
        rows = self.session.range(0, len(sent), 1, len(sent)).mapInArrow(_slices_of(sent), from_arrow_schema(RAW))
        self._job(lambda: rows.write.option("compression", "zstd").parquet(place(raw)), done)
        with interrupted_later():  # a second or two
            self._part(staging, raw, len(sent))
        shutil.rmtree(raw)
        found = pq.read_table(staging / "slices", partitioning=None).to_pylist()
        return [slice_row(one) for one in found]

    def _part(self, staging: Path, raw: Path, slices: int) -> None:
        """Take the rows of a wave apart into the campaign's tables, if all are there."""
        self._count(raw, slices)
        files = 1 + sum(file.stat().st_size for file in raw.glob("*.parquet")) // _FILE_BYTES
        for table in TABLES:
            part = self.session.read.parquet(to_read(raw)).where(f"{table} is not null").select(f"{table}.*")
            part.coalesce(files).write.option("compression", "zstd").parquet(place(staging / table))

    def each(self, work: Work, tasks: Sequence[str], done: Done) -> list[str]:
        """As `Engine.each`."""
        if not tasks:
            return []
        rows = self.session.range(0, len(tasks), 1, len(tasks)).mapInArrow(
            _answers_of(work, list(tasks)), from_arrow_schema(_ANSWER)
        )
        found = {row["task"]: row["answer"] for row in self._job(rows.collect, done)}
        if len(found) != len(tasks):
            raise BackendError(f"Spark: expected {len(tasks)} answers, got {len(found)}; try again")
        return [found[task] for task in range(len(tasks))]

    def _count(self, raw: Path, slices: int) -> None:
        """Raises: `BackendError` if a slice is missing, or has more or fewer rows than it said."""
        rows = self.session.read.parquet(to_read(raw)).groupBy("slice", "rows").count().collect()
        wrong = [row for row in rows if row["rows"] != row["count"]]
        if wrong or len(rows) != slices:
            raise BackendError(
                f"Spark: expected all rows of {slices} slices, got {len(rows)} slices, {len(wrong)} with other numbers "
                "of rows; resume the campaign"
            )

    def _job(self, action: Callable[[], Any], done: Done) -> Any:
        """Run a job, and tell how many of its tasks are done until it ends. Raises: `BackendError`, one line."""
        answer: list[Any] = []
        failed: list[BaseException] = []

        def run() -> None:
            self.context.setJobGroup(_GROUP, "slices", interruptOnCancel=True)
            try:
                answer.append(action())
            except BaseException as error:
                failed.append(error)

        thread = InheritableThread(target=run, daemon=True)
        thread.start()
        try:
            self._watch(thread, done)
        except BaseException:
            self.context.cancelJobGroup(_GROUP)
            thread.join()
            raise
        if failed:
            raise BackendError(f"Spark: expected the wave's tasks to end, got {said(failed[0])}") from failed[0]
        return answer[0]

    def _watch(self, thread: threading.Thread, done: Done) -> None:
        tracker, told = self.context.statusTracker(), 0
        while thread.is_alive():
            thread.join(_POLL_S)
            with interrupted_later():
                stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            now = max([stage.numCompletedTasks for stage in stages if stage is not None], default=0)
            if now > told:
                told = now
                done(told)


def _import(module: str) -> str:
    """Import what slices need, so that the first wave need not wait for it."""
    from real_backend.pipeline.slices import code_hash

    return f"{module} {code_hash()}"


def _slices_of(sent: list[tuple[str, str]]) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """The work of a task, for slices as (key, text)."""

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        from real_backend.pipeline.slices import run_slice, slice_of

        for number in _numbers(batches):
            key, text = sent[number]
            one = slice_of(text)
            if one.key != key:
                raise RuntimeError(f"code: expected the driver's on each worker, got {one.key} for slice {key}")
            yield _raw(key, run_slice(one))

    return run


def _answers_of(work: Work, tasks: list[str]) -> Callable[[Iterable[Any]], Iterator[Any]]:
    def run(batches: Iterable[Any]) -> Iterator[Any]:
        for number in _numbers(batches):
            yield pa.RecordBatch.from_pylist([{"task": number, "answer": work(tasks[number])}], schema=_ANSWER)

    return run


def _numbers(batches: Iterable[Any]) -> Iterator[int]:
    for batch in batches:
        if batch.num_rows > 1:
            raise RuntimeError(f"batch: expected one row, got {batch.num_rows}; a setting of Spark's has been changed")
        yield from batch.column(0).to_pylist()


def _raw(key: str, rows: Any) -> Any:
    found = [(table, row) for table in TABLES for row in getattr(rows, table)]
    empty = dict.fromkeys(TABLES)
    lines = [{**empty, "slice": key, "rows": len(found), table: plain(row)} for table, row in found]
    return pa.RecordBatch.from_pylist(lines, schema=RAW)


@contextmanager
def on_spark(master: str = "local[*]") -> Iterator[OnSpark]:
    """Start Spark. Returns: the engine that runs slices on it, ended on the way out.

    Args: `master` is as Spark's ("local[*]", "local-cluster[2,1,1024]", "spark://host:7077", "yarn").

    Raises: `BackendUnavailable`, `BackendTimeout`, one line, without Java or when Spark does not start.
    """
    with campaign_session(master) as session:
        yield OnSpark(session, master)
