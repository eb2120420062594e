"""A commit as a server that checks requirements has applied it: to newer metadata than the client's, perhaps."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from model.iceberg import meanings
from model.iceberg.existence import DROPPED
from model.iceberg.metadata import Snapshot, TableMetadata
from model.ports import Versioned
from reports.explanation.phrases import fault_text, listed
from reports.explanation.renderer import Line, Traced


def as_applied(row: Traced, commit: meanings.Commits) -> meanings.Commits:
    """The commit with what the server has made of the table, if that is not what the client wanted it to be."""
    made = row.value.value if isinstance(row.value, Versioned) else commit.updated
    if not isinstance(made, TableMetadata) or made == commit.updated:
        return commit
    return commit._replace(updated=made, fenced=False)


def changed(before: TableMetadata, updated: TableMetadata) -> str:
    """What of the table a commit has changed that leaves main where it is."""
    if updated.properties != before.properties:
        return "properties"
    if updated.columns != before.columns:
        return "columns"
    if updated.format_version != before.format_version:
        return "format"
    if updated.partitioning.default_id != before.partitioning.default_id:
        return "partition spec"
    if updated.sort_orders != before.sort_orders:
        return "sort order"
    if updated.location != before.location:
        return "location"
    if updated.snapshots != before.snapshots:
        return "snapshots"
    if updated.statistics != before.statistics:
        return "statistics"
    return "refs" if updated.partitioning == before.partitioning else "older partition specs"


def brought(inside: Sequence[int], base: TableMetadata, name: Callable[[int], str]) -> str:
    """What a commit adds below its head: earlier snapshots of its transaction, and what its base has, and the table had
    lost."""
    lost = [snapshot for snapshot in inside if base.snapshot(snapshot) is not None]
    own = [snapshot for snapshot in inside if snapshot not in lost]
    text = f", and with it {listed(map(name, own))} of its transaction" if own else ""
    return f"{text}, and brings back {listed(map(name, lost))}, which the table had lost" if lost else text


def left_nowhere(actor: str, updated: TableMetadata) -> str:
    """A commit after which main is nowhere."""
    if updated is DROPPED:
        return f"{actor} drops the table."
    if not updated.snapshots:
        return f"{actor} creates a table without rows."
    return f"{actor} commits, and leaves main nowhere: it is no branch any more."


def of_versions(rows: Sequence[Traced], _: str) -> list[Line]:
    """Looks for versions of a Hadoop catalog's table, hints at them, and versions that are deleted."""
    said: list[Line] = []
    for row in rows:
        for meaning in row.meanings:
            if isinstance(meaning, meanings.LooksForVersion):
                found = "there is one" if row.outcome == "refused" else "there is none"
                said.append(Line(f"{row.actor} looks for version {meaning.number}: {found}."))
            elif isinstance(meaning, meanings.Prunes):
                said.append(Line(f"{row.actor} deletes the metadata file of version {meaning.number}."))
            elif isinstance(meaning, meanings.HintsAt) and row.fault:
                text = f"{row.actor} writes a hint at version {meaning.number}: {fault_text(row.fault)}."
                said.append(Line(text, "fault"))
            elif isinstance(meaning, meanings.HintsAt):
                said.append(Line(f"{row.actor} hints at version {meaning.number}: whoever is new looks from there on."))
    return said


def as_renamed(actor: str, renames: meanings.Renames) -> str:
    """A rename, with what it puts back, if it does."""
    back = ", with the metadata file that it has seen there" if renames.puts_back else ""
    return f"{actor} renames {renames.name} to {renames.to}{back}."


def below(head: Snapshot, updated: TableMetadata, before: TableMetadata) -> tuple[int | None, list[int]]:
    """What a commit is on top of, and the other snapshots that it adds, oldest first."""
    below, inside = head.parent_id, list[int]()
    while below is not None and before.snapshot(below) is None and (found := updated.snapshot(below)) is not None:
        inside.insert(0, below)
        below = found.parent_id
    return below, inside
