"""The losses of Iceberg 1.11.0 that equality deletes take part in, as their pages tell them."""

from __future__ import annotations

from sim.iceberg.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

FOUND = "tests/live/iceberg/test_found_schedules.py::test_found_violation_is_real"
NUMBERS = "tests/live/iceberg/test_transaction_numbers.py"
VECTORS = "tests/live/iceberg/test_vectors.py::test_java_answers_as_the_model_does"
SQL = (
    "tests/live/iceberg/test_sql_beside_upserts.py"
    "::test_a_command_with_default_settings_brings_back_a_row_that_was_upserted_meanwhile"
)
SEARCHED_ON = "2026-11-23"

EQUALITY_LOSSES: tuple[Loss, ...] = (
    Loss(
        "A transaction's row disappears under a delete that came before it",
        named(DEFECTS, "iceberg/transaction-delete-where"),
        "A table of format 2 or 3 with equality deletes, as Flink's upserts write them, and a writer that commits two "
        "updates or more in one `newTransaction`.",
        "Likely where both write: it takes a delete of the same key and one commit more between the transaction's "
        "begin and its commit. No fault, no error; the row is gone for good.",
        "One update a transaction, or no equality deletes of keys that transactions write.",
        (
            f"{FOUND}[iceberg/transaction-delete-where]",
            f"{NUMBERS}::test_a_delete_takes_a_row_that_a_transaction_of_two_updates_commits_after_it[2-left1]",
            f"{VECTORS}[transaction-listed-before-an-equality-delete]",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg#17708", "which snapshots a transaction that was retried takes for committed (merged)"),
                ("duckdb/duckdb-iceberg#786", "what a retried transaction has to write anew, in DuckDB"),
            ),
            (
                "transaction retry second update lists manifest with old sequence number, equality delete removes "
                "committed row",
                "transaction retry manifestsWithMetadata stale sequence number equality delete removes newly "
                "committed rows",
            ),
            SEARCHED_ON,
        ),
        "The other way round as well: an equality delete that a transaction commits with an update after it is listed "
        "as too old, and spares rows that were added before the commit (vector "
        "`transaction-lists-its-delete-as-older`, on 1.11.0). Two caches know a manifest by its path, "
        "`SnapshotProducer.manifestsWithMetadata` and `ManifestFilterManager.filteredManifests`: a repair takes both.",
    ),
    Loss(
        "A copy-on-write update brings back a row that was upserted",
        named(DEFECTS, "iceberg/change-upsert"),
        "A table that one engine writes with equality deletes (Flink's upserts), and another one with copy-on-write "
        "UPDATE, DELETE or MERGE, or `newOverwrite` with `conflictDetectionFilter`, at any isolation level. Formats 2 "
        "and 3.",
        "Likely wherever both write: the upsert's key and the updated row need to share a data file, and the upsert "
        "to be committed first. No fault, no error, both are told that they succeeded; the key has two rows.",
        "Merge-on-read for the other engine, or a conflict filter that is always true.",
        (
            f"{FOUND}[iceberg/change-upsert]",
            f"{VECTORS}[overwrite-with-filter-beside-equality-delete]",
            f"{SQL}[db.updated-UPDATE {{}} SET v = 'B' WHERE id = 2-left0]",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg#3199", "why an overwrite has to look for new deletes of what it replaces (merged)"),
                ("apache/iceberg#3069", "the same question, with the filter of the command (closed)"),
                ("apache/iceberg#18004", "rows that a copy-on-write UPDATE duplicates, by another way (open)"),
            ),
            (
                "copy-on-write overwrite conflict filter misses concurrent equality delete of another row in the same "
                "file, row duplicated",
                "copy-on-write UPDATE Spark concurrent Flink upsert equality delete conflictDetectionFilter "
                "validateNoConflictingDeletes bounds duplicate rows",
            ),
            SEARCHED_ON,
        ),
        "`validateNoNewDeletesForDataFiles` reads new delete files through the conflict filter. Position deletes have "
        "no bounds of the table's columns, so each of them is read; an equality delete of another key is not. The "
        "schedule is one of the Java API, with the filter that Spark sets; Spark's own UPDATE and DELETE, with its "
        "default settings, do the same beside such an upsert.",
    ),
    Loss(
        "A compaction brings deleted rows back",
        named(DEFECTS, "iceberg/compact-starting-number"),
        "`rewrite_data_files` with `use-starting-sequence-number`, which is its default, on a table with equality "
        "deletes.",
        "Likely on a table that is upserted while it is compacted: an equality delete has to be committed meanwhile, "
        "and a further commit, and no older data file may stay. No fault, no error.",
        "`use-starting-sequence-number` off: the compaction is refused then, and has to be tried again.",
        (
            f"{FOUND}[iceberg/compact-starting-number]",
            f"{VECTORS}[J17-pinned-rewrite-drops-equality-delete]",
        ),
        Upstream(
            "apache/iceberg#10312",
            (
                ("apache/iceberg#10962", "the repair that is proposed: the files that are added count, too (open)"),
                ("apache/iceberg#3480", "how the option came to be (merged)"),
            ),
            (
                "RewriteFiles dataSequenceNumber dropDeleteFilesOlderThan equality delete dropped min sequence number "
                "rows resurrected",
            ),
            SEARCHED_ON,
        ),
    ),
)
