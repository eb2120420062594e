"""How each mutant of the metastore cache dies: the race, the property, and the row's interleaving in steps.

`row` is the shortest interleaving of hive/4.10 written as the metastore's calls: what has to happen, in that order,
and nothing else. A state that a row only names (a tag, a list) is written as the calls that lead to it in the smallest
ids. `poll:KIND` is the event of that kind being applied. The scenario's own steps are the calls in `steps`; the others
happen between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from model.hive.rules import FIXED, Rules
from sim.hive.partition_renames import RenamePartition
from sim.hive.partitions import FEWER, PARTITIONED
from sim.hive.race import HiveRace
from sim.hive.workload import (
    Abort,
    Alter,
    Begin,
    CleanLog,
    Commit,
    Create,
    Drop,
    Get,
    HiveSession,
    HiveTable,
    HiveWorkload,
    ListPartitions,
    LogEvent,
    PutPartition,
    Rename,
    Statement,
    Update,
    Write,
)
from sim.world.scenario import FaultSpace, Scenario
from tests.mutants.hive import BY_NAME

T, U, E = "default.t", "default.u", "default.e"
B, RO = Begin((T,)), Begin((T,), read_only=True)
MANAGED, TWO = (HiveTable(T, "v0"),), (HiveTable(T, "v0"), HiveTable(U, "u0"))
EXTERNAL = (HiveTable(E, "e0", managed=False),)
NO_FAULTS = FaultSpace()
SESSION = ("get_open_txns", "allocate_write_id", "alter_table", "commit_txn", "abort_txn", "get_table", "poll")


@dataclass(frozen=True, slots=True)
class Kill:
    """One mutant's death. `row`: the interleaving of its row; `steps`: the operations that are steps (None: all)."""

    mutant: str
    broken: str
    row: str
    workload: HiveWorkload
    steps: tuple[str, ...] | None = SESSION
    drains: bool = False
    statements: bool = False
    dies: Literal["replica", "thread"] = "replica"
    faults: FaultSpace = NO_FAULTS

    def scenario(self, rules: Rules | None = None) -> Scenario:
        """The race that the mutant loses while it is alive; with `rules`, the same race under those."""
        mutant = BY_NAME[self.mutant]
        race = HiveRace(self.workload, rules or mutant.base, self.statements, self.drains or self.quiet, self.dies)
        return Scenario(
            name=f"hive/mutant-{self.mutant}",
            program=race,
            summary=mutant.why,
            properties=(self.broken,),
            expect="violated" if rules is None else "holds",
            broken=self.broken if rules is None else None,
            yield_points=self.steps,
            faults=self.faults,
        )

    @property
    def quiet(self) -> bool:
        """Whether the property speaks of the time after the last event."""
        return self.broken == "convergence"


def _two(*sessions: tuple[str, str, tuple[Statement, ...]], tables: tuple[HiveTable, ...] = MANAGED,
         cold: tuple[str, ...] = ()) -> HiveWorkload:  # fmt: skip
    return HiveWorkload(tuple([HiveSession(*session) for session in sessions]), tables, cold=cold)


def _w1(*statements: Statement) -> tuple[str, str, tuple[Statement, ...]]:
    return "w1", "h1", statements


def _w2(*statements: Statement) -> tuple[str, str, tuple[Statement, ...]]:
    return "w2", "h1", statements


def _r1(*statements: Statement) -> tuple[str, str, tuple[Statement, ...]]:
    return "r1", "h2", statements


READER = _r1(RO, Get(T))
CHANGE = _w1(B, Alter(T, "v1"), Commit())
RENAMER = _w1(B, RenamePartition(T, "d=1", "d=2", "p1"))
RENAMED_READ = _two(_w1(B, RenamePartition(T, "d=1", "d=2", "p1"), Commit(), RO, ListPartitions(T, "h2")),
                    tables=PARTITIONED)  # fmt: skip
RENAMING = ("get_open_txns", *FEWER)
TWO_TABLES = _two(_w1(Begin((T, U)), Alter(T, "v1"), Alter(U, "u1"), Commit()), tables=TWO, cold=("h2",))

KILLS = (
    # reading
    Kill("M1", "all-or-nothing", "poll:ALTER_TABLE get_table poll:ALTER_TABLE",
         _two(_w1(B, Alter(T, "v1"), Alter(T, "v2"), Commit()), READER)),
    Kill("M2", "freshness",
         "allocate_write_id allocate_write_id commit_txn poll:COMMIT_TXN commit_txn get_table",
         _two(_w1(B, Alter(T, "v1"), Commit(), RO, Get(T, "h2")), _w2(B, Alter(T, "v2"), Commit())),
         ("allocate_write_id", "alter_table", "commit_txn", "get_table", "poll")),
    Kill("M3", "freshness", "commit_txn get_table", _two(CHANGE, READER)),
    Kill("M4", "freshness", "allocate_write_id poll:ALLOC_WRITE_ID commit_txn get_table", _two(CHANGE, READER)),
    Kill("M5", "read-your-writes", "alter_table commit_txn poll:COMMIT_TXN alter_table get_table",
         _two(CHANGE, _w2(B, Alter(T, "v2"), Get(T, "h2"))),
         ("get_open_txns", "commit_txn", "alter_table", "get_table", "poll")),
    Kill("M6", "right-incarnation", "drop_table create_table get_table",
         _two(_w1(B, Drop(T), Create(T, "n0"), Commit(), RO, Get(T, "h2"))), ("drop_table", "create_table", *SESSION)),
    Kill("M7", "right-incarnation", "rename_table get_table",
         _two(_w1(B, Rename(T, U), Commit(), RO, Get(T))), ("rename_table", *SESSION)),
    Kill("M36", "freshness", "commit_txn get_table",
         HiveWorkload((HiveSession(*CHANGE), HiveSession(*READER, sends_lists=False)))),
    # write ids
    Kill("M8", "convergence", "allocate_write_id prewarm allocate_write_id commit_txn poll:COMMIT_TXN", TWO_TABLES,
         ("prewarm", *SESSION)),
    Kill("M9", "convergence", "poll:OPEN_TXN poll:ALLOC_WRITE_ID poll:COMMIT_TXN", TWO_TABLES, ("prewarm", *SESSION)),
    Kill("M16", "convergence", "alter_table abort_txn poll:ABORT_TXN", _two(_w1(B, Alter(T, "v1"), Abort()))),
    Kill("M17", "no-dirty-reads", "abort_txn poll:ABORT_TXN get_table",
         _two(_w1(B, Alter(T, "v1"), Abort()), READER)),
    Kill("M22", "convergence", "abort_txn poll:ABORT_TXN commit_txn poll:COMMIT_TXN",
         _two(CHANGE, _w2(B, Alter(T, "v2"), Abort())), ("allocate_write_id", "commit_txn", "abort_txn", "poll")),
    Kill("M23", "convergence", "allocate_write_id prewarm allocate_write_id commit_txn poll:COMMIT_TXN", TWO_TABLES,
         ("prewarm", *SESSION)),
    Kill("M24", "no-dirty-reads", "alter_table commit_txn poll:COMMIT_TXN get_table",
         _two(_w1(B, Alter(T, "v1")), _w2(B, Write(T), Commit(), RO, Get(T, "h2"))),
         ("allocate_write_id", "alter_table", "commit_txn", "get_table", "poll")),
    Kill("M25", "freshness", "rename_table create_table commit_txn commit_txn alter_table commit_txn get_table",
         _two(_w1(B, Write(T), Commit()), _w2(B, Rename(T, U), Create(T, "n0"), Commit(), B, Alter(T, "n1"), Commit(),
                                               RO, Get(T, "h2"))),
         ("rename_table", "create_table", "commit_txn", "alter_table", "get_table", "poll")),
    # following the log
    Kill("M10", "freshness", "poll:COMMIT_TXN poll:ALTER_TABLE get_table", _two(CHANGE, READER), (*SESSION, "apply")),
    Kill("M11", "monotonic-reads-per-replica", "poll:ALTER_TABLE get_table poll:ALTER_TABLE get_table",
         _two(_w1(Alter(E, "e1"), Alter(E, "e2")), _r1(Get(E), Get(E)), tables=EXTERNAL), (*SESSION, "apply")),
    Kill("M26", "convergence", "rename_table poll:ALTER_TABLE", _two(_w1(Rename(E, U)), tables=EXTERNAL),
         ("rename_table", *SESSION)),
    Kill("M26-event", "convergence", "rename_table poll:ALTER_TABLE", _two(_w1(Rename(E, U)), tables=EXTERNAL),
         ("rename_table", *SESSION)),
    Kill("M27", "freshness", "poll apply!crash poll poll:COMMIT_TXN get_table",
         _two(_w1(B, Alter(T, "v1"), Commit(), RO, Get(T, "h2"))),
         ("alter_table", "commit_txn", "get_table", "poll", "apply"), dies="thread", drains=True,
         faults=FaultSpace({"apply": ("crash",)}, 1, ("h2-thread",))),
    Kill("M29", "convergence", "log_event alter_table",
         _two(_w1(LogEvent("ALTER_DATACONNECTOR", E), Alter(E, "e1")), tables=EXTERNAL), ("log_event", *SESSION)),
    Kill("M30", "convergence", "select select alter_table poll:ALTER_TABLE alter_table",
         _two(_w1(Alter(E, "e1")), ("w2", "h2", (Alter(U, "u1"),)),
              tables=(*EXTERNAL, HiveTable(U, "u0", managed=False))),
         ("select", "alter_table", "poll"), statements=True),
    Kill("M31", "convergence", "alter_table clean_log", _two(_w1(Alter(E, "e1"), CleanLog()), tables=EXTERNAL),
         ("clean_log", *SESSION)),
    # loading
    Kill("M13", "freshness", "prewarm commit_txn commit_txn prewarm_tag poll:ALTER_TABLE poll:COMMIT_TXN get_table",
         _two(_w1(B, Alter(T, "v1"), Commit(), B, Alter(T, "v2"), Commit(), RO, Get(T, "h2")), cold=("h2",)),
         ("prewarm", "prewarm_tag", "alter_table", "commit_txn", "get_table", "poll")),
    Kill("M14", "freshness", "prewarm_table alter_table prewarm_position get_table",
         _two(_w1(B, Alter(T, "v1"), Commit(), RO, Get(T, "h2")), cold=("h2",)),
         ("prewarm_table", "prewarm_position", "alter_table", "commit_txn", "get_table", "poll")),
    Kill("M32", "convergence", "read_table poll:ALTER_TABLE fill",
         _two(_w1(Create(E, "e0", managed=False), Alter(E, "e1")), _r1(Get(E)), tables=()),
         ("create_table", "read_table", "fill", *SESSION)),
    Kill("M34", "freshness", "get_table get_partitions",
         _two(_w1(Begin(), Create(T, "v0"), PutPartition(T, "d=1", "p1"), Commit(),
                  RO, Get(T, "h2"), ListPartitions(T, "h2")), tables=()),
         ("create_table", "put_partition", "get_partitions", *SESSION)),
    # the session
    Kill("M18", "read-your-writes", "alter_table get_table", _two(_w1(B, Alter(T, "v1"), Get(T, "h2")))),
    Kill("M19", "no-dirty-reads", "alter_table abort_txn get_table",
         _two(_w1(B, Alter(T, "v1"), Abort(), RO, Get(T, "h2")))),
    Kill("M20", "freshness", "alter_table get_table", _two(_w1(B, Alter(T, "v1"), Commit(), RO, Get(T, "h2")))),
    # the database
    Kill("M37", "convergence", "commit_txn log_commit!crash", _two(CHANGE), ("log_commit", *SESSION),
         faults=FaultSpace({"log_commit": ("crash",)}, 1, ("w1",))),
    Kill("M38", "no-dirty-reads", "open_txn get_open_txns open_txn get_open_txns get_table",
         _two(_w1(B, Alter(T, "v1")), READER),
         ("next_value", "open_txn", "get_open_txns", "get_valid_write_ids", "allocate_write_id", "get_table"),
         statements=True),
    # beyond the rows
    Kill("P51-1", "freshness",
         "allocate_write_id allocate_write_id commit_txn poll:COMMIT_TXN commit_txn get_table",
         _two(_w1(B, Alter(T, "v1"), Commit(), RO, Get(T, "h2")), _w2(B, Alter(T, "v2"), Commit())),
         ("allocate_write_id", "alter_table", "commit_txn", "get_table", "poll")),
    Kill("renamed-partition-kept", "freshness", "rename_partition commit_txn poll:ALTER_PARTITION poll:COMMIT_TXN "
         "get_partitions", RENAMED_READ, RENAMING),
    Kill("renamed-partition-gone", "freshness", "rename_partition commit_txn poll:ALTER_PARTITION poll:COMMIT_TXN "
         "get_partitions", RENAMED_READ, RENAMING),
    Kill("renamed-partition-readable", "no-dirty-reads",
         "get_open_txns get_open_txns rename_partition poll:ALTER_PARTITION get_partitions",
         _two(RENAMER, _r1(RO, ListPartitions(T)), tables=PARTITIONED), RENAMING),
    Kill("renamed-partition-without-id", "freshness", "rename_partition get_partitions", RENAMED_READ, RENAMING),
    Kill("M37-reversed", "no-dirty-reads",
         "log_commit commit_txn log_commit commit_txn poll:COMMIT_TXN poll:COMMIT_TXN get_table",
         _two(_w1(B, Update(T), Alter(T, "v1"), Commit(), RO, Get(T, "h2")), _w2(B, Update(T), Commit())),
         ("alter_table", "log_commit", "commit_txn", "get_table", "poll")),
)  # fmt: skip


def fixed(kill: Kill) -> Scenario:
    """The same race under the reference."""
    return kill.scenario(FIXED)
