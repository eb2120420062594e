"""Hudi scenarios: a session of ZooKeeper that expires while its lock is held.

Source: `BaseZookeeperBasedLockProvider`, which has no listener for its session (1.2.0).
"""

from model.hudi import SHIPPED, coverage
from model.hudi.keys import CONFLICTS, PREFER_WRITER, SESSION_TIMEOUT
from model.hudi.variants import COMMITS_DECIDED
from sim.hudi.build import EVERYTHING, HIT, ONE_GROUP, PAUSE_MS, WRITES, race
from sim.hudi.built_in.locks import ZOOKEEPER_LOCK
from sim.services.mutexes import SESSION_EXPIRED
from sim.world.scenario import FaultSpace

EXPIRING = (*ZOOKEEPER_LOCK, (CONFLICTS, PREFER_WRITER), (SESSION_TIMEOUT, "1000"))
"""The unit is a second, as with `SHORT_BEATS`; by default a session lasts a minute, and so does a beat."""
STANDS_STILL = FaultSpace(
    {"create": ("pause",)},
    limit=1,
    pause_ms=PAUSE_MS,
    words=f"a pause of {PAUSE_MS:,} ms at a create-only write (the question is one)",
)
BUT = {**HIT, "one-lock-holder": "whose session has expired has no lock, and does not know it"}

ZOOKEEPER_SESSIONS = (
    race(
        "zookeeper-session",
        "A writer that stands still in its critical section until its session has expired: another one commits, and so "
        "does he when he goes on (G-8).",
        ONE_GROUP,
        rules=SHIPPED,
        options=EXPIRING,
        one_process=False,
        faults=STANDS_STILL,
        yield_points=WRITES,
        properties=EVERYTHING,
        but=BUT,
        broken="no-lost-update",
        pair="zookeeper-session-decided",
    ),
    race(
        "zookeeper-session-decided",
        "The same where commits are decided by a file that is made once (ours, not shipped): he is refused, or was "
        "completed by the other one.",
        ONE_GROUP,
        rules=COMMITS_DECIDED,
        options=EXPIRING,
        one_process=False,
        faults=STANDS_STILL,
        yield_points=WRITES,
        properties=EVERYTHING,
        but=BUT,
        counters=(SESSION_EXPIRED, coverage.CONFLICT_FOUND, coverage.COMMITTED),
        pair="zookeeper-session",
    ),
)
