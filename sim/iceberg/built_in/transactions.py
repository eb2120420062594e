"""Transactions of Iceberg's Java API as scenarios: what one shows, when it commits, what it does not protect from.

Source: iceberg/5; the anomalies are those of SQL-92 and of Berenson et al. (SIGMOD 1995), told by statements that read
a row and write another one.

Choices: each row is in a data file of its own, so that two transactions meet in a file only if they write one row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from model.iceberg import coverage
from model.iceberg.plans import Level
from model.iceberg.rules import SELF_CHECK_FIRST
from sim.iceberg.scenarios import ANY_REST_FAULT, LEVELS, SAFETY, race
from sim.iceberg.workload import (
    AddColumn,
    Append,
    Copy,
    DeleteRow,
    Replace,
    Scan,
    SetProperty,
    Statement,
    Transaction,
)
from sim.world.scenario import Scenario

Writers = Mapping[str, Sequence[Statement]]
READING = ("no-aborted-reads", "read-committed", "monotonic-reads")
ANOMALIES = ("no-aborted-reads", "acknowledged-writes-survive", "no-lost-update", "snapshot-isolation", "no-write-skew")
READS_ALONE = "what reads show is asked alone"
ANOMALIES_ALONE = "anomalies are asked alone, iceberg/transaction-retried asks the others"
SEVERAL = Transaction((Append(((3, "x"), (4, "y")), merge=True), Replace(3, ((4, "y"),))))
"""Append two rows in a file, then take one of them away, as upstream's test of a transaction of several does."""


def transacted(
    name: str, summary: str, writers: Writers, *, properties: tuple[str, ...] = SAFETY,
    before: Sequence[Statement] = (), **further: Any,
) -> Scenario:  # fmt: skip
    """A race on a table of two rows, each in a data file of its own. Args: `before`: what was done since; as `race`."""
    return race(
        name, summary, writers, properties=properties, catalog="java-api", rows=((1, "a"),),
        history=(Append(((2, "b"),)), *before), **further,
    )  # fmt: skip


def copies(level: Level, **further: Any) -> Writers:
    """Two transactions: one reads row 1 and writes row 2, the other one reads row 2 and writes row 1."""
    return {
        "w1": [Transaction((Copy(1, 2, level, **further),))],
        "w2": [Transaction((Copy(2, 1, level, **further),))],
    }


def updates(level: Level) -> Writers:
    """Two transactions that each add a row, read row 2, and write row 1."""
    return {
        "w1": [Transaction((Append(((3, "x"),)), Replace(1, ((1, "A"),), level)))],
        "w2": [Transaction((Append(((4, "y"),)), Replace(1, ((1, "B"),), level)))],
    }


DIRTY: Writers = {"w1": [SEVERAL], "r1": [Scan(1), Scan(1)]}
RETRIED: Writers = {"w1": [SEVERAL], "w2": [Transaction((Append(((5, "z"),)), DeleteRow(1)))]}
OWN_START: Writers = {
    "w1": [Transaction((Append(((3, "x"),)), Copy(2, 1)), start="own")],
    "w2": [DeleteRow(1)],
}
BEGIN_START: Writers = {**OWN_START, "w1": [Transaction((Append(((3, "x"),)), Copy(2, 1)))]}
VALIDATED: Writers = {"w1": [Transaction((Replace(1, ((1, "A"),), "serializable"), Append(((3, "x"),))))]}
UPDATED: Writers = {"w1": [Transaction((Replace(1, ((1, "A"),)),))], "r1": [Scan(2)]}
ADDED: Writers = {"w1": [Transaction((Append(((3, "x"),)),))], "r1": [Scan(2)]}
REFRESHED = {"r1": [Scan(2, "current")]}
COLUMN: Writers = {"w1": [Transaction((Append(((3, "x"),)), AddColumn("c")))], "w2": [Append(((4, "y"),))]}

TRANSACTIONS: tuple[Scenario, ...] = (
    transacted(
        "transaction-dirty-read",
        "A transaction appends two rows and takes one away; whoever reads meanwhile sees all of it, or nothing.",
        DIRTY,
        properties=(*SAFETY, "read-committed", "monotonic-reads"),
    ),
    transacted(
        "transaction-retried",
        "Two transactions of two operations: the one that loses the race applies both again, in order.",
        RETRIED,
        counters=(coverage.TRANSACTION_RETRY, coverage.UPDATES_APPLIED_AGAIN, coverage.MANIFEST_REUSED),
    ),
    transacted(
        "transaction-column",
        "A transaction appends and adds a column, beside an append: it cannot be applied again, and leaves nothing.",
        COLUMN,
        counters=(coverage.UPDATE_FAILED_AGAIN, coverage.REFRESH_REQUIRED),
    ),
    transacted(
        "transaction-properties",
        "Two transactions set one property, and each appends: both commit, and the last writer of the property wins.",
        {
            "w1": [Transaction((SetProperty("k", "1"), Append(((3, "x"),))))],
            "w2": [Transaction((Append(((4, "y"),)), SetProperty("k", "2")))],
        },
        counters=(coverage.UPDATES_APPLIED_AGAIN,),
    ),
    transacted(
        "transaction-lost-update",
        "Two transactions replace the file of one row, without any validation: both contents stay.",
        updates("none"),
        properties=ANOMALIES,
        because=ANOMALIES_ALONE,
        broken="acknowledged-writes-survive",
    ),
    transacted(
        "transaction-lost-update-snapshot",
        "The same with the validations of snapshot isolation: the second is refused, and leaves nothing.",
        updates("snapshot"),
        counters=(coverage.MISSING_DELETE_PATHS_REFUSED, coverage.CLEANED_AFTER_FAILURE),
    ),
    transacted(
        "transaction-own-start",
        "A transaction validates its second operation from the snapshot of its first: what came before is not seen.",
        OWN_START,
        properties=ANOMALIES,
        because=ANOMALIES_ALONE,
        broken="no-lost-update",
    ),
    transacted(
        "transaction-begin-start",
        "The same, validated from the snapshot that the transaction began with: it is refused.",
        BEGIN_START,
        counters=(coverage.NEW_DELETES_FOR_DATA_FILES_REFUSED, coverage.DATA_FILES_EXIST_REFUSED),
    ),
    transacted(
        "write-skew-snapshot",
        "One transaction copies row 1 to row 2, another one row 2 to row 1, under snapshot isolation: they swap.",
        copies("snapshot"),
        properties=ANOMALIES,
        because=ANOMALIES_ALONE,
        broken="no-write-skew",
    ),
    transacted(
        "write-skew-serializable",
        "The same under serializable isolation, with a conflict filter for the rows that were read.",
        copies("serializable"),
        properties=(*LEVELS["serializable"], "no-write-skew"),
        counters=(coverage.ADDED_DATA_FILES_REFUSED,),
    ),
    transacted(
        "write-skew-serializable-filter",
        "The same with a conflict filter for the row that is written alone, as that of Spark's UPDATE is.",
        copies("serializable", covers="written"),
        properties=ANOMALIES,
        because=ANOMALIES_ALONE,
        broken="no-write-skew",
    ),
    transacted(
        "read-twice-snapshot",
        "One reads a snapshot twice while a transaction updates a row: both readings are the same.",
        UPDATED,
        properties=(*READING, "read-atomic", "snapshot-isolation"),
        because=READS_ALONE,
    ),
    transacted(
        "read-twice-current",
        "The same, each time of the current snapshot: the reading cannot be repeated.",
        {**UPDATED, **REFRESHED},
        properties=(*READING, "read-atomic"),
        because=READS_ALONE,
        broken="read-atomic",
    ),
    transacted(
        "phantom-snapshot",
        "One reads a snapshot twice while a transaction adds a row: both readings have the same rows.",
        ADDED,
        properties=(*READING, "read-atomic", "snapshot-isolation"),
        because=READS_ALONE,
    ),
    transacted(
        "phantom-current",
        "The same, each time of the current snapshot: the second reading has a row more.",
        {**ADDED, **REFRESHED},
        properties=(*READING, "read-atomic"),
        because=READS_ALONE,
        broken="read-atomic",
    ),
    race(
        "transaction-reply-faults",
        "One transaction over REST; any call may fail: files of a commit that was applied are deleted.",
        VALIDATED,
        properties=SAFETY,
        faults=ANY_REST_FAULT,
        rows=((1, "a"),),
        history=(Append(((2, "b"),)),),
        broken="readable",
    ),
    race(
        "transaction-reply-faults-self-check",
        "The same, with updates that look for their own snapshots before they validate.",
        VALIDATED,
        rules=SELF_CHECK_FIRST,
        properties=SAFETY,
        faults=ANY_REST_FAULT,
        rows=((1, "a"),),
        history=(Append(((2, "b"),)),),
        counters=(coverage.SELF_RECOGNISED_EARLY,),
    ),
)  # fmt: skip
