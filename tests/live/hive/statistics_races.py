"""Drawn races of two sessions that analyze a table, change it, and ask for its statistics, and runs of them."""

from itertools import islice
from random import Random

from model.hive import Rules
from sim.hive.build import EVENTUAL, E, T, metastore
from sim.hive.statistics_statements import Analyze, DeleteStatistics, GetStatistics
from sim.hive.workload import (
    Abort,
    Alter,
    Begin,
    Commit,
    Create,
    Drop,
    DropPartition,
    Get,
    HiveTable,
    ListPartitions,
    PutPartition,
    Rename,
    Statement,
)
from sim.search.at_gates import runs_at_gates
from sim.search.projection import Played
from sim.world.scenario import Scenario

F, G = "default.f", "default.g"
PART, OTHER = "d=1", "d=10"
PROPERTIES = (*EVENTUAL, "no-dirty-reads")


def drawn(seed: int, rules: Rules, *, parts: bool = False, deletes: bool = False) -> tuple[Scenario, Played]:
    """The race of this seed, and a run of it that live metastores can follow.

    Args: `parts`: of partitions; `deletes`: each session deletes statistics in the end, and asks for some.
    """
    while True:
        random = Random(seed)
        managed = random.random() < 0.5
        sessions = {
            name: (random.choice(("h1", "h2")), _session(random, name, managed=managed, parts=parts))
            for name in ("w1", "w2")
        }
        if deletes:
            name, part = T if managed else E, PART if parts else ""
            more = (Begin((name,)),) if managed else ()
            for one, (home, todo) in sessions.items():
                last = (
                    DeleteStatistics(name, partition=part, unnamed=random.random() < 0.5),
                    GetStatistics(name, "", part),
                )
                sessions[one] = home, (*todo, *more, *last)
        rows = ((PART, "p0"),) if parts else ()
        tables = (HiveTable(T if managed else E, "v0", managed, rows),)
        pollers = () if not rules.caches else ("h1", "h2") if rules.follows == "nothing" else ("h2",)
        scenario = metastore(
            f"drawn-{seed}", "", sessions, rules=rules, tables=tables, pollers=pollers, properties=PROPERTIES,
            but={} if random.random() < 0.3 and rules.caches else {"convergence": "nobody waits"},
        )  # fmt: skip
        for played in islice(runs_at_gates(scenario, seed, 4), 1):
            return scenario, played
        seed += 1_000_000


def _session(random: Random, name: str, *, managed: bool, parts: bool) -> tuple[Statement, ...]:
    made: list[Statement] = []
    for part in range(random.randint(1, 2)):
        todo = [
            (_of_partition if parts else _statement)(random, f"{name}{part}{place}", T if managed else E)
            for place in range(random.randint(1, 3))
        ]
        if not managed:
            made += todo
            continue
        made += [Begin((T,), read_only=all(isinstance(one, Get | GetStatistics) for one in todo)), *todo]
        made += random.choice(((Commit(),), (Commit(),), (Abort(),), ()))
    return tuple(made)


def _statement(random: Random, value: str, table: str) -> Statement:
    at = random.choice(("", "h1", "h2"))
    kind = random.choice(("analyze", "analyze", "analyze", "ask", "ask", "ask", "alter", "get", "names"))
    match kind:
        case "analyze":
            return Analyze(table, value, at)
        case "ask":
            return GetStatistics(table, at)
        case "alter":
            return Alter(table, value, at)
        case "get":
            return Get(table, at)
    other = random.choice((F, G))
    return random.choice(
        (Drop(table), Create(table, value, managed=table == T), Rename(table, other), Rename(other, table))
    )


def _of_partition(random: Random, value: str, table: str) -> Statement:
    at, part = random.choice(("", "h1", "h2")), random.choice((PART, PART, OTHER))
    kind = random.choice(("analyze", "analyze", "analyze", "ask", "ask", "ask", "put", "drop", "list", "whole"))
    match kind:
        case "analyze":
            return Analyze(table, value, at, part)
        case "ask":
            return GetStatistics(table, at, part)
        case "put":
            return PutPartition(table, part, value, at)
        case "drop":
            return DropPartition(table, part, at)
        case "list":
            return ListPartitions(table, at)
    return random.choice(
        (Drop(table), Alter(table, value, at), Get(table, at), Create(table, value, managed=table == T))
    )
