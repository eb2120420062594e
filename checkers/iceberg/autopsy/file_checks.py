"""Findings about files: what cannot be read, what is referred to and gone, what nobody refers to.

Choices:
* A file of a commit that nobody can account for is no orphan: it may be all that is left of a loss. Nor is a file that
  was written after the last commit: its own may be under way.
* Metadata files are no orphans: writers keep them unless `write.metadata.delete-after-commit.enabled` is set.
* Hidden files (`_` or `.` before a name) are not looked at, as by Iceberg's own removal of orphan files.
* Where a manifest list or a manifest cannot be read, nothing is called an orphan: it may lead to the file.
"""

from collections.abc import Iterator

from checkers.iceberg.autopsy.finding import DAMAGE, LEFTOVER, UNCLEAR, Finding
from checkers.iceberg.autopsy.lineage import Lineage
from checkers.iceberg.autopsy.moves import move
from checkers.iceberg.autopsy.records import Attempt, Defect, Remains, Snapshot
from checkers.iceberg.autopsy.rescue import rescue
from checkers.iceberg.autopsy.words import named, when
from checkers.text import plain


def check_defects(remains: Remains) -> Iterator[Finding]:
    """What could not be read."""
    for defect in remains.defects:
        yield _unreadable(remains, defect)
    if remains.broken in remains.absent:
        yield Finding(
            "no-current-metadata", DAMAGE, remains.broken or "", "the metadata file that the table stands at is gone",
            "a file", "none", _go_back(remains),
        )  # fmt: skip


def _go_back(remains: Remains) -> str:
    if not remains.current:
        return "restore it from a backup or an older object version: no other can be read"
    return f"restore it, or point the catalog at {named(remains.current)}, the newest that can be read"


def _unreadable(remains: Remains, defect: Defect) -> Finding:
    place = f" at {plain(defect.place)}" if defect.place else ""
    is_metadata = "metadata.json" in defect.file
    needed = not is_metadata or defect.file in (remains.current, remains.broken) or not remains.current
    do = "restore it from a backup or an older object version"
    if is_metadata and defect.file != remains.current:
        do = _go_back(remains) if needed else "what was lost in that version would not be seen; restore it to know"
    return Finding(
        "unreadable", DAMAGE if needed else UNCLEAR, defect.file,
        f"{plain(named(defect.file))} cannot be read{place}", defect.expected, defect.got, do,
    )  # fmt: skip


def check_statistics(remains: Remains) -> Iterator[Finding]:
    """Statistics that are gone: queries are planned without them, or fail."""
    for one in remains.version.statistics:
        if one.statistics_path in remains.absent:
            yield Finding(
                "missing-statistics", DAMAGE, one.statistics_path, "a file of statistics is gone", "a file", "none",
                "remove the statistics (updateStatistics().removeStatistics), or compute them again",
            )  # fmt: skip


def referred(remains: Remains) -> set[str]:
    """Every file that a metadata file that can be read leads to, and those of attempts nobody can account for."""
    found: set[str] = set()
    for version in remains.versions.values():
        found.add(version.file)
        found.update(entry.metadata_file for entry in version.metadata_log)
        found.update(one.statistics_path for one in version.statistics)
    kept = {id_ for id_ in remains.lists if id_ in remains.version.snapshots or id_ in unaccounted(remains)}
    for version in remains.versions.values():
        found.update(s.manifest_list for id_, s in version.snapshots.items() if id_ in kept and s.manifest_list)
    manifests = {row.path for id_ in kept for row in remains.lists[id_]}
    found |= manifests
    for path in sorted(manifests):
        found.update(entry.path for entry in remains.manifests.get(path, ()))
    return found


def unaccounted(remains: Remains) -> set[int]:
    """Snapshots whose manifest lists were read although the table has them no more: those that may be lost."""
    return {id_ for id_ in remains.lists if id_ not in remains.version.snapshots}


def check_orphans(remains: Remains, lineage: Lineage) -> Iterator[Finding]:
    """Files that nothing leads to."""
    yield from (_attempt(remains, attempt) for attempt in remains.attempts)
    if remains.files is None or not is_all_read(remains, lineage):
        return
    known = referred(remains) | {attempt.file for attempt in remains.attempts}
    last = max((v.header.last_updated_ms or 0 for v in remains.versions.values()), default=0)
    for file, stored in remains.files.items():
        if file not in known and stored.written_ms <= last and _may_be_orphan(file):
            yield Finding(
                "orphan", LEFTOVER, file, "nothing leads to this file", "a snapshot that has it, or no file",
                f"{stored.size:,} bytes, written {when(stored.written_ms)}",
                "remove_orphan_files removes it, after the losses above are mended",
            )  # fmt: skip


def is_all_read(remains: Remains, lineage: Lineage) -> bool:
    """Whether every file is known that the table has, or that a commit has which may be lost."""
    lists = [remains.lists.get(id_) for id_ in remains.version.snapshots]
    for stray in lineage.strays:  # who was refused and cleaned up has left nothing to be read
        mended = [one for one in stray.lost if stray.was_current or one.manifest_list not in remains.absent]
        lists += [remains.lists.get(snapshot.snapshot_id) for snapshot in mended]
    for before, after in lineage.pairs():
        lists += [remains.lists.get(snapshot.snapshot_id) for snapshot in move(before, after).lost]
    lists += [remains.lists.get(attempt.snapshot_id) for attempt in remains.attempts]
    return all(rows is not None and all(row.path in remains.manifests for row in rows) for rows in lists)


def _may_be_orphan(file: str) -> bool:
    name = file.rpartition("/")[2]
    hidden = any(part.startswith(("_", ".")) and "=" not in part for part in file.split("/"))
    return not (hidden or "metadata.json" in name or name.startswith("version-hint"))


def _attempt(remains: Remains, attempt: Attempt) -> Finding:
    known = attempt.snapshot_id in remains.version.snapshots
    where = "is in the table by another list" if known else f"follows {attempt.parent_snapshot_id}"
    return Finding(
        "attempt", LEFTOVER if known else UNCLEAR, attempt.file,
        f"a manifest list of snapshot {attempt.snapshot_id}, which no metadata file has" if not known
        else "a manifest list of an attempt that was made again, and landed",
        "a metadata file that has it, or no file", f"snapshot {attempt.snapshot_id} {where}",
        "remove it at leisure" if known
        else "refused, expired or overwritten cannot be told apart: ask whose it is; if it had committed: "
        + rescue(remains, Snapshot(attempt.snapshot_id, 0, manifest_list=attempt.file)),
    )  # fmt: skip
