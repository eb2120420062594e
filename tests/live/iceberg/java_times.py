"""Plays vectors of ages on the real Iceberg (`tests.unit.iceberg.times_vectors`): its metadata are made of snapshots
with the times that the vector tells, and no file is written or deleted.

Ages count from the JVM's clock; they are hours, and the answer takes seconds. What is exactly as old as asked for is so
by the time that is asked for, which both sides take from one number.
"""

import json
from typing import Any

from model.iceberg.clock_rule import HOUR_MS
from model.iceberg.metadata import MAIN
from real_backend.iceberg.java_managing import FAR_FUTURE_MS
from real_backend.jvm.java_errors import describe
from real_backend.jvm.jvm import Jvm
from tests.live.iceberg.java_vectors import MODEL_NAMES, PROPERTIES, SCHEMA
from tests.unit.iceberg.times_vectors import in_units, parents, said

SETTERS = {
    "min_snapshots_to_keep": "setMinSnapshotsToKeep",
    "max_snapshot_age_ms": "setMaxSnapshotAgeMs",
    "max_ref_age_ms": "setMaxRefAgeMs",
}


class JavaTimes:
    """A catalog in memory; each vector gets a table of its own."""

    def __init__(self, jvm: Jvm) -> None:
        self._jvm, self._iceberg = jvm, jvm.iceberg
        self._catalog = self._iceberg.inmemory.InMemoryCatalog()
        self._catalog.initialize("times", jvm.java_map({}))
        self._catalog.createNamespace(self._iceberg.catalog.TableIdentifier.parse("db.t").namespace())

    def play(self, vector: dict[str, Any]) -> dict[str, Any]:
        """What the model's `times_vectors.run` tells."""
        identifier = self._iceberg.catalog.TableIdentifier.parse(f"db.{vector['name']}")
        schema = self._iceberg.SchemaParser.fromJson(SCHEMA)
        spec = self._iceberg.PartitionSpec.unpartitioned()
        self._catalog.createTable(identifier, schema, spec, self._jvm.java_map(PROPERTIES))
        now = int(self._jvm.java.java.lang.System.currentTimeMillis())
        self._fill(self._catalog.loadTable(identifier), vector, now)
        error = None
        try:
            self._change(identifier, vector, now)
        except Exception as refused:
            name = describe(refused).split(":", 1)[0]
            error = MODEL_NAMES.get(name, name)
        left = self._catalog.loadTable(identifier)
        refs = left.refs()
        return {
            "error": error,
            "left": sorted(int(each.snapshotId()) - 100 for each in left.snapshots()),
            "refs": {name: int(refs[name].snapshotId()) - 100 for name in sorted(map(str, refs))},
            "says": {name: told for name in map(str, refs) if (told := _said(refs[name]))},
        }

    def _fill(self, table: Any, vector: dict[str, Any], now: int) -> None:
        """By the metadata's JSON: a builder would not take what is ahead of this clock."""
        base, parser = table.operations().current(), self._iceberg.TableMetadataParser
        told: dict[str, Any] = json.loads(str(parser.toJson(base)))
        times = [now - int(age * HOUR_MS) for age in vector["ages"]]
        main = vector["refs"][MAIN]["at"]
        told |= {"snapshots": [], "current-snapshot-id": 100 + main, "last-sequence-number": len(times)}
        told |= {"last-updated-ms": max(now, times[main])}
        told["properties"] |= vector.get("properties", {})
        told |= {"snapshot-log": [{"snapshot-id": 100 + main, "timestamp-ms": times[main]}]}
        told |= {"refs": {name: _ref(ref) for name, ref in vector["refs"].items()}}
        for place, parent in enumerate(parents(vector)):
            one: dict[str, Any] = {"snapshot-id": 100 + place, "sequence-number": place + 1, "schema-id": 0}
            one |= {"timestamp-ms": times[place], "manifest-list": f"memory:/list-{place}"}
            one |= {"summary": {"operation": "append"}}
            told["snapshots"].append(one | ({} if parent is None else {"parent-snapshot-id": 100 + parent}))
        table.operations().commit(base, parser.fromJson(json.dumps(told)))

    def _change(self, identifier: Any, vector: dict[str, Any], now: int) -> None:
        table = self._catalog.loadTable(identifier)
        if "expire" in vector:
            given = vector["expire"]
            update = table.expireSnapshots().cleanExpiredFiles(False)
            if "all_but" in given:
                update = update.expireOlderThan(FAR_FUTURE_MS).retainLast(given["all_but"])
            if "older_than" in given:
                update = update.expireOlderThan(now - given["older_than"] * HOUR_MS)
            if "keep" in given:
                update = update.retainLast(given["keep"])
            for place in given.get("ids", ()):
                update = update.expireSnapshotId(100 + place)
            update.commit()
            return
        if "retain" in vector:
            given, managing = vector["retain"], table.manageSnapshots()
            for field, value in in_units(given).items():
                managing = getattr(managing, SETTERS[field])(given["ref"], value)
            managing.commit()
            return
        back = table.manageSnapshots().rollbackToTime(now - vector["back_to"] * HOUR_MS)
        if "meanwhile" in vector:
            other = self._catalog.loadTable(identifier)
            other.manageSnapshots().setCurrentSnapshot(100 + vector["meanwhile"]).commit()
        back.commit()


def _said(ref: Any) -> dict[str, float]:
    """What a ref of Java's says about ages."""
    return said({field: getattr(ref, setter[3].lower() + setter[4:])() for field, setter in SETTERS.items()})


def _ref(ref: dict[str, Any]) -> dict[str, Any]:
    """A ref as the metadata's JSON has it."""
    ages = {field.replace("_", "-"): value for field, value in in_units(ref).items()}
    return {"snapshot-id": 100 + ref["at"], "type": "tag" if ref.get("tag") else "branch"} | ages
