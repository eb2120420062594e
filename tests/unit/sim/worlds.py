"""Small worlds for tests of the simulator: a kernel with its services, and scenarios of a few lines."""

import contextlib
from collections.abc import Callable, Hashable
from typing import Any

from model.ports import World
from sim.kernel.choices import Choices, Strategy
from sim.kernel.kernel import Kernel
from sim.search.run import Run, Runner
from sim.search.strategies import DepthFirst, FirstCome, Pruned
from sim.services.locks import LockTable
from sim.services.metastore import MetastoreService
from sim.services.register import RegisterService
from sim.services.store import ObjectStore
from sim.world.program import program
from sim.world.scenario import Scenario
from sim.world.simulation import Simulation
from sim.world.world import Services, make_world


def both(*_: object) -> None:
    """For bodies in one line: its arguments have been evaluated in order."""


class Small:
    """A kernel with one of each service. `log` is for bodies to write to."""

    def __init__(self, strategy: Strategy | None = None, *, lease_ms: int = 300_000, **options: Any) -> None:
        self.choices = Choices(strategy or FirstCome())
        self.kernel = Kernel(self.choices, **options)
        self.store = ObjectStore(self.kernel)
        self.register = RegisterService(self.kernel)
        self.metastore = MetastoreService(self.kernel)
        self.locks = LockTable(self.kernel, lease_ms=lease_ms)
        self.log: list[Any] = []

    def world(self, process: str, number: int = 1, offset_ms: int = 0) -> World:
        services = Services(self.store, self.register, self.metastore, self.locks)
        return make_world(self.kernel, services, process, number, offset_ms)

    def task(self, name: str, body: Callable[[], None], **options: Any) -> Any:
        return self.kernel.start(name, body, **options)

    def puts(self, name: str, count: int, **options: Any) -> Any:
        """A task that makes `count` puts under its own name."""
        return self.task(name, lambda: both(*[self.store.put(f"{name}/{i}", i) for i in range(count)]), **options)

    @property
    def steps(self) -> list[str]:
        """The trace as `task.operation`."""
        return [f"{row[1]}.{row[2]}" for row in self.kernel.trace]


Bodies = dict[str, Callable[[Simulation], None]]


def scenario(bodies: Bodies, **options: Any) -> Scenario:
    """A scenario of main tasks, each a function of the simulation."""

    def start(simulation: Simulation) -> None:
        for name, body in bodies.items():
            simulation.actor(name, lambda body=body: body(simulation))  # type: ignore[misc]

    around = {name: options.pop(name) for name in ("prepare", "finish") if name in options}
    return Scenario("test/small", program(start, **around), options.pop("properties", ()), **options)


def outcome(run: Run) -> Hashable:
    """What a run ended in: its history without times."""
    return tuple(event._replace(time_ms=0, index=0) for event in run.events), run.failure


def outcomes(
    subject: Scenario, *, prune: bool, limit: int = 50_000, split_replies: bool = False
) -> tuple[set[Hashable], int]:
    """Every outcome of every schedule, and how many runs that took."""
    runner = Runner(subject, exhaustive=prune, split_replies=split_replies)
    search = DepthFirst(runner.state_key if prune else None)
    found: set[Hashable] = set()
    for count in range(1, limit + 1):
        search.begin()
        with contextlib.suppress(Pruned):
            found.add(outcome(runner.run(search)))
        if not search.advance():
            return found, count
    raise AssertionError(f"{subject.name}: expected at most {limit} runs, got more")
