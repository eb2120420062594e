"""Defects of shipped software that lose data, found by the built-in scenarios of this folder."""

from __future__ import annotations

from sim.search.defect import Defect

CACHES = "two metastores with CachedStore, metastore.cache.can.use.event on"
RELEASE = "Hive Metastore 4.0.1"


def _defect(name: str, lost: str, needs: str = "", helps: str = "external-rename") -> Defect:
    return Defect(f"hive/{name}", lost, f"{CACHES}{needs}", RELEASE, (f"hive/{helps}",))


DEFECTS: tuple[Defect, ...] = (
    _defect(
        "shipped-replay-writes-back",
        "an acknowledged table change: the replay of an older one is written to the database",
        helps="external",
    ),
    _defect(
        "shipped-batch-reverts",
        "every acknowledged change of a table, again and again: a replay fails and repeats its batch for ever",
        ", and a rename of any table",
    ),
    _defect(
        "shipped-rename-takes-another",
        "an acknowledged table, under its name and with its content: the replay of a rename takes it for the renamed",
        ", and a new table under the name of a renamed one",
    ),
    _defect(
        "shipped-dead-content",
        "an acknowledged table's content: the replay writes that of the table which had its name before",
        ", and a table that was altered, dropped and made anew",
        "external-drop",
    ),
    _defect(
        "shipped-rename-freezes",
        "every change, for the readers of one cache, until that metastore restarts",
        ", and a rename of any table",
    ),
    Defect(
        "hive/shipped-rename-freezes-writer",
        "every later change, for all readers of the one metastore there is, and its writers, until it restarts",
        "one metastore with CachedStore, metastore.cache.can.use.event on, and a rename of any table",
        RELEASE,
        ("hive/external-rename",),
    ),
    _defect(
        "shipped-drop-freezes",
        "every change, for the readers of one cache, until that metastore restarts",
        ", and a table that was altered and dropped between two polls",
        "external-drop",
    ),
    _defect(
        "shipped-drop-hangs",
        "every answer to a change, and to whoever connects anew, until that metastore is killed",
        ", and a partitioned table that was dropped and made anew",
        "refresh-drop",
    ),
    _defect(
        "shipped-restarted",
        "an acknowledged table change, for good: a replay wrote over it, and who would have replayed it is restarted",
        ", and a restart of one of them between two polls",
        "shipped-restarted-position-kept",
    ),
    _defect(
        "shipped-prewarm-phantom",
        "a drop, for the readers of one cache: they go on to see the table, until that metastore restarts",
        ", and two tables that are dropped while one of them fills its cache",
        "shipped-prewarm-goes-on",
    ),
    Defect(
        "hive/shipped-analyzed-reverts",
        "every acknowledged alter of an analyzed table but the first, in the database, until the metastore restarts",
        "one metastore with CachedStore, metastore.cache.can.use.event on, and a table that was analyzed",
        RELEASE,
        ("hive/analyzed-and-altered",),
    ),
    Defect(
        "hive/shipped-aggregate",
        "that statistics of all partitions together are of a transaction that was aborted: every reader is told, "
        "until a partition changes",
        "one metastore with CachedStore, metastore.cache.can.use.event on, and a session that is told of its own",
        RELEASE,
        ("hive/aggregate-aborted",),
    ),
    _defect(
        "shipped-deleted-statistics",
        "that statistics of a partition are deleted: every reader of a cache goes on to be told of them",
        ", and a client that deletes them without naming a column",
        "deleted-statistics",
    ),
    Defect(
        "hive/evicted-partitions",
        "all partitions of a table, for all readers of one metastore: the table was evicted, and read again",
        "a metastore with CachedStore whose tables do not fit into metastore.cached.rawstore.max.cache.memory",
        RELEASE,
        ("hive/evicted",),
    ),
    Defect(
        "hive/refresh-drop-refused",
        "a drop of a table: its metastore refuses it, until its timer has read the table's partitions",
        "two metastores with CachedStore as by default, and a table to which the other one has added a partition",
        RELEASE,
        ("hive/shipped-drops",),
    ),
    Defect(
        "hive/refresh-drop-twice",
        "what a drop says: it is acknowledged and logged once more, and there was no table",
        "two metastores with CachedStore as by default, through both of which a table is dropped",
        RELEASE,
        ("hive/shipped-drops",),
    ),
    Defect(
        "hive/refresh-constraints",
        "a table's constraints, of every kind, for whoever asks a metastore whose timer has gone off",
        "a metastore with CachedStore as by default, and a table with a constraint",
        RELEASE,
        ("hive/constraints-added",),
    ),
    Defect(
        "hive/shipped-constraints",
        "a table's constraints, of every kind, for whoever asks a metastore that has started since they were added",
        "a metastore with CachedStore, metastore.cache.can.use.event on, and a table with a constraint",
        RELEASE,
        ("hive/shipped-constraints-loaded",),
    ),
    Defect(
        "hive/refresh-truncate-reverts",
        "an acknowledged table change: a truncate writes back what its metastore's cache has of the table",
        "two metastores with CachedStore, in either mode, and a table that is truncated through the other one",
        RELEASE,
        ("hive/uncached-truncate",),
    ),
    Defect(
        "hive/refresh-truncate-partitions",
        "what a truncate says: partitions of which its metastore's cache has not heard keep all their rows",
        "two metastores with CachedStore, in either mode, and a partitioned table that is truncated",
        RELEASE,
        ("hive/uncached-truncate-partitions",),
    ),
    Defect(
        "hive/evicted-truncate",
        "what a truncate says: all partitions keep their rows, for the table was evicted, and read again",
        "a metastore with CachedStore whose tables do not fit into metastore.cached.rawstore.max.cache.memory",
        RELEASE,
        ("hive/uncached-truncate-partitions",),
    ),
    Defect(
        "hive/shipped-truncate-refused",
        "what a refusal of a truncate says: the rows of all partitions are deleted, whatever is tried again",
        "a metastore with CachedStore, metastore.cache.can.use.event on, and a table with two partitions",
        RELEASE,
        ("hive/refresh-truncate-both",),
    ),
    Defect(
        "hive/refresh-statistics-stay",
        "what is analyzed anew, for the readers of a metastore that was told of the table's statistics before",
        "two metastores with CachedStore as by default, through both of which tables are analyzed",
        RELEASE,
        ("hive/statistics",),
    ),
    Defect(
        "hive/refresh-statistics-aborted",
        "that statistics are of a transaction that was aborted, or has not ended: every reader is told of them",
        "a metastore with CachedStore as by default, where a table is analyzed while a refresh goes on",
        RELEASE,
        ("hive/statistics-aborted",),
    ),
    Defect(
        "hive/cleaned-abort-as-shipped",
        "what an abort says: whoever begins later is told that the aborted write is committed, and is shown it",
        "a metastore, a transaction that takes a write id, has nothing else recorded and aborts, and the cleaner",
        RELEASE,
        ("hive/cleaned-abort",),
    ),
    Defect(
        "hive/cleaned-higher-id-as-shipped",
        "acknowledged rows: they are in nobody's list until somebody else writes to the table",
        "two inserts, of which the later one has its write id first and aborts, and the house keeper; no fault",
        RELEASE,
        ("hive/cleaned-higher-id",),
    ),
    Defect(
        "hive/insert-overtaken-as-shipped",
        "half of what an insert into two tables has written, for a reader who began while it was committed",
        "a metastore with metastore.txn.use.minhistorylevel off, and the house keeper; no fault",
        RELEASE,
        ("hive/insert-overtaken",),
    ),
    Defect(
        "hive/slow-open-as-shipped",
        "that a write is committed: readers are told so of rows that are not written yet, or are of an abort",
        "a metastore whose database takes longer than metastore.txn.opentxn.timeout to commit an open",
        RELEASE,
        ("hive/slow-open",),
    ),
    Defect(
        "hive/late-open-as-shipped",
        "the same: readers whose own open had to wait are told so of whoever opens a transaction beside them",
        "a metastore on PostgreSQL, and an open that waits longer than metastore.txn.opentxn.timeout before its insert",
        RELEASE,
        ("hive/late-open",),
    ),
    Defect(
        "hive/database-renamed-unlisted",
        "the rows of every transactional table of a database, and whoever writes next does so over their write ids",
        "one request that is to give a database another name and something else; no fault",
        RELEASE,
        ("hive/database-renamed",),
    ),
    Defect(
        "hive/refresh-partition-statistics",
        "that a partition's statistics are of a transaction that was aborted, or has not ended: every reader is told",
        "a metastore with CachedStore, as by default or with metastore.cache.can.use.event on, and a managed table",
        RELEASE,
        ("hive/partition-statistics-aborted",),
    ),
    Defect(
        "hive/drop-made-again",
        "a table that was just made: a drop whose answer got lost is made again, and takes it",
        "any metastore, Hive's own client, and an answer that gets lost",
        RELEASE,
        ("hive/told-of-no-answer",),
    ),
    Defect(
        "hive/shipped-update-by-old-name",
        "an acknowledged update of rows: a later one is made without it, and is not told that it is outdated",
        "a metastore, and a table that is renamed between an update's write id and its request for a lock",
        RELEASE,
        ("hive/update-by-old-name",),
    ),
    Defect(
        "hive/shipped-late-lock",
        "every lock that is in the way of one whose transaction has committed, until its row is deleted by hand",
        "a metastore, and a request for a lock that arrives when its transaction has committed",
        RELEASE,
        ("hive/late-lock",),
    ),
)
