"""Scenarios of tables with partitions, and of whole partitions that are replaced while others write to the table.

Source: `model.iceberg.replace_partitions`. "As Spark" is as its dynamic INSERT OVERWRITE asks for it: for nothing by
default, and for more with the write option `isolation-level`.
"""

from __future__ import annotations

from model.iceberg import coverage
from sim.iceberg.built_in.spec import SPECS
from sim.iceberg.built_in.sql_spec import SQL_SPECS
from sim.iceberg.scenarios import CATALOG_STEPS, LEVELS, SAFETY, race
from sim.iceberg.workload import Append, ChangeRow, DeleteRow, ReplacePartitions, Statement
from sim.world.scenario import Scenario

ROWS, IDS = ((1, "a"), (4, "d")), 4
"""Row 1 in the partition of ids 0 to 3, row 4 in that of 4 to 7."""
ADDED = Append(((2, "x"),))
KEPT = ("readable", "table-invariants", "no-aborted-reads", "acknowledged-writes-survive")
ASKS_LESS = "it asks for less than snapshot isolation"


def _partitioned(name: str, summary: str, *statements: Statement, **further: object) -> Scenario:
    writers = {f"w{number}": [one] for number, one in enumerate(statements, 1)}
    table = {"rows": ROWS, "partition_width": IDS, "catalog": "java-api"}
    return race(name, summary, writers, **table, **further)  # type: ignore[arg-type]  # fields by their names


PARTITIONED: tuple[Scenario, ...] = (
    _partitioned(
        "replace-partition-append",
        "A partition is replaced as Spark does it by default, beside an append to it: the appended row vanishes.",
        ReplacePartitions(((1, "A"),)),
        ADDED,
        properties=KEPT,
        because=ASKS_LESS,
        broken="acknowledged-writes-survive",
    ),
    _partitioned(
        "replace-partition-append-snapshot",
        "The same with isolation-level=snapshot: an append is no conflict, and the appended row vanishes.",
        ReplacePartitions(((1, "A"),), "snapshot"),
        ADDED,
        properties=KEPT,
        because=ASKS_LESS,
        broken="acknowledged-writes-survive",
    ),
    _partitioned(
        "replace-partition-append-serializable",
        "The same with isolation-level=serializable: whoever comes second is refused, or appends.",
        ReplacePartitions(((1, "A"),), "serializable"),
        ADDED,
        properties=(*LEVELS["serializable"],),
        counters=(coverage.ADDED_DATA_FILES_REFUSED,),
    ),
    _partitioned(
        "replace-partition-delete",
        "A partition is replaced with isolation-level=snapshot beside a delete of its row: it is refused.",
        ReplacePartitions(((1, "A"),), "snapshot"),
        DeleteRow(1),
        properties=SAFETY,
        counters=(coverage.NEW_DELETE_FILES_REFUSED,),
    ),
    _partitioned(
        "replace-partition-beside",
        "A partition is replaced with isolation-level=serializable beside a change and an append in another one.",
        ReplacePartitions(((1, "A"),), "serializable"),
        ChangeRow(4, "D", "serializable"),
        Append(((5, "e"),)),
        properties=(*SAFETY, "no-needless-refusal"),
        counters=(coverage.RETRY,),
        yield_points=CATALOG_STEPS,
    ),
    _partitioned(
        "replace-partition-twice",
        "Two replace a partition with isolation-level=snapshot: one of them is refused.",
        ReplacePartitions(((1, "A"),), "snapshot"),
        ReplacePartitions(((1, "B"),), "snapshot"),
        properties=SAFETY,
        counters=(coverage.DELETED_DATA_FILES_REFUSED,),
    ),
    *SPECS,
    *SQL_SPECS,
)
