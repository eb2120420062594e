"""Tables of a Hadoop catalog whose old metadata files are deleted, drawn for a race that has been drawn already.

It is the last draw of races on that catalog in which nothing fails, and a rare one: without it a race is what it was.
Whoever writes then appends.
"""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.checked_workload import KEEPS, PRUNES
from sim.iceberg.draw.catalogs import HADOOP, Steps, replaces
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers
from sim.iceberg.facts import FAULTS
from sim.iceberg.options import CATALOG, RENAMES
from sim.iceberg.statements import Append
from sim.world.scenario import FaultSpace


def with_pruning(
    draws: Draws, table: Table, writers: Writers, settings: Settings, faults: FaultSpace, steps: Steps, possible: bool
) -> tuple[Writers, Settings, FaultSpace, Steps]:
    """Draw it, where it is `possible`: who appends how often, and how many old metadata files are kept.

    Args: `steps`: the calls that are steps (None: all). Returns: these, as they are if it is not drawn.
    """
    if not possible or settings[CATALOG.key] != HADOOP:
        return writers, settings, faults, steps
    if draws.one_of("old metadata files go", ("no", "yes"), "no" if replaces(draws) else None) == "no":
        return writers, settings, faults, steps
    appends: Writers = {
        name: draws.list_of("appends", 1, 4, lambda _: Append(table.new_row()))
        for name in [f"w{number}" for number in range(1, draws.number("who append", 2, 3) + 1)]
    }
    kept = str(draws.number("old metadata files", 1, 2))
    return appends, {**settings, PRUNES: "true", KEEPS: kept}, FaultSpace(), None


def beside_pruning(facts: Settings, settings: Settings) -> Settings:
    """Who finds the version gone that he knows is refused, or leaves files, as if something had failed; so does who is
    written over."""
    gone = PRUNES in settings or settings[RENAMES.key] != RENAMES.values[0]
    return {**facts, FAULTS: "yes"} if gone else facts
