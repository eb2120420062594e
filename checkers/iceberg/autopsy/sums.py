"""What manifests add up to, against the totals in a snapshot's summary.

Choices: totals are carried from snapshot to snapshot by addition, so one that is wrong stays wrong. Only the first
snapshot of a line in which a total is off by another amount is told.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from checkers.iceberg.autopsy.records import DATA, Entry, Remains, Snapshot
from checkers.iceberg.autopsy.words import whole


def sums_of(entries: tuple[Entry, ...]) -> Counter[str]:
    """What the live files of a manifest add to each total."""
    sums: Counter[str] = Counter()
    for entry in entries:
        if entry.is_live:
            if entry.content == DATA:
                sums["total-data-files"] += 1
                sums["total-records"] += entry.records
            else:
                sums["total-delete-files"] += 1
    return sums


def wrong_totals(remains: Remains) -> Iterator[tuple[Snapshot, str, int, int]]:
    """The totals that are wrong, and not as they were in the snapshot's parent: snapshot, name, stated, found."""
    sums = {path: sums_of(entries) for path, entries in remains.manifests.items()}
    snapshots = remains.version.snapshots
    totals = {id_: _totals(remains, snapshot, sums) for id_, snapshot in snapshots.items()}
    for id_, snapshot in snapshots.items():
        before = totals.get(snapshot.parent_snapshot_id or 0, {})
        for key, (stated, found) in totals[id_].items():
            was = before.get(key)
            if stated != found and (was is None or was[0] - was[1] != stated - found):
                yield snapshot, key, stated, found


def _totals(remains: Remains, snapshot: Snapshot, sums: Mapping[str, Counter[str]]) -> dict[str, tuple[int, int]]:
    """Stated and found, of every total that can be compared."""
    rows = remains.lists.get(snapshot.snapshot_id)
    if rows is None or any(row.path not in sums for row in rows):
        return {}
    stated = {key: whole(value) for key, value in snapshot.summary.items() if key in _COMPARED}
    return {
        key: (value, sum([sums[row.path][key] for row in rows])) for key, value in stated.items() if value is not None
    }


_COMPARED = ("total-data-files", "total-delete-files", "total-records")
"""Sizes of deletion vectors and counts of deletes are summed differently by writers: those are not compared."""
