"""Runs the vectors of `tests/vectors/iceberg_specs.json`: a table whose partition spec changes, and what it has then.

`width` is how many ids a partition has at first (0: there are none), `rows` the first ones, `steps` what is done one
after the other. Expected are the rows, in their order by id and value, and what is left: refs, numbers, specs, and each
live file with its sequence number and its spec.
"""

import json
from typing import Any

from checkers.histories.history import Event
from sim.iceberg.left import in_words
from sim.iceberg.race import READER
from sim.iceberg.scenarios import race
from sim.iceberg.statements import (
    Append,
    Compact,
    DeleteRow,
    Operation,
    Replace,
    ReplacePartitions,
    Rows,
    Scan,
    Statement,
    Transaction,
    UpdateSpec,
)
from sim.iceberg.workload import FORMAT, DeleteWhere, Upsert
from sim.search.run import Runner
from sim.world.scenario import Scenario
from tests.unit.iceberg.vector_files import FOLDER

VECTORS: list[dict[str, Any]] = json.loads((FOLDER / "iceberg_specs.json").read_text(encoding="utf-8"))
BY_NAME = {vector["name"]: vector for vector in VECTORS}


def rows_of(told: list[Any]) -> Rows:
    """Rows as statements have them."""
    return tuple([(key, value) for key, value in told])


def step_of(told: list[Any]) -> Statement:
    """The statement that a vector names."""
    match told:
        case ["transaction", steps]:
            made = [step_of(step) for step in steps]
            return Transaction(tuple([step for step in made if isinstance(step, Operation)]))
        case ["append", rows]:
            return Append(rows_of(rows))
        case ["replace-partitions", rows]:
            return ReplacePartitions(rows_of(rows))
        case ["replace", key, rows]:
            return Replace(key, rows_of(rows))
        case ["delete-rows", [key, *also]]:
            return DeleteRow(key, also=tuple(also))
        case ["delete-where", key]:
            return DeleteWhere(key)
        case ["upsert", key, value]:
            return Upsert(key, value)
        case ["update-spec", width]:
            return UpdateSpec(width)
        case ["buckets", count]:
            return UpdateSpec(count, "bucket")
        case ["compact"]:
            return Compact()
    raise ValueError(f"vector: expected a known step, got {told}")


def scenario_of(vector: dict[str, Any]) -> Scenario:
    """A reader of the table, to which everything was done before."""
    return race(
        vector["name"], "", {"w1": [Scan(1)]}, catalog="java-api", rows=rows_of(vector["rows"]),
        history=tuple([step_of(step) for step in vector["steps"]]), partition_width=vector["width"],
        table_properties=((FORMAT, str(vector["format"])),), properties=("readable",),
    )  # fmt: skip


def run(vector: dict[str, Any]) -> dict[str, Any]:
    """What the model leaves."""
    played = Runner(scenario_of(vector)).play(())
    final = next(event for event in played.events if event.process == READER and event.type == "ok")
    return {"rows": _read(final), "left": list(in_words(played.left) or ())}


def _read(final: Event) -> list[list[Any]]:
    """Rows, of which several of one id are told as one: a|A."""
    told = [(int(read.key.removeprefix("row:")), read.value) for read in final.reads]
    return sorted([key, one] for key, value in told if value is not None for one in value.split("|"))
