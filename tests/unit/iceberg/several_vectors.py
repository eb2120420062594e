"""Runs the vectors of `tests/vectors/iceberg_several.json`: a race on two tables, by one schedule of loads and commits.

A statement is `together`, with what is done to each table; `on` a table; or `across`, from one to the other. What is
done is an `append` of a row of that id, or a `column`. `told` says what each client is told, `a` and `b` the ids that
are in the tables at the end, `versions` how many places main of the tables has had, the first one included.
"""

import json
from typing import Any

from checkers.histories.history import FINAL, INVOKE, VERSION
from model.iceberg.rules import IDEMPOTENT, SHIPPED
from sim.iceberg.built_in.several import ANY_ANSWER, STEPS, together
from sim.iceberg.several import CopyAcross, On, Operation, Statement, Together
from sim.iceberg.workload import AddColumn, Append
from sim.kernel.schedule import steps_of
from sim.search.run import Run, Runner
from tests.unit.iceberg.vector_files import FOLDER

VECTORS: list[dict[str, Any]] = json.loads((FOLDER / "iceberg_several.json").read_text(encoding="utf-8"))
BY_NAME = {vector["name"]: vector for vector in VECTORS}


def operation(given: dict[str, Any]) -> Operation:
    """What is done to a table."""
    return AddColumn(given["column"]) if "column" in given else Append(((given["append"], f"new{given['append']}"),))


def statement(given: dict[str, Any]) -> Statement:
    """A writer's statement."""
    if "together" in given:
        return Together(tuple([On(name, operation(one)) for name, one in given["together"].items()]))
    return CopyAcross(*given["across"]) if "across" in given else On(given["on"], operation(given))


def scenario_of(vector: dict[str, Any]) -> Any:
    """The vector's race."""
    writers = {name: [statement(one) for one in todo] for name, todo in vector["writers"].items()}
    rules = IDEMPOTENT if vector.get("idempotent") else SHIPPED
    return together("vector", "", writers, rules=rules, faults=ANY_ANSWER, server=vector.get("server", "at once"))


def played(vector: dict[str, Any]) -> Run:
    """The run of the vector's schedule."""
    return Runner(scenario_of(vector), yield_points=STEPS).play(steps_of(vector["schedule"]))


def seen(vector: dict[str, Any]) -> dict[str, Any]:
    """What came of it, in the vector's words."""
    return seen_of(played(vector).events, vector)


def seen_of(events: Any, vector: dict[str, Any]) -> dict[str, Any]:
    """What a history says came of it, in the vector's words."""
    ended = {one.process: one for one in events if one.type not in (INVOKE, VERSION)}
    told = {name: (ended[name].error or "ok").partition(":")[0] for name in vector["writers"]}
    final = ended[FINAL]
    found: dict[str, list[str]] = {"a": [], "b": []}
    for key, value, _ in final.reads:
        if value is not None:
            found[key[0]].append(key.rpartition(":")[2])
    rows = {name: " ".join(sorted(ids)) if final.error is None else "unreadable" for name, ids in found.items()}
    return {"told": told, **rows, "versions": sum(one.type == VERSION for one in events)}


def mismatches(vector: dict[str, Any]) -> list[str]:
    """What came out otherwise than the vector says."""
    return [f"{name}: {value}" for name, value in seen(vector).items() if vector[name] != value]
