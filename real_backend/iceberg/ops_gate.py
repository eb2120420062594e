"""`TableOperations` behind the gate: the real Java commit loop runs on it and stops at `refresh` and `commit`.

`refresh` is the step `load`, so that a lost race reads `w2.load w2.commit w2.load w2.commit w2.load`. The faults of a
commit are what a catalog can do to the commit loop above it:

    409-before, 409-after   CommitFailedException, nothing applied or applied
    5xx-before, 5xx-after   CommitStateUnknownException, nothing applied or applied

A status with Retry-After is handled below `TableOperations`, by the HTTP client, so it is no fault of this gate.

Source: org.apache.iceberg.TableOperations, SnapshotProducer, 1.11.0.

Choices: Java calls Python for what is gated, and for nothing else (`java/GatedOperations.java`). `moved` is told of
each commit that has moved main, before the next step; snapshot ids come from us, so that a lineage is a function of the
schedule; file names stay random.
"""

import re
from collections.abc import Callable
from typing import Any

from py4j.protocol import Py4JJavaError

from real_backend.gating.gate import Gate
from real_backend.iceberg.rest_gate import APPLIED, COMMIT, LOAD, NOT_APPLIED, REFUSED
from real_backend.jvm.jvm import Jvm

_FAULTS = re.compile(r"(409|500|502|503|504)-(before|after)")


def can_fault(operation: str, fault: str) -> bool:
    """Whether this gate can commit the fault."""
    return operation == COMMIT and _FAULTS.fullmatch(fault) is not None


class Snapshots:
    """The snapshot ids of one run: handed out in order, and who asked to commit which."""

    def __init__(self, first: int) -> None:
        self._next = first
        self.made: dict[int, str] = {}

    def take(self) -> int:
        """A new id."""
        self._next += 1
        return self._next

    def copy(self) -> "Snapshots":
        """The same, for a run of its own."""
        made = Snapshots(self._next)
        made.made.update(self.made)
        return made


class GatedTableOperations:
    """A py4j proxy around one writer's own operations, with what is gated of them; `in_java` has the others, too."""

    class Java:
        """Read by py4j."""

        implements = ("org.apache.iceberg.TableOperations",)

    def __init__(
        self, jvm: Jvm, actor: str, real: Any, gate: Callable[[], Gate], snapshots: Snapshots,
        moved: Callable[[Any], None] = lambda _: None,
    ) -> None:  # fmt: skip
        self._jvm = jvm
        self._actor = actor
        self._real = real
        self._gate = gate
        self._snapshots = snapshots
        self._moved = moved
        self.made: Callable[[Any], None] = lambda _: None
        """Told each version that was committed."""
        self.in_java = jvm.java.lakeproof.GatedOperations(self, real)
        """What Java is given: it asks Python for nothing but what is gated."""

    def refresh(self) -> Any:
        """The step `load`."""
        self._gate().hold(self._actor, LOAD)
        metadata = self._real.refresh()
        self._gate().note(self._actor, version=current_snapshot(metadata))
        return metadata

    def commit(self, base: Any, metadata: Any) -> None:
        """The step `commit`; none if nothing is changed, for the catalog is then not asked."""
        if base is not None and base.equals(metadata):
            self._real.commit(base, metadata)
            return
        fault = self._gate().hold(self._actor, COMMIT)
        snapshot = self._added(base, metadata)
        if fault is not None and fault.endswith("-before"):
            self._gate().note(self._actor, NOT_APPLIED, snapshot)
            raise injected(self._jvm, fault)
        try:
            self._real.commit(base, metadata)
        except Py4JJavaError:
            self._gate().note(self._actor, REFUSED, snapshot)
            if fault is not None:
                raise injected(self._jvm, fault) from None  # the fault is what the client is told, whatever was done
            raise  # py4j passes the Java exception on: the commit loop sees the class that was thrown
        self._applied(base, metadata, snapshot)
        if fault is not None:
            raise injected(self._jvm, fault)

    def _applied(self, base: Any, metadata: Any, snapshot: str | None) -> None:
        """Tell who has to know it that a commit was made."""
        if snapshot is not None:
            self._snapshots.made[int(snapshot)] = self._actor
        self.made(metadata)
        if base is None or current_snapshot(base) != current_snapshot(metadata):
            self._moved(metadata.currentSnapshot())
        self._gate().note(self._actor, APPLIED, snapshot)

    def _added(self, base: Any, metadata: Any) -> str | None:
        """The snapshot that a commit makes the table's: a new one, or one of the writer's own that was there before.

        A commit of properties or of a schema makes none, although the table has one.
        """
        snapshot = current_snapshot(metadata)
        if base is not None and current_snapshot(base) == snapshot:
            return None
        if snapshot is None or self._snapshots.made.get(int(snapshot)) == self._actor:
            return snapshot
        return None if base is not None and base.snapshot(int(snapshot)) is not None else snapshot

    def replacing(self, replacement: Any) -> None:
        """A transaction begins that replaces the table: a commit of it is one like any other."""

    def newSnapshotId(self) -> int:
        """The next id of the run."""
        return self._snapshots.take()


def injected(jvm: Jvm, fault: str) -> Py4JJavaError:
    """What a catalog throws into the commit loop in place of an answer."""
    java, exceptions = jvm.java.java.lang, jvm.iceberg.exceptions
    cause = java.RuntimeException(f"injected: {fault}")
    if fault.startswith("409"):
        made = exceptions.CommitFailedException(cause, "injected", jvm.gateway.new_array(java.Object, 0))
    else:
        made = exceptions.CommitStateUnknownException(cause)
    return Py4JJavaError("injected", made)


def current_snapshot(metadata: Any) -> str | None:
    """The id of main's snapshot; None if there is none."""
    snapshot = metadata.currentSnapshot()
    return None if snapshot is None else str(snapshot.snapshotId())
