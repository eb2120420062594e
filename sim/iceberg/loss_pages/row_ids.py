"""The losses of Iceberg 1.11.0 that have to do with row ids, as their pages tell them."""

from __future__ import annotations

from sim.iceberg.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

FOUND = "tests/live/iceberg/test_found_schedules.py::test_found_violation_is_real"
VECTORS = "tests/live/iceberg/test_vectors.py::test_java_answers_as_the_model_does"
COPIED = "tests/live/iceberg/test_row_copies.py::test_statements_keep_what_the_vector_says"
SEARCHED_ON = "2026-11-27"

ROW_ID_LOSSES: tuple[Loss, ...] = (
    Loss(
        "Rows of a transaction have the row ids of somebody else's",
        named(DEFECTS, "iceberg/row-ids-transaction-append"),
        "A table of format 3, any catalog, and a writer that commits two updates or more in one `newTransaction`; not "
        "Spark SQL, whose commands are one update each.",
        "Likely wherever two writers commit at once: one commit between the transaction's begin and its own. No fault, "
        "no error, every row is there; `_row_id` of two rows is the same, for good, and whoever follows rows by it (an "
        "incremental view, a changelog by row id) takes them for one.",
        "One update a transaction. Afterwards: rewrite the data files of one of the commits without the columns "
        "`_row_id` and `_last_updated_sequence_number`, which gives its rows new ids.",
        (
            f"{FOUND}[iceberg/row-ids-transaction-append]",
            f"{VECTORS}[row-ids-of-a-transaction-applied-again]",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg#16263", "row ids of files that exist were given anew where manifests merge (merged)"),
                ("apache/iceberg-go#1021", "row ids that a first attempt has taken, in Go (closed)"),
            ),
            (
                "iceberg transaction retry duplicate _row_id first_row_id manifest stale manifestsWithMetadata cache "
                "row lineage concurrent commit",
                "iceberg row lineage EXISTING manifest entries first_row_id reassigned merge manifests retry",
            ),
            SEARCHED_ON,
        ),
        "The transaction's first update gets its ids anew when it is applied again; its second one lists the manifest "
        "as its first attempt has met it (`SnapshotProducer.manifestsWithMetadata`), with ids that by now are another "
        "commit's. The snapshot of the first update has the rows under other ids than that of the second. The same "
        "cache lists it under too small a sequence number: `iceberg/transaction-delete-where`.",
    ),
    Loss(
        "Rows that nobody has touched change their row ids behind an upgrade to format 3",
        named(DEFECTS, "iceberg/row-ids-upgraded-remove-append"),
        "A table that has come from format 2 to 3, and no commit since: its rows have no ids yet. Any catalog; any "
        "commit other than a fast append, beside any other one: also two INSERTs of Spark SQL, which merge manifests.",
        "Rare: it takes the first two commits behind the upgrade at once. No fault, no error, every row is there; the "
        "rows of manifests that the second commit has met before have other ids in its snapshot than in the first.",
        "Make one commit alone, an empty append will do, when the format has been changed: it gives ids to all rows.",
        (
            f"{FOUND}[iceberg/row-ids-upgraded-remove-append]",
            f"{VECTORS}[row-ids-of-an-upgraded-table-lost]",
            f"{COPIED}[upgraded-insert-beside-insert]",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg-go#1295", "manifests of earlier formats inherit row ids in format 3, in Go (merged)"),
                ("apache/iceberg#12781", "what a table that is upgraded has of row ids, specification (merged)"),
            ),
            (
                "row lineage upgraded v2 to v3 table row ids change after concurrent commit retry filtered manifest "
                "first_row_id null reassigned ManifestFilterManager",
            ),
            SEARCHED_ON,
        ),
        "`ManifestFilterManager.filteredManifests` knows a manifest by its path: the retry lists what its first "
        "attempt has written of a manifest that had no ids then, and gives its rows new ones.",
    ),
    Loss(
        "Rows that Spark copies lose their row ids behind an upgrade to format 3",
        named(DEFECTS, "iceberg/row-ids-upgraded-update-insert"),
        "A table that has come from format 2 to 3, and no commit since: its rows have no ids yet. Spark SQL: "
        "`rewrite_data_files`, UPDATE and MERGE in either mode, DELETE copy-on-write; beside any other commit.",
        "Rare for a statement of seconds; likely for a `rewrite_data_files` of a whole table, which runs for long and "
        "is what one runs behind an upgrade: it takes one commit while it runs. No fault, no error, every row is "
        "there; each row that was copied had an id by that commit, and has another one, for good, and counts as "
        "changed last by whoever copied it.",
        "Make one commit alone, an empty append will do, when the format has been changed, before anything is "
        "rewritten: it gives ids to all rows.",
        (
            f"{FOUND}[iceberg/row-ids-upgraded-update-insert]",
            f"{FOUND}[iceberg/row-ids-upgraded-rewrite-insert]",
            f"{COPIED}[upgraded-update-beside-insert]",
            f"{COPIED}[upgraded-rewrite-beside-insert]",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg#12781", "what a table that is upgraded has of row ids, specification (merged)"),
                ("apache/iceberg#13637", "`rewrite_data_files` keeps row ids, Spark 3.5 (merged)"),
                ("apache/iceberg#17039", "which number a row has that was rewritten before an upgrade (merged)"),
            ),
            (
                "row lineage upgraded v2 to v3 table _row_id null rewrite_data_files UPDATE copy-on-write concurrent "
                "loses row ids",
                "iceberg row lineage lost preserve _row_id _last_updated_sequence_number compaction Spark bug wrong",
            ),
            SEARCHED_ON,
        ),
        "A statement reads the row ids of the snapshot that it starts from, where they are null, and writes them as "
        "null; nothing compares that snapshot with the one that its commit is built on. The same page of the "
        "specification that has null written for such rows has every commit give ids to all rows that are there.",
    ),
    Loss(
        "Spark's `rewrite_manifests` gives rows other row ids",
        named(DEFECTS, "iceberg/row-ids-rewrite-manifests-insert"),
        "A table of format 3, any catalog, and Spark's `rewrite_manifests`, or the action of that name, where it finds "
        "two data manifests or more of the default spec.",
        "Certain: each such call, alone or beside anything. No fault, no error, every row is there; all rows of the "
        "manifests that it replaces have other ids, for good, and whoever follows rows by `_row_id` takes each for "
        "a row that went and one that came. Rows whose data file says their ids keep them.",
        "Use a later version (1.11.x has it mended), or `Table.rewriteManifests()` with `clusterBy` of the Java API, "
        "which keeps the ids. Afterwards: nothing gives the ids back; a snapshot from before still has them, and one "
        "can roll back to it.",
        (
            f"{FOUND}[iceberg/row-ids-rewrite-manifests-insert]",
            f"{COPIED}[manifests-rewritten]",
            f"{COPIED}[manifests-rewritten-beside-insert]",
        ),
        Upstream(
            "apache/iceberg#16699",
            (("apache/iceberg#16761", "the same for 1.11.x (merged)"),),
            ("rewrite_manifests first_row_id row lineage SparkContentFile null v3",),
            SEARCHED_ON,
        ),
        "The action reads entries through Spark rows, whose adapter (`SparkContentFile`) has no `firstRowId`; the "
        "manifest has none, so the commit's list gives it new ones.",
    ),
)
