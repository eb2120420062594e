"""The scenarios of PyIceberg on tables with partitions, and of partition specs that change beside its writers."""

from __future__ import annotations

from sim.iceberg.pyiceberg import race
from sim.iceberg.python.counters import REQUIREMENT_FAILED, SWAP_LOST
from sim.iceberg.python_statements import EvolveSpec, OverwritePartitions
from sim.iceberg.workload import Append, ChangeRow, Delete
from sim.world.scenario import Scenario

BY_ID = "identity"
NO_SNAPSHOT = {"no-spurious-refusal": "who changes the spec makes no snapshot, and does not try again"}
X, Y = Append(((5, "x"),)), Append(((9, "y"),))
WIDER = EvolveSpec("truncate[4]")

PYTHON_SPECS: tuple[Scenario, ...] = (
    race(
        "append-evolve",
        "An append by a client that loaded the table before its partition spec changes, and beside another one: it is"
        " tried again, and lists its files in a manifest of the newer spec. Who asks for its row does not find it.",
        {"w1": [X], "w2": [Y, WIDER]}, loaded=True, partitioned=BY_ID, but=NO_SNAPSHOT,
        broken="acknowledged-writes-survive",
    ),
    race(
        "append-evolve-no-retries",
        "The same where nothing is tried again: it is refused if another one comes between.",
        {"w1": [X], "w2": [Y, WIDER]}, loaded=True, partitioned=BY_ID, but=NO_SNAPSHOT, retries=0,
        counters=(REQUIREMENT_FAILED,),
    ),
    race(
        "append-evolve-to-none",
        "The same where the partitions are given up: the newer spec tells nothing of a file.",
        {"w1": [X], "w2": [Y, EvolveSpec()]}, loaded=True, partitioned=BY_ID, but=NO_SNAPSHOT,
        counters=(REQUIREMENT_FAILED,),
    ),
    race(
        "append-evolve-from-none",
        "The same where the table gets its first partitions: the manifest cannot be written, and the append fails.",
        {"w1": [X], "w2": [Y, EvolveSpec(BY_ID)]}, loaded=True, but=NO_SNAPSHOT, counters=(REQUIREMENT_FAILED,),
    ),
    race(
        "delete-evolve",
        "A delete of a whole file beside a change of the spec and an append: what is taken away is of its own spec.",
        {"w1": [Delete(1)], "w2": [Y, WIDER]}, loaded=True, partitioned=BY_ID, but=NO_SNAPSHOT,
        counters=(REQUIREMENT_FAILED,),
    ),
    race(
        "evolve-evolve",
        "Two changes of the spec: the second one is refused.",
        {"w1": [WIDER], "w2": [EvolveSpec("bucket[2]")]}, partitioned=BY_ID, but=NO_SNAPSHOT,
        counters=(REQUIREMENT_FAILED, SWAP_LOST),
    ),
    race(
        "overwrite-partition-append",
        "A dynamic overwrite of a partition beside an append to another one: both stay.",
        {"w1": [OverwritePartitions(((1, "A"),))], "w2": [X]}, partitioned=BY_ID, counters=(SWAP_LOST,),
    ),
    race(
        "overwrite-partition-twice",
        "Two dynamic overwrites of one partition: the second one is refused.",
        {"w1": [OverwritePartitions(((1, "A"),))], "w2": [OverwritePartitions(((1, "B"),))]}, partitioned=BY_ID,
        counters=(REQUIREMENT_FAILED,),
    ),
    race(
        "overwrite-partition-change",
        "A dynamic overwrite of a partition beside a change of a row in another one: both stay.",
        {"w1": [OverwritePartitions(((1, "A"),))], "w2": [ChangeRow(2, "B")]}, partitioned=BY_ID,
        counters=(SWAP_LOST,),
    ),
)  # fmt: skip
