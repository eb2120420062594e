"""The Hadoop catalog: a table is a folder, its metadata files are numbered, and the next number is taken by a rename.

A client that knows a version looks for the next ones and reads none anew that it knows: the same number in another
table of that name is the same to it, and the uuid is compared only when a newer one is read. To drop a table is to
delete its folder. A commit asks whether the next number is taken, and not whether the one before is there: it makes
the folder anew, if need be.

Who knows no version begins at the one that a file hints at. It is written after the rename, by whoever has made it, and
nobody asks what it says by then: where it is late it goes back. That matters where old metadata files are deleted
(`write.metadata.delete-after-commit.enabled`), as each commit does last of all: a hint at one of them leaves the table
unreadable, and a number that is free again is taken by who still wants it, though others are long past it.

HDFS refuses to rename to a name that is taken. A local disk replaces what is there, and so do object stores: there the
commit is a look and a rename, and whoever comes between them is written over. Who has committed has not seen what is
there since: it reads that number anew when it looks for newer ones.

Source: iceberg/3.2; `core/hadoop/HadoopTableOperations.java` (`refresh`, `findVersion`, `updateVersionAndMetadata`,
`commit`, `renameToFinal`, `writeVersionHint`), `core/hadoop/HadoopCatalog.java` (`dropTable`),
`core/CatalogUtil.java` (`deleteRemovedMetadataFiles`) of 1.11.0.

Choices: those of the port, whose calls are one step each; where renames refuse, the look before is left out, as it
decides nothing; where no metadata files are deleted, a rename and its hint are one, too. An error of the hint is logged
upstream, and no more; a metadata file that cannot be deleted stays. The log of old files goes back to the first one.
The lock manager, which is of one JVM, is left out, as every actor is a process. An error of the file system in a rename
is a lost race, whatever was done (`CommitFailedException`).
"""

from contextlib import suppress

from model.iceberg import coverage
from model.iceberg.catalog import Making
from model.iceberg.errors import (
    CommitFailed,
    InvalidOperation,
    NoSuchTable,
    StorageFailed,
    ValidationFailed,
    VersionMissing,
)
from model.iceberg.existence import DROPPED, refuse_another_table
from model.iceberg.meanings import Commits, HintsAt, LooksForVersion, LostRace, Prunes, Sees
from model.iceberg.metadata import TableMetadata
from model.ports import CasLost, NotFound, NumberedVersion, PortError, Refused, World


class HadoopOperations(Making[NumberedVersion]):
    """`TableOperations` over `world.folders`; `loaded`: what the client knows from the start."""

    __slots__ = ("_wrote",)

    def __init__(self, world: World, name: str, loaded: NumberedVersion | None = None) -> None:
        super().__init__(world, name, loaded)
        self._wrote = False

    def refresh(self) -> TableMetadata:
        """Look for newer versions. Raises: `NoSuchTable` if none was ever known; `ValidationFailed` if the known one is
        gone ("Metadata file for version %d is missing"), `VersionMissing` if the hinted one is (the same words)."""
        known = None if self._seen is None else self._seen.number
        try:
            found = self._world.folders.load(self._name, known)
        except NotFound as error:
            if known is None:
                raise NoSuchTable(f"load {self._name}: expected a table, there is none") from None
            self._world.coverage.hit(coverage.VERSION_GONE)
            raise ValidationFailed(f"load {self._name}: {error}") from None
        except Refused as error:
            self._world.coverage.hit(coverage.HINT_ASTRAY)
            raise VersionMissing(f"load {self._name}: {error}") from None
        except PortError as error:
            raise StorageFailed(f"load {self._name}: expected its metadata, got {error}") from error
        if self._seen is None or found.number != self._seen.number or self._wrote:
            if self._seen is not None:
                refuse_another_table(self._world, self._seen.value, found.value)
            self._seen, self._wrote = found, False
        self._world.notes.learn(Sees(self._seen.value))
        metadata: TableMetadata = self._seen.value
        return metadata

    def commit(self, updated: TableMetadata, replaces: TableMetadata | None = None) -> None:
        """Take the next number; nothing is asked for if nothing is changed.

        Raises: `InvalidOperation` if the table is to be elsewhere ("cannot be relocated"), before anything is asked.
        """
        if updated.location != self.current.location:
            raise InvalidOperation(f"commit {self._name}: expected the location that it has, got {updated.location}")
        if updated is not self.seen.value or replaces is not None:
            self._take(self.seen.number + 1, self.seen.value, updated)

    def create(self, begun: TableMetadata, updated: TableMetadata) -> None:
        """Take the first number. Raises: `CommitFailed` if it is taken: nobody is told that the table exists."""
        self._take(1, begun, updated)

    def _take(self, number: int, base: TableMetadata, updated: TableMetadata) -> None:
        prunes = updated.properties.delete_after_commit
        try:
            made = self._look_for(number)
            self._world.notes.intend(Commits(base, updated, True))
            version = self._world.folders.commit(self._name, number, updated, hints=not prunes, made=made)
        except CasLost as error:
            self._world.notes.learn(LostRace())
            self._world.coverage.hit(coverage.NUMBER_TAKEN)
            raise CommitFailed(f"commit {self._name}: {error}") from None
        except PortError as error:
            raise CommitFailed(f"commit {self._name}: expected to rename, got {error}") from error
        self._seen, self._wrote = NumberedVersion(number, updated, version), True
        if prunes:
            self._hint_at(number)
            self._prune(number - 1 - max(1, updated.properties.previous_versions_max))

    def _look_for(self, number: int) -> int | None:
        """Write what is to be renamed, and ask whether the number is taken: that decides where renames replace files.

        Returns: which folder it is in; None where the rename decides.
        """
        if not self._world.folders.replaces:
            return None
        self._world.notes.intend(LooksForVersion(number))
        return self._world.folders.look(self._name, number)

    def _hint_at(self, number: int) -> None:
        """Source: `writeVersionHint`."""
        self._world.notes.intend(HintsAt(number))
        try:
            self._world.folders.hint(self._name, number)
        except PortError:
            self._world.coverage.hit(coverage.HINT_LOST)

    def _prune(self, number: int) -> None:
        """Delete the metadata file that has just left the log of old ones. Source: `deleteRemovedMetadataFiles`."""
        if number > 0:
            self._world.notes.intend(Prunes(number))
            self._world.coverage.hit(coverage.PRUNED)
            with suppress(PortError):
                self._world.folders.prune(self._name, number)

    def drop(self, by: int) -> bool:
        """Delete the folder."""
        self._world.notes.intend(Commits(DROPPED, DROPPED, fenced=False))
        try:
            return self._world.folders.drop(self._name, by)
        except PortError as error:
            raise StorageFailed(f"drop {self._name}: expected its folder to go, got {error}") from error
