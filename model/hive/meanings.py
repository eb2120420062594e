"""What the port calls of sessions and replicas mean: the annotations of a run, for whoever explains it.

Each is made of what the caller has at hand when its call has been answered.
"""

from typing import NamedTuple

from model.hive.lists import ValidTxnList, ValidWriteIdList
from model.hive.rows import Event, Partitions, Table


class BeginsTxn(NamedTuple):
    """A transaction is open."""

    txn: int


class OpensTooSlowly(NamedTuple):
    """An open took so long that snapshots may have passed it over; it is tried again."""


class SeesTxns(NamedTuple):
    """A session has its snapshot."""

    txns: ValidTxnList


class TakesList(NamedTuple):
    """A session has the id of a table and the list of its writes that the snapshot sees."""

    table_id: int
    writes: ValidWriteIdList


class CacheAnswers(NamedTuple):
    """A read is served from the cache, whose entry has this tag."""

    table: Table
    partitions: Partitions
    tag: ValidWriteIdList | None


class CacheMisses(NamedTuple):
    """A cache must not answer a read. `why` is the name of the coverage counter."""

    why: str


class DatabaseAnswers(NamedTuple):
    """A read is served from the database."""

    table: Table
    partitions: Partitions


class TellsStatistics(NamedTuple):
    """A session is told of a table's statistics; `value` None: of none that it may use."""

    table: str
    value: str | None
    source: str


class TellsKey(NamedTuple):
    """A session is told what a table's primary key is called; `value` None: that it has none."""

    table: str
    value: str | None
    source: str


class ReadsToTruncate(NamedTuple):
    """A truncate has read what it is about to write."""

    table: Table
    partitions: Partitions


class RefusedToTruncate(NamedTuple):
    """A truncate goes on to a partition, says so in the log, and has no time limit any more."""

    table: str
    partition: str


class KeepsAnswer(NamedTuple):
    """What a miss brought becomes an entry of the cache."""


class EvictsTable(NamedTuple):
    """A cache gives a table's memory to others. `found`: it had the table."""

    name: str
    found: bool


class AppliesEvent(NamedTuple):
    """An event takes effect in the cache. `writes_back`: in the database as well, again."""

    event: int
    kind: str
    writes_back: bool


class ReadsLog(NamedTuple):
    """A replica has read a batch of events, which it has yet to apply."""

    first: int
    last: int


class SeesNoEvent(NamedTuple):
    """The log has nothing new."""


class FindsGap(NamedTuple):
    """Events are missing after the last one that was applied: the cache is filled anew."""


class CannotApply(NamedTuple):
    """An event could not be applied; it is tried again."""


class Hangs(NamedTuple):
    """A replica waits, for ever, until a table of this name has no partitions."""

    replica: str
    table: str


class PullsLog(NamedTuple):
    """The replica that made a change applies the log up to this event."""

    replica: str
    position: int


class SeesToChange(NamedTuple):
    """A catalog daemon has made its cache fit a change that was made through it."""

    replica: str


class LooksUpTable(NamedTuple):
    """A catalog daemon is about to load a table anew, for an event says that it has changed."""

    name: str


class ReadsNames(NamedTuple):
    """A refresh has read the names of the tables."""

    names: tuple[str, ...]


class ReadsTable(NamedTuple):
    """A refresh has read a table, or its partitions; there may be none of that name any more."""

    name: str
    found: bool


class LooksAtFlag(NamedTuple):
    """A refresh looks whether the replica has changed its cache meanwhile; if so, it reads all again."""

    dirty: bool


class ReplacesTables(NamedTuple):
    """A refresh has replaced the cache's tables; `why_not`: why it has left them as they are."""

    why_not: str


class ReplacesPartitions(NamedTuple):
    """A refresh has replaced a table's partitions in the cache; `why_not`: why it has left them as they are."""

    name: str
    why_not: str


class FillsCache(NamedTuple):
    """A replica fills its cache, and will follow the log from this event on."""

    position: int


class ListsTxns(NamedTuple):
    """A replica takes one list of transactions for the tags of all its entries."""

    txns: ValidTxnList


class TagsEntry(NamedTuple):
    """A replica has the tag of an entry that it is about to load."""

    writes: ValidWriteIdList


class LoadsEntry(NamedTuple):
    """A replica has read a table into its cache; `found` is False if there is none of that name any more."""

    table: str
    found: bool


class GetsWriteId(NamedTuple):
    """A transaction has its write id for a table."""

    table: str
    write_id: int


class UpdatesRows(NamedTuple):
    """A transaction says that it updates rows of a table: its commit is checked for conflicts."""

    table: str


class TellsPartitions(NamedTuple):
    """A transaction has said which partitions of a table it has changed."""

    table: str
    partitions: tuple[str, ...]


class LooksForConflict(NamedTuple):
    """A transaction has its lock; `latest` is the last one committed whose changes it conflicts with, 0 if none is."""

    latest: int


class LooksForHighest(NamedTuple):
    """A commit has looked, without a lock, for the highest transaction that there is."""

    txn: int


class AsksForLock(NamedTuple):
    """A transaction has asked for locks, and has all of them, or waits in the queue under this number."""

    parts: tuple[str, ...]
    number: int
    held: bool


class AsksAgain(NamedTuple):
    """A transaction has asked again for what it waits for."""

    number: int
    held: bool


class GivesUp(NamedTuple):
    """A transaction waits no longer. `ended`: one that has ended, and holds what it waited for; 0 if none does."""

    number: int
    ended: int


class MovesWriteIds(NamedTuple):
    """The write ids of a table have moved to another name, before the table has."""

    table: str
    to: str


class MovesNoWriteIds(NamedTuple):
    """A rename has looked for write ids to move, and there are none: of an external table, or of none."""

    table: str
    to: str


class ChangesNothing(NamedTuple):
    """A change was acknowledged, and no table is another one for it."""


class ChangesTable(NamedTuple):
    """A change of a table is in the database, and its event in the log."""

    event: Event


class EndsTxn(NamedTuple):
    """A transaction has committed or was aborted. `why`: what a commit met that ended in an abort."""

    committed: bool
    why: str
