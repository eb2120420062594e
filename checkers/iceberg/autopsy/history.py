"""The history of a table, a row a metadata file: what it did, and what became of it."""

from typing import NamedTuple

from checkers.iceberg.autopsy.line_checks import changes
from checkers.iceberg.autopsy.lineage import Lineage, Stray
from checkers.iceberg.autopsy.moves import BYPASSED, EMPTIED, REPLACED, ROLLBACK, SET, expired, move
from checkers.iceberg.autopsy.records import Remains, Snapshot, Version
from checkers.iceberg.autopsy.words import named, operation_of, records_of, when

OFF_LINE = "off the line"


class Row(NamedTuple):
    """One version. Args: `did` are phrases; `became` is "" for what is still as it was; `parent` the file before."""

    file: str
    time: str
    did: tuple[str, ...]
    became: str
    on_line: bool
    parent: str | None
    snapshots: tuple[int, ...] = ()


def history(remains: Remains, lineage: Lineage) -> tuple[Row, ...]:
    """All versions, oldest first: those of the line in its order, strays behind the version that they go back to."""
    strays = {stray.file: stray for stray in lineage.strays}
    behind: dict[str | None, list[Row]] = {}
    for stray in lineage.strays:
        behind.setdefault(stray.fork, []).append(_stray_row(remains, lineage, stray))
    rows = list(behind.pop(None, []))
    for file in lineage.line:
        rows += [_line_row(remains, lineage, file), *behind.get(file, [])]
    assert len(rows) == len(lineage.line) + len(strays)
    return tuple(rows)


def _line_row(remains: Remains, lineage: Lineage, file: str) -> Row:
    version = remains.versions.get(file)
    place = lineage.line.index(file)
    parent = lineage.line[place - 1] if place else None
    if version is None:
        word = "is gone" if file in remains.absent else "was not read"
        return Row(file, "?", (), word, True, parent)
    before = lineage.before(file)
    became = "the table stands here" if file == remains.current else ""
    added = tuple([id_ for id_ in version.snapshots if before is not None and id_ not in before.snapshots])
    if before is None:
        added = (version.head,) if version.head is not None else ()
    return Row(file, when(version.header.last_updated_ms), did(before, version), became, True, parent, added)


def _stray_row(remains: Remains, lineage: Lineage, stray: Stray) -> Row:
    version = remains.versions[stray.file]
    if stray.was_current:
        became = "OVERWRITTEN" + (f" by {named(stray.winner)}" if stray.winner else "")
    else:
        became = "landed later" if stray.added and not stray.lost else "refused, under way or overwritten"
    added = tuple([snapshot.snapshot_id for snapshot in stray.added])
    phrases = did(lineage.before(stray.file), version)
    return Row(stray.file, when(version.header.last_updated_ms), phrases, became, False, version.parent, added)


def did(before: Version | None, version: Version) -> tuple[str, ...]:
    """What a version did: its new snapshots, where main went, what was removed, what else it changed."""
    if before is None:
        head = version.snapshots.get(version.head or 0)
        return (f"the oldest that was read, at {_snapshot(head)}" if head else "a table without snapshots",)
    phrases = [_snapshot(one, version) for id_, one in version.snapshots.items() if id_ not in before.snapshots]
    moved = {
        ROLLBACK: f"main back to {version.head}", SET: f"main set to {version.head}", REPLACED: "starts anew",
        EMPTIED: "main removed", BYPASSED: f"went around {before.head}",
    }.get(move(before, version).kind)  # fmt: skip
    gone = expired(before, version)
    phrases += [moved] if moved else []
    phrases += [f"{len(gone):,} snapshots removed"] if gone else []
    more = changes(before, version)
    if more != "nothing that is known" or not phrases:
        phrases.append(f"changed {more}")
    return tuple(phrases)


def _snapshot(snapshot: Snapshot, version: Version | None = None) -> str:
    records = records_of(snapshot)
    ref = (
        next((name for name, one in version.refs.items() if one.snapshot_id == snapshot.snapshot_id), "")
        if version
        else ""
    )
    on = f" on {ref}" if ref not in ("", "main") else ""
    parent = f" after {snapshot.parent_snapshot_id}" if snapshot.parent_snapshot_id is not None else ""
    return f"{operation_of(snapshot)} {snapshot.snapshot_id}{on}{parent}" + (f" ({records})" if records else "")
