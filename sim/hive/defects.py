"""Defects of shipped software that lose data, found by the built-in scenarios of this folder."""

from __future__ import annotations

from sim.search.defect import Defect

DEFECTS: tuple[Defect, ...] = (
    Defect(
        "hive/shipped-replay-writes-back",
        "an acknowledged table change: the replay of an older one is written to the database",
        "two metastores with CachedStore",
        "Hive Metastore 4.0.1",
        ("hive/read-after-commit",),
    ),
)
