"""The update thread of one cached metastore in its default mode: a timer that goes on from part to part when told to.

Each read of the database, the look at the cache's flag and each replacement in the cache is a step of its own, with the
simulator's name for it.

Source: `java/TimerGate.java`, which says where the thread stands still.

Choices: a run's tables are in the newest database, and no other is refreshed, for what a replica has changed is one
flag for all databases. After the tables have been made two refreshes go by, for the first leaves out what was changed.
"""

import time

from real_backend.errors import BackendTimeout
from real_backend.hive.backing import Backing
from real_backend.hive.control import ANSWER_S
from real_backend.hive.metastore import Metastore
from sim.hive.live import PREWARM

POLL = "poll"
POINTS = (
    "", POLL, "refresh_table", "refresh_check", "apply", "refresh_names", "refresh_partitions", *PREWARM,
)  # fmt: skip
"""Where it can stand, as `TimerGate` numbers them."""
WHOLE_REFRESHES = 2
LOOK_S = 0.002


class Timer:
    """Moves one metastore's timer."""

    def __init__(self, metastore: Metastore, backing: Backing) -> None:
        self._metastore = metastore
        self._backing = backing

    def close(self, *, pulls: bool = True) -> None:
        """From its next refresh on the timer stands still before each part; returns when it does."""
        self._metastore.control.ask(f"timer hold {self._backing.newest_database()}")
        self.await_part()

    def open(self) -> bool:
        """Let the timer go on by itself, until the cache has all that there was; True, for it always has by then."""
        self._free(WHOLE_REFRESHES)
        return True

    def try_open(self) -> bool:
        """Let the timer go on by itself; False if it does not go off."""
        try:
            self._free(0)
        except BackendTimeout:
            return False
        return True

    def _free(self, whole: int) -> None:
        """Wait for the refresh that begins after as many whole ones."""
        control = self._metastore.control
        begun = control.ask(f"timer free {self._backing.newest_database()}").polls
        control.await_poll(begun + whole, ANSWER_S)

    def await_part(self) -> str:
        """Wait until it stands still. Returns: before which part. Raises: `BackendTimeout`."""
        deadline = time.monotonic() + ANSWER_S
        while not (at := self._metastore.control.ask().at):
            if time.monotonic() > deadline:
                raise BackendTimeout(f"{self._metastore.name}: expected its timer to stand still, it does not")
            time.sleep(LOOK_S)
        return POINTS[at]

    def go(self) -> str:
        """Let it go on to its next part. Returns: which that is. Raises: `BackendTimeout`."""
        self._metastore.control.ask("timer go")
        return self.await_part()
