"""What Hive Metastore 4.0.1 loses in its default mode, in either, or without a cache, as the pages tell it."""

from __future__ import annotations

from sim.hive import losses_write_ids
from sim.hive.defects import DEFECTS
from sim.search.loss import SEARCHED_ON, Loss, Upstream, named

LOCKS = "tests/live/hive/test_locks.py"
STATISTICS = "tests/live/hive/test_statistics.py"
ANALYZED = "tests/live/hive/test_statistics_replays.py"
CASCADES = "tests/live/hive/test_refused_cascades.py"
CLEANING = "tests/live/hive/test_cleaning.py::test_what_was_aborted_is_listed_as_committed_once_history_is_cleaned"
FORGOTTEN = f"{LOCKS}::test_the_write_id_of_an_aborted_transaction_counts_as_committed_when_the_cleaner_has_been"
REFUSED = (
    f"{CASCADES}::test_by_default_what_was_aborted_counts_as_committed_after_a_drop_that_was_refused",
    f"{CASCADES}::test_without_a_cache_it_is_so_of_what_was_dropped_before_the_table_that_is_refused",
)
EVICTION = "tests/live/hive/test_eviction.py"
FOUND = "tests/live/hive/test_replays.py::test_violation_that_the_search_finds_is_real_and_a_matter_of_order"
TIMER = "tests/live/hive/test_timer.py::test_built_in_scenarios_break_as_in_the_simulation"
BELIEVED = "tests/live/hive/test_timer.py::test_what_the_cache_has_stands_for_what_there_is"
UPDATES = "tests/live/hive/test_locked_updates.py"
MADE_AGAIN = "tests/live/hive/test_made_again.py"
LATER, LATEST = "2026-11-25", "2026-11-26"
"""When the trackers were searched for what was found last."""
IN_DEFAULT_MODE = (
    "`metastore.rawstore.impl` CachedStore in its default mode (`metastore.cache.can.use.event` off), and two "
    "metastores. "
)
DEFAULT = f"{IN_DEFAULT_MODE}External tables and managed ones. "
BY_DATABASE = (
    "`metastore.cache.can.use.event` on, where a drop asks the database (and other losses begin); or no CachedStore. "
)
DROPS = (
    ("apache/hive#5851", "HIVE-27224: drops that are asked for and waited for in several calls (closed)"),
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
        "By default a metastore refuses to drop a table to which another one has added a partition",
        named(DEFECTS, "hive/refresh-drop-refused"),
        IN_DEFAULT_MODE
        + "External tables: of a managed one, whose files go, the database is asked for the partitions. "
        "A partition is added through one, and the table is dropped through the other one.",
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
        "An aborted write id counts as committed once history is cleaned",
        named(DEFECTS, "hive/cleaned-abort-as-shipped"),
        "Any metastore, with a cache or without one; transactional tables. House keeping is on "
        "(`metastore.housekeeping.threads.on`), as transactions need it: `AcidTxnCleanerService` is among its tasks.",
        "Certain for a transaction that has taken a write id and no lock of an insert, update or delete, and aborts: "
        "the cleaner takes it for an empty one (`TXNS` rows without `TXN_COMPONENTS`), its write id stays in "
        "`TXN_TO_WRITE_ID`, and `get_valid_write_ids` calls committed what no list of transactions has. Clients that "
        "ask for write ids first and lock later, or change metadata alone, are such; Hive's own inserts lock "
        "before they write. Certain for those, too, whose record goes before the cleaner of files has been: a "
        "`DROP DATABASE ... CASCADE` that is refused deletes it of each table that it had come to. CachedStore as by "
        "default refuses every one, where there are tables: it gives the metastore each of them twice, and the second "
        "drop of the first finds none. Hive's own client asks for one if the database has not more tables than "
        "`metastore.batch.retrieve.max`; of more it drops table by table.",
        "Lock what is written before the write id is taken, with the operation in the lock (insert, update, delete, or "
        "a dynamic partition): then something is recorded. Drop tables one by one before their database. What has "
        "become valid stays so.",
        (CLEANING, FORGOTTEN, *REFUSED),
        _upstream(
            (
                ("apache/hive#1548", "HIVE-21052: aborted before its dynamic partitions are known, so cleaned as empty "
                                     "(merged: a row is there from the lock on)"),
                ("apache/hive#2547", "HIVE-25346: write ids that are cleaned while a snapshot needs them (closed)"),
                ("apache/hive#1192", "HIVE-23780: a drop of a table fails if its records cannot be deleted (merged)"),
                ("trinodb/trino#23132", "CachedStore is why a schema is not dropped with its tables (closed)"),
            ),
            "Hive cleanEmptyAbortedAndCommittedTxns aborted transaction removed from TXNS TXN_TO_WRITE_ID write id "
            "becomes valid",
            "Hive aborted transaction dirty data visible after cleaner TXN_COMPONENTS empty aborted write id valid "
            "reader",
            "Hive drop database cascade CachedStore table not found NoSuchObjectException metastore cache",
            "Hive AcidEventListener onDropTable cleanupRecords transaction rolled back drop table failed write ids "
            "deleted",
            searched_on=LATEST,
        ),
        "In the replay the shipped functions of the cleaner are called one by one, when the schedule says so, and all "
        "transactions are made to look old; the second test leaves that to the unmodified services. HIVE-21052 is this "
        "defect where partitions are dynamic, and mends it there alone. The drop of a database is no statement of a "
        "race: its tests are live alone. All its drops are one database transaction, which the refusal takes back; "
        "`AcidEventListener.onDropTable` deletes on a connection of its own. Without a cache a drop is refused late "
        "where a materialized view of another database is made of a table, for instance.",
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
    *losses_write_ids.LOSSES,
    Loss(
        "A drop that is made again takes the table that another client has just made",
        named(DEFECTS, "hive/drop-made-again"),
        "Any metastore, with a cache or without one, external tables and managed ones, and Hive's own client as it is "
        "by default (`metastore.failure.retries` 1): `RetryingMetaStoreClient` makes every call again that got no "
        "answer, but requests for locks; none says that it is a second one.",
        "Rare: an answer has to get lost (a connection that breaks, a metastore that takes longer than "
        "`metastore.client.socket.timeout`), and another client has to make a table of that name within the second "
        "before the call is made again. Without another client the drop is told that there is no such table, a create "
        "that it exists, which is likely where answers get lost at all (`hive/create-made-again`); an alter takes "
        "another one's back that came in between (`hive/alter-made-again`).",
        "`metastore.failure.retries` 0 for clients that change tables: who gets no answer is told so, and can look.",
        (f"{MADE_AGAIN}::test_a_drop_that_is_made_again_takes_the_table_that_another_one_has_made",),
        _upstream(
            (
                ("trinodb/trino#18848", "a drop that fails because Trino's client made it again (closed)"),
                ("trinodb/trino#19731", "a drop made again that finds no table counts as done (merged)"),
                ("StarRocks/starrocks#44839", "a create made again that is refused for the table it made (merged)"),
            ),
            "RetryingMetaStoreClient retries drop_table create_table after TTransportException not idempotent "
            "AlreadyExistsException lost response",
            searched_on=LATER,
        ),
        "Live, the session that makes calls again is the model's, on a real metastore; what Hive's does was read in "
        "its bytecode.",
    ),
    Loss(
        "An update that asks for its lock by a table's old name is made without what the renamer changed",
        named(DEFECTS, "hive/shipped-update-by-old-name"),
        "Any metastore, with a cache or without one, managed tables, whatever `hive.txn.xlock.write` is. A transaction "
        "has its write id of a table; another one locks the table exclusively, renames it, updates its rows and "
        "commits; then the first one asks for its lock, by the name that the table had.",
        "Rare in Hive, which asks for a statement's lock right after its write ids. The lock is granted, for nobody "
        "has one of that name, and a request for a lock names no table's id; `get_latest_txnid_in_conflict` compares "
        "names, and says that there is no conflict. The write id, which followed the table to its new name, is "
        "committed. With `hive.txn.xlock.write` false the commit is checked, by the old name, and both commit "
        "(`hive/shipped-update-by-old-name-checked`).",
        "Rename a table while nobody updates it. A client that looks for the table under its name again when it has "
        "the lock, and compares ids, is not outdated unseen.",
        (f"{UPDATES}::test_an_update_by_a_name_that_nobody_has_any_more_is_granted_its_lock_and_commits"
         "[shipped-update-by-old-name]",),
        _upstream(
            (
                ("apache/hive#3022", "HIVE-25956: renames of transactional tables that block nobody (merged)"),
                ("apache/hive#1520", "HIVE-24193: a rename that did not take along what was committed (merged)"),
                ("apache/iceberg-go#1442", "renames that lock the table and look at it again then (merged)"),
            ),
            "Hive ACID alter table rename concurrent update lock acquired by old table name write id onRename "
            "TXN_COMPONENTS lost update",
            "HIVE rename table while query compiled before lock acquired snapshot outdated recompile table not found "
            "DriverTxnHandler",
            searched_on=LATER,
        ),
        "Live, both sessions are the model's, on a real metastore. What Hive's own statement does then with the files "
        "of a table that it knows by its old name was not run.",
    ),
    Loss(
        "A late request for a lock: nobody gets the lock of that table any more",
        named(DEFECTS, "hive/shipped-late-lock"),
        "Any metastore, with a cache or without one. A request for a lock of a transaction reaches the metastore when "
        "that transaction has committed.",
        "Rare: it takes a request that was slow, and a client that asks again when it got no answer, gets its lock, "
        "and commits; then the first request arrives. Trino's client asks again; Hive's own makes every other call "
        "again (`metastore.failure.retries`), and not this one (`RetrySemantics.CannotRetry`). "
        "`EnsureValidTxnFunction` refuses it to a transaction that was aborted, or is forgotten, and lets one pass "
        "whose row says committed; those rows stay for a while since 4.0.",
        "Nothing that a client can say: `unlock` is refused (a lock of a transaction), `abort_txn`, `heartbeat` and "
        "`check_lock` find no such transaction, and only open transactions time out. Delete the rows of that lock from "
        "`HIVE_LOCKS` by hand; `show_locks` names its transaction, which `show transactions` does not.",
        (
            "tests/live/hive/test_session_locks.py"
            "::test_a_late_request_for_a_lock_is_granted_to_a_transaction_that_has_committed",
            f"{LOCKS}::test_locks_of_a_transaction_that_has_committed_stay_for_ever",
        ),
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
)  # fmt: skip
