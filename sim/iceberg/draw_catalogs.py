"""Catalogs of which few races are drawn: one in memory becomes one of them, when all else has been drawn.

It is a last draw of races of the Java API, and a rare one where no setting asks for it. What fails at the catalog is
what can fail there: a connection to a database breaks.
"""

from __future__ import annotations

from dataclasses import replace

from sim.generation.draws import Draws, PinError
from sim.generation.generator import Settings
from sim.iceberg.jdbc_scenarios import DATABASE
from sim.iceberg.options import CATALOG, CLIENT
from sim.world.scenario import FaultSpace

IN_MEMORY, JDBC, HADOOP = "in-memory", "jdbc", "hadoop"
FEW = (JDBC, HADOOP)
SELDOM = (IN_MEMORY,) * 7
"""Without a setting, two races in nine on a catalog in memory are on one of the few."""
BREAKS = ("drop-before", "drop-after")


def first_of(draws: Draws) -> tuple[str | None, str | None]:
    """What client and catalog are drawn as where one of the few is pinned; None: as they are.

    Raises: `PinError` if its client is another one than the Java API.
    """
    pinned, client = draws.pinned(CATALOG.key), draws.pinned(CLIENT.key)
    if pinned not in FEW:
        return None, None
    if client not in (None, "java-api"):
        raise PinError(f"{CATALOG.key}: expected rest, hive or in-memory with client {client}, got {pinned}")
    return "java-api", IN_MEMORY


def with_catalogs(draws: Draws, settings: Settings, faults: FaultSpace) -> tuple[Settings, FaultSpace]:
    """The settings and what may fail, with the catalog that is drawn in the place of one in memory."""
    if (settings[CLIENT.key], settings[CATALOG.key]) != ("java-api", IN_MEMORY):
        return settings, faults
    kind = draws.one_of(CATALOG.key, (*SELDOM, *FEW))
    if kind == IN_MEMORY:
        return settings, faults
    failing = _of_database(draws, faults) if kind == JDBC else _of_folders(faults)
    return {**settings, CATALOG.key: kind}, failing


def _of_folders(faults: FaultSpace) -> FaultSpace:
    """What may fail beside the catalog's calls, which here always come back."""
    kinds = {operation: known for operation, known in faults.kinds.items() if operation not in ("load", "commit")}
    return replace(faults, kinds=kinds) if kinds else FaultSpace()


def _of_database(draws: Draws, faults: FaultSpace) -> FaultSpace:
    """What may fail where the catalog's calls are statements; now and then its connections break."""
    kinds = dict(faults.kinds)
    for operation, possible in DATABASE.kinds.items():
        if operation in kinds:
            kinds[operation] = tuple([kind for kind in kinds[operation] if kind in possible and kind != "resend"])
    if faults.limit and draws.flag("connections break"):
        kinds["commit"] = tuple(dict.fromkeys((*kinds.get("commit", ()), *BREAKS)))
    kinds = {operation: known for operation, known in kinds.items() if known}
    return replace(faults, kinds=kinds) if kinds else FaultSpace()
