"""What truncates lose on Hive Metastore 4.0.1, in either mode of its cache, as the pages tell it."""

from __future__ import annotations

from sim.hive.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

TESTS = "tests/live/hive/test_truncates.py"
FOUND = f"{TESTS}::test_what_the_search_finds_happens_live"
UNMODIFIED = f"{TESTS}::test_a_truncate_is_made_of_what_the_cache_has"
ALL_GONE = f"{TESTS}::test_in_event_mode_a_truncate_of_several_partitions_deletes_all_rows_and_is_refused"
REFUSED_UPSTREAM = Upstream(
    "",
    (
        ("apache/hive#5582", "HIVE-28668: fewer events of a truncate, which alters all partitions at once (merged)"),
        ("apache/hive#479", "HIVE-18661: the change that has CachedStore follow the log (closed, merged by hand)"),
    ),
    (
        "Should execute startTimer() method before checkTimeout hive metastore CachedStore truncate",
        "CachedStore updateUsingNotificationEvents Deadline startTimer stopTimer commitTransaction event cache "
        "DeadlineException",
        "HIVE-28668 truncate partitions alter_partitions single event alterTableStatsForTruncate",
    ),
    "2026-11-26",
)
UPSTREAM = Upstream(
    "",
    (
        ("apache/hive#5582", "HIVE-28668: fewer events of a truncate, which reads the table as before (merged)"),
        ("apache/hive#3557", "HIVE-26504: the change by which the replay of an alter writes the database (merged)"),
    ),
    (
        "Hive metastore truncate_table CachedStore stale table alterTableStatsForTruncate lost alter columns reverted",
        "Hive metastore truncate partitioned table leaves partitions not truncated cached metastore stale partition "
        "list",
    ),
    "2026-11-26",
)
STORES = (
    "`metastore.rawstore.impl` CachedStore, with `metastore.cache.can.use.event` off, as by default, or on; two "
    "metastores. External tables and managed ones: a lock keeps nobody's cache up to date. "
)
READS = "`truncate_table` reads the table before it begins, and so from the cache; what it has read it writes back. "
HELPS = "Truncate through the metastore that has made the changes, or after a refresh or a poll; or no CachedStore."

LOSSES: tuple[Loss, ...] = (
    Loss(
        "A truncate takes back what another metastore has changed of the table",
        named(DEFECTS, "hive/refresh-truncate-reverts"),
        STORES + "A table is altered through one, and truncated through the other one.",
        f"Certain within one interval of the refresh (60 s by default), or of the poll: {READS}Columns that were added "
        "are gone, parameters are as before, and partitions stand where they stood before they were moved.",
        HELPS,
        (f"{FOUND}[refresh-truncate-reverts]", f"{UNMODIFIED}[by default]", f"{UNMODIFIED}[event mode]"),
        UPSTREAM,
        "Without a cache it takes an alter between the read and the change (`hive/truncate-read-before`), which Hive's "
        "own locks keep away and no lock keeps away from external tables.",
    ),
    Loss(
        "A truncate is acknowledged, and partitions keep their rows",
        named(DEFECTS, "hive/refresh-truncate-partitions"),
        STORES + "A partition is added or moved through one, and the table is truncated through the other one.",
        "Certain within one interval of the refresh (60 s by default), or of the poll: the files of those partitions "
        "are deleted that the cache lists, where it has them. Of a table that the cache does not have yet none is: "
        "what a miss brings has no partitions.",
        f"{HELPS} List the partitions through a metastore without a cache afterwards.",
        (f"{FOUND}[refresh-truncate-partitions]", f"{UNMODIFIED}[by default]", f"{UNMODIFIED}[event mode]"),
        UPSTREAM,
        "Of a partition that was moved the rows at its old place are deleted, and those at its new place are not.",
    ),
    Loss(
        "A full cache: a truncate of a table that was evicted deletes nothing",
        named(DEFECTS, "hive/evicted-truncate"),
        "`metastore.rawstore.impl` CachedStore, in either mode, more tables than fit into its memory, and a "
        "partitioned table. One metastore is enough.",
        "Certain once the cache is full: the truncate itself reads the table, and keeps it without partitions "
        "(`hive/evicted-partitions`). It is acknowledged, logs no event, and every row is there.",
        "More memory for the cache than all tables and partitions need, or no limit (a negative value), or no cache.",
        (f"{FOUND}[evicted-truncate]",),
        UPSTREAM,
        "",
    ),
    Loss(
        "A truncate of several partitions is refused, and all their rows are deleted",
        named(DEFECTS, "hive/shipped-truncate-refused"),
        "`metastore.rawstore.impl` CachedStore, `metastore.cache.can.use.event` on, and a table with two partitions or "
        "more, or two that are named. One metastore is enough. External tables and managed ones.",
        "Certain, at every try: the files of all partitions are deleted first (a managed table gets an empty base of "
        "each), then each partition is altered by itself, and the pull of the log after the first one ends the time "
        'limit of the call, without which the next one is refused ("Should execute startTimer() method before '
        'checkTimeout"). From the third partition on the statistics stay as they were, as accurate ones: a count that '
        "is answered by them tells of rows that are gone.",
        "Truncate each partition by itself (`TRUNCATE TABLE t PARTITION (...)`), after a refusal, too. By default, "
        "without events, or without CachedStore, the truncate is made. The sources after HIVE-28668 alter all "
        "partitions in one call.",
        (f"{FOUND}[shipped-truncate-refused]", ALL_GONE),
        REFUSED_UPSTREAM,
        "The log has the event of the second partition's truncate, which was not made; whoever replays it writes what "
        "the metastore had of that partition to the database, its statistics, too.",
    ),
)
