"""The names of the paths that a run can prove to have taken; see `model.ports.Coverage`.

Example: a scenario says that `HIT` and `STALE` must not stay zero, or its "holds" proves nothing.
"""

HIT = "hive: served from the cache"
NOT_CACHED = "hive: table not cached"
STALE = "hive: tag behind the request"
UNFINISHED = "hive: content of an unfinished write in the cache"
OTHER_ID = "hive: another table of this name in the cache"
NULL_LIST = "hive: null list on a managed table refused"
EVENTUAL = "hive: external table served as cached"
FILLED = "hive: entry made on a miss"

CONTENT_APPLIED = "hive: content event applied"
CONTENT_SKIPPED = "hive: content event older than the loaded entry skipped"
IDS_FROM_ALLOC = "hive: write ids of a commit known from its ALLOC events"
IDS_LOOKED_UP = "hive: write ids of a commit looked up in the database"
ABORT_APPLIED = "hive: ids of an aborted transaction marked aborted"
RENAMED = "hive: cached entry renamed"
REBUILT = "hive: cache rebuilt after a gap"
RELOADED = "hive: entry reloaded after an event that could not be applied"
POLLER_STUCK = "hive: poller retries the same event"
REPLAY_WROTE = "hive: replay wrote the database"
DROP_OF_REMADE = "hive: drop followed while a table of its name has partitions"
PREWARMED = "hive: table prewarmed"

OWN_WRITE_MARKED = "hive: own write id marked committed"
DEADLOCK = "hive: deadlock, tried again"
SLOW_OPEN = "hive: slow open retried"
WRITE_CONFLICT = "hive: write conflict aborted a commit"
