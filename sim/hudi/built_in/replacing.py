"""Hudi scenarios: overwrites and deletions of partitions, whose replacecommits hide whole file groups.

A deletion of a partition is compared with nobody when it commits: what an upsert has committed meanwhile in a file
group that the deletion named is hidden, and what it put into a new file group stays. Half of one acknowledged write is
gone, under either conflict strategy. An overwrite is refused there.
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.variants import REPLACED_COMPARED
from sim.hudi.build import DIRECT, EVERYTHING, OLDER, PREFERRING, TWO_GROUPS, WRITES, Writers, race
from sim.hudi.statements import BulkInsert, DeletePartition, Overwrite, Read, Upsert

CHANGED_AND_NEW = Upsert(((1, "B"), (9, "n")))
"""Of which the one row is in a file group of the table, and the other one in none."""
DELETED: Writers = {"w1": [DeletePartition()], "w2": [CHANGED_AND_NEW]}
OVERWRITTEN: Writers = {"w1": [Overwrite(((1, "A"),))], "w2": [CHANGED_AND_NEW]}
FILLED: Writers = {"w1": [Overwrite(((7, "A"),))], "w2": [Overwrite(((7, "B"),))]}
EMPTY: dict[str, Any] = {"elsewhere": ((7, "p2"),)}
"""Two overwrites of a partition in which there is nothing."""
ACROSS: Writers = {"w1": [Overwrite(((1, "A"),), whole_table=True)], "w2": [Upsert(((2, "B"),))]}
PREFERRED: dict[str, Any] = {"options": PREFERRING, "yield_points": WRITES, "properties": EVERYTHING}
NAMED = ("p_1", "q_1")
REPLACING = (
    race(
        "delete-partition",
        "A deletion of a partition hides what an upsert has committed in its file groups meanwhile, but not its new "
        "rows: nothing is compared.",
        DELETED,
        rules=SHIPPED,
        broken="no-lost-update",
        pair="delete-partition-compared",
        **PREFERRED,
    ),
    race(
        "delete-partition-simple",
        "The same under the default conflict strategy.",
        DELETED,
        rules=SHIPPED,
        properties=EVERYTHING,
        but=OLDER,
        yield_points=WRITES,
        broken="no-lost-update",
        pair="delete-partition",
    ),
    race(
        "delete-partition-compared",
        "The same where a deletion compares the file groups that it takes out: one of the two is refused.",
        DELETED,
        rules=REPLACED_COMPARED,
        counters=(coverage.CONFLICT_FOUND, coverage.COMMITTED, coverage.ROLLED_BACK),
        pair="delete-partition",
        **PREFERRED,
    ),
    race(
        "overwrite",
        "An overwrite of a partition and an upsert there: one of the two is refused, and no row is half of each.",
        OVERWRITTEN,
        rules=SHIPPED,
        counters=(coverage.CONFLICT_FOUND, coverage.COMMITTED, coverage.ROLLED_BACK),
        pair="delete-partition",
        **PREFERRED,
    ),
    race(
        "overwrite-early",
        "The same with early detection, which an overwrite takes no part in: it neither looks nor is looked at.",
        OVERWRITTEN,
        rules=SHIPPED,
        options=(*DIRECT, *PREFERRING[2:]),
        properties=EVERYTHING,
        counters=(coverage.EARLY_CHECK, coverage.CONFLICT_FOUND, coverage.COMMITTED),
        yield_points=WRITES,
    ),
    race(
        "overwrite-twice",
        "Two overwrites of a partition that is empty take out nothing, and both commit: each row is there twice "
        "(#19720).",
        FILLED,
        rules=SHIPPED,
        broken="acknowledged-writes-survive",
        pair="overwrite-twice-compared",
        **EMPTY,
        **PREFERRED,
    ),
    race(
        "overwrite-twice-compared",
        "The same where two overwrites of one partition conflict: the second one is refused.",
        FILLED,
        rules=REPLACED_COMPARED,
        counters=(coverage.CONFLICT_FOUND, coverage.COMMITTED),
        pair="overwrite-twice",
        **EMPTY,
        **PREFERRED,
    ),
    race(
        "overwrite-table",
        "An overwrite of the whole table takes out the file groups of every partition, those that it writes nothing "
        "to as well, and is compared there.",
        ACROSS,
        rules=SHIPPED,
        groups=TWO_GROUPS,
        partitions=NAMED,
        counters=(coverage.CONFLICT_FOUND, coverage.COMMITTED),
        **PREFERRED,
    ),
    race(
        "overwrite-reader",
        "A bulk insert, an overwrite, and a reader beside them: it sees all of each, or nothing.",
        {"w1": [BulkInsert(((5, "e"),)), Overwrite(((1, "A"), (5, "E")))], "r1": [Read()]},
        rules=SHIPPED,
        options=PREFERRING,
        properties=(*EVERYTHING, "all-writes-commit"),
        yield_points=(*WRITES, "list"),
        counters=(coverage.COMMITTED,),
    ),
)
