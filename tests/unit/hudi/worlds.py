"""A Hudi table's world without actors: calls from a test happen at once, and time passes when the test says so."""

from dataclasses import replace
from typing import Any

from model.hudi.config import HudiConfig
from model.hudi.options import parse_options
from model.ports import NotFound, PortError, World
from sim.hudi.build import BLOOM, DIRECT, FILE_LOCK, OPTIMISTIC, PREFERRING, TRANSACTIONAL
from sim.hudi.files import TableFiles
from sim.hudi.table import files_of, make_table, world_of
from sim.hudi.workload import HudiWorkload, Options
from sim.kernel.choices import Choices
from sim.kernel.kernel import Kernel
from sim.search.strategies import FirstCome
from sim.world.program import program
from sim.world.scenario import Scenario
from sim.world.simulation import Simulation

OPTIONS = {
    "in-process": OPTIMISTIC, "file-system": FILE_LOCK, "direct": DIRECT, "transactional": TRANSACTIONAL,
    "prefer-writer": PREFERRING, "bloom": BLOOM,
}  # fmt: skip
ONE_GROUP = (("fg1", ((1, "a"),)),)


class Refusing:
    """A file system that answers the named operation, on `only` this path if it is given, with an error."""

    def __init__(
        self, files: Any, *operations: str, error: type[PortError] = NotFound, only: str | None = None
    ) -> None:  # fmt: skip
        self._files = files
        self.only = only
        self._error = error
        self.refuse(operations[0] if operations else "")

    def refuse(self, operation: str) -> None:
        """Answer another operation with the error from now on; "" is none."""
        self._refused = {"mtime": "mtime_ms"}.get(operation, operation)

    def __getattr__(self, name: str) -> Any:
        if name == self._refused:
            return self._refuse
        return getattr(self._files, name)

    def _refuse(self, path: str, *rest: Any) -> Any:
        if self.only not in (None, path):
            return getattr(self._files, self._refused)(path, *rest)
        raise self._error(f"{path}: refused by the test")


class Lab:
    """A simulation with a Hudi table; `world(name)` gives a client's ports."""

    def __init__(
        self, options: str | Options = "in-process", groups: Any = ONE_GROUP, partitions: tuple[str, ...] = ()
    ) -> None:  # fmt: skip
        self.simulation = Simulation(
            Scenario("test/hudi", program(lambda simulation: None), ()), Kernel(Choices(FirstCome()))
        )
        one = options != "file-system"
        given = OPTIONS[options] if isinstance(options, str) else options
        self.workload = HudiWorkload(
            (("w1", ()),), groups=groups, options=given, one_process=one, partitions=partitions
        )
        self.config: HudiConfig = parse_options(dict(given))
        make_table(self.simulation, self.workload, self.config)

    @property
    def files(self) -> TableFiles:
        return files_of(self.simulation)

    def world(self, name: str, **ports: Any) -> World:
        return replace(world_of(self.simulation, self.workload, name), clock=self, **ports)

    def now_ms(self) -> int:
        """All hosts' clocks are right here."""
        return int(self.simulation.kernel.now)

    def sleep_ms(self, duration_ms: int) -> None:
        """Whoever sleeps lets time pass: nobody else runs meanwhile."""
        self.wait(duration_ms)

    def wait(self, duration_ms: int) -> None:
        """Let time pass for all clocks."""
        self.simulation.kernel.run(until=int(self.simulation.kernel.now) + duration_ms)
