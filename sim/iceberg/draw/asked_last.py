"""What is drawn behind all else of a race of Spark SQL, over REST, where it is asked for: a branch that it is on, or a
compaction in several commits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.draw.in_commits import in_commits
from sim.iceberg.draw.on_branch import on_branch
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers
from sim.iceberg.options import ASKED_IN_SQL, CALLS, CATALOG, CLIENT, IN_COMMITS, ON_BRANCH


def asked_last(
    draws: Draws, table: Table, writers: Writers, settings: Settings, usual: dict[str, Any],
    ages: Sequence[float], cached: Sequence[str],
) -> tuple[Writers, dict[str, Any]]:  # fmt: skip
    """Draw it.

    Args: `usual`: further fields of the workload; `ages`: of snapshots; `cached`: who caches the table. Returns: the
    writers, and the fields.
    """
    over_rest = (settings[CLIENT.key], settings[CATALOG.key]) == ("spark-sql", "rest")
    if not over_rest or draws.pinned(CALLS.key) not in (None, *ASKED_IN_SQL):
        return writers, usual
    calls = draws.told(CALLS.key, CALLS.values)
    if calls == ON_BRANCH:
        return on_branch(draws, table, writers, usual, may=not (ages or cached))
    if calls == IN_COMMITS and not ages:
        return in_commits(draws, table, writers, usual)
    return writers, usual
