"""Python's end of the storage gate: what the JVM is about to do on the table's files becomes a point at the gate.

The Java side reports the operations that may be steps (`lakeproof.StorageGate`); `points.point_of` says which are, and
what they are called. The fault that a schedule gives a step is committed in Java:

    drop-before, drop-after   the operation fails with an IOException, not performed or performed
    crash, crash-after        the actor's process is dead: none of its operations has an effect any more
"""

from typing import NamedTuple

from real_backend.errors import Abandoned
from real_backend.gate import Gate
from real_backend.hudi.points import WATCHED, actor_of, point_of
from real_backend.session import Session

ACTOR = "lakeproof.actor"
_IN_JAVA = {"drop-before": "before", "drop-after": "after", "crash": "crash", "crash-after": "crash-after"}
_ABANDONED = "abandoned"


def can_fault(operation: str, fault: str) -> bool:
    """Whether the storage gate can commit the fault: these four, at every operation on a file."""
    return fault in _IN_JAVA


class Operation(NamedTuple):
    """One recorded storage operation. `outcome` is "ok", "no" (it returned false) or the exception's name."""

    at_ms: int
    actor: str
    helper: bool
    name: str
    path: str
    outcome: str
    size_bytes: int


class StorageGate:
    """The gate below one Spark session. `install` before a run, `uninstall` after it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._java = session.jvm.java.lakeproof.StorageGate
        self._listener: _Listener | None = None

    def install(self, gate: Gate, root: str) -> None:
        """Hold operations below the folder `root` as the gate says."""
        self._listener = _Listener(gate)
        self._java.install(root, " ".join(WATCHED), self._listener)

    def record(self) -> tuple[Operation, ...]:
        """Every operation of the run so far, reads included, in order."""
        return tuple(_parse(line) for line in str(self._java.record()).splitlines())

    def uninstall(self) -> None:
        """Hold nothing and record nothing any more."""
        self._java.uninstall()
        self._listener = None

    def act(self, actor: str) -> None:
        """Let the calling thread, and what it starts, act for `actor`."""
        self._java.act(self._session.context._jsc.sc(), actor)


def _parse(line: str) -> Operation:
    at_ms, actor, kind, name, path, outcome, size = line.split("\t")
    return Operation(int(at_ms), actor, kind == "helper", name, path, outcome, int(size))


class _Listener:
    """`lakeproof.StorageGate$Listener`. Java calls it on as many threads as actors act on."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    def before(self, actor: str, helper: bool, operation: str, path: str) -> str | None:
        point = point_of(operation, path)
        if point is None:
            return None
        try:
            fault = self._gate.hold(actor_of(actor, point.resource, helper), *point)
        except Abandoned:
            return _ABANDONED
        return None if fault is None else _IN_JAVA[fault]

    def after(self, actor: str, helper: bool, operation: str, path: str, outcome: str) -> None:
        point = point_of(operation, path)
        if point is not None and outcome != "ok":
            self._gate.note(actor_of(actor, point.resource, helper), outcome)

    class Java:
        implements = ("lakeproof.StorageGate$Listener",)
