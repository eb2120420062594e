"""Hudi scenarios: the lock of a Hive Metastore, which times out when nobody beats for it.

A beat that fails ends all (#19334, after 1.2.0), and a lock that was granted and not answered is nobody's until the
metastore takes it (#19370 asks for it again; 1.2.0 asks for lock 0). A holder that stands still is in no issue that was
found: nothing in the completed file says under which lock it was written.
"""

from model.hudi import SHIPPED, coverage
from model.hudi.keys import (
    CONFLICTS,
    LOCK_BEAT,
    LOCK_PROVIDER,
    METASTORE,
    METASTORE_TIMEOUT,
    MODE,
    OCC,
    PREFER_WRITER,
    SKEW,
)
from model.hudi.variants import FIXED
from sim.hudi.build import EVERYTHING, HIT, ONE_GROUP, RETRIES, RETRY_WAIT, race
from sim.hudi.built_in.locks import ALONE, HOSTS, STANDS_STILL
from sim.hudi.workload import Options
from sim.world.scenario import FaultSpace

METASTORE_LOCK: Options = (
    (MODE, OCC), (LOCK_PROVIDER, METASTORE), (CONFLICTS, PREFER_WRITER), (RETRIES, "3"), (RETRY_WAIT, "5000"),
)  # fmt: skip
TRIED_TWICE: Options = (*METASTORE_LOCK[:-2], (RETRIES, "1"), (RETRY_WAIT, "5000"))
SHORT: Options = ((METASTORE_TIMEOUT, "10"), (LOCK_BEAT, "2000"))
"""As by default, five beats in the time of a lock, which is shorter."""
LONG_HELD: Options = (*METASTORE_LOCK[:-2], (RETRIES, "1"), (RETRY_WAIT, "11000"), *SHORT, (SKEW, "12000"))
"""Whoever draws a time holds the lock for longer than it lives without beats; who waits for it comes in between."""
BEAT_LOST = FaultSpace(
    {"heartbeat": ("drop-before",)},
    limit=1,
    words="a beat for the lock that does not arrive (the question is one)",
)
UNANSWERED = FaultSpace(
    {"lock": ("drop-after",)},
    limit=1,
    words="a request for the lock that is granted and not answered (the question is one)",
)
STEPS = ("lock", "create", "sleep", "heartbeat")
LOCK_STEPS = ("lock", "sleep", "heartbeat")
METASTORE_LOCKS = (
    race(
        "metastore-lock",
        "Metastore's lock: it is granted to one at a time, and kept by beats however long it is held.",
        ONE_GROUP,
        rules=SHIPPED,
        options=TRIED_TWICE,
        properties=EVERYTHING,
        counters=(coverage.LOCK_BUSY, coverage.CONFLICT_FOUND),
        yield_points=("lock", "create"),
        **HOSTS,
    ),
    race(
        "metastore-lock-expired",
        "Metastore's lock: a holder that stood still until it timed out goes on beside the next one, and an update is "
        "lost (G-8).",
        ONE_GROUP,
        rules=SHIPPED,
        options=(*METASTORE_LOCK, *SHORT),
        faults=STANDS_STILL,
        properties=EVERYTHING,
        but=HIT,
        broken="no-lost-update",
        yield_points=STEPS,
        **HOSTS,
    ),
    race(
        "metastore-lock-beat",
        "Metastore's lock: one beat that does not arrive is the last one, and the lock of who works on is given to "
        "somebody else (#19334).",
        ONE_GROUP,
        rules=SHIPPED,
        options=LONG_HELD,
        faults=BEAT_LOST,
        properties=EVERYTHING,
        but=HIT,
        broken="one-lock-holder",
        yield_points=LOCK_STEPS,
        pair="metastore-lock-beat-fixed",
        **HOSTS,
    ),
    race(
        "metastore-lock-beat-fixed",
        "The same where the next beat is tried: nobody else is granted the lock.",
        ONE_GROUP,
        rules=FIXED,
        options=LONG_HELD,
        faults=BEAT_LOST,
        properties=EVERYTHING,
        but=HIT,
        counters=(coverage.LOCK_RENEWED, coverage.LOCK_BUSY),
        yield_points=LOCK_STEPS,
        pair="metastore-lock-beat",
        **HOSTS,
    ),
    race(
        "metastore-lock-unanswered",
        "Metastore's lock: it is granted and not answered, so who asked waits in line behind itself, and gives up: by "
        "default its 51 tries end before the metastore takes the lock.",
        ALONE,
        rules=SHIPPED,
        options=METASTORE_LOCK[:-2],
        faults=UNANSWERED,
        properties=EVERYTHING,
        but=HIT,
        broken="somebody-finishes",
        yield_points=("lock",),
        **HOSTS,
    ),
)
