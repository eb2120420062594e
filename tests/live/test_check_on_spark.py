"""Histories checked on a real Spark: the verdicts are those in memory; one stale read among 200,000 operations."""

import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from checkers.histories.history import Event, History, Read, Write
from checkers.histories.storage import to_table
from checkers.verdict import Verdict, check
from real_backend.pipeline.check_job import PROPERTIES, check_data_set
from tests.unit.real_backend.pipeline.drawn import drawn

pytestmark = pytest.mark.live
KEYS, EACH, TRANSACTIONS = 500, 4, 25_000


def _large(draw):
    """Transactions of four reads and four writes of a table with snapshots, two of them open at a time."""
    chains = {f"k{key}": [(0, "0")] for key in range(KEYS)}
    events = [Event(0, 0, "setup", "ok", 0, "txn", commit=0, writes=tuple(Write(key, "0") for key in chains))]
    waiting, newest = [], 0
    for number in range(1, TRANSACTIONS + 1):
        process = f"p{number % 20}"
        events.append(Event(len(events), 0, process, "invoke", number, "txn"))
        waiting.append((number, process, newest, draw.sample(sorted(chains), 2 * EACH)))
        if len(waiting) == 2:
            number, process, start, keys = waiting.pop(0)
            seen = [next(value for version, value in reversed(chains[key]) if version <= start) for key in keys[:EACH]]
            writes = [key for key in keys[EACH:] if chains[key][-1][0] <= start]
            newest += 1
            for key in writes:
                chains[key].append((newest, str(number)))
            reads = tuple(Read(key, value) for key, value in zip(keys[:EACH], seen, strict=True))
            written = tuple(Write(key, str(number)) for key in writes)
            events.append(Event(len(events), 0, process, "ok", number, "txn", start=start, commit=newest, reads=reads,
                                writes=written))  # fmt: skip
    return events


def _with_a_stale_read(events):
    """One read of the key's first value, long after it was written over."""
    at = len(events) - 9
    while events[at].type != "ok":
        at += 1
    (first, *others) = events[at].reads
    assert first.value != "0"
    stale = events[at]._replace(reads=(first._replace(value="0"), *others))
    return [*events[:at], stale, *events[at + 1 :]], stale.op


def test_one_stale_read_among_200000_operations_is_found(spark, tmp_path):
    """And told with its operation; without it, the history is valid, as it is in memory."""
    events = _large(random.Random(3))
    spoilt, op = _with_a_stale_read(events)
    for name, rows in (("good", events), ("bad", spoilt)):
        table = to_table(History(rows))
        pq.write_table(table, tmp_path / f"{name}.parquet", row_group_size=10_000)
        (found,) = check_data_set(spark[0].context, tmp_path / f"{name}.parquet")
        assert isinstance(found.verdict, Verdict)
        known = check(History(rows), ("snapshot-isolation",))
        assert found.verdict.results["snapshot-isolation"] == known.results["snapshot-isolation"]
        assert found.verdict.outcome == {"good": "valid", "bad": "invalid"}[name]
        if name == "good":
            assert found.verdict.counters["reads"] + found.verdict.counters["writes"] > 190_000
            assert {kind: found.verdict.counters[kind] for kind in ("ww", "wr", "rw")} == {
                kind: known.counters[kind] for kind in ("ww", "wr", "rw")
            }
        else:
            assert op in found.verdict.violations[0].ops
            assert op in known.violations[0].ops


def test_many_drawn_histories_have_their_verdicts(spark, tmp_path):
    """In one data set, of parts in folders; what is unknown there may be known in memory."""
    draw = random.Random(11)
    histories = {str(number): drawn(draw, 0.1) for number in range(60)}
    for name, history in histories.items():
        folder = tmp_path / "set" / f"history={name}"
        folder.mkdir(parents=True)
        pq.write_table(to_table(history), folder / "part-0.parquet")
    kinds = set()
    whole = {found.name: found.verdict for found in check_data_set(spark[0].context, tmp_path / "set")}
    for found in check_data_set(spark[0].context, tmp_path / "set", small_rows=0):
        assert whole[found.name] == check(histories[found.name.partition("[")[2][:-1]])
        assert isinstance(found.verdict, Verdict)
        known = check(histories[found.name.partition("[")[2][:-1]], PROPERTIES)
        for name, outcome in found.verdict.results.items():
            assert outcome in ("unknown", known.results[name]), (found, name, known)
            kinds.add(outcome)
    assert kinds >= {"valid", "invalid"}


def test_a_file_that_breaks_off_in_the_middle_is_named(spark, tmp_path):
    """Bad input, although a task of Spark's finds it."""
    table = pa.concat_tables([to_table(drawn(random.Random(1), 0.0)) for _ in range(1)])
    pq.write_table(table, tmp_path / "h.parquet", write_page_checksum=True, compression="none")
    content = bytearray((tmp_path / "h.parquet").read_bytes())
    content[100] ^= 255
    (tmp_path / "h.parquet").write_bytes(bytes(content))
    with pytest.raises(Exception, match="expected a Parquet file, got unreadable content"):
        check_data_set(spark[0].context, tmp_path / "h.parquet")
