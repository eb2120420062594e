"""Runs the vectors of `tests/vectors/iceberg_incremental.json`: what a consumer is told of the commits since it began.

`before` is done to the table before the race, `steps` by one writer; then a consumer reads appends, and changes, or all
rows `at` a ref, or so many commits behind main's head of before the race, or as of so many `hours` before it, where its
snapshots have `ages`.
Expected is what it is told in words, or the error's name.
"""

import json
from typing import Any

from checkers.iceberg.consumers import CONSUMER_CHECKS
from sim.iceberg.incremental import ReadAt, ReadSince
from sim.iceberg.managing import AppendTo, CreateRef, Expire, RemoveRef, RollBack
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
        case ["append-to", branch, rows]:
            return AppendTo(branch, rows_of(rows))
        case ["tag", name, back]:
            return CreateRef(name, tag=True, back=back)
        case ["remove-tag", name]:
            return RemoveRef(name, tag=True)
        case ["cluster"]:
            return ClusterManifests("all")
    return usual_step_of(told)


def scenario_of(vector: dict[str, Any]) -> Scenario:
    """A writer, and a consumer who reads both ways."""
    steps = [step_of(step) for step in vector["steps"]]
    reads: list[Statement] = [ReadSince("appends"), ReadSince("changes")]
    if "at" in vector:
        reads = [ReadAt(ref=vector["at"]) if isinstance(vector["at"], str) else ReadAt(back=vector["at"])]
    if "hours" in vector:
        reads = [ReadAt(age_h=vector["hours"])]
    writers: dict[str, list[Statement]] = {"w1": steps, CONSUMER: reads}
    validated = not any(isinstance(step, Overwrite) for step in steps)  # it asks for no validation
    asked = ("readable", *[name for name in CONSUMER_CHECKS if validated or name != "news-are-whole"])
    before = tuple([step_of(step) for step in vector.get("before", ())])
    return race(
        vector["name"],
        "",
        writers,
        catalog="java-api",
        history=before,
        ages_h=tuple(vector.get("ages", ())),
        properties=asked,
    )


def told(run: Run) -> dict[str, str]:
    """What the reader was told, each way."""
    done = [event for event in run.events if event.process == CONSUMER and event.type != "invoke"]
    words = [(event.error or "").split(":")[0] or event.arg or "" for event in done]
    return dict(zip(WAYS if len(words) == len(WAYS) else ("at",), words, strict=True))


def mismatches(vector: dict[str, Any]) -> list[str]:
    """Where a run differs from the vector's expectations: the writer first, then the reader."""
    got, expected = told(Runner(scenario_of(vector)).play(())), vector["expect"]
    return [f"{way}: expected {expected[way]}, got {got.get(way)}" for way in expected if got.get(way) != expected[way]]
