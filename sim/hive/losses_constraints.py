"""What Hive Metastore 4.0.1 loses of constraints, in either mode of its cache, as the pages tell it."""

from __future__ import annotations

from sim.hive.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

TESTS = "tests/live/hive/test_constraints.py"
UNMODIFIED = f"{TESTS}::test_upstreams_test_and_what_a_load_makes_of_constraints"
UPSTREAM = Upstream(
    "",
    (
        ("apache/hive#1610", "HIVE-24259: the request for all constraints at once, as it was made (merged)"),
        ("apache/hive#1587", "HIVE-24258: constraints that differ between cache and database (merged)"),
        ("apache/hive#1109", "HIVE-22015: constraints in the cache, as they were made (merged)"),
    ),
    (
        "CachedStore AllTableConstraintsRequest wrong argument order catName dbName tblName constraints empty prewarm "
        "not null constraint not enforced",
        "CachedStore constraints primary key dropped constraint still returned stale getPrimaryKeys cache update "
        "events",
    ),
    "2026-11-26",
)
ORDER = (
    "`AllTableConstraintsRequest` takes database, table and catalog, and CachedStore gives it catalog, database and "
    "table. It finds none, and calls that valid. "
)
ENFORCED = (
    "HiveServer2, which is not run here, asks for `NOT NULL`, `CHECK` and `DEFAULT` when it compiles an insert "
    "(`ConstraintExprGenerator`): without them nulls are written, and values that should be refused. "
)
TOLD = (
    "Upstream's own test of this (`testConstraintsForUpdateUsingEvents`) asks in the same wrong order, finds nothing "
    "in the database and nothing in the cache, and passes. "
)
HELPS = "No CachedStore; or a deny list with the tables that have constraints."

LOSSES: tuple[Loss, ...] = (
    Loss(
        "By default a metastore says that no table has constraints",
        named(DEFECTS, "hive/refresh-constraints"),
        "`metastore.rawstore.impl` CachedStore in its default mode (`metastore.cache.can.use.event` off); one "
        "metastore is enough. Primary and foreign keys, `UNIQUE`, `NOT NULL`, `DEFAULT`, `CHECK`; external and "
        "managed tables.",
        f"Certain: after each refresh (60 s by default), of every table that is cached. {ORDER}{ENFORCED}Who adds a "
        "constraint is told of it until the next refresh.",
        HELPS,
        (f"{TESTS}::test_what_the_search_finds_happens_live[refresh-constraints]", UNMODIFIED),
        UPSTREAM,
        f"{TOLD}Who asks for foreign keys without naming their parent is answered by the database.",
    ),
    Loss(
        "A metastore says of the tables that were there when it started that they have no constraints",
        named(DEFECTS, "hive/shipped-constraints"),
        "`metastore.rawstore.impl` CachedStore and `metastore.cache.can.use.event` on; one metastore is enough. All "
        "kinds of constraints, of external tables and managed ones.",
        f"Certain: from the start of a metastore on, for good. {ORDER}{ENFORCED}Once a constraint of a table is added "
        "or dropped, the database is asked for those of that table, until the metastore starts again.",
        HELPS,
        (f"{TESTS}::test_what_the_search_finds_happens_live[shipped-constraints]", UNMODIFIED),
        UPSTREAM,
        TOLD,
    ),
)
