"""Runs the vectors of `tests/vectors/iceberg_sql_branches.json`: INSERT of Spark SQL into a branch. They say what those
of `iceberg_sql_specs.json` say, and the rows of each ref but main."""

import json
from typing import Any

from sim.iceberg.heads import rows_of_refs
from sim.kernel.schedule import steps_of
from sim.search.run import Runner
from tests.unit.iceberg import sql_spec_vectors
from tests.unit.iceberg.sql_spec_vectors import YIELD_POINTS, scenario_of
from tests.unit.iceberg.vector_files import FOLDER

VECTORS: list[dict[str, Any]] = json.loads((FOLDER / "iceberg_sql_branches.json").read_text(encoding="utf-8"))
BY_NAME = {vector["name"]: vector for vector in VECTORS}


def run(vector: dict[str, Any]) -> dict[str, Any]:
    """What the model does."""
    left = Runner(scenario_of(vector), yield_points=YIELD_POINTS).play(steps_of(vector["schedule"])).left
    return {**sql_spec_vectors.run(vector), "refs": rows_of_refs(dict(left.objects), left.metadata)}
