"""What breaks in Impala's catalog daemon beside what mends it: the same clients and steps, and it holds.

A ticket's fix is what Impala ships, or a flag of it; where nobody ships one, it is a rule of ours (`FIXES`). What the
daemon promises and keeps stands here, too.
"""

from __future__ import annotations

from dataclasses import replace

from model.hive.impala_rules import IMPALA, IMPALA_SYNCED
from model.hive.rules import Rules
from sim.hive.bounds import bounds_of
from sim.hive.build import EVENTUAL, EXTERNAL, QUIET, E, metastore
from sim.hive.impala import DAEMONS, FIXES, LOADING, ONE_THING, PER_REPLICA, SHELL, UNCHECKED, F, daemon
from sim.hive.race import HiveRace
from sim.hive.workload import Alter, Create, Drop, DropPartition, Get, HiveTable, PutPartition, Rename, Statement
from sim.world.scenario import Scenario
from sim.world.words import not_asked

BY_NAME = {scenario.name: scenario for scenario in DAEMONS}
ONE_PARTITION = (HiveTable(E, "e0", False, (("d=1", "p1"),)),)
CONVERGES = {PER_REPLICA: ONE_THING}
FEWER = {
    "hive/impala-list-after-table": ("alter_table", "commit_txn", "get_table", "load_list"),
    "hive/impala-no-table-id": ("drop_table", "create_table", "commit_txn", "get_table", "poll"),
    "hive/impala-unknown-abort": ("drop_table", "abort_txn", "alter_table", "poll"),
}
"""Steps of what is searched whole, where those of its pair are too many for that."""


def _mended(name: str, rules: Rules) -> Scenario:
    broken = BY_NAME[name]
    race = broken.program
    assert isinstance(race, HiveRace)
    promised = QUIET if any(table.managed for table in race.workload.tables) else EVENTUAL
    but = {one: ONE_THING for one in promised if one not in broken.properties}
    bounds = bounds_of(race.workload, rules, drains=race.drains), not_asked(but), "no faults: one schedule breaks it"
    return replace(
        broken,
        name=f"{name}-mended",
        yield_points=FEWER.get(name, broken.yield_points),
        program=replace(race, rules=rules),
        summary=f"The same with what mends it. {broken.summary}",
        expect="holds",
        broken=None,
        bounds="; ".join(filter(None, bounds)),
        pair=name,
    )


def _followed(name: str, summary: str, changes: tuple[Statement, ...], rules: Rules = IMPALA) -> Scenario:
    return metastore(
        name,
        summary,
        {"w1": ("h1", changes), "r1": ("h2", (Get(E),))},
        rules=rules,
        tables=ONE_PARTITION,
        properties=EVENTUAL,
        but=CONVERGES,
        steps=LOADING,
    )


MENDED: tuple[Scenario, ...] = tuple([_mended(name, rules) for name, rules in FIXES.items()])
KEPT: tuple[Scenario, ...] = (
    _followed(
        "impala-follows-names",
        "Tables are made, renamed and dropped by Hive: Impala's daemon has those that there are in the end.",
        (Create(F, "f0", managed=False), Rename(F, "default.g"), Drop(E)),
    ),
    _followed(
        "impala-follows-changes",
        "A table that is loaded is changed by Hive twice: Impala's daemon has it as it is in the end.",
        (Alter(E, "e1"), Alter(E, "e2")),
    ),
    _followed(
        "impala-follows-partitions",
        "Partitions are added, changed and dropped by Hive: Impala's daemon has those that there are in the end.",
        (PutPartition(E, "d=1", "p2"), DropPartition(E, "d=1"), PutPartition(E, "d=2", "p3")),
    ),
    _followed(
        "impala-remade",
        "A table is dropped and made anew by Hive: Impala's daemon drops the right one of them.",
        (Drop(E), Create(E, "n0", managed=False)),
    ),
    metastore(
        "impala-own-changes",
        "A table is changed through Impala's daemon alone, as by its shell: there is nothing to invalidate.",
        {"w1": ("h2", (Alter(E, "e1"), Alter(E, "e2"), Get(E)))},
        rules=SHELL,
        tables=EXTERNAL,
        properties=("read-your-writes", *EVENTUAL),
        steps=LOADING,
    ),
    metastore(
        "impala-unforgotten-changes",
        "invalidate_hms_cache_on_ddls off: the daemon hears of a change that was made through it by its event.",
        {"w1": ("h2", (Alter(E, "e1"),)), "w2": ("h1", (Alter(E, "e2"),))},
        rules=daemon(own_changes="followed"),
        tables=EXTERNAL,
        properties=EVENTUAL,
        but=CONVERGES,
        steps=LOADING,
    ),
    metastore(
        "impala-synced-on-change",
        "enable_sync_to_latest_event_on_ddls: of two changes, one through the daemon, a load takes one.",
        {"w1": ("h2", (Alter(E, "e1"), Get(E))), "w2": ("h1", (Alter(E, "e2"),))},
        rules=IMPALA_SYNCED,
        tables=EXTERNAL,
        properties=EVENTUAL,
        but=CONVERGES,
        broken="convergence",
        steps=LOADING,
    ),
    replace(
        _mended("hive/impala-unknown-abort", daemon(UNCHECKED, failures="forget")),
        name="hive/impala-failed-event",
        summary="IMPALA-12832: an event that cannot be applied costs what is loaded of its tables, and no other event.",
    ),
)  # fmt: skip
