"""Snapshots, versions and times in a sentence. Whatever stands in a file is escaped and clipped."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from checkers.iceberg.autopsy.records import Remains, Snapshot, Version
from checkers.text import plain

WRITERS = ("spark.app.id", "flink.job-id", "trino_query_id", "app-id", "engine-name")
"""Where a snapshot's summary says who made it."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def when(time_ms: int | None) -> str:
    """A time in UTC: "2026-01-31 12:00:00.250"; "?" where none can be meant."""
    if time_ms is None:
        return "?"
    try:
        return (_EPOCH + timedelta(milliseconds=time_ms)).replace(tzinfo=None).isoformat(" ", "milliseconds")
    except OverflowError:
        return f"{time_ms} ms"


def operation_of(snapshot: Snapshot) -> str:
    """What a snapshot did: "append"."""
    return plain(snapshot.summary.get("operation", "unknown operation"))


def records_of(snapshot: Snapshot) -> str:
    """By how many records a snapshot changed the table, as its summary says: "+3 -1 records", "" if it does not."""
    signs = (("+", "added-records"), ("-", "deleted-records"))
    parts = [f"{sign}{number:,}" for sign, key in signs if (number := whole(snapshot.summary.get(key)))]
    return f"{' '.join(parts)} records" if parts else ""


def maker_of(snapshot: Snapshot) -> str:
    """Who made a snapshot, as its summary says: "spark.app.id local-1", "" if it does not."""
    return next((f"{key} {plain(snapshot.summary[key])}" for key in WRITERS if key in snapshot.summary), "")


def whole(text: str | None) -> int | None:
    """The whole number that a summary means; None if it says none."""
    try:
        return None if text is None or len(text) > 20 else int(text)
    except ValueError:
        return None


def told(snapshot: Snapshot) -> str:
    """A snapshot in a sentence: "snapshot 12 (append, +3 records, 2026-01-31 12:00:00.250)"."""
    about = (operation_of(snapshot), records_of(snapshot), when(snapshot.timestamp_ms), maker_of(snapshot))
    return f"snapshot {snapshot.snapshot_id} ({', '.join(filter(None, about))})"


def counted(number: int, noun: str) -> str:
    """A number of things: "1 file", "2,000 files"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def named(file: str) -> str:
    """A file in a sentence: without the folder that all metadata files are in."""
    return plain(file.removeprefix("metadata/"))


def found_in(versions: Mapping[str, Version], snapshot_id: int) -> Snapshot | None:
    """The snapshot of this id, from any metadata file that has it."""
    return next((one.snapshots[snapshot_id] for one in versions.values() if snapshot_id in one.snapshots), None)


def refs_to(version: Version, snapshot_id: int) -> list[str]:
    """The branches and tags whose head is this snapshot."""
    return [name for name, ref in version.refs.items() if ref.snapshot_id == snapshot_id]


def who_reads(remains: Remains, snapshot_ids: set[int]) -> str:
    """Which readers meet what these snapshots have: those of a branch or tag, or of an old snapshot only."""
    version = remains.version
    heads = [f"{ref.type} {plain(name)}" for name, ref in version.refs.items() if ref.snapshot_id in snapshot_ids]
    if not heads and version.head in snapshot_ids:
        heads = ["branch main"]
    if heads:
        return f"readers of {', '.join(heads[:3])}" + (f" and {len(heads) - 3:,} more" if len(heads) > 3 else "")
    many = len(snapshot_ids) > 1
    return f"time travel to snapshot {max(snapshot_ids)}" + (f" and {len(snapshot_ids) - 1:,} more" if many else "")
