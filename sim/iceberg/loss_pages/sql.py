"""The losses of Iceberg 1.11.0 with Spark SQL beyond INSERT, UPDATE and DELETE of a row, as their pages tell them."""

from __future__ import annotations

from sim.iceberg.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

FOUND = "tests/live/iceberg/test_found_schedules.py::test_found_violation_is_real"
SEARCHED_ON = "2026-11-25"

SQL_LOSSES: tuple[Loss, ...] = (
    Loss(
        "Two MERGEs that only insert bring one key twice, at any isolation level",
        named(DEFECTS, "iceberg/merge-missing-serializable"),
        "Any catalog, with `write.merge.isolation-level` serializable, which is the default; `MERGE INTO ... WHEN NOT "
        "MATCHED THEN INSERT` without a `WHEN MATCHED`, as jobs write it that take only new keys. The mode does not "
        "matter.",
        "Likely wherever two such jobs take the same keys: a job that is started twice, or again while its first try "
        "still runs. The window is as long as the query. No fault, no error, both are told that they succeeded.",
        "Give the statement a `WHEN MATCHED`, if it only sets a column to what it is: it is then validated as a MERGE "
        "(`iceberg/merge-merge-serializable`), and refused if anything was added to the table meanwhile. Afterwards: "
        "look for keys that are there more than once.",
        (
            f"{FOUND}[iceberg/merge-missing-serializable]",
            "tests/live/iceberg/test_sql_statements.py::"
            "test_a_merge_that_only_inserts_sees_what_was_committed_before_its_scan",
        ),
        Upstream(
            "apache/iceberg#12653",
            (
                ("apache/iceberg#13091", "a MERGE is validated by the whole table, whatever it is about (closed)"),
                ("trinodb/trino#31072", "two MERGEs insert one key in Trino, whose filter is too narrow (open)"),
            ),
            ("concurrent MERGE INTO duplicate rows same key insert snapshot isolation",),
            SEARCHED_ON,
        ),
        "Spark's `RewriteMergeIntoTable` makes an append of an anti-join of it, and `SparkWrite.BatchAppend` validates "
        "nothing: the isolation level is not even read. The issue tells of any MERGE that finds no match; with a `WHEN "
        "MATCHED` that holds under snapshot isolation alone (`iceberg/merge-merge-snapshot`), for 1.11.0 validates "
        "the row delta, or the overwrite, also if it only adds.",
    ),
    Loss(
        "A MERGE inserts a key that was committed before it was sent",
        named(DEFECTS, "iceberg/merge-missing-cached"),
        "Any catalog in Spark with `cache-enabled`, which is the default; `write.merge.isolation-level` serializable, "
        "which is the default, too; `MERGE INTO ... WHEN NOT MATCHED THEN INSERT` without a `WHEN MATCHED`; and "
        "another session, or another engine, that commits to the table.",
        "Likely in a session that lives long, such as a Thrift server, a notebook or a streaming job that merges each "
        "batch: its table is as old as its last use of it, for a use within 30 s keeps it cached. No two statements "
        "need to overlap. No fault, no error.",
        "`cache-enabled=false`, or `REFRESH TABLE` before each such statement; a `WHEN MATCHED`, if it only sets a "
        "column to what it is, has the MERGE refused (`iceberg/merge-cached`). Afterwards: look for keys that are "
        "there more than once.",
        (
            f"{FOUND}[iceberg/merge-missing-cached]",
            "tests/live/iceberg/test_sql_outdated.py::test_a_merge_inserts_a_key_that_was_there_before_it_was_sent",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg#2319", "tables that are cached by default are read outdated (closed)"),
                ("apache/iceberg#3559", "a MERGE works on an outdated table; the cache is to be turned off (closed)"),
                ("apache/iceberg#14440", "entries of the cache never go while they are used (open)"),
            ),
            (
                "Iceberg Spark catalog cache-enabled stale table MERGE INSERT duplicates other session committed "
                "CachingCatalog stale read",
                "SparkCatalog cache-enabled true stale snapshot MERGE INTO not matched insert duplicate rows "
                "concurrent session REFRESH TABLE",
            ),
            "2026-11-25",
        ),
        "`SparkCatalog` makes a `SparkTable` that refreshes its scans only where the catalog does not cache. Outdated "
        "reads are known upstream; that a command which is validated by nothing writes on them is not said there. "
        "The smallest schedule has the two overlap; the test beside it sends one after the other. "
        "Every other command validates from the snapshot that it has read, however old, and is refused "
        "(`iceberg/update-update-cached`); under snapshot isolation a DELETE misses an UPDATE of its row that was "
        "acknowledged before it was sent (`iceberg/delete-cached-snapshot`).",
    ),
    Loss(
        "remove_orphan_files in a session that caches its table deletes what others have committed",
        named(DEFECTS, "iceberg/orphans-cached"),
        "Any catalog in Spark with `cache-enabled`, which is the default, and `cache.expiration-interval-ms` at its "
        "default, by which an entry goes 30 s after its last use; `CALL system.remove_orphan_files`, with its default "
        "of three days or any other age; and another session, or another engine, that commits to the table.",
        "Rare, and the worst that is told here: it takes a session that has used the table again and again for as long "
        "as orphans are left alone (three days, or the day that is the least) without a commit of its own, such as a "
        "Thrift server or a notebook with a dashboard that is refreshed, and the procedure in that session, without an "
        "`expire_snapshots` before it. No statements need to overlap. No fault, no error; what is deleted is in use.",
        "`cache-enabled=false` for sessions that maintain tables, a session of their own for them, or `REFRESH TABLE` "
        "just before. `dry_run => true` shows what would go. Nothing brings the files back.",
        (
            "tests/live/iceberg/test_sql_outdated.py::"
            "test_files_that_were_committed_since_the_table_was_cached_are_orphans",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg#15487", "the same in Flink, whose maintenance loads the table once (open)"),
                ("apache/iceberg#16324", "Flink's repair: the table is refreshed before its files are listed (merged)"),
                ("apache/iceberg#14440", "entries of the cache never go while they are used (open)"),
                ("apache/iceberg#4194", "tables that orphan files were removed from cannot be used (closed)"),
            ),
            (
                "remove_orphan_files deletes live data files stale cached table CachingCatalog table not refreshed",
                "DeleteOrphanFiles action stale table metadata refresh before listing valid files deleted files that "
                "were committed",
            ),
            "2026-11-25",
        ),
        "`BaseProcedure` takes the table that the catalog hands out, `DeleteOrphanFilesSparkAction` lists what its "
        "snapshots name, and neither refreshes it. In the test the files are dated back by four days in "
        "place of waiting. The procedure asks the catalog nothing, and so no live gate can hold it as in the schedule.",
    ),
    Loss(
        "A branch is published as it was when the session cached the table",
        named(DEFECTS, "iceberg/call-publish-cached"),
        "Any catalog in Spark with `cache-enabled`, which is the default; `CALL system.set_current_snapshot(table => "
        "..., ref => ...)`, as write-audit-publish is done where main may have gone on; and another session, or "
        "another engine, that has moved the branch, or the tag, since the table was cached.",
        "Likely in a session that lives long and publishes what others have written and audited: its table is as old "
        "as its last use of it, for a use within 30 s keeps it cached. No two statements need to overlap. No fault, no "
        "error: the procedure names the snapshot that it has set, and the branch is where it was. Without a cache it "
        "takes a commit between the procedure's load of the table and the one of its own commit.",
        "`fast_forward`, which looks the branch up in the table as it is loaded anew, and is refused where main is not "
        "below it; `cache-enabled=false`, or `REFRESH TABLE` just before; `snapshot_id` in place of `ref`, of a query "
        "of `refs` that was not cached. Afterwards: set main to the branch once more, which has it all.",
        (
            f"{FOUND}[iceberg/call-publish-cached]",
            "tests/live/iceberg/test_sql_outdated.py::test_a_branch_is_published_as_it_was_when_the_table_was_cached",
            "tests/live/iceberg/test_sql_outdated.py::test_a_tag_is_made_of_the_table_as_it_was_cached",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg#2319", "tables that are cached by default are read outdated (closed)"),
                ("apache/iceberg#14440", "entries of the cache never go while they are used (open)"),
                ("apache/iceberg#17341", "a cached table is outdated behind its session's own commit (closed)"),
            ),
            (
                "iceberg spark set_current_snapshot ref stale cached table branch snapshot CachingCatalog",
                "iceberg spark CREATE TAG branch ALTER TABLE cached table stale current snapshot not latest",
            ),
            "2026-11-26",
        ),
        "`SetCurrentSnapshotProcedure` looks the ref up in the table that the catalog hands out, and only then begins "
        "a transaction, which loads the table anew to set main to that snapshot, wherever main and the branch are by "
        "then. So do `ALTER TABLE ... CREATE BRANCH` and `CREATE TAG` without `AS OF VERSION`: the test beside it "
        "shows a tag of a snapshot that was not main's any more when the statement was sent, without the rows that "
        "were acknowledged before.",
    ),
    Loss(
        "DROP TABLE ... PURGE deletes the files of a table that has another name since",
        named(DEFECTS, "iceberg/purge-cached"),
        "Any catalog in Spark that renames tables, with `cache-enabled`, which is the default; `DROP TABLE t PURGE` in "
        "a session that has used `t`; and another session, or another engine, that has renamed `t` since, and made "
        "another table of that name, as tables are swapped that are built anew.",
        "Rare, and nothing brings the files back: it takes a session that has used the old table, again and again or "
        "within 30 s, and purges the new one. No statements need to overlap. No fault, no error. The table that is "
        "destroyed is one that nobody has dropped, under its new name. Without a cache it takes a rename and a "
        "creation between the load of the table and the drop (`iceberg/purge-moved`).",
        "`cache-enabled=false` for sessions that drop tables, or `REFRESH TABLE` just before. Or drop it without "
        "`PURGE`, and delete its folder when it is known whose it is.",
        (
            "tests/live/iceberg/test_sql_purging.py::"
            "test_a_session_that_caches_purges_the_table_that_had_the_name_before",
            "tests/live/iceberg/test_sql_purging.py::"
            "test_a_purge_leaves_the_files_that_were_committed_since_the_table_was_cached",
        ),
        Upstream(
            "",
            (
                (
                    "apache/iceberg#3056",
                    "its review has the code: load, drop the name, delete what was loaded (merged)",
                ),
                ("apache/iceberg#14743", "Spark asks no catalog to purge, it deletes the files itself (open)"),
                ("apache/iceberg#14440", "entries of the cache never go while they are used (open)"),
            ),
            (
                "iceberg SparkCatalog purgeTable DROP TABLE PURGE deletes files of renamed table stale cached metadata "
                "location",
                "iceberg Spark DROP TABLE PURGE leaves data files of newer snapshots, CachingCatalog stale metadata, "
                "purgeTable not refreshed",
            ),
            "2026-11-26",
        ),
        "`SparkCatalog.purgeTable` takes the metadata file of the table that the catalog hands out, drops whatever has "
        "the name, and deletes all files that the metadata file reaches. If nobody has renamed the table, what was "
        "committed since it was cached is left, although all is said to be gone: the second test. Other statements of "
        "such a session on the new table are refused, as the uuid is another one. The rules `purge-compares` have the "
        "catalog compare it. Live gates hold no statement that drops or renames a table by SQL.",
    ),
    Loss(
        "A statement under `spark.wap.branch` is told that it is done, and nothing is",
        named(DEFECTS, "iceberg/wap-branch-update-update"),
        "Any catalog in Spark with `cache-enabled=false`, so that each scan loads the table anew; a table with "
        "`write.wap.enabled`, copy-on-write, which is the default, whose `write.update.isolation-level`, of DELETE or "
        "of MERGE, is `snapshot`; sessions with the same `spark.wap.branch`, and no branch of that name yet: the first "
        "commit makes it.",
        "Rare: it takes two statements that find rows in one file, at once, and both before there is the branch, as "
        "when a load of several jobs begins on a branch of its own. The window is that between the first two loads of "
        "the later one, within its planning. No fault, no error, both are told that they succeeded.",
        "Make the branch before (`ALTER TABLE ... CREATE BRANCH`): the later one is refused "
        "(`iceberg/wap-branch-update-update-made`). Or `serializable`, which is the default "
        "(`iceberg/wap-branch-update-update-serializable`), or merge-on-read "
        "(`iceberg/wap-branch-update-update-merge-on-read`). Afterwards: the audit has to look for what is missing; "
        "main is as it was, so drop the branch and begin again.",
        (
            f"{FOUND}[iceberg/wap-branch-update-update]",
            "tests/live/iceberg/test_sql_branches.py::"
            "test_sessions_do_what_the_vector_says[session-merge-branch-made-meanwhile]",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg#7050", "how statements came to write to the session's branch (merged)"),
                ("apache/iceberg#18004", "the same filter, raced by two halves of one UPDATE: rows come twice (open)"),
            ),
            (
                "spark.wap.branch copy-on-write UPDATE lost branch does not exist runtime filter SparkCopyOnWriteScan "
                "currentSnapshotId",
                "Iceberg Spark WAP branch concurrent writers first write creates branch row-level operation wrong "
                "results update no rows",
            ),
            "2026-11-28",
        ),
        "`SparkReadConf.branch` asks anew, each time, whether there is the branch. The scan that the command rewrites "
        "is planned on main, and compares main's head with itself (`SparkCopyOnWriteScan.filter`); the scan that looks "
        "for its files, after a refresh, is of the branch that has been made meanwhile, whose file is another one. So "
        "no file stays, nothing is rewritten, and under `snapshot` an overwrite that names no file is validated by "
        "nothing. A MERGE takes its rows for missing, and inserts them (`iceberg/wap-branch-update-merge`).",
    ),
)
