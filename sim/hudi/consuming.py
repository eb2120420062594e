"""Consumers of a Hudi table in the simulator: each has read what was there when the race began, and remembers how far
he has come.

What he is told stands in the argument of his operation, as "3 = x, 4 = y".
"""

from __future__ import annotations

from collections.abc import Iterable

from model.hudi import Consumer, HudiConfig, Rules
from model.hudi.errors import ConfigError, HudiError
from model.hudi.keys import INDEX, METADATA
from model.hudi.names import completed_path
from model.ports import World
from sim.hudi.files import TableFiles
from sim.hudi.statements import Archive, ReadNews, Restore, describe
from sim.hudi.table import files_of, timeline_of
from sim.hudi.workload import HudiWorkload
from sim.world.simulation import Simulation


def consumer_of(simulation: Simulation, world: World, config: HudiConfig, rules: Rules) -> Consumer:
    """Somebody who has read all that there is now; no step of anybody."""
    seen = timeline_of(simulation, config.layout).completed
    if config.reads_by_transition:
        files: TableFiles = files_of(simulation)
        files.dates_instants = True  # as it did when the table was made
        times = [files.files[completed_path(1, each.requested, each.action, 0)][1] for each in seen]
    else:
        times = [each.visible_at for each in seen]
    return Consumer(world, config, rules, max(times))


def consume(simulation: Simulation, consumer: Consumer | None, actor: str) -> None:
    """Read once more, and record what was told."""
    assert consumer is not None, f"{actor}: expected a consumer"
    op = simulation.record.invoke(actor, *describe(ReadNews()))
    try:
        rows = consumer.read()
    except HudiError as error:
        simulation.record.fail(op, f"{type(error).__name__}: {error}")
    else:
        blocked = consumer.newest
        simulation.record.ok(op, start=blocked.name if blocked else None, arg=told(rows))


def told(rows: Iterable[tuple[str, str]]) -> str:
    """Rows in words."""
    return ", ".join([f"{key} = {value}" for key, value in rows]) or "nothing"


def check_consumers(workload: HudiWorkload, config: HudiConfig) -> None:
    """Check what is beside who reads incrementally. Raises: ConfigError."""
    if not workload.has(ReadNews):
        return
    if workload.has(Archive, Restore):
        raise ConfigError("writers", ReadNews(), "others where somebody archives or restores")
    if config.bucketed:
        raise ConfigError(INDEX, config.index_type, "SIMPLE where somebody reads incrementally")
    if config.metadata:
        raise ConfigError(METADATA, "true", "false where somebody reads incrementally")
