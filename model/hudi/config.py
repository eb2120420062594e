"""What a user of Hudi sets: the options that matter here, with Hudi's defaults and validation; `options.py` reads them.

Source: hudi/2.4, hudi/3.2; `HoodieWriteConfig.validate`, `HoodieLockConfig`, `HoodieTimeGeneratorConfig`.

Choices: a strategy of the wrong family is refused, where Hudi replaces it by the family's default with a warning, and
so are markers of the timeline server on HDFS, where Hudi makes direct ones: a run that tests something else than was
asked for proves nothing. Markers are direct unless asked for, where Hudi's default is the timeline server; bounds that
make a setting impossible (a lease shorter than its renewal, a negative time) are checked here, once, and never again.
The clean-up of failed writes is LAZY from the start, where Hudi's default is EAGER and becomes LAZY with more than one
writer. Settings of early detection and its strategies go by RFC-56's names as well; their defaults are Hudi's. Hudi
never shipped the two Bloom strategies, and RFC-56 has no key for their filters: those of `markers.bloom` are ours.
The bucket index is modelled where non-blocking writers need it, with one bucket in each partition.
`hive.txn.timeout` is the metastore's, in seconds; database and table of its lock are not asked for. The metadata table
is off unless asked for: Hudi has one. `restored` is no setting: whether anybody may restore the table.
"""

from dataclasses import dataclass
from typing import Literal

from model.hudi.errors import ConfigError
from model.hudi.names import COMMIT, DELTA_COMMIT

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
LOCK_PROVIDER, LOCK_WAIT = "hoodie.write.lock.provider", "hoodie.write.lock.wait_time_ms"
VALIDITY = "hoodie.write.lock.storage.validity.timeout.secs"
RENEWAL = "hoodie.write.lock.storage.renew.interval.secs"
LOCK_BEAT, METASTORE_TIMEOUT = "hoodie.write.lock.heartbeat_interval_ms", "hive.txn.timeout"
CONFLICTS = "hoodie.write.lock.conflict.resolution.strategy"
MARKERS = "hoodie.write.markers.type"
DETECTOR_DELAY = "hoodie.write.concurrency.async.conflict.detector.initial_delay_ms"
DETECTOR_PERIOD = "hoodie.write.concurrency.async.conflict.detector.period_ms"
BATCH_INTERVAL = "hoodie.markers.timeline_server_based.batch.interval_ms"
BATCH_THREADS = "hoodie.markers.timeline_server_based.batch.num_threads"
SERVER_TIMEOUT = "hoodie.filesystem.view.remote.timeout.secs"
TABLE_VERSION = "hoodie.write.table.version"
BLOOM_RATE, BLOOM_ENTRIES = "markers.bloom.fpp", "markers.bloom.num_entries"
CLEAN_POLICY, SLICES_POLICY = "hoodie.clean.failed.writes.policy", "hoodie.clean.policy"
RETAINED, HOURS = "hoodie.clean.commits.retained", "hoodie.clean.hours.retained"
VERSIONS = "hoodie.clean.fileversions.retained"
LATEST_COMMITS, LATEST_VERSIONS, BY_HOURS = "KEEP_LATEST_COMMITS", "KEEP_LATEST_FILE_VERSIONS", "KEEP_LATEST_BY_HOURS"
TABLE_TYPE, MERGE_MODE = "hoodie.table.type", "hoodie.record.merge.mode"
INDEX, BUCKETS = "hoodie.index.type", "hoodie.bucket.index.num.buckets"
COMPACT_AFTER = "hoodie.compact.inline.max.delta.commits"
KEEP_MIN, KEEP_MAX = "hoodie.keep.min.commits", "hoodie.keep.max.commits"
UPDATES = "hoodie.clustering.updates.strategy"
INTERVAL, MISSES = "hoodie.client.heartbeat.interval_in_ms", "hoodie.client.heartbeat.tolerable.misses"
SKEW = "hoodie.time.generator.max_expected_clock_skew_ms"


@dataclass(frozen=True, slots=True, kw_only=True)
class HudiConfig:
    """One client's settings; `checked` says whether they can be. Units stand in the names."""

    mode: str = SINGLE_WRITER
    lock_provider: str | None = None
    lock_wait_ms: int = 60_000
    lock_retries: int = 50
    lock_retry_wait_ms: int = 5_000
    lock_expire_minutes: int = 0
    lock_validity_s: int = 300
    lock_renewal_s: int = 30
    lock_heartbeat_ms: int = 60_000
    metastore_timeout_s: int = 300
    conflict_strategy: str = SIMPLE_CONFLICTS
    early_detection: bool = False
    early_strategy: str | None = None
    check_commit_conflict: bool = False
    marker_type: str = DIRECT_MARKERS
    marker_batch_ms: int = 50
    marker_batch_threads: int = 20
    server_timeout_s: int = 300
    detector_delay_ms: int = 0
    detector_period_ms: int = 30_000
    bloom_rate: float = 0.01
    bloom_entries: int = 1_000
    clean_policy: str = "LAZY"
    slices_policy: str = LATEST_COMMITS
    commits_retained: int = 10
    hours_retained: int = 24
    versions_retained: int = 3
    keep_min_commits: int = 20
    keep_max_commits: int = 30
    updates_strategy: str = REJECT_UPDATES
    table_type: str = COPY_ON_WRITE
    index_type: str = SIMPLE_INDEX
    buckets: int = 256
    merge_mode: str = COMMIT_TIME
    compact_after_delta_commits: int = 5
    heartbeat_interval_ms: int = 60_000
    heartbeat_misses: int = 2
    max_clock_skew_ms: int | None = None
    table_version: int = 9
    scheme: str = "file"
    metadata: bool = False
    restored: bool = False

    @property
    def layout(self) -> Literal[1, 2]:
        """The timeline layout of the table version."""
        return 2 if self.table_version >= 8 else 1

    @property
    def merge_on_read(self) -> bool:
        """Whether changed rows go to log files, which readers merge."""
        return self.table_type == MERGE_ON_READ

    @property
    def keeps_versions(self) -> bool:
        """Whether cleaning counts the slices of each file group, and not commits."""
        return self.slices_policy == LATEST_VERSIONS

    @property
    def commit_action(self) -> str:
        """The action of a write that replaces nothing."""
        return DELTA_COMMIT if self.merge_on_read else COMMIT

    @property
    def multi_writer(self) -> bool:
        """Whether there may be several writers, whose times and commits are under the table's lock."""
        return self.mode in (OCC, NON_BLOCKING)

    @property
    def resolves_conflicts(self) -> bool:
        """Whether commits are checked against each other: non-blocking ones are not, unless they are bulk inserts
        (`HoodieWriteConfig.needResolveWriteConflict`)."""
        return self.mode == OCC

    @property
    def bucketed(self) -> bool:
        """Whether a row's key alone says to which file group it belongs."""
        return self.index_type == BUCKET_INDEX

    @property
    def by_event_time(self) -> bool:
        """Whether the larger ordering value of a row counts, whoever wrote it; here the row's value is its own."""
        return self.merge_mode == EVENT_TIME

    @property
    def detection(self) -> str:
        """The strategy of early detection: inferred from the type of markers unless set."""
        return self.early_strategy or FAMILIES[self.marker_type][0]

    @property
    def blooms(self) -> bool:
        """Whether markers have Bloom files beside them, which are asked first."""
        return self.early_detection and self.multi_writer and self.detection in BLOOM

    @property
    def locks(self) -> bool:
        """Whether clients take the table's lock: several writers must, and one does with a provider (hudi/2.4)."""
        return self.multi_writer or self.lock_provider is not None

    @property
    def tolerance_ms(self) -> int:
        """How old a heartbeat may be."""
        return self.heartbeat_interval_ms * self.heartbeat_misses

    @property
    def skew_wait_ms(self) -> int:
        """How long time generation holds the lock: inferred from the provider unless set.

        In one process Hudi infers 1 ms; the process's own counter (see `time_generator`) stands for that wait.
        """
        if self.max_clock_skew_ms is not None:
            return self.max_clock_skew_ms
        return 0 if self.lock_provider in (None, IN_PROCESS) else 200

    def checked(self) -> "HudiConfig":
        """This, if it is possible. Raises: ConfigError naming the key, the value and what is allowed."""
        for name, key, least, most in BOUNDS:
            value = getattr(self, name)
            if value is not None and not least <= value <= most:
                allowed = f"at least {least}" if value < least and most == _MOST else f"from {least} to {most:,}"
                raise ConfigError(key, value, f"a whole number {allowed}")
        for name, key, allowed_values in CHOICES:
            if getattr(self, name) not in allowed_values:
                raise ConfigError(key, getattr(self, name), f"one of {', '.join(map(str, allowed_values))}")
        if not 0 < self.bloom_rate < 1:
            raise ConfigError(BLOOM_RATE, self.bloom_rate, "a rate between 0 and 1")
        self._check_detection()
        if self.multi_writer and self.lock_provider is None:
            raise ConfigError(LOCK_PROVIDER, None, f"one of {PROVIDERS} because {MODE} is {self.mode}")
        if self.conflict_strategy == PREFER_WRITER and self.layout == 1:
            raise ConfigError(TABLE_VERSION, self.table_version, f"8 or 9, for {PREFER_WRITER} needs completion times")
        if self.lock_expire_minutes and self.lock_expire_minutes * 60_000 <= self.skew_wait_ms:
            raise ConfigError(SKEW, self.skew_wait_ms, f"less than the lock's expiry of {self.lock_expire_minutes} min")
        if self.merge_on_read and self.layout == 1:
            raise ConfigError(TABLE_VERSION, self.table_version, f"8 or 9, for {MERGE_ON_READ} is modelled from 8 on")
        self._check_index()
        self._check_storage_lock()
        return self

    def _check_index(self) -> None:
        """What non-blocking writers need, and what is modelled for them alone. Raises: ConfigError."""
        if self.mode == NON_BLOCKING and not self.merge_on_read:
            raise ConfigError(TABLE_TYPE, self.table_type, f"{MERGE_ON_READ} because {MODE} is {NON_BLOCKING}")
        if self.mode == NON_BLOCKING and not self.bucketed:
            raise ConfigError(INDEX, self.index_type, f"{BUCKET_INDEX} because {MODE} is {NON_BLOCKING}")
        if self.bucketed and self.mode != NON_BLOCKING:
            raise ConfigError(INDEX, self.index_type, f"{SIMPLE_INDEX} unless {MODE} is {NON_BLOCKING}")
        if self.bucketed and self.buckets != 1:
            raise ConfigError(BUCKETS, self.buckets, "1, for all rows of a partition are in one bucket here")
        if self.by_event_time and not self.merge_on_read:
            raise ConfigError(MERGE_MODE, self.merge_mode, f"{COMMIT_TIME} unless {TABLE_TYPE} is {MERGE_ON_READ}")

    def _check_storage_lock(self) -> None:
        """What a storage-based lock goes together with (`StorageBasedLockConfig.Builder`). Raises: ConfigError."""
        if self.lock_validity_s < 10 * self.lock_renewal_s:
            raise ConfigError(VALIDITY, self.lock_validity_s, f"at least ten times {RENEWAL}, of {self.lock_renewal_s}")
        if self.lock_provider == STORAGE_BASED and self.scheme != "abfs":
            raise ConfigError(LOCK_PROVIDER, STORAGE_BASED, "another one unless fs.scheme is abfs, which compares")

    def _check_detection(self) -> None:
        """What markers and early detection go together with. Raises: ConfigError."""
        family = FAMILIES[self.marker_type]
        if self.early_detection and self.mode != OCC:
            raise ConfigError(EARLY, "true", f"false unless {MODE} is {OCC}")
        if self.check_commit_conflict and not self.early_detection:
            raise ConfigError(CHECK_COMMIT, "true", f"false unless {EARLY} is true")
        if self.detection not in family:
            raise ConfigError(
                EARLY_STRATEGY, self.early_strategy, f"a strategy for {self.marker_type} markers ({', '.join(family)})"
            )
        if self.early_detection and self.detection == TRANSACTIONAL_DIRECT and self.lock_provider != ZOOKEEPER:
            raise ConfigError(
                LOCK_PROVIDER, self.lock_provider, f"{ZOOKEEPER} because {EARLY_STRATEGY} is {TRANSACTIONAL_DIRECT}"
            )
        if self.marker_type == SERVER_MARKERS and self.scheme == "hdfs":
            raise ConfigError(MARKERS, SERVER_MARKERS, f"{DIRECT_MARKERS}, for Hudi makes no others on hdfs")


_MOST = 1 << 62
BOUNDS = (
    ("lock_wait_ms", LOCK_WAIT, 0, _MOST),
    ("lock_retries", "hoodie.write.lock.client.num_retries", 0, _MOST),
    ("lock_retry_wait_ms", "hoodie.write.lock.client.wait_time_ms_between_retry", 0, _MOST),
    ("lock_expire_minutes", "hoodie.write.lock.filesystem.expire", 0, _MOST),
    ("lock_validity_s", VALIDITY, 10, _MOST),
    ("lock_renewal_s", RENEWAL, 1, _MOST),
    ("lock_heartbeat_ms", LOCK_BEAT, 1, _MOST),
    ("metastore_timeout_s", METASTORE_TIMEOUT, 1, _MOST),
    ("heartbeat_interval_ms", INTERVAL, 1_000, _MOST),
    ("heartbeat_misses", MISSES, 1, 1_000),
    ("max_clock_skew_ms", SKEW, 0, _MOST),
    ("marker_batch_ms", BATCH_INTERVAL, 1, _MOST),
    ("marker_batch_threads", BATCH_THREADS, 1, 1_000),
    ("server_timeout_s", SERVER_TIMEOUT, 1, _MOST),
    ("detector_delay_ms", DETECTOR_DELAY, 0, _MOST),
    ("detector_period_ms", DETECTOR_PERIOD, 1, _MOST),
    ("bloom_entries", BLOOM_ENTRIES, 1, 1_000_000),
    ("commits_retained", RETAINED, 1, 1_000_000),
    ("hours_retained", HOURS, 1, 1_000_000),
    ("versions_retained", VERSIONS, 1, 1_000_000),
    ("compact_after_delta_commits", COMPACT_AFTER, 1, 1_000_000),
    ("buckets", BUCKETS, 1, 1_000_000),
    ("keep_min_commits", KEEP_MIN, 1, 1_000_000),
    ("keep_max_commits", KEEP_MAX, 1, 1_000_000),
)
CHOICES: tuple[tuple[str, str, tuple[object, ...]], ...] = (
    ("mode", MODE, (SINGLE_WRITER, OCC, NON_BLOCKING)),
    ("index_type", INDEX, (SIMPLE_INDEX, BUCKET_INDEX)),
    ("merge_mode", MERGE_MODE, (COMMIT_TIME, EVENT_TIME)),
    ("lock_provider", LOCK_PROVIDER, (None, IN_PROCESS, FILE_SYSTEM, ZOOKEEPER, STORAGE_BASED, METASTORE)),
    ("conflict_strategy", CONFLICTS, (SIMPLE_CONFLICTS, BUCKET_CONFLICTS, PREFER_WRITER)),
    ("marker_type", MARKERS, tuple(FAMILIES)),
    ("clean_policy", CLEAN_POLICY, ("LAZY",)),
    ("slices_policy", SLICES_POLICY, (LATEST_COMMITS, LATEST_VERSIONS, BY_HOURS)),
    ("updates_strategy", UPDATES, (REJECT_UPDATES, ALLOW_UPDATES)),
    ("table_type", TABLE_TYPE, (COPY_ON_WRITE, MERGE_ON_READ)),
    ("table_version", TABLE_VERSION, (6, 8, 9)),
    ("scheme", "fs.scheme", ("file", "hdfs", "abfs")),
)
