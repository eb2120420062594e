"""Deletion vectors of the vectors that are written: those that a commit merges, which it reads."""

from typing import Any

from model.iceberg.files import DeleteFile
from real_backend.iceberg.java_files import NoOlder
from real_backend.jvm.jvm import Jvm
from tests.unit.iceberg.vector_files import deleted, deletes

FOLDER = "memory:/written"


class _Output:
    """The file that is written to."""

    class Java:
        """What py4j makes of it."""

        implements = ("java.util.function.Supplier",)

    def __init__(self, file: Any) -> None:
        self._file = file

    def get(self) -> Any:
        """That file."""
        return self._file


def is_vector(name: str) -> bool:
    """Whether a delete file of that name is one."""
    file = deletes(name)
    return isinstance(file, DeleteFile) and file.is_vector


class Vectors:
    """Writes them to Iceberg's memory, each operation's to a folder of its own."""

    def __init__(self, jvm: Jvm, spec: Any) -> None:
        self._iceberg, self._spec = jvm.iceberg, spec
        self._io = jvm.iceberg.inmemory.InMemoryFileIO()
        self._operations = 0

    def of(self, names: list[str], said: Any) -> dict[str, Any]:
        """Those of an operation that are read. Args: `said`: by its name, what a vector is said to be."""
        of_files = [deletes(name).lower for name in names if is_vector(name)]
        self._operations += 1
        if len(of_files) == len(set(of_files)):
            return {}
        return {name: self._written(name, said(name)) for name in dict.fromkeys(names) if is_vector(name)}

    def _written(self, name: str, said: Any) -> Any:
        output = self._io.newOutputFile(f"{FOLDER}/{self._operations}/{name}")
        writer = self._iceberg.deletes.BaseDVFileWriter(_Output(output), NoOlder())
        for path, at in deleted(name):
            writer.delete(f"memory:/{path}", at, self._spec, said.partition())
        writer.close()
        return writer.result().deleteFiles().get(0)
