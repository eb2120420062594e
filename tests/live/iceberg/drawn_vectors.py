"""Vectors that are drawn: one operation, or a transaction, beside one or two others, on a table with a past.

Choices: a data file or a delete file is added by one operation only; what is named for removal may be there or not. In
format 2 position deletes are files, in format 3 vectors, one of a data file; equality deletes are drawn in both. Others
than the operation itself are never refused, or the vector is left out: upstream's test would have to catch it.
"""

import random
from typing import Any

Op = dict[str, Any]
DATA = ("D", "E", "A2", "B2", "C2")
THERE = ("A", "B", "C")
EQUALITY = ("eA", "eAB", "eB", "eC", "eX")
POSITIONS = {2: ("dA", "dA1", "dB", "dC", "dAB"), 3: ("vA", "vB")}
FILTERS = ("p=p0", "p=p1", "true", "id=1", "id=2", "id=1..2", "id=3..9", "id=100")
KINDS = ("append", "merge-append", "delete", *["overwrite"] * 3, *["row-delta"] * 4, *["rewrite"] * 2)
MERGING: tuple[dict[str, Any], ...] = (
    {}, {"min_count": 2}, {"min_count": 2}, {"min_count": 3}, {"min_count": 2, "target_bytes": 17_000},
    {"min_count": 3, "target_bytes": 17_000}, {"min_count": 2, "target_bytes": 1}, {"min_count": 2, "enabled": False},
)  # fmt: skip
SETUP = [{"op": "append", "add": ["A", "B"]}, {"op": "append", "add": ["C"]}]


class Drawing:
    """One vector in the making."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._format = self._random.choice((2, 2, 3))
        self._left = [*DATA, *EQUALITY, *POSITIONS[self._format]]
        self._random.shuffle(self._left)
        self._seed = seed

    def vector(self) -> dict[str, Any]:
        """The vector; its name is its seed."""
        before = [self._operation(("row-delta",))] if self._random.random() < 0.5 else []
        given = self._transaction() if self._random.random() < 0.3 else self._operation()
        during = [self._operation() for _ in range(self._random.choice((1, 1, 2)))]
        merging = self._random.choice(MERGING)
        return {
            "name": f"drawn-{self._seed}", "format": self._format, "setup": [*SETUP, *before], "given": given,
            "during": {"commit 1": [{**op, "error": None} for op in during]}, "merging": merging,
        }  # fmt: skip

    def _transaction(self) -> Op:
        return {"op": "transaction", "steps": [self._operation() for _ in range(2)]}

    def _operation(self, kinds: tuple[str, ...] = KINDS) -> Op:
        kind = self._random.choice(kinds)
        op: Op = {"op": kind}
        if kind in ("append", "merge-append", "overwrite", "rewrite", "row-delta") and (added := self._new(DATA)):
            op["add"] = added
        if kind == "row-delta" and (deletes := self._new((*EQUALITY, *POSITIONS[self._format]))):
            op["deletes"] = deletes
            op.pop("add") if "add" in op and self._random.random() < 0.5 else None
        if kind in ("overwrite", "delete", "rewrite"):
            self._removal(op)
        if kind in ("overwrite", "row-delta"):
            self._validations(op)
        if kind == "rewrite" and self._random.random() < 0.6:
            op["number"] = self._random.choice((1, 2))
        return op

    def _removal(self, op: Op) -> None:
        if op["op"] != "rewrite" and self._random.random() < 0.4:
            op["filter"] = self._random.choice(FILTERS)
        else:
            op["remove"] = self._random.sample(THERE, self._random.choice((1, 1, 2)))

    def _validations(self, op: Op) -> None:
        if self._random.random() < 0.5:
            op["conflict"] = self._random.choice(FILTERS)
        flags = ("no_conflicting_data", "no_conflicting_deletes")
        if op["op"] == "row-delta":
            flags = ("no_conflicting_data_files", "no_conflicting_delete_files")
        if chosen := [flag for flag in flags if self._random.random() < 0.5]:
            op["validate"] = chosen

    def _new(self, names: tuple[str, ...]) -> list[str]:
        found = next((name for name in self._left if name in names), None)
        if found is None:
            return []
        self._left.remove(found)
        return [found]


def drawn(seed: int) -> dict[str, Any]:
    """The vector of a seed."""
    return Drawing(seed).vector()
