"""Catalogs of which few races are drawn: one in memory becomes one of them, when all else has been drawn.

It is a last draw of races, and a rare one where no setting asks for it; in SQL it is JDBC alone. What fails at the
catalog is what can fail there: a connection to a database breaks, a rename in a file system is not answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from model.iceberg.tables import REPLACING
from sim.generation.draws import Draws, PinError
from sim.generation.generator import Settings
from sim.iceberg.built_in.hadoop import FILE_SYSTEM
from sim.iceberg.built_in.jdbc import DATABASE
from sim.iceberg.checked_workload import PRUNES
from sim.iceberg.options import CATALOG, CLIENT, HIVE_LOCK, RENAMES
from sim.world.fault_spaces import Port
from sim.world.scenario import FaultSpace

Steps = tuple[str, ...] | None
IN_MEMORY, JDBC, HADOOP = "in-memory", "jdbc", "hadoop"
FEW = (JDBC, HADOOP)
IN_SQL = "spark-sql"
POSSIBLE: Mapping[str, tuple[str, ...]] = {"java-api": FEW, IN_SQL: (JDBC,)}
"""By client: which of the few there are."""
SELDOM = (IN_MEMORY,) * 7
"""Without a setting, two races in nine of the Java API on a catalog in memory are on one of the few."""
BREAKS = ("drop-before", "drop-after")
CALLS: Mapping[str, tuple[Port, tuple[str, ...], str]] = {
    JDBC: (DATABASE, ("resend",), "connections break"),
    HADOOP: (FILE_SYSTEM, ("resend", "late"), "renames are not answered"),
}
"""By catalog: what its calls can meet, but for these kinds, and what is drawn for it."""


def first_of(draws: Draws) -> tuple[str | None, str | None]:
    """What client and catalog are drawn as where one of the few is pinned; None: as they are.

    Raises: `PinError` if its client is another one than the Java API, or Spark SQL on JDBC; if renames are pinned to
    replace files on another catalog than Hadoop's.
    """
    pinned, client = draws.pinned(CATALOG.key), draws.pinned(CLIENT.key)
    if replaces(draws):
        if pinned not in (None, HADOOP):
            raise PinError(f"{RENAMES.key}: expected {RENAMES.values[0]} with {CATALOG.key}={pinned}, got replace")
        pinned = HADOOP
    if pinned not in FEW:
        return None, None
    if (client, pinned) == (IN_SQL, JDBC):
        return IN_SQL, IN_MEMORY
    if client not in (None, "java-api"):
        raise PinError(f"{CATALOG.key}: expected rest, hive or in-memory with client {client}, got {pinned}")
    return "java-api", IN_MEMORY


def with_catalogs(draws: Draws, settings: Settings, faults: FaultSpace) -> tuple[Settings, FaultSpace]:
    """The settings and what may fail, with the catalog that is drawn in the place of one in memory."""
    few = POSSIBLE.get(settings[CLIENT.key], ())
    if not few or settings[CATALOG.key] != IN_MEMORY:
        return settings, faults
    kind = draws.one_of(CATALOG.key, (*SELDOM, *few), HADOOP if replaces(draws) else None)
    drawn = {**settings, CATALOG.key: kind}
    return drawn, of_catalog(draws, drawn, faults)


def of_catalog(draws: Draws, settings: Settings, faults: FaultSpace) -> FaultSpace:
    """What of these faults can be at the calls of the catalog."""
    kind = settings[CATALOG.key]
    return _of_calls(draws, faults, *CALLS[kind]) if kind in CALLS else faults


def _of_calls(draws: Draws, faults: FaultSpace, port: Port, never: tuple[str, ...], told: str) -> FaultSpace:
    """What may fail where the catalog's calls are those of this port; now and then one is not answered."""
    kinds = dict(faults.kinds)
    for operation, possible in port.kinds.items():
        if operation in kinds:
            kinds[operation] = tuple([kind for kind in kinds[operation] if kind in possible and kind not in never])
    if faults.limit and draws.flag(told):
        kinds["commit"] = tuple(dict.fromkeys((*kinds.get("commit", ()), *BREAKS)))
    kinds = {operation: known for operation, known in kinds.items() if known}
    return replace(faults, kinds=kinds) if kinds else FaultSpace()


def replaces(draws: Draws) -> bool:
    """Whether it is pinned that renames replace files."""
    return draws.pinned(RENAMES.key) == RENAMES.values[1]


def with_renames(draws: Draws, settings: Settings, steps: Steps, possible: bool) -> tuple[Settings, Steps]:
    """The settings, with what renames do on a Hadoop catalog; a last draw of races.

    Args: `steps`: the calls that are steps (None: all); `possible`: nobody manages snapshots. Where old metadata files
    go renames refuse as well. Returns: these; where renames replace files, the look before is a step.
    """
    refuse, replace_files = RENAMES.values
    if not possible or settings[CATALOG.key] != HADOOP or PRUNES in settings:
        return {**settings, RENAMES.key: refuse}, steps
    drawn = draws.one_of(RENAMES.key, (refuse, replace_files))
    if drawn == replace_files and steps is not None:
        steps = (*steps, "look")
    return {**settings, RENAMES.key: drawn}, steps


def kind_of(settings: Settings) -> str:
    """The catalog as a race names it."""
    kind = settings[CATALOG.key]
    if kind == "hive":
        return "hive-lock" if settings[HIVE_LOCK.key] == "true" else "hive-no-lock"
    if kind == HADOOP:
        return kind if settings[RENAMES.key] == RENAMES.values[0] else REPLACING
    return "java-api" if kind == IN_MEMORY else kind
