"""The storage gates of two JVMs as one: both ask the same gate, so one schedule steps them both."""

from collections.abc import Mapping

from real_backend.gating.gate import Gate, InterpositionPoint
from real_backend.hudi.storage import Looks, Operation, StorageGate, Ungated
from sim.hudi.workload import HudiWorkload


class StorageGates:
    """The gates of two JVMs as one. Args: `gates`: the first JVM's and the second's; `of`: which is an actor's."""

    def __init__(self, gates: tuple[StorageGate, StorageGate], of: Mapping[str, StorageGate]) -> None:
        self._gates = gates
        self._of = of

    def install(self, gate: Gate, root: str, looks: Looks | None = None) -> None:
        """As `StorageGate`, in both."""
        for each in self._gates:
            each.install(gate, root, looks)

    def record(self) -> tuple[Operation, ...]:
        """Every operation of the run so far, those of the second JVM last."""
        return tuple([operation for each in self._gates for operation in each.record()])

    def uninstall(self) -> None:
        """As `StorageGate`, in both."""
        for each in self._gates:
            each.uninstall()

    def forbid(self, root: str) -> None:
        """As `StorageGate`, in both."""
        for each in self._gates:
            each.forbid(root)

    def is_passable(self, at: InterpositionPoint) -> bool:
        """Whether a step is on offer: an in-process lock is while nobody in its process holds it."""
        return self._gate(at.actor).is_passable(at)

    def enter(self, actor: str) -> None:
        """As `StorageGate`."""
        self._gate(actor).enter(actor)

    def leave(self, actor: str) -> None:
        """As `StorageGate`."""
        self._gate(actor).leave(actor)

    def is_dead(self, actor: str) -> bool:
        """As `StorageGate`."""
        return self._gate(actor).is_dead(actor)

    def act(self, actor: str) -> None:
        """As `StorageGate`."""
        self._gate(actor).act(actor)

    def _gate(self, actor: str) -> StorageGate:
        return self._of.get(actor, self._gates[0])


Storage = StorageGate | StorageGates | Ungated


def are_two(workload: HudiWorkload) -> bool:
    """Whether a workload's actors are played by two JVMs."""
    return not workload.one_process and len(workload.actors) == 2
