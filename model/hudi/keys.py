"""The keys of Hudi's options that matter here, the values that have names, and which values each can have.

Source: hudi/2.4, hudi/3.2; `HoodieWriteConfig`, `HoodieLockConfig`, `HoodieCleanConfig` and others (1.2.0).
"""

OCC, SINGLE_WRITER = "OPTIMISTIC_CONCURRENCY_CONTROL", "SINGLE_WRITER"
NON_BLOCKING = "NON_BLOCKING_CONCURRENCY_CONTROL"
SIMPLE_INDEX, BUCKET_INDEX = "SIMPLE", "BUCKET"
COMMIT_TIME, EVENT_TIME = "COMMIT_TIME_ORDERING", "EVENT_TIME_ORDERING"
IN_PROCESS, FILE_SYSTEM = "InProcessLockProvider", "FileSystemBasedLockProvider"
ZOOKEEPER, STORAGE_BASED = "ZookeeperBasedLockProvider", "StorageBasedLockProvider"
METASTORE = "HiveMetastoreBasedLockProvider"
PROVIDERS = f"{IN_PROCESS}, {FILE_SYSTEM}, {ZOOKEEPER}, {STORAGE_BASED}, {METASTORE}"
SIMPLE_DIRECT = "SimpleDirectMarkerBasedDetectionStrategy"
TRANSACTIONAL_DIRECT = "SimpleTransactionDirectMarkerBasedDetectionStrategy"
BLOOM_DIRECT = "BloomDirectMarkerBasedEarlyConflictDetectionStrategy"
DIRECT_FAMILY = (SIMPLE_DIRECT, TRANSACTIONAL_DIRECT, BLOOM_DIRECT)
ASYNC_SERVER = "AsyncTimelineServerBasedDetectionStrategy"
BLOOM_SERVER = "BloomAsyncTimelineMarkerEarlyConflictDetectionStrategy"
BLOOM = (BLOOM_DIRECT, BLOOM_SERVER)
"""What RFC-56 names and Hudi never shipped."""
DIRECT_MARKERS, SERVER_MARKERS = "DIRECT", "TIMELINE_SERVER_BASED"
FAMILIES = {DIRECT_MARKERS: DIRECT_FAMILY, SERVER_MARKERS: (ASYNC_SERVER, BLOOM_SERVER)}
"""The strategies of each type of markers, the one that is used by default first."""
SIMPLE_CONFLICTS = "SimpleConcurrentFileWritesConflictResolutionStrategy"
BUCKET_CONFLICTS = "BucketIndexConcurrentFileWritesConflictResolutionStrategy"
PREFER_WRITER = "PreferWriterConflictResolutionStrategy"
COPY_ON_WRITE, MERGE_ON_READ = "COPY_ON_WRITE", "MERGE_ON_READ"
REJECT_UPDATES, ALLOW_UPDATES = "SparkRejectUpdateStrategy", "SparkAllowUpdateStrategy"

MODE = "hoodie.write.concurrency.mode"
EARLY = "hoodie.write.concurrency.early.conflict.detection.enable"
EARLY_STRATEGY = "hoodie.write.concurrency.early.conflict.detection.strategy"
CHECK_COMMIT = "hoodie.write.concurrency.early.conflict.check.commit.conflict"
SCHEMA_CONFLICTS = "hoodie.write.concurrency.schema.conflict.resolution.enable"
CONFLICT_RETRIES = "hoodie.write.num.retries.on.conflict.failures"
LOCK_PROVIDER = "hoodie.write.lock.provider"
LOCK_WAIT = "hoodie.write.lock.wait_time_ms"
SESSION_TIMEOUT = "hoodie.write.lock.zookeeper.session_timeout_ms"
VALIDITY = "hoodie.write.lock.storage.validity.timeout.secs"
RENEWAL = "hoodie.write.lock.storage.renew.interval.secs"
LOCK_BEAT = "hoodie.write.lock.heartbeat_interval_ms"
METASTORE_TIMEOUT = "hive.txn.timeout"
CONFLICTS = "hoodie.write.lock.conflict.resolution.strategy"
MARKERS = "hoodie.write.markers.type"
DETECTOR_DELAY = "hoodie.write.concurrency.async.conflict.detector.initial_delay_ms"
DETECTOR_PERIOD = "hoodie.write.concurrency.async.conflict.detector.period_ms"
BATCH_INTERVAL = "hoodie.markers.timeline_server_based.batch.interval_ms"
BATCH_THREADS = "hoodie.markers.timeline_server_based.batch.num_threads"
SERVER_TIMEOUT = "hoodie.filesystem.view.remote.timeout.secs"
TABLE_VERSION = "hoodie.write.table.version"
BLOOM_RATE, BLOOM_ENTRIES = "markers.bloom.fpp", "markers.bloom.num_entries"
LAZY, EAGER, NEVER = CLEAN_POLICIES = ("LAZY", "EAGER", "NEVER")
CLEAN_POLICY = "hoodie.clean.failed.writes.policy"
SLICES_POLICY = "hoodie.clean.policy"
RETAINED, HOURS = "hoodie.clean.commits.retained", "hoodie.clean.hours.retained"
VERSIONS = "hoodie.clean.fileversions.retained"
LATEST_COMMITS, LATEST_VERSIONS, BY_HOURS = "KEEP_LATEST_COMMITS", "KEEP_LATEST_FILE_VERSIONS", "KEEP_LATEST_BY_HOURS"
TABLE_TYPE, MERGE_MODE = "hoodie.table.type", "hoodie.record.merge.mode"
INDEX, BUCKETS = "hoodie.index.type", "hoodie.bucket.index.num.buckets"
COMPACT_AFTER = "hoodie.compact.inline.max.delta.commits"
LOG_COMPACT_AFTER = "hoodie.log.compaction.blocks.threshold"
KEEP_MIN, KEEP_MAX = "hoodie.keep.min.commits", "hoodie.keep.max.commits"
UPDATES = "hoodie.clustering.updates.strategy"
PREPPED = "hoodie.spark.sql.optimized.writes.enable"
INTERVAL, MISSES = "hoodie.client.heartbeat.interval_in_ms", "hoodie.client.heartbeat.tolerable.misses"
SKEW = "hoodie.time.generator.max_expected_clock_skew_ms"
METADATA = "hoodie.metadata.enable"
QUERY_TYPE, SNAPSHOT, INCREMENTAL = "hoodie.datasource.query.type", "snapshot", "incremental"
AS_OF, ANY_COMMIT = "as.of.instant", "any commit"
HOLES = "hoodie.read.timeline.holes.resolution.policy"
FAIL_AT_HOLES, BLOCK_AT_HOLES, TRANSITION_TIME = "FAIL", "BLOCK", "USE_TRANSITION_TIME"
METADATA_COMPACT_AFTER = "hoodie.metadata.compact.max.delta.commits"
USING_MARKERS = "hoodie.rollback.using.markers"

MOST = 1 << 62
"""What stands for no bound."""
BOUNDS = (
    ("lock_wait_ms", LOCK_WAIT, 0, MOST),
    ("lock_retries", "hoodie.write.lock.client.num_retries", 0, MOST),
    ("lock_retry_wait_ms", "hoodie.write.lock.client.wait_time_ms_between_retry", 0, MOST),
    ("conflict_retries", CONFLICT_RETRIES, 0, 1_000),
    ("lock_expire_minutes", "hoodie.write.lock.filesystem.expire", 0, MOST),
    ("lock_validity_s", VALIDITY, 10, MOST),
    ("lock_renewal_s", RENEWAL, 1, MOST),
    ("lock_session_ms", SESSION_TIMEOUT, 1, MOST),
    ("lock_heartbeat_ms", LOCK_BEAT, 1, MOST),
    ("metastore_timeout_s", METASTORE_TIMEOUT, 1, MOST),
    ("heartbeat_interval_ms", INTERVAL, 1_000, MOST),
    ("heartbeat_misses", MISSES, 1, 1_000),
    ("max_clock_skew_ms", SKEW, 0, MOST),
    ("marker_batch_ms", BATCH_INTERVAL, 1, MOST),
    ("marker_batch_threads", BATCH_THREADS, 1, 1_000),
    ("server_timeout_s", SERVER_TIMEOUT, 1, MOST),
    ("detector_delay_ms", DETECTOR_DELAY, 0, MOST),
    ("detector_period_ms", DETECTOR_PERIOD, 1, MOST),
    ("bloom_entries", BLOOM_ENTRIES, 1, 1_000_000),
    ("commits_retained", RETAINED, 1, 1_000_000),
    ("hours_retained", HOURS, 1, 1_000_000),
    ("versions_retained", VERSIONS, 1, 1_000_000),
    ("compact_after_delta_commits", COMPACT_AFTER, 1, 1_000_000),
    ("log_compact_after_blocks", LOG_COMPACT_AFTER, 1, 1_000_000),
    ("metadata_compact_after", METADATA_COMPACT_AFTER, 1, 1_000_000),
    ("buckets", BUCKETS, 1, 1_000_000),
    ("keep_min_commits", KEEP_MIN, 1, 1_000_000),
    ("keep_max_commits", KEEP_MAX, 1, 1_000_000),
)
"""Of numbers: the field of a configuration, its key, and the least and the most that it can be."""
CHOICES: tuple[tuple[str, str, tuple[object, ...]], ...] = (
    ("mode", MODE, (SINGLE_WRITER, OCC, NON_BLOCKING)),
    ("index_type", INDEX, (SIMPLE_INDEX, BUCKET_INDEX)),
    ("merge_mode", MERGE_MODE, (COMMIT_TIME, EVENT_TIME)),
    ("lock_provider", LOCK_PROVIDER, (None, IN_PROCESS, FILE_SYSTEM, ZOOKEEPER, STORAGE_BASED, METASTORE)),
    ("conflict_strategy", CONFLICTS, (SIMPLE_CONFLICTS, BUCKET_CONFLICTS, PREFER_WRITER)),
    ("marker_type", MARKERS, tuple(FAMILIES)),
    ("clean_policy", CLEAN_POLICY, CLEAN_POLICIES),
    ("slices_policy", SLICES_POLICY, (LATEST_COMMITS, LATEST_VERSIONS, BY_HOURS)),
    ("updates_strategy", UPDATES, (REJECT_UPDATES, ALLOW_UPDATES)),
    ("table_type", TABLE_TYPE, (COPY_ON_WRITE, MERGE_ON_READ)),
    ("table_version", TABLE_VERSION, (6, 8, 9)),
    ("holes_policy", HOLES, (FAIL_AT_HOLES, BLOCK_AT_HOLES, TRANSITION_TIME)),
    ("scheme", "fs.scheme", ("file", "hdfs", "abfs")),
)
"""Of others: the field, its key, and what it can be."""
