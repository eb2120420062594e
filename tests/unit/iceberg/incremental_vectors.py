"""Runs the vectors of `tests/vectors/iceberg_incremental.json`: what a consumer is told of the commits since it began.

`before` is done to the table before the race, `steps` by one writer; then a consumer reads appends, and changes.
Expected is what it is told in words, or the error's name.
"""

import json
from typing import Any

from sim.iceberg.incremental import ReadSince
from sim.iceberg.managing import Expire, RollBack
from sim.iceberg.manifests import ClusterManifests
from sim.iceberg.scenarios import race
from sim.iceberg.statements import Overwrite, RemoveWhere, Statement
from sim.search.run import Run, Runner
from sim.world.scenario import Scenario
from tests.unit.iceberg.spec_vectors import rows_of
from tests.unit.iceberg.spec_vectors import step_of as usual_step_of
from tests.unit.iceberg.vector_files import FOLDER

VECTORS: list[dict[str, Any]] = json.loads((FOLDER / "iceberg_incremental.json").read_text(encoding="utf-8"))
BY_NAME = {vector["name"]: vector for vector in VECTORS}
CONSUMER, WAYS = "r1", ("appends", "changes")


def step_of(told: list[Any]) -> Statement:
    """The statement that a vector names."""
    match told:
        case ["overwrite", rows]:
            return Overwrite(rows_of(rows))
        case ["remove-where", *ids]:
            return RemoveWhere(tuple(ids))
        case ["expire", keep]:
            return Expire(keep)
        case ["roll-back", back]:
            return RollBack(back)
        case ["cluster"]:
            return ClusterManifests("all")
    return usual_step_of(told)


def scenario_of(vector: dict[str, Any]) -> Scenario:
    """A writer, and a consumer who reads both ways."""
    steps = [step_of(step) for step in vector["steps"]]
    writers: dict[str, list[Statement]] = {"w1": steps, CONSUMER: [ReadSince("appends"), ReadSince("changes")]}
    before = tuple([step_of(step) for step in vector.get("before", ())])
    return race(vector["name"], "", writers, catalog="java-api", history=before, properties=("readable",))


def told(run: Run) -> dict[str, str]:
    """What the consumer was told, each way."""
    done = [event for event in run.events if event.process == CONSUMER and event.type != "invoke"]
    words = [(event.error or "").split(":")[0] or event.arg or "" for event in done]
    return dict(zip(WAYS, words, strict=True))


def mismatches(vector: dict[str, Any]) -> list[str]:
    """Where a run differs from the vector's expectations: the writer first, then the consumer."""
    got = told(Runner(scenario_of(vector)).play(()))
    return [
        f"{way}: expected {vector['expect'][way]}, got {got[way]}" for way in WAYS if got[way] != vector["expect"][way]
    ]
