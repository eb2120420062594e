"""What is left of an Iceberg table, as data. Fields are called as the table specification calls them.

Files are named by keys: relative to the table's folder ("metadata/v3.metadata.json"), or whole addresses where they lie
outside of it. Whoever reads a table makes the keys, so that nothing here cares where a table lies.

Source: the table specification, sections on table metadata, snapshots, manifest lists and manifests.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

MAIN = "main"
EXISTING, ADDED, DELETED = 0, 1, 2
DATA, POSITION_DELETES, EQUALITY_DELETES = 0, 1, 2
PUFFIN = "PUFFIN"


@dataclass(frozen=True)
class Snapshot:
    """A snapshot as a metadata file has it; `manifests` are those of a v1 table that has no manifest lists."""

    snapshot_id: int
    timestamp_ms: int
    parent_snapshot_id: int | None = None
    sequence_number: int = 0
    manifest_list: str | None = None
    manifests: list[str] | None = None
    summary: dict[str, str] = field(default_factory=dict)
    schema_id: int | None = None
    first_row_id: int | None = None
    added_rows: int | None = None


@dataclass(frozen=True)
class Ref:
    """A branch or a tag."""

    snapshot_id: int
    type: str


@dataclass(frozen=True)
class SnapshotLogEntry:
    """When a snapshot became the current one."""

    snapshot_id: int
    timestamp_ms: int


@dataclass(frozen=True)
class MetadataLogEntry:
    """A metadata file that was the table's before."""

    metadata_file: str
    timestamp_ms: int


@dataclass(frozen=True)
class PartitionField:
    """A field of a partition spec."""

    source_id: int | None = None
    field_id: int | None = None


@dataclass(frozen=True)
class Statistics:
    """A file of statistics about a snapshot."""

    snapshot_id: int
    statistics_path: str


@dataclass(frozen=True)
class Header:
    """The single values of a metadata file."""

    format_version: int
    table_uuid: str | None = None
    location: str | None = None
    last_updated_ms: int | None = None
    last_column_id: int | None = None
    current_schema_id: int | None = None
    default_spec_id: int | None = None
    last_partition_id: int | None = None
    default_sort_order_id: int | None = None
    current_snapshot_id: int | None = None
    last_sequence_number: int = 0
    next_row_id: int | None = None


@dataclass(frozen=True)
class Version:
    """One metadata file. Args: `schemas` are the ids of all their fields by schema; `number` is that of its name."""

    file: str
    number: int | None
    header: Header
    snapshots: Mapping[int, Snapshot] = field(default_factory=dict)
    refs: Mapping[str, Ref] = field(default_factory=dict)
    schemas: Mapping[int, Collection[int]] = field(default_factory=dict)
    specs: Mapping[int, tuple[PartitionField, ...]] = field(default_factory=dict)
    sort_orders: Collection[int] = ()
    snapshot_log: tuple[SnapshotLogEntry, ...] = ()
    metadata_log: tuple[MetadataLogEntry, ...] = ()
    statistics: tuple[Statistics, ...] = ()
    twice: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)

    @property
    def head(self) -> int | None:
        """The snapshot that readers of the table see."""
        main = self.refs.get(MAIN)
        return self.header.current_snapshot_id if main is None else main.snapshot_id

    @property
    def parent(self) -> str | None:
        """The metadata file that this one was made from, by its own log."""
        return self.metadata_log[-1].metadata_file if self.metadata_log else None


class ManifestRow(NamedTuple):
    """What a manifest list says of a manifest. Counts are None where it says none (v1)."""

    path: str
    length: int
    spec_id: int
    sequence_number: int
    min_sequence_number: int
    added_snapshot_id: int | None
    added: int | None
    existing: int | None
    deleted: int | None


class Entry(NamedTuple):
    """A file in a manifest, with what it inherits from the manifest's row."""

    status: int
    snapshot_id: int | None
    sequence_number: int | None
    file_sequence_number: int | None
    content: int
    path: str
    format: str
    records: int
    size: int
    referenced: str | None = None

    @property
    def is_live(self) -> bool:
        """Whether it belongs to the table as of the manifest's snapshot."""
        return self.status != DELETED


class Stored(NamedTuple):
    """A file that is there: its bytes, and when it was written, in milliseconds since 1970."""

    size: int
    written_ms: int


class Defect(NamedTuple):
    """Something that could not be read: a file, or a place in it, such as `snapshots[3].snapshot-id`."""

    file: str
    place: str
    expected: str
    got: str


class Attempt(NamedTuple):
    """What the manifest list of a snapshot that no metadata file has says of it."""

    file: str
    snapshot_id: int
    parent_snapshot_id: int | None
    sequence_number: int | None


@dataclass(frozen=True)
class Remains:
    """All that was read of a table.

    Args: `current` is the metadata file that the table stands at; `pointer` says who says so: "catalog", "hint" (of a
    Hadoop table), "user", or "guess". `versions` are the metadata files that can be read; `unread` how many older ones
    were left out. `lists` are manifest lists by snapshot, `manifests` their files by manifest. `absent` are files that
    something refers to and that are not there. `files` are all files in the table's folder, None if it cannot be
    listed. `attempts` are manifest lists of snapshots that no metadata file has. `broken` is the
    file that the table really stands at, if it cannot be read: `current` is then the newest version that can. `notes`
    say what nobody could look at. Without any `versions`, `current` is "".
    """

    current: str
    pointer: str
    versions: Mapping[str, Version]
    unread: int = 0
    lists: Mapping[int, tuple[ManifestRow, ...]] = field(default_factory=dict)
    manifests: Mapping[str, tuple[Entry, ...]] = field(default_factory=dict)
    defects: tuple[Defect, ...] = ()
    absent: frozenset[str] = frozenset()
    files: Mapping[str, Stored] | None = None
    attempts: tuple[Attempt, ...] = ()
    broken: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def version(self) -> Version:
        """The metadata file that the table stands at."""
        return self.versions[self.current]
