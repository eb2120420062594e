"""Scenarios of row ids, which tables of format 3 have. Source: `model.iceberg.row_ids`, `sim.iceberg.row_lineage`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from model.iceberg import coverage
from model.iceberg.rules import MANIFESTS_BY_NUMBER
from sim.iceberg.scenarios import SAFETY, race
from sim.iceberg.statements import Append, RemoveFile, SetProperty, Statement, Transaction, UpdateSpec
from sim.iceberg.workload import FORMAT
from sim.world.scenario import Scenario

Writers = Mapping[str, Sequence[Statement]]
LINEAGE = (*SAFETY, "row-lineage")
X, Y, Z = (Append(((key, value),)) for key, value in ((3, "x"), (4, "y"), (5, "z")))
TWICE: Writers = {"w1": [Transaction((X, Y))], "w2": [Z]}
ONCE: Writers = {"w1": [Transaction((X,))], "w2": [Z]}
OF_SPECS = (Append(((3, "c"),)), Append(((5, "e"),)), UpdateSpec(4), Append(((6, "f"),)))
"""Three manifests of the first spec, and one of the next: whoever may remove files lists the three as one."""
IN_PART: Writers = {"w1": [RemoveFile(1, "snapshot")], "w2": [X]}
UPGRADED: Mapping[str, Any] = {"table_properties": (), "partition_width": 1, "history": (SetProperty(FORMAT, "3"),)}
"""A table that has come to format 3 behind all that it has: two files of one manifest, whose rows have no ids yet."""


def _of_format_3(name: str, summary: str, writers: Writers, **further: Any) -> Scenario:
    given = {"catalog": "java-api", "table_properties": ((FORMAT, "3"),), "properties": LINEAGE} | further
    return race(f"row-ids-{name}", summary, writers, **given)


ROW_IDS: tuple[Scenario, ...] = (
    _of_format_3(
        "append-append",
        "Two appends in format 3: who has lost the race takes the row ids behind those of the other.",
        {"w1": [X], "w2": [Y]},
        counters=(coverage.RETRY,),
    ),
    _of_format_3(
        "transaction-append",
        "A transaction of two appends beside an append, in format 3: applied again, its first rows have ids that the"
        " other one has taken.",
        TWICE,
        broken="row-lineage",
    ),
    _of_format_3(
        "transaction-append-fixed",
        "The same where manifests that an attempt has met are known by what their lists have given them.",
        TWICE,
        rules=MANIFESTS_BY_NUMBER,
        counters=(coverage.UPDATES_APPLIED_AGAIN,),
    ),
    _of_format_3(
        "transaction-of-one-append",
        "The same with a transaction of one append: its manifest has no ids before it is committed.",
        ONCE,
        counters=(coverage.UPDATES_APPLIED_AGAIN,),
    ),
    _of_format_3(
        "upgraded-remove-append",
        "A table that has come to format 3: an append gives ids to what was there; who removes a file of the same"
        " manifest, and has lost the race to it, gives others to the rest.",
        IN_PART,
        broken="row-lineage",
        **UPGRADED,
    ),
    _of_format_3(
        "upgraded-remove-append-fixed",
        "The same where manifests that an attempt has met are known by what their lists have given them.",
        IN_PART,
        rules=MANIFESTS_BY_NUMBER,
        counters=(coverage.RETRY,),
        **UPGRADED,
    ),
    _of_format_3(
        "upgraded-remove-append-later",
        "The same behind a commit in format 3, after which all rows have ids.",
        IN_PART,
        counters=(coverage.RETRY,),
        **{**UPGRADED, "history": (*UPGRADED["history"], Append(((4, "y"),)))},
    ),
    _of_format_3(
        "spec-remove",
        "A file is removed of a table whose partition spec has changed: what is left of its manifest is listed in one"
        " with others of that spec, and keeps its row ids.",
        {"w1": [RemoveFile(1, "snapshot")], "w2": [Y]},
        partition_width=1,
        history=OF_SPECS,
        counters=(coverage.MANIFESTS_MERGED,),
    ),
)
