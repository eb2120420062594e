"""What a table of the vectors has in its manifests, and what no snapshot of it has any more."""

from typing import Any

from real_backend.iceberg.java_files import iterate
from real_backend.jvm.jvm import Jvm

STATUS = ("existing", "added", "deleted")


class Leftovers:
    """The files that Iceberg has in memory."""

    def __init__(self, jvm: Jvm) -> None:
        self._jvm = jvm
        memory = jvm.java_class("org.apache.iceberg.inmemory.InMemoryFileIO").getDeclaredField("IN_MEMORY_FILES")
        memory.setAccessible(True)
        self._paths = memory.get(None).keySet()

    def of(self, table: Any) -> int:
        """How many manifests and manifest lists no snapshot has."""
        used = set()
        for snapshot in list(table.snapshots()):
            used.add(str(snapshot.manifestListLocation()))
            used |= {str(each.path()) for each in snapshot.allManifests(table.io())}
        return len([path for path in self._written_for(table) if path not in used])

    def written_for(self, table: Any) -> int:
        """How many manifests and manifest lists there are."""
        return len(self._written_for(table))

    def _written_for(self, table: Any) -> list[str]:
        there, folder = str(self._jvm.java.java.lang.String.join("\n", self._paths)).split("\n"), table.location()
        return [path for path in there if path.startswith(f"{folder}/metadata/") and path.endswith(".avro")]

    def manifests(self, table: Any) -> list[list[str]]:
        """What the manifests of the current snapshot say of their files."""
        manifests = table.currentSnapshot().allManifests(table.io())
        return sorted(sorted(self._entries(table, each)) for each in manifests)

    def _entries(self, table: Any, manifest: Any) -> list[str]:
        of_data = str(manifest.content()) == "DATA"
        known = self._jvm.iceberg.ManifestFiles
        reader = (known.read if of_data else known.readDeleteManifest)(manifest, table.io(), table.specs())
        try:
            return [f"{STATUS[int(one.status().id())]} {name_of(one.file())}" for one in iterate(reader.entries())]
        finally:
            reader.close()


def name_of(file: Any) -> str:
    """A file as vectors call it."""
    return str(file.location()).rsplit("/", 1)[-1]
