"""A write of a workload, made by a live client, up to its commit."""

from real_backend.hudi.client import Record, SplitClient
from sim.hudi.workload import BulkInsert, DeletePartition, Insert, Overwrite, Upsert, Write


def write_data(client: SplitClient, statement: Write, records: tuple[Record, ...], ordering: int) -> None:
    """Make it. Args: `ordering` decides between two values of one key."""
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
