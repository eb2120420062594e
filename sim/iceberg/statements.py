"""The statements of writers on one Iceberg table, as data.

Values are unique per row, so that a value read back names the statement that wrote it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from model.iceberg.partitioning import Field
from model.iceberg.plans import Level
from sim.iceberg.by_hand import ByHand
from sim.iceberg.columns import OfColumns
from sim.iceberg.equality import ByEquality
from sim.iceberg.incremental import OfPast
from sim.iceberg.layout import DropColumn, MoveTo, OfStatistics, SortBy, UnsetProperty
from sim.iceberg.managing import ManageSnapshots, Managing
from sim.iceberg.manifests import OfManifests
from sim.iceberg.python_statements import PythonAlone
from sim.iceberg.sql_statements import Sql

Rows = tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Append:
    """Java API `newFastAppend` of one file with `rows`, on a table loaded before the race; `merge`: `newAppend`."""

    rows: Rows
    merge: bool = False


@dataclass(frozen=True, slots=True)
class Overwrite:
    """Java API `newOverwrite` to `rows`: by row filter `true`, or by deleting every file live at the start.

    `validate` sets the starting snapshot, the conflict filter `true` and both validateNoConflicting flags, or that of
    deletes alone (`only_deletes`).
    """

    rows: Rows
    validate: bool = False
    by: Literal["filter", "file"] = "filter"
    only_deletes: bool = False

    @property
    def level(self) -> Level:
        """The isolation level whose flags it sets."""
        return "none" if not self.validate else "snapshot" if self.only_deletes else "serializable"


@dataclass(frozen=True, slots=True)
class ReplacePartitions:
    """Java API `newReplacePartitions` by files with `rows`, one a partition: all else that these have goes.

    In a table without partitions it is all that the table has. It sets the starting snapshot and
    validateNoConflictingDeletes, and at "serializable" validateNoConflictingData, as Spark's dynamic INSERT OVERWRITE
    does; at "none" nothing, which is Spark's default.
    """

    rows: Rows
    level: Level = "none"


@dataclass(frozen=True, slots=True)
class Replace:
    """Java API `newOverwrite` of the data files that may hold row `id`, by name, by one file with `rows`, if any.

    It sets the starting snapshot and validateNoConflictingDeletes, as a copy-on-write UPDATE under `snapshot` does; at
    another `level` none, or validateNoConflictingData for that row, too.
    """

    id: int
    rows: Rows
    level: Level = "snapshot"

    @property
    def effects(self) -> tuple[tuple[int, str | None], ...]:
        """Its rows, and row `id`, which goes if it is not among them."""
        gone = () if any(key == self.id for key, _ in self.rows) else ((self.id, None),)
        return (*self.rows, *gone)


@dataclass(frozen=True, slots=True)
class DeleteRow:
    """Java API `newRowDelta` of one position delete, of row `id`, and of one for each of `also`.

    It sets the starting snapshot and validateDataFilesExist, as a merge-on-read DELETE under `snapshot` does; at
    another `level` none, or validateNoConflictingDataFiles for these rows, too. One task writes: in format 3 all
    deletion vectors are in one file. `apart`: each row has a task of its own, and in format 3 a vector.
    """

    id: int
    level: Level = "snapshot"
    also: tuple[int, ...] = ()
    apart: bool = False

    @property
    def ids(self) -> tuple[int, ...]:
        """All rows that it is for."""
        return (self.id, *self.also)


@dataclass(frozen=True, slots=True)
class RemoveFile:
    """Java API `newDelete` of the data files that may hold row `id`, by name; at a `level` they must exist."""

    id: int
    level: Level = "none"


@dataclass(frozen=True, slots=True)
class RemoveWhere:
    """Java API `newDelete` by the row filters `id = n` of these `ids`, one after the other.

    Data files go of which every row matches one of them, whichever are there when the commit is tried; a file of which
    only some rows match refuses it.
    """

    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Compact:
    """Java API `newRewrite` of all data files by one with the same rows.

    Its sequence number is its `own`, or that of the `starting` snapshot (`use-starting-sequence-number`, which Spark
    sets), so that equality deletes that are committed meanwhile are of the new file, too.
    """

    number: Literal["own", "starting"] = "own"


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """Java API `newOverwrite` of the data files of row `id` by one of their rows, with another value of that row.

    It sets the starting snapshot and validateNoConflictingDeletes; at another `level` none, or
    validateNoConflictingData for that row, too.
    """

    id: int
    value: str
    level: Level = "snapshot"


@dataclass(frozen=True, slots=True)
class Copy:
    """Read row `source`, and change row `target` to its value by Java API `newOverwrite`, as `ChangeRow` does.

    It sets the starting snapshot and validateNoConflictingDeletes; at another `level` none, or
    validateNoConflictingData for rows that it has read (`covers`: for the one that it writes alone, as Spark does).
    """

    source: int
    target: int
    level: Level = "snapshot"
    covers: Literal["read", "written"] = "read"

    @property
    def filter(self) -> tuple[int, ...]:
        """The rows of its conflict filter."""
        return (self.target,) if self.covers == "written" else (self.source, self.target)


@dataclass(frozen=True, slots=True)
class SetProperty:
    """Java API `updateProperties` of one property: of a name of one's own, or one that is followed (`checked_set`)."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class AddColumn:
    """Java API `updateSchema` by one column."""

    name: str


@dataclass(frozen=True, slots=True)
class UpdateSpec:
    """Java API `updateSpec`: partitions of `width` ids each, or so many buckets, in the place of what the table has; 0:
    no partitions."""

    width: int = 0
    transform: Literal["truncate", "bucket"] = "truncate"

    @property
    def field(self) -> Field | None:
        """The partition field."""
        return Field(self.transform, self.width) if self.width else None


@dataclass(frozen=True, slots=True)
class Scan:
    """Java API: read all rows, `times` (1 or 2), of the snapshot that was current at first, or of the `current` one."""

    times: int = 2
    at: Literal["first", "current"] = "first"


@dataclass(frozen=True, slots=True)
class Transaction:
    """Java API `newTransaction`, these operations in it, and `commitTransaction`.

    Their validations begin from the snapshot that the transaction began at, or from the transaction's `own` newest one.
    With `left_open` the last one is made, and not committed: no engine leaves one so, and `commitTransaction` refuses.
    """

    steps: tuple[Operation, ...]
    start: Literal["begin", "own"] = "begin"
    left_open: bool = False


OfFiles = (
    Append | Overwrite | ReplacePartitions | Replace | DeleteRow | RemoveFile | RemoveWhere | Compact | ChangeRow | Copy
)
OfLayout = AddColumn | DropColumn | OfColumns | UpdateSpec
"""What any commit in between refuses."""
OfMetadata = SetProperty | UnsetProperty | SortBy | MoveTo | OfStatistics | OfLayout
"""What makes no snapshot."""
Operation = OfFiles | ByEquality | OfMetadata | OfManifests
"""Operations that a transaction may have."""
JavaApi = Operation | Scan | OfPast | Transaction | Managing | ByHand
Statement = Sql | JavaApi | PythonAlone


def steps_of(*done: Statement) -> list[Statement]:
    """What these statements do one by one: a transaction, its steps; who makes several changes of snapshots, those."""
    return [step for one in done for step in _steps(one)]


def _steps(one: Statement) -> tuple[Statement, ...]:
    match one:
        case Transaction(steps):
            return steps
        case ManageSnapshots(changes):
            return changes
    return (one,)
