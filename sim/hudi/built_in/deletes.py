"""Hudi scenarios: a DELETE of Spark SQL, and where a row is written that was read before.

A DELETE reads the rows that it is about, as an UPDATE does (`built_in.updates`). Both are prepared writes: a row goes
to the file group in which it has been read, and no index is asked. On a copy-on-write table that group has to be there;
on a merge-on-read table a log file is appended to it, be it hidden by then or not.

Source: `DeleteHoodieTableCommand`, `UpdateHoodieTableCommand`, `HoodieCreateRecordUtils`,
`SparkDeletePreppedDeltaCommitActionExecutor`, `HoodieAppendHandle.populateWriteStatAndFetchFileSlice`,
`HoodieAbstractMergeHandle` (1.2.0).
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.keys import CONFLICT_RETRIES, LOG_COMPACT_AFTER, PREPPED
from model.hudi.variants import UPDATES_READ_WITHIN
from sim.hudi.build import EVERYTHING, PREFERRING, WRITES, Writers, race
from sim.hudi.built_in.clustering import PLAN_STAYS
from sim.hudi.built_in.updates import AT_ONCE, LOGGED, RETRIED
from sim.hudi.statements import Cluster, Compact, Delete, Read, Update, Upsert

DELETE: Writers = {"w1": [Delete((1,))], "w2": [Upsert(((1, "B"),))]}
CLUSTERED: Writers = {"w1": [Delete((1,))], "c1": [Cluster()]}
CHANGED: Writers = {"w1": [Update(((1, "A"),))], "c1": [Cluster()]}
MOVED: Writers = {"w1": [Update(((1, "A"),))], "w2": [Delete((1,)), Upsert(((1, "B"),))]}
INDEXED = (*LOGGED, (PREPPED, "false"))
COMMITS = (coverage.COMMITTED,)
LOOKS = (*WRITES, "list")
TABLE: dict[str, Any] = {"rules": SHIPPED, "properties": EVERYTHING}
STALE = dict.fromkeys(("no-lost-update", "snapshot-isolation"), "hudi/delete-read-first breaks them")
MOVES: dict[str, Any] = {**TABLE, "but": STALE}
BESIDE: dict[str, Any] = {**TABLE, "yield_points": LOOKS, "but": PLAN_STAYS}

DELETES = (
    race(
        "delete-read-first",
        "A DELETE of Spark SQL, and an upsert that is committed after it has read and before its write begins: what is "
        "deleted is another row than it asked for, and nobody is told.",
        DELETE,
        options=PREFERRING,
        broken="no-lost-update",
        pair="delete-read-within",
        **TABLE,
    ),
    race(
        "delete-read-within",
        "The same with a DELETE that reads what it merges with: nothing is lost.",
        DELETE,
        options=PREFERRING,
        counters=(coverage.CONFLICT_FOUND, *COMMITS),
        pair="delete-read-first",
        **{**TABLE, "rules": UPDATES_READ_WITHIN},
    ),
    race(
        "delete-refused",
        "A DELETE whose write begins when it has read: what is committed beside it is a conflict, and it is refused.",
        DELETE,
        options=PREFERRING,
        yield_points=AT_ONCE,
        counters=(coverage.CONFLICT_FOUND, *COMMITS),
        pair="delete-retried",
        **TABLE,
    ),
    race(
        "delete-retried",
        "The same with a writer that tries again: the conflict is found, and then what came of it is deleted.",
        DELETE,
        options=RETRIED,
        yield_points=AT_ONCE,
        broken="no-lost-update",
        pair="delete-refused",
        **TABLE,
    ),
    race(
        "delete-logs-read-first",
        "The same on a merge-on-read table: the log file says that the row is deleted, over that of the other one.",
        DELETE,
        options=LOGGED,
        broken="no-lost-update",
        pair="delete-logs-refused",
        **TABLE,
    ),
    race(
        "delete-logs-refused",
        "The same where the write begins when it has read: what is committed beside it is a conflict.",
        DELETE,
        options=LOGGED,
        yield_points=AT_ONCE,
        counters=(coverage.CONFLICT_FOUND, coverage.LOG_WRITTEN, *COMMITS),
        pair="delete-logs-read-first",
        **TABLE,
    ),
    race(
        "delete-logs-compact",
        "A DELETE on a merge-on-read table beside compaction: the row is deleted before it, and after.",
        {"w1": [Upsert(((2, "B"),)), Delete((1,)), Read()], "c1": [Compact()]},
        options=LOGGED,
        counters=(coverage.COMPACTED, coverage.LOG_WRITTEN, coverage.LOGS_MERGED),
        **{**BESIDE, "yield_points": WRITES},
    ),
    race(
        "delete-logs-log-compact",
        "A DELETE on a merge-on-read table beside log compaction: the compacted log file deletes it, too.",
        {"w1": [Upsert(((2, "B"),)), Delete((1,))], "c1": [Compact(logs=True)]},
        options=(*LOGGED, (LOG_COMPACT_AFTER, "2")),
        counters=(coverage.LOGS_COMPACTED, coverage.LOG_WRITTEN, coverage.LOGS_MERGED),
        **BESIDE,
    ),
    race(
        "delete-clustered",
        "A DELETE beside clustering, on a copy-on-write table: one that has read before it finds no file group to "
        "write to, and fails.",
        CLUSTERED,
        options=PREFERRING,
        counters=(coverage.CLUSTERED, *COMMITS),
        pair="delete-logs-clustered",
        **BESIDE,
    ),
    race(
        "delete-logs-clustered",
        "The same on a merge-on-read table: it is acknowledged, and its log file belongs to a file group that "
        "clustering has replaced, so that the row stays.",
        CLUSTERED,
        options=LOGGED,
        broken="acknowledged-writes-survive",
        pair="delete-logs-clustered-indexed",
        **BESIDE,
    ),
    race(
        "delete-logs-clustered-indexed",
        "The same where the rows of a DELETE are looked up again when they are written: it finds the new file group.",
        CLUSTERED,
        options=INDEXED,
        counters=(coverage.CLUSTERED, coverage.LOG_WRITTEN, *COMMITS),
        pair="delete-logs-clustered",
        **BESIDE,
    ),
    race(
        "update-clustered",
        "An UPDATE of Spark SQL beside clustering, on a copy-on-write table: it fails as a DELETE does.",
        CHANGED,
        options=PREFERRING,
        counters=(coverage.CLUSTERED, *COMMITS),
        pair="update-logs-clustered",
        **BESIDE,
    ),
    race(
        "update-logs-clustered",
        "The same on a merge-on-read table: what it has written is in a file group that clustering has replaced.",
        CHANGED,
        options=LOGGED,
        broken="acknowledged-writes-survive",
        pair="update-logs-clustered-indexed",
        **BESIDE,
    ),
    race(
        "update-logs-clustered-retried",
        "The same where its write begins when it has read, and is tried again: the conflict with clustering is found, "
        "and the second try writes to the file group that has gone.",
        CHANGED,
        options=(*LOGGED, (CONFLICT_RETRIES, "1")),
        broken="acknowledged-writes-survive",
        pair="update-logs-clustered-indexed",
        **{**BESIDE, "yield_points": AT_ONCE},
    ),
    race(
        "update-logs-clustered-indexed",
        "The same where its rows are looked up again when they are written, tried again or not: nothing is lost.",
        CHANGED,
        options=(*INDEXED, (CONFLICT_RETRIES, "1")),
        counters=(coverage.CLUSTERED, coverage.LOG_WRITTEN, *COMMITS),
        pair="update-logs-clustered",
        **BESIDE,
    ),
    race(
        "update-moved",
        "An UPDATE of Spark SQL of a row that is deleted and inserted again between its read and its write: it writes "
        "the row to the file group in which it was, and there are two of it.",
        MOVED,
        options=PREFERRING,
        broken="acknowledged-writes-survive",
        pair="update-moved-refused",
        **{**MOVES, "yield_points": LOOKS},
    ),
    race(
        "update-moved-refused",
        "The same where its write begins when it has read: what is committed beside it is a conflict.",
        MOVED,
        options=PREFERRING,
        counters=(coverage.CONFLICT_FOUND, *COMMITS),
        pair="update-moved",
        **{**MOVES, "yield_points": AT_ONCE},
    ),
)  # fmt: skip
