"""What Spark SQL on Iceberg 1.11.0 loses in branches."""

from __future__ import annotations

from sim.search.defect import Defect

ON_BRANCH_DEFECTS: tuple[Defect, ...] = (
    Defect(
        "iceberg/wap-branch-update-update",
        "an acknowledged UPDATE, as if it had not been sent; so is a DELETE, and a MERGE inserts rows that are there",
        "two copy-on-write statements on one file, `snapshot` isolation, in sessions with `spark.wap.branch`, before"
        " there is that branch; no fault",
        "Iceberg 1.11.0, Spark SQL",
        (
            "iceberg/wap-branch-update-update-made",
            "iceberg/wap-branch-update-update-serializable",
            "iceberg/wap-branch-update-update-asked",
        ),
    ),
)
