"""What can go wrong at the two points of a port call, and when; `fault_kinds` has what each kind does.

A source of faults decides at each port call; `FaultBudget` makes every decision a recorded choice.

Choices: a late call that is still on its way when the last client has ended may arrive then, before the final read;
that is a decision too. A late call is not hit again: nobody waits for its answer.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

from model.ports import PortError
from sim.kernel.fault_kinds import KINDS, NO_EXTENT, Extent, Told

if TYPE_CHECKING:
    from sim.kernel.kernel import Kernel
    from sim.kernel.task import Call


class Faults:
    """A source of faults. This base injects none; subclasses override `at`."""

    def __init__(self, extent: Extent = NO_EXTENT) -> None:
        self.extent = extent
        self.injected: list[tuple[str, str, str]] = []
        self._late: list[str] = []

    def at(self, call: Call, kernel: Kernel) -> str | None:
        """The fault to inject into this call, which is about to be applied, or None."""
        return None

    def arrives(self, pending: Sequence[Call], kernel: Kernel) -> int | None:
        """Which of the late calls arrives although every client has ended; None if no further one does."""
        return None

    def finish(self, kernel: Kernel) -> None:
        """Every client has ended: let late calls arrive, or not."""
        while pending := [call for call in kernel.ready if call.task.name in self._late and call.reply is None]:
            index = self.arrives(pending, kernel)
            if index is None:
                return
            kernel.ready.remove(pending[index])
            kernel.execute(pending[index])

    def key(self, kernel: Kernel) -> Hashable:
        """What the future of the run depends on: part of the state in exhaustive mode.

        How far clocks have jumped follows from what was injected; for how long a partition lasts, and since when a
        clock drifts, does not.
        """
        return tuple(self.injected), kernel.partitions(), kernel.drifts()

    def inject(self, fault: str, call: Call, kernel: Kernel) -> Told | None:
        """Let the fault happen to the call. Returns: what the caller is told now, (value, error); None: nothing."""
        self.injected.append((fault, call.task.name, call.operation))
        kernel.hit(f"fault {fault}")
        return KINDS[fault].happen(call, kernel, self)

    def delay(self, call: Call, kernel: Kernel) -> None:
        """Let the call be on its way, with nobody who waits for its answer."""
        late = kernel.start(f"{call.task.name}-late", lambda: _apply_late(call, kernel), daemon=True)
        self._late.append(late.name)


def _apply_late(call: Call, kernel: Kernel) -> None:
    try:
        kernel.call(call.operation, call.resource, call.mode, call.apply, *call.args)
    except PortError:
        kernel.hit("late apply refused")  # nobody is left to hear the answer


class FaultBudget(Faults):
    """At most `limit` faults in a run, each a recorded choice: `kinds` names the faults allowed per operation.

    Args: `actors` restricts the faults to these processes (empty: all); `extent` says how far they go.
    """

    def __init__(
        self, kinds: Mapping[str, Sequence[str]], limit: int, actors: Sequence[str] = (), extent: Extent = NO_EXTENT
    ) -> None:
        super().__init__(extent)
        self._kinds = kinds
        self._left = limit
        self._actors = actors

    def at(self, call: Call, kernel: Kernel) -> str | None:
        if self._left == 0 or call.task.name in self._late or (self._actors and call.task.process not in self._actors):
            return None
        kinds = self._kinds.get(call.operation)
        if not kinds:
            return None
        chosen = kernel.choices.choose(f"fault:{call.name}", 1 + len(kinds))
        if chosen == 0:
            return None
        self._left -= 1
        return kinds[chosen - 1]

    def arrives(self, pending: Sequence[Call], kernel: Kernel) -> int | None:
        chosen = kernel.choices.choose("fault:arrives", 1 + len(pending))
        return chosen - 1 if chosen else None
