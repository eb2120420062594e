"""Findings about whole tables in PyIceberg's own catalogs that are no news, as generated failures meet them."""

from __future__ import annotations

from model.iceberg import VARIANTS
from sim.generation.causes import Known
from sim.iceberg.known_branches import IN_PYTHON

IN_HIVE = (*IN_PYTHON, ("PyIceberg's catalog", ("hive",)))
MAKES = ("create table", "put table", "register table")
ALL = ("append", "change", "drop table", "rename table", *MAKES)
OF_ROWS = (
    "acknowledged-writes-survive", "no-aborted-reads", "no-lost-update", "snapshot-isolation",
)  # fmt: skip
"""What breaks where a commit takes another table, or another commit, out of the catalog."""


def _known(name: str, broken: str, *needs: tuple[str, ...]) -> Known:
    return Known(f"pyiceberg/{name}", broken, "", ALL, (), IN_HIVE, tuple(VARIANTS), needs=needs)


OF_WHOLE_TABLES: tuple[Known, ...] = (
    *[_known("hive-register-append", broken, ("drop table",), MAKES, ("append", "change")) for broken in OF_ROWS],
    *[_known("hive-rename-append", broken, ("rename table",), ("append", "change")) for broken in OF_ROWS],
)
