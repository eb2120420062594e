"""What Hive Metastore 4.0.1 loses whose cache follows events, as the pages tell it; what others lose comes last."""

from __future__ import annotations

from sim.hive import losses_constraints, losses_default, losses_impala, losses_truncates
from sim.hive.defects import DEFECTS
from sim.search.loss import SEARCHED_ON, Loss, Upstream, named

REPLAYS = "tests/live/hive/test_replays.py"
ANALYZED = "tests/live/hive/test_statistics_replays.py"
DELETED = "tests/live/hive/test_statistics_events.py::test_deletions_are_answered_as_the_vectors_say[event mode]"
AGGREGATES = "tests/live/hive/test_aggregates.py"
PREWARM = "tests/live/hive/test_prewarm.py"
LATER = "2026-11-25"
"""When the trackers were searched for what was found last."""
FOUND = f"{REPLAYS}::test_violation_that_the_search_finds_is_real_and_a_matter_of_order"
EVENTS = (
    "`metastore.rawstore.impl` CachedStore and `metastore.cache.can.use.event` on (off by default: then the cache is "
    "read anew by a timer, follows no log, and none of this happens). "
)
MANAGED = "Of external tables and of managed ones: the replay looks at neither."
ADVICE = (
    "No events for the cache (`metastore.cache.can.use.event` off), or no CachedStore. "
    "A restart of the metastore makes its cache anew; what was written over stays so."
)
REPLAYED = (
    ("apache/hive#3557", "HIVE-26504: the change by which the replay of an alter writes the database (merged)"),
    ("apache/hive#479", "HIVE-18661: events for the cache, as they were made (closed)"),
)
RENAMES = (*REPLAYED, ("apache/doris#65750", "renames in Doris' own cache of metastore events (open)"))
REPLAY_WORDS = (
    "CachedStore updateStatsForAlterTable rawStore.alterTable notification event",
    "CachedStore metastore.cache.can.use.event alter table notification stale cache",
)
RENAME_WORDS = (
    "CachedStore rename table cache update event replay fails doesn't exist lastEventId retried",
    "CachedStore alter table rename partition column statistics",
)


def _upstream(nearest: tuple[tuple[str, str], ...], *words: str, searched_on: str = SEARCHED_ON) -> Upstream:
    return Upstream("", nearest, words, searched_on)


LOSSES: tuple[Loss, ...] = (
    Loss(
        "A replayed alter writes an older state over a newer one",
        named(DEFECTS, "hive/shipped-replay-writes-back"),
        EVENTS + MANAGED,
        "Certain with two metastores: each alter is written to the database again by every other one, when it polls. "
        "The older state is there until the newer alter is replayed, too; for good, if that metastore stops between.",
        ADVICE,
        (f"{FOUND}[shipped-replay-writes-back]",),
        _upstream(REPLAYED, *REPLAY_WORDS),
    ),
    Loss(
        "A batch of events reverts every later change, for ever",
        named(DEFECTS, "hive/shipped-batch-reverts"),
        EVENTS + "A rename between two alters is enough for a batch that fails.",
        "Likely once a table is renamed: the replay of any rename fails, the position stays before its batch, and at "
        "every poll and after every write the alters before it are written to the database again.",
        ADVICE + " Until then no rename, or a restart of every other metastore after each.",
        (f"{FOUND}[shipped-batch-reverts]",),
        _upstream(RENAMES, *REPLAY_WORDS, *RENAME_WORDS),
        "On two live metastores 31 such writes were counted while two later alters were acknowledged.",
    ),
    Loss(
        "A replayed rename takes another table's name and content",
        named(DEFECTS, "hive/shipped-rename-takes-another"),
        EVENTS + "A table is renamed, and another one is made under its old name before the others poll.",
        "Likely where tables are swapped by renames: that is what it is, within one interval of the update.",
        ADVICE + " No new table under the name of a renamed one.",
        (f"{FOUND}[shipped-rename-takes-another]",),
        _upstream(RENAMES, *RENAME_WORDS),
    ),
    Loss(
        "Alter, drop, create: dead content is written into the new table",
        named(DEFECTS, "hive/shipped-dead-content"),
        EVENTS + "A table is altered, dropped and made anew between two polls of another metastore.",
        "Likely for jobs that drop and make their tables anew: an alter within the same interval is enough.",
        ADVICE,
        (f"{FOUND}[shipped-dead-content]",),
        _upstream(REPLAYED, *REPLAY_WORDS),
    ),
    Loss(
        "Alter, drop: a replica's cache is frozen",
        named(DEFECTS, "hive/shipped-drop-freezes"),
        EVENTS + "A table is altered and dropped between two polls of another metastore.",
        "Likely: tables that live for seconds are such. The replay of the alter finds no table, the batch is tried "
        "again for ever, and nothing later reaches that cache.",
        ADVICE,
        (f"{FOUND}[shipped-drop-freezes]",),
        _upstream(REPLAYED, *REPLAY_WORDS),
    ),
    Loss(
        "Drop and re-create of a partitioned table: a metastore hangs for its writers",
        named(DEFECTS, "hive/shipped-drop-hangs"),
        EVENTS + "A partitioned table is dropped and made anew, with a partition, before another metastore follows the "
        "drop.",
        "Likely for jobs that drop and load their partitioned tables anew within one interval of the update. The "
        "replay of the drop goes on until the database has no partitions of that name, and the new table has some. It "
        "holds the lock of the class, for which every change and every new connection waits.",
        "No events for the cache (`metastore.cache.can.use.event` off), or no CachedStore. The metastore has to be "
        "killed: one thread runs in `getPartitionLocations` under `updateUsingNotificationEvents`. A change that got "
        "no answer is made all the same: look before it is tried again.",
        (f"{FOUND}[shipped-drop-hangs]",),
        _upstream(
            (
                ("apache/hive#479", "HIVE-18661: events for the cache, as they were made (closed)"),
                ("apache/hive#5851", "HIVE-27224: a drop that a client waits for without a limit (closed)"),
            ),
            "metastore CachedStore DROP_TABLE event infinite loop getPartitionLocations hang",
        ),
        "Simulated and replayed is the change that meets the drop first. That new connections wait as well was seen on "
        "two live metastores, and is not simulated.",
    ),
    Loss(
        "A rename freezes the caches of all other metastores",
        named(DEFECTS, "hive/shipped-rename-freezes"),
        EVENTS + "Any table is renamed.",
        "Certain with the first rename: its replay looks for the old name, which is gone, for ever.",
        ADVICE,
        (f"{REPLAYS}::test_rename_freezes_the_caches_for_good",),
        _upstream(RENAMES, *RENAME_WORDS),
    ),
    Loss(
        "A rename freezes the cache of the only metastore",
        named(DEFECTS, "hive/shipped-rename-freezes-writer"),
        EVENTS + "One metastore alone, and any table is renamed.",
        "Certain with the first rename: its own cache replays it as well.",
        ADVICE,
        (f"{REPLAYS}::test_rename_freezes_the_only_metastore",),
        _upstream(RENAMES, *RENAME_WORDS),
    ),
    Loss(
        "An analyzed table that is altered: the metastore takes every later alter of it back",
        named(DEFECTS, "hive/shipped-analyzed-reverts"),
        EVENTS + "One metastore is enough, and one client. A table without partitions has statistics of a column, and "
        "is altered. " + MANAGED,
        "Certain. The replay of an alter asks the database for the table's statistics of columns, and reads them with "
        "a time limit that was never begun (`Deadline.checkTimeout`: \"Should execute startTimer() method before "
        "checkTimeout\"): it fails if there are some, after it has written the alter to the database again. So the "
        "position stays before its batch, nothing that comes later reaches the cache, and at every poll and after "
        "every write through that metastore the same alter is written over newer ones.",
        ADVICE + " Until then no statistics of columns of tables without partitions (`hive.stats.column.autogather`).",
        (
            f"{ANALYZED}::test_what_the_search_finds_happens_live[shipped-analyzed-reverts]",
            f"{ANALYZED}::test_one_analyzed_table_that_is_altered_stops_every_cache",
        ),
        _upstream(
            (
                ("apache/hive#3557", "HIVE-26504: the change by which a replay reads statistics (merged)"),
                ("apache/hive#479", "HIVE-18661: events for the cache, as they were made (closed)"),
            ),
            "CachedStore Should execute startTimer() method before checkTimeout cache update failed",
            "CachedStore updateStatsForAlterTable getTableColumnStatistics Deadline notification event",
        ),
        "If a partition was analyzed, and not the table, the cache stops as well, and nothing is taken back "
        "(`hive/shipped-analyzed-partition`, live, too).",
    ),
    Loss(
        "A restart makes the loss by a replayed alter last",
        named(DEFECTS, "hive/shipped-restarted"),
        EVENTS + MANAGED,
        "Rare: a metastore is restarted when it has replayed an alter, and not the one after it. Rolling restarts "
        "under load are such. 4.0.1 keeps no position in the log: the next process reads the database, follows the log "
        "from where it is then, and never replays the later alter, which would have written it back.",
        "No events for the cache (`metastore.cache.can.use.event` off), or no CachedStore. No alters while a metastore "
        "is restarted; what was lost has to be altered again.",
        (f"{PREWARM}::test_a_restart_makes_the_loss_by_a_replay_last",),
        _upstream(REPLAYED, *REPLAY_WORDS),
        "Live, the cache is made as at the start of a process, at the gate; the process goes on.",
    ),
    Loss(
        "A prewarm that meets a dropped table is begun again, and keeps what was dropped since",
        named(DEFECTS, "hive/shipped-prewarm-phantom"),
        EVENTS + "Two tables are dropped while another metastore fills its cache. External tables and managed ones.",
        "Rare: it takes a metastore that starts, and two drops in its prewarm, which takes minutes where there are "
        "many tables. `CachedStore.prewarm` has read the names; the table that is gone by then ends it with an "
        "exception, and the update thread begins it again, from a later position, beside what it had loaded.",
        "A restart of the metastore while nobody drops tables. Until then its readers see a table that nobody has, "
        "and nobody can make one of its name there.",
        (f"{PREWARM}::test_a_prewarm_that_is_begun_again_keeps_what_is_gone",),
        _upstream(
            (
                ("apache/hive#6785", "HIVE-30053: a prewarm by several threads (merged)"),
                ("apache/hive#662", "the cache's eviction by what was read last, and its prewarm (closed)"),
            ),
            "CachedStore prewarm fails table dropped during prewarm NoSuchObjectException null table cache phantom",
            searched_on=LATER,
        ),
    ),
    Loss(
        "What one session was told of all partitions' statistics together is told to everybody",
        named(DEFECTS, "hive/shipped-aggregate"),
        EVENTS + "Managed tables with partitions: of others everybody is told in any case.",
        "Certain once somebody asks for the statistics of all partitions together whose list has what others' have "
        "not: who has analyzed one in an open transaction, or a client that sends no list. The cache keeps the "
        "aggregate and looks at no list again (`getAggrPartitionColStats`); an abort changes no partition, so it stays "
        "until one changes. A database without cache has none to tell of then.",
        "No events for the cache, or no CachedStore. Analyze any partition of the table again, or alter one: that "
        "takes the aggregate away.",
        (f"{AGGREGATES}::test_what_one_session_was_told_of_all_partitions_is_told_to_everybody",),
        _upstream(
            (
                ("apache/hive#514", "HIVE-21063: statistics of transactional tables in CachedStore (closed)"),
                ("apache/hive#1390", "HIVE-24025: aggregates that HiveServer2 keeps, by list and table (merged)"),
            ),
            "CachedStore get_aggr_stats_for aggregate stats cache aborted transaction valid write id list stale "
            "aggregate refreshAggregateStatsInCache",
            "Hive CachedStore aggrColStatsCache ALLBUTDEFAULT IndexOutOfBoundsException get_aggr_stats_for internal "
            "error",
            searched_on=LATER,
        ),
        "Of all partitions but one this cache tells nobody: it fails with an internal error, each time "
        "(tests/live/hive/test_aggregates.py).",
    ),
    *losses_constraints.LOSSES,
    *losses_truncates.LOSSES,
    Loss(
        "Statistics of a partition that were deleted are told for ever",
        named(DEFECTS, "hive/shipped-deleted-statistics"),
        EVENTS + "External tables with partitions: of managed ones no statistics are deleted.",
        "Certain, if a client deletes the statistics of all columns of a partition, naming none, as "
        "`delete_partition_column_statistics` allows: `SharedCache.TableWrapper.removePartitionColStats` makes its key "
        "of the partition and of the column's name, which is null, and finds nothing. Of tables it takes all away. The "
        "event says no name either, so every cache keeps them, and the aggregates that are made of them; the database "
        "has none. By default (no events) the metastore that was asked tells of them until its next refresh.",
        "Name each column. Analyze the partition again, or alter it: that takes what the caches have away.",
        (f"{ANALYZED}::test_what_the_search_finds_happens_live[shipped-deleted-statistics]", DELETED),
        _upstream(
            (
                ("apache/hive#5578", "HIVE-28655: a new call that deletes, with an event for each column (merged)"),
                ("apache/hive#1186", "HIVE-23768: a refresh takes statistics of partitions out of the cache (merged)"),
            ),
            "Hive CachedStore removePartitionColStatsFromCache colName null delete partition column statistics stale "
            "cache",
            "HIVE metastore CachedStore deletePartitionColumnStatistics all columns stats not removed SharedCache "
            "buildPartitonColStatsCacheKey",
            searched_on="2026-11-26",
        ),
    ),
    *losses_default.LOSSES,
    *losses_impala.LOSSES,
)  # fmt: skip
