"""Commands of Spark SQL, as vectors name them."""

from dataclasses import replace
from typing import Any

from model.iceberg import SparkSql
from tests.unit.iceberg.vector_files import frozen


def say(sql: SparkSql, kind: str, op: dict[str, Any]) -> None:
    """Carry out a command; or those of a "session" whose catalog caches the table, by name and what they are given."""
    if kind == "expire_snapshots":
        sql.expire_snapshots(lambda update: update.age_out(*frozen(op["args"])))
        return
    if kind != "session":
        getattr(sql, kind)(*frozen(op["args"]))
        return
    session = replace(sql, cache=[])
    for name, *args in op["steps"]:
        getattr(session, name)(*frozen(args))
