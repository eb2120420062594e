"""Does a session see its own change at the other metastore? It alters a table at h1 and reads it at h2.

    lakeproof run examples/hive_sessions.py

With CachedStore as Hive 4.0 ships it (RULES = SHIPPED), it does not; with the synchronized cache (RULES = FIXED), it
does. `--live` plays what was found on two real metastores.
"""

from model.hive import SHIPPED
from sim.hive.build import metastore
from sim.hive.workload import Alter, Begin, Commit, Get

TABLE = "default.t"
RULES = SHIPPED

scenario = metastore(
    "my-session",
    "One session alters a table at h1, and reads it at h2 in its next transaction.",
    {"etl": ("h1", (Begin((TABLE,)), Alter(TABLE, "v1"), Commit(), Begin((TABLE,), read_only=True), Get(TABLE, "h2")))},
    rules=RULES,
    broken="read-your-writes",
)
