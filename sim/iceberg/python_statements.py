"""Statements that PyIceberg alone has here: a roll-back that tags the head first, files that are there already, and a
change of what was read before the table was loaded anew; what goes by partitions, or by the names of files, a
change of format, and what is done in a branch.

Source: `pyiceberg/table/update/snapshot.py` (`ManageSnapshots`, whose calls are chained in its documentation),
`pyiceberg/table/__init__.py` (`Transaction.add_files`, `Table.refresh`, `Transaction.dynamic_partition_overwrite`),
`pyiceberg/table/update/spec.py`, `pyiceberg/table/update/snapshot.py` (`UpdateSnapshot.overwrite`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class TagAndRollBack:
    """`manage_snapshots()`: `create_tag` of main's head, then `rollback_to_snapshot` `back` commits below it."""

    name: str
    back: int = 1


@dataclass(frozen=True, slots=True)
class AddFile:
    """`add_files` of a file that holds row `id` and is there before the race; refused if the table has it."""

    id: int

    @property
    def value(self) -> str:
        """What the row has in the file: who adds a file twice writes the same."""
        return f"f{self.id}"


@dataclass(frozen=True, slots=True)
class ChangeSeen:
    """Read row `id`, `refresh` the table, then change the row by `overwrite`, if it was there when it was read."""

    id: int
    value: str


@dataclass(frozen=True, slots=True)
class EvolveSpec:
    """`update_spec()`: partitions by this `transform` of id in the place of what the table has; "": none.

    Examples: "identity", "bucket[2]", "truncate[4]". The library writes rows by the first of them alone unless it is
    installed with a library in Rust, as it is not here.
    """

    transform: str = ""


@dataclass(frozen=True, slots=True)
class OverwritePartitions:
    """`dynamic_partition_overwrite` by these rows, in a table that is partitioned by identity."""

    rows: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class OverwriteFiles:
    """`update_snapshot().overwrite()`: `delete_data_file` of every data file, `append_data_file` of one with these
    rows."""

    rows: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Upgrade:
    """`upgrade_table_version` to this format."""

    version: Literal[1, 2]


@dataclass(frozen=True, slots=True)
class OnBranch:
    """Another statement in a branch: its call with `branch=`, and its reads by `use_ref`.

    `step` is a `Delete`, `ChangeRow`, `Copy`, `Upsert`, `AddFile`, `OverwritePartitions` or `Scan`: rows are appended
    to branches by `AppendTo`, and branches overwritten by `OverwriteIn`, as by Java.
    """

    branch: str
    step: Any


OfPartitions = EvolveSpec | OverwritePartitions
PythonAlone = TagAndRollBack | AddFile | ChangeSeen | OfPartitions | OverwriteFiles | Upgrade | OnBranch


def describe(
    statement: TagAndRollBack | AddFile | ChangeSeen | OfPartitions | OverwriteFiles | Upgrade,
) -> tuple[str, str]:
    """The history's name of a statement, and its argument in words."""
    match statement:
        case TagAndRollBack(name, back):
            return "tag and roll back", f"{name}, {back} back"
        case AddFile(key):
            return "add file", f"of row {key} = {statement.value}"
        case EvolveSpec(transform):
            return "update spec", f"partitioned by {transform} of id" if transform else "not partitioned"
        case Upgrade(version):
            return "upgrade", f"to format {version}"
        case OverwriteFiles(rows):
            return "overwrite files", ", ".join([f"row {key} = {value}" for key, value in rows])
        case OverwritePartitions(rows):
            return "overwrite partitions", ", ".join([f"row {key} = {value}" for key, value in rows])
        case ChangeSeen(key, value):
            return "change what was read", f"row {key} = {value}"
