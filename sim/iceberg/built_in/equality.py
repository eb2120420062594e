"""Equality deletes of Iceberg's Java API as scenarios: what they take that they should not, what undoes them.

Source: iceberg/1.3, iceberg/4.2. Spark writes none; Flink's upserts do, whose commits ask for no validation.
"""

from __future__ import annotations

from model.iceberg import coverage
from model.iceberg.rules import ADDED_FILES_COUNT, ALL_NEW_DELETES, MANIFESTS_BY_NUMBER
from sim.iceberg.built_in.transactions import Writers
from sim.iceberg.scenarios import race
from sim.iceberg.workload import Append, ChangeRow, Compact, DeleteWhere, Transaction, Upsert
from sim.world.scenario import Scenario

ADDED = Transaction((Append(((3, "x"),)), Append(((4, "y"),))))
OVERTAKEN: Writers = {"w1": [ADDED], "w2": [Append(((5, "z"),)), DeleteWhere(3)]}
CHANGED: Writers = {"w1": [ChangeRow(2, "B", "serializable")], "w2": [Upsert(1, "A")]}
COMPACTED: Writers = {"w1": [Compact("starting")], "w2": [DeleteWhere(1), Append(((3, "x"),))]}

EQUALITY: tuple[Scenario, ...] = (
    race(
        "transaction-delete-where",
        "A transaction appends twice; before it commits, somebody deletes by equality what there is of its first row.",
        OVERTAKEN,
        broken="acknowledged-writes-survive",
        catalog="java-api",
    ),
    race(
        "transaction-delete-where-fixed",
        "The same where manifests that an attempt has met are known by path and sequence number.",
        OVERTAKEN,
        rules=MANIFESTS_BY_NUMBER,
        counters=(coverage.UPDATES_APPLIED_AGAIN,),
        catalog="java-api",
    ),
    race(
        "transaction-of-one-delete-where",
        "The same with a transaction of one append: its manifest has no number before it is committed.",
        {**OVERTAKEN, "w1": [Transaction((Append(((3, "x"),)),))]},
        counters=(coverage.UPDATES_APPLIED_AGAIN,),
        catalog="java-api",
    ),
    race(
        "change-upsert",
        "A copy-on-write change of row 2, under serializable isolation, beside an upsert of row 1 of the same file.",
        CHANGED,
        broken="acknowledged-writes-survive",
        catalog="java-api",
    ),
    race(
        "change-upsert-fixed",
        "The same where every new delete file that may be of the replaced file refuses the change.",
        CHANGED,
        rules=ALL_NEW_DELETES,
        counters=(coverage.NEW_DELETES_FOR_DATA_FILES_REFUSED,),
        catalog="java-api",
    ),
    race(
        "change-upsert-apart",
        "The same with each row in a file of its own.",
        CHANGED,
        rows=((1, "a"),),
        history=(Append(((2, "b"),)),),
        counters=(coverage.RETRY,),
        catalog="java-api",
    ),
    race(
        "compact-starting-number",
        "A compaction that keeps its starting sequence number, beside an equality delete and an append.",
        COMPACTED,
        broken="acknowledged-writes-survive",
        catalog="java-api",
    ),
    race(
        "compact-starting-number-fixed",
        "The same where the files that a commit adds count when old delete files are dropped.",
        COMPACTED,
        rules=ADDED_FILES_COUNT,
        counters=(coverage.RETRY,),
        catalog="java-api",
    ),
    race(
        "compact-own-number",
        "The same compaction with a sequence number of its own: the equality delete refuses it.",
        {**COMPACTED, "w1": [Compact()]},
        counters=(coverage.NEW_DELETES_FOR_DATA_FILES_REFUSED,),
        catalog="java-api",
    ),
)
