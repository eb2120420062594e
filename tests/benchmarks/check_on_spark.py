"""How long Spark takes to check a history: `python -m tests.benchmarks.check_on_spark [OPERATIONS] [HISTORY.parquet]`.

The first check starts Python workers and imports; the others are what a data set of many files costs. After them
`tests.benchmarks.spark_baseline` does the same: a plain job for one property, on Spark as it comes. The last line has
the ratio, for which the aim is 1.5 at most. In one process without Spark the same jobs take CPU seconds.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from checkers.histories.storage import SCHEMA
from checkers.verdict import Verdict
from real_backend.pipeline.check_job import check_data_set
from real_backend.pipeline.check_session import check_context
from tests.unit.real_backend.pipeline.in_process import Context

EACH, KEYS_PER, PROCESSES, GROUP_ROWS = 8, 80, 100, 250_000


def history(operations):
    """A table of serial transactions of eight reads and writes each, of uniform keys, as a table of `SCHEMA`."""
    random = np.random.default_rng(1)
    count, keys = operations // EACH, max(operations // KEYS_PER, EACH)
    txn = np.repeat(np.arange(1, count + 1), EACH)
    key = random.integers(0, keys, len(txn))
    wrote = np.tile(np.arange(EACH) >= EACH // 2, count)
    order = np.lexsort((txn * 2 + wrote, key))
    fresh = np.r_[True, key[order][1:] != key[order][:-1]]
    written = np.where(wrote[order], txn[order], 0)
    group = np.cumsum(fresh) * (count + 2)
    newest = np.maximum.accumulate(np.r_[0, written[:-1]] * ~fresh + group) - group
    value = np.empty(len(txn), np.int64)
    value[order] = np.where(wrote[order], txn[order], newest)
    names = pa.array([f"k{number}" for number in range(keys)])
    return _table(count, names.take(pa.array(key)), value, wrote)


def _table(count, keys, value, wrote):
    rows = np.arange(2 * count)
    done, txn = rows % 2 == 1, rows // 2 + 1
    offsets = pa.array(np.r_[0, np.cumsum(np.where(done, EACH // 2, 0))].astype(np.int32))
    text = pa.array(value).cast(pa.string())
    lists = []
    for name, chosen in (("reads", ~wrote), ("writes", wrote)):
        fields = list(SCHEMA.field(name).type.value_type)
        seen = pa.array(value[chosen] > 0)
        values = pa.compute.if_else(seen, text.filter(pa.array(chosen)), pa.scalar(None, pa.string()))
        columns = [keys.filter(pa.array(chosen)), values, pa.nulls(int(chosen.sum()), pa.int64())]
        lists.append(
            pa.ListArray.from_arrays(offsets, pa.StructArray.from_arrays(columns[: len(fields)], fields=fields))
        )
    processes = pa.array([f"p{number}" for number in range(PROCESSES)]).take(pa.array(txn % PROCESSES))
    known = {
        "index": pa.array(rows), "time_ms": pa.array(rows), "process": processes, "op": pa.array(txn),
        "type": pa.compute.if_else(pa.array(done), "ok", "invoke"), "f": pa.repeat("txn", 2 * count),
        "start": pa.array(txn - 1, mask=~done), "commit": pa.array(txn, mask=~done), "reads": lists[0],
        "writes": lists[1],
    }  # fmt: skip
    arrays = [known.get(field.name, pa.nulls(2 * count, field.type)) for field in SCHEMA]
    return pa.Table.from_arrays(
        [one.cast(field.type) for one, field in zip(arrays, SCHEMA, strict=True)], schema=SCHEMA
    )


def _timed(words, job, seconds=time.perf_counter):
    began = seconds()
    found = job()
    took = seconds() - began
    click.echo(f"{words:44} {took:8.1f} s")
    return found, took


def main(operations=10_000_000, path=None):
    """Make a history, if none is given, and check it."""
    with tempfile.TemporaryDirectory() as folder:
        if path is None:
            path = Path(folder) / "history.parquet"
            pq.write_table(history(operations), path, row_group_size=GROUP_ROWS)
        took = []
        with check_context() as context:
            for words in ("first", "warm", "warm"):
                (one,), seconds = _timed(f"all properties, {words}", lambda: check_data_set(context, path))
                took.append(seconds)
        plain, counted = _baseline(path)
        (alone,), _ = _timed(
            "all properties, one process, CPU", lambda: check_data_set(Context(), path), time.process_time
        )
        assert alone.verdict == one.verdict
        assert isinstance(one.verdict, Verdict)
        assert counted == [one.verdict.counters[name] for name in ("writes", "reads", "ww")]
        click.echo(f"{one.verdict.outcome}: {', '.join(one.verdict.results)}")
        rate = sum(counted[:2]) / min(took)
        click.echo(f"warm: {min(took) / min(plain):.2f} times the baseline; {rate:,.0f} operations a second")


def _baseline(path):
    """The seconds of each run of the baseline, in a process of its own, and its writes, reads and edges between writes.

    Of a valid history alone: it names no failures.
    """
    known = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    command = [sys.executable, "-m", "tests.benchmarks.spark_baseline", str(path)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True, env=known).stdout.splitlines()
    for line, words in zip(lines, ("first", "warm", "warm"), strict=True):
        click.echo(f"{f'baseline of one property, {words}':44} {float(line.split()[0]):8.1f} s")
    seconds, counted = [float(line.split()[0]) for line in lines], [int(one) for one in lines[0].split()[1:]]
    assert counted[3:] == [0, 0]
    return seconds, counted[:3]


if __name__ == "__main__":
    main(*[int(word) for word in sys.argv[1:2]], *[Path(word) for word in sys.argv[2:]])
