"""The metastore scenarios that come with the product: the reference, the design document, and what 4.0 ships.

Steps are the calls of sessions and the polls of replicas, one event each: what a live gate can hold. `open_txn`,
`get_valid_write_ids` and the read of the database after a miss happen between two steps.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from model.hive import DESIGN, FIXED, SHIPPED, Rules, marks
from sim.scenario import FaultSpace, Scenario
from sim.scenarios.hive_iceberg import COMPOSITE
from sim.scenarios.hive_race import HiveRace
from sim.scenarios.hive_workload import (
    Abort,
    Alter,
    Begin,
    CleanLog,
    Commit,
    Create,
    Drop,
    Get,
    HiveSession,
    HiveTable,
    HiveWorkload,
    ListPartitions,
    PutPartition,
    Rename,
    Statement,
    Update,
)

T, U, E = "default.t", "default.u", "default.e"
B, RO = Begin((T,)), Begin((T,), read_only=True)
MANAGED = (HiveTable(T, "v0"),)
EXTERNAL = (HiveTable(E, "e0", managed=False),)
NO_FAULTS = FaultSpace()
STEPS = (
    "get_open_txns", "allocate_write_id", "create_table", "alter_table", "rename_table", "drop_table", "put_partition",
    "drop_partition", "commit_txn", "abort_txn", "get_table", "get_partitions", "poll", "clean_log",
)  # fmt: skip
LOADING = (*STEPS, "prewarm", "prewarm_tag", "prewarm_table")
SESSION_PROMISES = ("read-your-writes", "right-incarnation", "freshness", "all-or-nothing", "no-dirty-reads",
                    "monotonic-reads-per-replica")  # fmt: skip
QUIET = (*SESSION_PROMISES, "convergence")
ONE_CHANGE: tuple[Statement, ...] = (B, Alter(T, "v1"), Commit())

Sessions = dict[str, tuple[str, tuple[Statement, ...]]]


def metastore(
    name: str, summary: str, sessions: Sessions, *, rules: Rules = FIXED,
    properties: tuple[str, ...] = SESSION_PROMISES, tables: tuple[HiveTable, ...] = MANAGED,
    cold: tuple[str, ...] = (), pollers: tuple[str, ...] = ("h2",),
    broken: str | None = None, counters: tuple[str, ...] = (), faults: FaultSpace = NO_FAULTS,
    steps: tuple[str, ...] | None = STEPS, pair: str | None = None, statements: bool = False,
    dies: Literal["replica", "thread"] = "replica", old_clients: tuple[str, ...] = (), drains: bool | None = None,
) -> Scenario:  # fmt: skip
    """A scenario on two replicas, h1 and h2.

    Args: `sessions`: actor -> (home replica, statements); `broken`: the property that is expected to break;
    `old_clients`: those that send no lists; `drains`: replicas see to the whole log (default: if convergence is asked).
    """
    clients = [HiveSession(actor, home, todo, actor not in old_clients) for actor, (home, todo) in sessions.items()]
    workload = HiveWorkload(tuple(clients), tables, pollers=pollers, cold=cold)
    story = HiveRace(workload, rules, statements, "convergence" in properties if drains is None else drains, dies)
    count = len(clients)
    return Scenario(
        name=f"hive/{name}",
        summary=summary,
        prepare=story.prepare,
        start=story.start,
        finish=story.finish,
        properties=properties,
        expect="violated" if broken else "holds",
        broken=broken,
        counters=counters,
        faults=faults,
        grain=steps,
        bounds=f"2 replicas, {count} session{'s' if count > 1 else ''}",
        workload=workload,
        pair=f"hive/{pair}" if pair else None,
    )


REFERENCE: tuple[Scenario, ...] = (
    metastore(
        "read-after-commit",
        "One session changes a table at h1, another reads it at h2: never older than its list.",
        {"w1": ("h1", ONE_CHANGE), "r1": ("h2", (RO, Get(T), Get(T)))},
        counters=(marks.HIT, marks.STALE, marks.UNFINISHED),
        pair="shipped-stale-read",
    ),
    metastore(
        "own-writes",
        "A session changes a table at h1 and reads it at both, in its transaction and in the next one.",
        {"w1": ("h1", (B, Alter(T, "v1"), Get(T, "h2"), Commit(), RO, Get(T, "h2"), Get(T, "h1")))},
        properties=QUIET,
        counters=(marks.OWN_WRITE_MARKED, marks.STALE, marks.HIT),
        pair="shipped-own-write",
    ),
    metastore(
        "two-replicas-one-transaction",
        "A transaction adds one partition through h1 and one through h2: a reader sees both or neither.",
        {"w1": ("h1", (B, PutPartition(T, "d=1", "p1", "h1"), PutPartition(T, "d=2", "p2", "h2"), Commit())),
         "r1": ("h2", (RO, ListPartitions(T)))},
        counters=(marks.HIT, marks.UNFINISHED),
    ),
    metastore(
        "rename",
        "A table is renamed and another made under its name: nobody who begins afterwards is served the old one.",
        {"w1": ("h1", (B, Rename(T, U), Create(T, "n0"), Commit(), Begin((T, U), read_only=True), Get(T, "h2"),
                       Get(U, "h2")))},
        properties=QUIET,
        counters=(marks.OTHER_ID, marks.RENAMED, marks.HIT),
        pair="shipped-wrong-table",
    ),
    metastore(
        "external",
        "An external table: each replica moves forward only, and ends where the database is.",
        {"w1": ("h1", (Alter(E, "e1"), Alter(E, "e2"))), "r1": ("h2", (Get(E), Get(E)))},
        tables=EXTERNAL,
        properties=("monotonic-reads-per-replica", "convergence"),
        counters=(marks.EVENTUAL,),
    ),
    metastore(
        "prewarm",
        "A replica starts while a table changes twice: what it loaded is never set back below its tag.",
        {"w1": ("h1", (B, Alter(T, "v1"), Commit(), B, Alter(T, "v2"), Commit(), RO, Get(T, "h2")))},
        properties=QUIET,
        cold=("h2",),
        steps=("prewarm", "prewarm_tag", "prewarm_table", "alter_table", "commit_txn", "get_table", "poll"),
        counters=(marks.CONTENT_SKIPPED, marks.HIT),
        pair="design-prewarm",
    ),
    metastore(
        "cold-start-two-tables",
        "A replica starts in the middle of a transaction on two tables: it looks up the write ids it has not heard of.",
        {"w1": ("h1", (Begin((T, U)), Alter(T, "v1"), Alter(U, "u1"), Commit()))},
        properties=QUIET,
        tables=(HiveTable(T, "v0"), HiveTable(U, "u0")),
        cold=("h2",),
        steps=("prewarm", "open_txn", *STEPS),
        counters=(marks.IDS_LOOKED_UP, marks.IDS_FROM_ALLOC),
        pair="design-unless",
    ),
    metastore(
        "abort",
        "A transaction changes a table and aborts: its id is nobody's, and the cache is served again.",
        {"w1": ("h1", (B, Alter(T, "v1"), Abort())), "r1": ("h2", (RO, Get(T)))},
        properties=QUIET,
        counters=(marks.ABORT_APPLIED, marks.HIT),
        steps=("get_open_txns", "alter_table", "abort_txn", "get_table", "poll"),
    ),
    metastore(
        "replica-restart",
        "A replica dies at any event and starts again, with an empty cache.",
        {"w1": ("h1", (B, Alter(T, "v1"), Commit(), RO, Get(T, "h2"), Get(T, "h2")))},
        properties=QUIET,
        faults=FaultSpace({"poll": ("crash", "crash-after")}, 1, ("h2",)),
        counters=(marks.HIT, "fault crash"),
        steps=("alter_table", "commit_txn", "get_table", "poll"),
    ),
    metastore(
        "log-gap",
        "Events are cleaned before a replica has seen them: it notices the gap and fills its cache anew.",
        {"w1": ("h1", (Alter(E, "e1"), CleanLog(), Alter(E, "e2")))},
        tables=EXTERNAL,
        properties=("convergence",),
        counters=(marks.REBUILT,),
    ),
    metastore(
        "old-client",
        "A client that knows nothing of lists reads a managed table: an error, not an old answer.",
        {"w1": ("h1", ONE_CHANGE), "r1": ("h2", (RO, Get(T)))},
        old_clients=("r1",),
        counters=(marks.NULL_LIST,),
    ),
    metastore(
        "write-conflict",
        "Two updates of one table: the second committer is aborted, the log says so, and the caches are served again.",
        {"w1": ("h1", (B, Update(T), Alter(T, "v1"), Commit())), "w2": ("h2", (B, Update(T), Commit()))},
        properties=QUIET,
        counters=(marks.WRITE_CONFLICT, marks.ABORT_APPLIED),
        steps=("get_open_txns", "alter_table", "commit_txn", "poll"),
        pair="shipped-conflict-abort",
    ),
    metastore(
        "failover-by-design",
        "A read that falls through to the database sees an open transaction's change; the next replica lacks it.",
        {"w1": ("h1", (B, Alter(T, "v1"), Commit())), "r1": ("h1", (RO, Get(T, "h1"), Get(T, "h2")))},
        properties=("monotonic-reads",),
        pollers=("h1", "h2"),
        broken="monotonic-reads",
    ),
)  # fmt: skip

DOCUMENT: tuple[Scenario, ...] = (
    metastore(
        "design-own-write",
        "Upstream's comparison calls a cache newer that lacks the session's own write (vector 25).",
        {"w1": ("h1", ONE_CHANGE), "w2": ("h1", (B, Alter(T, "v2"), Get(T, "h2")))},
        rules=replace(FIXED, read_rule=DESIGN.read_rule),
        properties=("read-your-writes",),
        broken="read-your-writes",
        steps=("get_open_txns", "alter_table", "commit_txn", "get_table", "poll"),
        pair="own-writes",
    ),
    metastore(
        "design-prewarm",
        "Older events are applied to an entry whose tag has their successors: a committed change disappears (M13).",
        {"w1": ("h1", (B, Alter(T, "v1"), Commit(), B, Alter(T, "v2"), Commit(), RO, Get(T, "h2"), Get(T, "h2")))},
        rules=replace(FIXED, prewarm=DESIGN.prewarm),
        properties=("freshness",),
        cold=("h2",),
        steps=("prewarm", "prewarm_tag", "alter_table", "commit_txn", "get_table", "poll"),
        broken="freshness",
        pair="prewarm",
    ),
    metastore(
        "design-outdated-list",
        "A replica tags its entries with a list taken before a commit: the entry is never served again.",
        {"w1": ("h1", (*ONE_CHANGE, RO, Get(T, "h2")))},
        rules=replace(FIXED, prewarm="outdated-list"),
        properties=QUIET,
        cold=("h2",),
        steps=("prewarm_txns", "prewarm", "prewarm_table", "alter_table", "commit_txn", "get_table", "poll"),
        broken="convergence",
        pair="prewarm",
    ),
    metastore(
        "design-unless",
        'The ALLOC optimisation used "unless" the OPEN was seen: an entry is never served again (M9).',
        {"w1": ("h1", (Begin((T, U)), Alter(T, "v1"), Alter(U, "u1"), Commit()))},
        rules=replace(FIXED, write_ids=DESIGN.write_ids),
        properties=("convergence",),
        tables=(HiveTable(T, "v0"), HiveTable(U, "u0")),
        cold=("h2",),
        steps=("prewarm", *STEPS),
        broken="convergence",
        pair="cold-start-two-tables",
    ),
)  # fmt: skip

CACHED_STORE: tuple[Scenario, ...] = (
    metastore(
        "shipped-stale-read",
        "CachedStore 4.0 at h2 answers a request whose list has the change with the table before it.",
        {"w1": ("h1", ONE_CHANGE), "r1": ("h2", (RO, Get(T)))},
        rules=SHIPPED,
        properties=("freshness",),
        broken="freshness",
        pair="read-after-commit",
    ),
    metastore(
        "shipped-failover",
        "A session reads at h1, then at h2, which is behind: its reads go backwards.",
        {"w1": ("h1", ONE_CHANGE), "r1": ("h1", (RO, Get(T, "h1"), Get(T, "h2")))},
        rules=SHIPPED,
        properties=("monotonic-reads",),
        broken="monotonic-reads",
    ),
    metastore(
        "shipped-own-write",
        "A session writes at h1 and does not find its write at h2.",
        {"w1": ("h1", (B, Alter(T, "v1"), Commit(), RO, Get(T, "h2")))},
        rules=SHIPPED,
        properties=("read-your-writes",),
        broken="read-your-writes",
        pair="own-writes",
    ),
    metastore(
        "shipped-wrong-table",
        "A table is dropped and made anew; h2 serves the old one to a request that names the new one's id.",
        {"w1": ("h1", (B, Drop(T), Create(T, "n0"), Commit(), RO, Get(T, "h2")))},
        rules=SHIPPED,
        properties=("right-incarnation",),
        broken="right-incarnation",
        pair="rename",
    ),
    metastore(
        "shipped-half-a-transaction",
        "A transaction's changes went through both replicas; h2 serves one of them, and its reader's list has both.",
        {"w1": ("h1", (B, PutPartition(T, "d=1", "p1", "h1"), PutPartition(T, "d=2", "p2", "h1"), Commit())),
         "r1": ("h2", (RO, ListPartitions(T)))},
        rules=SHIPPED,
        properties=("all-or-nothing",),
        broken="all-or-nothing",
        pair="two-replicas-one-transaction",
    ),
    metastore(
        "shipped-old-client",
        "A client without lists reads a managed table at h2 and is given what there was.",
        {"w1": ("h1", ONE_CHANGE), "r1": ("h2", (RO, Get(T)))},
        rules=SHIPPED,
        old_clients=("r1",),
        properties=("freshness",),
        broken="freshness",
        pair="old-client",
    ),
    metastore(
        "shipped-replay-writes-back",
        "h2 replays an alter and writes its old value into the database, over a newer one (R1).",
        {"w1": ("h1", (Alter(E, "e1"), Alter(E, "e2"))), "r1": ("h1", (Get(E),))},
        rules=SHIPPED,
        tables=EXTERNAL,
        properties=("acknowledged-writes-survive",),
        broken="acknowledged-writes-survive",
    ),
    metastore(
        "shipped-rename-freezes",
        "The replay of a rename fails, and is tried again for ever: the cache is frozen (R2).",
        {"w1": ("h1", (Rename(E, U), Alter(U, "e1")))},
        rules=SHIPPED,
        tables=EXTERNAL,
        properties=("convergence",),
        broken="convergence",
    ),
    metastore(
        "shipped-miss-hides-partitions",
        "A table is cached on a miss, without its partitions; the next request is told that there are none (R6).",
        {"w1": ("h1", (Begin(), Create(T, "v0"), PutPartition(T, "d=1", "p1"), Commit(), RO, Get(T, "h2"),
                       ListPartitions(T, "h2")))},
        rules=SHIPPED,
        tables=(),
        properties=("freshness",),
        broken="freshness",
    ),
    metastore(
        "shipped-conflict-abort",
        "A write conflict aborts a transaction and no event says so: a synchronized cache waits for it for ever (R7).",
        {"w1": ("h1", (B, Update(T), Alter(T, "v1"), Commit())), "w2": ("h2", (B, Update(T), Commit()))},
        rules=replace(FIXED, conflict_abort_is_logged=False),
        properties=("convergence",),
        broken="convergence",
        steps=("get_open_txns", "alter_table", "commit_txn", "poll"),
        pair="write-conflict",
    ),
    metastore(
        "shipped-rename-in-two-transactions",
        "The server dies when a rename has moved the write ids and not the table: old content looks fresh (R8).",
        {"w1": ("h1", (*ONE_CHANGE, RO, Get(T, "h2"))), "w2": ("h1", (B, Rename(T, U)))},
        rules=replace(FIXED, rename_moves_write_ids_with_it=False),
        properties=("freshness",),
        broken="freshness",
        faults=FaultSpace({"rename_table": ("crash",)}, 1, ("w2",)),
        steps=("alter_table", "commit_txn", "rename_table", "get_table", "poll"),
    ),
)  # fmt: skip

HIVE: tuple[Scenario, ...] = (*REFERENCE, *DOCUMENT, *CACHED_STORE, *COMPOSITE)
