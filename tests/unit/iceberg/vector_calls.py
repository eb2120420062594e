"""What a vector says of calls: what comes just before one of w1's, and how one of them goes wrong."""

from collections.abc import Callable
from functools import partial
from typing import Any

from tests.unit.iceberg.direct_world import EACH

Op = dict[str, Any]


def planned(vector: dict[str, Any], meanwhile: Callable[[list[Op]], None]) -> dict[tuple[str, int], Any]:
    """What comes before which call of w1, and how which of them goes wrong. Args: `meanwhile` does w2's operations."""
    others = {_call(key): partial(meanwhile, ops) for key, ops in vector.get("during", {}).items()}
    return others | {_call(key): fault for key, fault in vector.get("faults", {}).items()}


def _call(key: str) -> tuple[str, int]:
    operation, number = key.split()
    if number == "each":
        return operation, EACH
    opened_by_this_too = operation in ("load", "get_table")
    return operation, int(number) + (1 if opened_by_this_too else 0)
