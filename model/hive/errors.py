"""What a metastore, a session or a parser can say instead of a result.

Messages are one line: what, which, expected, got. What a service answers is a `Refused` of the ports: definite, not
applied. What is wrong with a text is a `ValueError`. A poller that cannot go on has its own errors, which never reach a
client.
"""

from model.ports import CasLost, NotFound, Refused, Unanswered


class MalformedList(ValueError):
    """A text is no list of transaction or write ids. Ask the sender; nothing is assumed in its place."""


class OtherTable(ValueError):
    """A list of write ids belongs to another table than the one it is compared with. Pair lists with tables by name."""


class NoSuchTable(NotFound):
    """The metastore knows no table of this name (any more)."""


class TableReplaced(Refused):
    """The name is another table's by now than the one that a session means. Begin a transaction on that one."""


class NoSuchDatabase(NotFound):
    """The metastore knows no database of this name."""


class DatabaseExists(Refused):
    """A rename of a database met one of that name."""


class TableExists(Refused):
    """A create or rename met a table of that name."""


class PartitionExists(Refused):
    """A rename of a partition met one of the new name. Source: `HiveAlterHandler.alterPartition`."""


class KeyExists(Refused):
    """A table was to get a primary key, and has one. Source: `ObjectStore.addPrimaryKeys`."""


class CacheAlone(Refused):
    """A change of a partition that the metastore's cache has, and the database has not. Try again after a refresh."""


class PartitionsLeft(Refused):
    """A drop of a table of which the database has partitions that the metastore's cache lacks. Try again after a
    refresh."""


class NoTimeLimit(Refused):
    """A call went on after its metastore's cache had followed the log, which ends the call's time limit. What it has
    done before that is done. Look what is left; to try again does not help."""


class NoAggregate(Refused):
    """There are no statistics of these partitions together that the metastore could tell. Ask for each of them."""


class WriteIdsTaken(Refused):
    """A rename met write ids of the new name. Source: the unique index of `NEXT_WRITE_ID`, `OnRenameFunction`."""


class NullList(Refused):
    """A managed table was asked for without a list of valid write ids. Send the list of the session's snapshot."""


class NoSuchTxn(Refused):
    """The transaction is unknown, or it has committed and is closed."""


class ReadOnlyTxn(Refused):
    """A read-only transaction asked for a write id. Source: `AllocateTableWriteIdsFunction`. Open one that writes."""


class TxnAborted(Refused):
    """The transaction has been aborted: by its session, by a timeout or by a write conflict. Start over."""


class NoSuchLock(Refused):
    """The lock request is unknown: it was given up, or its transaction has ended. Ask for the lock again."""


class LockNotGranted(Refused):
    """A lock was waited for as long as a client waits. Its transaction is aborted; try again later."""


class SnapshotOutdated(Refused):
    """A lock was granted after a later transaction's changes of the same rows: no snapshot of this one has them.

    It is aborted; begin another one. Source: `DriverContext.isOutdatedTxn`.
    """


class TxnOpen(Refused):
    """A lock that a transaction holds is released by its end alone."""


class Modified(CasLost):
    """An alter named the value that it expected of a parameter, and the table has another. Read again and retry."""


class Unsupported(Refused):
    """The server does not implement the call. Source: `CachedStore` 4.0 with an expected parameter (R9)."""


class Transactional(Refused):
    """Statistics of a table with write ids are not deleted. Source: `HMSHandler.delete_table_column_statistics`."""


class NoAnswer(Unanswered):
    """A metastore holds a call for ever, and the client has waited long enough. What it asked for may be done."""


class PollerError(Exception):
    """The notification log cannot be followed from here. The cache is as of the last event that was applied."""


class LogGap(PollerError):
    """Events between the replica's position and the next one are gone (cleaned), or an id occurs twice."""


class UnknownEvent(PollerError):
    """An event is of a kind that the replica does not know, so it cannot tell what it changes."""


class ReplayHangs(PollerError):
    """The replay of an event never comes to an end, nor does anything that waits for it. Source: `CachedStore` (R5)."""


class ReplayFailed(PollerError):
    """An event could not be applied; the shipped poller tries the same batch again, for ever."""
