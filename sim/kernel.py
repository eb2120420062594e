"""The event loop: a `simpy.Environment` whose port calls wait in a ready list, from which a strategy picks.

Every port call of a task suspends it with a footprint. When the strategy picks the call, the service *applies* it and
the task gets the *reply*: at once (a reply is a local event, no other task can tell), or as a second step when
`split_replies` is set, or after a fault. Timers (pauses, the sleeps of daemons, and every sleep in timed mode) stay in
simpy's heap, whose times are milliseconds.

Two ways to use it. Adversarial: the strategy decides everything, time moves only when a sleep or a pause is picked.
Timed (`latency` given): a call is applied after a drawn request time and answered after a drawn reply time.

Choices: in adversarial mode the sleep of a main task is a step like any other, and picking it moves the clock to its
end; a real sleeper may be overtaken by any number of steps of the others. The time of a run is the order of its steps.
Only NORMAL events of simpy are ours to reorder, and none are: the heap is left in simpy's order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

import simpy
from greenlet import GreenletExit, getcurrent

from model.ports import PortError
from sim.errors import EscapeError, StepLimitReached, Stuck
from sim.task import Call, Reply, Sleep, Task

if TYPE_CHECKING:
    from sim.choices import Choices
    from sim.faults import Faults

Row = tuple[int, str, str, str, Any, Any, str]
"""A trace row: time_ms, task, operation, resource, arguments, value or error name, fault."""


class Kernel(simpy.Environment):
    """One simulated world's time, tasks and steps. Make one per run."""

    def __init__(
        self,
        choices: Choices,
        *,
        grain: Collection[str] | None = None,
        faults: Faults | None = None,
        latency: Callable[[Choices, str], tuple[int, int]] | None = None,
        split_replies: bool = False,
        max_steps: int = 10_000,
    ) -> None:
        super().__init__(initial_time=0)
        self._now: int = 0  # simpy keeps whole milliseconds whole
        self.hub = getcurrent()
        self.choices = choices
        self.ready: list[Call] = []
        self.trace: list[Row] = []
        self.tasks: list[Task] = []
        self.marks: dict[str, int] = {}
        self.grain = grain
        self.faults = faults
        self.latency = latency
        self.split_replies = split_replies
        self.max_steps = max_steps
        self.steps = 0
        self.closed = False
        self.current: Task | None = None
        self.waiting_main = 0
        self.on_crash: Callable[[str], None] | None = None
        self.observe: Callable[[Task, Call, Any], None] | None = None

    # -- tasks ---------------------------------------------------------------------------------------------------

    def start(self, name: str, body: Callable[[], None], *, process: str | None = None, daemon: bool = False) -> Task:
        """Create a task and run it to its first port call. Daemons do not keep the run alive."""
        task = Task(self, name, process or name, body, daemon)
        self.tasks.append(task)
        if not daemon:
            self.waiting_main += 1
        self._switch(task)
        return task

    def _switch(self, task: Task, value: Any = None, error: BaseException | None = None) -> None:
        previous, self.current = self.current, task
        if not task:  # not started yet: the first switch carries no reply
            task.switch()
        elif error is None:
            task.switch(value)
        else:
            task.throw(error)
        self.current = previous
        if task.dead and not task.finished:
            self._ended(task)

    def _ended(self, task: Task) -> None:
        task.finished = True
        if not task.daemon:
            self.waiting_main -= 1

    def crash(self, process: str) -> None:
        """Kill every task of a process where it stands; nothing of theirs runs again."""
        for task in self.tasks:
            if task.process == process and not task.finished:
                task.crashed = True
                self._ended(task)
        self.ready[:] = [call for call in self.ready if not call.task.crashed]
        if self.on_crash is not None:
            self.on_crash(process)

    # -- port calls ----------------------------------------------------------------------------------------------

    def call(self, operation: str, resource: str, mode: str, apply: Callable[..., Any], *args: Any) -> Any:
        """The one suspension point: wait until the strategy picks this call, then return or raise its reply."""
        task = getcurrent()
        if task is self.hub:
            return apply(*args)  # set-up and read-back by the harness: no step
        if self.closed:
            raise GreenletExit  # a `finally` of a task that the run left behind: it must have no effect
        if task.__class__ is not Task or task.kernel is not self or task is not self.current:  # type: ignore[attr-defined]
            raise EscapeError(f"{operation}({resource}): expected a call from a task of this run, got one from {task!r}")
        call = Call(task, operation, resource, mode, apply, args)  # type: ignore[arg-type]
        if self.grain is not None and operation not in self.grain:
            return self._inline(call)
        if self.latency is None:
            self.ready.append(call)
        else:
            request_ms, _ = self.latency(self.choices, operation)
            self._at(self._now + request_ms, lambda: self._execute(call))
        return self.hub.switch()

    def sleep(self, duration_ms: int) -> None:
        """Suspend the calling task for simulated time."""
        task = getcurrent()
        if task is self.hub:
            return
        due_ms = self._now + duration_ms
        call = Sleep(task, due_ms)  # type: ignore[arg-type]
        if self.latency is not None or task.daemon:  # type: ignore[attr-defined]
            self._at(due_ms, lambda: self._wake(call))
        elif self.grain is not None and "sleep" not in self.grain:
            self._now = max(self._now, due_ms)
            return
        else:
            self.ready.append(call)
        self.hub.switch()

    def mark(self, name: str) -> None:
        """Count that a path ran."""
        self.marks[name] = self.marks.get(name, 0) + 1

    # -- the loop ------------------------------------------------------------------------------------------------

    def drive(self) -> None:
        """Run until every main task has finished; then close the world."""
        ready, queue, pick, ask_from = self.ready, self._queue, self.choices.pick, 0 if self.choices.sees_all else 1
        plain = self.faults is None and self.latency is None and not self.split_replies and self.observe is None
        try:
            while self.waiting_main > 0:
                if ready and (not queue or queue[0][0] > self._now):
                    call = ready.pop(pick(ready, self)) if len(ready) > ask_from else ready.pop()
                    self.steps += 1
                    if self.steps > self.max_steps:
                        raise StepLimitReached(f"run: expected at most {self.max_steps} steps, got more; last {call!r}")
                    if plain and call.due_ms is None:
                        self._execute_plainly(call)
                    else:
                        self._execute(call)
                elif queue:
                    self.step()
                else:
                    left = [task.name for task in self.tasks if not task.finished and not task.daemon]
                    raise Stuck(f"run: expected a task that can run, got none; unfinished: {', '.join(left)}")
        finally:
            self.closed = True

    def _execute_plainly(self, call: Call) -> None:
        """`_execute` where nothing but a plain apply-and-reply can happen: two thirds of its time, the same effect."""
        task = call.task
        if task.cancelled:
            return
        self.current = task
        try:
            value = call.apply(*call.args)
        except PortError as refusal:
            self.trace.append(
                (self._now, task.name, call.operation, call.resource, call.args, refusal.__class__.__name__, "")
            )
            task.throw(refusal)
        else:
            self.trace.append((self._now, task.name, call.operation, call.resource, call.args, value, ""))
            task.switch(value)
        self.current = None
        if task.dead and not task.finished:
            self._ended(task)

    def _execute(self, call: Call) -> None:
        task = call.task
        if task.crashed or task.cancelled:
            return
        if call.reply is not None:
            value, error = call.reply
            if self.latency is None:
                self.note(call, "", "")
            self._switch(task, value, error)
            return
        if call.due_ms is not None and call.due_ms > self._now:
            self._now = call.due_ms
        if self.faults is not None:
            fault = self.faults.at(call, self)
            if fault is not None:
                self.faults.strike(fault, call, self)
                return
        self.answer(call, *self.apply(call))

    def apply(self, call: Call, fault: str = "") -> tuple[Any, PortError | None]:
        """Let the service act; returns (value, None) or (None, refusal), and traces it."""
        value: Any = None
        error: PortError | None = None
        try:
            value = call.apply(*call.args)
        except PortError as refusal:
            error = refusal
        outcome = value if error is None else error.__class__.__name__
        self.trace.append((self._now, call.task.name, call.operation, call.resource, call.args, outcome, fault))
        return value, error

    def note(self, call: Call, outcome: str, fault: str) -> None:
        """Trace a step that applies nothing: a fault, or a reply of its own."""
        operation = f"{call.operation}/reply" if call.reply is not None else call.operation
        self.trace.append((self._now, call.task.name, operation, call.resource, call.args, outcome, fault))

    def answer(self, call: Call, value: Any, error: BaseException | None) -> None:
        """Give the task its reply now, or as a step (or after a time) of its own."""
        if self.observe is not None:
            self.observe(call.task, call, value if error is None else (error.__class__.__name__, str(error)))
        if self.latency is not None:
            reply = Reply(call, value, error)
            self._at(self._now + self.latency(self.choices, call.operation)[1], lambda: self._execute(reply))
        elif self.split_replies:
            self.ready.append(Reply(call, value, error))
        else:
            self._switch(call.task, value, error)

    def _inline(self, call: Call) -> Any:
        value, error = self.apply(call)
        if self.observe is not None:
            self.observe(call.task, call, value if error is None else (error.__class__.__name__, str(error)))
        if error is not None:
            raise error
        return value

    def pause(self, process: str, duration_ms: int) -> None:
        """Take every ready call of a process out of play until `duration_ms` have passed."""
        held = [call for call in self.ready if call.task.process == process]
        self.ready[:] = [call for call in self.ready if call.task.process != process]
        self._at(self._now + duration_ms, lambda: self.ready.extend(c for c in held if not c.task.crashed))

    def timers_ms(self) -> tuple[float, ...]:
        """When the pending timers (pauses, daemons' sleeps) are due, in order."""
        return tuple(sorted(item[0] for item in self._queue))

    def _wake(self, call: Call) -> None:
        if not (call.task.crashed or call.task.cancelled):
            self._switch(call.task)

    def _at(self, time_ms: float, action: Callable[[], None]) -> None:
        timer = self.timeout(max(0, time_ms - self._now))
        timer.callbacks.append(lambda _: action())

