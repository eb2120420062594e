"""A write of a workload, made by one client after the other until it is not refused for a conflict, or gives up.

An UPDATE reads the table first, as shipped: whatever its tries begin with, what they write is made of that.

Choices: what an UPDATE reads but is not asked to change is left out, and so are the slices that its tries merge with: a
history says what it had read of its rows, and when.
"""

from __future__ import annotations

from typing import NamedTuple

from model.hudi import HudiClient, HudiConfig, Rules, retried
from model.hudi.jobs import Places
from model.hudi.timeline import Instant
from model.ports import World
from sim.hudi.services import close
from sim.hudi.spans import SpanRecorder
from sim.hudi.statements import ReadingFirst, Write
from sim.hudi.table import files_of, reader_of
from sim.hudi.workload import HudiWorkload
from sim.hudi.writes import Effect, Read, begin, client_of, effect_of, ids_of, write_data
from sim.world.simulation import Simulation


class Found(NamedTuple):
    """What a statement has read before its write begins, and the file groups in which that was."""

    effect: Effect
    places: Places


class Tries:
    """The tries of one write by one actor. `effect` is what the last one that got so far would do, and `client` its
    client, for whoever has asked to close."""

    def __init__(
        self, simulation: Simulation, workload: HudiWorkload, config: HudiConfig, rules: Rules, actor: str, *,
        spans: frozenset[str], slices: bool,
    ) -> None:  # fmt: skip
        self.effect: Effect | None = None
        self.client: HudiClient | None = None
        self._simulation = simulation
        self._workload = workload
        self._config = config
        self._rules = rules
        self._actor = actor
        self._spans = spans
        self._slices = slices

    def write(self, world: World, statement: Write, op: int) -> Instant:
        """Write, as the operation `op` of the history. Raises: as the client, and as a reader."""
        first = self._first(statement)
        return retried(self._config, world.coverage, lambda: self._once(world, statement, op, first))

    def _once(self, world: World, statement: Write, op: int, first: Found | None) -> Instant:
        if self.client is not None:
            close(self.client)
        observer = SpanRecorder(self._simulation.record, self._actor, self._spans)
        client = client_of(statement, world, self._config, self._rules, owner=self._actor, observer=observer)
        self.client = client
        instant = begin(client, statement, self._workload.where)
        written = write_data(client, statement, instant, self._workload.where, first.places if first else None)
        effect = effect_of(written, files_of(self._simulation), self._config, slices=self._slices)
        self.effect = effect if first is None else first.effect._replace(writes=effect.writes)
        self._simulation.prepared[op] = instant, self.effect
        return client.commit(instant, written)

    def _first(self, statement: Write) -> Found | None:
        """What an UPDATE or a DELETE reads before its write begins, if that is when it reads. Raises: StorageFailed."""
        reads = isinstance(statement, ReadingFirst) and self._rules.updates_read_first
        return self._read(statement) if reads else None

    def _read(self, statement: Write) -> Found:
        """What it reads of its rows. Raises: StorageFailed."""
        given = self._simulation, self._workload, self._config, self._rules, self._actor
        view = reader_of(*given).read(self._workload.where.names)
        values, asked = dict(view.rows), [str(key) for key in ids_of(statement)]
        reads: list[Read] = [(f"row:{key}", "|".join(values[key]), None) for key in asked if key in values]
        return Found(Effect(view.timeline, reads, []), tuple([each for each in view.places if each[0] in asked]))
