"""The filling of one metastore's cache anew, as at the start of its process: it goes on from part to part when told to.

The first part reads the position in the log and the names of the tables, each other one reads a table and puts it into
the cache. Between two parts nobody who connects to the metastore, or commits there, is answered: upstream holds a lock.

Source: `CachedStore.triggerPreWarm`, `prewarm` (4.0.1); `java/CacheRestart.java`, `java/TimerGate.java`.

Choices: the process goes on, and so do its connections: all that a cache knows is made anew in it, which is what is
lost with a process. Of databases only the run's own is filled in.
"""

import time

from real_backend.errors import BackendTimeout
from real_backend.hive.backing import Backing
from real_backend.hive.control import ANSWER_S
from real_backend.hive.metastore import Metastore
from real_backend.hive.timer import LOOK_S, POINTS
from sim.hive.live import PREWARM


class Filling:
    """Moves one metastore's prewarm. `parts` names those at which it can stand still."""

    parts = PREWARM

    def __init__(self, metastore: Metastore, backing: Backing) -> None:
        self._metastore = metastore
        self._backing = backing
        self._polls = 0

    def begin(self) -> None:
        """Let the cache be as at a start; returns when it is about to be filled. Raises: `BackendTimeout`."""
        self._polls = self._metastore.control.ask(f"restart {self._backing.newest_database()}").polls
        self._await_part()

    def go(self) -> str:
        """Let it go on. Returns: before which part it stands then, "" when it is filled. Raises: `BackendTimeout`."""
        self._metastore.control.ask("timer go")
        return self._await_part()

    def free(self) -> None:
        """Let it go on by itself, if it is under way."""
        self._metastore.control.ask(f"timer free {self._backing.newest_database()}")

    def _await_part(self) -> str:
        """Filled is a cache that has come to its next update."""
        deadline = time.monotonic() + ANSWER_S
        while not (where := self._metastore.control.ask()).at and where.polls <= self._polls:
            if time.monotonic() > deadline:
                raise BackendTimeout(f"{self._metastore.name}: expected its cache to be filled, it is not; {where}")
            time.sleep(LOOK_S)
        part = POINTS[where.at]
        return part if part in self.parts else ""
