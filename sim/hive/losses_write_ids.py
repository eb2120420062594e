"""What Hive Metastore 4.0.1 loses of write ids, with a cache or without one, as the pages tell it."""

from __future__ import annotations

from sim.hive.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

UNLISTED = "tests/live/hive/test_locks.py::test_acknowledged_inserts_are_in_no_list_when_the_house_keeper_has_been"
FOUND = "tests/live/hive/test_database_renames.py::test_what_the_search_finds_happens_live"
REFUSED = "tests/live/hive/test_databases.py::test_what_is_refused"
HISTORY = "tests/live/hive/test_history.py::test_upstreams_tests_and_who_begins_while_an_insert_commits"
OPENS = "tests/live/hive/test_slow_opens.py"
SEARCHED_ON = "2026-11-25"

LOSSES: tuple[Loss, ...] = (
    Loss(
        "Acknowledged rows are in no list once history is cleaned",
        named(DEFECTS, "hive/cleaned-higher-id-as-shipped"),
        "Any metastore, with a cache or without one; transactional tables, house keeping on "
        "(`metastore.housekeeping.threads.on`), as transactions need it.",
        "Likely where inserts into one table overlap and one fails: write ids are given in the order in which they are "
        "asked for, not in that of transactions. If the later transaction has the lower id and aborts, the house "
        "keeper deletes what `TXN_TO_WRITE_ID` says of the earlier one, which has committed, and keeps the aborted one "
        "until its files are compacted. `get_valid_write_ids` then ends the list with the highest id that is left: the "
        "committed one is above it. Whoever begins from then on does not read those rows, those who have read them "
        "do not any more, until another write id of the table is given.",
        "Write to the table again, or compact it. An alarm for lists that end below `NEXT_WRITE_ID` finds it.",
        (f"{FOUND}[cleaned-higher-id-as-shipped]", UNLISTED),
        Upstream(
            "",
            (("apache/hive#2547", "HIVE-25346: write ids that are cleaned while a snapshot needs them (closed)"),),
            (
                "HIVE TXN_TO_WRITE_ID cleanup getValidWriteIds high watermark committed write id missing data not "
                "visible",
            ),
            SEARCHED_ON,
        ),
        "The second test leaves cleaning to the unmodified services, and inserts lock as Hive's do.",
    ),
    Loss(
        "A reader sees half of an insert when history is cleaned without MIN_HISTORY_LEVEL",
        named(DEFECTS, "hive/insert-overtaken-as-shipped"),
        "Any metastore, with a cache or without one, with `metastore.txn.use.minhistorylevel` off (it is on by "
        "default; off, too, where the table `MIN_HISTORY_LEVEL` is gone); transactional tables, house keeping on.",
        "Rare: a reader has to begin in the few statements between the look of `CommitTxnFunction` at the highest "
        "transaction, which an insert's commit takes without a lock, and the end of that commit; the house keeper has "
        "to clean while it reads. `WRITE_SET` then says that the insert was committed before the reader began: "
        "`performWriteSetGC` deletes it, and `CleanTxnToWriteIdTableFunction` the write ids of its transaction, which "
        "count as committed where nothing is known of them. Lists that the reader has taken before lack the insert, "
        "those of other tables that it takes afterwards have it: an engine that asks table by table sees half of what "
        "one transaction has written. Hive asks for all tables of a query at once; its lists then have a transaction "
        "that its snapshot lacks.",
        "Leave `metastore.txn.use.minhistorylevel` on. The lock that commits of updates take "
        "(`AcquireTxnLockFunction`) would help, or a cleaner that counts an insert as committed when it first sees it "
        "(simulated).",
        (f"{HISTORY}[no-min-history]",),
        Upstream(
            "",
            (
                ("apache/hive#2716", "HIVE-25346: since then `WRITE_SET` has inserts, for the cleaner (merged)"),
                ("apache/hive#2547", "HIVE-25346: write ids that are cleaned while a snapshot needs them (closed)"),
            ),
            (
                "HIVE metastore.txn.use.minhistorylevel false WRITE_SET insert commit id TXN_TO_WRITE_ID cleanup "
                "snapshot isolation reader",
                "Hive MIN_HISTORY_LEVEL removed WRITE_SET insert commitTxn highWaterMark without lock race "
                "cleanTxnToWriteIdTable",
            ),
            "2026-11-26",
        ),
        "Live, the commit stands still in a trigger on `COMPLETED_TXN_COMPONENTS`, after its look; the house keeper's "
        "own code cleans when it is told to.",
    ),
    Loss(
        "Rows are read before they are committed when the commit of an open was slow",
        named(DEFECTS, "hive/slow-open-as-shipped"),
        "Any metastore, with a cache or without one, on any database; transactional tables.",
        "Rare: the commit of one `open_txns`, or its metastore between the look at the clock and that commit, stands "
        "still for longer than `metastore.txn.opentxn.timeout` (1 s): a database that fails over or syncs slowly, a "
        "pause of the JVM. `TxnHandler.openTxns` is to notice that, for snapshots pass over ids that are missing for "
        "that long. Since HIVE-27481 (4.0.0) its transaction is committed by whoever calls it, after the look; before, "
        "it was committed first. Whoever has taken a snapshot meanwhile reads what the transaction writes, whether or "
        "not it commits: dirty reads, and rows of aborts in whatever is computed of them.",
        "A longer `metastore.txn.opentxn.timeout`, which makes snapshots wait for ids that were rolled back, too. An "
        "alarm for commits of the metastore's database that take that long; what was read meanwhile has to be read "
        "again.",
        (f"{OPENS}::test_who_stands_still_at_the_commit_of_an_open_is_read_before_it_has_committed[at the commit]",),
        Upstream(
            "",
            (
                ("apache/hive#4566", "HIVE-27481: the change by which the look comes before the commit (merged)"),
                ("apache/hive#1592", "HIVE-24291: which ids the cleaner may count on as taken (merged)"),
            ),
            (
                "Hive TxnHandler openTxns OpenTxnTimeOut exceeded commit duration deleting transactionIds "
                "createSavepoint transaction committed after check dirty read",
                "HIVE metastore.txn.opentxn.timeout openTxns slow commit gap snapshot dirty read TXNS sequence",
            ),
            SEARCHED_ON,
        ),
        "Live, the database stands still at the commit by a deferred trigger; an open that stands still before the "
        "look at the clock is made again, under another id.",
    ),
    Loss(
        "Rows are read before they are committed by whoever had to wait for an open",
        named(DEFECTS, "hive/late-open-as-shipped"),
        "Any metastore, with a cache or without one, on PostgreSQL; transactional tables.",
        "Rare: an open waits for longer than `metastore.txn.opentxn.timeout` (1 s) between the begin of its database "
        "transaction and its insert into `TXNS`, for `TXN_LOCK_TBL`, which a commit of updates holds to its end, and "
        "at that moment another one has its id and has not committed. `TXN_STARTED` is `current_timestamp`, in "
        "PostgreSQL the begin of the database transaction: the reader's row seems old at once, and its snapshot calls "
        "the missing id below it committed. All who have waited for that lock go on at the same moment.",
        "A longer `metastore.txn.opentxn.timeout`. An alarm for commits that hold `TXN_LOCK_TBL` that long; what was "
        "read by those who waited has to be read again.",
        (
            f"{OPENS}::test_who_stands_still_before_he_gets_his_id_overlooks_who_is_about_to_commit_an_open"
            "[at the commit]",
        ),
        Upstream(
            "",
            (("apache/hive#1592", "HIVE-24291: which ids the cleaner may count on as taken (merged)"),),
            (
                "HIVE metastore.txn.opentxn.timeout openTxns slow commit gap snapshot dirty read TXNS sequence",
                "Hive metastore PostgreSQL TXN_STARTED current_timestamp transaction start getEpochFn open txn gap",
            ),
            SEARCHED_ON,
        ),
        "Live, the reader waits in a trigger before its insert; that the wait is one for the lock was not played.",
    ),
    Loss(
        "A database that is to get another name keeps it, and loses its tables' write ids",
        named(DEFECTS, "hive/database-renamed-unlisted"),
        "Any metastore, with a cache or without one; transactional tables.",
        "Certain, at the first request that has another name and another owner, or other parameters: `alter_database` "
        "acknowledges it (if it has a name alone, too, and nothing else happens). "
        "`ObjectStore.alterDatabase` leaves the name as it is; then `AcidEventListener.onAlterDatabase` moves write "
        "ids, locks and what was changed of all its tables to the name that no database has. HiveQL has no such "
        "statement; Thrift clients and catalogs of other engines can ask for it. Every reader's list is empty from "
        "then on. The next writer gets write id 1 again (`hive/database-renamed-as-shipped`), and writes where rows "
        "are already. A lock that is held keeps nobody out any more (`hive/locks-database-renamed-as-shipped`), and "
        "whoever has had his write id before, and locks afterwards, is not told of what was committed meanwhile: an "
        "acknowledged update of rows is lost, without `hive.txn.xlock.write`, too "
        "(`hive/updates-database-renamed-as-shipped`, `hive/updates-database-renamed-checked-as-shipped`). A "
        "synchronized cache answers with what it had first (`hive/database-renamed-synchronized`, "
        "simulated). Caches know it by the new name alone then: where they follow events, all of them, until they are "
        "started anew; by default, that of the metastore that was asked, until its timer goes off. No table "
        "of it can be made, altered or renamed there, nor, by default, dropped (`hive/refresh-database-renamed`), and "
        "`get_database` finds none; a partition that is added or dropped there is refused, and the cache has dropped "
        "it all the same.",
        "Refuse such requests in front of the metastore. Asking for the old name from the new one does not help, for "
        "no database has it: `NEXT_WRITE_ID`, `TXN_TO_WRITE_ID` and the other tables of transactions have to be set "
        "back by hand before anybody writes. Metastores whose caches follow events have to be started anew.",
        (
            f"{FOUND}[database-renamed-unlisted]",
            f"{FOUND}[database-renamed-as-shipped]",
            f"{FOUND}[locks-database-renamed-as-shipped]",
            f"{FOUND}[updates-database-renamed-as-shipped]",
            f"{FOUND}[updates-database-renamed-checked-as-shipped]",
            f"{REFUSED}[event]",
            f"{REFUSED}[default]",
        ),
        Upstream(
            "",
            (("apache/hive#1520", "HIVE-24193: a renamed transactional table shows no rows (merged)"),),
            ("Hive alter_database rename onRename AcidEventListener write ids NEXT_WRITE_ID database renamed",),
            SEARCHED_ON,
        ),
    ),
)
