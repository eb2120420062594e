"""Calls that are still on their way when their clients have been told that the connection is closed.

Each is a helper of the run's gate, named as in the simulator: `w1-late`, the next one of the same client `w1-late-2`.
It arrives at its metastore when the schedule says so, and nobody hears the answer; or it never does.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress

from real_backend.errors import Abandoned, BackendTimeout
from real_backend.gating.gate import Gate
from sim.kernel.schedule import Step

LATE = "late"


def late_names(steps: Iterable[Step]) -> tuple[str, ...]:
    """What the late calls of a schedule are called, in order."""
    seen: Counter[str] = Counter()
    return tuple([_next(seen, step.actor) for step in steps if step.fault == LATE])


def _next(seen: Counter[str], actor: str) -> str:
    seen[actor] += 1
    return f"{actor}-{LATE}" if seen[actor] == 1 else f"{actor}-{LATE}-{seen[actor]}"


class LateCalls:
    """The late calls of one run."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._seen: Counter[str] = Counter()

    def send(self, actor: str, operation: str, resource: str, deliver: Callable[[], str]) -> None:
        """Let a call be on its way; returns when it stands at the gate.

        Args: `deliver` passes it on, and says what came of it.
        """
        name = _next(self._seen, actor)
        given = (name, operation, resource, deliver)
        threading.Thread(target=self._arrive, args=given, name=f"lakeproof-{name}", daemon=True).start()
        self._gate.await_blocked(name)

    def _arrive(self, name: str, operation: str, resource: str, deliver: Callable[[], str]) -> None:
        with suppress(Abandoned, BackendTimeout, EOFError, OSError):
            self._gate.hold(name, operation, resource)
            self._gate.note(name, deliver())
            self._gate.finish(name)
