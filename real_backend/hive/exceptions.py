"""From what a metastore threw to the model's errors: by the class, else by a phrase of the message."""

from hive_metastore import ttypes as wire
from thrift.Thrift import TApplicationException

from model.hive.errors import (
    CacheAlone,
    Modified,
    NoAggregate,
    NoSuchDatabase,
    NoSuchLock,
    NoSuchTable,
    NoSuchTxn,
    NoTimeLimit,
    PartitionExists,
    PartitionsLeft,
    TableExists,
    Transactional,
    TxnAborted,
    TxnOpen,
    Unsupported,
)
from model.ports import PortError, Refused

_ERRORS: tuple[tuple[type[Exception], type[PortError]], ...] = (
    (wire.NoSuchObjectException, NoSuchTable),
    (wire.InvalidObjectException, NoSuchTable),  # partitions for a table that is not there
    (wire.AlreadyExistsException, TableExists),
    (wire.NoSuchTxnException, NoSuchTxn),
    (wire.TxnAbortedException, TxnAborted),
    (wire.NoSuchLockException, NoSuchLock),
    (wire.TxnOpenException, TxnOpen),
)
_PHRASES: tuple[tuple[str, type[PortError]], ...] = (
    ("has been modified", Modified),
    ("NoSuchObjectException(message:null)", NoSuchDatabase),
    ("in REMOTE database", NoSuchDatabase),  # a database that a cache knows by another name
    ('on table "PARTITIONS"', PartitionsLeft),
    ("alter partition did not commit", CacheAlone),
    ("catalog.database.table does not exist", CacheAlone),
    ("Cannot delete stats", Transactional),
    ("Should execute startTimer() method before checkTimeout", NoTimeLimit),
    ("UnsupportedOperationException", Unsupported),
    ("get_aggr_stats_for failed: unknown result", NoAggregate),
    ("Internal error processing get_aggr_stats_for", NoAggregate),
    ("doesn't exist", NoSuchTable),
    ("table not found", NoSuchTable),
    ("table or database does not exist", NoSuchTable),
    ("old partition does not exist", NoSuchTable),
    ("Partition already exists", PartitionExists),
    ("already exists", TableExists),
    ("could not be made persistent", TableExists),  # a partition that a cache in its default mode lacks
)


def said(error: Exception) -> str:
    """The first line of what an exception says."""
    return str(getattr(error, "message", None) or error or type(error).__name__).splitlines()[0][:200]


def translated(error: Exception) -> Exception:
    """The model's error for what a metastore said; whatever is none of its exceptions is a fault of ours."""
    if isinstance(error, wire.NoSuchObjectException) and not error.message:
        return NoSuchDatabase("expected a database, got none")  # `CachedStore.getDatabase` says no more
    for known, ours in _ERRORS:
        if isinstance(error, known):
            return ours(said(error))
    if not isinstance(error, wire.MetaException | wire.InvalidOperationException | TApplicationException):
        return error
    whole = str(error)
    return next((ours for phrase, ours in _PHRASES if phrase in whole), Refused)(said(error))
