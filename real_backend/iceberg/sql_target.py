"""The branch that a race of Spark SQL is on, live: what its statements name, what its sessions have, and the table's
metadata, in its JSON form, as they see it. Source: `model.iceberg.spark_target`."""

from collections.abc import Mapping
from typing import Any

from model.iceberg.spark_target import Target

WAP_BRANCH = "spark.wap.branch"


def named(table: str, target: Target) -> str:
    """The table as a statement names it. Args: `table`: as "catalog.namespace.table"."""
    return table if target.branch is None or target.by_session else f"{table}.branch_{target.branch}"


def head_of(metadata: Mapping[str, Any], target: Target) -> int | None:
    """The snapshot that a reader finds: the branch's, or, where it is not there, main's."""
    ref = metadata.get("refs", {}).get(target.branch)
    return metadata.get("current-snapshot-id") if ref is None else int(ref["snapshot-id"])


def seen(metadata: Mapping[str, Any], target: Target) -> Mapping[str, Any]:
    """The metadata of a table whose main is that branch; of which nobody logs where it was."""
    if target.branch is None:
        return metadata
    return {**metadata, "current-snapshot-id": head_of(metadata, target), "snapshot-log": ()}
