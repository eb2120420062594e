"""The tables of a campaign: what a row says, and the one Arrow schema of each.

| table | a row for each |
| --- | --- |
| `slices` | slice: a configuration and a range of seeds |
| `runs` | generated scenario |
| `failures` | way in which a scenario fails |
| `coverage` | counter, and kind of pair of accesses, that a slice has hit |
| `causes` | cause of failures, made small after the search |

Choices: Spark 3.5 does not compare Arrow types with what was declared, so both are made of the same named tuples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import pyarrow as pa

COUNTER, PAIR = "counter", "pair"
SIMULATOR = "simulator-error"
"""The property of a failure that is ours: a scenario could not be run. The exception is its anomaly."""


class CauseRow(NamedTuple):
    """A cause as it is before its failures are made small, see `sim.generation.causes.Cause`."""

    property: str
    anomaly: str
    operations: tuple[str, ...]
    faults: tuple[str, ...]


class SliceRow(NamedTuple):
    """A slice that was run. `seed_hi` is not in it; `scenarios` of its seeds could be made, `failed` of them fail, and
    of `complete` ones every schedule was run;
    `kinds` are the kinds of pairs of accesses that it met; `digest` is equal if, and only if, every run was."""

    slice: str
    protocol: str
    configuration: str
    rules: str
    seed_lo: int
    seed_hi: int
    scenarios: int
    schedules: int
    steps: int
    failed: int
    complete: int
    indeterminate: int
    endless: int
    causes: tuple[CauseRow, ...]
    kinds: tuple[str, ...]
    cpu_s: float
    digest: str


class RunRow(NamedTuple):
    """A generated scenario that was swept. `pairs` counts the pairs of accesses that were met, `failed` the schedules
    that fail, `failures` has their keys (property/anomaly); `complete`: every schedule was run; `missing` says what a
    "holds" would lack ("": nothing); `history` is that of one random schedule, as JSON lines: a sample for queries."""

    slice: str
    protocol: str
    configuration: str
    seed: int
    scenario: str
    summary: str
    schedules: int
    steps: int
    pairs: int
    failed: int
    failures: tuple[str, ...]
    complete: bool
    indeterminate: int
    endless: int
    missing: str
    history: str
    cpu_s: float
    digest: str


class FailureRow(NamedTuple):
    """One way in which a scenario fails, as it was first met. `found_at` counts the scenario's schedules until then;
    `schedule` replays it, `history` has its events as JSON lines; `error` is what the simulator raised, else empty."""

    slice: str
    protocol: str
    configuration: str
    seed: int
    scenario: str
    property: str
    anomaly: str
    operations: tuple[str, ...]
    faults: tuple[str, ...]
    found_at: int
    schedule: str
    history: str
    error: str


class SmallestRow(NamedTuple):
    """A cause of failures, read off its smallest failure. `failures` counts the rows of `failures` behind it and
    `rough` their causes before they were made small; `first_wave` met it first, `found_at` is the least number of
    schedules that a scenario needed; `known` names the known finding that explains it ("": it is new); `schedule`
    replays `scenario`, `history` has its events as JSON lines; `executions` counts the runs that made it small, and
    `settled` says that they sufficed; `error` is what the simulator raised, with it or on the way to a smaller
    one, else empty."""

    protocol: str
    rules: str
    property: str
    anomaly: str
    operations: tuple[str, ...]
    faults: tuple[str, ...]
    configurations: tuple[str, ...]
    failures: int
    rough: int
    first_wave: int
    found_at: int
    known: str
    scenario: str
    summary: str
    schedule: str
    history: str
    executions: int
    settled: bool
    error: str


class CoverageRow(NamedTuple):
    """What a slice has hit: a counter or a kind of pairs of accesses, `hits` times, in so many `scenarios`."""

    slice: str
    protocol: str
    configuration: str
    kind: str
    name: str
    hits: int
    scenarios: int


TABLES: dict[str, Any] = {"slices": SliceRow, "runs": RunRow, "failures": FailureRow, "coverage": CoverageRow}
"""The tables that every wave adds to, with the type of their rows."""
MEASURED = frozenset({"cpu_s"})
"""The columns that differ between two runs of one slice."""
_PLAIN = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}


def _type_of(hint: Any) -> pa.DataType:
    if hint in _PLAIN:
        return _PLAIN[hint]
    if get_origin(hint) is tuple:
        return pa.list_(_type_of(get_args(hint)[0]))
    return pa.struct([(name, _type_of(part)) for name, part in get_type_hints(hint).items()])


def schema_of(row: Any) -> pa.Schema:
    """Returns: the Arrow schema of a named tuple of texts, numbers, tuples and named tuples."""
    return pa.schema(list(_type_of(row)))


def plain(value: Any) -> Any:
    """Returns: a row as a dictionary, tuples as lists, all the way down."""
    if not isinstance(value, tuple):
        return value
    names = getattr(value, "_fields", None)
    return [plain(part) for part in value] if names is None else dict(zip(names, map(plain, value), strict=True))


def table_of(row: Any, rows: Sequence[tuple[Any, ...]]) -> pa.Table:
    """Returns: the Arrow table of these rows, all of the type `row`."""
    return pa.Table.from_pylist([plain(one) for one in rows], schema_of(row))


def slice_row(found: Mapping[str, Any]) -> SliceRow:
    """Returns: the row of `slices` that was read back as a dictionary."""
    causes = [
        CauseRow(one["property"], one["anomaly"], tuple(one["operations"]), tuple(one["faults"]))
        for one in found["causes"]
    ]
    fields = {name: found[name] for name in SliceRow._fields}
    return SliceRow(**{**fields, "causes": tuple(causes), "kinds": tuple(found["kinds"])})
