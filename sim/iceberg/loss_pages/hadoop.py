"""The losses of Iceberg 1.11.0 on its Hadoop catalog, as their pages tell them."""

from __future__ import annotations

from dataclasses import replace

from sim.iceberg.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

FOUND = "tests/live/iceberg/test_found_schedules.py::test_found_violation_is_real"
EVERY = "tests/live/iceberg/test_creating.py::test_model_and_the_hadoop_catalog_agree_on_every_interleaving"
UPSTREAM = Upstream(
    "",
    (
        ("apache/iceberg#1014", "two processes and a rename that replaces: another window, of commits alone (closed)"),
        ("StarRocks/starrocks#54786", "a reader that keeps a table that was dropped and made anew (closed)"),
    ),
    (
        "HadoopCatalog drop table concurrent commit recreates dropped table metadata version missing iceberg",
        "HadoopTableOperations stale writer after drop and create same table name uuid not checked overwrites new "
        "table",
    ),
    "2026-11-25",
)
WHERE = (
    "The Hadoop catalog (`type=hadoop`), on any file system, HDFS with its atomic rename and delete among them; in "
    "`HadoopTables` the same class commits. `dropTable` with or without purge, beside any commit."
)
FREE_AGAIN = (
    "tests/live/iceberg/test_hadoop_numbers.py::"
    "test_a_commit_takes_a_number_that_is_free_again_and_hides_what_was_acknowledged"
)
FAILED = "tests/live/iceberg/test_creating.py::test_what_a_hadoop_catalog_makes_of_a_call_that_fails"
UNANSWERED_WHERE = (
    "The Hadoop catalog (`type=hadoop`) and `HadoopTables`, on any file system whose client can be told of an error of "
    "a rename that was made: HDFS without high availability, whose client sends no rename again; one with it, whose "
    "failovers are used up; an object store, whose rename is a copy and a delete, of which the delete fails."
)
UNANSWERED_UPSTREAM = Upstream(
    "",
    (
        ("apache/iceberg#9546", "would leave the outcome of a failed rename open, and more (closed, not merged)"),
        (
            "apache/iceberg#9327",
            "files that are gone on a Hadoop catalog, for which the other was made (closed)",
        ),
        (
            "apache/amoro#635",
            "snapshot files of tables on HDFS are deleted by such commits (closed, mended there)",
        ),
        ("apache/iceberg#2328", "the same of the Hive catalog, mended (merged)"),
    ),
    (
        "HadoopTableOperations rename IOException CommitFailedException but rename succeeded, table corrupted, "
        "CommitStateUnknownException hadoop catalog",
        "iceberg HadoopCatalog commit rename timeout failed but metadata file exists, files deleted, "
        "FileNotFoundException snap avro",
    ),
    "2026-11-26",
)
PRUNED_WHERE = (
    "The Hadoop catalog (`type=hadoop`) and `HadoopTables`, on any file system, and a table with "
    "`write.metadata.delete-after-commit.enabled`: `true` (it is `false` by default) and a small "
    "`write.metadata.previous-versions-max` (100 by default), as is advised for tables that are committed to all the "
    "time."
)
PRUNED_UPSTREAM = Upstream(
    "",
    (
        ("apache/iceberg#12740", "asks why hints are written without a lock: they are only hints (closed)"),
        ("apache/iceberg#864", "a hint may go back; newer versions are looked for from there (closed)"),
        ("apache/iceberg#9546", "would have who finds a newer version write no hint (closed, not merged)"),
    ),
    (
        "HadoopTableOperations version-hint.text stale findVersion delete-after-commit metadata version reused commit "
        "lost",
    ),
    "2026-11-26",
)
REPLACING_WHERE = (
    "The Hadoop catalog (`type=hadoop`) and `HadoopTables` on a file system whose rename replaces what is there: "
    "a local disk or a mounted one (`file:`), an object store whose rename is a copy. Writers in two processes: the "
    "lock manager that Iceberg has by default is one JVM's."
)
REPLACING_UPSTREAM = Upstream(
    "apache/iceberg#970",
    (
        ("apache/iceberg#1014", "the same within one process (closed)"),
        ("apache/iceberg#3663", "mends it within one process, by a lock manager of the JVM (merged)"),
        ("apache/iceberg#864", "answers that a rename is atomic as long as the file system says so (closed)"),
    ),
    (
        "HadoopCatalog HadoopTableOperations rename overwrites concurrent commits lost update local file system object "
        "store lock manager",
        "iceberg hadoop catalog two processes concurrent write data loss S3 local rename not atomic version already "
        "exists",
    ),
    "2026-11-27",
)
REPLACING = "tests/live/iceberg/test_creating.py::test_model_and_a_hadoop_catalog_whose_renames_replace_agree"
HADOOP_LOSSES: tuple[Loss, ...] = (
    Loss(
        "A commit brings a dropped table back, without its files",
        named(DEFECTS, "iceberg/hadoop-drop-append"),
        WHERE,
        "The window is from the commit's last look at the table to its rename: the writing of one metadata file. So it "
        "is rare for one append, and met where tables are dropped while jobs still write to them. No fault is needed.",
        "Stop writers before a table is dropped, or use a catalog with a pointer (JDBC, Hive, REST), in which the "
        "commit is refused. Afterwards: delete the folder; what the append wrote is lost but for its data files.",
        (f"{FOUND}[iceberg/hadoop-drop-append]", f"{EVERY}[drop beside append]"),
        UPSTREAM,
        "`commit` asks whether the file of the next number is there, and not whether that of the current one still is. "
        "The temporary file makes the folder anew, the rename succeeds, the hint is written: the table is there, at "
        "a version whose manifests went with the old folder. Everybody was told that he succeeded. A table that is "
        "created or replaced beside a drop does the same (`iceberg/hadoop-create-or-replace-drop`).",
    ),
    Loss(
        "A commit puts a dropped table in the place of the one that was made since",
        named(DEFECTS, "iceberg/hadoop-drop-create-append"),
        WHERE + " And somebody makes a table of that name anew, as a pipeline does that rebuilds its table.",
        "As above, but the window is open as long as the new table has fewer versions than the writer knows of the old "
        "one: each retry looks only for higher numbers, and reads the uuid of none that it knows.",
        "As above. Afterwards: the new table's metadata files are still there, at lower numbers; delete the later ones "
        "and write the hint by hand.",
        (f"{FOUND}[iceberg/hadoop-drop-create-append]", f"{EVERY}[drop and create beside append]"),
        UPSTREAM,
        "The uuid is compared only when a newer metadata file is read (`updateVersionAndMetadata`). A writer that "
        "knows version 2 of the old table commits version 3 beside version 1 of the new one; readers follow the hint "
        "to it, and find the manifests of the old table gone.",
    ),
    Loss(
        "Two commits take one version number, and the first is written over",
        named(DEFECTS, "iceberg/hadoop-replacing-append-append"),
        REPLACING_WHERE + " Any two commits, appends among them.",
        "The window is from `exists` to `rename`, two calls of one client: milliseconds on a disk, a request's time in "
        "an object store. No fault is needed; two writers that commit all day meet it.",
        "A lock manager that all processes share (`lock-impl`, such as that of DynamoDB), a file system whose rename "
        "refuses, or a catalog with a pointer (JDBC, Hive, REST). Afterwards: the lost commit's data files and "
        "manifests are still there; add its files again.",
        (f"{FOUND}[iceberg/hadoop-replacing-append-append]", f"{REPLACING}_on_every_interleaving[two appends]"),
        REPLACING_UPSTREAM,
        "`renameToFinal` asks whether the file is there, and renames over whatever has come since. Both are told that "
        "they have committed; who looks for its own snapshot afterwards does not find it, logs `Failed to load "
        "committed snapshot`, and leaves its files. A creation is the rename to version 1: of two that create one "
        "table both are told that they did (`iceberg/hadoop-replacing-create-create`).",
    ),
    Loss(
        "A commit whose rename is not answered deletes its own manifest list",
        named(DEFECTS, "iceberg/hadoop-change-unanswered"),
        UNANSWERED_WHERE + " A commit that validates what was added since it began: Spark's copy-on-write DELETE, "
        "UPDATE and MERGE under `serializable`, which is the default; a validated overwrite.",
        "Rare per commit: the rename has to be made and its answer lost. Then it is certain: no other writer is "
        "needed.",
        "No setting helps but one: with `commit.retry.num-retries` 0 the files go at once. Use a catalog that asks for "
        "the outcome (Hive) or leaves it open (REST). Afterwards: the metadata file of the number before is whole; "
        "move the later one away, delete the hint, and run the statement again.",
        (f"{FOUND}[iceberg/hadoop-change-unanswered]",),
        replace(UNANSWERED_UPSTREAM, reported="apache/iceberg#9546", nearest=UNANSWERED_UPSTREAM.nearest[1:]),
        "`renameToFinal` makes a `CommitFailedException` of every `IOException`, which says that nothing was "
        "committed. The retry meets its own snapshot as somebody else's, is refused, and cleans up. On JDBC a "
        "statement that is run again does it (`iceberg/jdbc-change-broken`), over REST an answer to the like "
        "(`iceberg/update-reply-faults`).",
    ),
    Loss(
        "An append is lost to another one whose rename was not answered",
        named(DEFECTS, "iceberg/hadoop-append-unanswered"),
        UNANSWERED_WHERE + " Any two commits, appends among them.",
        "Rare: as above, and another commit has to come between the rename and the retry's look, a tenth of a second "
        "and more (`commit.retry.min-wait-ms`). Busy tables have many.",
        "As above. Afterwards: the lost snapshot is still in the table, a sibling of main's head: cherry-pick it.",
        (f"{FOUND}[iceberg/hadoop-append-unanswered]",),
        UNANSWERED_UPSTREAM,
        "Who finds his own snapshot in the table, below the head, makes it the head again: the commit on top of it, "
        "which was acknowledged, is no longer in main. The same as `iceberg/jdbc-append-broken`.",
    ),
    Loss(
        "A table whose creation is not answered is there without its files",
        named(DEFECTS, "iceberg/hadoop-create-unanswered"),
        UNANSWERED_WHERE + " A creation that commits rows with the table: Spark's `CREATE TABLE ... AS SELECT` and "
        "`writeTo(...).create()`, and `createOrReplace` where there is no table.",
        "Rare: the rename has to be made and its answer lost. Then it is certain: no other writer is needed.",
        "None. Afterwards: delete the table's folder and create it again; nothing of it was acknowledged, but its name "
        "is taken, and whoever reads it fails.",
        (f"{FOUND}[iceberg/hadoop-create-unanswered]", f"{FAILED}[create-after]"),
        UNANSWERED_UPSTREAM,
        "A creation is not tried again: `CommitFailedException` is taken for certain, and the transaction deletes what "
        "it has written. On JDBC the outcome stays open there (`iceberg/jdbc-create-broken`).",
    ),
    Loss(
        "A hint that comes late leaves a table that nobody can load",
        named(DEFECTS, "iceberg/hadoop-pruned-hint"),
        PRUNED_WHERE
        + " A commit that stands still between its rename and its hint, behind `previous-versions-max` + 1 "
        "others.",
        "Rare: the writer has to stand still for as many commits, as in a garbage collection, or its file system "
        "has. No fault, and everybody is told that he succeeded. Then it is certain: each load of the table fails "
        "with `Metadata file for version N is missing`, and so do a drop of it and a statement of a client that is "
        "new, until a client that knows the table by a later version commits.",
        "Keep more old metadata files than others commit while one stands still; the default is safe. Afterwards: "
        "write the number of the newest `vN.metadata.json` into `version-hint.text`, or delete that file: whoever "
        "finds none lists the folder.",
        (f"{FOUND}[iceberg/hadoop-pruned-hint]",),
        PRUNED_UPSTREAM,
        "`writeVersionHint` asks nothing of what the hint says by then, and `refresh` looks for newer versions from "
        "the hinted one on, which must be there: a list of the folder is looked at only where the hint cannot be "
        "read. A hint that is lost (`iceberg/hadoop-pruned-append-append`) is healed by the next commit.",
    ),
    Loss(
        "A commit takes a version number that is free again, and hides what was committed since",
        named(DEFECTS, "iceberg/hadoop-pruned-number"),
        PRUNED_WHERE + " A commit that stands still between its look for versions and its rename, behind "
        "`previous-versions-max` + 3 others.",
        "Rare, as the one before; no fault, and everybody is told that he succeeded. Readers, and whoever loads the "
        "table then, go on from that version; those who know a later one write on behind it, and are not seen.",
        "As there. Afterwards, before anything is committed on top: the later metadata files are still there; write "
        "the newest number into `version-hint.text`, and run the late statement again.",
        (f"{FOUND}[iceberg/hadoop-pruned-number]", FREE_AGAIN),
        PRUNED_UPSTREAM,
        "A commit asks whether the file of the next number is there, and takes it that nobody has had that number if "
        "it is not. The hint goes back to it; the number behind it is gone, too, and so that is where a reader stops.",
    ),
)
