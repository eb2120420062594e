"""The vectors of `vectors.py` that shipped PyIceberg has operations for, asked of its own builders.

The library runs unmodified over the catalog of `python.ports`. A vector is put to it as it is written: `perform`
names each builder. An overwrite by a filter is what the library makes of it, a delete and an append in one transaction;
a file is removed by its overwrite, for it has no delete by name. It has no flags: the table's isolation level, which
is `serializable` if the vector validates what is added and `snapshot` if not, says what is validated.

Compared are the error's class, the data files that are live, columns, properties, where refs point, how many snapshots
there are, and, where nothing is made of two operations, sequence numbers. Vectors of its own say what it does in
branches, which Java's do not ask, or say otherwise.
"""

import json
import logging
from typing import Any

from pyiceberg.conversions import to_bytes
from pyiceberg.exceptions import CommitFailedException, CommitStateUnknownException, ValidationException
from pyiceberg.expressions import BooleanExpression
from pyiceberg.expressions.parser import parse
from pyiceberg.manifest import DataFile, DataFileContent, FileFormat
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.table import Table, Transaction
from pyiceberg.table.snapshots import ancestors_of
from pyiceberg.transforms import IdentityTransform
from pyiceberg.typedef import Record
from pyiceberg.types import LongType, NestedField, StringType

from model.ports import World
from sim.iceberg.python.ports import MANIFEST, NAME, whole
from sim.world import substitutes
from tests.unit.iceberg.direct_world import Services, actor
from tests.unit.iceberg.vector_calls import planned
from tests.unit.iceberg.vector_files import FILES, FOLDER
from tests.unit.iceberg.vectors import VECTORS

Op = dict[str, Any]
SCHEMA = Schema(NestedField(1, "id", LongType()), NestedField(2, "v", StringType()), NestedField(3, "p", StringType()))
SPEC = PartitionSpec(PartitionField(3, 1000, IdentityTransform(), "p"))
OPERATIONS = frozenset(
    ("append", "merge-append", "delete", "overwrite", "schema", "properties", "roll-back", "expire-snapshots", "create",
     "remove", "publish", "replace")
)  # fmt: skip
FORMATS = (1, 2)
"""Those that it writes."""
OWN = frozenset(("conflict", "start", "exist", "deletes", "pending", "keep", "manifest", "again"))
"""What only Java's builders can be told."""
ANSWERS = frozenset(("409-before", "409-after", "500-before", "500-after", "stale"))
"""Those of a register. What its REST catalog makes of others is asked of that one (`python.rest`)."""
ERRORS = {
    CommitFailedException: "CommitFailed", CommitStateUnknownException: "CommitStateUnknown",
    ValidationException: "ValidationFailed", ValueError: "InvalidOperation",
}  # fmt: skip
COMPARED = ("error", "data", "branches", "columns", "further", "refs", "snapshots", "sequence")


def _has(op: Op) -> bool:
    if op["op"] == "transaction":
        return all(_has(step) for step in op["steps"])
    return op["op"] in OPERATIONS and not OWN & set(op)


def is_for_pyiceberg(vector: dict[str, Any]) -> bool:
    """Whether the library has every operation of a vector that is about the shipped rules."""
    meanwhile = [op for ops in vector.get("during", {}).values() for op in ops]
    plain = (vector.get("rules", "shipped"), vector.get("catalog", "rest"), vector.get("format", 2) in FORMATS)
    answered = all(fault in ANSWERS for fault in vector.get("faults", {}).values())
    asked = (vector["given"], *vector.get("setup", ()), *meanwhile)
    return plain == ("shipped", "rest", True) and answered and all(_has(op) for op in asked)


OF_BRANCHES, OF_RETRIES = [
    {vector["name"]: vector for vector in json.loads((FOLDER / f"pyiceberg_{of}.json").read_text(encoding="utf-8"))}
    for of in ("branches", "retries")
]
"""Those of branches that are PyIceberg's own; and its own tests of commits that are tried again."""
FOR_PYICEBERG = {vector["name"]: vector for vector in VECTORS if is_for_pyiceberg(vector)}


def data_file(name: str) -> DataFile:
    """The data file of that name, with what is counted of its ids and its partition."""
    file = FILES["data"][name]
    ids = sorted(key for key, _ in file["rows"])
    of_p = to_bytes(StringType(), file["partition"])
    counted: dict[str, Any] = {
        "lower_bounds": {1: to_bytes(LongType(), ids[0]), 3: of_p}, "null_value_counts": {1: 0, 3: 0},
        "upper_bounds": {1: to_bytes(LongType(), ids[-1]), 3: of_p}, "value_counts": {1: len(ids), 3: len(ids)},
    }  # fmt: skip
    made = DataFile.from_args(
        content=DataFileContent.DATA, file_path=f"t/data/{name}", file_format=FileFormat.PARQUET,
        partition=Record(file["partition"]), record_count=len(ids), file_size_in_bytes=1, **counted,
    )  # fmt: skip
    made.spec_id = 0
    return made


def expression(texts: str | list[str]) -> BooleanExpression:
    """One filter, or any of several: "true", "p=p0", "id=3" or "id=3..9"."""
    return parse(" or ".join([_in_sql(text) for text in ([texts] if isinstance(texts, str) else texts)]))


def _in_sql(text: str) -> str:
    column, _, value = text.partition("=")
    low, _, high = value.partition("..")
    return {"true": "true", "p": f"p = '{value}'", "id": f"(id >= {low} and id <= {high or low})"}[column]


def perform(table: Table, op: Op) -> None:
    """Do one operation on the table as it was loaded."""
    match op["op"]:
        case "roll-back":
            table.manage_snapshots().rollback_to_snapshot(_at(table, op["to"])).commit()
        case "expire-snapshots":
            table.maintenance.expire_snapshots().by_ids([_at(table, place) for place in op["ids"]]).commit()
        case "publish":
            table.manage_snapshots().set_current_snapshot(ref_name=op["ref"]).commit()
        case "create" | "remove" | "replace":
            _manage(table, op)
        case "transaction":
            with table.transaction() as transaction:
                for step in op["steps"]:
                    _step(transaction, step)
        case _:
            with table.transaction() as transaction:
                _step(transaction, op)


def _manage(table: Table, op: Op) -> None:
    manage, tag, name = table.manage_snapshots(), op.get("tag", False), op["name"]
    if op["op"] == "remove":
        (manage.remove_tag(name) if tag else manage.remove_branch(name)).commit()
    else:
        at = _at(table, op.get("at", 0))
        (manage.create_tag(at, name) if tag else manage.create_branch(at, name)).commit()


def _at(table: Table, place: int) -> int:
    snapshots = table.metadata.snapshots
    return snapshots[place].snapshot_id if place < len(snapshots) else 999


def _step(transaction: Transaction, op: Op) -> None:
    match op["op"]:
        case "schema":
            with transaction.update_schema() as schema:
                for name in op["columns"]:
                    schema.add_column(name, StringType())
            return
        case "properties":
            transaction.set_properties(op["set"])
            return
    branch = None if op.get("staged") else op.get("branch", "main")
    wap = {"wap.id": str(op["wap"])} if "wap" in op else {}
    if "filter" in op:
        with transaction.update_snapshot(wap, branch).delete() as delete:
            delete.delete_by_predicate(expression(op["filter"]))
    kinds = {"merge-append": "merge_append", "append": "fast_append"}
    kind = kinds.get(op["op"], "overwrite" if "remove" in op else "fast_append")
    if "add" in op or "remove" in op:
        with getattr(transaction.update_snapshot(wap, branch), kind)() as producer:
            for name in op.get("remove", ()):
                producer.delete_data_file(data_file(name))
            for name in op.get("add", ()):
                producer.append_data_file(data_file(name))


def outcome(table: Table, op: Op) -> str | None:
    """The model's name of what an operation raises; None if it raises nothing."""
    try:
        perform(table, op)
    except tuple(ERRORS) as error:
        return next(name for kind, name in ERRORS.items() if isinstance(error, kind))
    return None


def _prepare(vector: dict[str, Any]) -> Services:
    services = Services()
    world = actor(services, "setup", 0)
    ours = {name.replace("_", "-").replace("commit-retry-", "commit.retry."): str(value)
            for name, value in vector.get("properties", {}).items()}  # fmt: skip
    added = "no_conflicting_data" in str(vector["given"])
    level = "serializable" if added else "snapshot"
    ours["format-version"] = str(vector.get("format", 2))
    levels = {f"write.{of}.isolation-level": level for of in ("delete", "update")}
    with substitutes.acting_as(world):
        table = whole(world).create_table(NAME, SCHEMA, partition_spec=SPEC, properties={**ours, **levels})
        for op in vector.get("setup", [{"op": "append", "add": ["A", "B"]}]):
            perform(table, op)
    return services


def run(vector: dict[str, Any]) -> dict[str, Any]:
    """What of `COMPARED` comes of a vector, and what else was not as it says."""
    logging.getLogger("pyiceberg").setLevel(logging.ERROR)
    substitutes.substitute(MANIFEST)
    services, surprises = _prepare(vector), []

    def load(world: World) -> Table:
        with substitutes.acting_as(world):
            table: Table = whole(world).load_table(NAME)
            return table

    def meanwhile(ops: list[Op]) -> None:
        for number, op in enumerate(ops, 2):
            world = actor(services, "w2", number)
            with substitutes.acting_as(world):
                told = outcome(load(world), op)
            if told != op.get("error"):
                surprises.append(f"meanwhile {op}: expected {op.get('error')}, got {told}")

    world = actor(services, "w1", 1, plan := {})
    plan.update(planned(vector, meanwhile))
    with substitutes.acting_as(world):
        told = outcome(load(world), vector["given"])
    return {"error": told, "surprises": surprises, **_observed(load(actor(services, "r1", 9)))}


def _observed(table: Table) -> dict[str, Any]:
    metadata = table.metadata
    places = {each.snapshot_id: place for place, each in enumerate(metadata.snapshots)}
    lineage = [*ancestors_of(metadata.current_snapshot(), metadata)]
    return {
        "data": _files(table, "main"),
        "branches": {name: _files(table, name) for name in metadata.refs if name != "main"},
        "columns": [field.name for field in table.schema().fields[3:]],
        "further": {
            key: value for key, value in metadata.properties.items() if not key.startswith(("commit.", "write."))
        },
        "refs": {name: places[ref.snapshot_id] for name, ref in metadata.refs.items()},
        "snapshots": len(metadata.snapshots),
        "sequence": [each.sequence_number for each in reversed(lineage)],
    }


def _files(table: Table, ref: str) -> list[str]:
    """The data files that a ref has."""
    scan = table.scan().use_ref(ref) if ref in table.metadata.refs else table.scan()
    return sorted(task.file.file_path.removeprefix("t/data/") for task in scan.plan_files())


def mismatches(vector: dict[str, Any]) -> list[str]:
    """Where what the library does differs from what the vector says of Java."""
    got, expected = run(vector), {"error": None} | vector["expect"]
    differ = [key for key in COMPARED if key in expected and got[key] != expected[key]]
    return [*(f"{key}: expected {expected[key]}, got {got[key]}" for key in differ), *got["surprises"]]
