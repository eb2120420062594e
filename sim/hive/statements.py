"""One statement of a session: what it does, and what its history row says of it."""

from __future__ import annotations

from typing import Any, NamedTuple

from model.hive import Answer, Session
from model.hive.errors import NoSuchTable
from model.hive.rows import (
    Event,
    constraint_key,
    content_key,
    statistics_key,
)
from sim.hive.constraint_statements import AddKey, DropKey, GetKey
from sim.hive.database_renames import RenameDatabase
from sim.hive.lock_statements import Lock, LockSet
from sim.hive.partition_renames import RenamePartition
from sim.hive.present import Writes, analyzed_by, of_partition
from sim.hive.statistics_statements import Analyze, DeleteStatistics, GetAggregate, GetStatistics
from sim.hive.truncate_statements import Truncate
from sim.hive.update_statements import LockedInsert, LockedUpdate
from sim.hive.workload import (
    Abort,
    Alter,
    Begin,
    Commit,
    Create,
    Drop,
    DropPartition,
    Get,
    HiveWorkload,
    ListPartitions,
    PutPartition,
    Rename,
    Statement,
    Update,
    Write,
)

OPENING = (Begin, Lock, LockSet, LockedUpdate, LockedInsert)
"""If one of these fails, what follows it in its transaction is not done."""
Reads = list[tuple[str, str | None, int | None]]


class Told(NamedTuple):
    """What a statement was told: words for its `arg`, the version that it made, what it read and wrote."""

    words: str
    commit: int | None = None
    reads: tuple[tuple[str, str | None, int | None], ...] = ()
    writes: tuple[tuple[str, str | None], ...] = ()


def names_of(workload: HiveWorkload) -> tuple[str, ...]:
    """Every table name of a race, in the order in which it comes up."""
    names = [table.name for table in workload.tables]
    for session in workload.sessions:
        for statement in session.statements:
            names += [getattr(statement, field) for field in ("table", "to") if hasattr(statement, field)]
            names += [statement.renamed(name) for name in names] if isinstance(statement, RenameDatabase) else []
    return tuple(dict.fromkeys(names))


def databases_of(workload: HiveWorkload) -> tuple[str, ...]:
    """Every database that there is before a race: not what one is to be called in it."""
    new = {one.new_name for each in workload.sessions for one in each.statements if isinstance(one, RenameDatabase)}
    names = dict.fromkeys([name.partition(".")[0] for name in names_of(workload)])
    return tuple([name for name in names if name not in new])


OF_TABLE: dict[type, str] = {
    Get: "get-table", ListPartitions: "list-partitions", Alter: "alter", PutPartition: "put-partition",
    DropPartition: "drop-partition", Create: "create", Rename: "rename", Drop: "drop", Write: "write",
    Update: "update", RenamePartition: "rename-partition", Analyze: "analyze", GetStatistics: "get-statistics",
    Truncate: "truncate", AddKey: "add-key", DropKey: "drop-key", GetKey: "get-key",
    LockedInsert: "insert", DeleteStatistics: "delete-statistics",
}  # fmt: skip
"""The operations of one table."""


def describe(statement: Statement, home: str) -> tuple[str, str]:
    """The operation's name, and what is known of it before it is made."""
    of_table = OF_TABLE.get(type(statement))
    if of_table is not None:
        return of_table, _of_table(statement, home)
    match statement:
        case Begin(names, read_only):
            return "begin", f"at={home} tables={','.join(names)} read_only={int(read_only)}"
        case Commit() | Abort():
            return type(statement).__name__.lower(), f"at={home}"
        case Lock(name, kind):
            return "lock", f"at={home} table={name} kind={kind}"
        case LockSet(parts):
            return "lock", f"at={home} parts={','.join([f'{kind}@{name}' for kind, name in parts])}"
        case LockedUpdate(name, kind, partitions):
            changed = f" partitions={','.join(partitions)}" if partitions else ""
            return "update", f"at={home} table={name} kind={kind}{changed}"
        case RenameDatabase(database, new_name, at):
            return "rename-database", f"at={at or home} database={database} to={new_name}"
        case GetAggregate(name, partitions, at):
            return "get-statistics", f"at={at or home} table={name} partitions={','.join(partitions)}"
    raise AssertionError(f"{statement!r}: expected a session's statement")


def _of_table(statement: Any, home: str) -> str:
    """Where it is asked for, and of which table, or partition that is analyzed."""
    at = home if isinstance(statement, (Write, Update, LockedInsert)) else statement.at or home
    part = statement.partition if isinstance(statement, (Analyze, DeleteStatistics, GetStatistics)) else ""
    return f"at={at} table={statement.table}{' partition=' if part else ''}{part}"


def perform(session: Session, statement: Statement, workload: HiveWorkload) -> Told:
    """Do it. Raises: `PortError`."""
    match statement:
        case Begin(names, read_only):
            return Told(f"txn={session.begin(names, read_only=read_only)}")
        case Commit():
            txn = session.txn
            session.commit()
            return Told(f"txn={txn}")
        case Abort():
            session.abort()
            return Told(f"txn={session.txn}")
        case Get() | ListPartitions():
            return _read(session, statement, workload)
        case GetStatistics():
            return _read_statistics(session, statement)
        case GetKey():
            return _read_key(session, statement)
        case GetAggregate():
            return _read_aggregate(session, statement, workload)
        case Write(name):
            write_id = session.write_id(name)
            return Told(f"txn={session.txn} id={session.request(name).table_id} wid={write_id}")
        case Lock(name, kind):
            return Told(f"txn={session.txn} lock={session.lock_table(name, kind)}")
        case LockSet(parts):
            return Told(f"txn={session.txn} lock={session.lock_together(parts)}")
        case LockedUpdate(name, kind, partitions, renews):
            number = session.update_under_lock(name, kind, partitions, renews=renews)
            words = f"txn={session.txn} id={session.request(name).table_id} wid={session.write_id(name)} lock={number}"
            return Told(f"{words} writes={session.list_of(name)}")
        case LockedInsert(name):
            number, wid = session.insert_under_lock(name), session.write_id(name)
            return Told(f"txn={session.txn} id={session.request(name).table_id} wid={wid} lock={number}")
        case Update(name):
            return Told(f"txn={session.txn} wid={session.update_rows(name)}")
        case Truncate(name):
            return _truncate(session, statement, partitioned=bool(workload.partitions_of(name)))
        case RenameDatabase(database, new_name, at):
            events = session.rename_database(database, new_name, at)
            return Told(f"txn={session.txn} tables={len(events)}", events[-1].log_id if events else None)
    return _write(session, statement, workload)


def _read(session: Session, statement: Get | ListPartitions, workload: HiveWorkload) -> Told:
    name = statement.table
    whole = isinstance(statement, ListPartitions)
    request = session.request(name)
    words = [f"txn={session.txn}", f"id={request.table_id}"]
    writes = session.list_of(name)
    if writes is not None:
        words.append(f"writes={writes}")
    try:
        answer = (session.get_partitions if whole else session.get_table)(name, statement.at)
    except NoSuchTable:
        return Told(" ".join([*words, "source=database", "seen=0"]))
    words += [f"source={answer.source}", f"seen={answer.table.id}"]
    if answer.tag is not None:
        words.append(f"tag={answer.tag}")
    names = workload.partitions_of(name) if whole else ()
    return Told(" ".join(words), reads=tuple(content_of(answer, names)))


def _read_key(session: Session, statement: GetKey) -> Told:
    told = session.get_key(statement.table, statement.at)
    words = f"{_asked(session, statement.table)} source={told.source} seen={told.table.id}"
    return Told(words, reads=((constraint_key(told.table.id), told.value, None),))


def _asked(session: Session, name: str) -> str:
    """What a read says of its session."""
    words = f"txn={session.txn} id={session.request(name).table_id}"
    writes = session.list_of(name)
    return words if writes is None else f"{words} writes={writes}"


def _read_statistics(session: Session, statement: GetStatistics) -> Told:
    """What cannot be used with the list is no read."""
    name = statement.table
    words = _asked(session, name)
    told = session.get_statistics(name, statement.at, statement.partition)
    read = (statistics_key(told.table.id, statement.partition), told.value, None)
    return Told(f"{words} source={told.source} seen={told.table.id}", reads=(read,) if told.value is not None else ())


def _read_aggregate(session: Session, statement: GetAggregate, workload: HiveWorkload) -> Told:
    """An aggregate is a read of the partition that has its value, by who has analyzed that."""
    name = statement.table
    words = _asked(session, name)
    told = session.get_aggregate(name, statement.partitions, statement.at)
    said = [one for each in workload.everybody for one in each.statements if isinstance(one, Analyze)]
    of = [one.partition for one in said if (one.table, one.value) == (name, told.value) and one.partition]
    reads = tuple([(statistics_key(told.table.id, partition), told.value, None) for partition in of[:1]])
    return Told(f"{words} seen={told.table.id} found={told.found}", reads=reads)


def content_of(answer: Answer, names: tuple[str, ...]) -> Reads:
    """The keys of an answer with their values; partitions in `names` that it lacks are absent."""
    table = answer.table
    reads: Reads = [(content_key(table.id), dict(table.parameters).get("v"), None)]
    found = dict.fromkeys(names) | (dict(answer.partitions) if names else {})
    reads += [(content_key(table.id, name), value, None) for name, value in found.items()]
    return reads


def _write(session: Session, statement: Statement, workload: HiveWorkload) -> Told:
    match statement:
        case Alter(name, value, at):
            event = session.alter_table(name, (("v", value),), at)
            return _told(session, event, name, [(content_key(_id(event)), value)])
        case PutPartition(name, partition, value, at):
            event = session.put_partition(name, partition, value, at)
            return _told(session, event, name, of_partition(event, _id(event)))
        case Analyze(name, value, at, partition):
            event = session.analyze(name, value, at, partition)
            return _told(session, event, name, analyzed_by(event))
        case AddKey(name, value, at):
            event = session.add_key(name, value, at)
            return _told(session, event, name, [(constraint_key(_id(event)), value)])
        case DropKey(name, value, at):
            event = session.drop_key(name, value, at)
            return _told(session, event, name, [(constraint_key(_id(event)), None)])
        case DeleteStatistics(name, at, partition, unnamed):
            event = session.delete_statistics(name, at, partition, unnamed=unnamed)
            return _told(session, event, name, analyzed_by(event))
        case RenamePartition(name, old, partition, value, at):
            event = session.rename_partition(name, old, partition, value, at)
            return _told(session, event, name, of_partition(event, _id(event)))
        case DropPartition(name, partition, at):
            event = session.drop_partition(name, partition, at)
            return _told(session, event, name, of_partition(event, _id(event)))
        case Create(name, value, managed, at):
            event = session.create_table(name, (("v", value),), managed, at)
            return _told(session, event, name, [(content_key(_id(event)), value)])
        case Rename(name, to, at):
            event = session.rename_table(name, to, at)
            return _told(session, event, to, [])
        case Drop(name, at):
            event = session.drop_table(name, at)
            gone: Writes = [(content_key(_id(event)), None)]
            gone += [(content_key(_id(event), partition), None) for partition in workload.partitions_of(name)]
            return _told(session, event, name, gone)
    raise AssertionError(f"statement {statement!r}: expected a write")


def _truncate(session: Session, statement: Truncate, *, partitioned: bool) -> Told:
    """What it tells of a table with partitions is which of them it has reached."""
    events = session.truncate_table(statement.table, statement.at, partitioned=partitioned)
    request = session.request(statement.table)
    words = f"txn={session.txn} id={_id(events[0]) if events else request.table_id} name={statement.table}"
    words += f" wid={events[0].write_id if events else 0}"
    reached = [event.partition[0] for event in events if event.partition is not None]
    words += f" truncated={','.join(reached) or 'none'}" if partitioned else ""
    return Told(words, events[-1].log_id if events else None)


def _told(session: Session, event: Event, name: str, writes: Writes) -> Told:
    words = f"txn={session.txn} id={_id(event)} wid={event.write_id} name={name}"
    return Told(words, event.log_id, (), tuple(writes))


def _id(event: Event) -> int:
    assert event.table is not None
    return event.table.id
