"""The live counterparts of races on an Iceberg table: which system plays them, and what its gate can inject."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from model.iceberg.partitioning import PartitionSpec
from model.iceberg.tables import IN_FOLDERS, REPLACING
from sim.iceberg.creating import DropTable, InSql, OfTables, purges
from sim.iceberg.sql_statements import RewriteInCommits
from sim.iceberg.workload import Append, IcebergWorkload, Insert
from sim.world.fault_spaces import REGISTER
from sim.world.live import Live
from sim.world.scenario import LEASE_MS

CATALOG_STEPS = ("load", "commit")
SYSTEMS = {
    ("rest", True): "iceberg-sql", ("java-api", False): "iceberg-java", ("rest", False): "iceberg-java-on-rest",
    ("jdbc", False): "iceberg-java-on-jdbc", ("jdbc", True): "iceberg-sql", ("hadoop", False): "iceberg-java-on-hadoop",
    (REPLACING, False): "iceberg-java-on-hadoop",
}  # fmt: skip
"""Live systems by catalog, and by whether they are sent SQL."""
_STATUSES = tuple(kind for kind in REGISTER.kinds["commit"] if kind[0].isdigit())
LIVE_FAULTS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "iceberg-sql": {"load": ("stale",), "commit": (*_STATUSES, "drop-before", "drop-after")},
    "iceberg-java-on-rest": {"commit": (*_STATUSES, "drop-before", "drop-after")},
    "iceberg-java-on-jdbc": {"load": ("drop-before",), "commit": ("drop-before", "drop-after")},
    "iceberg-java-on-hadoop": {
        "load": ("drop-before",),
        "commit": ("drop-before", "drop-after"),
        "hint": ("drop-before", "drop-after"),
    },
    "iceberg-java": {"commit": tuple(k for k in _STATUSES if not k.endswith("-retry") and not k.startswith("429"))},
}
"""What the gates of the live systems can inject; a time to wait is the HTTP client's business, below the Java API.
Over REST its own strategy is asked."""
ON_JDBC = LIVE_FAULTS["iceberg-java-on-jdbc"]


def live_of(workload: IcebergWorkload) -> Live | str:
    """Spark SQL or the Java API on a REST or JDBC catalog, or the Java API in memory or on Hadoop; others are simulated
    only."""
    if workload.idempotency and workload.catalog != "rest":
        return f"expected a REST catalog for idempotency keys, got {workload.catalog}"
    if workload.keys != "kept" and not workload.in_sql:
        return f"expected keys that are kept, for the Java API's server is Iceberg's own, got {workload.keys}"
    if any(isinstance(one, InSql) for _, todo in workload.writers for one in todo):
        return "expected statements that live gates hold, got one that drops or renames a table by SQL"
    if _plans_after_a_purge(workload):
        return "expected writers whose first statement alone reads files beside a purge, got one who reads again"
    if _in_any_order(workload):
        return "expected partitions with other numbers of files each for a rewrite in commits, got two with as many"
    system = SYSTEMS.get((workload.catalog, workload.in_sql))
    if system is None:
        client = "Spark SQL" if workload.in_sql else "the Java API"
        catalogs = "a REST or JDBC catalog, or the Java API in memory or on Hadoop"
        return f"expected {catalogs}, got {client} on {workload.catalog}"
    total_ms = int(dict(workload.table_properties).get("commit.retry.total-timeout-ms", LEASE_MS))
    timed = "a client that stands at the gate would have to go on trying in time" if total_ms < LEASE_MS else ""
    further = "hint" if workload.prunes else "look" if workload.catalog == REPLACING else None
    steps = CATALOG_STEPS if further is None else (*CATALOG_STEPS, further)
    faults = ON_JDBC if workload.catalog == "jdbc" else LIVE_FAULTS[system]
    return Live(system, workload, (steps,), faults=faults, timed=timed)


def _in_any_order(workload: IcebergWorkload) -> bool:
    """Whether the partitions of a table that is rewritten in several commits may come in any order, when the race
    begins: live, those with as many files do."""
    rewrites = any(isinstance(one, RewriteInCommits) for _, todo in workload.writers for one in todo)
    if not rewrites or workload.first_field is None:
        return False
    inserted = [one.rows for one in workload.history if isinstance(one, Insert)]
    if len(inserted) < len(workload.history):
        return True
    spec = PartitionSpec(0, (workload.first_field,))
    written = [spec.divided(rows) for rows in (workload.rows, *inserted)]
    counts = Counter([partition for each in written for partition in each])
    return len(set(counts.values())) < len(counts)


def _plans_after_a_purge(workload: IcebergWorkload) -> bool:
    """Whether somebody may plan by files that a purge has deleted, or a drop of a folder: live, who sends a statement
    knows its files before the race."""
    folders = workload.catalog in IN_FOLDERS
    later = [one for _, todo in workload.writers for one in todo[1:]]
    purged = any(purges(todo) or (folders and DropTable() in todo) for _, todo in workload.writers)
    return purged and not all(isinstance(one, Append | OfTables) for one in later)
