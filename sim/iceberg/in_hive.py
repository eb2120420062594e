"""A race on a table of the Hive catalog that is made and dropped: no metastore has a cache, and nobody is late.

Choices: as those of `over_metastores`: locks are waited for without polling, and nobody stands still for longer than a
lease, so heartbeats are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from model.iceberg.rules import NO_HEARTBEAT, SHIPPED
from model.ports import World
from sim.iceberg.race import IcebergRace
from sim.iceberg.worlds import world_of
from sim.services.patient_locks import PatientLocks
from sim.world.live import Live
from sim.world.scenario import Scenario
from sim.world.simulation import Simulation

MAKING = ("create_table", "drop_table")
STEPS = ("lock", "get_table", "alter_table", *MAKING, "rename_table", "unlock")
LIVE_FAULTS = dict.fromkeys(MAKING, ("drop-before", "drop-after"))
LOCK_FAULTS = {"lock": ("drop-before", "drop-after")}


@dataclass(frozen=True, slots=True)
class InHive(IcebergRace):
    """The race of `workload` whose lock is waited for without a step."""

    def _world(self, simulation: Simulation, process: str) -> World:
        locks = simulation.attach("patient locks", PatientLocks)
        return world_of(simulation, process, self.workload.catalog, told=True, locks=locks)


def in_hive(scenario: Scenario) -> Scenario:
    """The same race, so."""
    program = scenario.program
    assert isinstance(program, IcebergRace)
    rules = replace(program.rules, hive_heartbeat=NO_HEARTBEAT.hive_heartbeat)
    made = replace(scenario, program=InHive(program.workload, rules), yield_points=STEPS)
    if program.rules != SHIPPED:
        return made
    live = Live("iceberg-java-on-hive", program.workload, (STEPS,), faults={**LIVE_FAULTS, **LOCK_FAULTS})
    return replace(made, live=live, not_live="")
