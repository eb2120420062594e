"""The versions of a live table that has times, as far as it takes to say what was not kept (`sim.iceberg.retained`)."""

import json
from collections.abc import Mapping
from typing import Any

from model.iceberg.metadata import RefRetention, Snapshot, TableMetadata
from model.iceberg.table_properties import TableProperties
from real_backend.jvm.jvm import Jvm
from sim.iceberg.retained import Writers, named_by, unkept
from sim.iceberg.seen import snapshots_of


class Versions:
    """Notes each version that is committed."""

    def __init__(self, jvm: Jvm) -> None:
        self._parser = jvm.iceberg.TableMetadataParser
        self.noted: list[TableMetadata] = []

    def note(self, metadata: Any) -> None:
        """The table is this now (Java's)."""
        self.noted.append(version_of(json.loads(str(self._parser.toJson(metadata)))))

    def unkept(self, writers: Writers) -> list[str]:
        """What of them was not kept, as sentences."""
        named = named_by(writers, snapshots_of(self.noted[0])) if self.noted else ()
        return unkept(self.noted, named)


def version_of(told: Mapping[str, Any]) -> TableMetadata:
    """Snapshots, refs, what these and the table say of ages, and the time. Args: `told`: metadata in its JSON form."""
    refs = dict(sorted(told["refs"].items()))
    return TableMetadata(
        0,
        snapshots=tuple([_snapshot(each) for each in told["snapshots"]]),
        current_snapshot_id=told.get("current-snapshot-id"),
        refs=tuple([(name, ref["snapshot-id"]) for name, ref in refs.items()]),
        tags=tuple([name for name, ref in refs.items() if ref["type"] == "tag"]),
        retentions=tuple([retention_in(name, ref) for name, ref in refs.items()]),
        last_updated_ms=told["last-updated-ms"],
        properties=TableProperties(further=tuple(sorted(told.get("properties", {}).items()))),
    )


def retention_in(name: str, ref: Mapping[str, Any]) -> RefRetention:
    """What a ref says about ages, in the metadata's JSON form."""
    return RefRetention(name, *[ref.get(field.replace("_", "-")) for field in RefRetention._fields[1:]])


def _snapshot(told: Mapping[str, Any]) -> Snapshot:
    """Source: `SnapshotParser`: in format 1 without a sequence number."""
    return Snapshot(
        told["snapshot-id"], told.get("parent-snapshot-id"), told.get("sequence-number", 0),
        told["summary"]["operation"], "", timestamp_ms=told["timestamp-ms"],
    )  # fmt: skip
