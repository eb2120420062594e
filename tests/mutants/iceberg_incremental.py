"""Mutants of incremental scans (`model.iceberg.incremental`), killed by `tests/vectors/iceberg_incremental.json`."""

from model.iceberg import api, incremental
from model.iceberg.as_of_time import AsOf
from model.iceberg.errors import InvalidOperation
from model.iceberg.files import DELETED, ManifestEntry
from model.iceberg.metadata import Snapshot, TableMetadata, ancestors
from model.iceberg.result import CommandResult
from model.iceberg.scan import rows_at
from model.iceberg.storage import TableFiles
from model.iceberg.table import IcebergTable
from sim.iceberg import calls
from tests.mutants.damage import replaced
from tests.mutants.mutant import Mutant

_since_as_it_is, _entries_as_they_are = incremental._since, incremental._entries


def from_anywhere(metadata: TableMetadata, start: int) -> list[Snapshot]:
    """All of main's past, if it has not come from the start."""
    line = list(ancestors(metadata, metadata.current))
    places = [place for place, each in enumerate(line) if each.parent_id == start]
    return line[: places[0] + 1] if places else line


def with_the_start(metadata: TableMetadata, start: int) -> list[Snapshot]:
    """The snapshot that it begins behind, too."""
    first = metadata.snapshot(start)
    return [*_since_as_it_is(metadata, start), *([] if first is None else [first])]


def from_one_that_is_there(metadata: TableMetadata, start: int) -> list[Snapshot]:
    """Who begins behind a snapshot that has expired is refused."""
    if metadata.snapshot(start) is None:
        raise InvalidOperation("expected a snapshot")
    return _since_as_it_is(metadata, start)


def added_alone(files: TableFiles, metadata: TableMetadata, line: list[Snapshot]) -> list[ManifestEntry]:
    """Nothing of what was removed."""
    return [one for one in _entries_as_they_are(files, metadata, line) if one.status != DELETED]


def as_loaded(table: IcebergTable, at: int | str) -> CommandResult:
    """What the table had when it was loaded."""
    metadata = table.metadata
    snapshot = metadata.snapshot(dict(metadata.refs).get(at) if isinstance(at, str) else at)
    table.ops.refresh()
    return CommandResult(metadata.current_snapshot_id, reads=tuple(sorted(rows_at(table.files, metadata, snapshot))))


def at_main(table: IcebergTable, _: int | str) -> CommandResult:
    """Main, whatever is asked for."""
    return api.read(table)


def in_line(metadata: TableMetadata, at: AsOf) -> int:
    """The newest of main's own snapshots that was made by then."""
    line = [each for each in ancestors(metadata, metadata.current) if each.timestamp_ms <= at.time_ms]
    if not line:
        raise InvalidOperation("expected a snapshot")
    return line[0].snapshot_id


INCREMENTAL: tuple[Mutant, ...] = (
    replaced("any-start-allowed", incremental, "_since", from_anywhere, "a consumer reads what it has read already"),
    replaced("commits-before-the-start", incremental, "_since", with_the_start, "the last news are told again"),
    replaced("start-must-be-there", incremental, "_since", from_one_that_is_there, "a slow consumer is stuck"),
    replaced("overwrites-are-appends", incremental, "APPEND", "overwrite", "rows that are no news are told"),
    replaced("removals-not-told", incremental, "_entries", added_alone, "what is gone stays with the consumer"),
    replaced("existing-is-added", incremental, "EXISTING", "none", "what stays is told as news"),
    replaced("compactions-are-changes", incremental, "REPLACE", "none", "each row goes and comes again"),
    replaced("refs-as-loaded", calls, "read_at", as_loaded, "what has been removed is read still"),
    replaced("refs-are-main", calls, "read_at", at_main, "whoever names a tag reads what is current"),
    replaced("as-of-main-line", api, "snapshot_as_of", in_line, "what was rolled back never was"),
    replaced("delete-files-passed-over", incremental, "DELETES", "none", "rows that are deleted are not told"),
)
BY_NAME = {mutant.name: mutant for mutant in INCREMENTAL}
