"""The published model of Iceberg's commits, row by row: which modes and levels keep what two writers do to one row.

Each row is searched exhaustively by Lakeproof's own protocol code, at the calls to the catalog: two writers, one row,
pairs of DELETE and UPDATE after the insert that made it (three writes); one of them beside a compaction (two writes);
then wider: two statements of one writer beside one of the other, and pairs beside a compaction (a writer more).

Source: Vanlightly, "Understanding Apache Iceberg's consistency model" (2024), and the FizzBee specification beside it,
commit a827e634, `iceberg.fizz`: rows I1 to I10 and their verdicts are of a run of it with two writers, one row id,
2 x 1 other values, id predicates, and retries (609 to 747 distinct states a row).

Choices: the specification's `ConsistentRead` is, on a history, that what was acknowledged survives and nothing refused
is seen; its sequence numbers and dangling deletes are the table's invariants. The insert is made before the race, and
brings a row more: else Spark would delete the file by its metadata, which the specification leaves out. A
compaction begins at the table before the race, and is one of the Java API with its own sequence number, with Spark's
validations of it (`BaseRewriteFiles`). Steps are the loads and commits of the catalog: what lies between them is done
by one writer alone, on files that nobody else writes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, product
from typing import Literal

from model.iceberg.rules import DELETE_VALIDATES_DELETES, SHIPPED, Rules
from sim.iceberg.race import IcebergRace
from sim.iceberg.scenarios import CATALOG_STEPS, race
from sim.iceberg.workload import Compact, Delete, Sql, Update
from sim.search.explore import exhaustive
from sim.search.run import Run
from sim.world.scenario import Scenario
from sim.world.simulation import Simulation

CONSISTENT = ("readable", "table-invariants", "no-aborted-reads", "acknowledged-writes-survive")
Mode = Literal["merge-on-read", "copy-on-write"]
Isolation = Literal["snapshot", "serializable"]
Said = Literal["holds", "violated", "not run"]
Column = Literal["3 writes", "2 writes, 1 compaction", "4 writes", "3 writes, 1 compaction"]
COLUMNS: tuple[Column, ...] = ("3 writes", "2 writes, 1 compaction", "4 writes", "3 writes, 1 compaction")
COMPACTOR = "compactor"
MOR: Mode = "merge-on-read"
COW: Mode = "copy-on-write"
LIMIT = 50_000


@dataclass(frozen=True, slots=True)
class Row:
    """One row. Args: `update`, `delete` are the modes; `writes` and `compaction` what the specification said, of three
    writes and of two and a compaction; `shape` is its counterexample's name."""

    name: str
    update: Mode
    delete: Mode
    isolation: Isolation
    writes: Said
    compaction: Said
    rules: Rules = SHIPPED
    shape: str = ""

    def said(self, column: Column) -> str:
        """The published verdict; "-" where there is none."""
        if column == "3 writes, 1 compaction":
            return "holds" if self.name in LARGER else "-"
        found = {"3 writes": self.writes, "2 writes, 1 compaction": self.compaction}.get(column, "not run")
        return "-" if found == "not run" else found


ROWS: tuple[Row, ...] = (
    Row("I1", MOR, MOR, "snapshot", "violated", "holds", shape="S6"),
    Row("I2", MOR, MOR, "serializable", "holds", "holds"),
    Row("I3", COW, COW, "snapshot", "holds", "holds"),
    Row("I4", COW, COW, "serializable", "holds", "holds"),
    Row("I5", MOR, COW, "snapshot", "holds", "holds"),
    Row("I6", MOR, COW, "serializable", "holds", "holds"),
    Row("I7", COW, MOR, "snapshot", "holds", "holds"),
    Row("I8", COW, MOR, "serializable", "holds", "holds"),
    Row("I9", MOR, MOR, "snapshot", "holds", "not run", DELETE_VALIDATES_DELETES),
    Row("I10", MOR, MOR, "serializable", "holds", "not run", DELETE_VALIDATES_DELETES),
)
LARGER = {"I2": 8_363, "I3": 9_511}
"""Rows that hold in the specification with three writes and a compaction, and over how many distinct states."""
SHAPES = {"acknowledged-writes-survive/resurrected-row": "S6"}
"""The specification's name of an anomaly: a DELETE commits after an UPDATE of the row, and leaves it alive."""


@dataclass(frozen=True, slots=True)
class Recomputed:
    """What a row came to in a column. `anomaly` is the property and the kind of its first counterexample, `run`."""

    verdict: Literal["holds", "violated", "unknown"]
    anomaly: str
    schedules: int
    states: int
    run: Run | None

    @property
    def shape(self) -> str:
        """The specification's name of the counterexample; "" if there is none."""
        return SHAPES.get(self.anomaly, self.anomaly)


class WithCompaction(IcebergRace):
    """A race beside a compaction."""

    def start(self, simulation: Simulation) -> None:
        """Start the writers, and one that compacts all files."""
        super().start(simulation)

        def compact() -> None:
            self._send(simulation, COMPACTOR, Compact())

        simulation.actor(COMPACTOR, compact)


def recompute(row: Row, column: Column = "3 writes") -> Recomputed:
    """Search a row: every schedule of its scenarios, up to the first violation."""
    schedules = states = 0
    for scenario in scenarios(row, column):
        result = exhaustive(scenario, limit=LIMIT, stop_at_failure=True)
        schedules, states = schedules + result.schedules, states + result.states
        if result.failures:
            anomaly, run = next(iter(result.failures.items()))
            return Recomputed("violated", anomaly, schedules, states, run)
        if result.verdict != "holds":
            return Recomputed("unknown", result.bounds, schedules, states, None)
    return Recomputed("holds", "", schedules, states, None)


def scenarios(row: Row, column: Column) -> Iterator[Scenario]:
    """The programs of a column: each choice of statements, once."""
    one: tuple[Sql, ...] = (Delete(1), Update(1, "x"))
    other: tuple[Sql, ...] = (Delete(1), Update(1, "y"))
    again: tuple[Sql, ...] = (Delete(1), Update(1, "z"))
    if column == "4 writes":
        for first, second, third in product(one, again, other):
            yield _race(row, (first, second), (third,))
        return
    if column == "2 writes, 1 compaction":
        yield from (_compacted(_race(row, (statement,))) for statement in one)
        return
    for mine, theirs in combinations_with_replacement((0, 1), 2):
        made = _race(row, (one[mine],), (other[theirs],))
        yield made if column == "3 writes" else _compacted(made)


def _race(row: Row, *writers: tuple[Sql, ...]) -> Scenario:
    named = {f"w{number}": todo for number, todo in enumerate(writers, 1)}
    return race(
        f"formal-{row.name}", "", named, rules=row.rules, properties=CONSISTENT,
        mode=row.delete, update_mode=row.update, isolation=row.isolation,
        update_isolation=row.isolation, yield_points=CATALOG_STEPS,
    )  # fmt: skip


def _compacted(made: Scenario) -> Scenario:
    program = made.program
    assert isinstance(program, IcebergRace)
    return replace(made, program=WithCompaction(program.workload, program.rules), live=None, not_live="a compaction")
