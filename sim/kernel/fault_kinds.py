"""The kinds of faults, by name: whether the call is applied, and what its caller gets.

| name | applied | the caller gets |
| --- | --- | --- |
| `500-before`, `503-before-retry`, ... | no | that status (`-retry`: with a time to wait; 409: a lost race) |
| `500-after`, `503-after-retry`, `409-after`, ... | yes | the same, although the call was applied |
| `drop-before`, `drop-after` | no, yes | a closed connection |
| `late` | later, or never | a closed connection now |
| `resend` | twice | the answer to the second sending |
| `stale` | a read | the value before the newest |
| `crash`, `crash-after` | no, yes | nothing: its process dies, and restarts if the scenario says how |
| `pause` | after the pause | its answer, late: the whole process stands still meanwhile |
| `partition` | no | a closed connection; so does the whole process, at each call to the same services, for a while |
| `clock-step`, `clock-step-back` | afterwards | its answer; the clock of its process has jumped ahead, or back |
| `clock-fast`, `clock-slow` | afterwards | its answer; the clock of its process goes faster, or slower, from now on |
| `torn`, `torn-crash` | in part: its file is there, and empty | a closed connection; nothing: its process dies |
| `log-gap` | afterwards | its answer; the next event of the log that it reads has been deleted |
| `log-duplicate`, `log-reorder` | yes | its answer; its event has the id of the last one, or of the one before that |

Choices: a partition lets a process go on, which a pause does not; what it does alone (a sleep, a lock in its memory, a
database that is its own) is not cut off, and answers that are on their way arrive. Clocks that are apart from the start
are no fault but part of a scenario. A clock that is set back shows no time before the start of the run. A clock that
drifts is its host's: sleeps that begin from then on end by it, one that is under way does not, and services have clocks
of their own. Of a torn file nothing is stored but its name, as a file system shows a small file until it is closed;
only services that say so can tear one. What a log is, its service knows: ids are given twice, and become visible after
larger ones, where the sequence is read without a lock.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from model.ports import CasLost, ConnectionLost, PortError, Status
from sim.kernel.errors import ScheduleError
from sim.kernel.task import READ, Call

if TYPE_CHECKING:
    from sim.kernel.kernel import Kernel
    from sim.kernel.processes import Log

NOT_APPLIED = "not applied"
RETRY_AFTER_MS = 1000
LOST_RACE, TOO_MANY = 409, 429
CODES = (LOST_RACE, TOO_MANY, 500, 502, 503, 504)
Told = tuple[Any, PortError | None]


class Extent(NamedTuple):
    """How far faults go: how long a pause and a partition last, how far a clock jumps, by how much it drifts, what a
    partition cuts off.

    Args: `partitioned` are the operations whose services a process cannot reach during a partition.
    """

    pause_ms: int = 0
    partition_ms: int = 0
    clock_step_ms: int = 0
    partitioned: frozenset[str] = frozenset()
    clock_drift_percent: int = 0


NO_EXTENT = Extent()


class Source(Protocol):
    """What decides that a fault happens, as far as the kinds ask it."""

    @property
    def extent(self) -> Extent: ...
    def delay(self, call: Call, kernel: Kernel) -> None: ...


class Kind:
    """A way to strike a call: `name` is its name in schedules, `applied` says whether the service has acted by then."""

    __slots__ = ("applied", "name")

    def __init__(self, name: str, *, applied: bool = False) -> None:
        self.name = name
        self.applied = applied

    def happen(self, call: Call, kernel: Kernel, source: Source) -> Told | None:
        """Let it happen, with its line in the trace. Returns: as `strike`."""
        if self.applied:
            kernel.apply(call, self.name)
        else:
            kernel.note(call, NOT_APPLIED, self.name)
        return self.strike(call, kernel, source)

    def strike(self, call: Call, kernel: Kernel, source: Source) -> Told | None:
        """What it does besides. Returns: what the caller is told now, (value, error); None: nothing."""
        raise NotImplementedError


class Dropped(Kind):
    """The connection closes."""

    def strike(self, call: Call, kernel: Kernel, source: Source) -> Told | None:
        return None, ConnectionLost(f"{call.operation}({call.resource}): connection closed")


class Answered(Kind):
    """The answer is an error status: `code`, with a time to wait if `retry`."""

    __slots__ = ("code", "retry")

    def __init__(self, code: int, when: str, *, retry: bool) -> None:
        super().__init__(f"{code}-{when}{'-retry' if retry else ''}", applied=when == "after")
        self.code = code
        self.retry = retry

    def strike(self, call: Call, kernel: Kernel, source: Source) -> Told | None:
        if self.code == LOST_RACE:
            return None, CasLost(f"{call.operation}({call.resource}): conflict reported")
        return None, Status(self.code, RETRY_AFTER_MS if self.retry or self.code == TOO_MANY else None)


class Late(Kind):
    """The connection closes, and the call is still on its way."""

    def strike(self, call: Call, kernel: Kernel, source: Source) -> Told | None:
        source.delay(call, kernel)
        return None, ConnectionLost(f"{call.operation}({call.resource}): no answer")


class Resent(Kind):
    """The transport sends the call a second time."""

    def strike(self, call: Call, kernel: Kernel, source: Source) -> Told | None:
        kernel.ready.append(call)
        return None


class Stale(Kind):
    """The answer is the one that the service would have given before its newest write."""

    def strike(self, call: Call, kernel: Kernel, source: Source) -> Told | None:
        stale = next((service.stale for service in kernel.versioned if call.apply in service.reads()), None)
        if stale is None or call.mode != READ:
            raise ScheduleError(
                f"fault stale at {call.name}({call.resource}): expected a read of a service with versions, got none"
            )
        try:
            return stale(call.operation, *call.args), None
        except PortError as refusal:
            return None, refusal


class Death(Kind):
    """The process dies."""

    def strike(self, call: Call, kernel: Kernel, source: Source) -> Told | None:
        kernel.crash(call.task.process)
        return None


class Pause(Kind):
    """The process stands still, and the call goes on afterwards."""

    def strike(self, call: Call, kernel: Kernel, source: Source) -> Told | None:
        kernel.ready.append(call)
        kernel.pause(call.task.process, source.extent.pause_ms)
        return None


class Partition(Kind):
    """The process is cut off from its services, from this call on."""

    def strike(self, call: Call, kernel: Kernel, source: Source) -> Told | None:
        reach = source.extent
        kernel.cut_off(call.task.process, reach.partition_ms, reach.partitioned)
        return None, ConnectionLost(f"{call.operation}({call.resource}): no route")


class ClockStep(Kind):
    """The clock of the process jumps, `ahead` or back, and the call goes on afterwards."""

    __slots__ = ("ahead",)

    def __init__(self, name: str, *, ahead: bool) -> None:
        super().__init__(name)
        self.ahead = ahead

    def strike(self, call: Call, kernel: Kernel, source: Source) -> Told | None:
        step_ms = source.extent.clock_step_ms
        kernel.ready.append(call)
        kernel.set_clock(call.task.process, step_ms if self.ahead else -step_ms)
        return None


class ClockDrift(Kind):
    """The clock of the process goes `fast` or slow from now on, and the call goes on afterwards."""

    __slots__ = ("fast",)

    def __init__(self, name: str, *, fast: bool) -> None:
        super().__init__(name)
        self.fast = fast

    def strike(self, call: Call, kernel: Kernel, source: Source) -> Told | None:
        percent = source.extent.clock_drift_percent
        kernel.ready.append(call)
        kernel.let_drift(call.task.process, percent if self.fast else -percent)
        return None


class Torn(Kind):
    """A file is made or written over, and nothing is stored in it: the connection closes, or the process `dies`."""

    __slots__ = ("dies",)

    def __init__(self, name: str, *, dies: bool) -> None:
        super().__init__(name, applied=True)
        self.dies = dies

    def happen(self, call: Call, kernel: Kernel, source: Source) -> Told | None:
        if not any(call.apply in service.tears() for service in kernel.tearable):
            raise ScheduleError(
                f"fault {self.name} at {call.name}({call.resource}): expected a write of a file, got none"
            )
        path, *content = call.args
        torn = Call(call.task, call.operation, call.resource, call.mode, call.apply, (path, *[None] * len(content)))
        kernel.apply(torn, self.name)
        if self.dies:
            kernel.crash(call.task.process)
            return None
        return None, ConnectionLost(f"{call.operation}({call.resource}): connection closed")


class Gap(Kind):
    """The next event that the caller would read has been deleted, and the call goes on afterwards."""

    def strike(self, call: Call, kernel: Kernel, source: Source) -> Told | None:
        _log_of(self, call, kernel).lose_next(call.resource)
        kernel.ready.append(call)
        return None


class Unlocked(Kind):
    """The call draws the id of its event without a lock, and does not see the last `unseen` ids that were drawn."""

    __slots__ = ("unseen",)

    def __init__(self, name: str, unseen: int) -> None:
        super().__init__(name, applied=True)
        self.unseen = unseen

    def happen(self, call: Call, kernel: Kernel, source: Source) -> Told | None:
        with _log_of(self, call, kernel).unlocked(self.unseen):
            return kernel.apply(call, self.name)


def _log_of(kind: Kind, call: Call, kernel: Kernel) -> Log:
    if kernel.log is None:
        raise ScheduleError(f"fault {kind.name} at {call.name}({call.resource}): expected a run with a log, got none")
    return kernel.log


STATUSES: Mapping[str, Answered] = {
    kind.name: kind
    for code in CODES
    for when in ("before", "after")
    for kind in (Answered(code, when, retry=False), Answered(code, when, retry=True))
}
"""The kinds that are answers of a service over HTTP."""
OTHERS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Dropped("drop-before"), Dropped("drop-after", applied=True), Late("late"), Resent("resend", applied=True),
        Stale("stale"), Death("crash"), Death("crash-after", applied=True), Pause("pause"),
        Partition("partition"), ClockStep("clock-step", ahead=True), ClockStep("clock-step-back", ahead=False),
        ClockDrift("clock-fast", fast=True), ClockDrift("clock-slow", fast=False),
        Torn("torn", dies=False), Torn("torn-crash", dies=True),
        Gap("log-gap"), Unlocked("log-duplicate", 1), Unlocked("log-reorder", 2),
    )
}  # fmt: skip
KINDS: Mapping[str, Kind] = {**STATUSES, **OTHERS}
