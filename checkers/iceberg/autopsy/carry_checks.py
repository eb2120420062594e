"""Findings between a snapshot and its parent: files that the parent had and that went without a word.

A snapshot that takes a file out says so by an entry DELETED in one of its manifests, and an append takes none out.
A writer that commits an old manifest list again loses the files of whoever committed in between, and says nothing.
"""

from collections.abc import Iterator

from checkers.iceberg.autopsy.finding import LOSS, UNCLEAR, Finding, listed
from checkers.iceberg.autopsy.records import DATA, DELETED, Entry, ManifestRow, Remains, Snapshot
from checkers.iceberg.autopsy.words import counted, told


def check_carried(remains: Remains) -> Iterator[Finding]:
    """Every snapshot against its parent, where both can be read."""
    for snapshot in remains.version.snapshots.values():
        before = _rows(remains, snapshot.parent_snapshot_id)
        after = _rows(remains, snapshot.snapshot_id)
        if before is not None and after is not None:
            yield from _dropped(remains, snapshot, before, after)


def _rows(remains: Remains, snapshot_id: int | None) -> dict[str, ManifestRow] | None:
    rows = remains.lists.get(snapshot_id) if snapshot_id is not None else None
    if rows is None or any(row.path not in remains.manifests for row in rows):
        return None
    return {row.path: row for row in rows}


def _dropped(
    remains: Remains, snapshot: Snapshot, before: dict[str, ManifestRow], after: dict[str, ManifestRow]
) -> Iterator[Finding]:
    new = [entry for path in after if path not in before for entry in remains.manifests[path]]
    known = {entry.path for entry in new}
    left = [path for path in before if path not in after]
    gone = [e for path in left for e in remains.manifests[path] if e.is_live and e.path not in known]
    if gone:  # rarely: nobody walks through all files of every snapshot
        kept = {e.path for path in after if path in before for e in remains.manifests[path] if e.is_live}
        gone = [entry for entry in gone if entry.path not in kept]
    appends = snapshot.summary.get("operation") == "append"
    if appends:
        gone += [entry for entry in new if entry.status == DELETED]
    if gone:
        yield _finding(snapshot, gone, appends)


def _finding(snapshot: Snapshot, gone: list[Entry], appends: bool) -> Finding:
    records = sum(entry.records for entry in gone if entry.content == DATA)
    what = f"{counted(len(gone), 'file')} of its parent ({counted(records, 'record')})"
    return Finding(
        "dropped-files", LOSS if appends else UNCLEAR, f"snapshot {snapshot.snapshot_id}",
        f"{told(snapshot)} dropped {what}" + ("" if appends else " without an entry that says so"),
        "an append keeps all files of its parent" if appends else "an entry DELETED for each file that it took out",
        f"without {listed([entry.path for entry in gone])}",
        f"add them again from snapshot {snapshot.parent_snapshot_id} (docs/autopsy.md says how)",
    )  # fmt: skip
