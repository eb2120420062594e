"""The bounds of a race say what its workload and its options are, and nothing that was typed in."""

from typing import Any

import pytest

from model.hudi import SHIPPED
from model.hudi.keys import BATCH_THREADS, DETECTOR_DELAY, METADATA
from model.hudi.variants import OWNED_LOCK, VERSION_1_0
from sim.hudi.bounds import MARKERS
from sim.hudi.build import (
    ASYNC,
    ASYNC_AND_COMMITS,
    DIRECT_AND_COMMITS,
    EXPIRE,
    FILE_LOCK,
    NO_CONTROL,
    ONE_GROUP,
    OPTIMISTIC,
    PREFERRING,
    SERVER,
    SHIPPED_BEATS,
    TRANSACTIONAL,
    TWO_GROUPS,
    WIDE,
    Writers,
    race,
)
from sim.hudi.scenarios import HUDI
from sim.hudi.statements import Clean, Read, Upsert

SAID: dict[str, tuple[dict[str, Any], str]] = {
    "two writers": ({}, "2 writers, 2 writes, 1 file group; in-process lock; copy-on-write"),
    "no faults": ({}, "no metadata table; no faults"),
    "two groups": ({"groups": TWO_GROUPS}, "2 writes, 2 file groups;"),
    "a strategy": ({"options": PREFERRING}, "in-process lock, prefer-writer strategy;"),
    "early detection": ({"options": DIRECT_AND_COMMITS}, "lock, simple early detection with check of commits;"),
    "transactional": ({"options": TRANSACTIONAL}, "ZooKeeper lock, transactional early detection;"),
    "asynchronous": ({"options": ASYNC_AND_COMMITS}, "asynchronous early detection with check of commits; copy-on-wr"),
    "passes": ({"options": (*ASYNC, (DETECTOR_DELAY, "30000"))}, "a pass after 30,000 ms and each 30,000 ms;"),
    "server markers": (
        {"options": (*OPTIMISTIC, *SERVER, (BATCH_THREADS, "1"))},
        "1 marker file; copy-on-write, markers of the timeline server, no metadata table",
    ),
    "a partition": ({"partitions": ("event_date=1",)}, "partition event_date=1;"),
    "a file lock": ({"options": (*FILE_LOCK, (EXPIRE, "1"))}, "lock that expires after 1 min with 0 retries;"),
    "no control": ({"options": NO_CONTROL}, "no concurrency control, failed writes cleaned lazily"),
    "beats": ({"options": (*PREFERRING, *SHIPPED_BEATS)}, "a beat each 1,000 ms, 2 may be missed;"),
    "hosts": ({"one_process": False, "clock_offsets_ms": (("w1", 200),)}, "hosts of their own, clock of w1 +200 ms;"),
    "storage": ({"storage": "overwrite"}, "overwrite storage;"),
    "version": ({"options": (*NO_CONTROL, ("hoodie.write.table.version", "6"))}, "table version 6;"),
    "rules": ({"rules": VERSION_1_0}, "; rules: 1.0; no faults"),
}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
def test_what_is_asked_is_said(name: str) -> None:
    """Counts, how writers are kept apart, what differs from the defaults."""
    options, said = SAID[name]
    assert said in race("b", "", ONE_GROUP, **{"rules": SHIPPED, **options}).bounds


def test_cleaners_readers_and_tries_are_counted() -> None:
    """Each by its own name; a space of faults speaks for itself."""
    writers: Writers = {"w1": [Upsert(((1, "A"),), tries=3), Upsert(((2, "B"),))], "r": [Read()], "c": [Clean()]}
    scenario = race("b", "", writers, rules=OWNED_LOCK, faults=WIDE)
    counts = "1 writer, 2 writes, 1 cleaner, 1 reader, 1 file group, a write of up to 3 tries; in-process"
    assert scenario.bounds.startswith(counts)
    assert scenario.bounds.endswith("; rules: owned-lock")


def test_every_built_in_scenario_says_what_hudi_is_not_modelled() -> None:
    """Of which types the table and the markers are, whether there is a metadata table."""
    for scenario in HUDI:
        assert any(words in scenario.bounds for words in ("; copy-on-write, ", "; merge-on-read (a compaction after "))
        listed = "metadata table" if dict(scenario.parameters).get(METADATA) == "true" else "no metadata table"
        assert any(f", {of}, {listed}" in scenario.bounds for of in MARKERS.values())
