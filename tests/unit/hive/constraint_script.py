"""The commands of `tests/vectors/hive_constraints.json`: a table's constraints, in the model's lists or in a metastore.

Source: hive/7; `TestCachedStoreUpdateUsingEvents` 4.0.1. Choices: the model has a primary key alone, a live metastore
all six kinds, which must tell the same.
"""

import json
from pathlib import Path
from typing import Any, Protocol

from model.hive import FIXED, Request, Rules
from model.hive.rules import SHIPPED, SHIPPED_REFRESH, UNCACHED
from tests.unit.hive.lab import E, Lab

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hive_constraints.json"
SCENARIOS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["scenarios"]
RULES: dict[str, Rules] = {
    "reference": FIXED, "no cache": UNCACHED, "event mode": SHIPPED, "by default": SHIPPED_REFRESH,
}  # fmt: skip


class Constraints(Protocol):
    """One table's constraints, which have one name."""

    def add(self, key: str) -> None: ...
    def drop(self, key: str) -> None: ...
    def start(self) -> None: ...
    def follow(self) -> None: ...
    def told(self) -> str | None: ...


class ModelConstraints:
    """Those of a table of the model's metastore."""

    def __init__(self, rules: Rules) -> None:
        self.h1 = Lab(rules).replica("h1")

    def add(self, key: str) -> None:
        self.h1.add_key(E, key)
        self._follow_own()

    def drop(self, key: str) -> None:
        self.h1.drop_key(E, key)
        self._follow_own()

    def _follow_own(self) -> None:
        """In the reference a cache hears of its own changes from the log."""
        if self.h1.rules.follows == "everything":
            self.follow()

    def start(self) -> None:
        self.h1.start()

    def follow(self) -> None:
        while self.h1.rules.caches and self.h1.poller.poll():
            pass

    def told(self) -> str | None:
        return self.h1.get_key(Request(E)).value


def told(table: Any, steps: list[str]) -> list[str]:
    """What the table's metastore answers to the steps that ask it."""
    answers = []
    for step in steps:
        name, *words = step.split()
        answer = getattr(table, name)(*words)
        if name == "told":
            answers.append(answer or "none")
    return answers
