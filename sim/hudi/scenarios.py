"""The Hudi scenarios that come with the product."""

from sim.hudi.built_in.archived_reads import ARCHIVED_READS
from sim.hudi.built_in.archiving import ARCHIVED
from sim.hudi.built_in.bloom import BLOOM_DETECTION
from sim.hudi.built_in.bucket_logs import BUCKET_LOGS
from sim.hudi.built_in.buckets import BUCKETED
from sim.hudi.built_in.cleaning import SLICES
from sim.hudi.built_in.clustering import CLUSTERING
from sim.hudi.built_in.clustering_executors import CLUSTERING_EXECUTORS
from sim.hudi.built_in.clustering_logs import CLUSTERING_LOGS
from sim.hudi.built_in.conflicts import CONFLICTS
from sim.hudi.built_in.damaged_markers import DAMAGED
from sim.hudi.built_in.deletes import DELETES
from sim.hudi.built_in.eager import EAGERS
from sim.hudi.built_in.early import EARLY_DETECTION, FALSE_ALARMS, POISONED, RETRIES
from sim.hudi.built_in.evolving import EVOLVING
from sim.hudi.built_in.evolving_logs import EVOLVING_LOGS
from sim.hudi.built_in.locks import LOCKS
from sim.hudi.built_in.log_compactions import LOG_COMPACTIONS
from sim.hudi.built_in.marker_names import MARKER_NAMES
from sim.hudi.built_in.merge_on_read import MERGE_ON_READS
from sim.hudi.built_in.metadata_compactions import METADATA_COMPACTIONS
from sim.hudi.built_in.metadata_executors import METADATA_EXECUTORS
from sim.hudi.built_in.metadata_restores import METADATA_RESTORES
from sim.hudi.built_in.metadata_tables import METADATA_TABLES
from sim.hudi.built_in.metastore_locks import METASTORE_LOCKS
from sim.hudi.built_in.news import NEWS_SCENARIOS
from sim.hudi.built_in.non_blocking import NON_BLOCKINGS
from sim.hudi.built_in.partitions import PARTITIONS
from sim.hudi.built_in.processes import PROCESSES
from sim.hudi.built_in.replacing import REPLACING
from sim.hudi.built_in.replacing_logs import REPLACING_LOGS
from sim.hudi.built_in.restored_logs import RESTORED_LOGS
from sim.hudi.built_in.restores import RESTORES
from sim.hudi.built_in.restores_archived import RESTORES_ARCHIVED
from sim.hudi.built_in.rollbacks import ROLLBACKS
from sim.hudi.built_in.savepoints import SAVEPOINTS
from sim.hudi.built_in.savepoints_archived import SAVEPOINTS_ARCHIVED
from sim.hudi.built_in.server_markers import ASYNC_DETECTION, SERVER_MARKERS
from sim.hudi.built_in.several_buckets import SEVERAL_BUCKETS
from sim.hudi.built_in.storage_locks import STORAGE_LOCKS
from sim.hudi.built_in.time_travel import TIME_TRAVELS
from sim.hudi.built_in.updates import UPDATES
from sim.hudi.built_in.zookeeper_sessions import ZOOKEEPER_SESSIONS
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
