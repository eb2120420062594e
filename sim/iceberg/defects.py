"""Defects of shipped software that lose data, found by the built-in scenarios of this folder."""

from __future__ import annotations

from sim.search.defect import Defect

DEFECTS: tuple[Defect, ...] = (
    Defect(
        "iceberg/delete-update-snapshot",
        "a deleted row comes back",
        "two statements, merge-on-read, `snapshot` isolation; no fault",
        "Iceberg 1.11.0, Spark SQL",
        ("iceberg/delete-update-serializable", "iceberg/delete-update-snapshot-fixed"),
    ),
    Defect(
        "iceberg/update-reply-faults",
        "the whole table: its current manifest list is deleted",
        "one UPDATE; a commit that was applied is answered 429, 503 with a time to wait, or 409, or sent twice",
        "Iceberg 1.11.0, Spark SQL",
        ("iceberg/update-reply-faults-idempotent", "iceberg/update-reply-faults-self-check"),
    ),
    Defect(
        "iceberg/insert-insert-misreported",
        "another writer's acknowledged INSERT",
        "two INSERTs; one commit is applied and answered 429, 503 with a time to wait, or 409, or sent twice",
        "Iceberg 1.11.0, Spark SQL",
        ("iceberg/insert-insert-misreported-fixed",),
    ),
    Defect(
        "iceberg/overwrite-overwrite",
        "one of two overwrites",
        "an engine that leaves the validation out; no fault",
        "Iceberg 1.11.0, Java API",
        ("iceberg/overwrite-overwrite-validated",),
    ),
    Defect(
        "iceberg/transaction-delete-where",
        "an acknowledged row of a transaction, to an equality delete that was committed before it",
        "a transaction of two updates; an equality delete and another commit while it is made; no fault",
        "Iceberg 1.11.0, Java API",
        ("iceberg/transaction-delete-where-fixed", "iceberg/transaction-of-one-delete-where"),
    ),
    Defect(
        "iceberg/change-upsert",
        "an acknowledged upsert's delete: its old row comes back beside the new one",
        "a copy-on-write update of another row in the same file, at any isolation level; no fault",
        "Iceberg 1.11.0, Java API and Spark SQL",
        ("iceberg/change-upsert-fixed", "iceberg/change-upsert-apart"),
    ),
    Defect(
        "iceberg/compact-starting-number",
        "an acknowledged equality delete: its rows come back",
        "a compaction that keeps its starting sequence number, an equality delete and another commit; no fault",
        "Iceberg 1.11.0, Java API",
        ("iceberg/compact-starting-number-fixed", "iceberg/compact-own-number"),
    ),
    Defect(
        "iceberg/replace-replace-old-delete",
        "nothing, but an overwrite that conflicts with nothing is refused for good",
        "two overwrites of different files, and an old delete file that both drop; no fault",
        "Iceberg 1.11.0, Java API",
        ("iceberg/replace-replace", "iceberg/replace-replace-old-delete-fixed"),
    ),
    Defect(
        "iceberg/roll-back-append",
        "an acknowledged append: a roll-back takes it with it",
        "a roll-back, and any commit between its begin and its own; no fault",
        "Iceberg 1.11.0, Java API",
        ("iceberg/roll-back-append-head",),
    ),
    Defect(
        "iceberg/rest-roll-back-expire",
        "the whole table: its main branch is removed",
        "a REST catalog, and a roll-back to a snapshot that another one expires meanwhile; no fault",
        "Iceberg 1.11.0, Java API with its REST client's requirements and its server's handlers",
        ("iceberg/rest-roll-back-expire-refs",),
    ),
    Defect(
        "iceberg/rest-cherry-pick-expire",
        "the whole table: main is at a snapshot whose file is deleted",
        "a REST catalog, and a cherry-pick of a staged append that another one expires meanwhile; no fault",
        "Iceberg 1.11.0, Java API with its REST client's requirements and its server's handlers",
        ("iceberg/cherry-pick-expire",),
    ),
    Defect(
        "iceberg/hive-lock-pause",
        "an acknowledged append",
        "the Hive catalog's lock, and a pause longer than its lease",
        "simulated only",
        ("iceberg/hive-no-lock-pause",),
    ),
    Defect(
        "pyiceberg/append-resent",
        "the whole table: its manifest list is deleted",
        "no retries left, and a swap that is applied and answered as lost, or sent twice",
        "PyIceberg 0.12.0 itself, in the simulator",
        ("pyiceberg/append-resent-with-retries",),
    ),
    Defect(
        "pyiceberg/delete-resent",
        "the whole table: its manifest list is deleted",
        "a delete of some rows of a file, and a swap that is applied and answered as lost, or sent twice",
        "PyIceberg 0.12.0 itself, in the simulator",
        ("pyiceberg/delete-resent-alone",),
    ),
    Defect(
        "pyiceberg/upsert-upsert",
        "nothing, but a row is there twice",
        "two upserts of a row that is not there yet; no fault",
        "PyIceberg 0.12.0 itself, in the simulator",
        ("pyiceberg/upsert-upsert-there",),
    ),
    Defect(
        "pyiceberg/roll-back-expire",
        "the whole table: its main branch is removed",
        "a roll-back to a snapshot that another one expires meanwhile; no fault",
        "PyIceberg 0.12.0 itself, in the simulator",
        ("pyiceberg/roll-back-expire-tagged",),
    ),
    Defect(
        "hive/iceberg-shipped-lock-two",
        "an acknowledged Iceberg commit, with the lock enabled",
        "two metastores with CachedStore",
        "Spark, Iceberg 1.11.0, Hive Metastore 4.0.1",
        ("hive/iceberg-off-lock-two", "hive/iceberg-cas-no-replay-no-lock-two"),
    ),
    Defect(
        "hive/iceberg-refresh-lock-one",
        "an acknowledged Iceberg commit, with the lock enabled",
        "one metastore with CachedStore in its default mode",
        "Spark, Iceberg 1.11.0, Hive Metastore 4.0.1",
        ("hive/iceberg-off-lock-one", "hive/iceberg-shipped-lock-one"),
    ),
)
