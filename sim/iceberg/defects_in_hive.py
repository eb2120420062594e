"""What Iceberg 1.11.0 loses where tables of its Hive catalog are made, dropped or renamed."""

from __future__ import annotations

from sim.search.defect import Defect

SOFTWARE = "Iceberg 1.11.0, Java API on its Hive catalog, Hive Metastore 4.0.1, Hive's client 2.3.9"

IN_HIVE_DEFECTS: tuple[Defect, ...] = (
    Defect(
        "iceberg/hive-create-resent",
        "a whole table that has just been created: its metadata file is deleted",
        "the Hive catalog, and a creation whose answer is lost after the metastore has carried it out",
        SOFTWARE,
        ("iceberg/hive-create-resent-looks-again",),
    ),
    Defect(
        "iceberg/hive-drop-resent",
        "a whole table that somebody has just created",
        "the Hive catalog, a drop whose answer is lost, and a table of that name that is created at once",
        SOFTWARE,
        ("iceberg/hive-no-lock-drop-create-append",),
    ),
    Defect(
        "iceberg/hive-rename-append",
        "an acknowledged append",
        "the Hive catalog, and a commit between the look of a rename and its alter; no fault",
        SOFTWARE,
        ("iceberg/hive-rename-append-compared",),
    ),
    Defect(
        "iceberg/hive-purge-put",
        "the whole table, which nobody has dropped: its files are deleted",
        "the Hive catalog, a drop with purge, and a rename of the table and of another one to its name between the"
        " drop's load and its drop_table; no fault",
        SOFTWARE,
        ("iceberg/rest-purge-put",),
    ),
    Defect(
        "iceberg/hive-put-append",
        "a whole table that was put in the place of another: the old one, dropped before, is back",
        "the Hive catalog with its lock, and a commit to the old table beside a drop and a rename; no fault",
        SOFTWARE,
        ("iceberg/hive-no-lock-put-append",),
    ),
    Defect(
        "iceberg/hive-one-unlocked-append-append",
        "an acknowledged append",
        "the Hive catalog, of which one client takes the lock and another one does not, on a table whose property says"
        " nothing of it; no fault",
        SOFTWARE,
        ("iceberg/hive-one-unlocked-append-append-on-locked", "iceberg/hive-one-unlocked-append-append-on-unlocked"),
    ),
)  # fmt: skip
