"""The losses of Iceberg 1.11.0 that have to do with a change of a table's partition spec, as their pages tell them."""

from __future__ import annotations

from sim.iceberg.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

FOUND = "tests/live/iceberg/test_found_schedules.py::test_found_violation_is_real"
VECTORS = "tests/live/iceberg/test_specs.py::test_java_leaves_what_the_vector_says"
REUSED = "tests/live/iceberg/test_specs.py::test_a_spec_id_that_is_given_away_again_hides_rows"
AGAIN = "tests/live/iceberg/test_specs.py::test_a_spec_that_is_added_again_hides_rows_and_a_roll_back_helps"
CACHED = f"{FOUND}[iceberg/alter-overwrite-cached]"
DRAWN = "tests/live/iceberg/test_specs.py::test_drawn_races_end_alike"
CLEANING = (
    "`expireSnapshots().cleanExpiredMetadata(true)`, which Spark's `expire_snapshots` asks for with "
    "`clean_expired_metadata => true`, on a table whose partition spec changes while somebody writes by another one"
)
REMEDY = (
    "Clean metadata only while nobody writes by an older spec: no streaming job, no `output-spec-id`. Afterwards: roll "
    "main back to the snapshot below, and append anew. Do not add a partition field before: its spec takes the id of "
    "the one that went, if that was the highest, the table can be read as a whole, and filters miss those rows."
)
UNKNOWN = Upstream(
    "",
    (
        ("apache/iceberg#10755", "how specs came to be removed by an expiry; such writers are not spoken of (merged)"),
        ("apache/iceberg#12465", "an expiry that removes no spec requires as much as one that does (open)"),
        ("apache/iceberg-rust#3064", "what an expiry that removes specs has to require over REST, in Rust (open)"),
        ("apache/iceberg-go#1855", "files of a spec that the table does not have are committed, in Go (closed)"),
    ),
    (
        "expire_snapshots clean_expired_metadata remove partition spec concurrent write Cannot find partition spec",
        "RemovePartitionSpecs concurrent commit append with removed spec id requirement AssertRefSnapshotID",
        "partition spec id reused after removing specs cleanExpiredMetadata filter misses rows",
    ),
    "2026-11-26",
)

SPEC_LOSSES: tuple[Loss, ...] = (
    Loss(
        "An expiry removes the partition spec of what is being committed",
        named(DEFECTS, "iceberg/expire-spec-append"),
        f"Any catalog. {CLEANING}: a job that loaded the table before the spec was changed, say. Nothing of that spec "
        "may be in a snapshot yet that is kept.",
        "Rare: the expiry has to be committed between the append's first attempt, which writes the manifest, and its "
        "next one, which asks nothing of it. No fault, no error; the append is told that it succeeded, and every "
        "reader of the table fails with a NullPointerException.",
        REMEDY,
        (f"{FOUND}[iceberg/expire-spec-append]", AGAIN, REUSED),
        UNKNOWN,
        "Where nothing has been written yet, the append fails with a NullPointerException, and nothing is lost. Worse "
        "is it where somebody changes the spec once more before the append: an id that was the highest is given away "
        "again, and a job that was begun before commits its files under it, whenever it ends, at its first attempt. "
        "Whoever reads all has their rows; `WHERE id = 7` does not find them, and a DELETE of them succeeds and leaves "
        "them (the last test above, on 1.11.0). No scenario has it: a filtered read is none of the simulator's.",
    ),
    Loss(
        "Over REST, an expiry removes the partition spec of what was committed",
        named(DEFECTS, "iceberg/rest-expire-spec-append"),
        f"A REST catalog whose server checks the requirements that clients send, and no more, as Iceberg's own "
        f"`CatalogHandlers` do. {CLEANING}.",
        "Unlikely, but no second attempt has to be made: an append that is committed between the expiry's load of the "
        "table, behind which it reads the manifest list of every snapshot, and its commit is enough; so is an expiry "
        "between the append's load and its commit. No fault, no error.",
        REMEDY,
        (f"{FOUND}[iceberg/rest-expire-spec-append]",),
        UNKNOWN,
        "`UpdateRequirements` requires for `remove-partition-specs` that the default spec and all branches are as they "
        "were, but main (`requireNoBranchesChanged`), which most commits go to. An append requires nothing of specs.",
    ),
    Loss(
        "An overwrite is refused for good where somebody writes by a new partition spec",
        named(DEFECTS, "iceberg/spec-change-overwrite"),
        "Any catalog. A commit that removes files by filter or partition (a DELETE of whole files, INSERT OVERWRITE), "
        "or by name where the manifest of a named file was rewritten meanwhile, on a table that was loaded before its "
        "partition spec changed; and a commit of files of the new spec before it.",
        "Likely for a long job while a table is repartitioned; for no other. Nothing is lost, but the commit ends with "
        "a NullPointerException, is not tried again, and leaves what its first attempt has written.",
        "Run the job again, which then loads the table anew; remove orphan files. Compactions and copy-on-write "
        "changes, which name their files, get through as long as the manifests of these are there "
        "(`iceberg/spec-change-replace`).",
        (f"{FOUND}[iceberg/spec-change-overwrite]", DRAWN, f"{FOUND}[iceberg/alter-overwrite]", CACHED),
        Upstream(
            "",
            (
                ("apache/iceberg#10626", "the same constructor, for a column that is gone (closed)"),
                ("apache/beam#32879", "a pipeline whose table changes its spec under way, in Beam (merged)"),
            ),
            (
                "NullPointerException PartitionSpec.partitionType ManifestFilterManager canContainAny concurrent "
                "partition spec change commit retry overwrite delete",
            ),
            "2026-11-26",
        ),
        "`ManifestFilterManager` is given the specs when an operation is made, and looks up that of each manifest when "
        "it is tried, which the table has refreshed by then. A NullPointerException is none of the errors after which "
        "anything is cleaned up (`CleanableFailure`); what is left was seen in the simulator, and not looked for live. "
        "In Spark SQL (`iceberg/alter-overwrite`) a session that caches its table, as is the default, needs no race: "
        "its first INSERT OVERWRITE after another session's `ALTER TABLE ... REPLACE PARTITION FIELD` and INSERT is "
        "refused so (`iceberg/alter-overwrite-cached`).",
    ),
    Loss(
        "An upsert after a change of partitions leaves the old row",
        named(DEFECTS, "iceberg/spec-upsert"),
        "Format 2 or 3, and equality deletes, as Flink's upserts write them, on a table that got partitions, or other "
        "ones, after its rows had been written; the source columns of both specs are among the keys, as the sink asks.",
        "Certain for each key of an older file that is upserted: no race, no fault, no error. The key has two rows.",
        "Rewrite all data files (`rewrite_data_files` with `rewrite-all`) between the change of the spec and the first "
        "upsert. A table that gives its partitions up is safe: such deletes are of files of every spec "
        "(`iceberg/spec-upsert-no-partitions`). Afterwards: delete the older of two rows of a key.",
        (f"{FOUND}[iceberg/spec-upsert]", f"{VECTORS}[upsert-after-a-change-of-spec]"),
        Upstream(
            "apache/iceberg#8979",
            (
                ("apache/iceberg#17018", "Flink's conversion of equality deletes goes by the same rule (merged)"),
                ("apache/iceberg#1996", "its review: partition fields have to be among the keys (closed)"),
            ),
            ("equality delete partition spec evolution not applied old spec duplicate rows upsert Flink",),
            "2026-11-26",
        ),
        "By the table specification: an equality delete is of files of its own spec and partition, unless its spec has "
        "no partitions. No writer asks which specs the table's files are of.",
    ),
    Loss(
        "A dynamic overwrite after a change of partitions leaves the old rows",
        named(DEFECTS, "iceberg/spec-replace-partitions"),
        "`newReplacePartitions`, which Spark's INSERT OVERWRITE in dynamic mode commits, on a table that got other "
        "partitions after its rows had been written; no level of validation looks at files of another spec.",
        "Certain where a partition that is overwritten has rows in older files: no race, no fault, no error. They stay "
        "beside the new ones, and the next such job reads both.",
        "Rewrite all data files (`rewrite_data_files` with `rewrite-all`) between the change of the spec and the next "
        "overwrite, as in `iceberg/spec-replace-partitions-compacted`; or overwrite by filter: "
        "`INSERT OVERWRITE ... PARTITION (...)` in static mode, or `df.writeTo(...).overwrite(condition)`.",
        (
            f"{FOUND}[iceberg/spec-replace-partitions]",
            f"{VECTORS}[replace-partitions-of-the-new-spec]",
            f"{FOUND}[iceberg/alter-overwrite-partition]",
        ),
        Upstream(
            "",
            (
                ("apache/hive#3202", "Hive refuses such an INSERT OVERWRITE (merged)"),
                ("apache/iceberg-python#3148", "PyIceberg's dynamic overwrite skips files of older specs, too (open)"),
                ("apache/iceberg-python#2357", "whether PyIceberg should have it at all (closed)"),
            ),
            (
                "dynamic overwrite replacePartitions after partition evolution old spec data not replaced duplicate",
                "INSERT OVERWRITE dynamic after ALTER TABLE REPLACE PARTITION FIELD old data not overwritten",
            ),
            "2026-11-26",
        ),
        "`BaseReplacePartitions` drops partitions by spec id and value, and validates by such a set (`PartitionSet`). "
        "`iceberg/alter-overwrite-partition` is the same in Spark SQL, where one session alters and overwrites.",
    ),
)
