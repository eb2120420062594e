"""How the metastore scenarios are made: two replicas, sessions, and the steps that a live gate can hold.

Steps are the calls of sessions and the polls of replicas, one event each; as shipped, a poll reads all that there is,
and applying it is a step of its own. `open_txn`, `get_valid_write_ids` and the read of the database after a miss happen
between two steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from model.hive import FIXED, Rules
from model.hive.cached_objects import EVERYTHING, CachedObjects
from sim.hive.bounds import bounds_of
from sim.hive.faults import NO_FAULTS
from sim.hive.live import CALLS, live_of
from sim.hive.race import HiveRace
from sim.hive.workload import (
    Alter,
    Begin,
    Commit,
    Create,
    Drop,
    HiveSession,
    HiveTable,
    HiveWorkload,
    PutPartition,
    Statement,
)
from sim.world.scenario import FaultSpace, Scenario, parameters_of, scenario_of
from sim.world.words import all_but, not_asked

T, U, W, E = "default.t", "default.u", "default.w", "default.e"
B, RO = Begin((T,)), Begin((T,), read_only=True)
MANAGED = (HiveTable(T, "v0"),)
EXTERNAL = (HiveTable(E, "e0", managed=False),)
STEPS = (*CALLS, "poll", "clean_log")
OPERATIONS = (
    *STEPS, "apply", "open_txn", "get_valid_write_ids", "read_table", "record_update", "log_event", "prewarm",
    "prewarm_txns", "prewarm_tag", "prewarm_table", "prewarm_position", "fill", "pull", "look_up_write_ids",
    "rename_write_ids", "get_cached_table", "refresh_names", "refresh_table", "refresh_check", "refresh_partitions",
    "lock_table", "check_lock", "give_up_lock", "time_out", "evict", "restart", "rename_partition", "rename_database",
    "lock_update", "lock_insert", "commit_id", "latest_conflict", "reallocate_write_id", "add_dynamic_partitions",
    "clean_write_set", "clean_write_ids", "clean_txns",
    "update_statistics", "delete_statistics", "get_statistics", "read_statistics", "add_key", "drop_key", "get_key",
    "read_key", "refresh_keys", "truncate_table", "read_to_truncate",
    "load_table", "load_list", "load_partitions", "load_check",
)  # fmt: skip
"""What sessions, replicas and update threads call their steps, beside what simulated services do."""
SESSION_GUARANTEES = (
    "acknowledged-writes-survive", "read-your-writes", "right-incarnation", "freshness", "all-or-nothing",
    "no-dirty-reads", "first-committer-wins", "monotonic-reads-per-replica",
)  # fmt: skip
"""What the document promises sessions. The last does not hold in general: `hive/one-replica-two-writers`."""
QUIET = (*SESSION_GUARANTEES, "convergence")
MONOTONIC = {"monotonic-reads-per-replica": "hive/one-replica-lost-commit breaks it"}
STOPPING = {"convergence": "no update thread is waited for"}
"""What is not asked (`but`), and why. Where an update thread is, live servers cannot lose a call (`live_of`)."""
EVENTUAL = ("acknowledged-writes-survive", "monotonic-reads-per-replica", "convergence")
"""What is promised of external tables."""
ANSWERED = (*EVENTUAL, "calls-answered")
"""And, where a server may hang, that it does not."""
ONE_BUG = "one bug of the patch is asked about"
ELSEWHERE = "they are asked of smaller races, such as hive/replica-restart"
ONE_CHANGE: tuple[Statement, ...] = (B, Alter(T, "v1"), Commit())

UNTOLD = ("sessions", "tables", "earlier", "lagging")
"""What a record has in other words than a parameter's; what caches may hold it has where that is not everything."""
Sessions = Mapping[str, tuple[str, tuple[Statement, ...]]]
REMADE: Sessions = {
    "w1": ("h1", (Drop(E), Create(E, "n0", managed=False), PutPartition(E, "d=1", "p1"), Alter(U, "u1", "h2")))
}
"""A table is dropped and made anew, with a partition; then somebody changes another one through h2."""


def only(asked: str, why: str, among: tuple[str, ...] = QUIET) -> dict[str, str]:
    """The others of these properties, which are not asked, and why."""
    return {name: why for name in among if name != asked}


def metastore(
    name: str, summary: str, sessions: Sessions, *, rules: Rules = FIXED,
    properties: tuple[str, ...] = QUIET, tables: tuple[HiveTable, ...] = MANAGED,
    cold: tuple[str, ...] = (), pollers: tuple[str, ...] = ("h2",),
    broken: str | None = None, counters: tuple[str, ...] = (), faults: FaultSpace = NO_FAULTS,
    steps: tuple[str, ...] = STEPS, pair: str | None = None, statements: bool = False,
    dies: Literal["replica", "thread"] = "replica", old_clients: tuple[str, ...] = (), but: Mapping[str, str] = {},
    limit: str = "", cached: CachedObjects = EVERYTHING, hives_own: tuple[str, ...] = (),
    replicas: tuple[str, ...] = ("h1", "h2"),
) -> Scenario:  # fmt: skip
    """A scenario on replicas of one database: two, h1 and h2, unless it is said.

    Args: `sessions`: actor -> (home replica, statements); `properties`: update threads see to the whole log if
    convergence is among them; `broken`: the property that is expected to break; `old_clients`: those that send no
    lists, `hives_own`: those that make a call again; `but`: those of `properties` that are not asked, and why; `limit`:
    what else the question is limited to.
    """
    properties = all_but(properties, but)
    clients = [
        HiveSession(actor, home, todo, actor not in old_clients, actor in hives_own)
        for actor, (home, todo) in sessions.items()
    ]
    workload = HiveWorkload(tuple(clients), tables, replicas=replicas, pollers=pollers, cold=cold, cached=cached)
    drains = "convergence" in properties
    program = HiveRace(workload, rules, statements, drains, dies)
    quiet = "no faults" if broken else f"no faults: {ELSEWHERE}"
    parts = (bounds_of(workload, rules, drains=drains), limit, not_asked(but), "" if faults.limit else quiet)
    return scenario_of(
        program,
        f"hive/{name}",
        protocol="hive",
        summary=summary,
        properties=properties,
        broken=broken,
        counters=counters,
        faults=faults,
        yield_points=(*steps, "apply") if rules.position == "after-batch" and "apply" not in steps else steps,
        bounds="; ".join(filter(None, parts)),
        live=live_of(program),
        parameters=parameters_of(workload, without=(*UNTOLD, "cached") if cached == EVERYTHING else UNTOLD),
        pair=pair,
    )
