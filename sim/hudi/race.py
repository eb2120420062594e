"""A race on one Hudi table: turns a `HudiWorkload` into a scenario's prepare, start and finish.

Actors run their statements through `model.hudi` and record what they were told. Rows are keys `row:<id>`, file groups
are keys `group:<file id>` whose value is the base file's token and instant, so that the checks for rows check groups as
well. Spans (holding the lock, an instant's life, checking for a marker) are recorded as operations of processes named
`<actor>/<what>`, where a property asks for them. When all have ended, the lineage is read from the timeline and the
rows by a reader that was not part of the race.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from checkers.histories.recorder import Name, Recorder
from checkers.hudi.properties import KEPT, LEFTOVER, SPANS
from checkers.isolation.invariants import INSPECT
from model.hudi import SHIPPED, HudiConfig, Rules, parse_options
from model.hudi.errors import HudiError, OutcomeUnknown, StorageFailed
from model.hudi.reader import View
from model.hudi.timeline import Instant, Timeline
from model.ports import World
from sim.hudi.savepointed import lost_of_savepoints
from sim.hudi.services import Closing, archives, service_of
from sim.hudi.statements import Read, Service, Statement, Upsert, Waiting, Write, describe
from sim.hudi.table import (
    Content,
    broken_invariants,
    content_of,
    files_of,
    history_of,
    leftovers,
    make_table,
    reader_of,
    world_of,
)
from sim.hudi.table_types import check_table
from sim.hudi.workload import HudiWorkload
from sim.hudi.writes import Effect, begin, client_of, effect_of, write_data
from sim.world.simulation import Simulation

READER, INSPECTOR = "r-final", "r-inspect"
NO_SPAN = -1


class SpanRecorder:
    """Implements `model.hudi.observer.Observer` for one actor: spans of the asked kinds become operations.

    Those of one kind that are open at once have processes of their own: `w1/mark`, `w1/mark-2`.
    """

    __slots__ = ("_actor", "_kinds", "_open", "_record")

    def __init__(self, record: Recorder, actor: str, kinds: frozenset[str]) -> None:
        self._record = record
        self._actor = actor
        self._kinds = kinds
        self._open: dict[int, str] = {}

    def began(self, what: str, about: str) -> int:
        if what not in self._kinds:
            return NO_SPAN
        process, count = f"{self._actor}/{what}", 1
        while process in self._open.values():
            count += 1
            process = f"{self._actor}/{what}-{count}"
        number = self._record.invoke(process, what, about)
        self._open[number] = process
        return number

    def ended(self, number: int, error: str | None = None) -> None:
        if number == NO_SPAN:
            return
        del self._open[number]
        if error is None:
            self._record.ok(number)
        else:
            self._record.fail(number, error)


@dataclass(frozen=True, slots=True)
class HudiRace:
    """One workload under one set of rules. `prepare`, `start` and `finish` are a scenario's.

    Args: `spans` are the kinds to record; `inspects` and `tidies`: look for broken invariants, and for
    leftovers; `keeps`: and for files of savepoints that are gone; `clocks_jump`: a fault may make them.
    """

    workload: HudiWorkload
    config: HudiConfig
    rules: Rules
    spans: frozenset[str]
    inspects: bool
    tidies: bool
    clocks_jump: bool = False
    keeps: bool = False

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
        def body() -> None:
            for statement in statements:
                if isinstance(statement, Waiting) and statement.after_ms:
                    world.clock.sleep_ms(statement.after_ms)
                if isinstance(statement, Service):
                    self._serve(simulation, world, actor, statement)
                elif isinstance(statement, Read):
                    self._read(simulation, actor, simulation.record.invoke(actor, *describe(statement)))
                elif isinstance(statement, Upsert):
                    self._upsert(simulation, world, actor, statement)
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
        observer = SpanRecorder(record, actor, self.spans)
        client = client_of(statement, world, self.config, self.rules, owner=actor, observer=observer)
        effect: Effect | None = None
        try:
            instant = begin(client, statement, self.workload.where)
            written = write_data(client, statement, instant, self.workload.where)
            effect = effect_of(written, files_of(simulation))
            simulation.prepared[op] = instant, effect
            completed = client.commit(instant, written)
        except HudiError as error:
            outcome: object = error
            self._failed(record, op, error, effect)
        else:
            outcome = completed
            record.ok(
                op,
                start=self._version(effect.start),
                commit=completed.name,
                reads=effect.reads,
                writes=effect.writes,
            )
        simulation.prepared.pop(op, None)
        _close(client)
        return not isinstance(outcome, HudiError)

    def _serve(self, simulation: Simulation, world: World, actor: str, statement: Service) -> None:
        op = simulation.record.invoke(actor, *describe(statement))
        observer = SpanRecorder(simulation.record, actor, self.spans)
        client, serve = service_of(statement, world, self.config, self.rules, owner=actor, observer=observer)
        try:
            serve()
        except HudiError as error:
            simulation.record.fail(op, f"{type(error).__name__}: {error}")
        else:
            simulation.record.ok(op)
        _close(client)

    def _read(self, simulation: Simulation, actor: str, op: int) -> View | None:
        try:
            reader = reader_of(simulation, self.workload, self.config, self.rules, actor)
            view = reader.read(self.workload.where.names)
        except StorageFailed as error:
            simulation.record.fail(op, f"{'unreadable' if actor == READER else 'StorageFailed'}: {error}")
            return None
        seen: dict[str, str | None] = {}
        if actor == READER:
            seen = dict.fromkeys(simulation.record.keys())
        elif self.config.bucketed:  # a file group that somebody begins can be hidden, with all that is in it
            seen = {f"row:{key}": None for key in self.workload.keys}
        seen.update({f"row:{key}": "|".join(values) for key, values in view.rows})
        seen.update({f"group:{file.file_id}": file.version for _, file in view.slices})
        reads = [(key, value, None) for key, value in seen.items()]
        simulation.record.ok(op, start=self._version(view.timeline), reads=reads)
        return view

    def finish(self, simulation: Simulation) -> None:
        """Read the lineage, then the rows; then look for what should not be there."""
        record, ordinals, before = simulation.record, simulation.ordinals, None
        lineage = _since(record.rows[0][7], history_of(simulation, self.config.layout))
        if simulation.prepared:
            self._died(record, simulation.prepared, {instant.requested: instant.name for instant in lineage})
        for ordinal, instant in enumerate(lineage):
            name: Name = instant.name
            ordinals[name] = ordinal
            record.version(ordinal, name, before)
            before = name
        self._read(simulation, READER, record.invoke(READER, "read"))
        if self.tidies:
            for text in list(leftovers(simulation, self.workload, self.config, self.rules)) or [""]:
                record.ok(record.invoke(INSPECTOR, LEFTOVER, text))
        if self.keeps:
            for text in list(lost_of_savepoints(simulation, self.config.layout)) or [""]:
                record.ok(record.invoke(INSPECTOR, KEPT, text))
        if self.inspects:
            for text in list(broken_invariants(simulation, self.config.layout)) or [""]:
                record.ok(record.invoke(INSPECTOR, INSPECT, text))

    def _failed(self, record: Recorder, op: int, error: HudiError, effect: Effect | None) -> None:
        message = f"{type(error).__name__}: {error}"
        start = self._version(effect.start) if effect is not None else None
        reads, writes = (effect.reads, effect.writes) if effect is not None else ([], [])
        if isinstance(error, OutcomeUnknown):
            record.info(op, message, start=start, commit=error.version, reads=reads, writes=writes)
        else:
            record.fail(op, message, start=start, reads=reads, writes=writes)

    def _died(self, record: Recorder, asked: dict[int, tuple[int, Effect]], names: dict[int, str]) -> None:
        """Record what was asked for by writes whose process died: each may stand, under the name that the table has."""
        for op, (instant, effect) in asked.items():
            known = {"start": self._version(effect.start), "reads": effect.reads, "writes": effect.writes}
            record.info(op, "its process died", commit=names.get(instant), **known)  # type: ignore[arg-type]

    def _version(self, seen: Timeline) -> Name:
        """The newest version that a write or a reader saw.

        Not where versions are in no order of what was seen: clocks are apart or jump, or their order is that of
        requests, as before layout 2; nor where somebody archives.
        """
        newest = seen.newest
        unlike = self.workload.clock_offsets_ms or self.clocks_jump or archives(self.workload)
        ordered = self.config.layout == 2 and not unlike
        return newest.name if newest and ordered else None


def hudi_race(
    workload: HudiWorkload, rules: Rules = SHIPPED, properties: tuple[str, ...] = (), *, clocks_jump: bool = False
) -> HudiRace:
    """The race of a workload, recording what `properties` need. Raises: ConfigError."""
    config = parse_options(dict(workload.options))
    check_table(workload, config)
    return HudiRace(
        workload,
        config,
        rules,
        spans=frozenset([kind for name in properties for kind in SPANS.get(name, ())]),
        inspects="table-invariants" in properties or "rollback-is-final" in properties,
        tidies="clean-at-quiescence" in properties,
        clocks_jump=clocks_jump,
        keeps="savepoint-kept" in properties,
    )


def _close(client: Closing) -> None:
    try:
        client.close()
    except HudiError:
        return  # the statement's outcome is known already; what close could not do stays for others to meet


def _since(first: Name, lineage: tuple[Instant, ...]) -> tuple[Instant, ...]:
    """The versions from the one that the race began with."""
    names: list[Name] = [instant.name for instant in lineage]
    return lineage[names.index(first) if first in names else 0 :]
