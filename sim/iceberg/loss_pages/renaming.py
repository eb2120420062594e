"""The losses of Iceberg 1.11.0 where a table is renamed while a commit to it is not answered, as their pages tell."""

from __future__ import annotations

from sim.iceberg.defects_renaming import RENAMING_DEFECTS
from sim.iceberg.loss_pages.jdbc import STATES
from sim.search.loss import Loss, Upstream, named

FOUND = "tests/live/iceberg/test_found_schedules.py::test_found_violation_is_real"
TOLD = "tests/live/iceberg/test_renaming.py::test_what_a_client_makes_of_a_rename_that_it_is_not_told_of"
NEAREST = (
    ("apache/iceberg#14583", "a retry that finds its own commit deletes the manifest list that is in use (open)"),
    ("apache/iceberg#15511", "a commit that cannot be loaded afterwards keeps its files: after success alone (merged)"),
    ("linkedin/openhouse#700", "a rename that puts back what a commit has replaced, another catalog's (open)"),
)
WORDS = (
    "iceberg rename table during concurrent commit NoSuchTableException cleanup deletes manifest list of committed "
    "snapshot",
    "apache/iceberg NoSuchTableException CleanableFailure commit retry 404 after commit succeeded metadata files "
    "deleted table corrupted rename",
)
SEARCHED_ON = "2026-11-26"
CAUSE = (
    "`NoSuchTableException` is a `CleanableFailure`: `SnapshotProducer.commit` takes it for proof that nothing was "
    "committed, and deletes the manifest list and the manifests of its attempts. The table has them under its new "
    "name. Appends are safe from their own commits elsewhere, as they find them in the table; here there is none to "
    "look at. The rules `gone-keeps-files` delete nothing then."
)
AFTERWARDS = (
    "Stop writers before a table is renamed. Afterwards: the metadata file before the current one is whole; drop the "
    "table without purge, register it by that file, and append again the data files, which nobody has deleted."
)
RENAMING_LOSSES: tuple[Loss, ...] = (
    Loss(
        "A commit that is sent again after a rename deletes what the renamed table needs",
        named(RENAMING_DEFECTS, "iceberg/rest-rename-append-resent"),
        "A REST catalog without idempotency keys, and any commit, a plain append among them; the catalog, or a proxy "
        "before it, has answered 429, or 503 with `Retry-After`, to a commit that was applied, or has passed it on "
        "twice. `ALTER TABLE ... RENAME TO`, or `renameTable`, meanwhile.",
        "Rare: the rename has to come within the time to wait, a second or so. Met where tables are swapped by "
        "renames while jobs write to them, and the catalog is overloaded.",
        f"A catalog that honours idempotency keys (`rest-rename-append-resent-idempotent`). {AFTERWARDS}",
        (f"{FOUND}[iceberg/rest-rename-append-resent]", TOLD),
        Upstream("", NEAREST, WORDS, SEARCHED_ON),
        CAUSE,
    ),
    Loss(
        "A commit whose database connection breaks before a rename deletes what the renamed table needs",
        named(RENAMING_DEFECTS, "iceberg/jdbc-rename-append-broken"),
        "The JDBC catalog with its defaults, and any commit, a plain append among them; a driver that reports the "
        f"broken connection by {STATES}. `renameTable` meanwhile.",
        "Rare: the connection has to break after the UPDATE was carried out, and the rename to come before the "
        "commit's next look, a tenth of a second and more (`commit.retry.min-wait-ms`).",
        AFTERWARDS,
        (f"{FOUND}[iceberg/jdbc-rename-append-broken]", TOLD),
        Upstream("", NEAREST, WORDS, SEARCHED_ON),
        f"The second UPDATE changes no row, which is a lost race; the load of the retry finds no table. {CAUSE}",
    ),
    Loss(
        "A drop with purge deletes the files of a table that was renamed while it was dropped",
        named(RENAMING_DEFECTS, "iceberg/jdbc-purge-put"),
        "The JDBC catalog; `dropTable(name, true)`, as maintenance jobs and tests call it, beside a swap of tables: "
        "the one that is there is renamed, and another one renamed to its name.",
        "Rare for one drop, as the window is between a SELECT and a DELETE; nothing brings the files back. No fault, "
        "no error, and everybody is told that he succeeded. The new table is dropped, and its files stay.",
        "Drop without purge, and delete the folder when it is known whose it is. Afterwards: register the dropped "
        "table anew by its newest metadata file; the one that was renamed is gone, unless the object store keeps "
        "versions.",
        (
            f"{FOUND}[iceberg/jdbc-purge-put]",
            "tests/live/iceberg/test_renaming.py::test_a_drop_with_files_deletes_those_of_the_table_that_it_has_loaded",
        ),
        Upstream(
            "",
            (("apache/iceberg#1870", "its review has the code: load, drop the name, delete what was loaded (merged)"),),
            (
                "iceberg drop table purge race rename recreate table deletes files of renamed table dropTableData "
                "JdbcCatalog",
            ),
            SEARCHED_ON,
        ),
        "The same order as in Spark's `DROP TABLE ... PURGE` (`iceberg/purge-cached`), where a cache makes the window "
        "as long as it lives. The Hive catalog has it, too (`iceberg/hive-purge-put`), and a catalog in memory; over "
        "REST the server does all of it, Iceberg's own in one request. The rules `purge-compares` have the DELETE "
        "compare the uuid.",
    ),
)
