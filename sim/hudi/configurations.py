"""Configurations of Hudi's generator by name: what a user sets, with everything else as Hudi has it."""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi.keys import (
    ANY_COMMIT,
    AS_OF,
    BATCH_THREADS,
    BLOCK_AT_HOLES,
    BLOOM_DIRECT,
    BLOOM_ENTRIES,
    BLOOM_RATE,
    BLOOM_SERVER,
    BUCKET_CONFLICTS,
    BUCKET_INDEX,
    BUCKETS,
    BY_HOURS,
    CHECK_COMMIT,
    CLEAN_POLICY,
    COMPACT_AFTER,
    CONFLICT_RETRIES,
    CONFLICTS,
    DETECTOR_PERIOD,
    EAGER,
    EARLY,
    EARLY_STRATEGY,
    EVENT_TIME,
    FILE_SYSTEM,
    HOLES,
    HOURS,
    IN_PROCESS,
    INCREMENTAL,
    INDEX,
    INTERVAL,
    KEEP_MAX,
    LATEST_VERSIONS,
    LOCK_BEAT,
    LOCK_PROVIDER,
    LOG_COMPACT_AFTER,
    MARKERS,
    MERGE_MODE,
    MERGE_ON_READ,
    METADATA,
    METADATA_COMPACT_AFTER,
    METASTORE,
    METASTORE_TIMEOUT,
    MODE,
    NEVER,
    NON_BLOCKING,
    OCC,
    PREFER_WRITER,
    PREPPED,
    QUERY_TYPE,
    REJECT_UPDATES,
    SCHEMA_CONFLICTS,
    SERVER_MARKERS,
    SESSION_TIMEOUT,
    SINGLE_WRITER,
    SKEW,
    SLICES_POLICY,
    STORAGE_BASED,
    TABLE_TYPE,
    TABLE_VERSION,
    TRANSACTIONAL_DIRECT,
    TRANSITION_TIME,
    UPDATES,
    USING_MARKERS,
    VERSIONS,
    ZOOKEEPER,
)
from sim.generation.generator import Settings
from sim.hudi.build import EXPIRE, RETRIES, RETRY_WAIT, SCHEME
from sim.hudi.setting_names import UNSET
from sim.hudi.settings import OPTIONS


def _with(*changed: Mapping[str, str]) -> Settings:
    """Optimistic concurrency control with Hudi's defaults, in one process, but for what is `changed`."""
    settings = {option.key: option.values[0] for option in OPTIONS} | {MODE: OCC, LOCK_PROVIDER: IN_PROCESS}
    for each in changed:
        settings.update(each)
    return settings


_HOSTS = {LOCK_PROVIDER: ZOOKEEPER}
_FILE_LOCK = {LOCK_PROVIDER: FILE_SYSTEM}
_PREFERRING = {CONFLICTS: PREFER_WRITER}
_EARLY = {EARLY: "true"}
_SERVER = {MARKERS: SERVER_MARKERS}
_COMMITS = {CHECK_COMMIT: "true"}
_BUCKETS = {MODE: NON_BLOCKING, TABLE_TYPE: MERGE_ON_READ, COMPACT_AFTER: "1", INDEX: BUCKET_INDEX, BUCKETS: "1"}
_IN_BUCKETS = {INDEX: BUCKET_INDEX, BUCKETS: "1"}
_SEVERAL = {BUCKETS: "2"}
_LOGGED = {TABLE_TYPE: MERGE_ON_READ, COMPACT_AFTER: "1"}
_NEWS = {QUERY_TYPE: INCREMENTAL}
_OLD_NEWS = {**_NEWS, TABLE_VERSION: "6"}
CONFIGURATIONS: Mapping[str, Settings] = {
    "default": _with(),
    "zookeeper": _with(_HOSTS),
    "prefer-writer": _with(_PREFERRING),
    "prefer-writer-zookeeper": _with(_HOSTS, _PREFERRING),
    "file-versions": _with(_PREFERRING, {SLICES_POLICY: LATEST_VERSIONS, VERSIONS: "1"}),
    "hours": _with(_PREFERRING, {SLICES_POLICY: BY_HOURS, HOURS: "1"}),
    "metadata": _with(_PREFERRING, {METADATA: "true"}),
    "metadata-compacted": _with(_PREFERRING, {METADATA: "true", METADATA_COMPACT_AFTER: "4"}),
    "metadata-compacted-each": _with(_PREFERRING, {METADATA: "true", METADATA_COMPACT_AFTER: "1"}),
    "metadata-cleaned": _with(
        _PREFERRING, {METADATA: "true", METADATA_COMPACT_AFTER: "4", SLICES_POLICY: LATEST_VERSIONS, VERSIONS: "1"}
    ),
    "metadata-archiving": _with(
        _PREFERRING, {METADATA: "true", METADATA_COMPACT_AFTER: "1", KEEP_MAX: "2", INTERVAL: "1000"}
    ),
    "clustering": _with(_PREFERRING, {UPDATES: REJECT_UPDATES}),
    "archiving": _with(_PREFERRING, {KEEP_MAX: "2"}),
    "archiving-short-heartbeats": _with(_PREFERRING, {KEEP_MAX: "2", INTERVAL: "1000"}),
    "merge-on-read": _with(_PREFERRING, {TABLE_TYPE: MERGE_ON_READ, COMPACT_AFTER: "1"}),
    "log-compaction": _with(_PREFERRING, {TABLE_TYPE: MERGE_ON_READ, COMPACT_AFTER: "1", LOG_COMPACT_AFTER: "1"}),
    "log-compaction-simple": _with({TABLE_TYPE: MERGE_ON_READ, COMPACT_AFTER: "1", LOG_COMPACT_AFTER: "2"}),
    "non-blocking": _with(_BUCKETS),
    "non-blocking-events": _with(_BUCKETS, {MERGE_MODE: EVENT_TIME}),
    "bucket": _with({CONFLICTS: BUCKET_CONFLICTS}),
    "version-8": _with(_HOSTS, {TABLE_VERSION: "8"}),
    "version-6": _with(_HOSTS, {TABLE_VERSION: "6"}),
    "hdfs": _with(_HOSTS, {SCHEME: "hdfs"}, _PREFERRING),
    "abfs": _with(_HOSTS, {SCHEME: "abfs"}, _PREFERRING),
    "file-lock": _with(_FILE_LOCK, _PREFERRING),
    "file-lock-expiring": _with(_FILE_LOCK, _PREFERRING, {EXPIRE: "1", RETRY_WAIT: "5000"}),
    "early": _with(_EARLY),
    "early-prefer-writer": _with(_EARLY, _PREFERRING),
    "early-check-commit": _with(_EARLY, _COMMITS, _PREFERRING),
    "early-transactional": _with(_HOSTS, _EARLY, {EARLY_STRATEGY: TRANSACTIONAL_DIRECT}, _PREFERRING),
    "server-markers": _with(_SERVER, _PREFERRING),
    "server-markers-listed": _with(_SERVER, _PREFERRING, {USING_MARKERS: "false"}),
    "early-async": _with(_SERVER, _EARLY, _PREFERRING),
    "early-async-often": _with(_SERVER, _EARLY, _COMMITS, _PREFERRING, {DETECTOR_PERIOD: "10000", BATCH_THREADS: "1"}),
    "early-bloom": _with(_EARLY, {EARLY_STRATEGY: BLOOM_DIRECT}, _PREFERRING),
    "early-bloom-crowded": _with(
        _EARLY, {EARLY_STRATEGY: BLOOM_DIRECT, BLOOM_ENTRIES: "1", BLOOM_RATE: "0.7"}, _PREFERRING
    ),
    "early-bloom-async": _with(_SERVER, _EARLY, {EARLY_STRATEGY: BLOOM_SERVER}, _PREFERRING),
    "storage-lock": _with({LOCK_PROVIDER: STORAGE_BASED, SCHEME: "abfs"}, _PREFERRING),
    "metastore-lock": _with({LOCK_PROVIDER: METASTORE}, _PREFERRING),
    "metastore-lock-short": _with(
        {LOCK_PROVIDER: METASTORE, METASTORE_TIMEOUT: "1", LOCK_BEAT: "200", SKEW: "2000"}, _PREFERRING
    ),
    "short-heartbeats": _with(_PREFERRING, {INTERVAL: "1000"}),
    "zookeeper-short-heartbeats": _with(_HOSTS, _PREFERRING, {INTERVAL: "1000"}),
    "merge-on-read-short-heartbeats": _with(
        _PREFERRING, {TABLE_TYPE: MERGE_ON_READ, COMPACT_AFTER: "1", INTERVAL: "1000"}
    ),
    "zookeeper-sessions": _with(_HOSTS, _PREFERRING, {SESSION_TIMEOUT: "1000"}),
    "few-retries": _with(_HOSTS, _PREFERRING, {RETRIES: "3", RETRY_WAIT: "0"}),
    "single-writer": _with({MODE: SINGLE_WRITER, LOCK_PROVIDER: UNSET}),
    "tried-again": _with(_PREFERRING, {CONFLICT_RETRIES: "2"}),
    "bucket-index": _with(_IN_BUCKETS, {CONFLICTS: BUCKET_CONFLICTS}),
    "bucket-index-prefer-writer": _with(_IN_BUCKETS, _PREFERRING),
    "incremental": _with(_PREFERRING, _NEWS),
    "incremental-file-versions": _with(_PREFERRING, _NEWS, {SLICES_POLICY: LATEST_VERSIONS, VERSIONS: "1"}),
    "incremental-archiving": _with(_PREFERRING, _NEWS, {KEEP_MAX: "2"}),
    "incremental-as-of": _with(_PREFERRING, _NEWS, {AS_OF: ANY_COMMIT}),
    "incremental-metadata": _with(_PREFERRING, _NEWS, {AS_OF: ANY_COMMIT, METADATA: "true"}),
    "incremental-version-6": _with(_OLD_NEWS),
    "incremental-blocked": _with(_OLD_NEWS, {HOLES: BLOCK_AT_HOLES}),
    "incremental-transition": _with(_OLD_NEWS, {HOLES: TRANSITION_TIME}),
    "single-writer-eager": _with({MODE: SINGLE_WRITER, LOCK_PROVIDER: UNSET, CLEAN_POLICY: EAGER}),
    "single-writer-never": _with({MODE: SINGLE_WRITER, LOCK_PROVIDER: UNSET, CLEAN_POLICY: NEVER}),
    "columns": _with(_PREFERRING, {SCHEMA_CONFLICTS: "true"}),
    "columns-unchecked": _with({SCHEMA_CONFLICTS: "false"}),
    "bucket-index-logs": _with(_IN_BUCKETS, _LOGGED, {CONFLICTS: BUCKET_CONFLICTS}),
    "bucket-index-logs-prefer-writer": _with(_IN_BUCKETS, _LOGGED, _PREFERRING),
    "columns-logs": _with(_PREFERRING, _LOGGED, {SCHEMA_CONFLICTS: "true"}),
    "columns-metadata": _with(_PREFERRING, {METADATA: "true", SCHEMA_CONFLICTS: "true"}),
    "merge-on-read-tried-again": _with(_PREFERRING, _LOGGED, {CONFLICT_RETRIES: "2"}),
    "two-buckets": _with(_IN_BUCKETS, {CONFLICTS: BUCKET_CONFLICTS}, _SEVERAL),
    "two-buckets-prefer-writer": _with(_IN_BUCKETS, _PREFERRING, _SEVERAL),
    "two-buckets-logs": _with(_IN_BUCKETS, _LOGGED, _PREFERRING, _SEVERAL),
    "two-buckets-non-blocking": _with(_BUCKETS, _SEVERAL),
    "deletes": _with(_PREFERRING, {PREPPED: "true"}),
    "deletes-logs": _with(_PREFERRING, _LOGGED, {PREPPED: "true"}),
    "deletes-logs-indexed": _with(_PREFERRING, _LOGGED, {PREPPED: "false"}),
    "deletes-log-compaction": _with(
        _PREFERRING, {TABLE_TYPE: MERGE_ON_READ, COMPACT_AFTER: "1", LOG_COMPACT_AFTER: "1", PREPPED: "true"}
    ),
}
"""The first one is how a user sets up several writers, with everything else as Hudi has it."""
