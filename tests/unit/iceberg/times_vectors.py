"""Runs the vectors of `tests/vectors/iceberg_times.json`: a table whose snapshots have ages, and one change by age.

`ages` are hours before now, one for each snapshot, negative ones by a clock that is ahead; `parents` are places of
snapshots, by default the one before. `refs` point to places; `properties` are the table's. The change: `expire`
(`all_but` so many, whatever their age), or `back_to` an age, with `meanwhile` the place to which another client sets
main before the commit. Whose expiry says only `ids` tells nothing of ages.
"""

import json
from collections.abc import Mapping
from typing import Any

from model.iceberg.clock_rule import EPOCH_MS, HOUR_MS
from model.iceberg.errors import IcebergError
from model.iceberg.expire import ExpireSnapshots
from model.iceberg.manage import manage
from model.iceberg.metadata import RefRetention, Snapshot, TableMetadata
from model.iceberg.references import SetSnapshot, UpdateReferences
from model.iceberg.roll_back_to_time import RollBackToTime
from model.iceberg.table import IcebergTable
from model.iceberg.table_properties import TableProperties
from model.iceberg.tables import create_table, open_table
from model.iceberg.transaction import Transaction
from tests.unit.iceberg.direct_world import Services, actor
from tests.unit.iceberg.vector_files import FOLDER

VECTORS: list[dict[str, Any]] = json.loads((FOLDER / "iceberg_times.json").read_text(encoding="utf-8"))
BY_NAME = {vector["name"]: vector for vector in VECTORS}
NOW_MS = EPOCH_MS
AGES = {"keep": "min_snapshots_to_keep", "max_snapshot_age": "max_snapshot_age_ms", "max_ref_age": "max_ref_age_ms"}


def parents(vector: dict[str, Any]) -> list[int | None]:
    """The place of each snapshot's parent."""
    return vector.get("parents") or [None, *range(len(vector["ages"]) - 1)]


def in_units(ref: dict[str, Any]) -> dict[str, int]:
    """What a ref says about ages, by the names of its fields, in milliseconds."""
    return {field: int(ref[key] * (1 if key == "keep" else HOUR_MS)) for key, field in AGES.items() if key in ref}


def said(fields: Mapping[str, Any]) -> dict[str, float]:
    """What a ref says about ages, as a vector says it."""
    units = {"keep": 1, "max_snapshot_age": HOUR_MS, "max_ref_age": HOUR_MS}
    return {key: fields[field] / units[key] for key, field in AGES.items() if fields.get(field) is not None}


def run(vector: dict[str, Any]) -> dict[str, Any]:
    """The error, the places of the snapshots that are left, and where refs point."""
    services = Services(tables={"t": {}})
    world = actor(services, "w1", 1)
    table = create_table(world, "t", catalog="java-api")
    ids = _fill(table, vector)
    error = None
    try:
        _change(table, vector, open_table(actor(services, "w2", 2), "t", catalog="java-api"), ids)
    except IcebergError as refused:
        error = type(refused).__name__
    left = open_table(actor(services, "r1", 3), "t", catalog="java-api").ops.refresh()
    return {
        "error": error,
        "left": [ids.index(each.snapshot_id) for each in left.snapshots],
        "refs": {name: ids.index(target) for name, target in left.refs},
        "says": {each.name: told for each in left.retentions if (told := said(each._asdict()))},
    }


def _fill(table: IcebergTable, vector: dict[str, Any]) -> list[int]:
    base, main = table.ops.refresh(), vector["refs"]["main"]["at"]
    ids = [100 + place for place in range(len(vector["ages"]))]
    snapshots = []
    for place, (age, parent) in enumerate(zip(vector["ages"], parents(vector), strict=True)):
        path = f"t/metadata/list-{place}"
        table.world.store.put(path, ())
        above = None if parent is None else ids[parent]
        snapshots.append(Snapshot(ids[place], above, place + 1, "append", path, (), NOW_MS - int(age * HOUR_MS)))
    refs = {name: ids[ref["at"]] for name, ref in sorted(vector["refs"].items())}
    table.ops.commit(
        TableMetadata(
            base.uuid,
            last_sequence_number=len(ids),
            snapshots=tuple(snapshots),
            current_snapshot_id=refs["main"],
            refs=tuple(refs.items()),
            snapshot_log=(refs["main"],),
            tags=tuple([name for name in refs if vector["refs"][name].get("tag")]),
            retentions=tuple([RefRetention(name, **in_units(vector["refs"][name])) for name in refs]),
            last_updated_ms=max(NOW_MS, snapshots[main].timestamp_ms),
            properties=TableProperties(further=tuple(sorted(vector.get("properties", {}).items()))),
        )
    )
    return ids


def _change(table: IcebergTable, vector: dict[str, Any], other: IcebergTable, ids: list[int]) -> None:
    if "expire" in vector:
        given = vector["expire"]
        update = ExpireSnapshots(table)
        older = given.get("older_than")
        if "all_but" in given:
            update.age_out(given["all_but"])
        elif given.keys() & {"older_than", "keep"} or "ids" not in given:
            update.expire_older_than(None if older is None else NOW_MS - older * HOUR_MS, given.get("keep"))
        for place in given.get("ids", ()):
            update.expire_snapshot_id(ids[place])
        update.commit()
        return
    if "retain" in vector:
        given = vector["retain"]
        retention = RefRetention(given["ref"], **in_units(given))
        manage(table, lambda at: UpdateReferences(at).retain(retention))
        return
    transaction = Transaction(table)
    back = RollBackToTime(transaction.table(), NOW_MS - vector["back_to"] * HOUR_MS)
    transaction.add(back)
    back.commit()
    if "meanwhile" in vector:
        manage(other, lambda at: SetSnapshot(at, ids[vector["meanwhile"]], anywhere=True))
    transaction.commit()


def mismatches(vector: dict[str, Any]) -> list[str]:
    """Where a run differs from the vector's expectations."""
    got = run(vector)
    expected = {"error": None} | vector["expect"]
    return [f"{key}: expected {value}, got {got[key]}" for key, value in expected.items() if got[key] != value]
