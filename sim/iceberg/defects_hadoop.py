"""What Iceberg 1.11.0 loses on its Hadoop catalog, as `defects` has it."""

from __future__ import annotations

from sim.search.defect import Defect

ON_HADOOP: tuple[Defect, ...] = (
    Defect(
        "iceberg/hadoop-drop-append",
        "an acknowledged append, and that the table was dropped: it is back, and cannot be read",
        "the Hadoop catalog, and a table that is dropped between the last look of a commit and its rename; no fault",
        "Iceberg 1.11.0, Java API on its Hadoop catalog",
        ("iceberg/drop-append",),
    ),
    Defect(
        "iceberg/hadoop-drop-create-append",
        "a whole table that somebody has just created: an older one, whose files are gone, is in its place",
        "the Hadoop catalog, a table that is dropped and made anew, and a commit to the old one beside; no fault",
        "Iceberg 1.11.0, Java API on its Hadoop catalog",
        ("iceberg/jdbc-drop-create-append", "iceberg/drop-create-append"),
    ),
    Defect(
        "iceberg/hadoop-replacing-append-append",
        "another writer's acknowledged append: both take one version number, and the second rename replaces the first",
        "the Hadoop catalog on a file system whose renames replace files, and two processes; no fault",
        "Iceberg 1.11.0, Java API on its Hadoop catalog",
        ("iceberg/hadoop-append-append",),
    ),
    Defect(
        "iceberg/hadoop-change-unanswered",
        "the whole table: its current manifest list is deleted",
        "the Hadoop catalog, and a validated change whose rename was made and answered by an error",
        "Iceberg 1.11.0, Java API on its Hadoop catalog",
        ("iceberg/hadoop-change-unanswered-self-check",),
    ),
    Defect(
        "iceberg/hadoop-append-unanswered",
        "another writer's acknowledged append",
        "the Hadoop catalog, and two appends, of which one's rename was made and answered by an error",
        "Iceberg 1.11.0, Java API on its Hadoop catalog",
        ("iceberg/hadoop-append-unanswered-self-check",),
    ),
    Defect(
        "iceberg/hadoop-create-unanswered",
        "the table that is created: it is there, and the files of its snapshot are deleted",
        "the Hadoop catalog, and a table that is created with rows, whose rename was made and answered by an error",
        "Iceberg 1.11.0, Java API on its Hadoop catalog",
        ("iceberg/jdbc-create-broken",),
    ),
    Defect(
        "iceberg/hadoop-pruned-hint",
        "that the table can be loaded at all: the hint names a metadata file that is gone; nothing else is lost",
        "the Hadoop catalog, a table that deletes old metadata files, and a commit whose hint comes late; no fault",
        "Iceberg 1.11.0, Java API on its Hadoop catalog",
        ("iceberg/hadoop-unpruned-hint",),
    ),
    Defect(
        "iceberg/hadoop-pruned-number",
        "others' acknowledged appends: a commit takes a number that is free again, and readers go there",
        "the Hadoop catalog, a table that deletes old metadata files, and a commit that is late; no fault",
        "Iceberg 1.11.0, Java API on its Hadoop catalog",
        ("iceberg/hadoop-append-append",),
    ),
)
