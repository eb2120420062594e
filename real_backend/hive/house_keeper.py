"""The house keeper of a group of metastores: the shipped service that aborts transactions which give no sign of life.

It runs in a metastore of its own beside the group, over the same database, and looks every tenth of a second. Nobody is
silent for long enough by himself: whoever is to time out is said to have been silent since the beginning, in his row.

Source: `AcidHouseKeeperService` 4.0.1, `PerformTimeoutsFunction`.
"""

import time
from pathlib import Path

from real_backend.errors import BackendTimeout
from real_backend.hive.backing import Backing
from real_backend.hive.metastore import Metastore
from real_backend.hive.postgres import Postgres

NAME = "keeper"
SETTINGS = {
    "metastore.task.threads.always": "org.apache.hadoop.hive.metastore.txn.service.AcidHouseKeeperService",
    "metastore.acid.housekeeper.interval": "100ms",
    "metastore.txn.timeout": "86400s",
}
LONGEST_S = 20.0
POLL_S = 0.02


class HouseKeeper:
    """The service, from now to `stop`."""

    def __init__(self, postgres: Postgres, database: str, folder: Path, backing: Backing) -> None:
        """Start it and wait until it is healthy. Raises: `BackendUnavailable`, `BackendTimeout`."""
        self._backing = backing
        self._metastore = Metastore(NAME, postgres, database, folder, cached=False, settings=SETTINGS)
        self._metastore.start()
        self._metastore.await_health()

    def abort(self, txn: int) -> bool:
        """Let a transaction time out, and wait until it is aborted; whether it was open. Raises: `BackendTimeout`."""
        if not self._backing.silence(txn):
            return False
        deadline = time.monotonic() + LONGEST_S
        while self._backing.open_txns([txn]):
            if time.monotonic() > deadline:
                raise BackendTimeout(f"transaction {txn}: expected its time-out within {LONGEST_S:g} s, it is open")
            time.sleep(POLL_S)
        return True

    def stop(self) -> None:
        """End it."""
        self._metastore.stop()
