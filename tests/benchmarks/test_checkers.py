"""How fast histories are judged: thousands of tiny ones a second, and one of a hundred thousand transactions.

Large histories are multi-version ones that keep snapshot isolation: eight operations a transaction, half of them
reads, uniform keys, starts up to twenty versions behind, first committer wins.
"""

import random
import subprocess
import sys
import time
from math import log10
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from checkers.histories.history import History
from checkers.histories.notation import history
from checkers.histories.storage import SCHEMA, StoredHistory, from_table, read_parquet, write_parquet
from checkers.large import Large
from checkers.properties import PROPERTIES
from checkers.verdict import check, quick
from tests.benchmarks import dense
from tests.benchmarks.conftest import spent_since

SMALL = ("readable", "acknowledged-writes-survive", "no-lost-update", "snapshot-isolation")
VALID = "w1:del(row1)@0->1 w2:upd(row2=B)@0->2 w3:ins(row3=c)@1->3 ; final:read(row1,row2=B,row3=c)@3"
INVALID = "w1:del(row1)@0->2 w2:upd(row1=A)@0->1 ; final:read(row1=A)@2"
SKEW = "w1:txn(x:0,y=1)@0->1 w2:txn(y:0,x=1)@0->2 ; final:read(x=1,y=1)@2"


def _report(benchmark, what, units):
    if benchmark.stats is None:  # --benchmark-disable: each benchmark has run once, as a test
        return
    seconds = benchmark.stats.stats.min
    benchmark.extra_info[what] = round(units / seconds)


def _lists(fields, rows, *columns):
    counts = [len(row) for row in rows]
    flat = [entry for row in rows for entry in row]
    arrays = [pa.array([entry[at] for entry in flat], kind) for at, kind in enumerate(columns)]
    struct = pa.StructArray.from_arrays(arrays, fields=list(fields))
    return pa.ListArray.from_arrays(pa.array(np.concatenate([[0], np.cumsum(counts)]), pa.int32()), struct)


def large(transactions, keys):
    """A history of `transactions` as a table: setup, invocations and completions, lineage."""
    rng = random.Random(7)
    newest = [0] * keys
    versions = [[0] for _ in range(keys)]
    setup = [(f"k{key}", "0") for key in range(keys)]
    rows: list[tuple[Any, ...]] = [("setup", "ok", 0, None, 0)]
    reads: list[Any] = [()]
    writes: list[Any] = [setup]
    for commit in range(1, transactions + 1):
        start = max(0, commit - 1 - rng.randrange(20))
        seen, wrote = [], []
        for key in {rng.randrange(keys): None for _ in range(4)}:
            at = next(version for version in reversed(versions[key]) if version <= start)
            seen.append((f"k{key}", str(at), None))
        for key in {rng.randrange(keys): None for _ in range(4)}:
            if newest[key] <= start:
                newest[key] = commit
                versions[key].append(commit)
                wrote.append((f"k{key}", str(commit)))
        process = f"w{commit % 50}"
        rows += [(process, "invoke", commit, None, None), (process, "ok", commit, start, commit)]
        reads += [(), seen]
        writes += [(), wrote]
    rows += [("lineage", "version", commit, None, commit) for commit in range(transactions + 1)]
    reads += [()] * (transactions + 1)
    writes += [()] * (transactions + 1)
    names, kinds, ops, starts, commits = (list(column) for column in zip(*rows, strict=True))
    number, text, void = pa.int64(), pa.string(), pa.nulls(len(rows), pa.string())
    columns = [
        pa.array(range(len(rows)), number), pa.array(range(len(rows)), number), pa.array(names, text),
        pa.array(kinds, text), pa.array(ops, number), pa.array(["txn"] * len(rows), text), void,
        pa.array(starts, number), pa.array(commits, number), void, void,
        _lists(SCHEMA.field("reads").type.value_type, reads, text, text, number),
        _lists(SCHEMA.field("writes").type.value_type, writes, text, text), void, void,
    ]  # fmt: skip
    return pa.Table.from_arrays(columns, schema=SCHEMA)


@pytest.fixture(scope="module")
def hundred_thousand():
    return large(100_000, 10_000)


@pytest.fixture(scope="module")
def ten_thousand():
    return large(10_000, 1_000)


@pytest.mark.parametrize(
    ("line", "names", "key"),
    [
        (VALID, SMALL, None),
        (VALID, PROPERTIES, None),
        (INVALID, SMALL, "acknowledged-writes-survive/resurrected-row"),
        (SKEW, ("serializable",), "serializable/G2-item"),
    ],
    ids=["valid-4-properties", "valid-all-properties", "invalid", "write-skew"],
)
def test_quick_verdict_after_a_schedule(benchmark, line, names, key):
    """From events to the key of the failure, nothing cached."""
    events = history(line).events
    assert benchmark(quick, events, names) == key
    _report(benchmark, "histories_per_s", 1)


def test_full_verdict_with_sentences(benchmark):
    """What a search does once, for the failure that it keeps."""
    events = history(INVALID).events
    verdict = benchmark(lambda: check(History(events), SMALL))
    assert verdict.outcome == "invalid"


def test_certificate_of_a_large_history(benchmark, hundred_thousand):
    """Every property on columns in memory."""
    large = benchmark.pedantic(lambda: Large(StoredHistory(hundred_thousand), PROPERTIES), rounds=5)
    assert large.decided["snapshot-isolation"].findings == []
    assert large.decided["strong-snapshot-isolation"].findings != []  # starts lie behind what was acknowledged
    _report(benchmark, "txns_per_s", large.counters["committed"])
    benchmark.extra_info["reads_and_writes"] = large.counters["reads"] + large.counters["writes"]


def test_reading_and_certifying_a_large_file(benchmark, hundred_thousand, tmp_path):
    """From Parquet, with all tests of well-formedness, to the verdict."""
    path = tmp_path / "h.parquet"
    write_parquet(from_table(hundred_thousand), path)
    verdict = benchmark.pedantic(lambda: check(read_parquet(path), ["snapshot-isolation"]), rounds=3)
    assert verdict.outcome == "valid"
    _report(benchmark, "txns_per_s", 100_000)


SIZES = ((10_000, 1_000), (100_000, 10_000), (1_000_000, 100_000))
SESSIONS = ("snapshot-isolation", "strong-session-snapshot-isolation", "session-guarantees")


def _seconds(work):
    begin = time.process_time()
    done = work()
    return spent_since(begin), done


_WHOLE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


def _whole(path, *names):
    """CPU seconds and peak kilobytes of `lakeproof check`, started by a small process, whose own peak is lower."""
    words = [sys.executable, "-m", "lakeproof", "check", str(path), *(f"--property={name}" for name in names)]
    told = subprocess.run([sys.executable, "-c", _WHOLE, *words], capture_output=True, text=True, check=True).stdout
    seconds, kilobytes = told.split()
    return float(seconds), int(kilobytes)


@pytest.mark.timeout(1_800)
def test_costs_of_large_histories_grow_with_their_length(bench, tmp_path):
    """Reading, snapshot isolation with sessions, causal, every property: CPU time in one run, with ratios beside
    numbers alone (`dense`), peak memory, the command line beside the library, and exponents."""
    costs: dict[str, list[float]] = {}
    for transactions, keys in SIZES if bench.full else ((1_000, 100),):
        path, numbers = tmp_path / f"{transactions}.parquet", tmp_path / f"{transactions}.numbers"
        table = large(transactions, keys)
        write_parquet(from_table(table), path)
        dense.write(table, numbers)
        del table
        row, verdict = _costs(path, numbers)
        for name, seconds in row.items():
            costs.setdefault(name, []).append(seconds)
            bench.note(f"{name}, {transactions:,} txns", 1_000 * seconds, "CPU-ms")
        _ratios(bench, transactions, row)
        _, kilobytes = _whole(path, *SESSIONS)
        amount = verdict.counters["reads"] + verdict.counters["writes"]
        bench.note(f"peak of a whole process, snapshot and sessions, {transactions:,} txns", kilobytes / 1_000, "MB")
        bench.note("  of it for each read or write", 1_024 * kilobytes / amount, "bytes", _aim(100, transactions))
    for name, seconds in costs.items():
        if len(seconds) > 1:
            bench.note(f"{name}: growth exponent x 100", 100 * log10(seconds[-1] / seconds[-2]), "")


def _costs(path, numbers):
    """CPU seconds of each, and the verdict of all."""
    baseline, failed = _seconds(lambda: dense.failures(numbers))
    assert failed[:3] == (0, 0, 0)
    reading, source = _seconds(lambda: read_parquet(path))
    snapshot, known = _seconds(lambda: Large(source, SESSIONS))
    assert known.decided["snapshot-isolation"].findings == []
    causal, _ = _seconds(lambda: Large(source, ["strong-session-causal"]))
    every, all_known = _seconds(lambda: Large(source, PROPERTIES))
    assert not [name for name in PROPERTIES if name not in all_known.decided]
    library, verdict = _seconds(lambda: check(read_parquet(path)))
    row = {"numbers alone, read and judged": baseline, "reading": reading, "snapshot and sessions": snapshot}
    row |= {"causal": causal, "every property": every, "library, file to verdict": library}
    return row | {"lakeproof check": _whole(path)[0]}, verdict


def _ratios(bench, transactions, row):
    for name, beside, aim in (
        ("snapshot and sessions", "numbers alone, read and judged", 100),
        ("every property", "numbers alone, read and judged", 300),
        ("every property", "snapshot and sessions", 300),
        ("lakeproof check", "library, file to verdict", 200),
    ):
        words = f"{name} beside {beside}, {transactions:,} txns"
        bench.note(words, 100 * row[name] / row[beside], "%", _aim(aim, transactions))


def _aim(figure, transactions):
    """Aims are for the longest history: in a short one starting and importing are what counts."""
    return figure if transactions == SIZES[-1][0] else None


@pytest.mark.parametrize("name", ["snapshot-isolation", "serializable", "no-lost-update", "monotonic-reads"])
def test_checks_on_operations_of_a_large_history(benchmark, ten_thousand, name):
    """The path that explains: every operation an object, the graph where the certificate does not decide."""
    source = from_table(ten_thousand)
    _ = source.ops
    key = benchmark.pedantic(quick, (source, [name]), rounds=2)
    assert key == ("serializable/G2-item" if name == "serializable" else None)
    _report(benchmark, "txns_per_s", 10_000)
