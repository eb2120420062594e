"""What Iceberg 1.11.0 loses of statistics files."""

from __future__ import annotations

from sim.search.defect import Defect

STATISTICS_DEFECTS: tuple[Defect, ...] = (
    Defect(
        "iceberg/statistics-again-expire",
        "a statistics file that the table names",
        "a file that is set for one snapshot more, and an expiry of the one that it was of, beside it; no fault",
        "Iceberg 1.11.0, Java API",
        ("iceberg/statistics-anew-expire",),
    ),
    Defect(
        "iceberg/statistics-expire",
        "nothing, but statistics of a snapshot that is gone stay for good, with their file",
        "statistics that are set for a snapshot which expires meanwhile; no fault",
        "Iceberg 1.11.0, Java API",
        ("iceberg/statistics-head-expire",),
    ),
)
