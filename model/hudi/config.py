"""What a user of Hudi sets: the options that matter here, with Hudi's defaults and validation; `options.py` reads them.

Source: hudi/2.4, hudi/3.2; `HoodieWriteConfig.validate`, `HoodieLockConfig`, `HoodieTimeGeneratorConfig`.

Choices: a strategy of the wrong family is refused, where Hudi replaces it by the family's default with a warning, and
so are markers of the timeline server on HDFS, where Hudi makes direct ones: a run that tests something else than was
asked for proves nothing. Markers are direct unless asked for, where Hudi's default is the timeline server; bounds that
make a setting impossible (a lease shorter than its renewal, a negative time) are checked here, once, and never again.
The clean-up of failed writes is LAZY unless set, which Hudi sets itself with more than one writer, whatever else is
asked for; for one it is EAGER by default. Settings of early detection and its strategies go by RFC-56's names as well,
with Hudi's defaults. Hudi never shipped the two Bloom strategies, and RFC-56 has no key for their filters: those of
`markers.bloom` are ours.
The bucket index is modelled with several writers, with one bucket in each partition. `hive.txn.timeout` is the
metastore's, in seconds; database and table of its lock are not asked for. The metadata table is off unless asked for:
Hudi has one. It is not compacted unless told after how many delta commits: ten by default, which are more than a race
makes. `columns`: those of the client's schema beside the table's first ones. `restored`, `unplanned`, `cleaned`,
`plans_shared`, `consumed`, `archived` and `evolved` are no settings: whether anybody may restore the table, whether a
replacement may be rolled back, whether anybody cleans, whether another one than has planned it may carry clustering
out, and whether anybody reads incrementally, archives, or adds columns. The policy for holes is a reader's, and says
nothing of tables from version 8 on.
"""

from dataclasses import dataclass
from typing import Literal

from model.hudi.errors import ConfigError
from model.hudi.keys import (
    BLOOM,
    BLOOM_RATE,
    BOUNDS,
    BUCKET_INDEX,
    CHECK_COMMIT,
    CHOICES,
    CLEAN_POLICY,
    COMMIT_TIME,
    COPY_ON_WRITE,
    DIRECT_MARKERS,
    EARLY,
    EARLY_STRATEGY,
    EVENT_TIME,
    FAIL_AT_HOLES,
    FAMILIES,
    IN_PROCESS,
    INDEX,
    KEEP_MAX,
    KEEP_MIN,
    LATEST_COMMITS,
    LATEST_VERSIONS,
    LAZY,
    LOCK_PROVIDER,
    MARKERS,
    MERGE_MODE,
    MERGE_ON_READ,
    MODE,
    MOST,
    NON_BLOCKING,
    OCC,
    PREFER_WRITER,
    PROVIDERS,
    REJECT_UPDATES,
    RENEWAL,
    SERVER_MARKERS,
    SIMPLE_CONFLICTS,
    SIMPLE_INDEX,
    SINGLE_WRITER,
    SKEW,
    STORAGE_BASED,
    TABLE_TYPE,
    TABLE_VERSION,
    TRANSACTIONAL_DIRECT,
    TRANSITION_TIME,
    VALIDITY,
    ZOOKEEPER,
)
from model.hudi.names import COMMIT, DELTA_COMMIT


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
    lock_session_ms: int = 60_000
    metastore_timeout_s: int = 300
    conflict_strategy: str = SIMPLE_CONFLICTS
    conflict_retries: int = 0
    schema_conflicts: bool = True
    prepped: bool = True
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
    clean_policy: str = LAZY
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
    log_compact_after_blocks: int = 5
    heartbeat_interval_ms: int = 60_000
    heartbeat_misses: int = 2
    max_clock_skew_ms: int | None = None
    table_version: int = 9
    scheme: str = "file"
    metadata: bool = False
    metadata_compact_after: int = 10
    rollback_using_markers: bool = True
    restored: bool = False
    unplanned: bool = False
    cleaned: bool = False
    plans_shared: bool = False
    holes_policy: str = FAIL_AT_HOLES
    consumed: bool = False
    archived: bool = False
    columns: tuple[str, ...] = ()
    evolved: bool = False

    @property
    def plans_may_go(self) -> bool:
        """Whether somebody may delete the announcement of a replacement or of a compaction that goes on."""
        return self.restored or self.unplanned

    @property
    def layout(self) -> Literal[1, 2]:
        """The timeline layout of the table version."""
        return 2 if self.table_version >= 8 else 1

    @property
    def reads_by_transition(self) -> bool:
        """Whether incremental readers go by when the files of completed instants were written."""
        return self.layout == 1 and self.holes_policy == TRANSITION_TIME

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
        """Whether a row's key and its partition alone say to which file group it belongs."""
        return self.index_type == BUCKET_INDEX

    @property
    def appends_to_buckets(self) -> bool:
        """Whether what is written to a bucket goes to a log file, without a look at what the bucket holds."""
        return self.bucketed and self.merge_on_read

    @property
    def by_event_time(self) -> bool:
        """Whether the larger ordering value of a row counts, whoever wrote it; here the row's value is its own."""
        return self.merge_mode == EVENT_TIME

    @property
    def detection(self) -> str:
        """The strategy of early detection: inferred from the type of markers unless set."""
        return self.early_strategy or FAMILIES[self.marker_type][0]

    @property
    def detects_by_server(self) -> bool:
        """Whether timeline servers detect conflicts early."""
        return self.early_detection and self.marker_type == SERVER_MARKERS

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
                allowed = f"at least {least}" if value < least and most == MOST else f"from {least} to {most:,}"
                raise ConfigError(key, value, f"a whole number {allowed}")
        if self.multi_writer and self.clean_policy != LAZY:
            allowed = f"{LAZY}, which Hudi sets itself because {MODE} is {self.mode}"
            raise ConfigError(CLEAN_POLICY, self.clean_policy, allowed)
        for name, key, allowed_values in CHOICES:
            if getattr(self, name) not in allowed_values:
                raise ConfigError(key, getattr(self, name), f"one of {', '.join(map(str, allowed_values))}")
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

    def check_kept(self) -> None:
        """Raise ConfigError if archiving keeps no fewer commits at least than at most (`HoodieWriteConfig.Builder`)."""
        if self.keep_max_commits <= self.keep_min_commits:
            raise ConfigError(KEEP_MAX, self.keep_max_commits, f"more than {KEEP_MIN}, of {self.keep_min_commits}")

    def _check_index(self) -> None:
        """What non-blocking writers need, and what is modelled for them alone. Raises: ConfigError."""
        if self.mode == NON_BLOCKING and not self.merge_on_read:
            raise ConfigError(TABLE_TYPE, self.table_type, f"{MERGE_ON_READ} because {MODE} is {NON_BLOCKING}")
        if self.mode == NON_BLOCKING and not self.bucketed:
            raise ConfigError(INDEX, self.index_type, f"{BUCKET_INDEX} because {MODE} is {NON_BLOCKING}")
        if self.bucketed and not self.multi_writer:
            raise ConfigError(INDEX, self.index_type, f"{SIMPLE_INDEX} unless {MODE} is {NON_BLOCKING} or {OCC}")
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
        if not 0 < self.bloom_rate < 1:
            raise ConfigError(BLOOM_RATE, self.bloom_rate, "a rate between 0 and 1")
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
