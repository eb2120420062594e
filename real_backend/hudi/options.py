"""The write options of one live client: what the workload's configuration says, and what keeps a run small and exact.

Choices: no metadata table unless one is asked for, and of it the `files` partition alone, no embedded server but for
its markers, no automatic cleaning or archiving, parallelism one: fewer operations and one order of them. The lock
provider is Hudi's own behind `lakeproof.GatedLock`; its retries are the configuration's, but real waits between them
are cut to a millisecond, for whoever waits at the gate does not poll. Where single file groups are locked it stands for
itself, for Hudi then takes no other provider than ZooKeeper's own.
"""

from collections.abc import Mapping
from pathlib import Path

from model.hudi.config import HudiConfig
from model.hudi.keys import (
    BATCH_INTERVAL,
    BATCH_THREADS,
    BUCKETS,
    COMPACT_AFTER,
    DIRECT_FAMILY,
    HOURS,
    IN_PROCESS,
    INDEX,
    KEEP_MAX,
    KEEP_MIN,
    LOG_COMPACT_AFTER,
    MERGE_MODE,
    METADATA,
    METADATA_COMPACT_AFTER,
    SCHEMA_CONFLICTS,
    SERVER_MARKERS,
    SERVER_TIMEOUT,
    SLICES_POLICY,
    TABLE_TYPE,
    TABLE_VERSION,
    USING_MARKERS,
    VERSIONS,
)
from model.hudi.keys import MARKERS as MARKERS_TYPE
from model.hudi.keys import UPDATES as CLUSTERING_UPDATES
from sim.hudi.live import locks_groups

LOCKS = "org.apache.hudi.client.transaction.lock"
MARKERS = "org.apache.hudi.table.marker"
HANDLERS = "org.apache.hudi.timeline.service.handlers.marker"
DETECTION = "lakeproof.GatedDetection"
STRATEGIES = "org.apache.hudi.client.transaction"
ENGINE = "hoodie.index.bucket.engine"
PLANS = "hoodie.clustering.plan.strategy"
UPDATES = "org.apache.hudi.client.clustering.update.strategy"
FIXED: Mapping[str, str] = {
    "hoodie.datasource.write.recordkey.field": "id",
    "hoodie.datasource.write.partitionpath.field": "p",
    METADATA: "false",
    "hoodie.metadata.index.column.stats.enable": "false",
    "hoodie.clean.automatic": "false",
    "hoodie.archive.automatic": "false",
    "hoodie.embed.timeline.server": "false",
    "hoodie.write.markers.type": "DIRECT",
    "hoodie.filesystem.view.type": "MEMORY",
    "hoodie.index.type": "SIMPLE",
    "hoodie.parquet.small.file.limit": "0",  # inserts open new file groups, they never join old ones
    f"{PLANS}.small.file.limit": "100000000",  # every file is clustered, and one alone as well
    f"{PLANS}.single.group.clustering.enabled": "true",
    **{
        f"hoodie.{name}.parallelism": "1"
        for name in (
            "upsert.shuffle", "insert.shuffle", "simple.index", "finalize.write", "rollback", "markers.delete",
            "file.listing", "cleaner", "archive.delete",
        )
    },
}  # fmt: skip
RETRY_WAIT_MS, BATCH_MS = 1, 500


def write_options(config: HudiConfig, table: Path, *, gated: bool = True) -> dict[str, str]:
    """All options of a client with this configuration on the table at `table`."""
    options = {
        **table_options(config),
        "hoodie.write.concurrency.mode": config.mode,
        "hoodie.clean.failed.writes.policy": config.clean_policy,
        "hoodie.clean.commits.retained": str(config.commits_retained),
        SLICES_POLICY: config.slices_policy,
        VERSIONS: str(config.versions_retained),
        HOURS: str(config.hours_retained),
        KEEP_MIN: str(config.keep_min_commits),
        COMPACT_AFTER: str(config.compact_after_delta_commits),
        LOG_COMPACT_AFTER: str(config.log_compact_after_blocks),
        KEEP_MAX: str(config.keep_max_commits),
        USING_MARKERS: str(config.rollback_using_markers).lower(),
        CLUSTERING_UPDATES: f"{UPDATES}.{config.updates_strategy}",
        "hoodie.client.heartbeat.interval_in_ms": str(config.heartbeat_interval_ms),
        "hoodie.client.heartbeat.tolerable.misses": str(config.heartbeat_misses),
        # Hudi infers 1 ms from the name of its in-process provider, which stands behind ours here.
        "hoodie.time.generator.max_expected_clock_skew_ms": str(max(1, config.skew_wait_ms)),
    }
    if config.multi_writer or config.lock_provider:  # a provider that is set is used to take times, too
        options |= _lock_options(config, table, gated=gated)
    if config.marker_type == SERVER_MARKERS:
        options |= _server_options(config)
    if not config.schema_conflicts:
        options[SCHEMA_CONFLICTS] = "false"
    if config.early_detection:
        options |= _early_options(config, gated=gated)
    return options


def table_options(config: HudiConfig) -> dict[str, str]:
    """The options of whoever writes to a table of this version, index and order of merging."""
    listed = {METADATA: str(config.metadata).lower(), METADATA_COMPACT_AFTER: str(config.metadata_compact_after)}
    options = {**FIXED, **listed, **version_options(config.table_version)}
    if config.bucketed:
        options |= {TABLE_TYPE: config.table_type, INDEX: config.index_type, ENGINE: "SIMPLE"}
        options[BUCKETS] = str(config.buckets)
    if config.by_event_time:
        options |= {MERGE_MODE: config.merge_mode, "hoodie.table.ordering.fields": "v"}
    return options


def version_options(table_version: int) -> dict[str, str]:
    """The options of a client that writes tables of this version as they are: Hudi would upgrade an older one."""
    return {TABLE_VERSION: str(table_version), "hoodie.write.auto.upgrade": "false"}


def _lock_options(config: HudiConfig, table: Path, *, gated: bool) -> dict[str, str]:
    provider = f"{LOCKS}.{config.lock_provider or IN_PROCESS}"
    ours = {
        "hoodie.write.lock.provider": "lakeproof.GatedLock",
        "lakeproof.lock.provider": provider,
        "lakeproof.lock.path": str(table / ".hoodie" / "lock"),
    }
    return {
        "hoodie.write.lock.conflict.resolution.strategy": f"{STRATEGIES}.{config.conflict_strategy}",
        "hoodie.write.lock.filesystem.expire": str(config.lock_expire_minutes),
        "hoodie.write.lock.wait_time_ms": str(config.lock_wait_ms),
        "hoodie.write.lock.client.num_retries": str(config.lock_retries),
        "hoodie.write.lock.client.wait_time_ms_between_retry": str(RETRY_WAIT_MS),
        **(ours if gated and not locks_groups(config) else {"hoodie.write.lock.provider": provider}),
    }


def _server_options(config: HudiConfig) -> dict[str, str]:
    """A timeline server for each client, at a free port; its batches wait until a pass has come between."""
    return {
        "hoodie.embed.timeline.server": "true",
        "hoodie.embed.timeline.server.port": "0",
        "hoodie.embed.timeline.server.reuse.enabled": "false",
        MARKERS_TYPE: config.marker_type,
        BATCH_INTERVAL: str(BATCH_MS),
        BATCH_THREADS: str(config.marker_batch_threads),
        SERVER_TIMEOUT: str(config.server_timeout_s),
    }


def _early_options(config: HudiConfig, *, gated: bool) -> dict[str, str]:
    of_server = DETECTION if gated else f"{HANDLERS}.{config.detection}"
    strategy = f"{MARKERS}.{config.detection}" if config.detection in DIRECT_FAMILY else of_server
    early = "hoodie.write.concurrency.early.conflict"
    return {
        f"{early}.detection.enable": "true",
        f"{early}.detection.strategy": strategy,
        f"{early}.check.commit.conflict": str(config.check_commit_conflict).lower(),
    }
