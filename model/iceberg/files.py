"""The table's files as metadata knows them: data files, files of position and equality deletes, manifests, entries.

A manifest is an immutable list of entries; a manifest list is an immutable list of manifests and is written anew by
every attempt, because it carries the attempt's sequence number. What an ADDED entry leaves open is inherited from the
manifest list, so a manifest written once serves every retry.

Source: iceberg/1.2 and iceberg/1.3; `core/ManifestEntry.java`, `core/InheritableMetadataFactory.java`,
`core/V2Metadata.java` (`ManifestFileWrapper`).

Choices: one unevolved schema `(id int, v string)`; bounds of `id` are the only column metrics; a file has at most one
partition value; the data sequence number is the only one kept of a delete file, and an ADDED entry that has one is of a
compaction that pins it; equality deletes are of ids, and of one partition (its partitions are ranges or buckets of ids,
or values of a column that is nowhere else), or global, if their spec has no partitions; no lengths, no row counts per
manifest; the columns of row lineage stand beside a data file's metrics, not in its body. Named tuples, because
thousands are made per simulated second.
"""

from typing import Any, NamedTuple

from model.iceberg.buckets import Bucket

EXISTING, ADDED, DELETED = 0, 1, 2
DATA, DELETES = "data", "deletes"
LEAST, MOST = -(1 << 31), (1 << 31) - 1
"""The bounds of an id of which nothing is known."""

Row = tuple[int, str]
Rows = tuple[Row, ...]
Position = tuple[str, int]
Numbers = tuple[int | None, int | None]
Lineage = tuple[int | None, int | None]
"""Of a row: its id, and the sequence number of the commit that was the last to change it; None: as its file has it."""


def told(value: Any, *last: str, empty: tuple[object, ...] = ()) -> str:
    """A named tuple as it tells itself, without its last fields where they are empty: most tables have neither times
    nor row ids, and one partition spec."""
    nothing = (None, 0, (), "", *empty)
    shown = [name for name in value._fields if name not in last or getattr(value, name) not in nothing]
    words = [f"{name}={getattr(value, name)!r}" for name in shown]
    return f"{type(value).__name__}({', '.join(words)})"


class IdRange(NamedTuple):
    """The partition of the ids from `low` to `high` by a spec `truncate[width](id)`.

    From `LEAST` to `MOST`, it is that of all rows by a spec without partitions, which is not the table's first one.
    Partitions of two specs are never the same.

    Source: specification of the table format, partition transforms; `api/.../transforms/Truncate.java`;
    `core/util/PartitionSet.java`.
    """

    low: int
    high: int
    spec_id: int = 0

    def __repr__(self) -> str:
        return told(self, "spec_id")

    @classmethod
    def of(cls, row_id: int, width: int, spec_id: int = 0) -> "IdRange":
        """The partition of an id. Args: `width`: how many ids one has, from 1."""
        low = row_id - row_id % width
        return cls(low, low + width - 1, spec_id)

    def may_have(self, low: int, high: int) -> bool:
        """Whether rows of these ids may be in it. Source: `Truncate.project`."""
        return self.low <= high and low <= self.high

    def is_within(self, low: int, high: int) -> bool:
        """Whether it is known to have no other rows than of these ids: of a single id that is never known.

        Source: `ProjectionUtil.truncateIntegerStrict`, which has no answer for `=`.
        """
        return low < high and low <= self.low and self.high <= high


OfIds = IdRange | Bucket
Partition = str | OfIds | None
"""The value of a column that the model has not, a range or a bucket of ids, or none: the table's first spec has no
partitions."""

Bounds = tuple[Partition, Partition]
"""The least and the greatest partition of some files of one spec."""


def is_whole(partition: Partition) -> bool:
    """Whether it is that of all rows: its spec has no partitions. Source: `PartitionSpec.isUnpartitioned`."""
    return partition is None or (isinstance(partition, IdRange) and partition.low == LEAST and partition.high == MOST)


def spec_id_of(partition: Partition) -> int:
    """The spec that a file of this partition was written by."""
    return partition.spec_id if isinstance(partition, OfIds) else 0


class DataFile(NamedTuple):
    """Rows in one file. Body in the store: a tuple of `(id, value)`. `lower` and `upper` bound `id`.

    `manifest`: where a scan has met it ("": it was not scanned); `first_row_id`: of its first row, as it was read, or
    as a later manifest has it than the one that added it (None: it has none yet); `lineage`: its columns `_row_id` and
    `_last_updated_sequence_number`, if it has these; `added_at`: its own sequence number, where its data's is another
    one, which a compaction has pinned (None: it is the same).
    """

    path: str
    record_count: int
    lower: int
    upper: int
    partition: Partition = None
    manifest: str = ""
    first_row_id: int | None = None
    lineage: tuple[Lineage, ...] = ()
    added_at: int | None = None

    def __repr__(self) -> str:
        return told(self, "manifest", "first_row_id", "lineage", "added_at")

    def as_scanned(self) -> "DataFile":
        """This file as a scan hands it out, without metrics: any row may be in it, as far as its bounds say.

        Source: `core/BaseScan.java`, `shouldReturnColumnStats`; `ContentFile.copyWithoutStats`.
        """
        return self._replace(lower=LEAST, upper=MOST)


class DeleteFile(NamedTuple):
    """Position deletes in one file. Body in the store: a tuple of `(data file path, position)`.

    `lower` and `upper` bound the data file paths; equal bounds make the file one of a single data file. `is_vector`: it
    is a deletion vector, of format 3, of which a data file has at most one. Vectors may share a file (`container`).
    """

    path: str
    record_count: int
    lower: str
    upper: str
    partition: Partition = None
    is_vector: bool = False

    @property
    def referenced_data_file(self) -> str | None:
        """The one data file that this file deletes from, or None if it may be several."""
        return self.lower if self.lower == self.upper else None

    def may_apply_to(self, file: DataFile) -> bool:
        """Whether the delete index would hand this file to a reader of `file`, sequence numbers aside.

        Source: iceberg/1.3; `core/DeleteFileIndex.java`: by path if the file is of one data file, else by
        partition alone.
        """
        if self.lower == self.upper:
            return self.lower == file.path
        return self.partition == file.partition

    def is_of(self, number: int, data_number: int) -> bool:
        """Whether it deletes from files of that data sequence number, its own being `number`. Source: iceberg/1.3."""
        return number >= data_number


class EqualityDeleteFile(NamedTuple):
    """Equality deletes in one file. Body in the store: a tuple of ids. `lower` and `upper` bound them.

    It deletes all rows with these ids from data files that were there before it, whatever they are.
    Source: `core/DeleteFileIndex.java`, `EqualityDeletes`; format 3 has them, too.
    """

    path: str
    record_count: int
    lower: int
    upper: int
    partition: Partition = None

    @property
    def is_vector(self) -> bool:
        """It is none."""
        return False

    @property
    def referenced_data_file(self) -> str | None:
        """None: it may be of any data file."""
        return None

    def may_apply_to(self, file: DataFile) -> bool:
        """Whether the delete index would hand this file to a reader of `file`, sequence numbers aside.

        Source: `DeleteFileIndex.canContainEqDeletesForFile`: by the bounds of the columns that are compared;
        `DeleteFileIndex.Builder.add`: of a spec without partitions, they are of files of every spec.
        """
        if not is_whole(self.partition) and self.partition != file.partition:
            return False
        return self.lower <= file.upper and file.lower <= self.upper

    def is_of(self, number: int, data_number: int) -> bool:
        """Whether it deletes from files of that data sequence number, its own being `number`: from older ones alone.

        Source: `DeleteFileIndex.EqualityDeleteFile.applySequenceNumber`.
        """
        return number > data_number


AnyDeletes = DeleteFile | EqualityDeleteFile


def container(path: str) -> str:
    """The file in the store that something is in: for `data/f1-deletes#0`, the first of several deletion vectors in one
    Puffin file, `data/f1-deletes`; for everything else its own.

    Source: `DeleteFile.location`, `DeleteFile.contentOffset`, which tell vectors of one file apart (`DeleteFileSet`).
    """
    return path.partition("#")[0]


class ManifestEntry(NamedTuple):
    """One file in one manifest. `sequence_number` None, `snapshot_id` 0: to be inherited from the list (if ADDED)."""

    status: int
    snapshot_id: int
    sequence_number: int | None
    file: DataFile | AnyDeletes

    def numbered(self, number: int | None, snapshot_id: int) -> "ManifestEntry":
        """This entry as a reader of a manifest of that sequence number, added by that snapshot, takes it.

        Source: `core/InheritableMetadataFactory.java`: the sequence numbers of the data, and of the file.
        """
        if self.sequence_number is None:
            return self._replace(sequence_number=number, snapshot_id=self.snapshot_id or snapshot_id)
        if self.status != ADDED or not isinstance(self.file, DataFile):
            return self
        return self._replace(file=self.file._replace(added_at=number))

    @property
    def location(self) -> str:
        """The file in the store that it is in, or is."""
        return container(self.file.path)


class ManifestFile(NamedTuple):
    """One row of a manifest list. Sequence numbers and the first row id are None between writing the manifest and
    writing the list; `live_rows`: those of its files that are not deleted; `bounds`: of its files' partitions."""

    path: str
    content: str
    sequence_number: int | None
    min_sequence_number: int | None
    added_snapshot_id: int
    added_files: int
    existing_files: int
    deleted_files: int
    spec_id: int = 0
    first_row_id: int | None = None
    live_rows: int = 0
    bounds: Bounds | None = None

    def __repr__(self) -> str:
        return told(self._replace(live_rows=0, bounds=None), "spec_id", "first_row_id", "live_rows", "bounds")

    @property
    def has_live_files(self) -> bool:
        """Whether any entry is not DELETED."""
        return bool(self.added_files or self.existing_files)

    @property
    def numbers(self) -> Numbers:
        """What lists have given it, which is not the same in each attempt: its sequence number and first row id."""
        return self.sequence_number, self.first_row_id

    def assigned(self, sequence_number: int) -> "ManifestFile":
        """This manifest as a list of `sequence_number` records it: what is open becomes the commit's number.

        Source: iceberg/1.2; `core/V2Metadata.java`.
        """
        if self.sequence_number is not None:
            return self
        low = self.min_sequence_number
        return self._replace(
            sequence_number=sequence_number, min_sequence_number=sequence_number if low is None else low
        )


def data_file(path: str, rows: Rows, partition: Partition = None) -> DataFile:
    """Metadata of a data file with `rows` (at least one)."""
    ids = [row[0] for row in rows]
    return DataFile(path, len(rows), min(ids), max(ids), partition)


def delete_file(
    path: str, positions: tuple[Position, ...], partition: Partition = None, is_vector: bool = False
) -> DeleteFile:
    """Metadata of a delete file with `positions` (at least one); those of a deletion vector are of one data file."""
    paths = [position[0] for position in positions]
    return DeleteFile(path, len(positions), min(paths), max(paths), partition, is_vector)


def equality_delete_file(path: str, ids: tuple[int, ...], partition: Partition = None) -> EqualityDeleteFile:
    """Metadata of an equality delete file with `ids` (at least one)."""
    return EqualityDeleteFile(path, len(ids), min(ids), max(ids), partition)
