"""What a race on a Hudi table is limited to, in words: from its workload, options and rules, nothing is typed in.

    2 writers, 2 writes, 1 file group; in-process lock; copy-on-write, direct markers, no metadata table; no faults

Named are the counts, how writers exclude each other, and what differs from Hudi's defaults. What is never different
here stands at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.hudi import SHIPPED, VARIANTS, Rules
from model.hudi.config import HudiConfig
from model.hudi.keys import (
    ASYNC_SERVER,
    BLOOM_DIRECT,
    BLOOM_SERVER,
    BUCKET_CONFLICTS,
    BY_HOURS,
    DIRECT_MARKERS,
    EAGER,
    FILE_SYSTEM,
    IN_PROCESS,
    LAZY,
    METASTORE,
    NEVER,
    NON_BLOCKING,
    PREFER_WRITER,
    SERVER_MARKERS,
    STORAGE_BASED,
    TRANSACTIONAL_DIRECT,
    ZOOKEEPER,
)
from sim.hudi.statements import Clean, Compact, DamageMarkers, Read, Restore, Savepoint, Upsert, Write
from sim.hudi.workload import HudiWorkload
from sim.world.scenario import FaultSpace
from sim.world.words import counted, not_asked

TABLE = "{type}, {markers}, {metadata}"
MARKERS = {DIRECT_MARKERS: "direct markers", SERVER_MARKERS: "markers of the timeline server"}
DEFAULTS = HudiConfig()
LOCKS = {
    IN_PROCESS: "in-process lock",
    FILE_SYSTEM: "file-system lock",
    ZOOKEEPER: "ZooKeeper lock",
    STORAGE_BASED: "storage-based lock",
    METASTORE: "lock of a metastore",
}
DETECTIONS = {
    TRANSACTIONAL_DIRECT: "transactional", ASYNC_SERVER: "asynchronous", BLOOM_DIRECT: "Bloom",
    BLOOM_SERVER: "asynchronous Bloom",
}  # fmt: skip
POLICIES = {
    LAZY: "failed writes cleaned lazily (default here: eagerly)", EAGER: "failed writes cleaned eagerly",
    NEVER: "failed writes cleaned never (default here: eagerly)",
}  # fmt: skip
STRATEGIES = {PREFER_WRITER: "prefer-writer strategy", BUCKET_CONFLICTS: "bucket strategy"}


def bounds_of(
    workload: HudiWorkload, config: HudiConfig, rules: Rules, faults: FaultSpace, broken: str | None = None,
    but: Mapping[str, str] = {},
) -> str:  # fmt: skip
    """The bounds of a race, for people. `broken` is what is expected to break, `but` what is not asked, and why."""
    parts = (
        _counts(workload, config),
        ", ".join(_control(config)),
        ", ".join(_world(workload, config)),
        TABLE.format(type=_type(config), markers=MARKERS[config.marker_type], metadata=_listing(config)),
        "" if rules == SHIPPED else f"rules: {name_of(rules)}",
        not_asked(but),
        "" if faults.limit else _without_faults(config, broken),  # a space of faults speaks for itself
    )
    return "; ".join([part for part in parts if part])


def _without_faults(config: HudiConfig, broken: str | None) -> str:
    """Why a race has no faults: it breaks without them, or another one is asked for them."""
    if broken is not None:
        return "no faults"
    if config.blooms:
        kind = "async" if config.marker_type == SERVER_MARKERS else "direct"
        return f"no faults: they are asked of hudi/bloom-{kind}-any-fault"
    if config.marker_type == SERVER_MARKERS:
        return "no faults: they are asked of hudi/async-any-fault"
    return f"no faults: they are asked of hudi/any-fault{'-early' if config.early_detection else ''}"


def _listing(config: HudiConfig) -> str:
    """What readers list files by."""
    if not config.metadata:
        return "no metadata table"
    after = config.metadata_compact_after
    if after == DEFAULTS.metadata_compact_after:
        return "metadata table"
    return f"metadata table, compacted after {counted(after, 'delta commit')}"


def name_of(rules: Rules) -> str:
    """The name of a variant of the protocol."""
    return next((name for name, known in VARIANTS.items() if known == rules), "of its own")


def _counts(workload: HudiWorkload, config: HudiConfig) -> str:
    def actors(kind: Any) -> int:
        return sum(any(isinstance(each, kind) for each in statements) for _, statements in workload.writers)

    every = workload.statements
    writes = [statement for statement in every if isinstance(statement, Write) and not isinstance(statement, Compact)]
    tries = [each for each in writes if isinstance(each, Upsert) and each.tries > 1]
    counts = [
        (sum(any(one in writes for one in todo) for _, todo in workload.writers), "writer"), (len(writes), "write"),
        (sum(isinstance(each, Compact) and not each.logs for each in every), "compaction"),
        (sum(isinstance(each, Compact) and each.logs for each in every), "log compaction"), (actors(Clean), "cleaner"),
        (sum(isinstance(statement, Savepoint) for statement in every), "savepoint"),
        (sum(isinstance(statement, Restore) for statement in every), "restore"),
        (actors(DamageMarkers), "hand that damages a marker file"),
        (actors(Read), "reader"), (len(workload.groups), "file group"), (len(workload.history), "earlier write"),
    ]  # fmt: skip
    said = [counted(count, noun) for count, noun in counts if count]
    if config.keeps_versions:
        said.append(f"{counted(config.versions_retained, 'slice')} of each file group retained")
    elif config.slices_policy == BY_HOURS:
        said.append(f"{counted(config.hours_retained, 'hour')} retained")
    elif config.commits_retained != DEFAULTS.commits_retained:
        said.append(f"{counted(config.commits_retained, 'commit')} retained")
    if config.keep_max_commits != DEFAULTS.keep_max_commits:
        said.append(f"{config.keep_min_commits} to {config.keep_max_commits} commits kept by archiving")
    return ", ".join(said + [f"a write of up to {each.tries} tries" for each in tries])


def _control(config: HudiConfig) -> list[str]:
    """How writers are kept apart."""
    if not config.multi_writer:
        return ["no concurrency control", POLICIES[config.clean_policy]]
    said = [LOCKS[config.lock_provider or IN_PROCESS]]
    if config.lock_expire_minutes:
        said[0] += f" that expires after {config.lock_expire_minutes} min"
    if config.lock_provider == STORAGE_BASED and config.lock_validity_s != DEFAULTS.lock_validity_s:
        said[0] += f" of {config.lock_validity_s} s"
    if config.metastore_timeout_s != DEFAULTS.metastore_timeout_s:
        said[0] += f" that times out after {config.metastore_timeout_s} s"
    if config.lock_retries != DEFAULTS.lock_retries:
        said[0] += f" with {config.lock_retries} retries"
    if config.conflict_retries:
        said.append(f"{counted(config.conflict_retries, 'retry', 'retries')} after a conflict")
    if config.bucketed:
        buckets = f"{config.buckets} buckets" if config.buckets > 1 else "a bucket"
        said.append(f"{'non-blocking writers, ' if config.mode == NON_BLOCKING else ''}{buckets} for each partition")
    if config.by_event_time:
        said.append("rows in the order of events")
    if config.conflict_strategy in STRATEGIES:
        said.append(STRATEGIES[config.conflict_strategy])
    if config.early_detection:
        kind = DETECTIONS.get(config.detection, "simple")
        said.append(f"{kind} early detection{' with check of commits' if config.check_commit_conflict else ''}")
        if config.blooms and _filter(config) != _filter(DEFAULTS):
            said.append(f"Bloom filters of {config.bloom_entries:,} names at {config.bloom_rate:g}")
        if _passes(config) != _passes(DEFAULTS):
            said.append(f"a pass after {config.detector_delay_ms:,} ms and each {config.detector_period_ms:,} ms")
    if config.marker_batch_threads != DEFAULTS.marker_batch_threads:
        said.append(counted(config.marker_batch_threads, "marker file"))
    return said


def _world(workload: HudiWorkload, config: HudiConfig) -> list[str]:
    """Where it runs, as far as that is not one process with its files on a storage that creates atomically."""
    said = [] if workload.one_process else ["hosts of their own"]
    said += [f"clock of {actor} {offset_ms:+,} ms" for actor, offset_ms in workload.clock_offsets_ms if offset_ms]
    said += [f"{workload.storage} storage"] if workload.storage != "atomic" else []
    said += [_partitions(workload)] if workload.partitions else []
    said += [] if config.rollback_using_markers else ["rollbacks that list files"]
    said += [config.scheme] if config.scheme != DEFAULTS.scheme else []
    said += [f"table version {config.table_version}"] if config.table_version != DEFAULTS.table_version else []
    if _beats(config) != _beats(DEFAULTS):
        said.append(f"a beat each {config.heartbeat_interval_ms:,} ms, {config.heartbeat_misses} may be missed")
    return said


def _type(config: HudiConfig) -> str:
    """The table type, and when it is compacted."""
    if not config.merge_on_read:
        return "copy-on-write"
    after = counted(config.compact_after_delta_commits, "delta commit")
    blocks, usual = config.log_compact_after_blocks, DEFAULTS.log_compact_after_blocks
    logs = f", of logs after {counted(blocks, 'log file')}" if blocks != usual else ""
    return f"merge-on-read (a compaction after {after}{logs})"


def _partitions(workload: HudiWorkload) -> str:
    """Which partitions there are."""
    names = workload.where.names
    return f"partition{'s' if len(names) > 1 else ''} {', '.join(names)}"


def _filter(config: HudiConfig) -> tuple[int, float]:
    return config.bloom_entries, config.bloom_rate


def _passes(config: HudiConfig) -> tuple[int, int]:
    return config.detector_delay_ms, config.detector_period_ms


def _beats(config: HudiConfig) -> tuple[int, int]:
    return config.heartbeat_interval_ms, config.heartbeat_misses
