"""What a configuration of metastores promises its clients: one row a promise, with who makes it, and when.

Choices: the design document promises monotonic reads of any table. They are asked only where a cache could give them,
of external tables whose names do not change hands: a read that falls through to the database sees another
transaction's open change, and the cache that has caught up does not have it (`hive/one-replica-two-writers`); a name
that the cache does not have is read from the database, which is ahead of the log. Every cache stands on the order of
the log: where writers do not lock its sequence (2.3), nothing is promised of one. Where events are cleaned before they
are read, CachedStore promises nothing that needs all of them; the document's clients look for gaps.
"""

from __future__ import annotations

from collections.abc import Callable

from sim.generation.generator import Option, Promise, Settings

BY = "promised by"
NAMES = "names change hands"
LOG = "events are cleaned unread"
LOCKS = "sessions lock"
LATE = "calls arrive late"
UPDATES = "sessions update rows under locks"
CLEANED_UP = "history is cleaned"
WRITE_IDS = "write ids are looked at"
TRUNCATED = "tables are truncated"
DOCUMENT, CACHED_STORE, OBJECT_STORE = "the design document", "CachedStore", "ObjectStore"
REFRESHED = "CachedStore without event mode"
DAEMON, REPAIRED_DAEMON = "Impala's catalog daemon", "Impala's catalog daemon, repaired"
NOBODY = "nobody, of a log that is out of order"

STORE = Option("metastore.rawstore.impl", (CACHED_STORE, OBJECT_STORE), "MetastoreConf.ConfVars.RAW_STORE_IMPL")
TABLES = Option("tables", ("managed", "external", "both"), "hive.metastore: TableType")
REPLICAS = Option("metastores", ("2", "1", "3"), "metastore.thrift.uris")
SELECTION = Option(
    "metastore.thrift.uri.selection", ("random", "sequential"), "MetastoreConf.ConfVars.THRIFT_URI_SELECTION"
)
EXCLUSIVE = Option("hive.txn.xlock.write", ("true", "false"), "HiveConf.ConfVars.TXN_WRITE_X_LOCK")
CLIENTS = Option("clients", ("with lists", "old", "both"), "hive_metastore.thrift: GetTableRequest.validWriteIdList")
TIME_TO_LIVE = Option(
    "metastore.event.db.listener.timetolive", ("86400s", "1s"), "MetastoreConf.ConfVars.EVENT_DB_LISTENER_TTL"
)
RETRIES = Option("metastore.failure.retries", ("0", "1"), "MetastoreConf.ConfVars.THRIFT_FAILURE_RETRIES")
"""0 is what other clients do (Trino's, PyIceberg's); Hive's own has 1 unless it is set."""
FIRST = (STORE, TABLES, REPLICAS, SELECTION, EXCLUSIVE, CLIENTS, TIME_TO_LIVE)
OPTIONS = (*FIRST, RETRIES)
"""The last is drawn when all else has been."""


def _of(*who: str) -> Callable[[Settings], bool]:
    return lambda settings: settings[BY] in who


def _managed_only(settings: Settings) -> bool:
    return settings[BY] == DOCUMENT and settings[TABLES.key] == "managed"


def _forward(settings: Settings) -> bool:
    return settings[BY] in (DOCUMENT, CACHED_STORE) and settings[TABLES.key] == "external" and settings[NAMES] == "no"


def _alone(settings: Settings) -> bool:
    return settings[BY] == CACHED_STORE and settings[REPLICAS.key] == "1" and settings.get(LOG) != "yes"


def _kept(settings: Settings) -> bool:
    lives = settings[TIME_TO_LIVE.key] == TIME_TO_LIVE.values[0]
    return settings[BY] == CACHED_STORE and lives and settings.get(LOG) != "yes"


def _listed(settings: Settings) -> bool:
    return settings[BY] == REPAIRED_DAEMON and settings[TABLES.key] == "managed"


def _checked(settings: Settings) -> bool:
    return settings[EXCLUSIVE.key] == "false"


def _locked(settings: Settings) -> bool:
    return settings.get(LOCKS) == "yes"


def _in_time(settings: Settings) -> bool:
    return _locked(settings) and settings.get(LATE) == "no"


def _write_locked(settings: Settings) -> bool:
    return settings.get(UPDATES) == "yes" and settings[EXCLUSIVE.key] == "true"


def _commits_checked(settings: Settings) -> bool:
    return settings.get(UPDATES) == "yes" and settings[EXCLUSIVE.key] == "false"


def _made_again(settings: Settings) -> bool:
    return settings.get(RETRIES.key) == "1" and settings[BY] != NOBODY


def _cleaned_up(settings: Settings) -> bool:
    return settings.get(CLEANED_UP) == "yes"


def _looked_at(settings: Settings) -> bool:
    return settings.get(WRITE_IDS) == "yes"


def _truncated(settings: Settings) -> bool:
    return settings.get(TRUNCATED) == "yes" and settings[BY] in (DOCUMENT, OBJECT_STORE)


OWN, READ = "the document, Consistency Guarantee", "the document, Read"
ALONE = "CachedStore.commitTransaction applies the log before a write is acknowledged"
ONE = "CachedStore, one metastore"
LOCKING = "hive/1.6, CheckLockFunction"
NONE = "ObjectStore reads what was committed"
AGAIN = "RetryingMetaStoreClient makes a call again as if the first one had not been made"
PROMISES = (
    Promise("acknowledged-writes-survive", "hive/4.8: the database is the truth"),
    Promise("monotonic-reads", NONE, _of(OBJECT_STORE), "no cache"),
    Promise("read-your-writes", OWN, _managed_only, "the document, managed tables only"),
    Promise("read-your-writes", ALONE, _alone, ONE),
    Promise("read-your-writes", NONE, _of(OBJECT_STORE), "no cache"),
    Promise("right-incarnation", "the document, Deal with Rename", _of(DOCUMENT, OBJECT_STORE), "not by CachedStore"),
    Promise("right-incarnation", ALONE, _alone, ONE),
    Promise("right-incarnation", "Impala AcidUtils.compare: the table's id", _of(REPAIRED_DAEMON), "not as shipped"),
    Promise("freshness", "hive/4.9 with its repairs", _listed, "Impala's daemon, repaired, managed tables only"),
    Promise("all-or-nothing", "hive/4.9 with its repairs", _listed, "Impala's daemon, repaired, managed tables only"),
    Promise("read-your-writes", "hive/4.9 with its repairs", _listed, "Impala's daemon, repaired, managed tables only"),
    Promise("freshness", READ, _of(DOCUMENT, OBJECT_STORE), "not by CachedStore"),
    Promise("freshness", ALONE, _alone, ONE),
    Promise("all-or-nothing", OWN, _of(DOCUMENT, OBJECT_STORE), "not by CachedStore"),
    Promise("no-dirty-reads", "the document, Cache update", _of(DOCUMENT, OBJECT_STORE), "not by CachedStore"),
    Promise("first-committer-wins", "hive/1.6, CommitTxnFunction", _checked, "hive.txn.xlock.write is false"),
    Promise("monotonic-reads-per-replica", OWN, _forward, "external tables that keep their names"),
    Promise("monotonic-reads-per-replica", NONE, _of(OBJECT_STORE), "no cache"),
    Promise("locks-exclude", LOCKING, _locked, "sessions lock tables"),
    Promise("lists-keep-their-snapshot", "hive/1.7, MIN_HISTORY_LEVEL", _cleaned_up, "history is cleaned"),
    Promise("lists-have-the-committed", "hive/1.5", _looked_at, "history is cleaned, or databases are renamed"),
    Promise("write-ids-given-once", "hive/1.3", _looked_at, "history is cleaned, or databases are renamed"),
    Promise(
        "updates-build-on-each-other",
        "DriverTxnHandler.isValidTxnListState, HIVE-26472",
        _write_locked,
        "sessions update rows under locks, hive.txn.xlock.write is true",
    ),
    Promise(
        "conflicts-have-a-rival",
        LOCKING,
        _commits_checked,
        "sessions update rows under locks, hive.txn.xlock.write is false",
    ),
    Promise("calls-answered", LOCKING, _in_time, "sessions lock tables, and no request arrives late"),
    Promise("truncates-as-told", "HMSHandler.truncate_table", _truncated, "tables are truncated, not by CachedStore"),
    Promise("changes-happen-once", AGAIN, _made_again, "metastore.failure.retries is 1"),
    Promise("refusals-are-true", AGAIN, _made_again, "metastore.failure.retries is 1"),
    Promise("convergence", READ, _of(DOCUMENT)),
    Promise("convergence", "Impala MetastoreEventsProcessor", _of(REPAIRED_DAEMON), "Impala's daemon, repaired"),
    Promise(
        "convergence",
        "CachedStore: the log brings every cache up to date",
        _kept,
        "CachedStore, no event cleaned",
    ),
    Promise(
        "convergence",
        "CachedStore.CacheUpdateMasterWork: the timer brings every cache up to date",
        _of(REFRESHED),
        "CachedStore without event mode",
    ),
)
"""Where several rows have a property, it is promised if one of them says so."""
