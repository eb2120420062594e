"""What Iceberg 1.11.0 loses where an answer is lost or old beside branches and expiries, or of what is staged."""

from __future__ import annotations

from sim.search.defect import Defect

MANAGING_DEFECTS: tuple[Defect, ...] = (
    Defect(
        "iceberg/jdbc-stage-broken",
        "the audit: what was staged is published by its own retry",
        "the JDBC catalog, and a staged append (WAP) whose connection breaks after its UPDATE was carried out",
        "Iceberg 1.11.0, Java API on its JDBC catalog",
        ("iceberg/jdbc-stage-broken-self-check",),
    ),
    Defect(
        "iceberg/rest-branch-append-resent",
        "a branch, with an acknowledged append to it",
        "a REST catalog, an append that is applied and answered 429, or 503 with a time to wait; before it is sent"
        " again a branch begins at it, and main is rolled back to where it was",
        "Iceberg 1.11.0, Java API with its HTTP client's strategy and its server's handlers",
        ("iceberg/rest-branch-append-resent-idempotent",),
    ),
    Defect(
        "iceberg/rest-expire-schema-append",
        "what was committed last, for whoever names its snapshot: by id, tag or time, and Spark's UPDATE and DELETE",
        "a REST catalog, and an append, between whose load and commit a column is added and an expiry cleans metadata;"
        " no fault",
        "Iceberg 1.11.0, Java API with its REST client's requirements and its server's handlers",
        ("iceberg/rest-expire-schema-append-known", "iceberg/rest-expire-schema-append-branch"),
    ),
    Defect(
        "iceberg/delete-apart-compact",
        "nothing, but a file of deletion vectors stays that no snapshot ever had",
        "format 3, a delete whose tasks write several deletion vectors of one data file, which somebody rewrites while"
        " it is committed; no fault",
        "Iceberg 1.11.0, Java API",
        ("iceberg/delete-apart-compact-one-task",),
    ),
    Defect(
        "iceberg/expire-insert-stale",
        "the table: the files of an acknowledged commit, and whoever reads it",
        "an expiry, though nothing is to expire yet, whose last load of the table a catalog answers with what it was"
        " before the newest commit",
        "Iceberg 1.11.0, Spark SQL and Java API on a REST catalog",
        ("iceberg/expire-insert-stale-fixed",),
    ),
    Defect(
        "iceberg/insert-expire-misreported",
        "the table's history, which becomes a ring: whoever looks back in it never ends",
        "an expiry of all but the newest snapshots, whatever their age, and a commit that is applied and answered as if"
        " it were not, with another one above it",
        "Iceberg 1.11.0, Spark SQL and Java API",
        ("iceberg/append-expire-older-misreported",),
    ),
)
