"""Findings in manifest lists and manifests: files that are gone, doubled, out of order, and sums that are wrong.

Choices:
* Files are looked at in every snapshot of the current metadata; whether one is live twice only at the heads of
  branches, which is where it can still be mended.
* A position delete whose data file is not live any more is harmless, and compactions leave such behind in format 2; it
  is a finding only as a left-over. Only deletes that name one data file are looked at.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from checkers.iceberg.autopsy.finding import DAMAGE, LEFTOVER, UNCLEAR, Finding, listed
from checkers.iceberg.autopsy.records import (
    ADDED,
    DATA,
    DELETED,
    EXISTING,
    PUFFIN,
    Entry,
    ManifestRow,
    Remains,
    Snapshot,
)
from checkers.iceberg.autopsy.sums import wrong_totals
from checkers.iceberg.autopsy.words import counted, named, who_reads
from checkers.text import plain


def check_contents(remains: Remains) -> Iterator[Finding]:
    """All that is wrong below the snapshots of the current metadata."""
    yield from _lists(remains)
    rows: dict[str, ManifestRow] = {}
    for snapshot in remains.version.snapshots.values():
        for row in remains.lists.get(snapshot.snapshot_id, ()):
            yield from _row(remains, snapshot, row)
            rows.setdefault(row.path, row)
    users = used_by(remains)
    for path, row in rows.items():
        if path in remains.absent:
            yield _missing(remains, path, users[path])
        elif path in remains.manifests:
            yield from _manifest(remains, row, users[path])
    for snapshot_id in dict.fromkeys(_heads(remains)):
        yield from _live_twice(remains, snapshot_id)
        yield from _dangling(remains, snapshot_id)
    yield from _totals(remains)


def used_by(remains: Remains) -> Mapping[str, set[int]]:
    """The snapshots of the current metadata that have a manifest, by manifest."""
    users: dict[str, set[int]] = defaultdict(set)
    for snapshot_id in remains.version.snapshots:
        for row in remains.lists.get(snapshot_id, ()):
            users[row.path].add(snapshot_id)
    return users


def _heads(remains: Remains) -> Iterator[int]:
    version = remains.version
    if version.head is not None:
        yield version.head
    yield from (ref.snapshot_id for ref in version.refs.values() if ref.type == "branch")


def _lists(remains: Remains) -> Iterator[Finding]:
    for snapshot in remains.version.snapshots.values():
        if snapshot.manifest_list is None and snapshot.manifests is None:
            yield Finding(
                "no-manifest-list", DAMAGE, f"snapshot {snapshot.snapshot_id}", "a snapshot without a manifest list",
                "manifest-list", "none", "take it from an older metadata file that has the snapshot",
            )  # fmt: skip
        elif snapshot.manifest_list in remains.absent:
            yield Finding(
                "missing-manifest-list", DAMAGE, snapshot.manifest_list or "",
                f"the manifest list of snapshot {snapshot.snapshot_id} is gone",
                "a file", "none", _restore(who_reads(remains, {snapshot.snapshot_id})),
            )  # fmt: skip


def _restore(readers: str) -> str:
    return f"{readers} fail: restore it from a backup or an older object version"


def _missing(remains: Remains, path: str, users: set[int]) -> Finding:
    return Finding(
        "missing-manifest", DAMAGE, path, f"a manifest of {counted(len(users), 'snapshot')} is gone", "a file", "none",
        _restore(who_reads(remains, users)),
    )  # fmt: skip


def _row(remains: Remains, snapshot: Snapshot, row: ManifestRow) -> Iterator[Finding]:
    """What a manifest list says of a manifest."""
    if row.sequence_number > snapshot.sequence_number:
        yield Finding(
            "sequence-number-ahead", DAMAGE, row.path, f"a manifest is newer than snapshot {snapshot.snapshot_id} is",
            f"a sequence number of at most {snapshot.sequence_number}", str(row.sequence_number),
            "deletes may apply to the wrong files: rewrite the manifests of the table",
        )  # fmt: skip
    specs = remains.version.specs
    if specs and row.spec_id not in specs:
        yield Finding(
            "no-spec-of-manifest", DAMAGE, row.path, "the partition spec of a manifest is not there",
            f"one of {listed(specs)}", str(row.spec_id), "take the spec back from an older metadata file",
        )  # fmt: skip


def _manifest(remains: Remains, row: ManifestRow, users: set[int]) -> Iterator[Finding]:
    entries = remains.manifests[row.path]
    yield from _counts(row, entries)
    yield from _sequence(row, entries)
    for entry in entries:
        if entry.is_live:
            yield from _file(remains, row, entry, users)


def _counts(row: ManifestRow, entries: tuple[Entry, ...]) -> Iterator[Finding]:
    found = Counter(entry.status for entry in entries)
    for word, stated, status in (("added", row.added, ADDED), ("existing", row.existing, EXISTING),
                                 ("deleted", row.deleted, DELETED)):  # fmt: skip
        if stated is not None and stated >= 0 and stated != found[status]:
            yield Finding(
                "manifest-count", DAMAGE, row.path, f"a manifest has not as many {word} files as its list says",
                f"{stated:,}", f"{found[status]:,}",
                "it is cut off, or another file is in its place: restore it; planning skips manifests by these counts",
            )  # fmt: skip


def _sequence(row: ManifestRow, entries: tuple[Entry, ...]) -> Iterator[Finding]:
    lowest = min((e.sequence_number for e in entries if e.is_live and e.sequence_number is not None), default=None)
    if lowest is not None and row.min_sequence_number > lowest:
        yield Finding(
            "min-sequence-number", DAMAGE, row.path, "a manifest has older files than its list says",
            f"min-sequence-number of at most {lowest}", str(row.min_sequence_number),
            "deletes that still apply may be dropped at the next commit: rewrite the manifests before it",
        )  # fmt: skip
    for entry in entries:
        number, made = entry.sequence_number, entry.file_sequence_number
        if number is None:
            yield _entry(row, entry, "no-sequence-number", "has no sequence number", "one, as it is not new", "none")
        elif number > row.sequence_number:
            yield _entry(row, entry, "sequence-number-ahead", "is newer than its manifest",
                         f"a data sequence number of at most {row.sequence_number}", str(number))  # fmt: skip
        elif made is not None and number > made:
            yield _entry(row, entry, "sequence-number-ahead", "has data that is newer than the file",
                         f"a data sequence number of at most its file's {made}", str(number))  # fmt: skip


def _entry(row: ManifestRow, entry: Entry, kind: str, what: str, expected: str, got: str) -> Finding:
    do = "deletes may not apply to it, or too often: compare its rows with their source, and rewrite the file"
    return Finding(kind, DAMAGE, entry.path, f"a file in {named(row.path)} {what}", expected, got, do)


def _file(remains: Remains, row: ManifestRow, entry: Entry, users: set[int]) -> Iterator[Finding]:
    kind = "data" if entry.content == DATA else "delete"
    if entry.path in remains.absent:
        readers = who_reads(remains, users)
        lost = "its records are gone" if kind == "data" else "rows that it deletes would come back without it"
        yield Finding(
            f"missing-{kind}-file", DAMAGE, entry.path, f"a live {kind} file is gone; {named(row.path)} has it",
            f"a file of {entry.size:,} bytes, {entry.records:,} records", "none",
            f"{readers} fail: restore it; if it cannot be, {lost}: take it out with newDelete().deleteFile(path)"
            if kind == "data" else f"{readers} fail: restore it; {lost}",
        )  # fmt: skip
    stored = (remains.files or {}).get(entry.path)
    if stored is not None and stored.size != entry.size and entry.format != PUFFIN:
        yield Finding(
            "wrong-size", DAMAGE, entry.path, f"a live {kind} file has not the size that {named(row.path)} says",
            f"{entry.size:,} bytes", f"{stored.size:,} bytes",
            "it is torn, or was written twice: restore it, or read it by itself and see what is missing",
        )  # fmt: skip


def _live(remains: Remains, snapshot_id: int) -> Iterator[Entry]:
    for row in remains.lists.get(snapshot_id, ()):
        yield from (entry for entry in remains.manifests.get(row.path, ()) if entry.is_live)


def _live_twice(remains: Remains, snapshot_id: int) -> Iterator[Finding]:
    paths = Counter(entry.path for entry in _live(remains, snapshot_id) if entry.format != PUFFIN)
    for path, count in paths.items():
        if count > 1:
            yield Finding(
                "live-twice", DAMAGE, path, f"a file is live {count} times in snapshot {snapshot_id}", "once",
                f"{count} times", "its rows are read as often: take it out and add it once",
            )  # fmt: skip
    vectors = Counter(e.referenced for e in _live(remains, snapshot_id) if e.format == PUFFIN and e.referenced)
    for path, count in vectors.items():
        if count > 1:
            yield Finding(
                "two-deletion-vectors", DAMAGE, path, f"{count} deletion vectors are live for one data file",
                "at most one", f"{count} in snapshot {snapshot_id}", "readers fail or take one: rewrite the data file",
            )  # fmt: skip


def _dangling(remains: Remains, snapshot_id: int) -> Iterator[Finding]:
    live = list(_live(remains, snapshot_id))
    data = {entry.path for entry in live if entry.content == DATA}
    complete = all(row.path in remains.manifests for row in remains.lists.get(snapshot_id, ()))
    for entry in live:
        if complete and entry.content != DATA and entry.referenced and entry.referenced not in data:
            yield Finding(
                "delete-of-nothing", LEFTOVER, entry.path, "a delete file of a data file that is not in the table",
                "a live data file", plain(entry.referenced),
                "harmless if that file was rewritten; rewrite_position_delete_files removes it in format 2",
            )  # fmt: skip


def _totals(remains: Remains) -> Iterator[Finding]:
    for snapshot, key, stated, found in wrong_totals(remains):
        yield Finding(
            "wrong-total", UNCLEAR, f"snapshot {snapshot.snapshot_id}", f"{key} of the summary is wrong",
            f"{found:,}, summed over its manifests", f"{stated:,}",
            "files were dropped, or the writer counts wrongly: compare with its parent; later totals carry it on",
        )  # fmt: skip
