"""Vectors of `tests/vectors/iceberg_layout.json`: changes of a table's sort order, columns, location and statistics,
one after the other, by one writer whose statements are each told whether they were carried out, after what was
done before.

The steps are those of `spec_vectors`, `["sort", [columns]]`, `["sort-descending", [columns]]`, `["add-column", name]`,
`["drop-column", name]`, `["rename-column", name, to]`, `["widen-column", name]`, `["add-typed", name, type]`,
`["change-type", name, type]`, `["move-column", name, after]`, `["add-struct", name, field]`, `["add-field", struct,
name]`, `["move", folder]`, `["set", name, value]`, `["unset", name]`, `["statistics", name, back]`,
`["partition-statistics", name, back]`, `["remove-statistics", back]`, `["expire", keep]`, `["cluster-manifests"]` and
`["replace-table", rows]`.
Expected are the outcomes, and what is left.
"""

import json
from typing import Any

from sim.iceberg.columns import AddField, AddStruct, AddTyped, ChangeType, MoveColumn, RenameColumn, WidenColumn
from sim.iceberg.layout import DropColumn, MoveTo, RemoveStatistics, SetStatistics, SortBy, UnsetProperty
from sim.iceberg.left import in_words
from sim.iceberg.managing import Expire, ReplaceTable
from sim.iceberg.manifests import ClusterManifests
from sim.iceberg.scenarios import race
from sim.iceberg.statements import AddColumn, Operation, SetProperty, Statement, Transaction
from sim.search.run import Runner
from sim.world.scenario import Scenario
from tests.unit.iceberg import spec_vectors
from tests.unit.iceberg.vector_files import FOLDER

VECTORS: list[dict[str, Any]] = json.loads((FOLDER / "iceberg_layout.json").read_text(encoding="utf-8"))
BY_NAME = {vector["name"]: vector for vector in VECTORS}


def step_of(told: list[Any]) -> Statement:
    """The statement that a vector names."""
    match told:
        case ["transaction", steps]:
            made = [step_of(step) for step in steps]
            return Transaction(tuple([step for step in made if isinstance(step, Operation)]))
        case ["sort", columns]:
            return SortBy(tuple(columns))
        case ["sort-descending", columns]:
            return SortBy(tuple(columns), descending=True)
        case ["add-column", name]:
            return AddColumn(name)
        case ["rename-column", name, to]:
            return RenameColumn(name, to)
        case ["widen-column", name]:
            return WidenColumn(name)
        case ["add-typed", name, of]:
            return AddTyped(name, of)
        case ["change-type", name, to]:
            return ChangeType(name, to)
        case ["move-column", name, after]:
            return MoveColumn(name, after)
        case ["add-struct", name, field]:
            return AddStruct(name, field)
        case ["add-field", struct, name]:
            return AddField(struct, name)
        case ["drop-column", name]:
            return DropColumn(name)
        case ["move", folder]:
            return MoveTo(folder)
        case ["statistics" | "partition-statistics", name, back]:
            return SetStatistics(name, back, of_partitions=told[0] != "statistics")
        case ["remove-statistics", back]:
            return RemoveStatistics(back)
        case ["expire", keep]:
            return Expire(keep)
        case ["cluster-manifests"]:
            return ClusterManifests()
        case ["unset", name]:
            return UnsetProperty(name)
        case ["set", name, value]:
            return SetProperty(name, value)
        case ["replace-table", rows]:
            return ReplaceTable(spec_vectors.rows_of(rows))
        case _:
            return spec_vectors.step_of(told)


def scenario_of(vector: dict[str, Any]) -> Scenario:
    """One writer, who does everything."""
    return race(
        vector["name"], "", {"w1": [step_of(step) for step in vector["steps"]]}, catalog=vector.get("on", "java-api"),
        history=tuple([step_of(step) for step in vector["before"]]), properties=("readable",),
    )  # fmt: skip


def run(vector: dict[str, Any]) -> dict[str, Any]:
    """What the model answers, and leaves."""
    played = Runner(scenario_of(vector)).play(())
    told = [event for event in played.events if event.process == "w1" and event.type != "invoke"]
    outcomes = ["ok" if event.type == "ok" else str(event.error).partition(":")[0] for event in told]
    return {"outcomes": outcomes, "left": list(in_words(played.left) or ())}
