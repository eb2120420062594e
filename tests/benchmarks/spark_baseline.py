"""The plainest Spark job that says something of a history, for a benchmark to stand beside: snapshot isolation alone.

Rows go through Spark's reader, reads and writes are exploded, one exchange brings each key together, numpy looks at
each partition, and one sum adds up what it found; Spark is as it comes. The job believes the version that an
acknowledged operation claims, and knows neither lineage, nor unknown outcomes, nor sessions.
"""

import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np
import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

PARTITIONS = 8
SETTINGS = {
    "spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "5g", "spark.sql.adaptive.enabled": "false",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "200000",
}  # fmt: skip
COUNTERS = ("writes", "reads", "ww", "stale", "overlaps")


def snapshot_isolation(spark: SparkSession, path: Path) -> dict[str, int]:
    """How many writes, reads and edges from write to write the file has, and how many of them break the property."""
    done = spark.read.parquet(str(path)).where("type = 'ok'")
    about = ["op", "start", "commit", "e.key", "e.value"]
    entries = [
        done.select("op", "start", "commit", F.explode(column).alias("e")).select(
            *about, F.lit(written).alias("written")
        )
        for column, written in (("reads", 0), ("writes", 1))
    ]
    schema = ", ".join(f"{name} long" for name in COUNTERS)
    found = entries[0].unionByName(entries[1]).repartition(PARTITIONS, "key").mapInArrow(_judged, schema)
    (row,) = found.agg(*[F.sum(name).alias(name) for name in COUNTERS]).collect()
    return {name: int(row[name] or 0) for name in COUNTERS}


def _judged(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """One row of counters of a partition."""
    some = list(batches)
    if some:
        table = pa.Table.from_batches(some)
        found = counters(*[_column(table, name) for name in ("key", "value", "start", "commit", "written")])
        yield pa.RecordBatch.from_arrays([pa.array([one], pa.int64()) for one in found], list(COUNTERS))


def _column(table: pa.Table, name: str) -> Any:
    column = table.column(name).combine_chunks()
    column = column.dictionary_encode().indices if pa.types.is_string(column.type) else column
    return column.fill_null(-1).to_numpy().astype(np.int64)


def counters(key: Any, value: Any, start: Any, commit: Any, written: Any) -> tuple[int, ...]:
    """`COUNTERS` of all reads and writes of some keys. Args: codes of keys and values; -1 is absent."""
    span = int(max(start.max(initial=0), commit.max(initial=0))) + 2
    writes, reads = np.flatnonzero((written > 0) & (commit >= 0)), np.flatnonzero(written == 0)
    at = key[writes] * span + commit[writes]
    order = np.argsort(at, kind="stable")
    writes, at = writes[order], at[order]
    same = key[writes][1:] == key[writes][:-1]
    overlaps = same & (commit[writes][:-1] > start[writes][1:])
    probe = key[reads] * span + start[reads]
    order = np.argsort(probe, kind="stable")
    reads, probe = reads[order], probe[order]
    place = np.searchsorted(at, probe, side="right") - 1
    seen = np.full(len(reads), -1)
    if len(writes):
        born = (place >= 0) & (key[writes][place] == key[reads])
        seen = np.where(born, value[writes][place], -1)
    return len(writes), len(reads), int(same.sum()), int((seen != value[reads]).sum()), int(overlaps.sum())


def main(path: Path, times: int = 3) -> None:
    """Print, each time, the seconds on the wall, and the counters."""
    builder = SparkSession.builder.master("local[*]")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    for _ in range(times):
        began = time.perf_counter()
        found = snapshot_isolation(spark, path)
        click.echo(f"{time.perf_counter() - began:.3f} {' '.join(str(found[name]) for name in COUNTERS)}")
    spark.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
