"""What can go wrong at the two points of a port call, and when.

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

A source of faults decides at each port call; `FaultBudget` makes every decision a recorded choice.

Choices: a late call that is still on its way when the last client has ended may arrive then, before the final read;
that is a decision too. A late call is not hit again: nobody waits for its answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from model.ports import CasLost, ConnectionLost, PortError, Status
from sim.kernel.schedule import FAULTS_BY_STATUS, ScheduleError
from sim.kernel.task import READ

if TYPE_CHECKING:
    from sim.kernel.kernel import Kernel
    from sim.kernel.task import Call

RETRY_AFTER_MS = 1000
NOT_APPLIED = "not applied"


class Faults:
    """A source of faults. This base injects none; subclasses override `at`."""

    def __init__(self, pause_ms: int = 0) -> None:
        self.pause_ms = pause_ms
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

    def key(self) -> object:
        """What the future of the run depends on: part of the state in exhaustive mode."""
        return tuple(self.injected)

    def inject(self, fault: str, call: Call, kernel: Kernel) -> tuple[Any, PortError | None] | None:
        """Let the fault happen to the call. Returns: what the caller is told now, (value, error); None: nothing."""
        self.injected.append((fault, call.task.name, call.operation))
        kernel.hit(f"fault {fault}")
        if fault in ("resend", "crash-after") or fault.endswith(("-after", "-after-retry")):
            kernel.apply(call, fault)
        else:
            kernel.note(call, NOT_APPLIED, fault)
        if fault in ("crash", "crash-after"):
            kernel.crash(call.task.process)
            return None
        if fault in ("pause", "resend"):
            kernel.ready.append(call)
            if fault == "pause":
                kernel.pause(call.task.process, self.pause_ms)
            return None
        if fault == "late":
            late = kernel.start(f"{call.task.name}-late", lambda: _apply_late(call, kernel), daemon=True)
            self._late.append(late.name)
            return None, ConnectionLost(f"{call.operation}({call.resource}): no answer")
        return _stale(call, kernel) if fault == "stale" else (None, _reply(fault, call))


def _apply_late(call: Call, kernel: Kernel) -> None:
    try:
        kernel.call(call.operation, call.resource, call.mode, call.apply, *call.args)
    except PortError:
        kernel.hit("late apply refused")  # nobody is left to hear the answer


def _stale(call: Call, kernel: Kernel) -> tuple[Any, PortError | None]:
    """The answer that the service would have given before its newest write."""
    stale = next((service.stale for service in kernel.versioned if call.apply in service.reads()), None)
    if stale is None or call.mode != READ:
        raise ScheduleError(
            f"fault stale at {call.name}({call.resource}): expected a read of a service with versions, got none"
        )
    try:
        return stale(call.operation, *call.args), None
    except PortError as refusal:
        return None, refusal


def _reply(fault: str, call: Call) -> PortError:
    where = f"{call.operation}({call.resource})"
    match = FAULTS_BY_STATUS.fullmatch(fault)
    if match is None:
        return ConnectionLost(f"{where}: connection closed")
    code = int(match[1])
    if code == 409:
        return CasLost(f"{where}: conflict reported")
    return Status(code, RETRY_AFTER_MS if match[3] or code == 429 else None)


class FaultBudget(Faults):
    """At most `limit` faults in a run, each a recorded choice: `kinds` names the faults allowed per operation.

    Args: `actors` restricts the faults to these processes (empty: all); `pause_ms` is the length of a pause.
    """

    def __init__(
        self, kinds: Mapping[str, Sequence[str]], limit: int, actors: Sequence[str] = (), pause_ms: int = 0
    ) -> None:
        super().__init__(pause_ms)
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
