"""The Iceberg scenarios that come with the product."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from model.iceberg import SHIPPED, Rules, coverage
from model.iceberg.rules import DELETE_VALIDATES_DELETES, IDEMPOTENT, NAMED_FILES_ONLY, SELF_CHECK_FIRST
from sim.iceberg.bounds import left_out, nothing_to_pick, refused_beside_main, without_faults
from sim.iceberg.counterparts import CATALOG_STEPS as CATALOG_STEPS
from sim.iceberg.counterparts import live_of
from sim.iceberg.race import IcebergRace
from sim.iceberg.workload import (
    Append,
    Delete,
    DeleteRow,
    IcebergWorkload,
    Insert,
    JavaApi,
    Overwrite,
    Replace,
    Statement,
    Update,
)
from sim.world.fault_spaces import CLOCK, LOCKS, METASTORE, OBJECT_STORE, REGISTER, Port, wide
from sim.world.scenario import LEASE_MS, FaultSpace, Scenario, parameters_of, scenario_of
from sim.world.words import all_but, not_asked

NO_FAULTS = FaultSpace()
SAFETY = (
    "readable",
    "table-invariants",
    "no-aborted-reads",
    "acknowledged-writes-survive",
    "no-lost-update",
    "snapshot-isolation",
    "conflict-detection",
    "no-spurious-refusal",
    "no-leaks",
)
LEVELS = {"snapshot": SAFETY, "serializable": (*SAFETY, "serializable")}
CONSISTENT = {"stale": "reads are consistent"}
STORE = Port("object store", {name: OBJECT_STORE.kinds[name] for name in ("get", "put", "delete")})
"""The object store, as Iceberg calls it."""


def race(
    name: str, summary: str, writers: Mapping[str, Sequence[Statement]], *, rules: Rules = SHIPPED,
    properties: tuple[str, ...] | None = None, counters: tuple[str, ...] = (), broken: str | None = None,
    faults: FaultSpace = NO_FAULTS, yield_points: tuple[str, ...] | None = None, because: str = "", **table: Any,
) -> Scenario:  # fmt: skip
    """A scenario of a race on one table.

    Args: `properties`: what must hold (None: all that Iceberg promises at the isolation level); `because`: why not
    all of these are among them; `broken`: the property that is expected to break; `table`: fields of
    `IcebergWorkload`, such as `mode` and `table_properties`.
    """
    given: Mapping[str, Any] = writers
    statements: Any = tuple([(name, todo if isinstance(todo, str) else tuple(todo)) for name, todo in given.items()])
    workload = IcebergWorkload(statements, idempotency=rules.idempotency_key, **table)
    program = IcebergRace(workload, rules)
    but = left_out(faults) | nothing_to_pick(workload) | refused_beside_main(workload) if properties is None else {}
    if properties is not None and because:
        but = {name: because for name in LEVELS[workload.isolation] if name not in properties}
    said = (workload.bounds, not_asked(but), "" if faults.limit else without_faults(workload, broken))
    return scenario_of(
        program,
        f"iceberg/{name}",
        protocol="iceberg",
        summary=summary,
        properties=properties if properties is not None else all_but(LEVELS[workload.isolation], but),
        broken=broken,
        counters=counters,
        faults=faults,
        yield_points=yield_points,
        bounds="; ".join(filter(None, said)),
        live=live_of(workload) if rules in (SHIPPED, IDEMPOTENT) else "expected Iceberg's rules as shipped, got others",
        parameters=(
            ("lease", f"{LEASE_MS} ms"),
            *parameters_of(workload, without=unsaid(workload)),
            *of_session(workload),
        ),
        idempotent=rules.idempotency_key,
        keys=workload.keys,
    )


def unsaid(workload: IcebergWorkload) -> tuple[str, ...]:
    """Fields that are no parameters: what bounds tell, and what is as usual."""
    optional = ("update_mode", "update_isolation", "tries", "partition_width", "ages_h", "cached")
    usual = [name for name in optional if not getattr(workload, name)]
    usual += ["keys"] if workload.keys == "kept" else []
    usual += ["partition_transform"] if workload.partition_transform == "truncate" else []
    return ("writers", "rows", "history", "target", *usual)


def of_session(workload: IcebergWorkload) -> tuple[tuple[str, str], ...]:
    """The branch that its sessions have, as a parameter."""
    return (("spark.wap.branch", str(workload.target.branch)),) if workload.target.by_session else ()


LOCK_STEPS = ("lock", "check_lock", "alter_table", "unlock", "sleep", "show_locks")
LONG_PAUSE_MS = 600_000
ANY_REST_FAULT = wide(REGISTER, STORE, without=CONSISTENT)
SENT_AGAIN = wide(REGISTER, STORE, without=CONSISTENT | {"409-after": "no key is sent again after a refusal"})
DELETE_UPDATE: Mapping[str, Sequence[Statement]] = {"w1": [Delete(1)], "w2": [Update(1, "A")]}
APPENDS: Mapping[str, Sequence[Statement]] = {"w1": [Append(((3, "x"),))], "w2": [Append(((4, "y"),))]}
REPLACES: Mapping[str, Sequence[Statement]] = {"w1": [Replace(2, ((2, "x"),))], "w2": [Replace(3, ((3, "y"),))]}
TWO_FILES: tuple[JavaApi, ...] = (Append(((3, "c"),)), Append(((4, "d"),)))
WITHOUT_OLD_DELETE: tuple[JavaApi, ...] = (Replace(2, ((2, "b2"),)), *TWO_FILES)
# The file that the delete was for is replaced, but the delete file stays: it is as old as the oldest data then.
WITH_OLD_DELETE: tuple[JavaApi, ...] = (DeleteRow(1), *WITHOUT_OLD_DELETE)
FILES_APART = (*SAFETY, "no-needless-refusal")


ICEBERG: tuple[Scenario, ...] = (
    race(
        "delete-update-snapshot",
        "DELETE and UPDATE of one row, merge-on-read, snapshot isolation: the deleted row comes back.",
        DELETE_UPDATE,
        broken="acknowledged-writes-survive",
    ),
    race(
        "delete-update-serializable",
        "The same two statements under serializable isolation.",
        DELETE_UPDATE,
        isolation="serializable",
        counters=(coverage.RETRY, coverage.ADDED_DATA_FILES_REFUSED, coverage.NEW_DELETE_FILES_REFUSED),
    ),
    race(
        "delete-update-snapshot-fixed",
        "The same under snapshot isolation, with DELETE validating new delete files as UPDATE does.",
        DELETE_UPDATE,
        rules=DELETE_VALIDATES_DELETES,
        counters=(coverage.NEW_DELETE_FILES_REFUSED,),
    ),
    race(
        "delete-update-copy-on-write",
        "The same two statements, copy-on-write, snapshot isolation.",
        DELETE_UPDATE,
        mode="copy-on-write",
        counters=(coverage.MISSING_DELETE_PATHS_REFUSED,),
    ),
    race(
        "update-update-snapshot",
        "Two UPDATEs of one row, merge-on-read, snapshot isolation.",
        {"w1": [Update(1, "A")], "w2": [Update(1, "B")]},
        counters=(coverage.NEW_DELETE_FILES_REFUSED,),
    ),
    race(
        "append-append",
        "Two appends through the Java API: a lost race is retried and both files stay.",
        APPENDS,
        catalog="java-api",
        counters=(coverage.RETRY,),
    ),
    race(
        "append-overwrite",
        "An append and a validated overwrite through the Java API.",
        {"w1": [Append(((3, "x"),))], "w2": [Overwrite(((1, "B"), (2, "b2")), validate=True)]},
        catalog="java-api",
        counters=(coverage.ADDED_DATA_FILES_REFUSED,),
    ),
    race(
        "overwrite-overwrite",
        "Two overwrites through the Java API that leave the validation out: one is lost.",
        {"w1": [Overwrite(((1, "A"), (2, "a2")))], "w2": [Overwrite(((1, "B"), (2, "b2")))]},
        catalog="java-api",
        broken="snapshot-isolation",
    ),
    race(
        "overwrite-overwrite-validated",
        "The same two overwrites with validation: the second is refused.",
        {
            "w1": [Overwrite(((1, "A"), (2, "a2")), validate=True)],
            "w2": [Overwrite(((1, "B"), (2, "b2")), validate=True)],
        },
        catalog="java-api",
        counters=(coverage.ADDED_DATA_FILES_REFUSED,),
    ),
    race(
        "replace-replace",
        "Two overwrites, by file, of different files: the one that loses the race is retried, and both stay.",
        REPLACES,
        catalog="java-api",
        history=WITHOUT_OLD_DELETE,
        properties=FILES_APART,
        counters=(coverage.RETRY,),
    ),
    race(
        "replace-replace-old-delete",
        "The same beside a delete file without data, which each drops in passing: the one that is retried is refused.",
        REPLACES,
        catalog="java-api",
        history=WITH_OLD_DELETE,
        properties=FILES_APART,
        broken="no-needless-refusal",
    ),
    race(
        "replace-replace-old-delete-fixed",
        "The same, with retries that require the files named for removal, and no others.",
        REPLACES,
        rules=NAMED_FILES_ONLY,
        catalog="java-api",
        history=WITH_OLD_DELETE,
        properties=FILES_APART,
        counters=(coverage.RETRY,),
    ),
    race(
        "hive-lock",
        "Two appends on the Hive catalog with its lock, both processes running all the time.",
        APPENDS,
        catalog="hive-lock",
        retries=1,
        yield_points=LOCK_STEPS,
        counters=(coverage.LOCK_WAITED, coverage.LOCATION_CHANGED, coverage.HEARTBEAT_SENT, coverage.RETRY),
    ),
    race(
        "hive-lock-pause",
        "The same, and any call may fail or be late, by more than the lease: the alter is not fenced.",
        APPENDS,
        catalog="hive-lock",
        properties=SAFETY,
        faults=wide(METASTORE, LOCKS, STORE, CLOCK, pause_ms=LONG_PAUSE_MS, without=CONSISTENT),
        broken="acknowledged-writes-survive",
    ),
    race(
        "hive-no-lock-pause",
        "The same, with locks off and the old location as expected parameter: a late alter is refused.",
        APPENDS,
        catalog="hive-no-lock",
        # The object store's faults, too, make 14,711 schedules, which hold as well: too many to be run every time.
        faults=wide(METASTORE, CLOCK, pause_ms=LONG_PAUSE_MS, without=CONSISTENT),
        counters=("fault pause", coverage.RETRY, coverage.STATUS_FAILURE),
    ),
    race(
        "update-reply-faults",
        "One UPDATE, merge-on-read; any call may fail: files of a commit that was applied are deleted.",
        {"w1": [Update(1, "A")]},
        isolation="serializable",
        properties=LEVELS["serializable"],
        faults=ANY_REST_FAULT,
        broken="readable",
    ),
    race(
        "update-reply-faults-idempotent",
        "The same with the catalog's stored reply under an idempotency key.",
        {"w1": [Update(1, "A")]},
        isolation="serializable",
        rules=IDEMPOTENT,
        properties=LEVELS["serializable"],
        faults=SENT_AGAIN,
        counters=("stored reply repeated", "fault 503-after-retry"),
    ),
    race(
        "update-reply-faults-self-check",
        "The same, with a client that looks for its own snapshot before it validates.",
        {"w1": [Update(1, "A")]},
        isolation="serializable",
        rules=SELF_CHECK_FIRST,
        properties=LEVELS["serializable"],
        faults=ANY_REST_FAULT,
        counters=(coverage.SELF_RECOGNISED_EARLY,),
    ),
    race(
        "insert-reply-faults",
        "One INSERT; any call may fail, before or after it was applied.",
        {"w1": [Insert(((3, "x"),))]},
        properties=SAFETY,
        faults=ANY_REST_FAULT,
        counters=(coverage.SELF_RECOGNISED, coverage.RECONCILED, coverage.RESENT, coverage.NOT_RECONCILED),
    ),
    race(
        "insert-insert-misreported",
        "Two INSERTs; one commit is applied and answered as if it were not: the other one's commit is lost.",
        {"w1": [Insert(((3, "x"),))], "w2": [Insert(((4, "y"),))]},
        properties=SAFETY,
        faults=ANY_REST_FAULT,
        broken="acknowledged-writes-survive",
    ),
    race(
        "insert-insert-misreported-fixed",
        "The same, with a client that takes its own snapshot below the head for success.",
        {"w1": [Insert(((3, "x"),))], "w2": [Insert(((4, "y"),))]},
        rules=SELF_CHECK_FIRST,
        # At every step on every port there are 35,716 schedules, which hold as well: too many to be run every time.
        faults=wide(REGISTER, without=CONSISTENT),
        yield_points=CATALOG_STEPS,
        counters=(coverage.SELF_RECOGNISED_EARLY,),
    ),
)
