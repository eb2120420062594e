"""One statement of a session: what it does, and what its history row says of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from checkers.histories.history import INVOKE
from checkers.histories.recorder import Recorder
from model.hive import Answer, Session
from model.hive.errors import NoSuchTable
from model.hive.rows import UPDATE_STATISTICS, Event, content_key, statistics_key
from sim.hive.evictions import Evict
from sim.hive.lock_statements import Lock, TimeOut
from sim.hive.partition_renames import RenamePartition
from sim.hive.restarts import Restart
from sim.hive.statistics_statements import Analyze, GetStatistics
from sim.hive.update_statements import CleanHistory, LockedUpdate
from sim.hive.workload import (
    Abort,
    Alter,
    Begin,
    CleanLog,
    Commit,
    Create,
    Drop,
    DropPartition,
    Get,
    HiveWorkload,
    ListPartitions,
    LogEvent,
    PutPartition,
    Rename,
    Statement,
    Update,
    Write,
)

OPENING = (Begin, Lock, LockedUpdate)
"""If one of these fails, what follows it in its transaction is not done."""
Reads = list[tuple[str, str | None, int | None]]
Writes = list[tuple[str, str | None]]


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
    return tuple(dict.fromkeys(names))


def describe(statement: Statement, home: str) -> tuple[str, str]:
    """The operation's name, and what is known of it before it is made."""
    match statement:
        case Begin(names, read_only):
            return "begin", f"at={home} tables={','.join(names)} read_only={int(read_only)}"
        case Commit() | Abort():
            return type(statement).__name__.lower(), f"at={home}"
        case Lock(name, kind):
            return "lock", f"at={home} table={name} kind={kind}"
        case LockedUpdate(name, kind, partitions):
            parts = f" partitions={','.join(partitions)}" if partitions else ""
            return "update", f"at={home} table={name} kind={kind}{parts}"
        case CleanLog() | LogEvent() | TimeOut() | Evict() | Restart() | CleanHistory():
            raise AssertionError(f"{statement!r}: expected a session's statement")
    f = {
        Get: "get-table", ListPartitions: "list-partitions", Alter: "alter", PutPartition: "put-partition",
        DropPartition: "drop-partition", Create: "create", Rename: "rename", Drop: "drop", Write: "write",
        Update: "update", RenamePartition: "rename-partition",
        Analyze: "analyze", GetStatistics: "get-statistics",
    }[type(statement)]  # fmt: skip
    at = home if isinstance(statement, Write | Update) else statement.at or home
    return f, f"at={at} table={statement.table}"


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
        case Write(name):
            return Told(f"txn={session.txn} wid={session.write_id(name)}")
        case Lock(name, kind):
            return Told(f"txn={session.txn} lock={session.lock_table(name, kind)}")
        case LockedUpdate(name, kind, partitions, renews):
            number = session.update_under_lock(name, kind, partitions, renews=renews)
            words = f"txn={session.txn} id={session.request(name).table_id} wid={session.write_id(name)} lock={number}"
            return Told(f"{words} writes={session.list_of(name)}")
        case Update(name):
            return Told(f"txn={session.txn} wid={session.update_rows(name)}")
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


def _read_statistics(session: Session, statement: GetStatistics) -> Told:
    """What cannot be used with the list is no read."""
    name = statement.table
    request = session.request(name)
    words = f"txn={session.txn} id={request.table_id}"
    if (writes := session.list_of(name)) is not None:
        words += f" writes={writes}"
    told = session.get_statistics(name, statement.at)
    read = (statistics_key(told.table.id), told.value, None)
    return Told(f"{words} source={told.source} seen={told.table.id}", reads=(read,) if told.value is not None else ())


def asks_for(statement: Statement, event: Event) -> bool:
    """Whether the statement, applied, leaves this event."""
    after = dict(event.table.parameters).get("v") if event.table is not None else None
    match statement:
        case Alter(name, value):
            return (event.kind, event.name, after) == ("ALTER_TABLE", name, value)
        case Analyze(name, value):
            return event.kind == UPDATE_STATISTICS and (event.name, _analyzed(event)) == (name, value)
        case Create(name, value):
            return (event.kind, event.name, after) == ("CREATE_TABLE", name, value)
        case PutPartition(name, partition, value):
            return (event.name, event.partition) == (name, (partition, value))
        case RenamePartition(name, old, partition, value):
            return (event.name, event.old_partition, event.partition) == (name, old, (partition, value))
        case DropPartition(name, partition):
            return (event.name, event.partition) == (name, (partition, None))
        case Drop(name):
            return (event.kind, event.name) == ("DROP_TABLE", name)
    return False


class Present:
    """Which partitions and statistics each table has, from event to event: a drop of it takes them, and no others.

    Args: `record` has the content before the race in its first row; `believing`: the names of the tables before it,
    in the order of their ids, if an event has the table that the cache has (`model.hive.believed`): what changes is the
    one that has the name by then, if any.
    """

    def __init__(self, record: Recorder, believing: Sequence[str] | None = None) -> None:
        self._known: dict[str, dict[str, None]] = {}
        self._analyzed: dict[int, None] = {}
        self.believes = believing is not None
        self._ids = {name: number for number, name in enumerate(believing or (), 1)}
        for key, _ in record.rows[0][10] if record.rows else ():
            self._note(key, present=True)

    def after(self, event: Event) -> Writes:
        """Take in the next event. Returns: the keys and the values that it wrote."""
        assert event.table is not None
        table = content_key(event.table.id)
        if self.believes and event.partition is None:
            taken = self._ids.pop(event.name, None)
            if event.kind == "DROP_TABLE":
                return [] if taken is None else self._dropped(taken)
            self._ids[event.table.name] = event.table.id
        if event.partition is not None:
            table_id = self._ids.get(event.name, 0) if self.believes else event.table.id
            writes = _of_partition(event, table_id)
            for key, value in writes:
                self._note(key, present=value is not None)
            return writes if table_id else []
        if event.kind == UPDATE_STATISTICS:
            self._analyzed[event.table.id] = None
            return [(statistics_key(event.table.id), _analyzed(event))]
        if event.kind == "DROP_TABLE":
            return self._dropped(event.table.id)
        return [(table, dict(event.table.parameters).get("v"))]

    def _dropped(self, table_id: int) -> Writes:
        table = content_key(table_id)
        analyzed: Writes = [(statistics_key(table_id), None)] if table_id in self._analyzed else []
        return [(table, None), *analyzed, *[(key, None) for key in self._known.pop(_of(table), ())]]

    def _note(self, key: str, *, present: bool) -> None:
        kind, _, rest = key.partition(":")
        if kind == "partition":
            parts = self._known.setdefault(rest.partition("/")[0], {})
            if present:
                parts[key] = None
            else:
                parts.pop(key, None)


def state_writes(record: Recorder, op: int, writes: Writes) -> None:
    """Let the operation's outcome say that it wrote this, and nothing else."""
    for place, row in enumerate(record.rows):
        if row[2] == op and row[1] != INVOKE:
            record.rows[place] = (*row[:10], tuple(writes), row[11])


def _analyzed(event: Event) -> str | None:
    """The statistics that a table has after an event."""
    return None if event.table is None or event.table.statistics is None else event.table.statistics.value


def _of_partition(event: Event, table_id: int) -> Writes:
    """What the change of a partition wrote: one that has got another name is not there any more under the old one."""
    assert event.partition is not None
    name, value = event.partition
    old: Writes = [(content_key(table_id, event.old_partition), None)] if event.old_partition else []
    return [(content_key(table_id, name), value), *old]


def _of(table: str) -> str:
    """The id in a table's key."""
    return table.partition(":")[2]


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
            return _told(session, event, name, _of_partition(event, _id(event)))
        case Analyze(name, value, at):
            event = session.analyze(name, value, at)
            return _told(session, event, name, [(statistics_key(_id(event)), value)])
        case RenamePartition(name, old, partition, value, at):
            event = session.rename_partition(name, old, partition, value, at)
            return _told(session, event, name, _of_partition(event, _id(event)))
        case DropPartition(name, partition, at):
            event = session.drop_partition(name, partition, at)
            return _told(session, event, name, _of_partition(event, _id(event)))
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


def _told(session: Session, event: Event, name: str, writes: Writes) -> Told:
    words = f"txn={session.txn} id={_id(event)} wid={event.write_id} name={name}"
    return Told(words, event.log_id, (), tuple(writes))


def _id(event: Event) -> int:
    assert event.table is not None
    return event.table.id
