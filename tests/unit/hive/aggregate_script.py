"""The commands of `aggregates` in `tests/vectors/hive_statistics.json`: what a session is told of partitions together.

The same races are played by the simulator and by live metastores.
"""

import json
from collections.abc import Iterable
from typing import Any

from checkers.histories.history import Event
from model.hive import FIXED, Rules
from model.hive.rules import SHIPPED, SHIPPED_REFRESH, UNCACHED
from sim.hive.build import T, metastore
from sim.hive.statistics_statements import Analyze, GetAggregate
from sim.hive.workload import Abort, Begin, Commit, DropPartition, HiveTable, Statement
from sim.world.scenario import Scenario
from tests.unit.hive.statistics_script import FILE

VECTORS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["aggregates"]
MODES = {"reference": FIXED, "no cache": UNCACHED, "event mode": SHIPPED, "by default": SHIPPED_REFRESH}
PARTED = (HiveTable(T, "v0", partitions=(("d=1", "p1"), ("d=2", "p2"), ("d=3", "p3"))),)


def statement_of(command: str) -> Statement:
    """The statement that a command is."""
    name, *words = command.split()
    match name:
        case "begin":
            return Begin((T,))
        case "commit":
            return Commit()
        case "abort":
            return Abort()
        case "analyze":
            return Analyze(T, words[1], partition=words[0])
        case "drop":
            return DropPartition(T, words[0])
    assert name == "together", f"aggregates: expected a command, got {command!r}"
    return GetAggregate(T, tuple(words))


def race_of(vector: dict[str, Any], rules: Rules) -> Scenario:
    """One session at one metastore that follows its own changes."""
    sessions = {"w1": ("h1", tuple(map(statement_of, vector["steps"])))}
    pollers = ("h1",) if rules.caches else ()
    return metastore("aggregates", "", sessions, rules=rules, tables=PARTED, pollers=pollers, properties=("freshness",))


def told(events: Iterable[Event]) -> list[str]:
    """What the session was told of partitions together: a value and how many have one, or none."""
    asked = [event for event in events if event.f == "get-statistics" and event.type in ("ok", "fail")]
    return [_in_words(event) for event in asked]


def _in_words(event: Event) -> str:
    found = [word.partition("=")[2] for word in (event.arg or "").split() if word.startswith("found=")]
    return f"{event.reads[0].value} of {found[0]}" if event.reads else "none"
