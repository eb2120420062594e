"""Marker files that vanish, or are cut, while others are at work: a fault of the storage, or of who tidies it by hand.

It is one step, at which whatever is there then is struck (`TableFiles.damage`).
"""

from __future__ import annotations

from typing import Any

from model.hudi import coverage
from model.hudi.names import MARKER_TYPE, TEMP
from model.ports import PortError, World
from sim.hudi.files import NOTHING
from sim.hudi.statements import DamageMarkers, describe
from sim.hudi.table import files_of
from sim.world.simulation import Simulation

PLACES = {"vanished": "newest-marker", "type vanished": MARKER_TYPE, "type cut": f"end-of-{MARKER_TYPE}"}
"""The resource of the step: which file it is, is known when it happens."""


def damage(simulation: Simulation, world: World, actor: str, statement: DamageMarkers) -> None:
    """Carry it out, and record it."""
    op = simulation.record.invoke(actor, *describe(statement))
    try:
        struck: Any = files_of(simulation).damage(f"{TEMP}/{PLACES[statement.what]}", statement.what)
    except PortError as error:
        simulation.record.fail(op, f"{type(error).__name__}: {error}")
        return
    if struck != NOTHING:
        world.coverage.hit(coverage.MARKERS_DAMAGED)
    simulation.record.ok(op)
