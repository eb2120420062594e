"""Studies: the same code in simulated time, over a grid of settings; a table and a chart instead of a verdict.

A study module defines `STUDY`; it is listed in `catalog` and run by `lakeproof study NAME`.
"""

from __future__ import annotations

from importlib import import_module

from sim.studies.base import Chart, Study, Table

MODULES = {
    "hudi-early-detection": "sim.studies.hudi_early_detection",
    "hudi-consistency": "sim.studies.hudi_consistency",
    "hive-cache": "sim.studies.hive_cache",
    "hive-iceberg": "sim.studies.hive_iceberg",
}
__all__ = ["MODULES", "Chart", "Study", "Table", "load"]


def load(name: str) -> Study:
    """The study of that name. Raises `KeyError` with the names that exist."""
    if name not in MODULES:
        raise KeyError(f"study: expected one of {', '.join(MODULES)}, got {name!r}")
    study: Study = import_module(MODULES[name]).STUDY
    return study
