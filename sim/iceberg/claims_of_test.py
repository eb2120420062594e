"""What the source document claims of its own test of a transaction, which `document_test` plays.

Source: iceberg/5; the document's sections are named at the claims.
"""

from __future__ import annotations

from sim.iceberg import claim_code_looks as code
from sim.iceberg import claim_looks as looks
from sim.iceberg.claim_forms import RESULT, SHIPPED, TEST, TESTED, in_its_test, looked, searched
from sim.iceberg.document_test import played
from sim.search.claim_answers import one_run
from sim.search.claims import Claim

OF_THE_TEST: tuple[Claim, ...] = (
    looked("Table should be on version 0", "a new table is on version 0", TEST, TESTED,
           one_run(code.a_new_table)),
    in_its_test("每一次 ... commit,都会产生一个新的事务ID", "each update makes a snapshot with an id of its own",
            lambda: len({s.snapshot_id for s in played().committed.snapshots}) == 3),
    looked("每一次 ... commit,都会产生一个新的事务ID", "each update makes a snapshot with an id of its own", TEST,
            "an update of properties", one_run(looks.an_update_without_snapshot)),
    looked("Snapshot都归属于创建事务时绑定的起始TableMetadata对象", "they belong to the metadata that it began with",
            TEST,
            TESTED, one_run(looks.metadata_is_never_changed),
            note="Metadata is immutable: each update makes new metadata, which has them."),
    searched("一个表会唯一绑定一个最新的TableMetadata实例", "a table has one newest metadata", TEST, RESULT, SHIPPED,
              "transaction-retried"),
    searched("一个表会唯一绑定一个最新的TableMetadata实例", "a table has one newest metadata", TEST, RESULT,
              "Hive catalog with its lock, calls may be late", "hive-lock-pause"),
    in_its_test("TableMetadata则包含子所有的历史Snapshots", "the metadata has all snapshots of its history",
            lambda: len(played().committed.snapshots) == 3),
    looked("TableMetadata则包含子所有的历史Snapshots", "the metadata has all snapshots of its history", TEST,
            "a snapshot is expired", one_run(looks.an_expired_snapshot)),
    looked("一次commit就会产生一个新的Snapshot,同时也会产生一个新的TableMetadata",
            "a commit makes a snapshot and metadata",
            TEST, "no transaction", one_run(looks.one_commit_outside)),
    in_its_test("Base metadata should not change when commit is created", "nothing changes when it is begun",
            lambda: played().begun is played().after_append and played().versions[0] == 1),
    in_its_test("Table should be on version 1 after append", "an update is no commit of the table",
            lambda: played().versions[1:3] == (1, 1), lambda: played().versions),
    in_its_test("Table should be on version 2 after commit", "the transaction is one commit",
            lambda: played().versions[3] == 2, lambda: played().versions),
    in_its_test("Table should have two manifest after commit", "two manifests, one of each commit",
            lambda: len(played().statuses(played().delete)) == 2, lambda: played().statuses(played().delete)),
    in_its_test("Table snapshot should be the delete snapshot", "the last update's snapshot is the table's",
            lambda: played().committed.current_snapshot_id == played().delete.snapshot_id),
    in_its_test("statuses(Status.DELETED, Status.EXISTING)", "the deleted file's entry, and the other's",
            lambda: ["DELETED A", "EXISTING B"] in played().statuses(played().delete)),
    in_its_test("statuses(Status.ADDED, Status.ADDED)", "the appended files' entries in the snapshot inside",
            lambda: ["ADDED A", "ADDED B"] in played().statuses(played().append)),
    in_its_test("Table should have a snapshot for each operation", "three snapshots",
            lambda: len(played().committed.snapshots) == 3),
    in_its_test("table.history() ... containsAll(initialHistory)", "the history has what it had before",
            lambda: played().committed.snapshot_log[0] == played().begun.snapshot_log[0]),
)  # fmt: skip
