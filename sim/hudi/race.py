"""A race on one Hudi table: turns a `HudiWorkload` into a scenario's prepare, start and finish.

Actors run their statements through `model.hudi` and record what they were told. Rows are keys `row:<id>`, file groups
are keys `group:<file id>` whose value is the base file's token and instant, so that the checks for rows check groups as
well. Spans (holding the lock, an instant's life, checking for a marker) are recorded as operations of processes named
`<actor>/<what>`, where a property asks for them. When all have ended, the lineage is read from the timeline and the
rows by a reader that was not part of the race.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

from checkers.histories.recorder import Name
from checkers.hudi.properties import KEPT, LEFTOVER, LISTED, SPANS
from checkers.isolation.invariants import INSPECT
from model.hudi import SHIPPED, HudiConfig, RestoreClient, Rules
from model.hudi.errors import HudiError, OutcomeUnknown
from model.hudi.reader import View
from model.hudi.timeline import Instant, Timeline
from model.ports import World
from sim.hudi.columns import gone_columns
from sim.hudi.consuming import consume, consumer_of
from sim.hudi.damaged import damage
from sim.hudi.listed import LISTING, wrong_of_listing
from sim.hudi.restored import Taken, effect_of_restore, goes_on_from, seen_of_restores, targets_of_all, with_undone
from sim.hudi.savepointed import lost_of_savepoints
from sim.hudi.services import archives, close, has_all, service_of
from sim.hudi.spans import SpanRecorder
from sim.hudi.statements import (
    Clean,
    DamageMarkers,
    Delete,
    Read,
    Reading,
    Restore,
    Service,
    Statement,
    Upsert,
    Waiting,
    Write,
    describe,
)
from sim.hudi.table import (
    Content,
    broken_invariants,
    content_of,
    files_of,
    leftovers,
    make_table,
    reader_of,
    stuck_restores,
    whole_of,
    world_of,
)
from sim.hudi.table_types import config_for
from sim.hudi.tries import Tries
from sim.hudi.workload import HudiWorkload
from sim.hudi.writes import Effect, records_slices
from sim.world.simulation import Simulation

READER, INSPECTOR = "r-final", "r-inspect"


@dataclass(frozen=True, slots=True)
class HudiRace:
    """One workload under one set of rules. `prepare`, `start` and `finish` are a scenario's.

    Args: `spans` are the kinds to record; `inspects` and `tidies`: look for broken invariants, and for
    leftovers; `keeps`: and for files of savepoints that are gone; `lists`: and compare the metadata table with the
    files; `clocks_jump`: a fault may make them.
    """

    workload: HudiWorkload
    config: HudiConfig
    rules: Rules
    spans: frozenset[str]
    inspects: bool
    tidies: bool
    clocks_jump: bool = False
    keeps: bool = False
    lists: bool = False

    @property
    def records_slices(self) -> bool:
        """Whether its history tells of slices."""
        return records_slices(self.workload, self.config)

    def prepare(self, simulation: Simulation) -> Content:
        """Make the table. Returns: what is in it."""
        make_table(simulation, self.workload, self.config)
        return content_of(simulation, self.workload, self.config, self.rules)

    def start(self, simulation: Simulation) -> None:
        """Record the initial content as version 0 and start the actors."""
        work = self.workload
        content, first = simulation.prepared
        simulation.prepared = {}  # what writes that have asked for their commit would do, by operation
        files_of(simulation).atomicity = work.storage
        simulation.record.setup(content, first)
        for actor, statements in work.writers:
            simulation.actor(actor, self._actor(simulation, world_of(simulation, work, actor), actor, statements))

    def _actor(
        self, simulation: Simulation, world: World, actor: str, statements: tuple[Statement, ...]
    ) -> Callable[[], None]:
        consumer = consumer_of(simulation, world, self.workload, self.config, self.rules)

        def body() -> None:
            for statement in statements:
                if isinstance(statement, Waiting) and statement.after_ms:
                    world.clock.sleep_ms(statement.after_ms)
                if isinstance(statement, Service):
                    tries, taken = statement.tries if isinstance(statement, Restore) else 1, Taken()
                    any(self._serve(simulation, world, actor, statement, n, taken) for n in reversed(range(tries)))
                elif isinstance(statement, Read):
                    self._read(simulation, actor, simulation.record.invoke(actor, *describe(statement)))
                elif isinstance(statement, Reading):
                    consume(simulation, consumer, actor, statement)
                elif isinstance(statement, Upsert):
                    self._upsert(simulation, world, actor, statement)
                elif isinstance(statement, DamageMarkers):
                    damage(simulation, world, actor, statement)
                else:
                    self._write(simulation, world, actor, statement)

        return body

    def _upsert(self, simulation: Simulation, world: World, actor: str, statement: Upsert) -> None:
        for number in range(statement.tries):
            if number and statement.between_ms:
                world.clock.sleep_ms(statement.between_ms)
            if self._write(simulation, world, actor, statement):
                return

    def _write(self, simulation: Simulation, world: World, actor: str, statement: Write) -> bool:
        """One client's write; False if it was refused."""
        record = simulation.record
        op = record.invoke(actor, *describe(statement))
        given = simulation, self.workload, self.config, self.rules, actor
        tries = Tries(*given, spans=self.spans, slices=self.records_slices)
        try:
            completed = tries.write(world, statement, op)
        except HudiError as error:
            outcome: object = error
            self._failed(simulation, op, error, tries.effect)
        else:
            outcome, effect = completed, tries.effect
            assert effect is not None
            start = self._start(simulation, effect.start)
            record.ok(op, start=start, commit=completed.name, reads=effect.reads, writes=effect.writes)
        simulation.prepared.pop(op, None)
        if tries.client is not None:
            close(tries.client)
        return not isinstance(outcome, HudiError)

    def _serve(
        self, simulation: Simulation, world: World, actor: str, statement: Service, left: int, taken: Taken
    ) -> bool:
        """One client's service, with `left` tries after it; `taken` back by those before; False if it failed."""
        op = simulation.record.invoke(actor, *describe(statement))
        observer = SpanRecorder(simulation.record, actor, self.spans)
        given = world, self.config, self.rules, self.workload.where.names
        client, serve = service_of(statement, *given, owner=actor, observer=observer)
        if isinstance(client, RestoreClient):
            simulation.prepared[op] = client
        failed = ""
        try:
            serve()
        except HudiError as error:
            failed = f"{type(error).__name__}: {error}"
        simulation.prepared.pop(op, None)
        goes_on_from(client, taken)
        done = effect_of_restore(simulation, self.config.layout, client, goes_on=bool(failed and left))
        if failed and done:
            simulation.record.info(op, failed, **done)
        elif failed:
            simulation.record.fail(op, failed)
        else:
            simulation.record.ok(op, **done)
        close(client)
        return not failed

    def _read(self, simulation: Simulation, actor: str, op: int) -> View | None:
        try:
            reader = reader_of(simulation, self.workload, self.config, self.rules, actor)
            view = reader.read(self.workload.where.names, fenced=actor != READER)
        except HudiError as error:
            simulation.record.fail(op, f"{'unreadable' if actor == READER else type(error).__name__}: {error}")
            return None
        seen, timeline = dict[str, str | None](), view.timeline
        if actor == READER:
            seen, timeline = dict.fromkeys(simulation.record.keys()), whole_of(simulation, self.config.layout)
        elif self.config.bucketed or self.workload.has(Clean, Delete):  # what was there can be gone
            seen = {f"row:{key}": None for key in self.workload.keys}
        seen.update({f"row:{key}": "|".join(values) for key, values in view.rows})
        if self.records_slices:
            seen.update({f"group:{file.file_id}": file.version for _, file in view.slices})
        reads = [(key, value, None) for key, value in seen.items()]
        simulation.record.ok(op, start=self._start(simulation, timeline), reads=reads)
        return view

    def finish(self, simulation: Simulation) -> None:
        """Read the lineage, then the rows; then look for what should not be there."""
        record, ordinals = simulation.record, simulation.ordinals
        lineage = _since(record.rows[0][7], whole_of(simulation, self.config.layout).in_order())
        if simulation.prepared:
            self._died(simulation, {instant.requested: instant.name for instant in lineage})
        names: list[Name] = [instant.name for instant in lineage]
        if self.config.restored:
            names = with_undone(lineage, record.rows, targets_of_all(simulation, self.config.layout))
        for ordinal, name in enumerate(names):
            ordinals[name] = ordinal
            record.version(ordinal, name, names[ordinal - 1] if ordinal else None)
        self._read(simulation, READER, record.invoke(READER, "read"))
        for f, found in self._looks(simulation):
            for text in list(found) or [""]:
                record.ok(record.invoke(INSPECTOR, f, text))

    def _looks(self, simulation: Simulation) -> Iterator[tuple[str, Iterator[str]]]:
        """What each look is called, and what it finds, one after the other: a cleaner is at work in the second one."""
        if self.lists:
            yield LISTED, wrong_of_listing(simulation, self.workload, self.config)
        if self.tidies and not simulation.kernel.waiting_main:  # all have come to their end
            yield LEFTOVER, leftovers(simulation, self.workload, self.config, self.rules)
        if self.keeps:
            yield KEPT, lost_of_savepoints(simulation, self.config.layout)
        if self.inspects:
            stuck = stuck_restores(simulation, self.workload, self.config)
            gone = gone_columns(simulation, self.config, self.rules)
            yield INSPECT, chain(broken_invariants(simulation, self.config.layout), stuck, gone)

    def _failed(self, simulation: Simulation, op: int, error: HudiError, effect: Effect | None) -> None:
        record, message = simulation.record, f"{type(error).__name__}: {error}"
        start = self._start(simulation, effect.start) if effect is not None else None
        reads, writes = (effect.reads, effect.writes) if effect is not None else ([], [])
        if isinstance(error, OutcomeUnknown):
            record.info(op, message, start=start, commit=error.version, reads=reads, writes=writes)
        else:
            record.fail(op, message, start=start, reads=reads, writes=writes)

    def _died(self, simulation: Simulation, names: dict[int, str]) -> None:
        """Record what writes had asked for whose process died, and may stand under the name that the table has; and
        what a restore has taken back."""
        record, why = simulation.record, "its process died"
        for op, asked in simulation.prepared.items():
            if isinstance(asked, RestoreClient):
                record.info(op, why, **effect_of_restore(simulation, self.config.layout, asked))
                continue
            instant, effect = asked
            known = {"start": self._start(simulation, effect.start), "reads": effect.reads, "writes": effect.writes}
            record.info(op, why, commit=names.get(instant), **known)

    def _start(self, simulation: Simulation, seen: Timeline | None) -> Name:
        """The newest version that a write or a reader saw, be it a restore's; None if it is not said."""
        if seen is None or (archives(self.workload) and not has_all(seen)):
            return None
        restored = seen_of_restores(simulation, self.config.layout, seen) if self.config.restored else None
        return restored or self._version(seen)

    def _version(self, seen: Timeline) -> Name:
        """The newest version that a write or a reader saw.

        Not where versions are in no order of what was seen: clocks are apart or jump, or their order is that of
        requests, as before layout 2.
        """
        newest = seen.newest
        unlike = self.workload.clock_offsets_ms or self.clocks_jump
        ordered = self.config.layout == 2 and not unlike
        return newest.name if newest and ordered else None


def hudi_race(
    workload: HudiWorkload, rules: Rules = SHIPPED, properties: tuple[str, ...] = (), *, clocks_jump: bool = False
) -> HudiRace:
    """The race of a workload, recording what `properties` need. Raises: ConfigError."""
    return HudiRace(
        workload,
        config_for(workload),
        rules,
        spans=frozenset([kind for name in properties for kind in SPANS.get(name, ())]),
        inspects="table-invariants" in properties or "rollback-is-final" in properties,
        tidies="clean-at-quiescence" in properties,
        clocks_jump=clocks_jump,
        keeps="savepoint-kept" in properties,
        lists=any(each in properties for each in LISTING),
    )


def _since(first: Name, lineage: tuple[Instant, ...]) -> tuple[Instant, ...]:
    """The versions from the one that the race began with."""
    names: list[Name] = [instant.name for instant in lineage]
    return lineage[names.index(first) if first in names else 0 :]
