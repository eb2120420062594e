"""What Iceberg loses over metastores with caches, a page each."""

from __future__ import annotations

from sim.iceberg.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

METASTORE_LOSSES: tuple[Loss, ...] = (
    Loss(
        "Iceberg commits are lost between two cached metastores",
        named(DEFECTS, "hive/iceberg-shipped-lock-two"),
        "Iceberg's Hive catalog with its lock, on two Hive Metastores with `metastore.rawstore.impl` CachedStore and "
        "`metastore.cache.can.use.event` on; two writers, each on another one.",
        "Certain, sooner or later: two commits within one interval of the cache's update are enough. No fault.",
        "No CachedStore for metastores that Iceberg commits to. In this mode one metastore for all writers helps, too; "
        "in the default mode it does not.",
        ("tests/live/iceberg/test_over_metastores.py::test_cell_of_the_table[hive/iceberg-shipped-lock-two]",),
        Upstream(
            "",
            (
                ("apache/hive#6022", "HIVE-29035: a stale cache of Hive's own REST catalog (open)"),
                ("apache/iceberg#11866", "a commit that landed is taken for a conflict (closed)"),
            ),
            ("HiveCatalog commit lost HMS cached metastore stale metadata_location lock CachedStore concurrent",),
        ),
    ),
    Loss(
        "An Iceberg commit is lost on a single cached metastore",
        named(DEFECTS, "hive/iceberg-refresh-lock-one"),
        "Iceberg's Hive catalog with its lock, on one Hive Metastore with `metastore.rawstore.impl` CachedStore and "
        "everything else as by default (`metastore.cache.can.use.event` off).",
        "Seldom on an idle database, for the cache has a change before the database has it, and a refresh must read "
        "between the two; the longer a commit waits for its database (all changes of all metastores wait for one row, "
        "`NOTIFICATION_SEQUENCE`), the likelier. What is served then is old until the next one, by default a minute.",
        "No CachedStore for metastores that Iceberg commits to.",
        (
            "tests/live/hive/test_refresh_undone.py::test_an_acknowledged_iceberg_commit_is_lost_on_one_metastore",
            "tests/live/hive/test_refresh_undone.py"
            "::test_a_refresh_undoes_a_change_that_is_about_to_be_committed",
        ),
        Upstream(
            "",
            (
                ("apache/hive#479", "events bring changes into the cache at their commit, and not before (closed)"),
                ("apache/hive#5882", "HIVE-29035: a stale cache of Hive's own REST catalog (merged)"),
            ),
            ("CachedStore refresh stale table after alter_table uncommitted cache update read your own write",),
            "2026-11-23",
        ),
        "Live, the commit is held up by a client that has that row of the database; nothing else is changed. Its "
        "metastore shows the change before it is committed, too, and then takes it back.",
    ),
)  # fmt: skip
