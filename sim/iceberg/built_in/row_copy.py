"""Scenarios of row ids that Spark SQL copies, in tables of format 3.

Source: `model.iceberg.row_copies`, `sim.iceberg.kept_ids`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from model.iceberg import coverage
from model.iceberg.rules import CARRIED_ROW_IDS
from sim.iceberg.built_in.row_id import LINEAGE
from sim.iceberg.scenarios import race
from sim.iceberg.statements import SetProperty, Statement
from sim.iceberg.workload import FORMAT, Delete, Insert, Merge, RewriteDataFiles, RewriteManifests, Sql, Update
from sim.world.scenario import Scenario

IN_FORMAT_3: Mapping[str, Any] = {"table_properties": ((FORMAT, "3"),)}
COPIES: Mapping[str, Any] = {**IN_FORMAT_3, "mode": "copy-on-write"}
THREE_ROWS = ((1, "a"), (2, "b"), (3, "c"))
BESIDE = Insert(((9, "z"),))
UPGRADES: Sequence[Statement] = (SetProperty(FORMAT, "3"),)
LATER: Sequence[Statement] = (*UPGRADES, Insert(((8, "y"),)))
"""Behind a commit in format 3, which gives ids to all rows."""


def _kept(name: str, summary: str, *statements: Sql, **further: Any) -> Scenario:
    writers = {f"w{number}": [one] for number, one in enumerate(statements, 1)}
    given = {"rows": THREE_ROWS, "properties": LINEAGE} | further
    return race(f"row-ids-{name}", summary, writers, **given)


TWO_MANIFESTS: Sequence[Sql] = (RewriteManifests(), BESIDE)
TWO_MORE = (Insert(((7, "w"),)), Insert(((8, "y"),)))
"""Two commits, so that there are two data manifests more."""

ROW_COPIES: tuple[Scenario, ...] = (
    _kept(
        "update-merge",
        "An UPDATE and a MERGE of rows of two files, merge-on-read, in format 3: changed rows keep their ids, whoever"
        " has to try again.",
        Update(2, "B"),
        Merge(((8, "Y"), (9, "z"))),
        history=(Insert(((8, "y"),)),),
        counters=(coverage.RETRY,),
        **IN_FORMAT_3,
    ),
    _kept(
        "delete-merge-copies",
        "A DELETE and a MERGE of rows of two files, copy-on-write: rows that are copied keep their ids, and when they"
        " were changed last; a row that is inserted is new.",
        Delete(1),
        Merge(((8, "Y"), (9, "z"))),
        history=(Insert(((7, "w"), (8, "y"))),),
        counters=(coverage.RETRY,),
        **COPIES,
    ),
    _kept(
        "rewrite-insert",
        "`rewrite_data_files` of a file with a row that was changed, beside an INSERT: all keep what they had.",
        RewriteDataFiles(),
        BESIDE,
        history=(Update(2, "B"),),
        counters=(coverage.RETRY,),
        **COPIES,
    ),
    _kept(
        "upgraded-update-insert",
        "A table that has come to format 3: an INSERT gives ids to its rows; a copy-on-write UPDATE that has read them"
        " before has none to keep, and all rows of its file get others.",
        Update(1, "A"),
        BESIDE,
        history=UPGRADES,
        mode="copy-on-write",
        broken="row-lineage",
    ),
    _kept(
        "upgraded-rewrite-insert",
        "The same with `rewrite_data_files` in the place of the UPDATE: all rows get other ids.",
        RewriteDataFiles(),
        BESIDE,
        history=UPGRADES,
        broken="row-lineage",
    ),
    _kept(
        "upgraded-update-insert-later",
        "The UPDATE and the INSERT behind a commit in format 3.",
        Update(1, "A"),
        BESIDE,
        history=LATER,
        mode="copy-on-write",
        counters=(coverage.RETRY,),
    ),
    _kept(
        "upgraded-rewrite-insert-later",
        "`rewrite_data_files` and the INSERT behind a commit in format 3.",
        RewriteDataFiles(),
        BESIDE,
        history=LATER,
        counters=(coverage.RETRY,),
    ),
    _kept(
        "rewrite-manifests-insert",
        "`rewrite_manifests` of several manifests beside an INSERT, in format 3: all rows of the new manifest get other"
        " ids.",
        *TWO_MANIFESTS,
        history=TWO_MORE,
        broken="row-lineage",
        **IN_FORMAT_3,
    ),
    _kept(
        "rewrite-manifests-insert-fixed",
        "The same where the procedure writes the row ids that files have.",
        *TWO_MANIFESTS,
        history=TWO_MORE,
        rules=CARRIED_ROW_IDS,
        counters=(coverage.RETRY,),
        **IN_FORMAT_3,
    ),
)
