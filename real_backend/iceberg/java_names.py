"""What the tables of a race are called, in which some get another name: `sim.iceberg.renaming`, live."""

from collections.abc import Iterator, Sequence
from typing import Any

from real_backend.iceberg.java_files import JavaFiles
from real_backend.iceberg.java_start import Starts
from sim.iceberg.creating import MOVED, TABLE, RenameTable
from sim.iceberg.renaming import puts

Writers = Sequence[tuple[str, Sequence[Any]]]


class Names:
    """The names in one run. Args: `identifier`: that of its table at the begin."""

    def __init__(self, starts: Starts, identifier: Any, writers: Writers) -> None:
        self._starts, self._identifier, self._writers = starts, identifier, writers

    def of(self, name: str) -> Any:
        """A table of the race, under a name of `sim.iceberg.creating`, as this run calls it."""
        return self._starts.identifier(f"{self._identifier.name()}{name.removeprefix(TABLE)}".replace("-", "_"))

    def make(self, files: JavaFiles, catalog: Any) -> None:
        """Make the tables that are to be put in the place of another one."""
        for one in puts(self._writers):
            made = catalog.createTable(self.of(one.aside), files.schema)
            made.newFastAppend().appendFile(files.data_file(made.io(), one.aside, one.rows)).commit()

    def all(self) -> Iterator[Any]:
        """Every name that a table of the run may have when it is over."""
        yield self._identifier
        yield from [self.of(one.aside) for one in puts(self._writers)]
        if any(isinstance(one, RenameTable) for _, statements in self._writers for one in statements):
            yield self.of(MOVED)
