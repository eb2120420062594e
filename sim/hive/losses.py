"""The losses and freezes of Hive Metastore 4.0.1, as their pages tell them; those of Impala's daemon come last."""

from __future__ import annotations

from sim.hive import losses_impala
from sim.hive.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

REPLAYS = "tests/live/hive/test_replays.py"
LOCKS = "tests/live/hive/test_locks.py"
STATISTICS = "tests/live/hive/test_statistics.py"
ANALYZED = "tests/live/hive/test_statistics_replays.py"
EVICTION = "tests/live/hive/test_eviction.py"
FOUND = f"{REPLAYS}::test_violation_that_the_search_finds_is_real_and_a_matter_of_order"
EVENTS = (
    "`metastore.rawstore.impl` CachedStore and `metastore.cache.can.use.event` on (off by default: then the cache is "
    "read anew by a timer, follows no log, and none of this happens). "
)
MANAGED = "Of external tables and of managed ones: the replay looks at neither."
ADVICE = (
    "No events for the cache (`metastore.cache.can.use.event` off), or no CachedStore. "
    "A restart of the metastore makes its cache anew; what was written over stays so."
)
REPLAYED = (
    ("apache/hive#3557", "HIVE-26504: the change by which the replay of an alter writes the database (merged)"),
    ("apache/hive#479", "HIVE-18661: events for the cache, as they were made (closed)"),
)
RENAMES = (*REPLAYED, ("apache/doris#65750", "renames in Doris' own cache of metastore events (open)"))
REPLAY_WORDS = (
    "CachedStore updateStatsForAlterTable rawStore.alterTable notification event",
    "CachedStore metastore.cache.can.use.event alter table notification stale cache",
)
RENAME_WORDS = (
    "CachedStore rename table cache update event replay fails doesn't exist lastEventId retried",
    "CachedStore alter table rename partition column statistics",
)


def _upstream(nearest: tuple[tuple[str, str], ...], *words: str) -> Upstream:
    return Upstream("", nearest, words)


LOSSES: tuple[Loss, ...] = (
    Loss(
        "A replayed alter writes an older state over a newer one",
        named(DEFECTS, "hive/shipped-replay-writes-back"),
        EVENTS + MANAGED,
        "Certain with two metastores: each alter is written to the database again by every other one, when it polls. "
        "The older state is there until the newer alter is replayed, too; for good, if that metastore stops between.",
        ADVICE,
        (f"{FOUND}[shipped-replay-writes-back]",),
        _upstream(REPLAYED, *REPLAY_WORDS),
    ),
    Loss(
        "A batch of events reverts every later change, for ever",
        named(DEFECTS, "hive/shipped-batch-reverts"),
        EVENTS + "A rename between two alters is enough for a batch that fails.",
        "Likely once a table is renamed: the replay of any rename fails, the position stays before its batch, and at "
        "every poll and after every write the alters before it are written to the database again.",
        ADVICE + " Until then no rename, or a restart of every other metastore after each.",
        (f"{FOUND}[shipped-batch-reverts]",),
        _upstream(RENAMES, *REPLAY_WORDS, *RENAME_WORDS),
        "On two live metastores 31 such writes were counted while two later alters were acknowledged.",
    ),
    Loss(
        "A replayed rename takes another table's name and content",
        named(DEFECTS, "hive/shipped-rename-takes-another"),
        EVENTS + "A table is renamed, and another one is made under its old name before the others poll.",
        "Likely where tables are swapped by renames: that is what it is, within one interval of the update.",
        ADVICE + " No new table under the name of a renamed one.",
        (f"{FOUND}[shipped-rename-takes-another]",),
        _upstream(RENAMES, *RENAME_WORDS),
    ),
    Loss(
        "Alter, drop, create: dead content is written into the new table",
        named(DEFECTS, "hive/shipped-dead-content"),
        EVENTS + "A table is altered, dropped and made anew between two polls of another metastore.",
        "Likely for jobs that drop and make their tables anew: an alter within the same interval is enough.",
        ADVICE,
        (f"{FOUND}[shipped-dead-content]",),
        _upstream(REPLAYED, *REPLAY_WORDS),
    ),
    Loss(
        "Alter, drop: a replica's cache is frozen",
        named(DEFECTS, "hive/shipped-drop-freezes"),
        EVENTS + "A table is altered and dropped between two polls of another metastore.",
        "Likely: tables that live for seconds are such. The replay of the alter finds no table, the batch is tried "
        "again for ever, and nothing later reaches that cache.",
        ADVICE,
        (f"{FOUND}[shipped-drop-freezes]",),
        _upstream(REPLAYED, *REPLAY_WORDS),
    ),
    Loss(
        "Drop and re-create of a partitioned table: a metastore hangs for its writers",
        named(DEFECTS, "hive/shipped-drop-hangs"),
        EVENTS + "A partitioned table is dropped and made anew, with a partition, before another metastore follows the "
        "drop.",
        "Likely for jobs that drop and load their partitioned tables anew within one interval of the update. The "
        "replay of the drop goes on until the database has no partitions of that name, and the new table has some. It "
        "holds the lock of the class, for which every change and every new connection waits.",
        "No events for the cache (`metastore.cache.can.use.event` off), or no CachedStore. The metastore has to be "
        "killed: one thread runs in `getPartitionLocations` under `updateUsingNotificationEvents`. A change that got "
        "no answer is made all the same: look before it is tried again.",
        (f"{FOUND}[shipped-drop-hangs]",),
        _upstream(
            (
                ("apache/hive#479", "HIVE-18661: events for the cache, as they were made (closed)"),
                ("apache/hive#5851", "HIVE-27224: a drop that a client waits for without a limit (closed)"),
            ),
            "metastore CachedStore DROP_TABLE event infinite loop getPartitionLocations hang",
        ),
        "Simulated and replayed is the change that meets the drop first. That new connections wait as well was seen on "
        "two live metastores, and is not simulated.",
    ),
    Loss(
        "A rename freezes the caches of all other metastores",
        named(DEFECTS, "hive/shipped-rename-freezes"),
        EVENTS + "Any table is renamed.",
        "Certain with the first rename: its replay looks for the old name, which is gone, for ever.",
        ADVICE,
        (f"{REPLAYS}::test_rename_freezes_the_caches_for_good",),
        _upstream(RENAMES, *RENAME_WORDS),
    ),
    Loss(
        "A rename freezes the cache of the only metastore",
        named(DEFECTS, "hive/shipped-rename-freezes-writer"),
        EVENTS + "One metastore alone, and any table is renamed.",
        "Certain with the first rename: its own cache replays it as well.",
        ADVICE,
        (f"{REPLAYS}::test_rename_freezes_the_only_metastore",),
        _upstream(RENAMES, *RENAME_WORDS),
    ),
    Loss(
        "An analyzed table that is altered: the metastore takes every later alter of it back",
        named(DEFECTS, "hive/shipped-analyzed-reverts"),
        EVENTS + "One metastore is enough, and one client. A table without partitions has statistics of a column, and "
        "is altered. " + MANAGED,
        "Certain. The replay of an alter asks the database for the table's statistics of columns, and reads them with "
        "a time limit that was never begun (`Deadline.checkTimeout`: \"Should execute startTimer() method before "
        "checkTimeout\"): it fails if there are some, after it has written the alter to the database again. So the "
        "position stays before its batch, nothing that comes later reaches the cache, and at every poll and after "
        "every write through that metastore the same alter is written over newer ones.",
        ADVICE + " Until then no statistics of columns of tables without partitions (`hive.stats.column.autogather`).",
        (
            f"{ANALYZED}::test_what_the_search_finds_happens_live[shipped-analyzed-reverts]",
            f"{ANALYZED}::test_one_analyzed_table_that_is_altered_stops_every_cache",
        ),
        _upstream(
            (
                ("apache/hive#3557", "HIVE-26504: the change by which a replay reads statistics (merged)"),
                ("apache/hive#479", "HIVE-18661: events for the cache, as they were made (closed)"),
            ),
            "CachedStore Should execute startTimer() method before checkTimeout cache update failed",
            "CachedStore updateStatsForAlterTable getTableColumnStatistics Deadline notification event",
        ),
    ),
    Loss(
        "A full cache: a table that is evicted and read again has no partitions",
        named(DEFECTS, "hive/evicted-partitions"),
        "`metastore.rawstore.impl` CachedStore, in either mode, and more tables than fit into "
        "`metastore.cached.rawstore.max.cache.memory` (1 GB by default, which is split into four parts by the tables' "
        "names; what is read last stays). One metastore is enough, and no writer.",
        "Certain once the cache is full: every read of a table that was evicted makes an entry without partitions, and "
        "lists of them are answered from it: none. Without events (`metastore.cache.can.use.event` off, the default) "
        "until the next refresh, 60 s at most; with events for ever, but for partitions that change later. A query of "
        "such a table finds no rows, and is told of no error.",
        "More memory for the cache than all tables and partitions need, or no limit (a negative value), or no cache.",
        (f"{FOUND}[evicted-partitions]", f"{EVICTION}::test_tables_that_do_not_fit_have_no_partitions[by default]"),
        _upstream(
            (("apache/hive#662", "the cache's eviction by what was read last, as it was made (closed)"),),
            "CachedStore eviction max cache memory partitions missing after table evicted getTable addTableToCache",
            "metastore.cached.rawstore.max.cache.memory partitions empty list_partitions evicted table",
        ),
        "In the replay the table is taken out of the live cache by us, as Guava does it. The other test leaves that to "
        "the unmodified CachedStore: 20 tables of three partitions each and a limit of 50 kB.",
    ),
    Loss(
        "A metastore keeps the first statistics of a table that it was told of, and calls them accurate",
        named(DEFECTS, "hive/refresh-statistics-stay"),
        "`metastore.rawstore.impl` CachedStore in its default mode (`metastore.cache.can.use.event` off), and two "
        "metastores through which tables are analyzed. External tables and managed ones.",
        "Certain where tables are analyzed through more than one metastore: a refresh reads statistics of tables "
        "without partition keys only, and a table of the database always has a list of keys, if an empty one. The "
        "metastore answers with 10 as the highest value where 20 was analyzed, and its parameters call that accurate: "
        "who takes `max` from there, as Hive may with `hive.compute.query.using.stats`, is wrong. A metastore through "
        "which nobody analyzed the table says that there are none.",
        "Analyze a table through one metastore, and read it there; or no CachedStore. A restart drops all statistics "
        "of that cache, and its metastore then has none.",
        (
            f"{STATISTICS}::test_a_metastores_own_first_statistics_stay_whatever_is_analyzed_elsewhere",
            f"{ANALYZED}::test_what_the_search_finds_happens_live[refresh-statistics-stay]",
        ),
        _upstream(
            (
                ("apache/hive#1186", "HIVE-23768: a refresh takes statistics of partitions out of the cache (merged)"),
                ("apache/hive#514", "HIVE-21063: statistics of transactional tables in CachedStore (closed)"),
            ),
            "CachedStore column statistics stale after analyze on another metastore updateTableColStats partition keys",
            "CachedStore prewarm table column statistics not cached getTableColumnStatistics returns null",
        ),
        "The first live test has two unmodified metastores, whose refreshes come when they come.",
    ),
    Loss(
        "Statistics of a transaction that was aborted are told to everybody, as long as a refresh has undone the rest",
        named(DEFECTS, "hive/refresh-statistics-aborted"),
        "`metastore.rawstore.impl` CachedStore in its default mode (`metastore.cache.can.use.event` off); one "
        "metastore is enough. Managed tables; of external ones everybody is told in any case.",
        "Rare: a table is analyzed between the moment at which a refresh looks whether the cache was changed and that "
        "at which it puts the tables in place. The table that it puts there has no write id yet, the cache keeps its "
        "statistics, and of a table without a write id everybody may use them (`isCurrentStatsValidForTheQuery`), "
        "also if their transaction is open or was aborted. It lasts until the next refresh, 60 s as by default.",
        "Analyze again, or wait for the next refresh; or no CachedStore.",
        (f"{ANALYZED}::test_what_the_search_finds_happens_live[refresh-statistics-aborted]",),
        _upstream(
            (("apache/hive#514", "HIVE-21063: statistics of transactional tables in CachedStore (closed)"),),
            "CachedStore getTableColumnStatistics aborted transaction isStatsCompliant write id refresh",
            "CachedStore refreshTablesInCache write id column statistics stale valid write id list",
        ),
    ),
    Loss(
        "Statistics of partitions are told to everybody, also those of transactions that were aborted",
        named(DEFECTS, "hive/refresh-partition-statistics"),
        "`metastore.rawstore.impl` CachedStore, in its default mode or with `metastore.cache.can.use.event` on. "
        "Partitions of managed tables: of others everybody is told in any case.",
        "Certain where a partition is analyzed by a transaction that is aborted, or is still open. Before it looks at "
        "a list the cache asks whether the table has write ids, and asks the parameters of the table's files in place "
        "of the table's (`TableWrapper.getParameters`): so it never looks. The answer is called usable, and the "
        "statistics are those that a database without cache leaves out.",
        "Analyze the partition again; or no CachedStore.",
        (
            f"{ANALYZED}::test_what_the_search_finds_happens_live[refresh-partition-statistics]",
            f"{ANALYZED}::test_what_the_search_finds_happens_live[shipped-partition-statistics]",
            f"{STATISTICS}::test_who_starts_later_has_no_statistics_and_a_plain_metastore_has_them",
        ),
        _upstream(
            (("apache/hive#514", "HIVE-21063: statistics of transactional tables in CachedStore (closed)"),),
            "CachedStore getPartColStatsList isTransactionalTable getParameters partition statistics compliant",
            "CachedStore partition column statistics aborted transaction isStatsCompliant valid write id list",
        ),
    ),
    Loss(
        "A late request for a lock: nobody gets the lock of that table any more",
        named(DEFECTS, "hive/shipped-late-lock"),
        "Any metastore, with a cache or without one. A request for a lock of a transaction reaches the metastore when "
        "that transaction has committed.",
        "Rare: it takes a request that was slow. A client that got no answer asks again "
        "(`hive.metastore.failure.retries`, 1 by default), gets its lock, commits; then the first request arrives. "
        "`EnsureValidTxnFunction` refuses it to a transaction that was aborted, or is forgotten, and lets one pass "
        "whose row says committed; those rows stay for a while since 4.0.",
        "Nothing that a client can say: `unlock` is refused (a lock of a transaction), `abort_txn`, `heartbeat` and "
        "`check_lock` find no such transaction, and only open transactions time out. Delete the rows of that lock from "
        "`HIVE_LOCKS` by hand; `show_locks` names its transaction, which `show transactions` does not.",
        (f"{LOCKS}::test_locks_of_a_transaction_that_has_committed_stay_for_ever",),
        _upstream(
            (
                ("trinodb/trino#11798", "locks of cancelled queries that wait for ever, taken away by a script (open)"),
                ("apache/iceberg#2301", "a lock that stays when its client is killed: until it times out (closed)"),
            ),
            "Hive metastore lock() on committed transaction EnsureValidTxnFunction stale lock HIVE_LOCKS never "
            "released committed txn",
            "HIVE_LOCKS orphan lock remains after transaction committed cannot unlock",
        ),
        "The live test waits for three time-outs and for the cleaner that forgets the transaction: the lock stays.",
    ),
    *losses_impala.LOSSES,
)  # fmt: skip
