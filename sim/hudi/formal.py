"""The formal model of Hudi with two file groups, row by row: which means keep what two writers do to two keys.

Rows H1 to H19 of runs of Vanlightly's TLA+ specification (table version 5, copy-on-write, commits only) with two
writers, two keys, two values, two file groups and three operations. Timestamps are monotonic (one counter), or each
writer's own clock; control is optimistic, pessimistic (locks of file groups) or none; new keys are checked against an
index or not; a file that exists is refused (put-if-absent) or overwritten; names have a salt or not.

Source: Vanlightly, "Understanding Apache Hudi's consistency model" (2024), and the TLA+ specification beside it; the
verdicts are of runs of it (`ConsistentRead`, `NoDuplicateKeysAcrossFiles`).

Choices: the first operation, an insert, is made before the race; the others are drawn as any keys of both writers, and
a row is broken if one of these workloads is. `ConsistentRead` is, on a history, what `results.py` says;
`NoDuplicateKeysAcrossFiles` is that no key is there twice. Clocks are equal, or one apart either way. A new key begins
a file group of its own, where the specification puts it into one of two. Steps are what changes something, and
listings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, product
from typing import Literal

from model.hudi.variants import TLA_SPECIFICATION
from sim.hudi.build import Writers, race
from sim.hudi.results import CHANGES, CONSISTENT, LIMIT, LOCKED, UNLOCKED
from sim.hudi.statements import Upsert
from sim.search.explore import exhaustive
from sim.search.run import Run
from sim.world.scenario import Scenario

Control = Literal["OCC", "PCC", "none"]
Said = Literal["holds", "violated"]
KEYS = (1, 2)
"""The first one is there, the second one is new."""
BEFORE = (("fg1", ((1, "a"),)),)
TWICE = "duplicated-row"


@dataclass(frozen=True, slots=True)
class Row:
    """One row. Args: `reads` and `keys` are the published verdicts of both invariants, `shape` is what breaks them;
    `states`: published distinct states with four operations, 0 where it was not run so."""

    name: str
    monotonic: bool
    control: Control
    checks_keys: bool
    put_if_absent: bool
    salt: bool
    reads: Said
    keys: Said
    shape: str = ""
    states: int = 0


@dataclass(frozen=True, slots=True)
class Recomputed:
    """What a row came to. `anomalies`: each property and kind that broke, with the first run that shows it."""

    anomalies: dict[str, Run]
    schedules: int
    states: int
    complete: bool

    @property
    def reads(self) -> str:
        """The verdict of consistent reads."""
        return "violated" if self.anomalies else "holds" if self.complete else "unknown"

    @property
    def keys(self) -> str:
        """The verdict of no key twice."""
        twice = any(each.endswith(f"/{TWICE}") for each in self.anomalies)
        return "violated" if twice else "holds" if self.complete else "unknown"


def _row(name: str, knobs: str, reads: Said = "holds", keys: Said = "holds", shape: str = "", states: int = 0) -> Row:
    """Of knobs as `colliding OCC keys put salt`."""
    clock, control, *means = knobs.split()
    assert control in ("OCC", "PCC", "none")
    flags = ("keys" in means, "put" in means, "salt" in means)
    return Row(name, clock == "monotonic", control, *flags, reads, keys, shape, states)  # type: ignore[arg-type]


BAD: Said = "violated"
ROWS: tuple[Row, ...] = (
    _row("H1", "monotonic OCC keys", states=683_745),
    _row("H2", "monotonic OCC", BAD, BAD, "S2"),
    _row("H3", "monotonic PCC keys", states=398_293),
    _row("H4", "monotonic PCC", BAD, BAD, "S2"),
    _row("H5", "monotonic none keys", BAD, "holds", "S1"),
    _row("H6", "monotonic none", BAD, BAD, "S1, S2"),
    _row("H7", "colliding OCC keys", BAD, BAD, "S3"),
    _row("H8", "colliding OCC keys put", states=890_273),
    _row("H9", "colliding OCC keys salt"),
    _row("H10", "colliding OCC", BAD, BAD, "S3, S2"),
    _row("H11", "colliding OCC put", BAD, BAD, "S2"),
    _row("H12", "colliding OCC salt", BAD, BAD, "S2"),
    _row("H13", "colliding PCC keys", BAD, "holds", "S4"),
    _row("H14", "colliding PCC keys put", states=549_093),
    _row("H15", "colliding PCC keys salt"),
    _row("H16", "colliding PCC", BAD, BAD, "S4, S2"),
    _row("H16", "colliding PCC put", BAD, BAD, "S2"),
    _row("H16", "colliding PCC salt", BAD, BAD, "S2"),
    _row("H17", "colliding none keys", BAD, BAD, "S3, S4"),
    _row("H18", "colliding none keys put", BAD, "holds", "S1"),
    _row("H18", "colliding none keys salt", BAD, "holds", "S1"),
    _row("H19", "colliding none", BAD, BAD, "S1-S4"),
    _row("H19", "colliding none put", BAD, BAD, "S1-S4"),
    _row("H19", "colliding none salt", BAD, BAD, "S1-S4"),
)


def workloads(operations: int) -> Iterator[Writers]:
    """What two writers do after the insert: any keys. Args: `operations`: three or four, the insert being one."""
    if operations == 3:
        for one, two in combinations_with_replacement(KEYS, 2):
            yield {"w1": [Upsert(((one, "A"),))], "w2": [Upsert(((two, "B"),))]}
        return
    for one, two, other in product(KEYS, repeat=3):
        yield {"w1": [Upsert(((one, "A"),)), Upsert(((two, "C"),))], "w2": [Upsert(((other, "B"),))]}


def scenarios(row: Row, operations: int) -> Iterator[Scenario]:
    """The row's scenarios: each workload, under each setting of the clocks."""
    rules = replace(
        TLA_SPECIFICATION, salted_file_names=row.salt, salted_instants=row.salt, indexes_new_keys=row.checks_keys,
        locks_file_groups=row.control == "PCC", instants_from_locked_clock=row.monotonic,
    )  # fmt: skip
    for writers, ahead_ms in product(workloads(operations), (0,) if row.monotonic else (0, 1, -1)):
        yield race(
            f"formal-{row.name}", "", writers, rules=rules, properties=CONSISTENT, groups=BEFORE,
            options=LOCKED if row.control == "OCC" else UNLOCKED, yield_points=CHANGES,
            storage="atomic" if row.put_if_absent else "overwrite", one_process=row.monotonic,
            clock_offsets_ms=() if row.monotonic else (("w1", 10), ("w2", 10 + ahead_ms)),
        )  # fmt: skip


def recompute(row: Row, operations: int = 3) -> Recomputed:
    """Search a row: every schedule of its scenarios."""
    schedules = states = 0
    found: dict[str, Run] = {}
    complete = True
    for scenario in scenarios(row, operations):
        result = exhaustive(scenario, limit=LIMIT)
        schedules, states = schedules + result.schedules, states + result.states
        found = {**result.failures, **found}
        complete = complete and (bool(result.failures) or result.verdict == "holds")
    return Recomputed(found, schedules, states, complete)
