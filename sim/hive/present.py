"""What the events of a race have written: the keys of tables, partitions and statistics, with their values."""

from __future__ import annotations

from collections.abc import Sequence

from checkers.histories.history import INVOKE
from checkers.histories.recorder import Recorder
from checkers.hive.statistics import STATISTICS
from model.hive.rows import (
    CONSTRAINT_EVENTS,
    DELETES_STATISTICS,
    UPDATE_STATISTICS,
    Event,
    constraint_key,
    content_key,
    statistics_key,
)

Writes = list[tuple[str, str | None]]


class Present:
    """Which partitions and statistics each table has, from event to event: a drop of it takes them, and no others.

    Args: `record` has the content before the race in its first row; `believing`: the names of the tables before it,
    in the order of their ids, if an event has the table that the cache has (`model.hive.believed`): what changes is the
    one that has the name by then, if any.
    """

    def __init__(self, record: Recorder, believing: Sequence[str] | None = None) -> None:
        self._known: dict[str, dict[str, None]] = {}
        self._analyzed: dict[int, dict[str, None]] = {}
        self._record = record
        self._stated: dict[int, Writes] = {}
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
        if event.truncates:  # what it writes nobody has asked for
            return []
        if event.kind in CONSTRAINT_EVENTS:
            key = constraint_key(event.table.id)
            self._analyzed.setdefault(event.table.id, {})[key] = None
            return [(key, event.table.key)]
        if analyzed := analyzed_by(event):
            self._analyzed.setdefault(event.table.id, {})[analyzed[0][0]] = None
            return analyzed
        if event.partition is not None:
            table_id = self._ids.get(event.name, 0) if self.believes else event.table.id
            writes = of_partition(event, table_id)
            for key, value in writes:
                self._note(key, present=value is not None)
            return [*writes, *self._unanalyzed(event, table_id)] if table_id else []
        if event.kind == "DROP_TABLE":
            return self._dropped(event.table.id)
        return [(table, dict(event.table.parameters).get("v"))]

    def credit(self, op: int, event: Event, writes: Writes, *, untold: bool) -> None:
        """Let the operation that made an event (-1: nobody knows it) say that it wrote this, with all that it made
        before, if it was not told of it (`untold`), or could not know.
        """
        if event.renames_table:  # a name is no content
            return
        if op >= 0 and (untold or self._tells(event, writes)):
            self._stated[op] = [*self._stated.get(op, ()), *writes]  # it may have been made twice
            _state(self._record, op, self._stated[op])

    def _tells(self, event: Event, writes: Writes) -> bool:
        """Whether only the event, and not who made it, knows what it wrote."""
        believed = self.believes and event.partition is not None
        gone = [key for key, value in writes if key.startswith(STATISTICS) and value is None]
        return event.kind == "DROP_TABLE" or believed or bool(gone)

    def _dropped(self, table_id: int) -> Writes:
        table = content_key(table_id)
        analyzed: Writes = [(key, None) for key in self._analyzed.pop(table_id, ())]
        return [(table, None), *analyzed, *[(key, None) for key in self._known.pop(_of(table), ())]]

    def _unanalyzed(self, event: Event, table_id: int) -> Writes:
        """The statistics that went with a partition, if it has had some."""
        gone = event.old_partition or (event.partition[0] if event.partition and event.partition[1] is None else "")
        key = statistics_key(table_id, gone)
        return [(key, None)] if gone and self._analyzed.get(table_id, {}).pop(key, 1) is None else []

    def _note(self, key: str, *, present: bool) -> None:
        kind, _, rest = key.partition(":")
        if kind == "partition":
            parts = self._known.setdefault(rest.partition("/")[0], {})
            if present:
                parts[key] = None
            else:
                parts.pop(key, None)


def _state(record: Recorder, op: int, writes: Writes) -> None:
    """Let the operation's outcome say that it wrote this, and nothing else."""
    for place, row in enumerate(record.rows):
        if row[2] == op and row[1] != INVOKE:
            record.rows[place] = (*row[:10], tuple(writes), row[11])


def analyzed_by(event: Event) -> Writes:
    """The statistics that an event says, if it says any."""
    if event.kind in DELETES_STATISTICS:
        return [(_statistics_of(event), None)]
    if event.kind == UPDATE_STATISTICS and event.table is not None:
        return [(_statistics_of(event), event.table.analyzed)]
    return [] if event.analyzed is None else [(_statistics_of(event), event.analyzed.value)]


def _statistics_of(event: Event) -> str:
    assert event.table is not None
    return statistics_key(event.table.id, event.partition[0] if event.partition is not None else "")


def of_partition(event: Event, table_id: int) -> Writes:
    """What the change of a partition wrote: one that has got another name is not there any more under the old one."""
    assert event.partition is not None
    name, value = event.partition
    old: Writes = [(content_key(table_id, event.old_partition), None)] if event.old_partition else []
    return [(content_key(table_id, name), value), *old]


def _of(table: str) -> str:
    """The id in a table's key."""
    return table.partition(":")[2]
