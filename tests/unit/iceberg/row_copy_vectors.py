"""Runs the vectors of `tests/vectors/iceberg_row_copies.json`: the row ids that Spark SQL keeps, in tables of format 3.

`before` says what was done to the table, `writers` what each session sends then, `schedule` who goes when. Expected are
each session's outcomes, and the rows: id column, value, and the numbers of the commits that gave its row id and that
changed it last.
"""

import json
from typing import Any

from sim.iceberg.kept_ids import given_by, identified
from sim.iceberg.left import taken_by
from sim.iceberg.scenarios import race
from sim.iceberg.workload import FORMAT
from sim.kernel.schedule import steps_of
from sim.search.run import Runner
from sim.world.scenario import Scenario
from tests.unit.iceberg.spec_vectors import rows_of
from tests.unit.iceberg.sql_spec_vectors import YIELD_POINTS, before_of, outcomes_of, statement_of
from tests.unit.iceberg.vector_files import FOLDER

VECTORS: list[dict[str, Any]] = json.loads((FOLDER / "iceberg_row_copies.json").read_text(encoding="utf-8"))
BY_NAME = {vector["name"]: vector for vector in VECTORS}


def scenario_of(vector: dict[str, Any]) -> Scenario:
    """Its sessions, beside each other."""
    writers = {name: [statement_of(one) for one in todo] for name, todo in vector["writers"].items()}
    return race(
        vector["name"], "", writers, rows=rows_of(vector["rows"]), mode=vector["mode"],
        history=tuple([before_of(one) for one in vector.get("before", ())]), partition_width=vector.get("width", 0),
        table_properties=((FORMAT, vector.get("format", "3")),), properties=("readable",),
    )  # fmt: skip


def run(vector: dict[str, Any]) -> dict[str, Any]:
    """What the model does."""
    played = Runner(scenario_of(vector), yield_points=YIELD_POINTS).play(steps_of(vector["schedule"]))
    metadata, taken = played.left.metadata, taken_by(played.left.metadata)
    found = identified(played.left.objects, metadata.current)
    rows = sorted([[*row, given_by(row_id, taken), last] for row, row_id, last in found])
    return {"outcomes": outcomes_of(vector, played), "rows": rows}
