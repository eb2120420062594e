"""Scenarios of tables whose sort order, columns or location change while others write, of statistics files, and of
rewrites of manifests.

Source: `model.iceberg.updates`, `model.iceberg.sort_changes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.iceberg import coverage
from sim.iceberg.built_in.appended import APPENDED
from sim.iceberg.built_in.manifest import MANIFESTS
from sim.iceberg.built_in.statistics import STATISTICS
from sim.iceberg.built_in.transactions import Writers
from sim.iceberg.layout import DropColumn, MoveTo, SortBy
from sim.iceberg.scenarios import SAFETY, race
from sim.iceberg.workload import AddColumn, Append
from sim.world.scenario import Scenario

WIDER: Mapping[str, Any] = {"history": (AddColumn("c"),), "catalog": "java-api"}
OVER_REST: Mapping[str, Any] = {**WIDER, "catalog": "rest"}
DROPPED: Writers = {"w1": [SortBy(("c",))], "w2": [DropColumn("c")], "w3": [Append(((3, "x"),))]}
MOVED: Writers = {"w1": [MoveTo("elsewhere")], "w2": [Append(((3, "x"),))]}

LAYOUT: tuple[Scenario, ...] = (
    race(
        "sort-drop-column",
        "A table is sorted by a column that somebody drops meanwhile: one of them is refused.",
        DROPPED, properties=SAFETY, counters=(coverage.RETRY, coverage.SORT_COLUMN_GONE), **WIDER,
    ),
    race(
        "rest-sort-drop-column",
        "The same over REST, where the server refuses it for good.",
        DROPPED, properties=SAFETY, counters=(coverage.NOT_APPLICABLE,), **OVER_REST,
    ),
    race(
        "rest-sort-sort-back",
        "A table is sorted over REST while another client sorts it alike, and sorts it no more: the default is what was"
        " required, and the server refuses for good to add an order that it has.",
        {"w1": [SortBy(("v",))], "w2": [SortBy(("v",)), SortBy()]},
        properties=SAFETY, counters=(coverage.NOT_APPLICABLE,), **OVER_REST,
    ),
    race(
        "move-append",
        "A table is moved while somebody appends: who moves it makes all his attempts on what he has loaded first, and"
        " is refused although nothing is in his way.",
        MOVED, properties=SAFETY, counters=(coverage.RETRY, coverage.MOVED_IN_VAIN), retries=1, catalog="java-api",
    ),
    race(
        "rest-move-append",
        "The same over REST, where nothing is required of the table: both are done, and what the append has written in"
        " the old place is not missed.",
        MOVED, properties=SAFETY, counters=(coverage.APPLIED_TO_NEWER,), catalog="rest",
    ),
    *STATISTICS,
    *MANIFESTS,
    *APPENDED,
)  # fmt: skip
