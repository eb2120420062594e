"""The strategy that follows a schedule of named steps (see `sim.kernel.schedule`), with the faults that it names.

Choices: an actor that cannot run now (its process is paused, or its daemon sleeps) cannot be run up to anything: such a
step is passed over. A daemon's own step comes when its timer is due, so an exact one is made then, whatever others do
meanwhile: its steps are in order among themselves. An actor ends once: a step of its own after its end is a mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NoReturn

from sim.kernel.fault_kinds import NO_EXTENT, Extent
from sim.kernel.faults import Faults
from sim.kernel.schedule import Divergence, Step

if TYPE_CHECKING:
    from sim.kernel.choices import SoFar
    from sim.kernel.kernel import Kernel
    from sim.kernel.task import Call


class Scripted(Faults):
    """Plays steps by name; raises `Divergence` where the next one is not on offer. Also the run's fault source."""

    sees_all = True

    def __init__(self, steps: Iterable[Step], extent: Extent = NO_EXTENT) -> None:
        super().__init__(extent)
        self._steps = list(steps)
        self._next = 0
        self._fault: str | None = None
        self._picked: Call | None = None
        self._ended: set[str] = set()
        self._played: set[int] = set()

    def pick(self, ready: Sequence[Call], so_far: SoFar) -> int:
        self._fault = None
        while self._next < len(self._steps):
            step = self._steps[self._next]
            index = next((i for i, call in enumerate(ready) if call.task.name == step.actor), None)
            if self._next in self._played:
                pass
            elif index is None and (nobodys := _nobodys(ready)) is not None:
                return nobodys
            elif index is None:
                self._absent(step, ready, so_far)
            elif step.exact:
                return self._exactly(step, index, ready)
            elif not _matches(step, ready[index]):
                return index
            self._next += 1
        order = [task.name for task in so_far.tasks]
        return min(range(len(ready)), key=lambda i: order.index(ready[i].task.name))

    def choose(self, name: str, options: int) -> int:
        return 0

    def at(self, call: Call, kernel: Kernel) -> str | None:
        if call.timely and call is not self._picked:
            return self._on_time(call)
        fault, self._fault = self._fault, None
        return fault

    def _on_time(self, call: Call) -> str | None:
        """The fault of a helper's next step, which no pick makes."""
        for at, step in enumerate(self._steps):
            if step.actor == call.task.name and step.exact and at not in self._played:
                if not _matches(step, call):
                    return None
                self._played.add(at)
                return step.fault
        return None

    def arrives(self, pending: Sequence[Call], kernel: Kernel) -> int | None:
        """A late call arrives after the last client has ended if a step that is left names it."""
        left = [at for at, step in enumerate(self._steps) if at >= self._next or step.exact]
        for at in left:
            for i, call in enumerate(pending):
                if call.task.name == self._steps[at].actor and at not in self._played:
                    self._played.add(at)
                    self._next = max(self._next, at + 1)
                    return i
        return None

    def done(self) -> None:
        """Raises `Divergence` if steps are left that the run never got to."""
        while self._next < len(self._steps):
            step = self._steps[self._next]
            if step.operation != "end":
                raise Divergence(f"{self._where()}: wanted {step}, but every actor has ended")
            self._end(step)
            self._next += 1
        left = [step for at, step in enumerate(self._steps) if step.exact and at not in self._played]
        if left:
            raise Divergence(f"wanted {left[0]}, but every actor has ended before it was due")

    def _exactly(self, step: Step, index: int, ready: Sequence[Call]) -> int:
        if not _matches(step, ready[index]):
            self._diverge(step, ready)
        self._played.add(self._next)
        self._next += 1
        self._fault, self._picked = step.fault, ready[index]
        return index

    def _absent(self, step: Step, ready: Sequence[Call], so_far: SoFar) -> None:
        """The actor of `step` is not ready: fine if it has ended as wanted, waits, for a step to run up to, or is a
        daemon, whose timer will be due."""
        task = next((task for task in so_far.tasks if task.name == step.actor), None)
        if task is None and step.exact and any(step.actor.startswith(f"{task.name}-") for task in so_far.tasks):
            return  # a helper that is begun later
        if task is None:
            known = ", ".join(task.name for task in so_far.tasks)
            raise Divergence(f"{self._where()}: wanted {step}, expected an actor out of {known}")
        if step.exact and task.daemon and not task.finished:
            return
        if step.exact or (task.finished and step.operation != "end"):
            self._diverge(step, ready, f" ({step.actor} has ended)" if task.finished else f" ({step.actor} waits)")
        if task.finished:
            self._end(step)

    def _end(self, step: Step) -> None:
        """An actor has been run to its end, once."""
        if step.actor in self._ended:
            raise Divergence(f"{self._where()}: wanted {step}, but {step.actor} has ended")
        self._ended.add(step.actor)

    def _where(self) -> str:
        return f"step {self._next + 1} of {len(self._steps)}"

    def _diverge(self, step: Step, ready: Sequence[Call], why: str = "") -> NoReturn:
        offer = ", ".join(f"{call.name}({call.resource})" for call in ready)
        raise Divergence(f"{self._where()}: wanted {step}, ready: {offer}{why}")


def _nobodys(ready: Sequence[Call]) -> int | None:
    """The call of a task that is gone, which no trace has: to make it does nothing."""
    return next((i for i, call in enumerate(ready) if call.task.crashed or call.task.cancelled), None)


def _matches(step: Step, call: Call) -> bool:
    return (
        step.operation == call.operation
        and step.reply == (call.reply is not None)
        and step.resource in (None, call.resource)
    )
