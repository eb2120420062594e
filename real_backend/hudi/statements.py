"""A write or a service of a workload, made by a live client.

Choices: clustering is planned where another write begins; carrying the plan out and committing it are one call; of
compaction they are two.
"""

from collections.abc import Callable

from model.hudi import HudiConfig
from model.hudi.timeline import Timeline
from real_backend.hudi.client import Located, Record, SplitClient
from real_backend.hudi.exceptions import NothingPlanned
from sim.hudi.planned import planned_as
from sim.hudi.statements import (
    Archive,
    BulkInsert,
    Clean,
    Cluster,
    Compact,
    Delete,
    DeletePartition,
    Insert,
    Overwrite,
    PlanClustering,
    ReadingFirst,
    Restore,
    Savepoint,
    Service,
    Upsert,
    Write,
)
from sim.hudi.writes import action_of


def begin(client: SplitClient, statement: Write, config: HudiConfig, timeline: Callable[[], Timeline]) -> str:
    """Announce it, or plan it, or find a plan on the `timeline`, read when it is needed; returns its instant."""
    match statement:
        case Cluster(pending=True) | Compact(pending=True):
            plan = timeline().oldest_plan(planned_as(statement))
            if plan is None:
                raise NothingPlanned(f"{planned_as(statement)}: expected a plan that is pending, got none")
            client.instant = str(plan)
            return client.instant
        case Cluster():
            return client.schedule_clustering()
        case Compact(logs=True):
            return client.schedule_log_compaction()
        case Compact():
            return client.schedule_compaction()
        case _:
            return client.start(action_of(statement, config))


def write_found(
    client: SplitClient, statement: ReadingFirst, records: tuple[Record, ...], places: tuple[Located, ...],
    ordering: int, *, prepped: bool,
) -> None:  # fmt: skip
    """Change what an UPDATE or a DELETE has found, up to its commit. Args: `places`: where that is; `prepped`: there it
    is changed; else where the index says."""
    found = dict.fromkeys([(key, partition) for key, partition, *_ in places])
    if isinstance(statement, Delete):
        if prepped:
            client.delete_located(places)
        else:
            client.delete(tuple(found))
    elif prepped:
        client.upsert_located(records, places, ordering)
    else:
        client.upsert(tuple([each for each in records if each[:2] in found]), ordering)


def write_data(client: SplitClient, statement: Write, records: tuple[Record, ...], ordering: int) -> None:
    """Make it, up to its commit. Args: `ordering` decides between two values of one key."""
    match statement:
        case Upsert():
            client.upsert(records, ordering)
        case Insert():
            client.insert(records, ordering)
        case BulkInsert():
            client.bulk_insert(records, ordering)
        case Overwrite(_, whole_table):
            client.overwrite(records, ordering, whole_table=whole_table)
        case DeletePartition(partition):
            client.delete_partition(partition)
        case Compact(logs=True):
            client.compact_logs(str(client.instant))
        case Compact():
            client.compact(str(client.instant))


def commit(client: SplitClient, statement: Write) -> None:
    """Make it visible."""
    if isinstance(statement, Cluster):
        client.cluster(str(client.instant))
    elif isinstance(statement, Compact):
        (client.commit_log_compaction if statement.logs else client.commit_compaction)()
    else:
        client.commit()


def serve(client: SplitClient, statement: Service, timeline: Timeline) -> None:
    """Carry out what writes no rows. Args: `timeline` as it is now."""
    match statement:
        case Clean():
            client.clean()
        case Archive():
            client.archive()
        case Savepoint(back):
            client.savepoint(str(timeline.back(back).requested))
        case Restore():
            saved = timeline.savepoints
            client.restore(str(saved[-1].requested) if saved else None)
        case PlanClustering():
            client.schedule_clustering()
        case _:
            client.delete_savepoint()
