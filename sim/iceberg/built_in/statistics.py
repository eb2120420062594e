"""Scenarios of statistics files that are set while snapshots expire.

Source: `model.iceberg.statistics`, `model.iceberg.expire`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.iceberg import coverage
from sim.iceberg.built_in.transactions import Writers
from sim.iceberg.layout import SetStatistics
from sim.iceberg.managing import Expire
from sim.iceberg.scenarios import race
from sim.iceberg.workload import Append
from sim.world.scenario import Scenario

KEPT = ("readable", "table-invariants", "no-aborted-reads", "acknowledged-writes-survive")
MANAGED = "snapshots are managed"
TWO: Mapping[str, Any] = {"history": (Append(((3, "c"),)),), "catalog": "java-api"}
NAMED: Mapping[str, Any] = {"history": (SetStatistics("A"), Append(((3, "c"),))), "catalog": "java-api"}
EXPIRED: Writers = {"w1": [SetStatistics("B", back=1)], "w2": [Expire(1)]}
AGAIN: Writers = {"w1": [SetStatistics("A")], "w2": [Expire(1)]}
OF_PARTITIONS: Writers = {"w1": [SetStatistics("B", back=1, of_partitions=True)], "w2": [Expire(1)]}

STATISTICS: tuple[Scenario, ...] = (
    race(
        "statistics-expire",
        "Statistics are set for a snapshot that expires meanwhile: nobody asks whether the table has it, and no expiry"
        " will take them away.",
        EXPIRED, properties=(*KEPT, "no-leaks"), because=MANAGED, broken="no-leaks", **TWO,
    ),
    race(
        "statistics-head-expire",
        "The same for the head, which stays.",
        {"w1": [SetStatistics("B")], "w2": [Expire(1)]}, properties=(*KEPT, "no-leaks"), because=MANAGED,
        counters=(coverage.RETRY, coverage.CLEANED_INCREMENTALLY), **TWO,
    ),
    race(
        "partition-statistics-expire",
        "The same with statistics of partitions: beside any other commit they are refused, and their file stays.",
        OF_PARTITIONS, properties=KEPT, because=MANAGED, counters=(coverage.CLEANED_INCREMENTALLY,), **TWO,
    ),
    race(
        "statistics-again-expire",
        "The file of a snapshot that expires is set for the head, too, when it is deleted: the table names a file that"
        " is gone.",
        AGAIN, properties=KEPT, because=MANAGED, broken="table-invariants", **NAMED,
    ),
    race(
        "statistics-anew-expire",
        "The same with a file of its own for the head.",
        {"w1": [SetStatistics("B")], "w2": [Expire(1)]}, properties=KEPT, because=MANAGED,
        counters=(coverage.RETRY, coverage.CLEANED_INCREMENTALLY), **NAMED,
    ),
)  # fmt: skip
