"""The strategy that follows a schedule of named steps (see `sim.schedule`), and strikes the faults that it names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sim.faults import Faults
from sim.schedule import Divergence, Step

if TYPE_CHECKING:
    from sim.kernel import Kernel
    from sim.task import Call


class Scripted(Faults):
    """Plays steps by name; raises `Divergence` where the next one is not on offer. Also the run's fault source."""

    sees_all = True

    def __init__(self, steps: Iterable[Step], pause_ms: int = 0) -> None:
        super().__init__(pause_ms)
        self._steps = list(steps)
        self._next = 0
        self._fault: str | None = None

    def pick(self, ready: Sequence[Call], kernel: Kernel) -> int:
        self._fault = None
        while self._next < len(self._steps):
            step = self._steps[self._next]
            index = next((i for i, call in enumerate(ready) if call.task.name == step.actor), None)
            if index is None and not self._finished(step, kernel):
                self._diverge(step, ready)
            there = index is not None and _matches(step, ready[index])
            if step.exact:
                if not there:
                    self._diverge(step, ready)
                self._next += 1
                self._fault = step.fault
                return index  # type: ignore[return-value]
            if index is not None and not there:
                return index
            if index is None and step.point != "end":
                self._diverge(step, ready)
            self._next += 1
        order = [task.name for task in kernel.tasks]
        return min(range(len(ready)), key=lambda i: order.index(ready[i].task.name))

    def choose(self, name: str, options: int) -> int:
        return 0

    def at(self, call: Call, kernel: Kernel) -> str | None:
        fault, self._fault = self._fault, None
        return fault

    def done(self) -> None:
        """Raises `Divergence` if steps are left that the run never got to."""
        if self._next < len(self._steps):
            step = self._steps[self._next]
            if step.point != "end" or step.exact:
                raise Divergence(f"step {self._next + 1} of {len(self._steps)}: wanted {step}, but every actor has ended")

    def _finished(self, step: Step, kernel: Kernel) -> bool:
        tasks = [task for task in kernel.tasks if task.name == step.actor]
        if not tasks:
            known = ", ".join(task.name for task in kernel.tasks)
            raise Divergence(f"step {self._next + 1}: wanted {step}, expected an actor out of {known}")
        return all(task.finished for task in tasks)

    def _diverge(self, step: Step, ready: Sequence[Call]) -> None:
        offer = ", ".join(f"{call.name}({call.resource})" for call in ready)
        raise Divergence(f"step {self._next + 1} of {len(self._steps)}: wanted {step}, ready: {offer}")


def _matches(step: Step, call: Call) -> bool:
    return (
        step.point == call.operation
        and step.reply == (call.reply is not None)
        and step.resource in (None, call.resource)
    )
