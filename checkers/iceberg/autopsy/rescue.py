"""What can still be done for a snapshot that the table has lost."""

from checkers.iceberg.autopsy.records import ADDED, Entry, Remains, Snapshot
from checkers.iceberg.autopsy.words import counted, named
from checkers.text import plain


def added_by(remains: Remains, snapshot_id: int) -> list[Entry] | None:
    """The files that a snapshot added; None if its manifests cannot all be read."""
    rows = remains.lists.get(snapshot_id)
    if rows is None:
        return None
    own = [row.path for row in rows if row.added_snapshot_id == snapshot_id]
    if any(path not in remains.manifests for path in own):
        return None
    return [entry for path in own for entry in remains.manifests[path] if entry.status == ADDED]


def rescue(remains: Remains, snapshot: Snapshot) -> str:
    """What to do about a lost snapshot: its files are there, or what has to be restored first."""
    added = added_by(remains, snapshot.snapshot_id)
    if added is None:
        place = plain(named(snapshot.manifest_list or "its manifest list"))
        return f"restore {place} and its manifests from a backup: without them nothing says which files were added"
    gone = [entry for entry in added if entry.path in remains.absent]
    if gone:
        of = counted(len(added), "added file")
        return f"restore {len(gone):,} of its {of} from a backup, such as {plain(gone[0].path)}"
    if not added:
        return "it added no files: do again what it removed"
    records = sum(entry.records for entry in added)
    return (
        f"all that it added is there ({counted(len(added), 'file')}, {counted(records, 'record')}): add it again "
        "(docs/autopsy.md says how) before anything removes orphan files"
    )
