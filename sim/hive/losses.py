"""The losses and freezes of Hive Metastore 4.0.1, as their pages tell them; those of Impala's daemon come last."""

from __future__ import annotations

from sim.hive import losses_impala
from sim.hive.defects import DEFECTS
from sim.search.loss import SEARCHED_ON, Loss, Upstream, named

REPLAYS = "tests/live/hive/test_replays.py"
LOCKS = "tests/live/hive/test_locks.py"
STATISTICS = "tests/live/hive/test_statistics.py"
EVICTION = "tests/live/hive/test_eviction.py"
PREWARM = "tests/live/hive/test_prewarm.py"
TIMER = "tests/live/hive/test_timer.py::test_built_in_scenarios_break_as_in_the_simulation"
BELIEVED = "tests/live/hive/test_timer.py::test_what_the_cache_has_stands_for_what_there_is"
LATER = "2026-11-25"
"""When the trackers were searched for what was found last."""
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


DEFAULT = (
    "`metastore.rawstore.impl` CachedStore in its default mode (`metastore.cache.can.use.event` off), and two "
    "metastores. External tables and managed ones. "
)
BY_DATABASE = (
    "`metastore.cache.can.use.event` on, where a drop asks the database (and other losses begin); or no CachedStore. "
)
DROPS = (
    ("apache/hive#5851", "HIVE-27224: drops of tables and partitions in one call (closed)"),
    ("trinodb/trino#14204", "partitions of a dropped table that stay in Trino's own cache (closed)"),
)
DROP_WORDS = (
    "CachedStore drop table fails foreign key PARTITIONS_FK1 partitions added on another metastore stale cache",
    "Hive metastore CachedStore drop_table of table already dropped by another metastore duplicate DROP_TABLE event",
)


def _upstream(nearest: tuple[tuple[str, str], ...], *words: str, searched_on: str = SEARCHED_ON) -> Upstream:
    return Upstream("", nearest, words, searched_on)


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
        "A restart makes the loss by a replayed alter last",
        named(DEFECTS, "hive/shipped-restarted"),
        EVENTS + MANAGED,
        "Rare: a metastore is restarted when it has replayed an alter, and not the one after it. Rolling restarts "
        "under load are such. 4.0.1 keeps no position in the log: the next process reads the database, follows the log "
        "from where it is then, and never replays the later alter, which would have written it back.",
        "No events for the cache (`metastore.cache.can.use.event` off), or no CachedStore. No alters while a metastore "
        "is restarted; what was lost has to be altered again.",
        (f"{PREWARM}::test_a_restart_makes_the_loss_by_a_replay_last",),
        _upstream(REPLAYED, *REPLAY_WORDS),
        "Live, the cache is made as at the start of a process, at the gate; the process goes on.",
    ),
    Loss(
        "A prewarm that meets a dropped table is begun again, and keeps what was dropped since",
        named(DEFECTS, "hive/shipped-prewarm-phantom"),
        EVENTS + "Two tables are dropped while another metastore fills its cache. External tables and managed ones.",
        "Rare: it takes a metastore that starts, and two drops in its prewarm, which takes minutes where there are "
        "many tables. `CachedStore.prewarm` has read the names; the table that is gone by then ends it with an "
        "exception, and the update thread begins it again, from a later position, beside what it had loaded.",
        "A restart of the metastore while nobody drops tables. Until then its readers see a table that nobody has, "
        "and nobody can make one of its name there.",
        (f"{PREWARM}::test_a_prewarm_that_is_begun_again_keeps_what_is_gone",),
        _upstream(
            (
                ("apache/hive#6785", "HIVE-30053: a prewarm by several threads (merged)"),
                ("apache/hive#662", "the cache's eviction by what was read last, and its prewarm (closed)"),
            ),
            "CachedStore prewarm fails table dropped during prewarm NoSuchObjectException null table cache phantom",
            searched_on=LATER,
        ),
    ),
    Loss(
        "By default a metastore refuses to drop a table to which another one has added a partition",
        named(DEFECTS, "hive/refresh-drop-refused"),
        DEFAULT + "A partition is added through one, and the table is dropped through the other one.",
        "Certain within one interval of the refresh (60 s by default), for partitioned tables: the drop deletes the "
        "partitions that its cache lists, and the database holds on to the others (`PARTITIONS_FK1`). It is tried ten "
        "times, for 20 s, and the client is told of a MetaException. The first refusal takes the table out of the "
        "cache; the next look brings it back without partitions, and the drop is refused again.",
        BY_DATABASE + "Drop it through the metastore that has added the partition, or try again after a refresh.",
        (f"{TIMER}[refresh-drop-refused]", BELIEVED),
        _upstream(DROPS, DROP_WORDS[0], searched_on=LATER),
        "Nothing is deleted by the drop that is refused. Changes of partitions believe the cache, too: one that it "
        "alone has can be dropped once more, and neither added, altered nor renamed.",
    ),
    Loss(
        "By default a table is dropped once more, and that is acknowledged and logged",
        named(DEFECTS, "hive/refresh-drop-twice"),
        DEFAULT + "A table is dropped through both of them.",
        "Certain within one interval of the refresh (60 s by default), if two clients drop a table: both are told that "
        "they did it. Who takes turns by that (who drops it may go on) has two winners, and who follows the log is "
        "told of two drops.",
        BY_DATABASE + "Do not take the answer of a drop for a claim.",
        (f"{TIMER}[refresh-drop-twice]", BELIEVED),
        _upstream(DROPS, DROP_WORDS[1], searched_on=LATER),
        "If another table has been made under the name in between, that is what the second drop drops; unless it has "
        "partitions, then it is refused.",
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
        (f"{STATISTICS}::test_a_metastores_own_first_statistics_stay_whatever_is_analyzed_elsewhere",),
        _upstream(
            (
                ("apache/hive#1186", "HIVE-23768: a refresh takes statistics of partitions out of the cache (merged)"),
                ("apache/hive#514", "HIVE-21063: statistics of transactional tables in CachedStore (closed)"),
            ),
            "CachedStore column statistics stale after analyze on another metastore updateTableColStats partition keys",
            "CachedStore prewarm table column statistics not cached getTableColumnStatistics returns null",
        ),
        "Simulated without gates: no call of statistics is held live. The live test has two unmodified metastores, "
        "whose refreshes come when they come.",
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
