"""The metastore scenarios that come with the product: the reference, the document, what 4.0 ships."""

from __future__ import annotations

from sim.hive.asking import ASKING
from sim.hive.build import SESSION_GUARANTEES, STEPS, metastore
from sim.hive.constraints import CONSTRAINTS
from sim.hive.denied import DENIED
from sim.hive.design import DOCUMENT
from sim.hive.impala import DAEMONS
from sim.hive.impala_mended import KEPT, MENDED
from sim.hive.inserting import INSERTING
from sim.hive.locking import LOCKING
from sim.hive.memory import MEMORY
from sim.hive.opens import OPENS
from sim.hive.other_caches import PATCHED, REFRESHED
from sim.hive.partitions import PARTITIONS
from sim.hive.reference import REFERENCE
from sim.hive.renamed_databases import DATABASES
from sim.hive.renamed_under_locks import RENAMED_UNDER_LOCKS
from sim.hive.restarting import RESTARTS
from sim.hive.shipped import CACHED_STORE
from sim.hive.statistics import STATISTICS
from sim.hive.truncating import TRUNCATES
from sim.hive.updating import UPDATING
from sim.world.scenario import Scenario

HIVE: tuple[Scenario, ...] = (
    *REFERENCE, *DOCUMENT, *PATCHED, *CACHED_STORE, *REFRESHED, *DAEMONS, *MENDED, *KEPT, *LOCKING, *MEMORY, *DENIED,
    *PARTITIONS, *STATISTICS, *RESTARTS, *UPDATING, *ASKING, *DATABASES, *OPENS, *INSERTING, *CONSTRAINTS, *TRUNCATES,
    *RENAMED_UNDER_LOCKS,
)  # fmt: skip

__all__ = [
    "CACHED_STORE", "DAEMONS", "DOCUMENT", "HIVE", "LOCKING", "PATCHED", "REFERENCE", "REFRESHED", "SESSION_GUARANTEES",
    "STEPS", "UPDATING", "metastore",
]  # fmt: skip
