"""Who made a version that nobody was told of: an operation that has asked for it.

Choices: an operation that was told nothing has made at most one version, but for who gives a database another name, of
whose versions one is claimed if he was told. It comes before one that was told of its second call alone: where both
have asked for the same (two drops of a table), nobody is said to have been refused who may have been told the truth.
A truncate that had no time limit any more has logged two events, its first change and what it was about to do; those
that were refused have logged theirs in the order in which they were told so.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from checkers.histories.history import FAIL, INFO, OK, VERSION
from checkers.histories.recorder import Recorder
from checkers.hive.words import words_in
from model.hive.errors import NoTimeLimit
from model.hive.rows import ADD_KEY, DELETES_STATISTICS, DROP_KEY, Event, statistics_key
from sim.hive.constraint_statements import AddKey, DropKey
from sim.hive.database_renames import RenameDatabase
from sim.hive.partition_renames import RenamePartition
from sim.hive.present import analyzed_by
from sim.hive.statistics_statements import Analyze, DeleteStatistics
from sim.hive.truncate_statements import Truncate
from sim.hive.workload import Alter, Create, Drop, DropPartition, PutPartition, Statement

OF_REFUSED = 2
"""The events of a truncate that had no time limit any more."""


def ended(record: Recorder) -> dict[int, str]:
    """How each operation ended, of those that have."""
    return {row[2]: row[1] for row in record.rows if row[1] in (OK, FAIL, INFO)}


def claimed_by(record: Recorder, events: Sequence[Event], versions: Sequence[int], place: int) -> int:
    """The operation that says that it made an event (-1: none): a truncate says it of the last of its events.

    Args: `versions`: what each of the events is called in the record.
    """
    op = record.op_of(versions[place])
    if op >= 0 or not events[place].truncates:
        return op
    mine = [at for at in range(place, len(events)) if events[at].truncates and events[at].name == events[place].name]
    claims = ((count, record.op_of(versions[at])) for count, at in enumerate(mine, 1))
    count, op = next(((count, op) for count, op in claims if op >= 0), (0, -1))
    return op if count <= _reached_by(record, op) else -1


def _reached_by(record: Recorder, op: int) -> int:
    """How many events an acknowledged truncate has left: one for each partition that it has reached, or one."""
    told = next((words_in(row[4]) for row in record.rows if row[2] == op and row[1] == OK), {})
    return len(told.get("truncated", "").split(","))


def refused_truncate(record: Recorder, event: Event, asked: Mapping[int, Statement]) -> int:
    """The truncate that has left this event, and was refused then; -1 if there is none."""
    made = [row[2] for row in record.rows if row[1] == VERSION]
    refused = [row[2] for row in record.rows if row[1] == FAIL and (row[11] or "").startswith(NoTimeLimit.__name__)]
    able = [op for op in refused if isinstance(one := asked.get(op), Truncate) and one.table == event.name]
    return next((op for op in able if made.count(op) < OF_REFUSED), -1)


def maker_of(
    record: Recorder, event: Event, asked: Mapping[int, Statement], again: Collection[int], made: Collection[int]
) -> int:
    """The operation that made an event which none claims; -1 if none can have.

    Args: `asked` are the operations that may have, `again` those of which a call was made a second time, `made` those
    that have made a version before this one.
    """
    ends = ended(record)
    many = [op for op, statement in asked.items() if isinstance(statement, RenameDatabase) or op in again]
    able = [op for op, statement in asked.items() if asks_for(statement, event)]
    untold = [op for op in able if ends.get(op, INFO) == INFO and (op in many or op not in made)]
    told = [op for op in able if ends.get(op, INFO) != INFO and op in many]
    return next(iter((*untold, *told)), -1)


def asks_for(statement: Statement, event: Event) -> bool:
    """Whether the statement, applied, leaves this event."""
    after = dict(event.table.parameters).get("v") if event.table is not None else None
    match statement:
        case Alter(name, value):
            return (event.kind, event.name, after) == ("ALTER_TABLE", name, value)
        case Analyze(name, value, _, partition):
            of = statistics_key(event.table.id, partition) if event.table is not None else ""
            return event.name == name and analyzed_by(event) == [(of, value)]
        case DeleteStatistics(name, _, partition):
            of = event.partition[0] if event.partition is not None else ""
            return event.kind in DELETES_STATISTICS and (event.name, of) == (name, partition)
        case Create(name, value):
            return (event.kind, event.name, after) == ("CREATE_TABLE", name, value)
        case AddKey(name, value):
            return (event.kind, event.name) == (ADD_KEY, name) and event.table is not None and event.table.key == value
        case DropKey(name):
            return (event.kind, event.name) == (DROP_KEY, name)
        case PutPartition(name, partition, value):
            return (event.name, event.partition) == (name, (partition, value))
        case RenamePartition(name, old, partition, value):
            return (event.name, event.old_partition, event.partition) == (name, old, (partition, value))
        case DropPartition(name, partition):
            return (event.name, event.partition) == (name, (partition, None))
        case RenameDatabase():
            return event.renames_table and event.table is not None and event.table.name == statement.renamed(event.name)
        case Drop(name):
            return (event.kind, event.name) == ("DROP_TABLE", name)
    return False
