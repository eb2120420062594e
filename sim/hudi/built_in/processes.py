"""Hudi scenarios: two processes on one table, each under an in-process lock of its own.

The lock lives in the memory of a process: within one it keeps writers apart (`hudi/prefer-writer`), between two it
keeps nobody out. Each process draws its times by a counter of its own, and waits a millisecond for the other's clock,
as Hudi does with that lock.

Source: hudi/2.5 (`InProcessLockProvider` is for one JVM only); `HoodieTimeGeneratorConfig`.
"""

from model.hudi import SHIPPED, coverage
from model.hudi.keys import SKEW
from sim.hudi.build import EVERYTHING, LOCKED, ONE_GROUP, PREFERRING, race
from sim.hudi.built_in.locks import HOSTS

TWO_PROCESSES = (*PREFERRING, (SKEW, "1"))
APART = {
    "one-lock-holder": "hudi/two-processes-locks breaks it",
    "clean-at-quiescence": "who draws the other's millisecond is refused, and leaves its heartbeat",
}
PROCESSES = (
    race(
        "two-processes",
        "The in-process lock in two processes: both find no conflict, both commit, and an acknowledged update is lost.",
        ONE_GROUP,
        rules=SHIPPED,
        options=TWO_PROCESSES,
        properties=EVERYTHING,
        but=APART,
        broken="no-lost-update",
        pair="one-process",
        **HOSTS,
    ),
    race(
        "two-processes-locks",
        "The in-process lock in two processes: both hold it at once.",
        ONE_GROUP,
        rules=SHIPPED,
        options=TWO_PROCESSES,
        properties=LOCKED,
        but=dict.fromkeys([name for name in EVERYTHING if name not in LOCKED], "asked of hudi/two-processes"),
        broken="one-lock-holder",
        pair="one-process",
        **HOSTS,
    ),
    race(
        "one-process",
        "The same two writers in one process: one of them is refused, and nothing is lost.",
        ONE_GROUP,
        rules=SHIPPED,
        options=TWO_PROCESSES,
        properties=EVERYTHING,
        counters=(coverage.CONFLICT_FOUND, coverage.COMMITTED),
        pair="two-processes",
    ),
)
