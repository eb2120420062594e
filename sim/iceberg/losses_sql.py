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
)
