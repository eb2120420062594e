"""The losses of Iceberg 1.11.0 on its Hadoop catalog, as their pages tell them."""

from __future__ import annotations

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
)
