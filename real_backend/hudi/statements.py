"""A write or a service of a workload, made by a live client.

Choices: clustering is planned where another write begins; carrying the plan out and committing it are one call.
"""

from model.hudi import HudiConfig
from model.hudi.timeline import Timeline
from real_backend.hudi.client import Record, SplitClient
from sim.hudi.statements import (
    Archive,
    BulkInsert,
    Clean,
    Cluster,
    DeletePartition,
    Insert,
    Overwrite,
    Savepoint,
    Service,
    Upsert,
    Write,
)
from sim.hudi.writes import action_of


def begin(client: SplitClient, statement: Write, config: HudiConfig) -> str:
    """Announce it, or plan it; returns its instant."""
    if isinstance(statement, Cluster):
        return client.schedule_clustering()
    return client.start(action_of(statement, config))


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


def commit(client: SplitClient, statement: Write) -> None:
    """Make it visible."""
    if isinstance(statement, Cluster):
        client.cluster(str(client.instant))
    else:
        client.commit()


def serve(client: SplitClient, statement: Service, timeline: Timeline) -> None:
    """Carry out what changes no rows. Args: `timeline` as it is now."""
    match statement:
        case Clean():
            client.clean()
        case Archive():
            client.archive()
        case Savepoint(back):
            commits = timeline.completed
            client.savepoint(str(commits[max(0, len(commits) - 1 - back)].requested))
        case _:
            client.delete_savepoint()
