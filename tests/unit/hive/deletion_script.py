"""The commands of `deletions` in `tests/vectors/hive_statistics.json`: statistics are deleted, and asked for.

Source: what metastores 4.0.1 answer (tests/live/hive/test_statistics_events.py).
"""

import json
from typing import Any, Protocol

from model.hive import Request, Rules
from model.hive.errors import NoSuchTable, Transactional
from tests.unit.hive.lab import E, Lab, T
from tests.unit.hive.statistics_script import FILE

DELETIONS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["deletions"]
PART, NONE = "d=1", "none"


class Deletable(Protocol):
    """A table, or its partition, whose statistics may be deleted."""

    def analyze(self, value: str) -> None: ...
    def delete(self, *, unnamed: bool) -> None: ...
    def told(self) -> str | None: ...


class ModelDeletable:
    """One of the model's; a cache follows the log, or has filled itself before."""

    def __init__(self, rules: Rules, of: str) -> None:
        self.h1 = Lab(rules).replica("h1")
        self.name = T if of.startswith("table with") else E
        self.partition = PART if "partition" in of else ""
        if of.startswith("partition"):
            self.h1.put_partition(E, PART, "p0")
            self._follow()

    def _follow(self) -> None:
        if self.h1.rules.caches and self.h1.rules.follows != "nothing":
            self.h1.poller.pull()

    def analyze(self, value: str) -> None:
        self.h1.update_statistics(self.name, value, 0, None, partition=self.partition)
        self._follow()

    def delete(self, *, unnamed: bool) -> None:
        self.h1.delete_statistics(self.name, partition=self.partition, unnamed=unnamed)
        self._follow()

    def told(self) -> str | None:
        return self.h1.get_statistics(Request(self.name), self.partition).value


def answers(table: Deletable, steps: list[str]) -> list[str]:
    """The steps with what this table answers."""
    told = []
    for step in steps:
        command = step.partition(" -> ")[0]
        told.append(f"{command} -> {_run(table, *command.split())}")
    return told


def _run(table: Deletable, name: str, what: str = "") -> str:
    try:
        if name == "told":
            return table.told() or NONE
        if name == "analyze":
            table.analyze(what)
        else:
            table.delete(unnamed=what == "all")
    except NoSuchTable:
        return "refused"
    except Transactional:
        return "transactional"
    return "ok"


def expected(row: dict[str, Any], *, cached: bool) -> list[str]:
    """What a metastore answers, with a cache or without one."""
    steps: list[str] = row.get("with a cache", row["steps"]) if cached else row["steps"]
    return steps
