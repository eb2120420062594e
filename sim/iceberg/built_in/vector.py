"""Scenarios of deletion vectors: several in one Puffin file, as a task of an engine writes them, and Spark SQL's.

Source: `model.iceberg.expire`, `model.iceberg.delete_plans`, `model.iceberg.spark_changes`.
"""

from __future__ import annotations

from model.iceberg import coverage
from model.iceberg.rules import EXPIRY_KEEPS_LIVE_FILES
from sim.iceberg.built_in.managed import KEPT
from sim.iceberg.built_in.transactions import Writers
from sim.iceberg.managing import CreateRef, Expire
from sim.iceberg.scenarios import DELETE_UPDATE, race
from sim.iceberg.workload import FORMAT, Append, Compact, Delete, DeleteRow, JavaApi
from sim.world.scenario import Scenario

THREE = ((FORMAT, "3"),)
TWO_ROWS = Append(((3, "c"), (4, "d")))
SHARED: tuple[JavaApi, ...] = (TWO_ROWS, DeleteRow(1, also=(3,)))
"""Two data files of two rows, each with a vector; both vectors are in one file."""
EXPIRED: Writers = {"w1": [DeleteRow(2), Append(((5, "x"),))], "w2": [Expire(1)]}


def _expired(name: str, summary: str, *before: JavaApi, **further: object) -> Scenario:
    return race(
        f"expire-shared-vectors{name}", summary, EXPIRED, catalog="java-api", history=(*SHARED, *before),
        table_properties=THREE, properties=KEPT, because="nothing else is asked of what manages snapshots",
        **further,  # type: ignore[arg-type]
    )  # fmt: skip


def _refused(name: str, summary: str, *, apart: bool, **further: object) -> Scenario:
    writers: Writers = {"w1": [DeleteRow(3, also=(4,), apart=apart)], "w2": [Compact()]}
    return race(
        f"delete-apart-compact{name}", summary, writers, catalog="java-api", history=(TWO_ROWS,),
        table_properties=THREE, **further,  # type: ignore[arg-type]
    )  # fmt: skip


VECTORS: tuple[Scenario, ...] = (
    _expired(
        "",
        "A vector takes over another one's deletes, and what has expired is deleted: the old one's file goes, in which"
        " there is the vector of another data file, too.",
        broken="readable",
    ),
    _expired(
        "-kept",
        "The same with an expiry that deletes nothing which is in use still.",
        rules=EXPIRY_KEEPS_LIVE_FILES,
        counters=(coverage.CLEANED_INCREMENTALLY,),
    ),
    _expired(
        "-tag",
        "The same on a table with a tag behind main: what goes is told by what can be reached, and the file stays.",
        CreateRef("t", tag=True),
        counters=(coverage.CLEANED_BY_REACH,),
    ),
    _refused(
        "",
        "Two tasks delete a row each of one data file: their commit merges the two vectors, and is refused, for another"
        " one has rewritten the file meanwhile. The merged file stays.",
        apart=True,
        broken="no-leaks",
    ),
    _refused(
        "-one-task",
        "The same by one task, which writes one vector: nothing is merged, and nothing is left.",
        apart=False,
        counters=(coverage.DATA_FILES_EXIST_REFUSED,),
    ),
    race(
        "delete-update-format-3",
        "DELETE and UPDATE of one row, merge-on-read, snapshot isolation, in format 3: one of them is refused, for a"
        " data file has one vector.",
        DELETE_UPDATE,
        table_properties=THREE,
        counters=(coverage.ADDED_VECTORS_REFUSED,),
    ),
    race(
        "delete-delete-format-3",
        "DELETEs of two rows of one data file, merge-on-read, in format 3: the second is refused.",
        {"w1": [Delete(1)], "w2": [Delete(2)]},
        table_properties=THREE,
        counters=(coverage.ADDED_VECTORS_REFUSED,),
    ),
)
