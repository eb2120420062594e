"""Workloads of sessions on live metastores, stepped at the Thrift gates and at the caches' watermarks.

Per run: a database and tables of its own, made by `setup` ungated and followed by every cache; then every watermark is
closed, each session gets a thread, and the schedule releases the sessions' calls and the pollers' events. At the end,
with the watermarks as the schedule left them, everything is read back; then the caches catch up.

Choices: a poller is on offer only if there is an event for it. Who locks no table makes no step of the lock manager's:
`Update` asks for a lock, and passes freely. Statements that meddle with the log are simulated only.
"""

import itertools
from collections.abc import Iterable

from model.hive import Rules
from model.hive.rules import SHIPPED as SHIPPED_RULES
from real_backend.errors import BackendError
from real_backend.gating.actors import Workers
from real_backend.gating.gate import EVERY, WAIT_S
from real_backend.gating.play import at_yield_points
from real_backend.gating.race import run_gated
from real_backend.hive.late_calls import late_names
from real_backend.hive.live_run import SHIPPED, HiveLiveRun, Variant
from real_backend.hive.names import Names
from real_backend.hive.pollers import APPLY, of_replica
from real_backend.hive.race import Race
from real_backend.hive.servers import Servers
from real_backend.hive.thrift_gate import YIELD_POINTS as CALLS
from real_backend.hive.timer import POLL
from sim.hive.database_renames import RenameDatabase
from sim.hive.live import CLEAN_STEPS, EVICT, LOCKING_STEPS, PREWARM, REFRESH, RESTART, TIME_OUT, obstacle
from sim.hive.workload import HiveWorkload
from sim.kernel.schedule import Schedule, Step

YIELD_POINTS = (*CALLS, POLL, APPLY, *REFRESH, TIME_OUT, EVICT, RESTART, *PREWARM, *CLEAN_STEPS)


def yield_points_of(schedule: Schedule | Iterable[Step] | str) -> tuple[str, ...]:
    """The operations that are steps of this schedule: those of its own yield points that the gates have."""
    if isinstance(schedule, Schedule) and schedule.yield_points != EVERY:
        return tuple(operation for operation in YIELD_POINTS if operation in schedule.yield_points)
    return (*LOCKING_STEPS, RESTART, *PREWARM)


class HiveLive:
    """Runs workloads on the servers' replicas, any number of times."""

    def __init__(self, servers: Servers) -> None:
        self._servers = servers
        self._workers = Workers()
        self._numbers = itertools.count(1)

    def run(
        self,
        workload: HiveWorkload,
        schedule: Schedule | Iterable[Step] | str,
        variant: Variant = SHIPPED,
        rules: Rules = SHIPPED_RULES,
        *,
        drains: bool = False,
        timeout_s: float = WAIT_S,
    ) -> HiveLiveRun:
        """Run the workload as the schedule says and read everything back.

        Args: `rules` are the client sessions'; `drains`: the pollers finish the log before the end, and every cache is
        asked what it serves; `timeout_s` bounds the wait for each step.
        Raises: `Divergence` if a step is not on offer; `ScheduleError`; `BackendTimeout`; `BackendError` if the
        workload cannot be live.
        """
        if found := obstacle(workload):
            raise BackendError(f"workload: {found}")
        yield_points = yield_points_of(schedule)
        steps = tuple(of_replica(step, workload) for step in at_yield_points(schedule, yield_points))
        replicas = self._servers.replicas(cached=variant.cached, timed=variant.timed, names=workload.replicas)
        names = Names(f"run{next(self._numbers)}")
        if workload.has(RenameDatabase):
            replicas.know_databases()
        replicas.make_ready(
            replay_writes=variant.replay_writes,
            passes_expected=variant.passes_expected,
            cached=names.live_lists(workload.cached),
        )
        late = late_names(steps)
        race = Race(workload, replicas, names, variant, rules, yield_points, drains=drains, late=late)
        return run_gated(self._workers, race, steps, timeout_s)

    def close(self) -> None:
        """End the sessions' threads; the servers go on."""
        self._workers.close()
