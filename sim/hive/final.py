"""The end of a race on a metastore: what each replica would serve from its cache, and what the database has.

A replica is asked by a client that begins now, without the database's help: what it would have to read there is a miss,
and of a table that is not to be cached it is said that it never is.
"""

from __future__ import annotations

from collections.abc import Sequence

from checkers.histories.recorder import Recorder
from model.hive import Answer, Replica, Request
from model.hive.observer import Unobserved
from model.hive.prewarm import analyzed_of
from model.hive.rows import TBLS, Partition, Statistics, Table, constraint_key, content_key, statistics_key
from model.hive.tables import partition_rows
from model.hive.txns import open_txns, snapshot
from model.hive.write_ids import valid_write_ids
from model.ports import Transaction
from sim.hive.statements import Reads, content_of
from sim.hive.workload import HiveWorkload
from sim.services.database import DatabaseService
from sim.world.simulation import Simulation

Rows = tuple[tuple[str, Partition], ...]
READER = "r-final"
NEVER = "cached=never"
"""What is said of a table that is not to be cached."""


def read_back(
    simulation: Simulation, database: DatabaseService, replicas: Sequence[Replica], workload: HiveWorkload
) -> None:
    """Record one `cached` operation per replica and table, then the final `read` of the database."""
    record = simulation.record
    found = database.transact("read", "final", lambda tx: _contents(tx, replicas))
    for replica in replicas:
        replica.observer = Unobserved()  # looking at the end proves nothing of the run
        for name, (table, request, rows) in found.items():
            answer = replica.settle(request)
            analyzed = [*_statistics(replica, table), *_of_partitions(replica, table, rows), *_key(replica, table)]
            _record(record, replica.name, name, table.id, answer, workload, analyzed)
        for name, entry in sorted(replica.cache.entries.items()):
            if name not in found:
                phantom = Answer(entry.table, tuple(entry.partitions.items()), "cache", entry.tag)
                _record(record, replica.name, name, 0, phantom, workload, [])
    op = record.invoke(READER, "read")
    values: dict[str, str | None] = dict.fromkeys(record.keys())
    for table, _, rows in found.values():
        values[content_key(table.id)] = dict(table.parameters).get("v")
        if table.key is not None:
            values[constraint_key(table.id)] = table.key
        if table.analyzed is not None:
            values[statistics_key(table.id)] = table.analyzed
        values |= {content_key(table.id, name): row.value for name, row in rows}
        values |= {statistics_key(table.id, name): one.value for name, one in analyzed_of(rows)}
    record.ok(op, reads=[(key, value, None) for key, value in values.items()])


def _record(
    record: Recorder, replica: str, name: str, table_id: int, answer: Answer | None, workload: HiveWorkload,
    statistics: Reads,
) -> None:  # fmt: skip
    op = record.invoke(f"{READER}-{replica}", "cached", f"at={replica} table={name} id={table_id}")
    if answer is None:
        never = "" if workload.cached.has(name) else f" {NEVER}"
        record.ok(op, arg=f"at={replica} table={name} id={table_id} source=database{never}")
        return
    tag = "" if answer.tag is None else f" tag={answer.tag}"
    words = f"at={replica} table={name} id={table_id} source=cache seen={answer.table.id}{tag}"
    record.ok(op, reads=[*content_of(answer, workload.partitions_of(name)), *statistics], arg=words)


def _statistics(replica: Replica, table: Table) -> Reads:
    """The statistics that a cache has of a table that has some, or has had; those that it would ask the database for it
    has not."""
    entry = replica.cache.entries.get(table.name)
    if entry is None or (entry.statistics is None and (table.analyzed is None or replica.rules.asks_for_statistics)):
        return []
    if table.analyzed is None and not (_had(table, table.statistics) and entry.table.id == table.id):
        return []
    return [(statistics_key(entry.table.id), entry.statistics, None)]


def _had(table: Table, statistics: Statistics | None) -> bool:
    """Whether there were some, which have been deleted: of tables without write ids that is all that leaves a row."""
    return statistics is not None and not table.managed


def _key(replica: Replica, table: Table) -> Reads:
    """The primary key that a cache has of a table, if it or the table has one."""
    entry = replica.cache.entries.get(table.name)
    if entry is None or not entry.key_known or (entry.key is None and table.key is None):
        return []
    return [(constraint_key(entry.table.id), entry.key, None)]


def _of_partitions(replica: Replica, table: Table, rows: Rows) -> Reads:
    """The same of its partitions."""
    entry = replica.cache.entries.get(table.name)
    known = {} if entry is None else entry.partition_statistics
    there = dict(analyzed_of(rows))
    named = [name for name, row in rows if name in there or _had(table, row.statistics)]
    both = [(name, known[name]) for name in named if name in known]
    return [
        (statistics_key(table.id if entry is None else entry.table.id, name), one.value, None) for name, one in both
    ]


def _contents(tx: Transaction, replicas: Sequence[Replica]) -> dict[str, tuple[Table, Request, Rows]]:
    found = {}
    for name, row in tx.scan(TBLS):
        table: Table = row
        request = Request(name)
        if table.managed and replicas:
            txns = snapshot(open_txns(tx))
            request = Request(name, table.id, valid_write_ids(tx, txns, name))
        found[name] = (table, request, partition_rows(tx, table))
    return found
