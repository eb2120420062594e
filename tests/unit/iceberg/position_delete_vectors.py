"""Runs the vectors of `tests/vectors/iceberg_position_deletes.json`: `rewrite_position_delete_files` of Spark.

`before` says what was done to the table, `writers` what each session sends then, `schedule` who goes when, and `order`,
where no two statements overlap, whose next statement is sent. Expected are each session's outcomes, the rows, the
operations of the snapshots, and the delete files: which positions of how many are deleted in a data file, or in one
that is gone.
"""

import json
from collections.abc import Collection, Mapping
from typing import Any

from model.iceberg.files import DELETED, DataFile, DeleteFile
from model.iceberg.metadata import TableMetadata
from sim.iceberg.managing import Expire, Managing
from sim.iceberg.race import READER
from sim.iceberg.scenarios import race
from sim.iceberg.workload import RewritePositionDeletes, Sql
from sim.kernel.schedule import steps_of
from sim.search.run import Runner
from sim.world.scenario import Scenario
from tests.unit.iceberg.spec_vectors import rows_of
from tests.unit.iceberg.sql_spec_vectors import YIELD_POINTS, before_of, outcomes_of, statement_of
from tests.unit.iceberg.vector_files import FOLDER

VECTORS: list[dict[str, Any]] = json.loads((FOLDER / "iceberg_position_deletes.json").read_text(encoding="utf-8"))
BY_NAME = {vector["name"]: vector for vector in VECTORS}


def _sent(told: list[Any]) -> Sql | Managing:
    match told:
        case ["rewrite deletes"]:
            return RewritePositionDeletes()
        case ["expire", keep]:
            return Expire(keep)
    return statement_of(told)


def scenario_of(vector: dict[str, Any]) -> Scenario:
    """Its sessions, beside each other."""
    writers = {name: [_sent(one) for one in todo] for name, todo in vector["writers"].items()}
    return race(
        vector["name"], "", writers, rows=rows_of(vector["rows"]), update_mode=vector.get("update_mode"),
        history=tuple([before_of(one) for one in vector["before"]]), partition_width=vector.get("width", 0),
        cached=tuple(vector.get("cached", ())), properties=("readable",),
    )  # fmt: skip


def deletes_words(positions: Collection[int], records: int | None, number: int, *, is_vector: bool) -> str:
    """What is deleted in a data file by one delete file. Args: `records`: how many it has (None: it is gone)."""
    gone = ", ".join(map(str, sorted(positions)))
    of = "of nothing" if records is None else f"of {records}"
    return f"{'vector' if is_vector else 'file'} of {gone} {of}, number {number}"


def deletes_of(objects: Mapping[str, Any], metadata: TableMetadata) -> list[str]:
    """The words for the delete files of the model's table."""
    assert metadata.current is not None
    manifests = objects[metadata.current.manifest_list]
    live = [(one, entry) for one in manifests for entry in objects[one.path] if entry.status != DELETED]
    records = {entry.file.path: entry.file.record_count for _, entry in live if isinstance(entry.file, DataFile)}
    told = []
    for manifest, entry in live:
        if isinstance(entry.file, DeleteFile):
            of, is_vector = entry.file.lower, entry.file.is_vector
            number = manifest.sequence_number if entry.sequence_number is None else entry.sequence_number
            at = [position for path, position in objects[entry.location] if path == of]
            told.append(deletes_words(at, records.get(of), number, is_vector=is_vector))
    return sorted(told)


def run(vector: dict[str, Any]) -> dict[str, Any]:
    """What the model does."""
    played = Runner(scenario_of(vector), yield_points=YIELD_POINTS).play(steps_of(vector["schedule"]))
    final = next(event for event in played.events if event.process == READER and event.type != "invoke")
    rows = sorted([int(read.key.removeprefix("row:")), read.value] for read in final.reads if read.value is not None)
    metadata = played.left.metadata
    return {
        "outcomes": outcomes_of(vector, played), "rows": rows,
        "operations": [snapshot.operation for snapshot in metadata.snapshots],
        "deletes": deletes_of(played.left.objects, metadata),
    }  # fmt: skip
