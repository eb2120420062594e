"""Options that cannot be are refused in one line: the key, the value, and what is allowed."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lakeproof.errors import UsageProblem
from lakeproof.scenarios import find
from model.hudi.config import HudiConfig
from model.hudi.errors import ConfigError
from model.hudi.keys import (
    ASYNC_SERVER,
    BATCH_INTERVAL,
    BATCH_THREADS,
    BLOOM_DIRECT,
    BLOOM_ENTRIES,
    BLOOM_RATE,
    BLOOM_SERVER,
    CHECK_COMMIT,
    DETECTOR_DELAY,
    DETECTOR_PERIOD,
    EARLY,
    EARLY_STRATEGY,
    FILE_SYSTEM,
    LOCK_PROVIDER,
    MARKERS,
    MODE,
    OCC,
    SERVER_MARKERS,
    SIMPLE_DIRECT,
    TRANSACTIONAL_DIRECT,
)
from model.hudi.options import parse_options
from sim.hudi.statements import BulkInsert, DeletePartition, Insert, Overwrite, Read, Upsert
from sim.hudi.workload import HudiWorkload

MULTI = {MODE: OCC, LOCK_PROVIDER: "InProcessLockProvider"}
SERVER = {MARKERS: SERVER_MARKERS}
BAD: dict[str, tuple[Any, str]] = {
    "unknown key": ({"hoodie.write.concurency.mode": OCC}, "did you mean hoodie.write.concurrency.mode?"),
    "unknown mode": ({MODE: "PESSIMISTIC"}, "one of SINGLE_WRITER, OPTIMISTIC_CONCURRENCY_CONTROL"),
    "unknown lock provider": ({**MULTI, LOCK_PROVIDER: "EtcdLockProvider"}, "FileSystemBasedLockProvider"),
    "multi-writer without lock": ({MODE: OCC}, "because hoodie.write.concurrency.mode is OPTIMISTIC"),
    "strategy of the wrong family": (
        {**MULTI, EARLY: "true", EARLY_STRATEGY: "AsyncTimelineServerBasedDetectionStrategy"},
        "a strategy for DIRECT markers",
    ),
    "detection without optimistic control": ({EARLY: "true"}, "false unless hoodie.write.concurrency.mode is"),
    "early strategy unknown": ({**MULTI, EARLY: "true", EARLY_STRATEGY: "Bloom"}, "a strategy for DIRECT markers"),
    "interval below a second": ({"hoodie.client.heartbeat.interval_in_ms": "999"}, "at least 1000"),
    "no misses": ({"hoodie.client.heartbeat.tolerable.misses": "0"}, "a whole number from 1 to 1,000"),
    "negative expiry": ({"hoodie.write.lock.filesystem.expire": "-1"}, "at least 0"),
    "negative skew": ({"hoodie.time.generator.max_expected_clock_skew_ms": "-5"}, "at least 0"),
    "lease shorter than the wait for skew": (
        {
            MODE: OCC, LOCK_PROVIDER: FILE_SYSTEM, "hoodie.write.lock.filesystem.expire": "1",
            "hoodie.time.generator.max_expected_clock_skew_ms": "60000",
        },
        "less than the lock's expiry of 1 min",
    ),
    "eager cleaning": ({**MULTI, "hoodie.clean.failed.writes.policy": "EAGER"}, "LAZY"),
    "markers of no type": ({MARKERS: "BLOOM"}, "one of DIRECT, TIMELINE_SERVER_BASED"),
    "a direct strategy for server markers": (
        {**MULTI, **SERVER, EARLY: "true", EARLY_STRATEGY: SIMPLE_DIRECT},
        f"a strategy for TIMELINE_SERVER_BASED markers ({ASYNC_SERVER}, {BLOOM_SERVER})",
    ),
    "a Bloom strategy for other markers": (
        {**MULTI, EARLY: "true", EARLY_STRATEGY: BLOOM_SERVER}, "a strategy for DIRECT markers (",
    ),
    "a filter without errors": ({BLOOM_RATE: "0"}, "a rate between 0 and 1"),
    "a filter that tells nothing": ({BLOOM_RATE: "1"}, "a rate between 0 and 1"),
    "a rate in per cent": ({BLOOM_RATE: "1%"}, "a rate between 0 and 1, such as 0.01 or 1e-9"),
    "a filter for nothing": ({BLOOM_ENTRIES: "0"}, "from 1 to 1,000,000"),
    "server markers on hdfs": ({**SERVER, "fs.scheme": "hdfs"}, "DIRECT, for Hudi makes no others on hdfs"),
    "no interval": ({BATCH_INTERVAL: "0"}, "at least 1"),
    "no marker file": ({BATCH_THREADS: "0"}, "from 1 to 1,000"),
    "no period": ({DETECTOR_PERIOD: "0"}, "at least 1"),
    "a delay before the beginning": ({DETECTOR_DELAY: "-1"}, "at least 0"),
    "a key by both of its names": (
        {DETECTOR_DELAY: "0", "hoodie.write.lock.early.conflict.async.checker.batch.interval": "30000"},
        f"nothing, for {DETECTOR_DELAY} is given and means the same",
    ),
    "transactional strategy without ZooKeeper": (
        {**MULTI, EARLY: "true", EARLY_STRATEGY: TRANSACTIONAL_DIRECT}, "ZookeeperBasedLockProvider because",
    ),
    "two signs": ({"hoodie.write.lock.wait_time_ms": "--5"}, "a whole number"),
    "a digit of another script": ({"hoodie.write.lock.wait_time_ms": "²"}, "a whole number"),
    "larger than can be": ({"hoodie.write.lock.wait_time_ms": "99999999999999999999"}, "from 0 to 4,611"),
    "a number and no text": ({"hoodie.write.lock.wait_time_ms": 5}, "a text"),
    "nothing": ({MODE: None}, "a text"),
    "check-commit without detection": ({**MULTI, CHECK_COMMIT: "true"}, "false unless hoodie.write.concurrency.early"),
    "strategy that is not there, not used": ({EARLY_STRATEGY: "Bloom"}, "a strategy for DIRECT markers"),
    "no number": ({"hoodie.write.lock.wait_time_ms": "soon"}, "a whole number"),
    "no flag": ({EARLY: "maybe"}, "true or false"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_refused_in_one_line(name: str) -> None:
    """The line names the key as it was given (or the one that makes it impossible), the value, and what is allowed."""
    options, allowed = BAD[name]
    with pytest.raises(ConfigError) as caught:
        parse_options(options)
    line = str(caught.value)
    assert "\n" not in line
    assert allowed in line
    assert caught.value.key in line
    assert repr(caught.value.value) in line


def test_defaults_are_hudis() -> None:
    """The table of hudi/2.4."""
    config = parse_options({})
    assert config == HudiConfig()
    assert (config.lock_wait_ms, config.lock_retries, config.lock_retry_wait_ms) == (60_000, 50, 5_000)
    assert (config.heartbeat_interval_ms, config.heartbeat_misses, config.tolerance_ms) == (60_000, 2, 120_000)
    assert config.layout == 2


def test_class_names_come_with_or_without_their_package() -> None:
    """As users write them."""
    name = f"org.apache.hudi.table.marker.{SIMPLE_DIRECT}"
    config = parse_options({**MULTI, EARLY: "true", EARLY_STRATEGY: name})
    assert config.early_strategy == SIMPLE_DIRECT


def test_the_strategy_is_inferred_from_the_type_of_markers() -> None:
    """Simple for direct ones, asynchronous for the timeline server's; with Hudi's delay, period and batches."""
    assert parse_options({**MULTI, EARLY: "true"}).detection == SIMPLE_DIRECT
    config = parse_options({**MULTI, **SERVER, EARLY: "true"})
    assert config.detection == ASYNC_SERVER
    assert (config.detector_delay_ms, config.detector_period_ms) == (0, 30_000)
    assert (config.marker_batch_ms, config.marker_batch_threads, config.server_timeout_s) == (50, 20, 300)


def test_the_documents_names_mean_what_they_were_shipped_as() -> None:
    """RFC-56's five keys, and its strategies."""
    early = "hoodie.write.lock.early.conflict"
    document = {
        f"{early}.detection.enable": "true",
        f"{early}.detection.strategy": "AsyncTimelineMarkerEarlyConflictDetectionStrategy",
        f"{early}.check.commit": "true",
        f"{early}.async.checker.batch.interval": "30000",
        f"{early}.async.checker.period": "10000",
    }
    shipped = {
        EARLY: "true", EARLY_STRATEGY: ASYNC_SERVER, CHECK_COMMIT: "true", DETECTOR_DELAY: "30000",
        DETECTOR_PERIOD: "10000",
    }  # fmt: skip
    assert parse_options({**MULTI, **SERVER, **document}) == parse_options({**MULTI, **SERVER, **shipped})
    for named, known in (
        ("SimpleDirectMarkerBasedEarlyConflictDetectionStrategy", SIMPLE_DIRECT),
        ("SimpleTransactionDirectMarkerBasedEarlyConflictDetectionStrategy", TRANSACTIONAL_DIRECT),
    ):
        assert parse_options({EARLY_STRATEGY: named}).detection == known


def test_bloom_files_belong_to_the_bloom_strategies_when_detection_is_on() -> None:
    """By the document's names alone, for nothing of them was shipped; the rate is a text of a number."""
    on = {**MULTI, EARLY: "true"}
    assert parse_options({**on, EARLY_STRATEGY: BLOOM_DIRECT, BLOOM_RATE: "1e-9"}).bloom_rate == 1e-9
    assert parse_options({**on, EARLY_STRATEGY: BLOOM_DIRECT}).blooms
    assert parse_options({**on, **SERVER, EARLY_STRATEGY: f"org.apache.hudi.{BLOOM_SERVER}"}).blooms
    assert not parse_options(on).blooms
    assert not parse_options({**MULTI, EARLY_STRATEGY: BLOOM_DIRECT}).blooms


def test_wait_for_skew_is_inferred_from_the_lock() -> None:
    """200 ms, but nothing to wait for in one process."""
    assert parse_options(MULTI).skew_wait_ms == 0
    assert parse_options({**MULTI, LOCK_PROVIDER: FILE_SYSTEM}).skew_wait_ms == 200


def test_a_bad_option_in_a_users_scenario_is_a_usage_problem(tmp_path: Path) -> None:
    """One line with the file, the key, the value and what is allowed; the exit code is that of a wrong option."""
    file = tmp_path / "mine.py"
    file.write_text(
        "from sim.hudi.build import ONE_GROUP, race\n"
        f"scenario = race('mine', '', ONE_GROUP, options=(({EARLY!r}, 'true'),))\n"
    )
    with pytest.raises(UsageProblem) as caught:
        find(str(file))
    assert caught.value.code == 64
    assert (
        str(caught.value)
        == f"scenario file {file}: line 2: option {EARLY}: expected false unless {MODE} is {OCC}, got 'true'"
    )


BAD_WORK: dict[str, tuple[dict[str, Any], str]] = {
    "a clock of nobody": ({"clock_offsets_ms": (("w9", 200),)}, "one of the writers (w1), got 'w9'"),
    "a clock of one process": ({"clock_offsets_ms": (("w1", 200),)}, "none in one process"),
    "a clock in words": ({"clock_offsets_ms": (("w1", "200"),), "one_process": False}, "whole milliseconds for w1"),
    "a storage that does not exist": ({"storage": "foo"}, "one of atomic, check-then-put, overwrite"),
    "an option twice": ({"options": ((MODE, OCC), (MODE, OCC))}, "each name once"),
    "an option that is no pair": ({"options": (MODE,)}, "a tuple of pairs"),
    "options as a mapping": ({"options": {MODE: OCC}}, "a tuple of pairs"),
    "an option in other than text": ({"options": ((MODE, 1),)}, "texts"),
    "a partition without a name": ({"partitions": ("a//b",)}, "levels between '/', got 'a//b'"),
    "a partition too many": ({"partitions": ("a", "b")}, "none, or one for each of 1 file groups"),
    "a partition in another": (
        {"partitions": ("2016", "2016/01"), "groups": (("fg1", ((1, "a"),)), ("fg2", ((2, "b"),)))},
        "no partition that others lie in, got '2016'",
    ),
    "hosts in words": ({"one_process": "yes"}, "True or False"),
    "writers as a mapping": ({"writers": {"w1": ()}}, "a tuple of pairs"),
    "a writer twice": ({"writers": (("w1", ()), ("w1", ()))}, "each name once"),
    "a name that schedules cannot write": ({"writers": (("w 1", ()),)}, "a name such as w1, got 'w 1'"),
    "a name of ours": ({"writers": (("r-final", ()),)}, "another name than"),
    "no statement": (
        {"writers": (("w1", ("upsert",)),)},
        "w1: expected Upsert, Update, Delete, Insert, BulkInsert, Overwrite, DeletePartition, Cluster, Compact, Clean, "
        "Savepoint, "
        "DeleteSavepoint, Restore, Archive, PlanClustering, DamageMarkers, Read, ReadNews, ReadFirst or ReadAsOf, got "
        "'upsert'",
    ),
    "a partition that is not there": (
        {"writers": (("w1", (DeletePartition("p2"),)),)}, "one of the partitions (p1), got 'p2'",
    ),
    "one statement": ({"writers": (("w1", Read()),)}, "w1: expected a tuple of statements"),
    "no file group": ({"groups": ()}, "at least one file group"),
    "a file group twice": ({"groups": (("fg1", ((1, "a"),)), ("fg1", ((2, "b"),)))}, "each name once"),
    "a name that files cannot have": ({"groups": (("fg_1", ((1, "a"),)),)}, "letters, digits and '-', got 'fg_1'"),
    "a row in two groups": ({"groups": (("fg1", ((1, "a"),)), ("fg2", ((1, "b"),)))}, "each id once, got 1"),
    "an empty group": ({"groups": (("fg1", ()),)}, "at least one row"),
    "a value twice": (
        {"writers": (("w1", (Upsert(((1, "A"),)),)), ("w2", (Upsert(((1, "A"),)),)))},
        "each value of a row once, got (1, 'A')",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_WORK)
def test_impossible_worlds_are_refused_in_one_line(name: str) -> None:
    """Writers, file groups, clocks, storage, options: the argument is named, and a caller may expect a ValueError."""
    fields, allowed = BAD_WORK[name]
    with pytest.raises(ValueError, match=f"option {next(iter(fields))}: ") as caught:
        HudiWorkload(**{"writers": (("w1", ()),), **fields})
    assert isinstance(caught.value, ConfigError)
    assert allowed in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("field", ["work_ms", "after_ms", "between_ms", "attempts", "tries", "tasks"])
def test_waits_are_not_negative_and_there_is_at_least_one_try(field: str) -> None:
    """Of an upsert."""
    wrong: dict[str, Any] = {field: -1}
    with pytest.raises(ValueError, match=f"option {field}: expected a whole number, at least [01], got -1"):
        replace(Upsert(((1, "A"),)), **wrong)


@pytest.mark.parametrize("statement", [Upsert, Insert, BulkInsert, Overwrite])
@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ((), "at least one row"), ([(1, "A")], "a tuple of pairs"), ((1, "A"), "a tuple of pairs"),
        ((("1", "A"),), "a whole number as id, got '1'"), (((True, "A"),), "a whole number as id, got True"),
        (((1, 2),), "without '|', got 2"), (((1, ""),), "without '|', got ''"),
        (((1, "A"), (1, "B")), "each id once, got 1"), (((1, "A|B"),), "a text as value, without"),
    ],
)  # fmt: skip
def test_rows_are_ids_and_texts(statement: Any, rows: Any, expected: str) -> None:
    """`|` stands between the values of a key that is there twice."""
    with pytest.raises(ValueError, match="option rows: ") as caught:
        statement(rows)
    assert expected in str(caught.value)


@pytest.mark.parametrize(
    "key",
    [
        "hoodie.metadata.record.index.enable", "hoodie.embed.timeline.server", "hoodie.compact.inline",
        "hoodie.index.bucket.engine",
        "hoodie.rollback.avoid.duplicate.plan",
        "hoodie.clean.automatic", "hoodie.markers.delete.parallelism",
    ],
)  # fmt: skip
def test_an_option_that_the_model_does_not_know_is_refused(key: str) -> None:
    """Whatever its value: a run that ignores what was asked for proves nothing."""
    with pytest.raises(ConfigError, match=f"option {key}: expected a known option"):
        parse_options({**MULTI, key: "true"})
