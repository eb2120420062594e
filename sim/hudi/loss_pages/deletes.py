"""What UPDATE and DELETE of Spark SQL write to file groups that are hidden, for people; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream

LIVE = "tests/live/hudi/test_deletes.py"
FOUND = f"{LIVE}::test_found_schedule_does_the_same_to_the_real_hudi"
WORDS = (
    "hudi MOR UPDATE DELETE spark sql stale session after clustering log file appended to replaced file group data "
    "lost",
    "hoodie.spark.sql.optimized.writes.enable prepped upsert deletePrepped replaced file group clustering conflict "
    "lost update",
    "hudi DELETE FROM spark sql prepped write concurrent clustering replaced file group deleted rows reappear",
)
NEAREST = (
    (
        "apache/hudi#8978",
        "HUDI-6315: a DELETE goes by the meta columns that it has read, with no index (merged, 0.14.0)",
    ),
    ("apache/hudi#9131", "HUDI-6315: the option that turns this off (merged)"),
    ("apache/hudi#7839", "deleted rows are there again after clustering, of 0.12.2, which had no such writes (open)"),
    ("apache/hudi#9977", "rows that are missing after clustering of a merge-on-read table; cause unknown (open)"),
)
DELETE_LOSSES: tuple[Loss, ...] = (
    Loss(
        "A DELETE or an UPDATE goes to a file group that is hidden",
        Defect(
            "hudi/delete-logs-clustered",
            "an acknowledged delete, or update",
            "merge-on-read, and a DELETE or an UPDATE of Spark SQL in a session that has read the table before it was "
            "clustered; no fault, no error",
            "Hudi 1.2.0",
            ("hudi/delete-logs-clustered-indexed",),
        ),
        "Spark SQL's DELETE and UPDATE on merge-on-read tables, as they are by default "
        "(`hoodie.spark.sql.optimized.writes.enable`): each row is written to the file group in which it was read, and "
        "no index is asked. With one writer and under optimistic concurrency control, with any conflict strategy. "
        "Clustering, or an INSERT OVERWRITE, has replaced that file group by then.",
        "Certain in a session that has read the table before somebody else clustered or overwrote it: the session "
        "keeps the table's files as it first saw them, and nobody need be at work beside it. In one that has not, it "
        "takes clustering that completes between the plan and the start of the write. Nobody is told: the log file is "
        "committed, and no reader looks at it.",
        "`hoodie.spark.sql.optimized.writes.enable` false: rows are looked up again by the index when they are "
        "written. MERGE INTO does so in any case. `REFRESH TABLE` before the statement leaves the window between plan "
        "and start.",
        (
            f"{FOUND}[delete-logs-clustered]",
            f"{FOUND}[update-logs-clustered]",
            f"{LIVE}::test_one_writer_after_another_writes_to_files_that_are_hidden[deleted]",
            f"{LIVE}::test_one_writer_after_another_writes_to_files_that_are_hidden[updated]",
            f"{LIVE}::test_one_writer_after_another_writes_to_files_that_are_hidden[deleted overwritten]",
            f"{LIVE}::test_one_writer_after_another_writes_to_files_that_are_hidden[deleted by index]",
        ),
        Upstream("", NEAREST, WORDS, "2026-11-28"),
        "On a copy-on-write table the same statement fails: there the file group has to be there, to be merged with "
        "(`hudi/delete-clustered`, `hudi/update-clustered`).",
    ),
    Loss(
        "An UPDATE makes a second one of a row that was deleted and inserted again",
        Defect(
            "hudi/update-moved",
            "the key: there are two rows of it",
            "an UPDATE of Spark SQL in a session that has read a row before somebody else deleted it and inserted it "
            "again, into another file group; no fault, no error",
            "Hudi 1.2.0",
            ("hudi/update-moved-refused",),
        ),
        "Spark SQL's UPDATE as it is by default (`hoodie.spark.sql.optimized.writes.enable`), on both types of tables: "
        "it writes the row to the file group in which it was. A DELETE deletes nothing then, and is acknowledged. New "
        "rows go into another file group where the old one is larger than `hoodie.parquet.small.file.limit`.",
        "Certain in a session that has read the table before; else it takes both commits between the plan and the "
        "start of the write. What is committed after that is a conflict, and refuses it.",
        "`REFRESH TABLE` before the statement, which leaves the window between plan and start.",
        (
            f"{FOUND}[update-moved]",
            f"{LIVE}::test_a_row_that_is_deleted_and_inserted_again_is_there_twice[updated-cow]",
            f"{LIVE}::test_a_row_that_is_deleted_and_inserted_again_is_there_twice[updated-mor]",
            f"{LIVE}::test_a_row_that_is_deleted_and_inserted_again_is_there_twice[deleted-cow]",
        ),
        Upstream("", NEAREST[:2], WORDS, "2026-11-28"),
    ),
    Loss(
        "A retry after a conflict with clustering writes to the file group that has gone",
        Defect(
            "hudi/update-logs-clustered-retried",
            "an acknowledged update, or delete",
            "`hoodie.write.num.retries.on.conflict.failures`, merge-on-read, and an UPDATE or a DELETE of Spark SQL "
            "that clustering has refused once",
            "Hudi 1.2.0",
            ("hudi/update-logs-clustered-indexed",),
        ),
        "As of the loss before, with more than 0 retries: the conflict with clustering is found, and the second try "
        "writes where the first one did, to a file group that is replaced by then.",
        "Certain: whenever clustering is what an UPDATE or a DELETE is refused for.",
        "`hoodie.spark.sql.optimized.writes.enable` false, or no retries of Hudi's own: run the statement again, in a "
        "session that reads anew.",
        (f"{FOUND}[update-logs-clustered-retried]",),
        Upstream("", NEAREST, WORDS, "2026-11-28"),
    ),
)
