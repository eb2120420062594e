"""Findings inside one metadata file: ids that lead nowhere, numbers that are out of order.

Source: the table specification; `TableMetadata.java` of Iceberg 1.11.0, whose constructor refuses to load some of them.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from checkers.iceberg.autopsy.finding import DAMAGE, UNCLEAR, Finding, listed
from checkers.iceberg.autopsy.records import MAIN, Version
from checkers.iceberg.autopsy.words import named, when
from checkers.text import plain

NEWEST_FORMAT = 4
SKEW_MS = 60_000
"""How far clocks of writers may differ before Iceberg refuses a metadata file."""
ROW_LINEAGE = 3
"""The first format version in which rows have ids."""


def check_metadata(version: Version) -> Iterator[Finding]:
    """All that is wrong with a metadata file by itself."""
    for check in (_format, _twice, _refs, _schemas, _specs, _sort_orders, _sequence, _times, _logs, _rows, _statistics):
        yield from check(version)


def _damage(version: Version, kind: str, what: str, expected: object, got: object, do: str) -> Finding:
    return Finding(kind, DAMAGE, version.file, what, str(expected), str(got), do)


def _format(version: Version) -> Iterator[Finding]:
    header = version.header
    if not 1 <= header.format_version <= NEWEST_FORMAT:
        yield _damage(
            version, "format-version", "a format version that no Iceberg has", f"1 to {NEWEST_FORMAT}",
            header.format_version, "restore the metadata file, or go back to the version before",
        )  # fmt: skip
    if header.format_version > 1 and not header.table_uuid:
        yield _damage(version, "no-uuid", "the table has no uuid", "table-uuid", "none", "restore the metadata file")


def _twice(version: Version) -> Iterator[Finding]:
    for what in version.twice:
        yield _damage(
            version, "id-twice", f"{plain(what)} is there twice", "ids that differ", what,
            "Iceberg takes one of them: find out which is meant, and restore the metadata file",
        )  # fmt: skip


def _refs(version: Version) -> Iterator[Finding]:
    for name, ref in version.refs.items():
        if ref.snapshot_id not in version.snapshots:
            yield _damage(
                version, "ref-to-nowhere", f"{plain(ref.type)} {plain(name)} points at a snapshot that is not there",
                "a snapshot of the table", ref.snapshot_id,
                "Iceberg refuses to load it: set the ref to a snapshot of an older metadata file, or go back to one",
            )  # fmt: skip
        if ref.type not in ("branch", "tag") or (name == MAIN and ref.type != "branch"):
            yield _damage(
                version, "ref-type", f"{plain(name)} is of a type that it cannot be",
                "branch" if name == MAIN else "branch or tag", plain(ref.type), "correct the type",
            )  # fmt: skip
    yield from _current(version)


def _current(version: Version) -> Iterator[Finding]:
    current, main = version.header.current_snapshot_id, version.refs.get(MAIN)
    if current is not None and current not in version.snapshots and main is None:
        yield _damage(
            version, "ref-to-nowhere", "the current snapshot is not there", "a snapshot of the table", current,
            "go back to the newest metadata file that has it",
        )  # fmt: skip
    if main is not None and current != main.snapshot_id:
        yield _damage(
            version, "main-is-not-current", "the current snapshot and branch main differ",
            f"current-snapshot-id {main.snapshot_id}, as main", current,
            "Iceberg refuses to load it: see which of the two its writer was told of, and set both to that",
        )  # fmt: skip


def _schemas(version: Version) -> Iterator[Finding]:
    header = version.header
    if version.schemas and header.current_schema_id not in version.schemas:
        yield _damage(
            version, "no-current-schema", "the current schema is not there", f"one of {listed(version.schemas)}",
            header.current_schema_id, "set current-schema-id to the schema of the current snapshot",
        )  # fmt: skip
    highest = max((max(ids) for ids in version.schemas.values() if ids), default=0)
    if header.last_column_id is not None and header.last_column_id < highest:
        yield _damage(
            version, "last-column-id", "the next new column takes the id of one that exists",
            f"last-column-id of at least {highest}", header.last_column_id,
            "add no column before last-column-id is raised",
        )  # fmt: skip
    for snapshot in version.snapshots.values():
        if snapshot.schema_id is not None and version.schemas and snapshot.schema_id not in version.schemas:
            yield _damage(
                version, "no-schema-of-snapshot", f"the schema of snapshot {snapshot.snapshot_id} is not there",
                f"one of {listed(version.schemas)}", snapshot.schema_id,
                "time travel to it fails: take the schema back from an older metadata file",
            )  # fmt: skip


def _specs(version: Version) -> Iterator[Finding]:
    header = version.header
    if version.specs and header.default_spec_id not in version.specs:
        yield _damage(
            version, "no-default-spec", "the default partition spec is not there", f"one of {listed(version.specs)}",
            header.default_spec_id, "writers fail: set default-spec-id to one that is there",
        )  # fmt: skip
    known = {id_ for ids in version.schemas.values() for id_ in ids}
    for spec_id, fields in version.specs.items():
        lost = [one.source_id for one in fields if one.source_id is not None and one.source_id not in known]
        if lost and known:
            yield _damage(
                version, "spec-without-column", f"partition spec {spec_id} is made from columns that no schema has",
                "columns of some schema", listed(lost), "take the schema back from an older metadata file",
            )  # fmt: skip
    highest = max((one.field_id for fields in version.specs.values() for one in fields if one.field_id), default=0)
    if header.last_partition_id is not None and header.last_partition_id < highest:
        yield _damage(
            version, "last-partition-id", "the next partition field takes the id of one that exists",
            f"last-partition-id of at least {highest}", header.last_partition_id,
            "change no partition spec before last-partition-id is raised",
        )  # fmt: skip


def _sort_orders(version: Version) -> Iterator[Finding]:
    order = version.header.default_sort_order_id
    if order and version.sort_orders and order not in version.sort_orders:
        yield _damage(
            version, "no-default-sort-order", "the default sort order is not there",
            f"one of {listed(version.sort_orders)}", order, "writers fail: set default-sort-order-id to 0",
        )  # fmt: skip


def _sequence(version: Version) -> Iterator[Finding]:
    if version.header.format_version == 1:
        return
    last = version.header.last_sequence_number
    numbers = Counter(one.sequence_number for one in version.snapshots.values() if one.sequence_number)
    for snapshot in version.snapshots.values():
        number, parent = snapshot.sequence_number, version.snapshots.get(snapshot.parent_snapshot_id or 0)
        if number > last:
            yield _damage(
                version, "sequence-number-ahead", f"snapshot {snapshot.snapshot_id} is ahead of the table",
                f"a sequence number of at most last-sequence-number {last}", number,
                "Iceberg refuses to load it: raise last-sequence-number",
            )  # fmt: skip
        if parent is not None and number <= parent.sequence_number and (number or parent.sequence_number):
            yield _damage(
                version, "sequence-number-back", f"snapshot {snapshot.snapshot_id} is not after its parent",
                f"a sequence number above {parent.sequence_number} of {parent.snapshot_id}", number,
                "deletes apply by these numbers, so rows may be back or gone: compare its rows with its source",
            )  # fmt: skip
    for number, count in numbers.items():
        if count > 1:
            same = [one.snapshot_id for one in version.snapshots.values() if one.sequence_number == number]
            yield _damage(
                version, "sequence-number-twice", f"snapshots {listed(same)} have one sequence number",
                "a number of its own for each", number,
                "deletes of one do not apply to files of the other: compare their rows with their sources",
            )  # fmt: skip


def _times(version: Version) -> Iterator[Finding]:
    for name, log in (("snapshot-log", version.snapshot_log), ("metadata-log", version.metadata_log)):
        times = [entry.timestamp_ms for entry in log]
        if version.header.last_updated_ms is not None:
            times.append(version.header.last_updated_ms)
        back = next((pair for pair in pairwise(times) if pair[1] < pair[0] - SKEW_MS), None)
        if back is not None:
            yield _damage(
                version, "log-out-of-order", f"{name} goes back in time", f"at or after {when(back[0])}", when(back[1]),
                "Iceberg refuses to load it beyond one minute: set the writers' clocks, and correct the entry",
            )  # fmt: skip


def _logs(version: Version) -> Iterator[Finding]:
    unknown = [one.snapshot_id for one in version.snapshot_log if one.snapshot_id not in version.snapshots]
    if unknown:
        yield Finding(
            "log-of-lost-snapshot", UNCLEAR, version.file, "snapshot-log has snapshots that the table has not",
            "snapshots of the table: who expires one removes its entries", listed(unknown),
            "time travel by time fails there: see in an older metadata file what they were",
        )  # fmt: skip
    head = version.head
    if version.snapshot_log and head is not None and version.snapshot_log[-1].snapshot_id != head:
        yield Finding(
            "log-without-current", UNCLEAR, version.file, "snapshot-log does not end with the current snapshot",
            str(head), str(version.snapshot_log[-1].snapshot_id),
            "see who moved main without a log entry: time travel by time shows the other snapshot",
        )  # fmt: skip
    if version.metadata_log and version.metadata_log[-1].metadata_file == version.file:
        yield _damage(
            version, "log-of-itself", "the metadata file logs itself as the one before it", "another file",
            named(version.file), "it was written over the version that it was made from: look for a copy of that",
        )  # fmt: skip


def _rows(version: Version) -> Iterator[Finding]:
    if version.header.format_version < ROW_LINEAGE:
        return
    given = sorted(
        [(first, first + (one.added_rows or 0), one.snapshot_id)
         for one in version.snapshots.values() if (first := one.first_row_id) is not None]
    )  # fmt: skip
    limit = version.header.next_row_id or 0
    for first, end, snapshot in given:
        if end > limit:
            yield _damage(
                version, "row-id-ahead", f"snapshot {snapshot} has row ids that will be given out again",
                f"next-row-id of at least {end}", limit, f"stop writers, and raise next-row-id (rows from {first})",
            )  # fmt: skip
    for (_, end, one), (first, _, other) in pairwise(given):
        if first < end:
            yield _damage(
                version, "row-id-twice", f"snapshots {one} and {other} share row ids",
                f"first-row-id of at least {end}", first, "row lineage is wrong from there: rewrite the files of one",
            )  # fmt: skip


def _statistics(version: Version) -> Iterator[Finding]:
    for one in version.statistics:
        if one.snapshot_id not in version.snapshots:
            yield Finding(
                "statistics-of-nothing", UNCLEAR, one.statistics_path, "statistics of a snapshot that is not there",
                "a snapshot of the table", str(one.snapshot_id), "remove the statistics",
            )  # fmt: skip
