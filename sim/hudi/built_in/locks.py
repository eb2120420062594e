"""Hudi scenarios: the file-system lock, and clocks further apart than anybody waits for."""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.keys import FILE_SYSTEM, LOCK_PROVIDER, ZOOKEEPER
from model.hudi.variants import OWNED_LOCK, VERSION_1_0
from sim.hudi.build import (
    EVERYTHING,
    EXPIRE,
    FILE_LOCK,
    OLDER,
    ONCE,
    ONE_GROUP,
    OPTIMISTIC,
    RETRIES,
    RETRY_WAIT,
    SCHEME,
    TWO_GROUPS,
    UNFENCED,
    Writers,
    race,
)
from sim.hudi.statements import Upsert
from sim.hudi.workload import Options
from sim.world.fault_spaces import CLOCK, FILES, wide
from sim.world.scenario import FaultSpace

ALONE: Writers = {"w1": [Upsert(((1, "A"),))]}
BYSTANDER: Writers = {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),))], "w3": [Upsert(((1, "C"),))]}
DISJOINT: Writers = {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),))]}
HOSTS: dict[str, Any] = {"one_process": False}
APART: dict[str, Any] = {**HOSTS, "clock_offsets_ms": (("w1", 200),)}
STANDS_STILL = FaultSpace(
    {"create": ("pause",)},
    limit=1,
    pause_ms=15_000,
    words="a pause of 15,000 ms at a create-only write (the question is one)",
)
ZOOKEEPER_LOCK: Options = (*OPTIMISTIC[:1], (LOCK_PROVIDER, ZOOKEEPER))
LOCKS = (
    race(
        "file-lock",
        "File-system lock: closing a client deletes whatever lock file is there, and an update is lost (F-1).",
        ONE_GROUP,
        rules=SHIPPED,
        options=FILE_LOCK,
        one_process=False,
        properties=EVERYTHING,
        broken="no-lost-update",
        pair="file-lock-owned",
    ),
    race(
        "file-lock-failed-client",
        "File-system lock: a client that never had the lock deletes the holder's when it is closed (F-1).",
        BYSTANDER,
        groups=TWO_GROUPS,
        rules=SHIPPED,
        options=FILE_LOCK,
        one_process=False,
        properties=EVERYTHING,
        broken="no-lost-update",
    ),
    race(
        "file-lock-owned",
        "File-system lock: a client deletes only the lock that it holds, and every property is kept.",
        ONE_GROUP,
        rules=OWNED_LOCK,
        options=FILE_LOCK,
        one_process=False,
        properties=EVERYTHING,
        counters=(coverage.LOCK_BUSY, coverage.CONFLICT_FOUND),
        pair="file-lock",
    ),
    race(
        "file-lock-expired",
        "File-system lock with an expiry: a holder that stood still goes on beside the next one (G-8).",
        ONE_GROUP,
        rules=OWNED_LOCK,  # as shipped, F-1 loses the update without any fault
        options=(*OPTIMISTIC[:1], (LOCK_PROVIDER, FILE_SYSTEM), (RETRIES, "3"), (RETRY_WAIT, "60000"), (EXPIRE, "1")),
        one_process=False,
        faults=wide(FILES, CLOCK, pause_ms=150_000, without={"resend": ONCE, "late": UNFENCED}),
        properties=EVERYTHING,
        broken="acknowledged-writes-survive",
    ),
    race(
        "clocks-collide",
        "Clocks further apart than the wait for skew, as in 1.0.x, and a storage that looks before it creates: two "
        "writers draw one instant and neither is told (G-7).",
        DISJOINT,
        groups=TWO_GROUPS,
        rules=VERSION_1_0,
        options=ZOOKEEPER_LOCK,
        storage="check-then-put",
        properties=EVERYTHING,
        but=OLDER,
        broken="table-invariants",
        yield_points=("create", "open-w", "try_lock", "sleep"),
        pair="clocks-collide-told",
        **APART,
    ),
    race(
        "clocks-collide-told",
        "The same clocks, on HDFS in 1.2.0: the second to create the requested file is refused.",
        DISJOINT,
        groups=TWO_GROUPS,
        rules=OWNED_LOCK,
        options=(*ZOOKEEPER_LOCK, (SCHEME, "hdfs")),
        properties=EVERYTHING,
        counters=(coverage.CREATE_REFUSED,),
        pair="clocks-collide",
        **APART,
    ),
)
