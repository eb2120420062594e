"""Mutants of a compaction in several commits. Source: `model.iceberg.partial_progress`."""

from typing import Any

from model.iceberg import partial_progress
from model.iceberg.api import run_commit
from model.iceberg.merging import RewriteFiles
from model.iceberg.partial_progress import Limits
from model.iceberg.result import CommandResult
from tests.mutants.damage import replaced
from tests.mutants.mutant import Mutant


def as_they_come(groups: list[Any]) -> list[Any]:
    """Groups come as their first files do."""
    return groups


def first_error_ends(table: Any, ready: Any, start: int | None, read: Any, _: CommandResult) -> Any:
    """No commit is passed over."""
    return run_commit(partial_progress._rewrite(table, ready, start, read), CommandResult(start)), True


def as_many_as_there_are(groups: int, limits: Limits) -> int:
    """As many commits are looked for as these groups make."""
    return -(-groups // partial_progress._size(groups, limits)) if groups else 0


def by_current(table: Any, ready: Any, start: int | None, _: Any) -> Any:
    """The sequence number of what is read at first is known whatever has expired."""
    begun = table.metadata.snapshot(start) or table.metadata.current
    producer = RewriteFiles(table).validate_from_snapshot(start)
    producer.data_sequence_number(begun.sequence_number)
    for group in ready:
        for task in group.tasks:
            producer.delete_file(task.file.as_scanned())
        for file in group.files:
            producer.add_file(file)
    return producer


PARTIAL_PROGRESS: tuple[Mutant, ...] = (
    replaced("groups-as-they-come", partial_progress, "_in_order", as_they_come, "others are committed together"),
    replaced("refused-group-ends-all", partial_progress, "_committed", first_error_ends, "no partial progress"),
    replaced(
        "commits-counted-right", partial_progress, "_planned", as_many_as_there_are, "not what 1.11.0 tells its caller"
    ),
    replaced("expired-start-is-no-matter", partial_progress, "_rewrite", by_current, "a commit that 1.11.0 gives up"),
)
