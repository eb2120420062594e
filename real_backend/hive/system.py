"""The live system of Hive: sessions on metastores and their caches.

Choices: what is played are the steps of the simulated run one by one, for it has polls that a live one has not. Imports
are where they are needed: a command without `--live` does without PostgreSQL.
"""

from typing import TYPE_CHECKING

from checkers.histories.history import History
from real_backend.gating.backends import Backends
from real_backend.gating.system import Replayed
from real_backend.jvm import preflight
from sim.hive.live import OnMetastores
from sim.kernel.schedule import Schedule, ScheduleError
from sim.search.projection import Played, projection
from sim.search.run import Run
from sim.world.live import Live

OWN_RULE = (
    "the reading rule is Lakeproof's own, on the client's side; the servers are shipped, but for the replay of alters "
    "into the database and the pull of the log after a write, which are off"
)

if TYPE_CHECKING:
    from real_backend.hive.live import HiveLive
    from real_backend.hive.servers import Servers


def servers(backends: Backends) -> "Servers":
    """PostgreSQL and metastores. Raises: `BackendUnavailable`."""
    from real_backend.hive.servers import hive_servers

    return backends.started("PostgreSQL and metastores", hive_servers, preflight.check_java)


def sessions(backends: Backends) -> "HiveLive":
    """Sessions on metastores. Raises: `BackendUnavailable`."""
    from real_backend.hive.live import HiveLive

    return backends.kept(HiveLive(backends.of(servers)))


def replicas_in_words(count: int) -> str:
    """Example: "2 replicas of Hive Metastore 4.0.1"."""
    from real_backend.hive.distribution import VERSION

    return f"{count} replica{'s' if count > 1 else ''} of Hive Metastore {VERSION}"


class Metastores:
    """Sessions on Hive metastores and their caches."""

    unseen: tuple[str, ...] = ()

    def name(self, live: Live) -> str:
        """As the Protocol."""
        given: OnMetastores = live.workload
        servers = replicas_in_words(len(given.workload.replicas))
        return f"{servers}, with Lakeproof's own reading rule" if given.servers == "synchronized" else servers

    def replay(self, backends: Backends, live: Live, schedule: Schedule, run: Run) -> Replayed:
        """As the Protocol."""
        from real_backend.hive.conformance import VARIANTS, conform, live_steps, observed_live, simulated

        given: OnMetastores = live.workload
        played = Played(schedule, run) if run.yield_points is not None else projection(run)
        if played is None:
            steps = " ".join(live.yield_points[-1])
            raise ScheduleError(f"schedule of {run.scenario.name}: expected yield points {steps}, got others")
        variant = VARIANTS[given.servers]
        at = played.run.yield_points or live.yield_points[-1]
        exact = Schedule(run.scenario.name, live_steps(played.run), at)
        found = backends.of(sessions).run(given.workload, exact, variant, given.rules, drains=given.drains)
        seen = simulated(played.run, given.workload), observed_live(found)
        agrees = conform(played.run, found).agrees
        notes = (OWN_RULE,) if variant.synchronized else ()
        return Replayed(found.trace, History(found.events), played.run.events, *seen, agrees, notes)


METASTORES = Metastores()
