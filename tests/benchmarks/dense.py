"""What snapshot isolation costs where all is a number already: what the checks of large histories are measured by.

Transactions and versions of each key are dense numbers, so that who wrote a version is one look-up. There is no text,
nothing is paired or validated, and nothing is said but how many places fail.
"""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq


def write(history, path):
    """Write the transactions of a valid history, as `large` makes it, to `path`: one row an operation on a key."""
    done = history.filter(pc.equal(history.column("type"), "ok"))
    numbers = {name: done.column(name).fill_null(0).to_numpy() for name in ("start", "commit")}
    found = []
    for name in ("writes", "reads"):
        lists = done.column(name).combine_chunks()
        txn = np.repeat(np.arange(len(lists)), lists.value_lengths().to_numpy())
        key = pc.utf8_slice_codeunits(lists.flatten().field("key"), 1).cast(pa.int64()).to_numpy()
        found.append((txn, key, lists.flatten().field("value").cast(pa.int64()).to_numpy()))
    (txn, key, value), (reader, read, seen) = found
    span = len(done) + 1
    known = np.sort(key * span + value)
    first = np.searchsorted(known, np.arange(key.max() + 1) * span)
    version = np.searchsorted(known, key * span + value) - first[key]
    at = np.searchsorted(known, read * span + seen) - first[read]
    columns = {"txn": (txn, reader), "key": (key, read), "version": (version, at)}
    table = pa.table({name: np.concatenate(both).astype(np.int32) for name, both in columns.items()})
    pq.write_table(table.append_column("wrote", [np.arange(len(table)) < len(txn)]), path)
    session = done.column("process").dictionary_encode().combine_chunks().indices
    pq.write_table(pa.table({"session": session, **numbers}), f"{path}.txns")


def failures(path):
    """Read and judge. Returns: reads of the future, stale reads, writers that overlap, sessions that go back."""
    rows, txns = pq.read_table(path), pq.read_table(f"{path}.txns")
    txn, key, version, wrote = (rows.column(name).to_numpy() for name in ("txn", "key", "version", "wrote"))
    session, start, commit = (txns.column(name).to_numpy() for name in ("session", "start", "commit"))
    offset = np.concatenate([[0], np.cumsum(np.bincount(key[wrote]))])
    at = offset[key] + version
    writer = np.zeros(offset[-1] + 1, np.int32)
    writer[at[wrote]] = txn[wrote]
    read, mine = ~wrote, at[wrote]
    begun, place, last = start[txn[read]], at[read], offset[key[read] + 1] - 1
    future = (commit[writer[place]] > begun) & (writer[place] != txn[read])
    after = writer[place + 1]
    stale = (place < last) & (after != txn[read]) & (commit[after] <= begun)
    overlap = (version[wrote] > 0) & (commit[writer[mine - 1]] > start[txn[wrote]])
    order = np.lexsort((start, session))
    same = session[order[1:]] == session[order[:-1]]
    back = same & (commit[order[:-1]] > start[order[1:]])
    return tuple(int(one.sum()) for one in (future, stale, overlap, back))
