"""What a table of the vectors has in its manifests, and what no snapshot of it has any more."""

import re
from collections.abc import Iterable
from typing import Any

from real_backend.iceberg.java_files import iterate
from real_backend.jvm.jvm import Jvm

MERGED = re.compile(r"merged-dvs-\d+-(\d+)\.puffin")
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

    def merged(self, table: Any) -> list[str]:
        """The files of deletion vectors that commits have merged, whether any snapshot has them or not."""
        return sorted(_named(path) for path in self._there(table, "data") if "/merged-dvs-" in path)

    def _written_for(self, table: Any) -> list[str]:
        return [path for path in self._there(table, "metadata") if path.endswith(".avro")]

    def _there(self, table: Any, folder: str) -> list[str]:
        there = str(self._jvm.java.java.lang.String.join("\n", self._paths)).split("\n")
        return [path for path in there if path.startswith(f"{table.location()}/{folder}/")]

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
    return _named(str(file.location()))


def counted(deletes: Iterable[Any]) -> dict[str, int]:
    """How many rows each of some delete files deletes, by its name; vectors that share a file have numbers."""
    of_files: dict[str, dict[object, int]] = {}
    for each in deletes:
        of_files.setdefault(name_of(each), {})[each.contentOffset()] = int(each.recordCount())
    return {
        f"{name}#{place}" if len(counts) > 1 else name: count
        for name, counts in of_files.items()
        for place, count in enumerate(counts.values())
    }


def _named(path: str) -> str:
    """Vectors say of what was merged that w1 has done it."""
    return MERGED.sub(r"merged-dvs-101-\1", path.rsplit("/", 1)[-1])
