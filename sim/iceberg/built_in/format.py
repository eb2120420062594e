"""Scenarios of tables of format 1, and of tables whose format changes while others write to them.

Source: `model.iceberg.metadata` (`upgraded`, `next_sequence_number`), `model.iceberg.row_delta`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from model.iceberg import coverage
from sim.iceberg.built_in.vector import VECTORS
from sim.iceberg.scenarios import LEVELS, SAFETY, race
from sim.iceberg.workload import (
    FORMAT,
    Append,
    ChangeRow,
    Compact,
    DeleteRow,
    Overwrite,
    Replace,
    SetProperty,
    Statement,
    Transaction,
)
from sim.world.scenario import Scenario

ONE = ((FORMAT, "1"),)
TO_2, TO_3 = SetProperty(FORMAT, "2"), SetProperty(FORMAT, "3")
SEEN = tuple([name for name in SAFETY if name not in ("no-spurious-refusal",)])
MIXED = "somebody commits twice, and who changes the format makes no snapshot"
NO_SNAPSHOT = "who changes the format makes no snapshot that a refusal could be told by"


def _table(name: str, summary: str, *statements: Statement, **further: Any) -> Scenario:
    return _several(name, summary, {f"w{number}": [one] for number, one in enumerate(statements, 1)}, **further)


def _several(name: str, summary: str, writers: Mapping[str, Sequence[Statement]], **further: Any) -> Scenario:
    return race(name, summary, writers, **({"catalog": "java-api"} | further))


FORMATS: tuple[Scenario, ...] = (
    _table(
        "format-1-append-append",
        "Two appends to a table of format 1, whose snapshots have no numbers: both files stay.",
        Append(((3, "x"),)),
        Append(((4, "y"),)),
        table_properties=ONE,
        counters=(coverage.RETRY,),
    ),
    _table(
        "format-1-change-change",
        "Two overwrites by file of one row in format 1, serializable: the second is refused.",
        ChangeRow(1, "x", "serializable"),
        ChangeRow(1, "y", "serializable"),
        table_properties=ONE,
        properties=LEVELS["serializable"],
        counters=(coverage.ADDED_DATA_FILES_REFUSED,),
    ),
    _table(
        "format-1-compact-change",
        "A compaction of all files beside an overwrite of one, in format 1: the second is refused.",
        Compact(),
        Replace(1, ((1, "x"), (2, "b2"))),
        table_properties=ONE,
        counters=(coverage.MISSING_DELETE_PATHS_REFUSED,),
    ),
    _table(
        "upgrade-append",
        "A table goes from format 1 to 2 beside an append: both stay, whoever comes first.",
        TO_2,
        Append(((3, "x"),)),
        table_properties=ONE,
        properties=SEEN,
        because=NO_SNAPSHOT,
        counters=(coverage.RETRY,),
    ),
    _table(
        "rest-upgrade-append",
        "The same over REST, where nothing is required of the format: a snapshot without a number is refused.",
        TO_2,
        Append(((3, "x"),)),
        table_properties=ONE,
        catalog="rest",
        properties=SEEN,
        because=NO_SNAPSHOT,
        counters=(coverage.RETRY,),
    ),
    _table(
        "upgrade-delete",
        "A table goes from format 1 to 2 beside a delete of a row, which is refused: its client has loaded format 1.",
        TO_2,
        DeleteRow(1),
        table_properties=ONE,
        properties=SEEN,
        because=NO_SNAPSHOT,
        counters=(coverage.DELETES_OF_ANOTHER_FORMAT,),
    ),
    _table(
        "upgrade-3-delete",
        "A table goes from format 2 to 3 beside a delete of a row by position, which is refused if it comes second.",
        TO_3,
        DeleteRow(1),
        properties=tuple([name for name in SEEN if name != "no-leaks"]),
        because=f"{NO_SNAPSHOT}, and an illegal argument is no failure after which is cleaned up",
        counters=(coverage.DELETES_OF_ANOTHER_FORMAT,),
    ),
    _several(
        "rest-upgrade-3-delete",
        "The same over REST beside a delete of another row in format 3: a snapshot without a row id is refused.",
        {"w1": [DeleteRow(1)], "w2": [TO_3, Transaction((DeleteRow(2),))]},
        rows=((1, "a"), (2, "b"), (3, "c")),
        catalog="rest",
        properties=("readable", "table-invariants", "no-aborted-reads", "acknowledged-writes-survive"),
        because=MIXED,
        counters=(coverage.NOT_APPLICABLE,),
    ),
    _table(
        "rest-upgrade-3-append",
        "A table goes from format 2 to 3 over REST beside an append, which is refused for good if it meets it there.",
        TO_3,
        Append(((3, "x"),)),
        catalog="rest",
        properties=SEEN,
        because=NO_SNAPSHOT,
        counters=(coverage.NOT_APPLICABLE,),
    ),
    _table(
        "upgrade-3-append",
        "A table goes from format 2 to 3 beside an append: both stay.",
        TO_3,
        Append(((3, "x"),)),
        properties=SEEN,
        because=NO_SNAPSHOT,
        counters=(coverage.RETRY,),
    ),
    _table(
        "overwrite-delete-vector",
        "An overwrite by file, unvalidated, beside a delete in format 3 that replaces the file's deletion vector: the"
        " new one stays, of a file that is gone.",
        Overwrite(((4, "x"),), by="file"),
        DeleteRow(1),
        rows=((1, "a"), (2, "b"), (3, "c")),
        history=(DeleteRow(3),),
        table_properties=((FORMAT, "3"),),
        properties=("readable", "table-invariants", "no-aborted-reads"),
        because="an overwrite that validates nothing takes what it has not seen",
        broken="table-invariants",
    ),
    *VECTORS,
)
