"""The event loop: a `simpy.Environment` whose port calls wait in a ready list, from which a strategy picks.

Every port call of a task suspends it with a footprint. When the strategy picks the call, the service *applies* it and
the task gets the *reply*: at once (a reply is a local event, no other task can tell), or as a second step when
`split_replies` is set, or after a fault. Timers (pauses, the sleeps of daemons, and every sleep in timed mode) stay in
simpy's heap, whose times are milliseconds.

Two ways to use it. Adversarial: the strategy decides; time moves when a sleep is picked or nothing else can run.
Timed (`latency` given): a call is applied after a drawn request time and answered after a drawn reply time.

Choices:
* In adversarial mode the sleep of a main task is a step like any other, and picking it moves the clock to its end, or
  to the first timer on the way that lets somebody else act: then there is a new pick. A real sleeper may be overtaken
  by any number of steps of the others. The time of a run is the order of its steps.
* What a helper does on time (a heartbeat, the renewal of a lease) is done before the clock moves on, also where a fault
  has put it off: it is late by a fault alone (a pause, a late request), never because the strategy let others sleep.
* A sleep that is no step of the yield points moves the clock at once, and the timers that it overtakes go off late.
* Only NORMAL events of simpy are ours to reorder, and none are: the heap is left in simpy's order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from typing import TYPE_CHECKING, Any, Protocol

from greenlet import GreenletExit, getcurrent

from model.ports import ConnectionLost, PortError
from sim.kernel.choices import PICK
from sim.kernel.errors import EscapeError, StepLimitReached, Stuck
from sim.kernel.processes import Processes
from sim.kernel.task import Call, Reply, Sleep, Timely, nothing

if TYPE_CHECKING:
    from sim.kernel.choices import Choices

INLINE_PER_STEP = 10
CALLS_OUTSIDE = 1_000_000
"""After so many, set-up waits for ever: no time passes in it."""
SLEEPS_ON = "sleeps on"
Outcome = tuple[Any, BaseException | None]
"""What a task is told: a value, or an error to be raised in it."""
UNHEARD: Outcome = (None, None)
"""Nothing is told, now: compared by identity."""


class FaultSource(Protocol):
    """What may come between a call and the service; `sim.kernel.faults` has them."""

    def at(self, call: Call, kernel: Kernel) -> str | None: ...
    def inject(self, fault: str, call: Call, kernel: Kernel) -> Outcome | None: ...
    def finish(self, kernel: Kernel) -> None: ...


class Kernel(Processes):
    """One simulated world's time, tasks and steps. Make one per run."""

    def __init__(
        self,
        choices: Choices,
        *,
        yield_points: Collection[str] | None = None,
        faults: FaultSource | None = None,
        latency: Callable[[Choices, str], tuple[int, int]] | None = None,
        split_replies: bool = False,
        max_steps: int = 10_000,
    ) -> None:
        super().__init__(max_steps)
        self.choices = choices
        self.yield_points = yield_points
        self.faults = faults
        self.latency = latency
        self._answers_at_once = latency is None and not split_replies
        self._calls_outside = 0

    # -- port calls ----------------------------------------------------------------------------------------------

    def call(self, operation: str, resource: str, mode: str, apply: Callable[..., Any], *args: Any) -> Any:
        """The one suspension point: wait until the strategy picks this call, then return or raise its reply."""
        task = self.current
        if getcurrent() is not task:
            return self._elsewhere(f"{operation}({resource})", apply, args)
        call = Call(task, operation, resource, mode, apply, args)
        if self.yield_points is not None and operation not in self.yield_points:
            return self._inline(call)
        if self.latency is None:
            self.ready.append(call)
        else:
            request_ms, call.reply_ms = self.latency(self.choices, operation)
            self.at(self._now + request_ms, lambda: self.execute(call), call.name)
        return self.hub.switch()

    def call_on_time(self, operation: str, resource: str, mode: str, apply: Callable[..., Any], *args: Any) -> Any:
        """As `call`, of a helper whose timer has gone off: it is no pick, but the next thing that happens."""
        task = self.current
        assert task is not None
        call = Timely(task, operation, resource, mode, apply, args)
        self.at(self._now, lambda: self.execute(call), call.name)
        return self.hub.switch()

    def sleep(self, duration_ms: int) -> None:
        """Suspend the calling task for simulated time."""
        task = self.current
        if task is None or getcurrent() is not task:
            self._elsewhere(f"sleep({duration_ms})", nothing, ())
            return
        due_ms = self._now + (self.lasting_ms(task.process, duration_ms) if self._drifts else duration_ms)
        if self.latency is not None or task.daemon:
            self.at(due_ms, lambda: self.wake(task), task.name)
        elif self.yield_points is not None and "sleep" not in self.yield_points:
            self._now = max(self._now, due_ms)
            return
        else:
            self.ready.append(Sleep(task, due_ms))
        self.hub.switch()

    def clock_ms(self) -> int:
        """The time on its host's clock, read by the current task: no step, but something that it now knows."""
        task, time_ms = self.current, self._now
        if task is not None:
            if self._clock_steps or self._drifts:
                time_ms = max(0, time_ms + self.ahead_ms(task.process))
            if self.observe is not None:
                self.observe(task, ("clock", time_ms))
        return time_ms

    def _elsewhere(self, what: str, apply: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """A port call from outside the running task: the harness may, a task that the run left behind has no effect."""
        if getcurrent() is self.hub:  # set-up and read-back: no step
            self._calls_outside += 1
            if self._calls_outside > CALLS_OUTSIDE:
                raise StepLimitReached(f"set-up: expected at most {CALLS_OUTSIDE} calls, got more; the last was {what}")
            return apply(*args)
        if self.closed:
            raise GreenletExit
        raise EscapeError(f"{what}: expected a call from the running task of this run, got one from {getcurrent()!r}")

    # -- the loop ------------------------------------------------------------------------------------------------

    def drive(self) -> None:
        """Run until every main task has finished; then close the world."""
        ready, queue, execute, max_steps = self.ready, self._queue, self.execute, self.max_steps
        pick, record, sees_all = self.choices.strategy.pick, self.choices.tape.append, self.choices.sees_all
        try:
            while self.waiting_main > 0:
                if ready and (not queue or queue[0][0] > self._now):
                    index, options = 0, len(ready)
                    if options > 1 or sees_all:
                        index = pick(ready, self)
                        if options > 1:
                            record((PICK, options, index))
                    call = ready.pop(index)
                    self.steps = steps = self.steps + 1
                    if steps > max_steps:
                        self.too_long(repr(call))
                    execute(call)
                elif queue:
                    self.step()
                else:
                    left = [task.name for task in self.tasks if not task.finished and not task.daemon]
                    raise Stuck(f"run: expected a task that can run, got none; unfinished: {', '.join(left)}")
            if self.faults is not None:
                self.faults.finish(self)
        finally:
            self.closed = True
            self.current = None

    def execute(self, call: Call) -> None:
        """One step: the service acts and the task hears of it, unless something comes between."""
        task = call.task
        if task.crashed or task.cancelled:
            return
        told = None
        if call.apply is nothing or self.faults is not None:
            told = self._between(call)
            if told is UNHEARD:
                return
        value, error = self.apply(call) if told is None else told
        if self._answers_at_once:
            self.switch(task, value, error)
        else:
            self._answer_later(Reply(call, value, error), call.reply_ms)

    def _between(self, call: Call) -> Outcome | None:
        """What is more than a plain call: a reply is heard, a fault happens, a sleep takes its time.

        Returns: what the task is told instead of the service's answer; UNHEARD: nothing yet; None: the service may act.
        """
        if call.reply is not None:
            self._hear(call, *call.reply)
            return UNHEARD
        if self.faults is not None:
            if self._cut_off and self.is_cut_off(call):
                return self._unreachable(call)
            fault = self.faults.at(call, self)
            if fault is not None:
                told = self.faults.inject(fault, call, self) or UNHEARD
                if self.observe is not None and told is not UNHEARD:
                    self.observe(call.task, _knowledge(call, *told))
                return told
        return None if call.due_ms is None or self._slept(call, call.due_ms) else UNHEARD

    def _unreachable(self, call: Call) -> Outcome:
        """What a call gets that a partition keeps from its service."""
        error = ConnectionLost(f"{call.operation}({call.resource}): no route")
        self.hit("call during a partition")
        self.note(call, ConnectionLost.__name__, "")
        if self.observe is not None:
            self.observe(call.task, _knowledge(call, None, error))
        return None, error

    def _slept(self, call: Call, due_ms: int) -> bool:
        """Move the clock to the end of a sleep; True if it got there, False if something came in between."""
        others = len(self.ready)
        while True:
            timely = next((other for other in self.ready if other.timely), None) if due_ms > self._now else None
            if timely is not None:
                self.ready.remove(timely)
                others -= 1
                self.execute(timely)
            elif self._queue and self._queue[0][0] <= due_ms:
                self.step()
            else:
                break
            if len(self.ready) > others:
                self.note(call, SLEEPS_ON, "")
                self.ready.append(call)
                return False
        self._now = max(self._now, due_ms)
        if call.task.crashed:
            self.note(call, SLEEPS_ON, "")
        return not (call.task.crashed or call.task.cancelled)

    def _hear(self, call: Call, value: Any, error: BaseException | None) -> None:
        """The second point of a call, as a step or at a time of its own."""
        if self.held(call.task, lambda: self.execute(call)):
            return
        if self.latency is None:
            self.note(call, "", "")
        if self.observe is not None:
            self.observe(call.task, call.name)
        self.switch(call.task, value, error)

    def apply(self, call: Call, fault: str = "") -> tuple[Any, PortError | None]:
        """Let the service act, and trace it. Returns: its value, or its refusal.

        Args: `fault` is what comes between the service and the caller, who learns the outcome from it, if at all.
        """
        error: PortError | None = None
        try:
            value = outcome = call.apply(*call.args)
        except PortError as refusal:
            value, outcome, error = None, refusal.__class__.__name__, refusal
        self.trace.append((self._now, call.task.name, call.operation, call.resource, call.args, outcome, fault))
        if self.observe is not None and not fault:
            self.observe(call.task, _knowledge(call, value, error))
        return value, error

    def note(self, call: Call, outcome: str, fault: str) -> None:
        """Trace a step that applies nothing: a fault, or a reply of its own."""
        operation = f"{call.operation}/reply" if call.reply is not None else call.operation
        self.trace.append((self._now, call.task.name, operation, call.resource, call.args, outcome, fault))

    def _answer_later(self, reply: Reply, reply_ms: int) -> None:
        if self.latency is None:
            self.ready.append(reply)
        else:
            self.at(self._now + reply_ms, lambda: self.execute(reply), reply.name)

    def _inline(self, call: Call) -> Any:
        if len(self.trace) > INLINE_PER_STEP * self.max_steps:
            self.steps = self.max_steps  # an endless loop between two steps: the next one is one too many
            self.ready.append(call)
            return self.hub.switch()
        value, error = self._unreachable(call) if self._cut_off and self.is_cut_off(call) else self.apply(call)
        if error is not None:
            raise error
        return value


def _knowledge(call: Call, value: Any, error: BaseException | None) -> Hashable:
    """What a reply tells its caller."""
    outcome = value if error is None else (error.__class__.__name__, str(error))
    return call.operation, call.resource, outcome
