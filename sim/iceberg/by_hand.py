"""Calls of the Java API that no engine makes: the API takes each of them, and the commit refuses what contradicts
itself.

Source: `core/BaseRowDelta.java` (`validateNoConflictingFileAndPositionDeletes`), `core/SnapshotProducer.java` ("Invalid
REPLACE operation"), `core/BaseReplacePartitions.java` (`validateAppendOnly`), `core/MergingSnapshotProducer.java`
(`dataSpecs`), `core/BaseRewriteManifests.java` (`addManifest`), `core/BaseOverwriteFiles.java`
(`validateAddedFilesMatchOverwriteFilter`), `core/FastAppend.java` (`appendManifest`), `core/PropertiesUpdate.java`,
`core/DVUtil.java` (`validateCanMerge`), all of 1.11.0.

Choices: they are no steps of transactions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from model.iceberg.given_manifests import Given

Rows = tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class DeleteAndRemove:
    """Java API `newRowDelta` of position deletes of row `id`, and `removeRows` of the data files that may hold it.

    It sets the starting snapshot and validateDataFilesExist for these files: refused, as deletes refer to what goes.
    """

    id: int


@dataclass(frozen=True, slots=True)
class CompactWith:
    """Java API `newRewrite` of all data files by one with the same rows and further `rows`, or of none by one with
    these: refused as no rewrite, but where more rows were deleted in these files than it adds."""

    rows: Rows
    of: Literal["all", "none"] = "all"


@dataclass(frozen=True, slots=True)
class AddPartitions:
    """Java API `newReplacePartitions` by files with `rows`, with `validateAppendOnly`: refused if anything would go.

    Without rows it is refused, as it names no partition.
    """

    rows: Rows = ()


@dataclass(frozen=True, slots=True)
class ReplaceManifests:
    """Java API `rewriteManifests`: `deleteManifest` of all data manifests that were loaded, `addManifest` of one for
    each spec with the same files, but with `but_one` without the last one: refused, as there would be fewer files.

    `gives`: what is added says that it adds these files, or is the table's own: refused at once, and stays. The
    manifests that it adds are deleted where that is safe, as Spark's `rewrite_manifests` does.
    """

    but_one: bool = False
    gives: Given = "existing files"


@dataclass(frozen=True, slots=True)
class AppendOnce:
    """Java API `newFastAppend` of one file with `rows`, for a `job`: refused (`validateWith`) where an ancestor was
    made for it."""

    rows: Rows
    job: int = 1


@dataclass(frozen=True, slots=True)
class OverwriteWhere:
    """Java API `newOverwrite` by the row filter `id = n`, by one file with `rows`, with
    `validateAddedFilesMatchOverwriteFilter`: refused where that file has rows of other ids."""

    id: int
    rows: Rows

    @property
    def effects(self) -> tuple[tuple[int, str | None], ...]:
        """Row `id` goes, whoever wrote it, and its rows come."""
        return tuple({self.id: None, **dict(self.rows)}.items())


@dataclass(frozen=True, slots=True)
class AppendGiven:
    """Java API `newFastAppend` and `appendManifest` of one with a file of `rows` that is said to exist; without rows,
    of the table's own data manifests: refused at once, and what was written stays."""

    rows: Rows = ()


@dataclass(frozen=True, slots=True)
class SetAndUnset:
    """Java API `updateProperties` that sets a property, and then removes it: refused at once."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class DeleteElsewhere:
    """Java API `newRowDelta` of the deletion vector of row `id` twice, the second time as one of another partition:
    refused by the commit, which would merge them. Of a table of format 3 whose rows are in partitions.
    """

    id: int


OfRows = DeleteAndRemove | CompactWith | AddPartitions | AppendOnce | OverwriteWhere | DeleteElsewhere
ByHand = OfRows | ReplaceManifests | AppendGiven | SetAndUnset


def describe(statement: ByHand) -> tuple[str, str]:
    """The history's name of such a statement, and its argument in words."""
    match statement:
        case DeleteAndRemove(key):
            return "delete and remove", f"row {key}, and its file"
        case CompactWith(rows, of):
            return "compact with", _words(rows) + (" in place of nothing" if of == "none" else "")
        case AppendOnce(rows, job):
            return "append once", f"{_words(rows)}, job {job}"
        case OverwriteWhere(key, rows):
            return "overwrite where", f"id = {key} by {_words(rows)}"
        case AddPartitions(rows):
            return "add partitions", _words(rows) or "none"
        case AppendGiven(rows):
            return "append given", f"existing {_words(rows)}" if rows else "the table's own"
        case SetAndUnset(name, value):
            return "set and unset", f"{name} = {value}"
        case DeleteElsewhere(key):
            return "delete elsewhere", f"row {key}"
        case ReplaceManifests(but_one, gives):
            words = "but for one file" if but_one else "all"
            return "replace manifests", words if gives == "existing files" else f"{words} by {gives}"


def _words(rows: Rows) -> str:
    return ", ".join(f"row {key} = {value}" for key, value in rows)
