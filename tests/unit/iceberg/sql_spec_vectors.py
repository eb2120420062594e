"""Runs the vectors of `tests/vectors/iceberg_sql_specs.json`: Spark SQL on tables whose partition fields are altered.

`width` and `transform` say what the table is partitioned by at first, `writers` what each session sends, `schedule`
who goes when, `cached` whose catalog caches the table, `before` what was done to it. Expected are each session's
outcomes, in the order of its statements, the rows, and the words for specs and manifests.
"""

import json
from typing import Any

from model.iceberg.partitioning import Field
from model.iceberg.spark_target import Target
from real_backend.iceberg.refusals import kind_of
from sim.iceberg.left import sql_in_words
from sim.iceberg.managing import CreateRef, Expire, RemoveRef
from sim.iceberg.race import READER
from sim.iceberg.scenarios import race
from sim.iceberg.sql_branches import BesideMain, InsertStaged, InsertTo
from sim.iceberg.sql_statements import (
    AlterPartitionField,
    Delete,
    Insert,
    InsertOverwrite,
    Merge,
    RewriteDataFiles,
    RewriteInCommits,
    RewriteManifests,
    Select,
    Sql,
    Truncate,
    Update,
)
from sim.iceberg.statements import SetProperty, Statement
from sim.iceberg.workload import FORMAT
from sim.kernel.schedule import steps_of
from sim.search.run import Run, Runner
from sim.world.scenario import Scenario
from tests.unit.iceberg.spec_vectors import rows_of
from tests.unit.iceberg.vector_files import FOLDER

VECTORS: list[dict[str, Any]] = json.loads((FOLDER / "iceberg_sql_specs.json").read_text(encoding="utf-8"))
BY_NAME = {vector["name"]: vector for vector in VECTORS}
YIELD_POINTS = ("load", "commit")


def statement_of(told: list[Any]) -> Sql | Expire | BesideMain | RemoveRef:
    """The statement that a vector names."""
    match told:
        case ["alter", dropped, added]:
            return AlterPartitionField(*[Field(*one) if one else None for one in (dropped, added)])
        case ["insert", rows]:
            return Insert(rows_of(rows))
        case ["overwrite", rows, dynamic]:
            return InsertOverwrite(rows_of(rows), dynamic)
        case ["update", key, value]:
            return Update(key, value)
        case ["delete", key]:
            return Delete(key)
        case ["merge", rows, matched]:
            return Merge(rows_of(rows), matched)
        case ["rewrite"]:
            return RewriteDataFiles()
        case ["rewrite in commits", commits, failed]:
            return RewriteInCommits(commits, failed)
        case ["expire", keep]:
            return Expire(keep)
        case ["insert to", branch, rows]:
            return InsertTo(branch, rows_of(rows))
        case ["insert staged", wap, rows]:
            return InsertStaged(rows_of(rows), wap)
        case ["drop branch", branch]:
            return RemoveRef(branch)
        case ["manifests"]:
            return RewriteManifests()
        case ["truncate"]:
            return Truncate()
        case ["read"]:
            return Select()
    raise ValueError(f"vector: expected a known statement, got {told}")


def before_of(told: list[Any]) -> Statement:
    """What was done to the table, as a vector names it: a statement, or a change of its format."""
    if told[0] == "create branch":
        return CreateRef(told[1])
    return SetProperty(FORMAT, told[1]) if told[0] == "format" else statement_of(told)


def scenario_of(vector: dict[str, Any]) -> Scenario:
    """Its sessions, beside each other."""
    writers = {name: [statement_of(one) for one in todo] for name, todo in vector["writers"].items()}
    return race(
        vector["name"], "", writers, rows=rows_of(vector["rows"]), partition_width=vector["width"],
        partition_transform=vector.get("transform", "truncate"), mode=vector.get("mode", "merge-on-read"),
        isolation=vector.get("isolation", "snapshot"), target=Target(*vector.get("target", ())),
        cached=tuple(vector.get("cached", ())), history=tuple([before_of(one) for one in vector.get("before", ())]),
        properties=("readable",),
    )  # fmt: skip


def outcomes_of(vector: dict[str, Any], played: Run) -> dict[str, list[str]]:
    """What each session was told."""
    ended = [event for event in played.events if event.type in ("ok", "fail", "info")]
    told = [(event.process, kind_of(event.error or "ok")) for event in ended]
    return {name: [kind for process, kind in told if process == name] for name in vector["writers"]}


def run(vector: dict[str, Any]) -> dict[str, Any]:
    """What the model does."""
    played = Runner(scenario_of(vector), yield_points=YIELD_POINTS).play(steps_of(vector["schedule"]))
    final = next(event for event in played.events if event.process == READER and event.type != "invoke")
    found = [(int(read.key.removeprefix("row:")), read.value) for read in final.reads]
    rows = sorted([key, one] for key, value in found if value is not None for one in value.split("|"))
    return {"outcomes": outcomes_of(vector, played), "rows": rows, "left": list(sql_in_words(played.left) or ())}
