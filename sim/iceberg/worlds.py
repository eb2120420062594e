"""The ports of a process of a race: tables that are folders are there where the catalog keeps its own so.

Where tables are made and dropped in a metastore, what it is told is appended to the register of that name, too, for who
reads the lineage at the end.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from model.iceberg.metastore import LOCATION
from model.iceberg.tables import IN_FOLDERS, REPLACING
from model.ports import Absent, World
from sim.iceberg.creating import MOVED, TABLE
from sim.services.folder_tables import FolderTables
from sim.services.metastore import Parameters
from sim.world.simulation import Simulation
from sim.world.world import Services

IN_HIVE = ("hive-lock", "hive-no-lock")


def world_of(simulation: Simulation, process: str, catalog: str, *, told: bool = False, **ports: Any) -> World:
    """The world of a process whose catalog is of this kind; the same object each time in a run.

    Args: `told`: of a metastore's tables the register is told; `ports` as `Simulation.world`.
    """
    services = simulation.services
    if told and catalog in IN_HIVE:
        services.metastore.told = partial(_append, services)  # a table that was renamed is that of the race
    if catalog not in IN_FOLDERS:
        return simulation.world(process, **ports)
    replaces = catalog == REPLACING
    made = partial(FolderTables, register=services.register, store=services.store, replaces=replaces)
    folders = simulation.attach("folders", made)
    return simulation.world(process, folders=folders)


def _append(services: Services, name: str, parameters: Parameters | None, by: int) -> None:
    """Append a version of a table to the register: that of a drop, or the metadata that the table names, if its file is
    there. What has the name of a table that was renamed is another one."""
    if name == TABLE and services.metastore.tables.get(MOVED, [None])[-1] is not None:
        return
    name = TABLE if name == MOVED else name
    if parameters is None:
        services.register.append(name, Absent(by))
        return
    metadata = services.store.objects.get(dict(parameters).get(LOCATION, ""))
    if metadata is not None:
        services.register.append(name, metadata)
