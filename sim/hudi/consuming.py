"""Consumers of a Hudi table in the simulator: each has read what was there when the race began, and remembers how far
he has come.

What he is told stands in the argument of his operation, as "3 = x, 4 = y".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from model.hudi import Consumer, HudiConfig, Rules, TimeTravel
from model.hudi.errors import ConfigError, HudiError
from model.hudi.keys import INDEX
from model.hudi.names import completed_path
from model.hudi.timeline import Instant
from model.ports import World
from sim.hudi.files import TableFiles
from sim.hudi.statements import OfConsumers, ReadAsOf, ReadFirst, ReadNews, describe
from sim.hudi.table import files_of, timeline_of
from sim.hudi.workload import HudiWorkload
from sim.world.simulation import Simulation


class Consuming(NamedTuple):
    """Somebody who reads what has come since, and what was there at first or later, with these partitions. `began`: the
    newest commit of when the race did."""

    news: Consumer
    first: TimeTravel
    began: Instant
    partitions: tuple[str, ...]

    def read(self, statement: OfConsumers) -> tuple[tuple[tuple[str, str], ...], Instant | None]:
        """The rows, and as of which commit, or up to which one if there is a hole behind it. Raises: HudiError."""
        if isinstance(statement, ReadNews):
            return self.news.read(), self._until
        if isinstance(statement, ReadFirst):
            return self.first.read(self.partitions), None
        asked, rows = self.first.read_back(self.partitions, statement.back)
        return rows, asked

    @property
    def _until(self) -> Instant | None:
        """Up to which commit he has come, if there is a hole behind it; one from before the race is its first
        version."""
        newest = self.news.newest
        return self.began if newest is not None and newest.requested < self.began.requested else newest


def consumes(workload: HudiWorkload) -> bool:
    """Whether anybody does."""
    return workload.has(ReadNews, ReadFirst, ReadAsOf)


def consumer_of(
    simulation: Simulation, world: World, workload: HudiWorkload, config: HudiConfig, rules: Rules
) -> Consuming | None:
    """Somebody who has read all that there is now, if anybody is to; no step of anybody."""
    if not config.consumed:
        return None
    seen = timeline_of(simulation, config.layout).completed
    if config.reads_by_transition:
        files: TableFiles = files_of(simulation)
        files.dates_instants = True  # as it did when the table was made
        times = [files.files[completed_path(1, each.requested, each.action, 0)][1] for each in seen]
    else:
        times = [each.visible_at for each in seen]
    news = Consumer(world, config, rules, max(times))
    return Consuming(news, TimeTravel(world, config, rules, seen[-1].requested), seen[-1], workload.where.names)


def consume(simulation: Simulation, consumer: Consuming | None, actor: str, statement: OfConsumers) -> None:
    """Read once more, and record what was told."""
    assert consumer is not None, f"{actor}: expected a consumer"
    op = simulation.record.invoke(actor, *describe(statement))
    try:
        rows, version = consumer.read(statement)
    except HudiError as error:
        simulation.record.fail(op, f"{type(error).__name__}: {error}")
        return
    simulation.record.ok(op, start=version.name if version else None, arg=told(rows))


def told(rows: Iterable[tuple[str, str]]) -> str:
    """Rows in words."""
    return ", ".join([f"{key} = {value}" for key, value in rows]) or "nothing"


def check_consumers(workload: HudiWorkload, config: HudiConfig) -> None:
    """Check what is beside who reads incrementally. Raises: ConfigError."""
    if not consumes(workload):
        return
    if config.bucketed:
        raise ConfigError(INDEX, config.index_type, "SIMPLE where somebody reads incrementally")
