"""A metadata file: its bytes to a `Version`, and what of it could not be read."""

import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pydantic_core import from_json

from checkers.iceberg.autopsy.records import (
    Defect,
    Header,
    MetadataLogEntry,
    PartitionField,
    Ref,
    Snapshot,
    SnapshotLogEntry,
    Statistics,
    Version,
)
from real_backend.iceberg.autopsy.fields import Fields
from real_backend.iceberg.autopsy.store import MAX_BYTES, Store

METADATA_FILE = re.compile(r"(?:v(\d{1,18})|(\d{1,18})-.*|.*)(?:\.gz)?\.metadata\.json(?:\.gz)?", re.DOTALL)
Known = dict[int, tuple[dict[str, Any], Snapshot]]
GZIP = b"\x1f\x8b"
DEEPEST = 200
"""How many types may be nested in each other before a schema is called unreadable."""


def is_metadata(key: str) -> bool:
    """Whether a file is called like a metadata file."""
    return METADATA_FILE.fullmatch(key.rpartition("/")[2]) is not None


def number_of(key: str) -> int | None:
    """The number of a version, as its file's name says."""
    found = METADATA_FILE.fullmatch(key.rpartition("/")[2])
    digits = (found[1] or found[2]) if found else None
    return int(digits) if digits else None


def parse(body: bytes, key: str, store: Store, known: Known | None = None) -> tuple[Version | None, list[Defect]]:
    """The version that a file has; None if it has none.

    Args: `known` has the snapshots of versions that were read before, and takes those of this one.
    """
    fields = Fields(key)
    try:
        data = from_json(_unpacked(body, key))
    except (ValueError, zlib.error, RecursionError) as error:
        fields.wrong("", "a JSON object", _Said(f"{len(body):,} bytes: {error}"))
        return None, fields.defects
    if not isinstance(data, dict):
        fields.wrong("", "a JSON object", data)
        return None, fields.defects
    header = fields.record(Header, data, "")
    if header is None:
        return None, fields.defects
    return _version(fields, data, header, store, {} if known is None else known), fields.defects


class _Said(str):
    """Text that stands for itself, without quotes."""

    def __repr__(self) -> str:
        return str(self)


def _unpacked(body: bytes, key: str) -> bytes:
    named_gz = ".gz" in key.rpartition("/")[2]
    if body.startswith(GZIP) != named_gz:
        raise ValueError("gzip, which its name does not say" if not named_gz else "no gzip, which its name says")
    if not named_gz:
        return body
    unpack = zlib.decompressobj(wbits=31)
    text = unpack.decompress(body, MAX_BYTES)
    if not unpack.eof:
        raise ValueError("gzip that is cut off")
    return text


def _version(fields: Fields, data: dict[str, Any], header: Header, store: Store, known: Known) -> Version:
    if header.current_snapshot_id == -1:  # older writers' "none"
        header = replace(header, current_snapshot_id=None)
    twice: list[str] = []
    snapshots = {}
    for place, one in _snapshots(fields, data, store, known):
        if one.snapshot_id in snapshots:
            twice.append(f"snapshot {one.snapshot_id} ({place})")
        snapshots[one.snapshot_id] = one
    return Version(
        fields.file, number_of(fields.file), header, snapshots, dict(_refs(fields, data)),
        schemas=dict(_schemas(fields, data, twice)), specs=dict(_specs(fields, data, twice)),
        sort_orders=[id_ for place, order in fields.objects(data, "sort-orders")
                     if (id_ := fields.whole(order, "order-id", place)) is not None],
        snapshot_log=tuple([one for _, one, _ in fields.records(SnapshotLogEntry, data, "snapshot-log")]),
        metadata_log=tuple(_log(fields, data, store)), statistics=tuple(_statistics(fields, data, store)),
        twice=tuple(twice), properties=_properties(fields, data),
    )  # fmt: skip


def _snapshots(fields: Fields, data: dict[str, Any], store: Store, known: Known) -> Iterator[tuple[str, Snapshot]]:
    """The snapshots and their places. Versions share most of theirs: one that is known alike is not read again."""
    for place, item in fields.objects(data, "snapshots"):
        id_, defects = item.get("snapshot-id"), len(fields.defects)
        before = known.get(id_) if type(id_) is int else None
        if before is not None and before[0] == item:
            yield place, before[1]
            continue
        one = fields.record(Snapshot, item, place)
        if one is None:
            continue
        if one.manifest_list is not None:
            one = replace(one, manifest_list=store.key(one.manifest_list))
        if len(fields.defects) == defects:
            known[one.snapshot_id] = item, one
        yield place, one


def _refs(fields: Fields, data: dict[str, Any]) -> Iterator[tuple[str, Ref]]:
    refs = data.get("refs")
    if refs is not None and not isinstance(refs, dict):
        fields.wrong("refs", "an object", refs)
        return
    for name, value in (refs or {}).items():
        ref = fields.record(Ref, value, f"refs.{name}")
        if ref is not None:
            yield name, ref


def _schemas(fields: Fields, data: dict[str, Any], twice: list[str]) -> Iterator[tuple[int, frozenset[int]]]:
    if "schemas" not in data and isinstance(data.get("schema"), dict):  # v1 may have one only
        data = {"schemas": [{"schema-id": 0, **data["schema"]}]}
    seen = set()
    for place, schema in fields.objects(data, "schemas"):
        id_ = fields.whole({"schema-id": 0, **schema}, "schema-id", place)
        if id_ is None:
            continue
        if id_ in seen:
            twice.append(f"schema {id_}")
        seen.add(id_)
        try:
            yield id_, frozenset(_field_ids(schema, 0))
        except RecursionError:
            fields.wrong(place, f"types nested at most {DEEPEST} deep", _Said("deeper ones"))


def _field_ids(node: Any, depth: int) -> Iterator[int]:
    """The ids of all fields of a schema, nested ones too."""
    if depth > 2 * DEEPEST:
        raise RecursionError
    if isinstance(node, list):
        for item in node:
            yield from _field_ids(item, depth + 1)
    elif isinstance(node, dict):
        yield from (
            value for name in ("id", "element-id", "key-id", "value-id") if type(value := node.get(name)) is int
        )
        for name in ("fields", "type", "element", "key", "value"):
            yield from _field_ids(node.get(name), depth + 1)


def _specs(fields: Fields, data: dict[str, Any], twice: list[str]) -> Iterator[tuple[int, tuple[PartitionField, ...]]]:
    if "partition-specs" not in data and isinstance(data.get("partition-spec"), list):
        data = {"partition-specs": [{"spec-id": 0, "fields": data["partition-spec"]}]}
    seen = set()
    for place, spec in fields.objects(data, "partition-specs"):
        id_ = fields.whole(spec, "spec-id", place)
        if id_ is None:
            continue
        if id_ in seen:
            twice.append(f"partition spec {id_}")
        seen.add(id_)
        yield id_, tuple([one for _, one, _ in fields.records(PartitionField, spec, "fields")])


def _log(fields: Fields, data: dict[str, Any], store: Store) -> Iterator[MetadataLogEntry]:
    for _, one, _ in fields.records(MetadataLogEntry, data, "metadata-log"):
        yield MetadataLogEntry(store.key(one.metadata_file), one.timestamp_ms)


def _statistics(fields: Fields, data: dict[str, Any], store: Store) -> Iterator[Statistics]:
    for name in ("statistics", "partition-statistics"):
        for _, one, _ in fields.records(Statistics, data, name):
            yield Statistics(one.snapshot_id, store.key(one.statistics_path))


def _properties(fields: Fields, data: dict[str, Any]) -> dict[str, str]:
    properties = data.get("properties")
    if properties is not None and not isinstance(properties, dict):
        fields.wrong("properties", "an object", properties)
        return {}
    return {name: str(value) for name, value in (properties or {}).items()}
