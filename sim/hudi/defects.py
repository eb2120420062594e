"""Defects of shipped software that lose data, found by the built-in scenarios of this folder."""

from __future__ import annotations

from sim.search.defect import Defect

DEFECTS: tuple[Defect, ...] = (
    Defect(
        "hudi/older-instant",
        "an acknowledged update",
        "two upserts of one file group under the default conflict strategy; no fault, no error",
        "Hudi 1.2.0",
        ("hudi/prefer-writer", "hudi/older-instant-refused"),
    ),
    Defect(
        "hudi/file-lock-failed-client",
        "an acknowledged update",
        "the file-system lock, and a third client that does not get it",
        "Hudi 1.2.0",
        ("hudi/file-lock-owned",),
    ),
    Defect(
        "hudi/zombie",
        "committed data files",
        "one heartbeat write that fails, a wait for the lock past the expiry (two minutes), and a cleaner",
        "Hudi 1.2.0",
        ("hudi/zombie-fixed",),
    ),
    Defect(
        "hudi/marker-in-partition",
        "an acknowledged row, for one of a write that was rolled back, once its instants are archived",
        "a partition with `.marker` in its name, and a write there that fails",
        "Hudi 1.2.0",
        ("hudi/marker-in-partition-fixed",),
    ),
    Defect(
        "hudi/delete-partition",
        "the updates of an acknowledged upsert, but not what it added",
        "a deletion of a partition beside it; no fault, no error",
        "Hudi 1.2.0",
        ("hudi/delete-partition-compared", "hudi/overwrite"),
    ),
    Defect(
        "hudi/cluster-delete",
        "an acknowledged deletion of a partition: its rows are back",
        "clustering of the partition beside it; no fault, no error",
        "Hudi 1.2.0",
        ("hudi/cluster-delete-compared",),
    ),
    Defect(
        "hudi/mor-executor-outlived",
        "the base file of a compaction that is committed, or that it is committed once",
        "an executor whose heartbeat has ended, and another one that takes its plan over",
        "Hudi 1.2.0",
        ("hudi/mor-executor-leased",),
    ),
    Defect(
        "hudi/nbcc-new-group",
        "sight of acknowledged commits, until an older write of their file group ends",
        "two non-blocking writers that begin a file group; no fault, no error",
        "Hudi 1.2.0",
        ("hudi/nbcc-new-group-repaired",),
    ),
    Defect(
        "hudi/nbcc-delete-partition",
        "sight of all that is inserted into a partition from now on",
        "one non-blocking writer that deletes a partition that it has begun; no fault, no error",
        "Hudi 1.2.0",
        ("hudi/nbcc-delete-partition-repaired",),
    ),
    Defect(
        "hudi/clean-partition",
        "an acknowledged insert, with its data file",
        "a partition that was deleted, and cleaning of the table beside the insert; no fault, no error",
        "Hudi 1.2.0",
        ("hudi/clean-partition-files-only",),
    ),
    Defect(
        "hudi/clean-slow-writer",
        "that a key is there once: an acknowledged upsert adds its row beside the one that it was to change",
        "a writer whose input takes long, another one that began before it, and cleaning; no fault, no error",
        "Hudi 1.2.0",
        ("hudi/clean-slow-writer-pending",),
    ),
    Defect(
        "hudi/clean-versions",
        "that a key is there once: an acknowledged upsert adds its row beside the one that it was to change",
        "a writer whose input takes long, and cleaning that counts slices; no fault, no error",
        "Hudi 1.2.0",
        ("hudi/clean-versions-pending",),
    ),
    Defect(
        "hudi/savepoint-clean",
        "what a savepoint is to keep: data files of its commit",
        "a savepoint of an older commit, made while a clean is being planned; no fault, no error",
        "Hudi 1.2.0",
        ("hudi/savepoint-clean-locked",),
    ),
    Defect(
        "hudi/savepoint-versions",
        "what a savepoint is to keep: file groups that it names no file of",
        "one client: cleaning that counts slices, then a savepoint of an older commit; no fault, no error",
        "Hudi 1.2.0",
        ("hudi/savepoint-versions-refused",),
    ),
    Defect(
        "hudi/savepoint-partition",
        "what a savepoint is to keep: all rows of a partition",
        "one client: a deletion of the partition after the savepoint, and a clean; no fault, no error",
        "Hudi 1.2.0",
        ("hudi/savepoint-partition-kept",),
    ),
    Defect(
        "hudi/restore-beside",
        "what a restore is to do: a row that it has taken back is there again",
        "a writer that begins while a restore waits for the lock, or the other way round; no fault, no error",
        "Hudi 1.2.0",
        ("hudi/restore-beside-fenced",),
    ),
    Defect(
        "hudi/archive-conflict",
        "an acknowledged update",
        "a slow writer whose commit is archived while another one of its file group is at work; no fault, no error",
        "Hudi 1.2.0",
        ("hudi/archive-conflict-kept",),
    ),
    Defect(
        "hudi/archive-rolled-back",
        "an acknowledged row, for one of a write that was refused and rolled back",
        "one heartbeat write that fails, a writer that goes on after its rollback, and archiving",
        "Hudi 1.2.0",
        ("hudi/archive-history-read",),
    ),
)
