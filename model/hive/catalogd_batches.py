"""Which events a catalog daemon of Impala processes as one: changes of partitions of one table, and inserts into them.

Events of one table are merged as long as no other event of that table comes between them, nor one of several tables
that is of it, too: of its database, or of a rename from or to its name. What is merged is processed in the place of
its last event: so later than events of other tables that came after its first. What the daemon knows its table to have
already is merged with nothing.

The end of a transaction cuts nothing: it is an event of no table. So a commit is processed before a change of a
partition that came before it, if that is merged with one that came after: whose list has the write is answered from
what is loaded, without it, until the rest of the batch has been processed.

Source: hive/7 (row 52); Impala `MetastoreEventFactory.createBatchEvents`, `cutBatchesForCrossTableEvents`,
`BatchPartitionEvent`, `AlterPartitionEvent.canBeBatched`, `InsertEvent.canBeBatched`.

Choices: what is merged is processed event by event, so that each may be a step, but in the place of the last one; and
as its events say: upstream the table is loaded anew if it has write ids. Partitions have no mark that says whose change
it was.
"""

from collections.abc import Mapping, Sequence

from model.hive.lock_queue import split
from model.hive.rows import Event

MERGED = ("ALTER_PARTITION", "INSERT")
OF_DATABASES = ("ALTER_DATABASE", "DROP_DATABASE")
Batch = tuple[Event, ...]


def merged(events: Sequence[Event], synced: Mapping[str, int] = {}) -> tuple[Batch, ...]:
    """The events in the order in which they are processed, those together that are processed as one.

    Args: `synced`: the last event that a loaded table is known to have, by its name.
    """
    pending: dict[str, Batch] = {}
    done: list[Batch] = []
    for event in events:
        done += [pending.pop(name) for name in _cut_by(event, pending)]
        if event.kind in OF_DATABASES:
            done.append((event,))
            continue
        before = pending.get(event.name)
        if before is not None and _joins(before[-1], event, synced):
            pending[event.name] = (*before, event)
            continue
        if before is not None:
            done.append(before)
        pending[event.name] = (event,)
    return tuple(sorted([*done, *pending.values()], key=lambda batch: batch[-1].id))


def _joins(last: Event, event: Event, synced: Mapping[str, int]) -> bool:
    merges = event.kind in MERGED and event.kind == last.kind and event.id > synced.get(event.name, 0)
    return merges and last.partition is not None and event.partition is not None


def _cut_by(event: Event, pending: Mapping[str, Batch]) -> list[str]:
    """The tables whose events so far an event of several tables is not to overtake."""
    if event.kind in OF_DATABASES:
        return [name for name in pending if split(name)[0] == event.name]
    if event.renames_table and event.table is not None:
        return [name for name in (event.name, event.table.name) if name in pending]
    return []
