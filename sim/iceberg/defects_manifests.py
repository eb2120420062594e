"""What Iceberg 1.11.0 loses where manifests are rewritten."""

from __future__ import annotations

from sim.search.defect import Defect

MANIFEST_DEFECTS: tuple[Defect, ...] = (
    Defect(
        "iceberg/cluster-manifests-reply-faults",
        "the whole table: its current manifests are deleted",
        "one rewrite of manifests; a commit that was applied is answered 429, 503 with a time to wait, or 409, or sent"
        " twice",
        "Iceberg 1.11.0, Java API",
        ("iceberg/cluster-manifests-reply-faults-self-check",),
    ),
    Defect(
        "iceberg/cluster-manifests-spec",
        "nothing, but a rewrite of manifests that cannot succeed leaves what it has written for good",
        "a table that was loaded before its partition spec was changed; no fault",
        "Iceberg 1.11.0, Java API",
        ("iceberg/cluster-manifests-spec-loaded",),
    ),
    Defect(
        "iceberg/import-reply-faults",
        "the whole table: the manifests of an import that was committed are deleted",
        "`add_files`, `migrate` or `snapshot` of a table with partitions; its commit was applied, and its outcome is"
        " not known",
        "Iceberg 1.11.0, Spark's import; Java API, called as it does",
        ("iceberg/import-reply-faults-safe",),
    ),
)
