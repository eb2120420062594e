"""What Iceberg 1.11.0 loses where a table's partition spec has changed."""

from __future__ import annotations

from sim.search.defect import Defect

SPEC_DEFECTS: tuple[Defect, ...] = (
    Defect(
        "iceberg/expire-spec-append",
        "the whole table: a manifest is of a partition spec that the table does not know",
        "an append by a spec that nothing is of yet; a change of the spec, and an expiry that cleans metadata, while it"
        " is committed; no fault",
        "Iceberg 1.11.0, Java API",
        ("iceberg/expire-spec-append-known",),
    ),
    Defect(
        "iceberg/rest-expire-spec-append",
        "the whole table: a manifest is of a partition spec that the table does not know",
        "a REST catalog, and the same append and expiry, each of which may come first; no fault",
        "Iceberg 1.11.0, Java API with its REST client's requirements and its server's handlers",
        ("iceberg/rest-expire-spec-append-known",),
    ),
    Defect(
        "iceberg/spec-change-overwrite",
        "nothing, but an overwrite that conflicts with nothing is refused for good, and leaves its files",
        "an overwrite or delete by filter or partition, and a commit by a newer partition spec meanwhile; no fault",
        "Iceberg 1.11.0, Java API",
        ("iceberg/spec-change-replace",),
    ),
    Defect(
        "iceberg/spec-upsert",
        "the delete of an upsert: the old row stays beside the new one",
        "an upsert (an equality delete) by a partition spec that is newer than its old row; no fault, no race",
        "Iceberg 1.11.0, Java API",
        ("iceberg/spec-upsert-no-partitions",),
    ),
    Defect(
        "iceberg/spec-replace-partitions",
        "the removal of what a partition had: its old rows stay beside the new ones",
        "a dynamic overwrite, at any level, by a partition spec that is newer than the old rows; no fault, no race",
        "Iceberg 1.11.0, Java API",
        ("iceberg/spec-replace-partitions-compacted",),
    ),
)
