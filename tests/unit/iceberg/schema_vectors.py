"""What an expiry makes of schemas that nobody needs, on the model and on real Java.

Each: the table's past, whether the expiry cleans metadata, who commits (w1 expires, then w2 does the same), and the
schemas that are left: the current one, those beside it, and that of each snapshot. After `TestRemoveSnapshots`
(`testRemoveSchemas`, `testNoSchemasOrSpecsToRemove`) and `RemoveSnapshots.internalApply` of 1.11.0.
"""

from typing import Any

from sim.iceberg.columns import RenameColumn
from sim.iceberg.incremental import ReadAt, ReadSince
from sim.iceberg.managing import AppendTo, Expire
from sim.iceberg.scenarios import race
from sim.iceberg.statements import AddColumn, Append, Scan
from sim.world.scenario import Scenario

X, Y, AGAIN = AddColumn("x"), AddColumn("y"), (RenameColumn("x", "z"), RenameColumn("z", "x"))
A, B = Append(((3, "c"),)), Append(((4, "d"),))
VECTORS: dict[str, tuple[tuple[Any, ...], bool, list[str], tuple[int, tuple[int, ...], tuple[int, ...]]]] = {
    "one that no snapshot was made under": ((X, Y), True, ["w1"], (2, (0,), (0,))),
    "each has a snapshot, or is the current one": ((X,), True, [], (1, (0,), (0,))),
    "those of snapshots that go": ((X, A, Y, B), True, ["w1"], (2, (), (2,))),
    "the same, and nobody asks": ((X, A, Y, B), False, ["w1"], (2, (0, 1), (2,))),
    "taken up again": ((X, A, *AGAIN, B), True, ["w1"], (1, (), (1,))),
    "no other one": ((A,), True, ["w1"], (0, (), (0,))),
}
"""By what is left out or in."""

EXPIRED = [Y, Expire(keep=1, cleans_metadata=True)]
READS: dict[str, tuple[list[Any], list[Any], bool]] = {
    "one snapshot twice": ([A], [Scan()], True),
    "the current one, twice": ([A], [Scan(at="current")], False),
    "the current one, once": ([A], [Scan(times=1)], False),
    "a branch": ([AppendTo("b", ((3, "c"),))], [ReadAt("b")], False),
    "main": ([A], [ReadAt("main")], False),
    "news": ([A], [ReadSince("appends")], False),
    "the snapshot before": ([A], [ReadAt()], False),
    "an append behind it": ([A], [B], False),
}
"""Over REST w1 commits under a schema that is gone, and then w3 reads: who names that snapshot is refused."""


def read_of(name: str) -> tuple[Scenario, str, bool]:
    """The race of such a vector, its schedule, and whether the reader is refused."""
    appends, reads, refused = READS[name]
    writers = {"w1": appends, "w2": EXPIRED, "w3": reads}
    return race("schemas", "", writers, catalog="rest", history=(X,)), "w1:commit w2:end w1:end w3:end", refused


def scenario_of(name: str) -> Scenario:
    """The race of a vector, one writer after the other."""
    history, cleans, _, _ = VECTORS[name]
    expires = [Expire(keep=1, cleans_metadata=cleans)]
    return race("schemas", "", {"w1": expires, "w2": expires}, catalog="java-api", history=history)
