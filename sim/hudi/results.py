"""Vanlightly's table of results for Hudi, recomputed: which means make two writers of one file group consistent.

Rows are the optimistic ones, and the ones without control, of his TLA+ specification (table version 5, copy-on-write,
commits only) for one file group. Timestamps are monotonic (one counter), or each writer's own clock, equal or one apart
either way; a file that exists is refused (put-if-absent) or overwritten; names of data files have a salt or not. Each
row is searched exhaustively, up to its first violation.

Source: hudi/5.1; Vanlightly, "Understanding Apache Hudi's consistency model" (2024), and the TLA+ specification
beside it, whose results hudi/5.1 has from another search.

Choices: the specification's check for duplicate keys makes no difference where there is one group, so a row stands for
both of its settings. Its "consistent read" is, on a history, that acknowledged writes survive, nothing refused is seen,
nothing is lost and every write began from a snapshot. Non-monotonic rows are the union over three settings of the
clocks; the specification draws any timestamp up to the largest one used and one more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from model.hudi import SHIPPED, Rules
from model.hudi.keys import LOCK_PROVIDER, MODE, OCC, SINGLE_WRITER, ZOOKEEPER
from model.hudi.variants import TLA_SPECIFICATION
from sim.hudi.build import Writers, race
from sim.hudi.statements import Upsert
from sim.hudi.workload import Options
from sim.search.explore import exhaustive
from sim.search.result import Result
from sim.search.run import Run
from sim.world.scenario import Scenario

CONSISTENT = ("no-aborted-reads", "acknowledged-writes-survive", "no-lost-update", "snapshot-isolation")
VERSION: Options = (("hoodie.write.table.version", "6"),)
LOCKED: Options = (*VERSION, (MODE, OCC), (LOCK_PROVIDER, ZOOKEEPER))
UNLOCKED: Options = (*VERSION, (MODE, SINGLE_WRITER))
CHANGES = ("create", "try_lock", "list")
TWO_OPERATIONS: Writers = {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((1, "B"),))]}
THREE_OPERATIONS: Writers = {"w1": [Upsert(((1, "A"),)), Upsert(((2, "C"),))], "w2": [Upsert(((1, "B"),))]}
LIMIT = 200_000


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table. `expected`: the verdict of the other search; None where the table has no such row."""

    monotonic: bool
    control: Literal["OCC", "none"]
    put_if_absent: bool
    salt: bool
    expected: Literal["ok", "violated"] | None
    rules: Rules = TLA_SPECIFICATION


@dataclass(frozen=True, slots=True)
class Recomputed:
    """What a row came to. `anomaly` is the property and the kind of its counterexample, `run` the first one found."""

    row: Row
    verdict: Literal["ok", "violated", "unknown"]
    anomaly: str
    schedules: int
    states: int
    run: Run | None


ROWS: tuple[Row, ...] = (
    Row(True, "OCC", False, False, "ok"),
    Row(True, "none", False, False, "violated"),
    Row(True, "none", True, False, "violated"),
    Row(True, "none", False, True, "violated"),
    Row(False, "OCC", False, False, "violated"),
    Row(False, "OCC", True, False, "ok"),
    Row(False, "OCC", False, True, "ok"),
    Row(False, "OCC", True, True, "ok"),
    Row(False, "none", False, False, "violated"),
    Row(False, "none", True, False, "violated"),
    Row(False, "none", False, True, "violated"),
    Row(False, "none", True, True, "violated"),
)
TODAY: tuple[Row, ...] = (Row(True, "OCC", True, False, None, SHIPPED),)
"""The same question of 1.2.0, which looks for conflicts in another way than the specification."""


def scenarios(row: Row, writers: Writers, yield_points: tuple[str, ...] | None) -> Iterator[Scenario]:
    """The row's scenarios: one, or one for each setting of the clocks."""
    rules = replace(row.rules, salted_file_names=row.salt, instants_from_locked_clock=row.monotonic)
    for ahead_ms in (0,) if row.monotonic else (0, 1, -1):
        yield race(
            f"result-{'monotonic' if row.monotonic else f'clocks-{ahead_ms}-apart'}-{row.control}", "", writers,
            rules=rules, properties=CONSISTENT, options=LOCKED if row.control == "OCC" else UNLOCKED,
            yield_points=yield_points, storage="atomic" if row.put_if_absent else "overwrite",
            one_process=row.monotonic, clock_offsets_ms=(("w1", 10), ("w2", 10 + ahead_ms)) if not row.monotonic else
        (), )  # fmt: skip


def recompute(row: Row, writers: Writers = TWO_OPERATIONS, yield_points: tuple[str, ...] | None = None) -> Recomputed:
    """Search a row: every schedule of its scenarios, up to the first violation."""
    schedules = states = 0
    for scenario in scenarios(row, writers, yield_points):
        result: Result = exhaustive(scenario, limit=LIMIT, stop_at_failure=True)
        schedules, states = schedules + result.schedules, states + result.states
        if result.failures:
            anomaly, run = next(iter(result.failures.items()))
            return Recomputed(row, "violated", anomaly, schedules, states, run)
        if result.verdict != "holds":
            return Recomputed(row, "unknown", result.bounds, schedules, states, None)
    return Recomputed(row, "ok", "", schedules, states, None)


ANOMALIES = {
    "no-lost-update/lost-update": "both commit, and one of the two updates is lost",
    "no-aborted-reads/aborted-read": "a refused write has overwritten the slice of a committed one",
    "no-aborted-reads/vanished-write-read": "an acknowledged commit's files were overwritten by the other's",
    "acknowledged-writes-survive/lost-write": "an acknowledged write is not what readers see",
}


def table(writers: Writers = TWO_OPERATIONS, yield_points: tuple[str, ...] | None = None) -> tuple[Recomputed, ...]:
    """All rows of the table, then today's."""
    return tuple(recompute(row, writers, yield_points) for row in (*ROWS, *TODAY))
