"""Hudi scenarios: tables of several partitions, whose names are much alike, or of two levels."""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.keys import CONFLICTS, PREFER_WRITER
from model.hudi.variants import AS_DOCUMENT
from sim.hudi.build import (
    ASYNC,
    DIRECT,
    EVERYTHING,
    LARGE,
    OPTIMISTIC,
    SERVER,
    SERVER_WRITES,
    TWO_GROUPS,
    WRITES,
    Writers,
    race,
)
from sim.hudi.statements import Upsert

PREFERRED = (CONFLICTS, PREFER_WRITER)
ALIKE = ("p_1", "p_2")
"""The same up to the first underscore."""
BEGINNING, LEVELS = ("p", "p_1"), ("2026/1", "2026/11")
"""One name is the beginning of the other, in one level and in two."""
APART: Writers = {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),))]}
ACROSS: Writers = {"w1": [Upsert(((1, "A"), (2, "B")))], "w2": [Upsert(((2, "C"),))]}
"""One writes in both partitions, in the order in which Hudi comes to them."""
FAILING: Writers = {"w1": [Upsert(((1, "A"), (2, "B")), attempts=2)], "w2": ACROSS["w2"]}
"""The same, and each of its tasks fails once."""
OWN: dict[str, Any] = {"groups": TWO_GROUPS, "rules": SHIPPED}
BOTH_COMMIT = (*EVERYTHING, "sound-early-aborts", "no-early-refusals", "all-writes-commit")
PARTITIONS = (
    race(
        "partitions",
        "One writes in two partitions, the name of one of which begins with the other's: its conflict in one of them "
        "is found, and nothing of it stays in either.",
        ACROSS,
        partitions=BEGINNING,
        options=(*OPTIMISTIC, PREFERRED),
        properties=EVERYTHING,
        but=LARGE,
        counters=(coverage.CONFLICT_FOUND, coverage.ROLLED_BACK),
        yield_points=("create", "delete", "try_lock"),
        **OWN,
    ),
    race(
        "partitions-levels",
        "The same in partitions of two levels, and each task fails once: markers and data of both are found.",
        FAILING,
        partitions=LEVELS,
        options=(*OPTIMISTIC, PREFERRED),
        properties=EVERYTHING,
        but=LARGE,
        counters=(coverage.CONFLICT_FOUND, coverage.RECONCILED, coverage.ROLLED_BACK),
        yield_points=("create", "delete", "try_lock"),
        **OWN,
    ),
    race(
        "partitions-early",
        "Simple direct detection looks in the partition of its own file: nobody is refused by a marker in another.",
        APART,
        partitions=ALIKE,
        options=(*DIRECT, PREFERRED),
        properties=BOTH_COMMIT,
        counters=(coverage.EARLY_CHECK, coverage.COMMITTED),
        yield_points=WRITES,
        pair="async-partitions-alike",
        **OWN,
    ),
    race(
        "async-partitions-alike",
        "Two partitions whose names are the same up to an underscore: a marker in one refuses a write in the other "
        "(F-6).",
        APART,
        partitions=ALIKE,
        options=(*ASYNC, PREFERRED),
        properties=(*EVERYTHING, "sound-early-aborts"),
        yield_points=SERVER_WRITES,
        broken="sound-early-aborts",
        pair="async-partitions-alike-compared",
        **OWN,
    ),
    race(
        "async-partitions-alike-compared",
        "The same where partition and file id are compared: nobody is refused early.",
        APART,
        groups=TWO_GROUPS,
        partitions=ALIKE,
        rules=AS_DOCUMENT,
        options=(*ASYNC, PREFERRED),
        properties=BOTH_COMMIT,
        counters=(coverage.CHECKER_PASS, coverage.COMMITTED),
        yield_points=("create", "close", "sleep"),
        pair="async-partitions-alike",
    ),
    race(
        "server-markers-partitions",
        "The timeline server's markers of two partitions lie in one file: reconciliation and rollback find both.",
        FAILING,
        partitions=LEVELS,
        options=(*OPTIMISTIC, *SERVER, PREFERRED),
        properties=EVERYTHING,
        but=LARGE,
        counters=(coverage.MARKERS_WRITTEN, coverage.CONFLICT_FOUND, coverage.RECONCILED, coverage.ROLLED_BACK),
        yield_points=("create", "close", "try_lock"),
        **OWN,
    ),
)
