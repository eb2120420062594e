"""Mutants of DELETE, and of where rows are written that were read before; see `tests.mutants.hudi`."""

from collections.abc import Iterable
from typing import Any

from model.hudi import log_compaction, slices, write
from model.hudi.file_groups import Changes, Rows
from model.hudi.jobs import Places, changes_of
from model.hudi.rules import SHIPPED
from model.hudi.slices import folded
from tests.mutants.mutant import Mutant


def kept(rows: Rows, changes: Changes) -> Rows:
    """A file is written without a look at what is deleted."""
    return tuple(sorted({**dict(rows), **{key: value for key, value in changes if value is not None}}.items()))


def undeleted(bodies: Iterable[Changes], *, by_event_time: bool) -> dict[str, Any]:
    """What is deleted stays."""
    rows = [tuple([(key, value) for key, value in body if value is not None]) for body in bodies]
    return folded(rows, by_event_time=by_event_time)


def visible_ones(found: Any, parts: Any, places: Places | None = None) -> Any:
    """What was read in a file group that is hidden by now is not written at all."""
    changes, known = changes_of(found, parts, places)
    return [(each, change) for each, change in changes if not each.hidden], known


DELETE_MUTANTS: tuple[Mutant, ...] = (
    Mutant("base-files-keep-deleted", "a deleted row stays", ((write, "updated", kept),), SHIPPED),
    Mutant("log-files-delete-nothing", "a deleted row stays", ((slices, "folded", undeleted),), SHIPPED),
    Mutant(
        "compacted-logs-delete-nothing", "a deleted row comes back with log compaction",
        ((log_compaction, "folded", undeleted),), SHIPPED,
    ),
    Mutant(
        "hidden-groups-passed-by", "a row that has moved is not deleted, and nobody is told",
        ((write, "changes_of", visible_ones),), SHIPPED,
    ),
)  # fmt: skip
