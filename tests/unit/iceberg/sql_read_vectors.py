"""Runs the vectors of `tests/vectors/iceberg_sql_reads.json`: what Spark SQL reads that is not current.

`before` is done to the table before the race, `steps` by w1, who writes; r1 makes the `reads`, one after the other:
["at", a ref, or so many commits behind main's head of before the race, by what], ["time", how many hours before the
race, by what], ["since", what, from how far back, until when]; the schedule says when. `ages`: of the snapshots, oldest
first, in hours. Expected is what each read is told in words, or the error's name.
"""

import json
from typing import Any

from sim.iceberg.ages import ExpireOlder, RollBackToTime
from sim.iceberg.incremental import ReadAt, ReadSince
from sim.iceberg.managing import CreateRef, Expire, MoveBranch, RemoveRef, ReplaceRef, RollBack
from sim.iceberg.scenarios import race
from sim.iceberg.workload import Delete, Insert, RewriteDataFiles, Select, Statement, Update
from sim.kernel.schedule import steps_of
from sim.search.run import Run, Runner
from sim.world.scenario import Scenario
from tests.unit.iceberg.spec_vectors import rows_of
from tests.unit.iceberg.vector_files import FOLDER

VECTORS: list[dict[str, Any]] = json.loads((FOLDER / "iceberg_sql_reads.json").read_text(encoding="utf-8"))
BY_NAME = {vector["name"]: vector for vector in VECTORS}
READER = "r1"
YIELD_POINTS = ("load", "commit")


def step_of(told: list[Any]) -> Statement:
    """The statement that a vector names."""
    match told:
        case ["insert", rows]:
            return Insert(rows_of(rows))
        case ["update", key, value]:
            return Update(key, value)
        case ["delete", key]:
            return Delete(key)
        case ["compact"]:
            return RewriteDataFiles()
        case ["expire", keep]:
            return Expire(keep)
        case ["roll-back", back]:
            return RollBack(back)
        case ["expire-older", age_h, keep]:
            return ExpireOlder(age_h, keep)
        case ["roll-back-time", age_h]:
            return RollBackToTime(age_h)
        case ["fast-forward", name, to]:
            return MoveBranch(name, to)
        case ["branch" | "tag" as kind, name]:
            return CreateRef(name, tag=kind == "tag")
        case ["drop-tag", name]:
            return RemoveRef(name, tag=True)
        case ["replace-tag", name, back]:
            return ReplaceRef(name, tag=True, back=back)
        case ["at", str(ref), *by]:
            return ReadAt(ref, 0, *by)
        case ["at", back, *by]:
            return ReadAt("", back, *by)
        case ["time", age_h, *by]:
            return ReadAt(by=by[0] if by else "version", age_h=age_h)
        case ["since", *how]:
            return ReadSince(*how)
        case _:
            return Select()


def scenario_of(vector: dict[str, Any]) -> Scenario:
    """Who writes, and who reads."""
    writers = {"w1": [step_of(step) for step in vector["steps"]], READER: [step_of(read) for read in vector["reads"]]}
    before = tuple([step_of(step) for step in vector.get("before", ())])
    mode = vector.get("mode", "copy-on-write")
    cached = (READER,) if vector.get("cached") else ()
    return race(
        vector["name"], "", writers, history=before, mode=mode, cached=cached, properties=("readable",),
        ages_h=tuple(vector.get("ages", ())),
    )  # fmt: skip


def told(run: Run) -> list[str]:
    """What each read was told."""
    done = [event for event in run.events if event.process == READER and event.type != "invoke"]
    return [(event.error or "").split(":")[0] or event.arg or "" for event in done]


def mismatches(vector: dict[str, Any]) -> list[str]:
    """Where a run differs from the vector's expectations: read by read."""
    run = Runner(scenario_of(vector), yield_points=YIELD_POINTS).play(steps_of(vector["schedule"]))
    pairs = zip(vector["reads"], vector["expect"], told(run), strict=True)
    return [f"{read}: expected {expected}, got {got}" for read, expected, got in pairs if expected != got]
