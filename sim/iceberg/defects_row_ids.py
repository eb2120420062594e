"""What Iceberg 1.11.0 loses of row lineage, which tables of format 3 have."""

from __future__ import annotations

from sim.search.defect import Defect

ROW_ID_DEFECTS: tuple[Defect, ...] = (
    Defect(
        "iceberg/row-ids-transaction-append",
        "row lineage: rows of two commits have the same ids, and change them",
        "a transaction of two updates, and any append while it is made; format 3; no fault",
        "Iceberg 1.11.0, Java API",
        ("iceberg/row-ids-transaction-append-fixed", "iceberg/row-ids-transaction-of-one-append"),
    ),
    Defect(
        "iceberg/row-ids-upgraded-remove-append",
        "row lineage: rows that nobody has touched change their ids",
        "a table that has just come to format 3; a commit other than a fast append, such as an INSERT of Spark SQL, and"
        " any other one beside it; no fault",
        "Iceberg 1.11.0, Java API",
        ("iceberg/row-ids-upgraded-remove-append-fixed", "iceberg/row-ids-upgraded-remove-append-later"),
    ),
    Defect(
        "iceberg/row-ids-upgraded-update-insert",
        "row lineage: rows that are copied lose their ids",
        "a table that has just come to format 3; an UPDATE, DELETE or MERGE, or a rewrite of data files, and any other"
        " commit beside it; no fault",
        "Iceberg 1.11.0, Spark SQL",
        ("iceberg/row-ids-upgraded-update-insert-later", "iceberg/row-ids-upgraded-rewrite-insert-later"),
    ),
    Defect(
        "iceberg/row-ids-rewrite-manifests-insert",
        "row lineage: rows that nobody has touched change their ids",
        "`rewrite_manifests` of two data manifests or more, alone or beside anything; format 3; no fault",
        "Iceberg 1.11.0, Spark SQL",
        ("iceberg/row-ids-rewrite-manifests-insert-fixed",),
    ),
)
