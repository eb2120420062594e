"""The Hudi scenarios that come with the product."""

from sim.hudi.archived_reads import ARCHIVED_READS
from sim.hudi.archiving import ARCHIVED
from sim.hudi.bloom import BLOOM_DETECTION
from sim.hudi.bucket_logs import BUCKET_LOGS
from sim.hudi.buckets import BUCKETED
from sim.hudi.cleaning import SLICES
from sim.hudi.clustering import CLUSTERING
from sim.hudi.clustering_executors import CLUSTERING_EXECUTORS
from sim.hudi.clustering_logs import CLUSTERING_LOGS
from sim.hudi.conflicts import CONFLICTS
from sim.hudi.damaged_markers import DAMAGED
from sim.hudi.deletes import DELETES
from sim.hudi.eager import EAGERS
from sim.hudi.early import EARLY_DETECTION, FALSE_ALARMS, POISONED, RETRIES
from sim.hudi.evolving import EVOLVING
from sim.hudi.evolving_logs import EVOLVING_LOGS
from sim.hudi.locks import LOCKS
from sim.hudi.log_compactions import LOG_COMPACTIONS
from sim.hudi.marker_names import MARKER_NAMES
from sim.hudi.merge_on_read import MERGE_ON_READS
from sim.hudi.metadata_compactions import METADATA_COMPACTIONS
from sim.hudi.metadata_executors import METADATA_EXECUTORS
from sim.hudi.metadata_restores import METADATA_RESTORES
from sim.hudi.metadata_tables import METADATA_TABLES
from sim.hudi.metastore_locks import METASTORE_LOCKS
from sim.hudi.news import NEWS_SCENARIOS
from sim.hudi.non_blocking import NON_BLOCKINGS
from sim.hudi.partitions import PARTITIONS
from sim.hudi.processes import PROCESSES
from sim.hudi.replacing import REPLACING
from sim.hudi.replacing_logs import REPLACING_LOGS
from sim.hudi.restored_logs import RESTORED_LOGS
from sim.hudi.restores import RESTORES
from sim.hudi.restores_archived import RESTORES_ARCHIVED
from sim.hudi.rollbacks import ROLLBACKS
from sim.hudi.savepoints import SAVEPOINTS
from sim.hudi.savepoints_archived import SAVEPOINTS_ARCHIVED
from sim.hudi.server_markers import ASYNC_DETECTION, SERVER_MARKERS
from sim.hudi.several_buckets import SEVERAL_BUCKETS
from sim.hudi.storage_locks import STORAGE_LOCKS
from sim.hudi.time_travel import TIME_TRAVELS
from sim.hudi.updates import UPDATES
from sim.hudi.zookeeper_sessions import ZOOKEEPER_SESSIONS
from sim.world.scenario import Scenario

HUDI: tuple[Scenario, ...] = (
    *CONFLICTS, *EARLY_DETECTION, *FALSE_ALARMS, *POISONED, *RETRIES, *ASYNC_DETECTION, *SERVER_MARKERS,
    *BLOOM_DETECTION, *LOCKS, *ROLLBACKS, *PARTITIONS, *STORAGE_LOCKS,
    *METASTORE_LOCKS, *MARKER_NAMES, *DAMAGED, *PROCESSES, *REPLACING,
    *CLUSTERING, *SLICES, *SAVEPOINTS, *RESTORES, *ARCHIVED, *MERGE_ON_READS, *NON_BLOCKINGS,
    *METADATA_TABLES, *REPLACING_LOGS, *RESTORED_LOGS, *CLUSTERING_LOGS, *LOG_COMPACTIONS,
    *METADATA_COMPACTIONS, *METADATA_RESTORES, *RESTORES_ARCHIVED, *SAVEPOINTS_ARCHIVED,
    *CLUSTERING_EXECUTORS, *METADATA_EXECUTORS, *NEWS_SCENARIOS, *TIME_TRAVELS, *ARCHIVED_READS, *UPDATES, *DELETES,
    *BUCKETED, *BUCKET_LOGS, *SEVERAL_BUCKETS, *EVOLVING, *EVOLVING_LOGS, *EAGERS, *ZOOKEEPER_SESSIONS,
)  # fmt: skip
