"""Python's end of the storage gate: what the JVM is about to do on the table's files becomes a step at the gate.

The Java side reports the operations that may be steps (`lakeproof.StorageGate`); `interposition.step_of` says which
are, and what they are called. The fault that a schedule gives a step is committed in Java:

    drop-before, drop-after   the operation fails with an IOException, not performed or performed
    crash, crash-after        the actor's process is dead: none of its operations has an effect any more
"""

import os
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from real_backend.errors import Abandoned
from real_backend.gating.gate import Gate, InterpositionPoint
from real_backend.hudi.interposition import Named, Namer, actor_of
from real_backend.hudi.second_process import Process
from sim.hudi.live import FAULTS, HEARTBEAT, LIST, WATCHED

_IN_JAVA = {"drop-before": "before", "drop-after": "after", "crash": "crash", "crash-after": "crash-after"}
_ABANDONED = "abandoned"
Looks = Callable[[str, str], None]
NOTHING = "no"
"""The outcome of a deletion that found no file, and of a try that got no lock."""


def can_fault(operation: str, fault: str, ungated: Collection[str] = ()) -> bool:
    """Whether the storage gate can commit the fault, at an operation that Java reports.

    Args: `ungated` names operations that Java does not report in this run.
    """
    return fault in FAULTS.get(operation, ()) and operation not in ungated


class Operation(NamedTuple):
    """One recorded storage operation. `outcome` is "ok", "no" (it returned false) or the exception's name."""

    at_ms: int
    actor: str
    name: str
    path: str
    outcome: str
    size_bytes: int


class StorageGate:
    """The gate below one Spark session. `install` before a run, `uninstall` after it."""

    def __init__(self, session: Process) -> None:
        self._session = session
        self._java = session.jvm.java.lakeproof.StorageGate
        self._listener: _Listener | None = None

    def install(self, gate: Gate, root: str, looks: Looks | None = None) -> None:
        """Hold operations below the folder `root` as the gate says.

        Args: `looks` is called before each listing, with who lists which folder (below `root`).
        """
        self._listener = _Listener(gate, Path(root), looks)
        self._java.install(root, " ".join(WATCHED if looks is None else (*WATCHED, LIST)), self._listener)

    def record(self) -> tuple[Operation, ...]:
        """Every operation of the run so far, reads included, in order."""
        return tuple(_parse(line) for line in str(self._java.record()).splitlines())

    def uninstall(self) -> None:
        """Hold nothing and record nothing any more."""
        self._java.uninstall()
        self._listener = None

    def forbid(self, root: str) -> None:
        """Fail every operation below a run's folder from now on. A timer whose client nobody closed, as Hudi leaves
        that of a metadata table whose write failed, ends with the beat that fails."""
        self._java.forbid(root)

    def is_passable(self, at: InterpositionPoint) -> bool:
        """Whether a step is on offer: an in-process lock is while nobody holds it."""
        return at.operation != "try_lock" or self._listener is None or self._listener.holder is None

    def enter(self, actor: str) -> None:
        """Count `actor` as the holder of the table's lock, where that lock itself is not gated."""
        if self._listener is not None:
            self._listener.holder = actor

    def leave(self, actor: str) -> None:
        """Count `actor` as its holder no more."""
        if self._listener is not None:
            self._listener.left(actor)

    def is_dead(self, actor: str) -> bool:
        """Whether the actor's process died in this run."""
        return self._listener is not None and actor in self._listener.dead

    def act(self, actor: str) -> None:
        """Let the calling thread, and what it starts, act for `actor`."""
        self._java.act(self._session.context._jsc.sc(), actor)


class Ungated:
    """In place of `StorageGate` where there is no gate: nothing is held, failed or recorded."""

    def install(self, gate: Gate, root: str, looks: Looks | None = None) -> None:
        """Nothing to put in place."""

    def record(self) -> tuple[Operation, ...]:
        """Nothing was recorded."""
        return ()

    def uninstall(self) -> None:
        """Nothing to take away."""

    def forbid(self, root: str) -> None:
        """Nothing failed, so nothing was left that beats."""

    def is_passable(self, at: InterpositionPoint) -> bool:
        """No actor is blocked."""
        return True

    def enter(self, actor: str) -> None:
        """Nobody asks who holds the lock."""

    def leave(self, actor: str) -> None:
        """As above."""

    def is_dead(self, actor: str) -> bool:
        """Nobody is made to die."""
        return False

    def act(self, actor: str) -> None:
        """Nobody asks who acts."""


def _parse(line: str) -> Operation:
    at_ms, actor, name, path, outcome, size = line.split("\t")
    return Operation(int(at_ms), actor, name, path, outcome, int(size))


def _holds_a_file(path: Path) -> bool:
    return path.is_file() or any(True for _ in files_below(path))


def files_below(folder: Path) -> Iterator[str]:
    """The names of all files below a folder. What vanishes meanwhile, or is not there at all, holds nothing."""
    for _, _, names in os.walk(folder):  # and not `rglob`, which raises then, before Python 3.13
        yield from names


class _Listener:
    """`lakeproof.StorageGate$Listener`. Java calls it on as many threads as actors act on."""

    def __init__(self, gate: Gate, root: Path, looks: Looks | None) -> None:
        self.dead: set[str] = set()
        self.holder: str | None = None
        self._gate = gate
        self._root = root
        self._looks = looks
        self._namer = Namer()
        self._deleted: set[str] = set()

    def before(self, actor: str, helper: bool, operation: str, path: str) -> str | None:
        step = self._namer.step(operation, path)
        if operation == "delete" and _holds_a_file(self._root / path.strip("/")):
            self._deleted.add(path)
        if step == Named("delete", HEARTBEAT):
            self.left(actor)  # its critical section is over; of a lock that is not gated nothing else says so
        try:
            if self._looks is not None and operation == LIST:
                self._looks(actor, path)
            if step is None:
                return None
            fault = self._gate.hold(actor_of(actor, step.resource, helper), *step)
        except Abandoned:
            return _ABANDONED
        if fault is not None and fault.startswith("crash"):
            self._died(actor)
        return None if fault is None else _IN_JAVA[fault]

    def after(self, actor: str, helper: bool, operation: str, path: str, outcome: str) -> None:
        step = self._namer.step(operation, path)
        if step is None:
            return
        if operation == "try_lock" and outcome == "ok" and actor not in self.dead:
            self.holder = actor
        elif operation == "unlock":
            self.holder = None
        if operation == "delete" and outcome == "ok" and not self._has_deleted(path):
            outcome = NOTHING
        self._gate.note(actor_of(actor, step.resource, helper), None if outcome == "ok" else outcome)

    def _has_deleted(self, path: str) -> bool:
        """Whether there was a file to delete, here or in a folder below that was deleted before this one."""
        return any(deleted == path or deleted.startswith(f"{path}/") for deleted in self._deleted)

    def _died(self, actor: str) -> None:
        self.dead.add(actor)
        self.left(actor)  # a lock in the memory of a process dies with it

    def left(self, actor: str) -> None:
        if self.holder == actor:
            self.holder = None

    class Java:
        implements = ("lakeproof.StorageGate$Listener",)
