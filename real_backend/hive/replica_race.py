"""A race on replicas of a metastore, of whichever clients: stepped at the Thrift gates and at the caches' watermarks.

Choices: a poller is on offer only if there is an event for it; other processes' calls are whenever they are.
"""

from collections.abc import Collection, Iterable, Sequence

from real_backend.gating.gate import Gate, InterpositionPoint
from real_backend.gating.race import LiveRace, Result
from real_backend.hive.pollers import Pollers
from real_backend.hive.prewarm import Filling
from real_backend.hive.servers import Replicas
from real_backend.hive.thrift_gate import ToldLate, VersionOf, can_fault
from sim.kernel.schedule import Step


class ReplicaRace(LiveRace[Result]):
    """One run of some actors on replicas, whose caches' update threads are the gate's helpers.

    Args: `polled` names the replicas whose caches follow the log in this run; `drains`: they finish it before the end;
    `batches` as `Pollers`; `fills` names those whose caches are filled in it, `cold` at its start;
    `version_of` and `told_late` as `ThriftGate.install`; `late` names the late calls that there will be.
    """

    can_fault = staticmethod(can_fault)

    def __init__(
        self, actors: Iterable[str], yield_points: Collection[str], replicas: Replicas, polled: Iterable[str], *,
        drains: bool, batches: bool = True, version_of: VersionOf | None = None, fills: Sequence[str] = (),
        cold: Sequence[str] = (), late: Sequence[str] = (), told_late: ToldLate | None = None,
    ) -> None:  # fmt: skip
        followers = {name: replicas.followers[name] for name in polled if replicas.cached}
        super().__init__(actors, yield_points, helpers=(*followers, *late))
        self.replicas = replicas
        self.fills = {name: Filling(replicas.metastores[name], replicas.backing) for name in fills}
        self.pollers = Pollers(followers, batches=batches, fills=self.fills, cold=cold)
        self._drains = drains
        self._version_of = version_of
        self._told_late = told_late

    def install(self) -> None:
        """Put the gate behind the proxies."""
        self.replicas.install(self.gate, self._version_of, self._told_late)

    def is_passable(self, at: InterpositionPoint) -> bool:
        """A poll is on offer only if there is an event."""
        return self.pollers.is_passable(at)

    def play(self, steps: Sequence[Step]) -> None:
        """Play the steps; the caches take their events when the schedule says so."""
        self.pollers.play(self.gate, steps, drains=self._drains)

    def close(self) -> None:
        """Take the gate away and wait for the pollers."""
        self.pollers.end()
        self.replicas.install(Gate(()))
