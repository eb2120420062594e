"""What an UPDATE of Spark SQL on Hudi 1.2.0 loses, for people; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream

LIVE = "tests/live/hudi/test_updates.py"
WORDS = (
    "hudi UPDATE spark sql concurrent retry conflict overwrites other writer's update HoodieSparkSqlWriter retry "
    "re-evaluate dataframe stale",
    "hudi UPDATE statement lost update stale read other session relation cache updates overwritten concurrency control",
)
CACHED = (
    ("apache/hudi#7322", "a session reads nothing new of a table until it is refreshed: a matter of reads (closed)"),
    ("apache/hudi#8571", "the same of merge-on-read tables, closed as a limit of Spark SQL"),
    ("apache/spark#23074", "a table that is refreshed in one session stays as it was in others (closed)"),
)
UPDATE_LOSSES: tuple[Loss, ...] = (
    Loss(
        "An UPDATE writes over what its session has not read",
        Defect(
            "hudi/update-read-first",
            "an acknowledged update",
            "an UPDATE of Spark SQL whose read is older than the start of its write; no fault, no error",
            "Hudi 1.2.0",
            ("hudi/update-read-within",),
        ),
        "Spark SQL's UPDATE, with one writer and under optimistic concurrency control, with any conflict strategy and "
        "lock provider: its rows are read by the plan, and conflicts are looked for from the write's instant on.",
        "Certain in a session that has read the table before somebody else wrote to it: the session keeps the table's "
        "files as it first saw them, and its UPDATE reads these, hours later and with nobody else at work. In one that "
        "has not, it takes a commit between the plan and the start of the write. No fault, no error.",
        "`REFRESH TABLE` before an UPDATE, or `spark.sql.filesourceTableRelationCacheSize` 0, as upstream advises "
        "readers: each leaves the window between plan and start. Or MERGE INTO: it computes from what it merges with.",
        (
            f"{LIVE}::test_an_update_reads_what_its_session_has_kept[kept]",
            f"{LIVE}::test_found_schedule_does_the_same_to_the_real_hudi[update-read-first]",
            f"{LIVE}::test_found_schedule_does_the_same_to_the_real_hudi[update-logs-read-first]",
        ),
        Upstream("", CACHED, WORDS, "2026-11-28"),
        "That a session reads old files is known, and taken to be a matter of reads. A MERGE INTO that sets a column "
        "to an expression of its target lost nothing in such a session. These tables were copy-on-write; step by step "
        "a merge-on-read table lost the same (`hudi/update-logs-read-first`).",
    ),
    Loss(
        "A retry turns a conflict that was found into a lost update",
        Defect(
            "hudi/update-retried",
            "an acknowledged update",
            "`hoodie.write.num.retries.on.conflict.failures`, and an UPDATE of Spark SQL that is refused once",
            "Hudi 1.2.0",
            ("hudi/update-retried-within", "hudi/update-refused"),
        ),
        "Spark SQL's UPDATE, on both types of tables, and DELETE, with more than 0 retries: each try is a write of its "
        "own, of the same data frame, whose plan has listed its files before the first one.",
        "Certain: whenever a conflict is found. The second try begins after the commit that refused the first one, so "
        "that nothing is left to compare, and writes what was read before it; a DELETE deletes a row that is not what "
        "it asks for any more. Without retries, the default, an UPDATE is refused.",
        "No retries of Hudi's own for UPDATE and DELETE: run the statement again, in a session that reads anew. MERGE "
        "INTO may be retried: it computes from what it merges with.",
        (
            f"{LIVE}::test_what_is_tried_again_is_what_was_read_at_first[retried]",
            f"{LIVE}::test_what_is_tried_again_is_what_was_read_at_first[retried-log]",
            f"{LIVE}::test_what_is_tried_again_is_what_was_read_at_first[deleted]",
            f"{LIVE}::test_found_schedule_does_the_same_to_the_real_hudi[update-retried]",
            f"{LIVE}::test_found_schedule_does_the_same_to_the_real_hudi[update-logs-retried]",
        ),
        Upstream(
            "",
            (("apache/hudi#6854", "HUDI-4631: retries of the data source's writes (merged, in 0.14.0)"), *CACHED[:1]),
            WORDS,
            "2026-11-28",
        ),
        "On stock Spark and Hudi, without a gate, an UPDATE that a function holds until another session has committed. "
        "With retries and early conflict detection, who is refused early is not tried again (`hudi/retried-early`).",
    ),
)
