"""A bucket that two clients begin on the real Hudi 1.2.0, and a third client."""

from pathlib import Path
from typing import Any

from model.hudi.keys import BUCKET_INDEX, BUCKETS, INDEX, LOCK_PROVIDER
from real_backend.hudi.client import SplitClient
from real_backend.hudi.options import ENGINE, FIXED, LOCKS
from real_backend.hudi.table import LiveTable
from sim.hudi.build import OPTIMISTIC

SHARED = {
    **FIXED,
    **dict(OPTIMISTIC),
    LOCK_PROVIDER: f"{LOCKS}.InProcessLockProvider",
    "hoodie.clean.failed.writes.policy": "LAZY",
    INDEX: BUCKET_INDEX,
    ENGINE: "SIMPLE",
    BUCKETS: "1",
}


def begun_by_two(spark: Any, folder: Path, options: dict[str, str]) -> tuple[LiveTable, list[SplitClient]]:
    """A new table, and three clients: the first two have written one key, and have not committed it."""
    table = LiveTable(spark[0], folder / "t")
    table.create()
    clients = [SplitClient(spark[0], str(table.path), SHARED | options) for _ in range(3)]
    for client in clients[:2]:
        client.start()
    for order, (client, value) in enumerate(zip(clients, "AB", strict=False)):
        client.upsert((("1", "p", value),), order)
    return table, clients
