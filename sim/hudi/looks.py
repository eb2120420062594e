"""What is looked up in the files when a race is over, as far as its properties ask for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from checkers.hudi.properties import KEPT, LEFTOVER, LISTED
from checkers.isolation.invariants import INSPECT
from model.hudi import HudiConfig, Rules
from sim.hudi.listed import wrong_of_listing
from sim.hudi.savepointed import lost_of_savepoints
from sim.hudi.table import broken_invariants, leftovers
from sim.hudi.workload import HudiWorkload
from sim.world.simulation import Simulation


class Looking(Protocol):
    """A race that says what is to be looked up."""

    @property
    def workload(self) -> HudiWorkload: ...
    @property
    def config(self) -> HudiConfig: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def inspects(self) -> bool: ...
    @property
    def tidies(self) -> bool: ...
    @property
    def keeps(self) -> bool: ...
    @property
    def lists(self) -> bool: ...


def looks(race: Looking, simulation: Simulation) -> Iterator[tuple[str, Iterator[str]]]:
    """What each look is called, and what it finds, one after the other: a cleaner is at work in the second one."""
    if race.lists:
        yield LISTED, wrong_of_listing(simulation, race.workload, race.config)
    if race.tidies and not simulation.kernel.waiting_main:  # all have come to their end
        yield LEFTOVER, leftovers(simulation, race.workload, race.config, race.rules)
    if race.keeps:
        yield KEPT, lost_of_savepoints(simulation, race.config.layout)
    if race.inspects:
        yield INSPECT, broken_invariants(simulation, race.config.layout)
