"""The losses of Iceberg 1.11.0 on its JDBC catalog, as their pages tell them."""

from __future__ import annotations

from sim.iceberg.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

FOUND = "tests/live/iceberg/test_found_schedules.py::test_found_violation_is_real"
POOL = "tests/live/iceberg/test_creating.py::test_what_the_pool_makes_of_a_connection_that_breaks"
DROPPED = "drop-after-beside-create"
SEARCHED_ON = "2026-11-25"
STATES = (
    "SQLSTATE 08000, 08003, 08006, 08007 or 40001, any `SQLTransientException`, and what `retryable_status_codes` adds"
)
NEAREST = (
    ("apache/iceberg#10140", "brought these SQLSTATEs; of a statement that was applied no word (merged)"),
    ("apache/iceberg#17828", "would run statements again after more errors (open)"),
    ("apache/polaris#5459", "the same in another catalog's database layer: an update is run again blindly (open)"),
)
WORDS = (
    "iceberg JdbcCatalog commit retry connection lost CommitFailedException table corrupted metadata deleted although "
    "commit succeeded",
    "apache/iceberg JdbcCatalog retryable status codes 08006 connection retry update executed twice commit lost "
    "ClientPoolImpl",
)
WHERE = (
    "The JDBC catalog (`type=jdbc`) with its defaults, on any database; the driver has to report the broken connection "
    f"by what the pool takes for one: {STATES}. PostgreSQL's does (08006)."
)
JDBC_LOSSES: tuple[Loss, ...] = (
    Loss(
        "A commit whose database connection breaks deletes its own manifest list",
        named(DEFECTS, "iceberg/jdbc-change-broken"),
        f"{WHERE} A commit that validates what was added since it began: Spark's copy-on-write DELETE, UPDATE and "
        "MERGE under `serializable`, which is the default; a validated overwrite.",
        "Rare per commit: the connection has to break after the UPDATE was carried out and before its answer, as when "
        "a proxy, a failover or a network gives up in between. Then it is certain: no other writer is needed.",
        "Nothing in the catalog's properties: the statements of the pool are run again once, always. A driver that "
        "reports such errors by another SQLSTATE leaves the outcome open, and nothing is deleted. Afterwards: the "
        "metadata file before the current one is whole; set `metadata_location` back to "
        "`previous_metadata_location`, and run the statement again.",
        (f"{FOUND}[iceberg/jdbc-change-broken]",),
        Upstream("", NEAREST, WORDS, SEARCHED_ON),
        "The second UPDATE finds another location in the row, its own, and changes none: `CommitFailedException`, a "
        "lost race. The retry meets its own snapshot as somebody else's, is refused, and cleans up. Over REST an "
        "answer to the like does it (`iceberg/update-reply-faults`); the Hive catalog asks for the outcome first.",
    ),
    Loss(
        "An append is lost to another one whose database connection broke",
        named(DEFECTS, "iceberg/jdbc-append-broken"),
        f"{WHERE} Any two commits, appends among them.",
        "Rare: as above, and another commit has to come between the UPDATE that was applied and the retry's load, a "
        "tenth of a second and more (`commit.retry.min-wait-ms`). Busy tables have many.",
        "As above. Afterwards: the lost snapshot is still in the table, a sibling of main's head: cherry-pick it.",
        (f"{FOUND}[iceberg/jdbc-append-broken]",),
        Upstream("", NEAREST, WORDS, SEARCHED_ON),
        "Who finds his own snapshot in the table, below the head, makes it the head again: the commit on top of it, "
        "which was acknowledged, is no longer in main. The same as `iceberg/insert-insert-misreported`, and no server "
        "has to misreport anything for it.",
    ),
    Loss(
        "A drop whose database connection breaks drops another table",
        named(DEFECTS, "iceberg/jdbc-drop-broken"),
        f"{WHERE} `dropTable`, and what calls it: `DROP TABLE`, `CREATE OR REPLACE` of an engine that drops and "
        "creates.",
        "Rare: the connection has to break after the DELETE was carried out, and somebody has to make a table of that "
        "name before the new connection is there, which is at once.",
        "Do not let two jobs drop and create one name. Files stay if the drop was told to leave them: register the "
        "table anew by its newest metadata file.",
        (f"{FOUND}[iceberg/jdbc-drop-broken]", f"{POOL}[{DROPPED}]"),
        Upstream(
            "",
            (*NEAREST, ("apache/iceberg#4337", "what a drop of a table is answered that is not there (closed)")),
            WORDS,
            SEARCHED_ON,
        ),
        "The DELETE names a table, not which one. A creation is safer by luck: its second INSERT is refused, and the "
        "pool then gives the first error, after which the outcome is open and nothing is deleted.",
    ),
)
