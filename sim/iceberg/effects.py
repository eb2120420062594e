"""What clients are told of rows, as a history has it."""

from __future__ import annotations

from sim.iceberg.incremental import OfPast, told
from sim.iceberg.workload import Scan, Select
from sim.world.simulation import Simulation

Effects = tuple[tuple[int, str | None], ...]
Reads = list[tuple[str, str | None, int | None]]


def all_keys(simulation: Simulation, found: Reads) -> Reads:
    """What a reader of the whole table has read: the rows that are there, and that all others are not."""
    rows = dict.fromkeys(simulation.record.keys()) | {key: value for key, value, _ in found}
    return [(key, value, None) for key, value in rows.items()]


def each_reading(simulation: Simulation, found: Reads) -> Reads:
    """What somebody has read who may have read more than once: all that he has seen, and what he never saw."""
    seen = {key for key, _, _ in found}
    known = simulation.record.keys()
    return [*found, *[(key, None, None) for key in known if key not in seen]]


def seen_by(simulation: Simulation, statement: object, found: Effects) -> tuple[Reads, str | None]:
    """What a statement has read, of rows as they are at its version; what came since, or was, in words."""
    if isinstance(statement, OfPast):
        return [], told(found)
    reads = row_reads(found)
    if isinstance(statement, Select):
        return all_keys(simulation, reads), None
    return each_reading(simulation, reads) if isinstance(statement, Scan) else reads, None


def row_reads(effects: Effects) -> Reads:
    return [(f"row:{key}", value, None) for key, value in effects]


def row_writes(effects: Effects) -> list[tuple[str, str | None]]:
    return [(f"row:{key}", value) for key, value in effects]
