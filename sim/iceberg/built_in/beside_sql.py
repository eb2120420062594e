"""Scenarios of Spark SQL beside a client of the Java API that streams, as Flink does: on one table, whose catalog is
REST.

Source: iceberg/1.3, iceberg/4.2; `spark/source/SparkWrite.java` (`CopyOnWriteOperation`),
`spark/source/SparkPositionDeltaWrite.java`, `flink/sink/IcebergFilesCommitter.java`, of 1.11.0.
"""

from __future__ import annotations

from typing import Any

from model.iceberg import coverage
from model.iceberg.partitioning import Field
from model.iceberg.rules import ADDED_FILES_COUNT, ALL_NEW_DELETES
from sim.iceberg.built_in.transactions import Writers
from sim.iceberg.managing import AppendTo, CherryPick, CreateRef, Expire, Stage
from sim.iceberg.scenarios import race
from sim.iceberg.workload import (
    AlterPartitionField,
    Append,
    Delete,
    DeleteWhere,
    Insert,
    Merge,
    RewriteDataFiles,
    RewriteManifests,
    Select,
    Update,
    Upsert,
)
from sim.world.scenario import Scenario

UPDATED: Writers = {"w1": [Update(2, "B")], "w2": [Upsert(1, "A")]}
COMPACTED: Writers = {"w1": [RewriteDataFiles()], "w2": [DeleteWhere(1), Append(((4, "x"),))]}
MERGED: Writers = {"w1": [Merge(((1, "m"), (4, "n")))], "w2": [Append(((3, "x"),), merge=True)]}
STREAMED: Writers = {"w1": [Update(2, "B"), Delete(2)], "w2": [Append(((3, "x"),)), Append(((4, "y"),), merge=True)]}
COPIES: dict[str, Any] = {"mode": "copy-on-write", "isolation": "serializable"}
READS: dict[str, Any] = {"mode": "merge-on-read", "isolation": "serializable"}

BESIDE: tuple[Scenario, ...] = (
    race(
        "update-beside-stream",
        "UPDATE and DELETE, copy-on-write under serializable isolation, while a client of the Java API appends.",
        STREAMED,
        counters=(coverage.RETRY,),
        **COPIES,
    ),
    race(
        "merge-beside-stream",
        "MERGE of a row that is there and of one that is not, while a client of the Java API appends another one.",
        MERGED,
        counters=(coverage.RETRY,),
        **COPIES,
    ),
    race(
        "update-beside-upsert",
        "UPDATE, copy-on-write under serializable isolation, beside an upsert of another row of the same file, as Flink"
        " sends it.",
        UPDATED,
        broken="acknowledged-writes-survive",
        **COPIES,
    ),
    race(
        "update-beside-upsert-fixed",
        "The same where every new delete file that may be of the replaced file refuses the UPDATE.",
        UPDATED,
        rules=ALL_NEW_DELETES,
        counters=(coverage.NEW_DELETES_FOR_DATA_FILES_REFUSED,),
        **COPIES,
    ),
    race(
        "update-beside-upsert-on-read",
        "The same, merge-on-read: no file is replaced, and the upsert's delete takes the old row as before.",
        UPDATED,
        counters=(coverage.RETRY,),
        **READS,
    ),
    race(
        "rewrite-beside-stream",
        "`rewrite_data_files`, which keeps its starting sequence number, while a client of the Java API deletes a row"
        " by equality and appends.",
        COMPACTED,
        broken="acknowledged-writes-survive",
        history=(Insert(((3, "c"),)),),
        **READS,
    ),
    race(
        "rewrite-beside-stream-fixed",
        "The same where the numbers of the files that are added count, too.",
        COMPACTED,
        rules=ADDED_FILES_COUNT,
        history=(Insert(((3, "c"),)),),
        **READS,
    ),
    race(
        "manifests-beside-stream",
        "`rewrite_manifests` while a client of the Java API appends by `newAppend` and deletes a row by equality.",
        {"w1": [RewriteManifests()], "w2": [Append(((4, "x"),), merge=True), DeleteWhere(2)]},
        history=(Insert(((3, "c"),)),),
        counters=(coverage.RETRY,),
        **READS,
    ),
    race(
        "expire-beside-stream",
        "`expire_snapshots` of all but one, and a SELECT, while a client of the Java API upserts.",
        {"w1": [Expire(1), Select()], "w2": [Upsert(2, "B")]},
        history=(Insert(((3, "c"),)),),
        **READS,
    ),
    race(
        "cherry-pick-beside-stream",
        "`cherrypick_snapshot` of a staged INSERT, and a SELECT, while a client of the Java API appends.",
        {"w1": [CherryPick(), Select()], "w2": [Append(((4, "x"),))]},
        history=(Insert(((3, "c"),)), Stage(((7, "d"),), 1)),
        **READS,
    ),
    race(
        "update-beside-branch",
        "UPDATE, merge-on-read, while a client of the Java API appends to a branch.",
        {"w1": [Update(1, "A")], "w2": [AppendTo("b", ((4, "x"),))]},
        history=(Insert(((3, "c"),)), CreateRef("b"), AppendTo("b", ((5, "e"),))),
        **READS,
    ),
    race(
        "alter-beside-upsert",
        "`ALTER TABLE ... ADD PARTITION FIELD` and an INSERT while a client of the Java API upserts by the old spec.",
        {"w1": [AlterPartitionField(None, Field("bucket", 2)), Insert(((4, "x"),))], "w2": [Upsert(2, "B")]},
        history=(Insert(((3, "c"),)),),
        counters=(coverage.RETRY,),
        **READS,
    ),
)  # fmt: skip
