"""The gate around the Hadoop catalog's file system: Iceberg's real `HadoopTableOperations`, over calls that can fail.

A load, a commit and a drop are the steps, as in memory; where a rename replaces what is there, a commit is two: a look
for the next number, and the rename. Within each the catalog's own calls go on unheld. Faults:

    load      drop-before               the look for a metadata file fails
    commit    drop-before, drop-after   the rename to the next number fails, undone or done
    a drop    drop-before, drop-after   the delete of the folder fails, undone or done
    hint      drop-before, drop-after   the hint at the version cannot be written, or nobody is told that it was

A call that fails throws `IOException`, as a name node's client does that is not answered. What is made of it is the
catalog's own.

Source: org.apache.iceberg.hadoop.HadoopTableOperations, HadoopCatalog, 1.11.0; org.apache.hadoop.fs.FileSystem.

A hint is a step of its own where old metadata files are deleted, which comes right behind it.

Choices: the class is found by everybody in the cache of `FileSystem.get`, where it is the local file system until
somebody makes it fail.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from py4j.protocol import Py4JJavaError

from real_backend.gating.gate import Gate
from real_backend.iceberg.java_creating import Tables
from real_backend.iceberg.ops_gate import GatedTableOperations, current_snapshot
from real_backend.iceberg.rest_gate import APPLIED, COMMIT, LOAD, NOT_APPLIED, REFUSED
from real_backend.jvm.jvm import Jvm
from sim.iceberg.checked_workload import PRUNES

FAILS = "lakeproof.fails"
HINT, HINTS = "hint", "lakeproof.hints"
LOOK, RENAMES = "look", "lakeproof.renames"
FAULTS = {LOAD: ("drop-before",), COMMIT: ("drop-before", "drop-after"), HINT: ("drop-before", "drop-after")}


def can_fault(operation: str, fault: str) -> bool:
    """Whether this gate can commit the fault."""
    return fault in FAULTS.get(operation, ())


def install(jvm: Jvm) -> None:
    """Put the local file system that can fail in the place of the JVM's."""
    hadoop, local = jvm.java.org.apache.hadoop, jvm.java.java.net.URI("file:///")
    hadoop.fs.FileSystem.get(local, hadoop.conf.Configuration()).close()  # one that is closed is cached no more
    with_it = hadoop.conf.Configuration()
    with_it.set("fs.file.impl", "lakeproof.FailingFileSystem")
    hadoop.fs.FileSystem.get(local, with_it)


class _Failing:
    """Makes one call of the file system fail."""

    def __init__(self, jvm: Jvm, call: str, fault: str | None) -> None:
        self._system = jvm.java.java.lang.System
        self._fails = None if fault is None else f"{call} {fault.removeprefix('drop-')}"

    def __enter__(self) -> None:
        if self._fails is not None:
            self._system.setProperty(FAILS, self._fails)

    def __exit__(self, *_: object) -> None:
        if self._fails is not None:
            self._system.clearProperty(FAILS)


class _Point:
    """Asked by the file system before it begins a call: what came before that is over by then."""

    class Java:
        """Read by py4j."""

        implements = ("java.util.function.Supplier",)

    def __init__(self, hold: Callable[[], str | None]) -> None:
        self._hold = hold
        self.fault: str | None = None

    def get(self) -> str | None:
        """The call's step. Returns: "before" or "after", where it is to fail."""
        self.fault = self._hold()
        return None if self.fault is None else self.fault.removeprefix("drop-")


class GatedFolderOperations(GatedTableOperations):
    """Held at `refresh` and `commit`; what fails is a call of the file system in them."""

    def refresh(self) -> Any:
        """The step `load`."""
        fault = self._gate().hold(self._actor, LOAD)
        with _Failing(self._jvm, "look", fault):
            metadata = self._real.refresh()
        self._note_loaded(metadata)
        return metadata

    def _note_loaded(self, metadata: Any) -> None:
        self._gate().note(self._actor, version=current_snapshot(metadata))

    def commit(self, base: Any, metadata: Any) -> None:
        """The step `commit`; none if nothing is changed, or if it is refused because the table is to be elsewhere.

        Where old metadata files go the step `hint` comes behind it, as the file system tells where one ends.
        """
        if _asks_nothing(base, metadata):
            self._real.commit(base, metadata)
            return
        fault = self._gate().hold(self._actor, COMMIT)
        snapshot = self._added(base, metadata)
        hints = metadata.propertyAsBoolean(PRUNES, False)

        def hint() -> str | None:
            self._applied(base, metadata, snapshot)
            return self._gate().hold(self._actor, HINT)

        if hints:
            self._properties.put(HINTS, _Point(hint))
        with _Failing(self._jvm, "rename", fault):
            self._carry_out(base, metadata, snapshot, HINTS, lambda: fault)
        if not hints:
            self._applied(base, metadata, snapshot)

    @property
    def _properties(self) -> Any:
        return self._jvm.java.java.lang.System.getProperties()

    def _carry_out(
        self, base: Any, metadata: Any, snapshot: str | None, point: str, fault: Callable[[], str | None]
    ) -> None:
        """Commit, and say what came of it if it fails. Args: `point`: what the file system is not to ask then."""
        try:
            self._real.commit(base, metadata)
        except Py4JJavaError:
            self._properties.remove(point)
            if fault() == "drop-after":
                self._applied(base, metadata, snapshot)
            else:
                self._gate().note(self._actor, REFUSED if fault() is None else NOT_APPLIED, snapshot)
            raise


def _asks_nothing(base: Any, metadata: Any) -> bool:
    return base is not None and (base.equals(metadata) or str(base.location()) != str(metadata.location()))


class ReplacingFolderOperations(GatedFolderOperations):
    """Held at `refresh`, and in `commit` before its look for the next number and before its rename."""

    def commit(self, base: Any, metadata: Any) -> None:
        """The steps `look` and `commit`; none where nothing is asked for."""
        if _asks_nothing(base, metadata):
            self._real.commit(base, metadata)
            return
        self._gate().hold(self._actor, LOOK)
        snapshot = self._added(base, metadata)
        renaming = _Point(lambda: self._gate().hold(self._actor, COMMIT))
        self._properties.put(RENAMES, renaming)
        self._carry_out(base, metadata, snapshot, RENAMES, lambda: renaming.fault)
        self._applied(base, metadata, snapshot)


class BegunInFolder(GatedFolderOperations):
    """Operations of a transaction whose begin is known: what it refreshes is not what it was begun on."""

    def _note_loaded(self, metadata: Any) -> None:
        """The begin has said it."""


class BegunInReplacingFolder(ReplacingFolderOperations):
    """The same where renames replace what is there."""

    def _note_loaded(self, metadata: Any) -> None:
        """The begin has said it."""


class TablesInFolders(Tables):
    """Creates and drops a table of a Hadoop catalog."""

    begun: type[GatedFolderOperations] = BegunInFolder

    def _gated(self, operations: Any) -> GatedTableOperations:
        race = self._race
        return self.begun(self._jvm, self._actor, operations, race.gate, race.snapshots, race.moved)

    def drop(self) -> None:
        """Delete the folder, if there is one. Raises: `Py4JJavaError`."""
        gate: Gate = self._race.gate()
        fault = gate.hold(self._actor, COMMIT)
        try:
            with _Failing(self._jvm, "delete", fault):
                found = self._catalog.dropTable(self._identifier, False)
        except Py4JJavaError:
            if fault == "drop-after":
                self._race.dropped()
            gate.note(self._actor, APPLIED if fault == "drop-after" else NOT_APPLIED)
            raise
        if found:
            self._race.dropped()
        gate.note(self._actor, APPLIED)


class TablesInReplacingFolders(TablesInFolders):
    """The same where renames replace what is there."""

    begun = BegunInReplacingFolder
