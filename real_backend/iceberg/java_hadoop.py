"""Tables of the real Hadoop catalog, on the local file system: a folder each, and a catalog of each actor.

Steps are those of `TableOperations` and a drop, as in memory; what the catalog does in each goes on unheld, but can
fail (`folder_gate`).

Choices: the table of a race has copies of the metadata files of the one that was made, and shares its other files; what
the race writes is in its own folder, and goes with it. Data files are beside, as no rule looks at where they are. The
local file system's rename replaces what is there: nobody comes between the catalog's look for it and the rename, but
where the race is one on such a file system. The lock manager, which is the JVM's, is each actor's own there.
"""

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlparse

from model.iceberg.tables import REPLACING
from real_backend.gating.race import SETUP
from real_backend.iceberg import folder_gate
from real_backend.iceberg.folder_gate import (
    HINT,
    LOOK,
    GatedFolderOperations,
    ReplacingFolderOperations,
    TablesInFolders,
    TablesInReplacingFolders,
)
from real_backend.iceberg.java_catalogs import InMemory
from real_backend.iceberg.java_creating import OfRace, Tables
from real_backend.iceberg.java_files import JavaFiles
from real_backend.iceberg.java_start import Start
from real_backend.jvm.jvm import Jvm

METADATA = "metadata"


class OnHadoop(InMemory):
    """A Hadoop catalog of each actor, on one warehouse."""

    yield_points = (*InMemory.yield_points, HINT)
    _folder = "warehouse"
    _gated: type[GatedFolderOperations] = GatedFolderOperations
    _tables: type[TablesInFolders] = TablesInFolders
    _properties: Mapping[str, str] = MappingProxyType({})

    def __init__(self, jvm: Jvm) -> None:
        self._warehouse = jvm.folder / self._folder
        self.home = f"file:{self._warehouse}/data"
        self._jvm = jvm
        folder_gate.install(jvm)
        self._made: dict[str, Any] = {}

    def of(self, actor: str) -> Any:
        """The actor's own."""
        if actor not in self._made:
            self._made[actor] = catalog = self._jvm.iceberg.hadoop.HadoopCatalog()
            catalog.setConf(self._jvm.java.org.apache.hadoop.conf.Configuration())
            catalog.initialize(
                "hadoop", self._jvm.java_map({"warehouse": f"file:{self._warehouse}", **self._properties})
            )
        return self._made[actor]

    def can_fault(self, operation: str, fault: str) -> bool:
        """A call of the file system that fails."""
        return folder_gate.can_fault(operation, fault)

    def operations(self, actor: str, identifier: Any, real: Any, race: OfRace) -> GatedFolderOperations:
        """Held as in memory."""
        return self._gated(self._jvm, actor, real, race.gate, race.snapshots, race.moved)

    def tables(self, files: JavaFiles, identifier: Any, actor: str, name: str, race: OfRace) -> Tables:
        """Held as in memory."""
        return self._tables(self._jvm, files, self.of(actor), identifier, actor, name, race)

    def put(self, identifier: Any, start: Start) -> None:
        """Copy the metadata files of a table that was made."""
        made = Path(urlparse(start.metadata).path).parent
        namespace, name = str(identifier.namespace().toString()), str(identifier.name())
        folder = self._warehouse / namespace / name / METADATA
        folder.mkdir(parents=True)
        for file in (*made.glob("*.metadata.json"), made / "version-hint.text"):
            shutil.copy(file, folder / file.name)


class OnReplacingHadoop(OnHadoop):
    """The same, where a commit is a look and a rename that replaces what is there."""

    yield_points = (*InMemory.yield_points, LOOK)

    def operations(self, actor: str, identifier: Any, real: Any, race: OfRace) -> GatedFolderOperations:
        """Held as above, but twice in a commit."""
        return super().operations(actor, identifier, real, self._as_read(identifier, race))

    def tables(self, files: JavaFiles, identifier: Any, actor: str, name: str, race: OfRace) -> Tables:
        """The same."""
        return super().tables(files, identifier, actor, name, self._as_read(identifier, race))

    def _as_read(self, identifier: Any, race: OfRace) -> OfRace:
        """The race, to which a commit moves main only if a reader sees it: behind it there may be a later version."""

        def moved(snapshot: Any) -> None:
            seen = self.of(SETUP).loadTable(identifier).currentSnapshot()
            if seen is not None and snapshot is not None and seen.snapshotId() == snapshot.snapshotId():
                race.moved(snapshot)

        return replace(race, moved=moved)

    _folder = "replacing-warehouse"
    _gated = ReplacingFolderOperations
    _tables = TablesInReplacingFolders
    _properties = MappingProxyType({"lock-impl": "lakeproof.OwnLocks"})


HADOOP: Mapping[str, type[OnHadoop]] = {"hadoop": OnHadoop, REPLACING: OnReplacingHadoop}
"""By the kind of catalog that a race names."""
