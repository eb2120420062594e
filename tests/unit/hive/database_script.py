"""The changes that `tests/vectors/hive_databases.json` asks a metastore for, on the model or on a live one.

There are tables `t` with the partitions 1 and 2, `u`, and `v`; afterwards they are as before, but for their content.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from model.hive import Replica
from model.ports import Refused

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hive_databases.json"
ROWS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["rows"]
PARTITIONED, RENAMED, DROPPED, MADE = "t", "u", "v", "n"
Changes = dict[str, Callable[[], object]]


def changes_of(replica: Replica, database: str) -> Changes:
    """The changes through a replica of the model."""
    t, u, v, n = [f"{database}.{name}" for name in (PARTITIONED, RENAMED, DROPPED, MADE)]
    return {
        "alter": lambda: replica.alter_table(t, (("v", "2"),)),
        "rename": lambda: replica.rename_table(u, f"{database}.x"),
        "add-partition": lambda: replica.put_partition(t, "p=3", "1"),
        "alter-partition": lambda: replica.put_partition(t, "p=1", "9"),
        "rename-partition": lambda: replica.rename_partition(t, "p=2", "p=5", "1"),
        "drop-partition": lambda: replica.drop_partition(t, "p=1"),
        "drop": lambda: replica.drop_table(v),
        "create": lambda: replica.create_table(n, (("v", "1"),), False),
        "rename-database": lambda: replica.rename_database(database, "again"),
    }


def refused(changes: Changes) -> list[str]:
    """Those that are refused, in order."""
    found = []
    for name, change in changes.items():
        try:
            change()
        except Refused:
            found.append(name)
    return found
