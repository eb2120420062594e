"""What readers of Impala's catalog daemon lose, as the pages tell it. Simulated only: no Impala is run here.

Source: Impala at b21595276c, as `sim.hive.impala` has it; tickets and the releases that mend them in docs/sources.md.

Choices: a page is there for each scenario that breaks and has one beside it that mends it. Of tickets that are closed
the page says which releases have the defect.
"""

from __future__ import annotations

from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream

REAL = "simulated only: no Impala is run"
SIMULATED = "No live system has played this: the rules are read in Impala's source, and no Impala is run."
SEARCHED_ON = "2026-11-25"
DAEMON = "Impala's catalog daemon with its event processor"
ENDPOINT = "and its metastore endpoint, which others are served by"
SKIPPING = "enable_sync_to_latest_event_on_ddls and enable_skipping_older_events"
UNTIL = "until its table is invalidated or changed again"
LOADS = (
    (
        "trinodb/trino#10646",
        "a load in flight that is kept although its key was invalidated, in Trino's cache (merged)",
    ),
    ("IMPALA-10926", "events and changes of the daemon's own that get in each other's way (closed)"),
)
LOAD_WORDS = (
    "Impala catalogd stale metadata table loaded while event processed, write id list after table load",
    "metastore cache load started before invalidation finishes after it stale entry",
)
INVALIDATE = "`INVALIDATE METADATA` of the table, or a read past the daemon. "
BETWEEN = (
    "Rare: a change has to fall between two calls of one load, which takes milliseconds; a load of many partitions "
    "takes longer. "
)
MENDED = "Nothing that is shipped mends it; in the model it does to read the list and the last event before the table."


def _loss(
    title: str, name: str, lost: str, needs: str, configuration: str, likelihood: str, advice: str,
    upstream: Upstream, scope: str = "",
) -> Loss:  # fmt: skip
    scenario = f"hive/impala-{name}"
    defect = Defect(scenario, lost, needs, REAL, (f"{scenario}-mended",))
    beyond = " ".join(filter(None, (SIMULATED, scope)))
    return Loss(title, defect, configuration, likelihood, advice, (), upstream, beyond)


def _upstream(reported: str, nearest: tuple[tuple[str, str], ...], *words: str) -> Upstream:
    return Upstream(reported, nearest, words, SEARCHED_ON)


LOSSES: tuple[Loss, ...] = (
    _loss(
        "Impala's catalog daemon serves a table as newer than it is",
        "list-after-table",
        "an acknowledged change, for readers whose list has it, until the table is loaded again",
        f"{DAEMON} {ENDPOINT}; a transactional table that is changed while it is loaded",
        "Flags as by default, and clients that send lists of valid write ids. `TableLoader.load` reads the table first "
        "and its list of write ids then, so that the list has changes that the table lacks.",
        f"{BETWEEN}It stays {UNTIL}, as the comparison of lists finds nothing.",
        f"{INVALIDATE}{MENDED}",
        _upstream("", LOADS, *LOAD_WORDS),
        "Of changes that are not committed the daemon serves what the metastore hands out, list or not: "
        "`hive/impala-open-change`.",
    ),
    _loss(
        "A load that ends late leaves Impala's catalog daemon stale for ever",
        "late-load",
        f"an acknowledged change, for all readers of the daemon, {UNTIL}",
        f"{DAEMON}; a load that began before a change, and ends when the change's event has been processed",
        "Flags as by default (`invalidate_hms_cache_on_ddls` on). A change through the daemon makes it forget the "
        "table; the next read loads it; another client changes it at a metastore meanwhile.",
        "Rare for small tables, which load in milliseconds: the event has to be processed within the load.",
        f"{INVALIDATE}{MENDED}",
        _upstream("", LOADS, *LOAD_WORDS),
    ),
    _loss(
        "With events skipped that are older than a load, Impala's catalog daemon misses a change for ever",
        "synced-late-event",
        f"an acknowledged change, for all readers of the daemon, {UNTIL}",
        f"{DAEMON}, {SKIPPING}; a change while a table is loaded",
        "`enable_sync_to_latest_event_on_ddls` and `enable_skipping_older_events`, both off by default. A load asks "
        "for the last event when it has read the table; of a change in between it has the event's id and not "
        "the content, and the event is skipped as an older one.",
        f"{BETWEEN}No time-out and no later event of another table mends it.",
        "Leave `enable_skipping_older_events` off. " + INVALIDATE + MENDED,
        _upstream(
            "", (("IMPALA-11535", "the flag that skips older events, as it was made (closed)"), *LOADS), *LOAD_WORDS
        ),
        "Two changes of which one goes through the daemon are enough, too: `hive/impala-synced-on-change`.",
    ),
    _loss(
        "Impala's metastore endpoint answers a list of the new table with the old one",
        "no-table-id",
        "the table that was made anew: whoever asks by its name is shown the one that was dropped",
        f"{DAEMON} {ENDPOINT}; a transactional table that was dropped and made anew",
        "Flags as by default, and clients that ask the daemon's metastore endpoint, which passes no table id on. Write "
        "ids of a table that is made anew begin at 1 again, so that the old one's list says as much or more.",
        "Likely where tables are dropped and made anew: until the daemon has processed the two events, which it polls "
        "for.",
        "Front ends of Impala send the id, and are not served so. For others: read past the daemon, or wait for its "
        "events after a table was made anew.",
        _upstream(
            "",
            (
                ("IMPALA-10637", "a comparison of lists that calls a cache newer which is not (closed)"),
                ("apache/hive#1095", "lists of write ids that are to tell a cached table from a newer one (closed)"),
            ),
            "Impala catalogd HMS endpoint get_table_req table id valid write id list dropped recreated table",
        ),
    ),
    _loss(
        "An older event takes a partition away that Impala's shell has just added",
        "older-event",
        "a partition that was just added, and was seen, for readers of the daemon until its own event comes",
        f"{DAEMON}; a partition that Hive drops and Impala's shell adds again",
        "Flags as by default: `enable_sync_to_latest_event_on_ddls` is off. Releases before 4.1 have no such flag.",
        "Likely where Hive and Impala change the partitions of one table within one interval of the event processor.",
        "`enable_sync_to_latest_event_on_ddls`, with which the events up to the daemon's own change are applied before "
        "it answers; but see `hive/impala-synced-on-change`.",
        _upstream(
            "IMPALA-10926",
            (("IMPALA-11160", "an old event that sets a partition back (closed)"),),
            "IMPALA-10926 enable_sync_to_latest_event_on_ddls last synced event id stale table",
        ),
    ),
    _loss(
        "Impala's catalog daemon takes somebody else's event for its own",
        "own-event",
        f"an acknowledged change, for all readers of the daemon, {UNTIL}",
        f"{DAEMON} before 4.4; a table that is changed through it and at a metastore",
        "Releases before 4.4. A change counts as the daemon's own when the table has been loaded, by which time its "
        "event may have been processed; the next event of the table is passed over in its place.",
        "Likely under load: the event processor has to come between the metastore's answer and the end of the load.",
        "Impala 4.4, which notes the change before the metastore is asked. Before it: `INVALIDATE METADATA`.",
        _upstream(
            "IMPALA-12543",
            (("IMPALA-12851", "write ids of a table that the same batch of events makes, forgotten (closed)"),),
            "IMPALA-12543 self-event in-flight events DDL not recognized",
        ),
    ),
    _loss(
        "Impala's catalog daemon forgets the write ids of a table that was just made",
        "forgotten-allocation",
        f"what an abort says: the daemon's list of the table calls the write open, {UNTIL}",
        f"{DAEMON} before 4.4; a transactional table that is made and written to within one batch of events",
        "Releases before 4.4. Write ids are remembered of those tables alone that were loaded when the batch of events "
        "was read.",
        "Likely for jobs that make a table and write to it at once: both events are in one batch then.",
        "Impala 4.4. Before it: `INVALIDATE METADATA` of the table.",
        _upstream(
            "IMPALA-12851",
            (("IMPALA-12543", "an event that is processed before its change counts as the daemon's own (closed)"),),
            "IMPALA-12851 alloc write id event",
        ),
    ),
    _loss(
        "An abort that Impala's catalog daemon does not know of stops all events",
        "unknown-abort",
        "every later change of every table, for all readers of the daemon, until it restarts or all is invalidated",
        f"{DAEMON} before 4.4; an abort of a write id that is no exception of the table's list",
        "Releases before 4.4. The event of such an abort cannot be applied, the event processor's state becomes ERROR, "
        "and no event is asked for any more.",
        "Rare for one table: it has to be dropped and made anew while a transaction of the old one is open. It is a "
        "matter of all tables then.",
        "Impala 4.4, which passes such aborts over, and forgets a table whose event cannot be applied where "
        "`invalidate_metadata_on_event_processing_failure` is on. Before it: `INVALIDATE METADATA`, which starts the "
        "event processor again.",
        _upstream(
            "IMPALA-12827",
            (("IMPALA-12832", "an event that cannot be applied costs what is loaded of its tables alone (closed)"),),
            "IMPALA-12827 IMPALA-12832 event processor stops ABORT_TXN unknown write id",
        ),
    ),
    _loss(
        "Impala's catalog daemon applies a commit before the change that it commits",
        "merged-events",
        "an acknowledged change of a partition, for readers whose list has it, until the batch has been processed",
        f"{DAEMON} {ENDPOINT}; two transactions that change partitions of one table, of which one commits in between",
        "Flags as by default, and clients that send lists of valid write ids. `createBatchEvents` merges changes of "
        "partitions of one table, and processes them in the place of the last one. An event of the table between them "
        "cuts that; the end of a transaction is an event of no table, and does not.",
        "Likely for tables that several jobs insert into at once: each insert alters its partitions, for their "
        "statistics, and the log is read up to a thousand events at a time. It lasts as long as the rest of the batch "
        "takes, which is long where the daemon lags.",
        "Nothing that is shipped mends it; in the model it does to process events one by one. A read past the daemon.",
        Upstream(
            "",
            (
                ("IMPALA-12463", "events of a table are merged that do not follow each other (closed)"),
                ("apache/doris#21589", "the same in Doris, which merges all events of a round (merged)"),
            ),
            (
                "Impala event batching BatchPartitionEvent ALTER_PARTITION merged across COMMIT_TXN stale partition "
                "transactional table write id committed before partition reloaded",
            ),
            "2026-11-26",
        ),
    ),
)  # fmt: skip
