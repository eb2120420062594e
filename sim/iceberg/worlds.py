"""The ports of a process of a race: tables that are folders are there where the catalog keeps its own so."""

from __future__ import annotations

from model.ports import World
from sim.services.folder_tables import FolderTables
from sim.world.simulation import Simulation


def world_of(simulation: Simulation, process: str, catalog: str) -> World:
    """The world of a process whose catalog is of this kind; the same object each time in a run."""
    if catalog != "hadoop":
        return simulation.world(process)
    services = simulation.services
    folders = simulation.attach(
        "folders", lambda kernel, interner: FolderTables(kernel, interner, services.register, services.store)
    )
    return simulation.world(process, folders=folders)
