"""The house keeper of a group of metastores: it aborts silent transactions and cleans what is known of ended ones.

It runs in a metastore of its own beside the group, over the same database, and does each part of its work when it is
told to, by the shipped functions. Nobody is silent for long enough by himself, and nothing is old enough to be cleaned:
who is to time out is said to have been silent since the beginning, in his row, and whatever is there when transactions
are cleaned is said to be as old; and when somebody begins beside it, for what is younger than an open may take (1 s)
counts as open for whoever begins (`MinOpenTxnIdWaterMarkFunction`), and is kept as long as he is.

Source: `AcidHouseKeeperService`, `AcidTxnCleanerService` 4.0.1, whose parts `java/HouseKeeper.java` calls.
"""

import time
from collections.abc import Mapping
from pathlib import Path

from real_backend.errors import BackendError, BackendTimeout
from real_backend.hive.backing import Backing
from real_backend.hive.control import Control
from real_backend.hive.metastore import Metastore
from real_backend.hive.postgres import Postgres
from sim.hive.live import CLEAN_TXNS, TIME_OUT

NAME = "keeper"
SETTINGS = {"metastore.task.threads.always": "lakeproof.HouseKeeper", "metastore.txn.timeout": "86400s"}
LONGEST_S = 20.0
POLL_S = 0.02


class HouseKeeper:
    """It, from now to `stop`."""

    def __init__(
        self, postgres: Postgres, database: str, folder: Path, backing: Backing, settings: Mapping[str, str] = {}
    ) -> None:
        """Start it, with more settings than its own, and wait until it is healthy.

        Raises: `BackendUnavailable`, `BackendTimeout`.
        """
        self._backing = backing
        self._control = Control()
        settings = {**SETTINGS, **settings, "lakeproof.control": str(self._control.port)}
        self._metastore = Metastore(NAME, postgres, database, folder, cached=False, settings=settings)
        self._metastore.start()
        self._metastore.await_health()
        deadline = time.monotonic() + LONGEST_S
        while not self._control.try_accept():
            if time.monotonic() > deadline:
                self.stop()
                raise BackendTimeout(f"house keeper: expected it within {LONGEST_S:g} s of its metastore, got none")
            time.sleep(POLL_S)

    @property
    def port(self) -> int:
        """Where its metastore answers."""
        return self._metastore.port

    def abort(self, txn: int) -> bool:
        """Let a transaction time out; whether it was open."""
        if not self._backing.silence(txn):
            return False
        self._do(TIME_OUT)
        if self._backing.open_txns([txn]):
            raise BackendError(f"transaction {txn}: expected it to time out, it is open")
        return True

    def clean(self, part: str) -> None:
        """Do one part of the cleaning, which has the name of its step."""
        if part == CLEAN_TXNS:
            self._backing.make_txns_old()
        self._do(part)

    def _do(self, part: str) -> None:
        if (said := self._control.say(part)) != "done":
            raise BackendError(f"house keeper: expected {part} to be done, got {said}")

    def stop(self) -> None:
        """End it."""
        self._metastore.stop()
        self._control.close()
