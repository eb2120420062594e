"""A workload on the real Hudi 1.2.0, stepped at its storage and its locks.

Per run: a table of its own, made by `setup` ungated; one thread per actor and one client per statement; the schedule
releases the steps of `points`; at the end everything is read back, always, since an error alone does not tell what
became of the table.

Choices: where a cleaner waits for heartbeats to expire, real time has to pass; such a run beats every second, the
least that Hudi allows, and its waits are scaled accordingly. Other runs keep the workload's own interval, and never see
a beat.
"""

import itertools
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path

from model.hudi.config import HudiConfig, parse_options
from model.hudi.names import parse_base_file
from real_backend.errors import BackendError, BackendUnavailable
from real_backend.gating.actors import Workers, run_actors
from real_backend.gating.gate import WAIT_S, Gate, Passed
from real_backend.hudi.client import SplitClient
from real_backend.hudi.gate_classes import classes_folder
from real_backend.hudi.live_run import HudiLiveRun, Written
from real_backend.hudi.options import FIXED, write_options
from real_backend.hudi.race import Race, partitions_of, records
from real_backend.hudi.storage import Operation, StorageGate, Ungated, can_fault
from real_backend.hudi.table import Completed, LiveTable
from real_backend.hudi.yield_points import Playable, live_steps, yield_points_of
from real_backend.hudi.zookeeper import ZooKeeper
from real_backend.jvm.session import Session
from sim.hudi.live import HEARTBEAT, locks_groups, obstacle, ungated_of, waits
from sim.hudi.workload import Clean, HudiWorkload

SETUP = "setup"
BEAT_MS, MISSES = 1000, 3


class HudiLive:
    """Runs workloads in one Spark session, any number of times."""

    def __init__(self, session: Session, *, gated: bool = True) -> None:
        """Args: `gated` is False if the session has no gate (no JDK): then only runs without a schedule work."""
        self._session = session
        self._gated = gated
        self._storage = StorageGate(session) if gated else Ungated()
        self._workers = Workers()
        self._numbers = itertools.count(1)
        session.location("hudi").mkdir(parents=True, exist_ok=True)
        self._folder = Path(tempfile.mkdtemp(dir=session.location("hudi")))
        self._made: dict[tuple[tuple[str, tuple[tuple[int, str], ...]], ...], LiveTable] = {}

    def run(self, workload: HudiWorkload, schedule: Playable = (), timeout_s: float = WAIT_S) -> HudiLiveRun:
        """Run the workload as the schedule says and read the table back.

        Args: `timeout_s` bounds the wait for each step.
        Raises: `Divergence` if a step is not on offer; `ScheduleError`; `BackendTimeout`; `BackendError` if the
        workload cannot be live; `BackendUnavailable` for a schedule without a gate; `ConfigError`.
        """
        config = live_config(workload)
        steps = live_steps(schedule)
        if steps and not self._gated:
            classes_folder()
            raise BackendUnavailable("Hudi's storage gate: expected it in the session, got a session without one")
        table = LiveTable(self._session, self._folder / f"run-{next(self._numbers)}")
        options = write_options(config, table.path, gated=self._gated)
        if locks_groups(config):
            options |= self._coordinator.options(table.path.name)
        race = Race(
            workload, config, table, self._storage,
            lambda: SplitClient(self._session, str(table.path), options),
        )  # fmt: skip
        writers = [a for a, statements in workload.writers if any(not isinstance(s, Clean) for s in statements)]

        def gate_of(launch: Callable[[str], None]) -> Gate:
            race.gate = Gate(
                workload.actors, launch, yield_points=yield_points_of(schedule, steps) if self._gated else (),
                faults=partial(can_fault, ungated=ungated_of(workload)),
                passable=self._storage.is_passable, helpers=[f"{actor}-{HEARTBEAT}" for actor in writers],
                timeout_s=timeout_s,
            )  # fmt: skip
            self._storage.install(race.gate, str(table.path))
            return race.gate

        bodies = {actor: race.body(actor, statements) for actor, statements in workload.writers}
        try:
            self._workers.call(SETUP, lambda: self._make(workload, table), "making the table")
            gate = run_actors(self._workers, bodies, gate_of, steps)
            return self._workers.call(
                SETUP, lambda: self._result(workload, race, table, gate), "reading the table back"
            )
        finally:
            self._storage.uninstall()
            self._workers.call(SETUP, race.close_dead, "closing what died")
            shutil.rmtree(table.path, ignore_errors=True)

    def _make(self, workload: HudiWorkload, table: LiveTable) -> None:
        """A copy of the table that holds the workload's groups, one in each partition; made once."""
        if workload.groups not in self._made:
            first = LiveTable(self._session, self._folder / f"made-{len(self._made)}")
            self._storage.act(SETUP)
            first.create()
            client = SplitClient(self._session, str(first.path), dict(FIXED))
            client.start()
            client.insert(records(partitions_of(workload), workload.rows), 0)
            client.commit()
            client.close()
            self._made[workload.groups] = first
        shutil.copytree(self._made[workload.groups].path, table.path)

    @cached_property
    def _coordinator(self) -> ZooKeeper:
        return ZooKeeper(self._session)

    def close(self) -> None:
        """End the actors' threads and remove the tables; the session goes on."""
        self._workers.close()
        if "_coordinator" in self.__dict__:
            self._coordinator.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _result(self, workload: HudiWorkload, race: Race, table: LiveTable, gate: Gate) -> HudiLiveRun:
        seconds, record = race.seconds, self._storage.record()
        self._storage.uninstall()
        instants = table.completed(race.makers)
        rows, unreadable = table.rows()
        return HudiLiveRun(
            workload=workload, outcomes=race.outcomes(), trace=tuple(map(_in_words, gate.trace)), instants=instants,
            rows=rows, unreadable=unreadable, slices=table.slices(), missing=table.missing(instants),
            rollbacks=table.rollbacks(), left=table.left(),
            written=tuple(_written(actor, record, instants) for actor in workload.actors), seconds=seconds,
            commands=race.commands,
        )  # fmt: skip


def live_config(workload: HudiWorkload) -> HudiConfig:
    """The configuration of a workload's live clients.

    Raises: `BackendError` for what one JVM on a local file system cannot be: other hosts, other storage.
    """
    if found := obstacle(workload):
        raise BackendError(f"workload: {found}")
    config = parse_options(dict(workload.options))
    if waits(workload):
        config = replace(config, heartbeat_interval_ms=BEAT_MS, heartbeat_misses=MISSES)
    return config


def heartbeat_notes(workload: HudiWorkload) -> tuple[str, ...]:
    """What to say of a live run's heartbeats: nothing if they are the workload's own."""
    own, live = (_beats(config) for config in (parse_options(dict(workload.options)), live_config(workload)))
    return () if own == live else (f"live heartbeats: every {live} (the schedule's: {own})",)


def _beats(config: HudiConfig) -> str:
    misses = config.heartbeat_misses
    return f"{config.heartbeat_interval_ms} ms, {misses} {'miss' if misses == 1 else 'misses'}"


def _in_words(passed: Passed) -> str:
    fault, outcome = passed.fault, passed.outcome
    return str(passed.point) + (f"!{fault}" if fault else "") + (f"={outcome}" if outcome else "")


def _written(actor: str, record: tuple[Operation, ...], instants: tuple[Completed, ...]) -> Written:
    kept = {f"/{file}" for instant in instants for file in instant.files}
    own = (operation for operation in record if operation.actor == actor and operation.name == "written")
    files = [operation for operation in own if parse_base_file(operation.path.rpartition("/")[2]) is not None]
    wasted = [file for file in files if file.path not in kept]
    return Written(
        actor, len(files), sum(file.size_bytes for file in files), len(wasted), sum(file.size_bytes for file in wasted)
    )
