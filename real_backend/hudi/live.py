"""A workload on the real Hudi 1.2.0, stepped at its storage and its locks.

Per run: a table of its own, made by `setup` ungated; one thread per actor and one client per statement, in one JVM or,
for two hosts, in two; the schedule releases the steps of `interposition`; at the end everything is read back, always,
since an error alone does not tell what became of the table.

Choices: where somebody waits for heartbeats to expire, real time has to pass; such a run beats every second, the
least that Hudi allows, and its waits are scaled accordingly. In other runs no simulated beat is a step, but for one
that fails; they beat once a minute at most, for at the gate seconds pass in which a simulated clock stands still.
"""

import itertools
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from model.hudi.config import HudiConfig
from model.hudi.keys import ZOOKEEPER
from model.hudi.options import parse_options
from real_backend.errors import BackendError, BackendUnavailable
from real_backend.gating.actors import Workers
from real_backend.gating.gate import WAIT_S
from real_backend.gating.race import SETUP, run_gated
from real_backend.hudi.client import SplitClient
from real_backend.hudi.gate_classes import classes_folder
from real_backend.hudi.live_run import HudiLiveRun
from real_backend.hudi.options import table_options, write_options
from real_backend.hudi.race import Race
from real_backend.hudi.second_process import Process, SecondProcess
from real_backend.hudi.seen import partitions_of, records
from real_backend.hudi.storage import StorageGate, Ungated
from real_backend.hudi.storage_gates import Storage, StorageGates, are_two
from real_backend.hudi.table import LiveTable
from real_backend.hudi.yield_points import Playable, live_steps, yield_points_of
from real_backend.hudi.zookeeper import ZooKeeper
from real_backend.jvm.session import Session
from sim.hudi.live import HEARTBEAT, obstacle, waits
from sim.hudi.workload import HudiWorkload
from sim.kernel.schedule import Step

BEAT_MS, MISSES = 1000, 3
SELDOM_MS = 60_000
Content = tuple[tuple[str, ...], tuple[tuple[str, tuple[tuple[int, str], ...]], ...]]
"""Partitions, and the file groups in them."""


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
        self._made: dict[tuple[Content, tuple[object, ...]], LiveTable] = {}

    def run(self, workload: HudiWorkload, schedule: Playable = (), timeout_s: float = WAIT_S) -> HudiLiveRun:
        """Run the workload as the schedule says and read the table back.

        Args: `timeout_s` bounds the wait for each step.
        Raises: `Divergence` if a step is not on offer; `ScheduleError`; `BackendTimeout`; `BackendError` if the
        workload cannot be live; `BackendUnavailable` for a schedule without a gate; `ConfigError`.
        """
        steps = live_steps(schedule)
        config = live_config(workload, steps)
        if steps and not self._gated:
            classes_folder()
            raise BackendUnavailable("Hudi's storage gate: expected it in the session, got a session without one")
        table = LiveTable(self._session, self._folder / f"run-{next(self._numbers)}", config)
        options = write_options(config, table.path, gated=self._gated)
        if config.lock_provider == ZOOKEEPER:
            options |= self._coordinator.options(table.path.name)
        processes = self._processes(workload)
        race = Race(
            workload, config, table, self._gates(processes), yield_points_of(schedule, steps) if self._gated else (),
            lambda actor, columns: SplitClient(processes[actor], str(table.path), options, columns),
            lambda: self._make(workload, config, table),
        )  # fmt: skip
        return run_gated(self._workers, race, steps, timeout_s)

    def _processes(self, workload: HudiWorkload) -> dict[str, Process]:
        """The JVM of each actor: the session's, but for the second one of two hosts."""
        processes: dict[str, Process] = dict.fromkeys(workload.actors, self._session)
        if self._gated and are_two(workload):
            processes[workload.actors[1]] = self._second
        return processes

    def _gates(self, processes: Mapping[str, Process]) -> Storage:
        """The gate below these JVMs."""
        own = self._storage
        if all(process is self._session for process in processes.values()):
            return own
        assert isinstance(own, StorageGate)
        second = StorageGate(self._second)
        return StorageGates(
            (own, second), {actor: own if p is self._session else second for actor, p in processes.items()}
        )

    def _make(self, workload: HudiWorkload, config: HudiConfig, table: LiveTable) -> None:
        """A copy of the table that holds the workload's groups, one in each partition; made once for each kind
        of table."""
        index = config.index_type, config.buckets
        kind = (config.table_version, config.table_type, index, config.merge_mode, config.metadata)
        made = (workload.apart, workload.groups), kind
        if made not in self._made:
            first = LiveTable(self._session, self._folder / f"made-{len(self._made)}", config)
            self._storage.act(SETUP)
            first.create()
            client = SplitClient(self._session, str(first.path), table_options(config))
            client.start(config.commit_action)
            client.insert(records(partitions_of(workload), workload.rows), 0)
            client.commit()
            client.close()
            self._made[made] = first
        shutil.copytree(self._made[made].path, table.path)

    @cached_property
    def _coordinator(self) -> ZooKeeper:
        return ZooKeeper(self._session)

    @cached_property
    def _second(self) -> SecondProcess:
        return SecondProcess()

    def close(self) -> None:
        """End the actors' threads and remove the tables; the session goes on."""
        self._workers.close()
        if "_coordinator" in self.__dict__:
            self._coordinator.close()
        if "_second" in self.__dict__:
            self._second.stop()
        shutil.rmtree(self._folder, ignore_errors=True)


def live_config(workload: HudiWorkload, steps: Iterable[Step] = ()) -> HudiConfig:
    """The configuration of a workload's live clients that are to make these steps.

    Raises: `BackendError` for what one JVM on a local file system cannot be: other hosts, other storage.
    """
    if found := obstacle(workload):
        raise BackendError(f"workload: {found}")
    config = parse_options(dict(workload.options))
    if waits(workload):
        return replace(config, heartbeat_interval_ms=BEAT_MS, heartbeat_misses=MISSES)
    if any(step.actor.endswith(f"-{HEARTBEAT}") for step in steps):
        return config
    return replace(config, heartbeat_interval_ms=max(config.heartbeat_interval_ms, SELDOM_MS))


def heartbeat_notes(workload: HudiWorkload, steps: Iterable[Step] = ()) -> tuple[str, ...]:
    """What to say of a live run's heartbeats: nothing if they are the workload's own."""
    own, live = (_beats(config) for config in (parse_options(dict(workload.options)), live_config(workload, steps)))
    return () if own == live else (f"live heartbeats: every {live} (the schedule's: {own})",)


def _beats(config: HudiConfig) -> str:
    misses = config.heartbeat_misses
    return f"{config.heartbeat_interval_ms} ms, {misses} {'miss' if misses == 1 else 'misses'}"
