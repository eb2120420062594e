"""Where the files of a race of the Java API are, and the tables that it begins with: in memory or in a folder.

Choices: a race that deletes the files that it begins with has its own, where they are on a disk: in memory what was
there before is put back.
"""

from real_backend.gating.race import SETUP
from real_backend.iceberg.java_catalogs import Catalogs
from real_backend.iceberg.java_files import JavaFiles
from real_backend.iceberg.java_start import Starts
from real_backend.jvm.jvm import Jvm
from sim.iceberg.ages import ExpireOlder
from sim.iceberg.creating import purges
from sim.iceberg.managing import Expire
from sim.iceberg.workload import IcebergWorkload

Home = tuple[JavaFiles, Starts]
EXPIRES = (Expire, ExpireOlder)
"""What deletes files that a table begins with, beside purges."""


class Homes:
    """Those of races in one JVM. Args: `files`, `starts`: in memory; `namespace`: the tables'."""

    def __init__(self, jvm: Jvm, files: JavaFiles, starts: Starts, namespace: str) -> None:
        self._jvm, self._namespace = jvm, namespace
        self._in_memory: Home = files, starts
        self._on_disk: dict[str, Home] = {}

    def of(self, catalogs: Catalogs, workload: IcebergWorkload, number: int) -> Home:
        """The files of a race on these catalogs, and the tables that it begins with. Args: `number` is the race's."""
        if catalogs.home is None:
            return self._in_memory
        if any(purges(sent) or any(isinstance(one, EXPIRES) for one in sent) for _, sent in workload.writers):
            return self._made(catalogs, f"{catalogs.home}/purged{number}", f"purged{number}_")
        if catalogs.home not in self._on_disk:
            self._on_disk[catalogs.home] = self._made(catalogs, catalogs.home, "start")
        return self._on_disk[catalogs.home]

    def _made(self, catalogs: Catalogs, folder: str, name: str) -> Home:
        files = JavaFiles(self._jvm, folder)
        return files, Starts(self._jvm, files, catalogs.of(SETUP), self._namespace, name)
