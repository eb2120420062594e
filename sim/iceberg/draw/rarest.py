"""What is rarest in a race of the Java API that was drawn without, one thing at most: another name, another spec, a row
filter, a sort order."""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.draw.filters import with_filters
from sim.iceberg.draw.layout import with_layout
from sim.iceberg.draw.managing import MANAGED_IN
from sim.iceberg.draw.renaming import with_renaming
from sim.iceberg.draw.specs import with_specs
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers
from sim.iceberg.options import CALLS, CATALOG, OF_LAYOUT
from sim.world.scenario import FaultSpace


def rarest(
    draws: Draws, table: Table, writers: Writers, settings: Settings, faults: FaultSpace, width: int, alone: bool,
    plain: bool,
) -> tuple[Writers, FaultSpace]:  # fmt: skip
    """Draw it; mostly it is nothing.

    Args: `width`: a partition's (0: none); `plain`: nobody manages snapshots or makes tables; `alone`: so it is, and
    nobody has drawn a catalog of metastores.

    Returns: the writers, and what may fail.
    """
    changed, faults = with_renaming(draws, table, writers, settings, faults, width)
    if alone and changed is writers and settings[CATALOG.key] in MANAGED_IN:
        changed = with_specs(draws, table, writers, width, may_fail=bool(faults.limit))
    if plain and changed is writers:
        changed = with_filters(draws, table, writers)
    if plain and changed is writers and _may_change_layout(draws, settings):
        changed = with_layout(draws, table, writers, may_fail=bool(faults.limit))
    return changed, faults


def _may_change_layout(draws: Draws, settings: Settings) -> bool:
    """On catalogs of which few races are drawn, it is drawn where it is asked for."""
    return settings[CATALOG.key] in MANAGED_IN or draws.told(CALLS.key, CALLS.values) == OF_LAYOUT
