"""The lineage of a table as a history has it: main's snapshots from the race's first one on, without those that nobody
ever met."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from model.iceberg.errors import HistoryNeverEnds
from model.iceberg.metadata import Snapshot, TableMetadata, ancestors
from sim.world.simulation import Simulation

Parents = Mapping[int, int | None]
"""Snapshots, each with the one that it was made on."""


def line_of(metadata: TableMetadata, head: Snapshot | None) -> list[Snapshot]:
    """`head` and its ancestors, newest first; each once, where one comes from itself."""
    found: list[Snapshot] = []
    with suppress(HistoryNeverEnds):  # by then all that it comes from is found
        found.extend(ancestors(metadata, head))
    return found


def line_through(snapshot: int | None, parents: Parents) -> Iterator[int]:
    """A snapshot, and all that it comes from; each once, where one comes from itself."""
    met: set[int] = set()
    while snapshot is not None and snapshot not in met:
        met.add(snapshot)
        yield snapshot
        snapshot = parents.get(snapshot)


def rings(parents: Parents, refs: Iterable[tuple[str, int]]) -> list[str]:
    """Refs whose history comes back to itself, as sentences. Args: `parents`: of each snapshot of the table."""
    lines = [(name, [*line_through(target, parents)]) for name, target in refs]
    return [
        f"ring: expected a history that ends, {line[0]} of {name} comes from itself"
        for name, line in lines
        if parents.get(line[-1]) in line
    ]


def ancestry(simulation: Simulation, table: str, metadata: TableMetadata) -> list[Snapshot]:
    """The head of main and its ancestors, oldest first; expired ones are in older versions of the register."""
    chain = line_of(metadata, metadata.current)
    if chain and chain[-1].parent_id is not None:
        versions = simulation.services.register.history.get(table, ())
        expired = {snapshot.snapshot_id: snapshot for version in versions for snapshot in version.value.snapshots}
        for each in chain:
            expired.pop(each.snapshot_id, None)
        while chain[-1].parent_id in expired:
            chain.append(expired.pop(chain[-1].parent_id))
    return chain[::-1]


def committed(chain: list[Snapshot], metadata: TableMetadata) -> list[Snapshot]:
    """The chain without those snapshots of transactions that never were the table's current one: the history has none
    of them, and no reader of the table meets them."""
    log = frozenset(metadata.snapshot_log)
    first = next((place for place, snapshot in enumerate(chain) if snapshot.snapshot_id in log), 0)
    inside = [snapshot for snapshot in chain[first:] if snapshot.snapshot_id not in log]
    if not inside:
        return chain
    parents = {snapshot.snapshot_id: snapshot.parent_id for snapshot in inside}
    committed = []
    for snapshot in chain:
        if snapshot.snapshot_id not in parents:
            while snapshot.parent_id in parents:
                snapshot = snapshot._replace(parent_id=parents[snapshot.parent_id])
            committed.append(snapshot)
    return committed


def since(chain: list[Snapshot], first: int) -> list[Snapshot]:
    """The chain from this snapshot on: what was before it is the table's history, and no version of the race."""
    start = next((place for place, snapshot in enumerate(chain) if snapshot.snapshot_id == first), 0)
    return [chain[start]._replace(parent_id=None), *chain[start + 1 :]] if chain else []
