"""What Impala's documents, comments and flags say of its catalog daemon, each judged on the daemon that it is about.

Source: hive/4.9; apache/impala at b21595276c: `docs/topics/impala_metadata.xml` and
`impala_invalidate_metadata.xml`, the comments of `MetastoreEventsProcessor.java`, `CatalogServiceCatalog.java`,
`CatalogOpExecutor.java`, and the flags' words in `be/src/catalog/catalog-server.cc`.

Choices: Impala is simulated and not run; no claim has a live test.
"""

from __future__ import annotations

from typing import Literal

from sim.hive.impala import DAEMONS
from sim.hive.impala_mended import KEPT, MENDED
from sim.hive.partitions import PARTITIONS
from sim.search.claims import Claim

BY_NAME = {scenario.name.removeprefix("hive/impala-"): scenario for scenario in (*DAEMONS, *MENDED, *KEPT, *PARTITIONS)}
SHIPPED = "Impala's catalog daemon, its flags as by default"
SYNCED = "with enable_sync_to_latest_event_on_ddls and enable_skipping_older_events"
DDL = "DDL of Impala's shell: own changes are loaded at once"
LIST_FIRST = "the list and the last event read before the table (shipped by nobody)"
PROCESSOR = "MetastoreEventsProcessor.java, class comment"
METADATA = "docs/topics/impala_metadata.xml, Automatic Invalidation/Refresh of Metadata"
PARTITION = "Refreshes the partition when it receives the ALTER, ADD, or DROP partitions"
FLAGS = "be/src/catalog/catalog-server.cc"
LATEST = "take appropriate action on the catalogD ... so that catalog represents the latest information available"
WHEN_STALE = "Catalog state should only be updated when it is stale with respect to the event"
INCARNATION = "This information is used to make sure that we are deleting the right incarnation of the object"
IN_FLIGHT = "When the HMS operation is successful, add the version number to the list of version for in-flight events"
CONSISTENT = (
    "we see if the cached table can provided a consistent view of the given validWriteIdList. If yes, we can return "
    "the table otherwise we reload the table"
)
SAME_ID = "we should make sure that we are comparing the ValidWriteIdList only when the table id matches"
OLDER = (
    "the older events in event processor queue can be skipped by comparing the current event id to that of "
    "lastRefreshEventId"
)
SYNC = "sync db/table in catalogd cache to latest HMS event id whenever DDL operations are performed"
ERROR = "In case of any errors ... the state of event processor changes to ERROR and no subsequent events are polled"
ALLOCATED = "keep track of write ids for partitioned transactional tables"


def _claim(
    text: str, source: str, asked: str, variant: str, *names: str, note: str = "",
    predicts: Literal["holds", "violated"] = "holds",
) -> Claim:  # fmt: skip
    return Claim(text, f"Impala, {source}", asked, variant, tuple([BY_NAME[name] for name in names]), predicts,
                 note=note)  # fmt: skip


CLAIMS: tuple[Claim, ...] = (
    _claim(LATEST, PROCESSOR, "convergence", f"{SHIPPED}, changes by Hive alone", "follows-names", "follows-changes",
           "follows-partitions"),
    _claim(LATEST, PROCESSOR, "convergence", f"{SHIPPED}, changes through the daemon, too", "late-load",
           note="A load that began before a change ends when the change's event has passed."),
    _claim(LATEST, PROCESSOR, "convergence", LIST_FIRST, "late-load-mended"),
    _claim(WHEN_STALE, PROCESSOR, "monotonic-reads-per-replica", DDL, "older-event",
           note="IMPALA-10926: an older event is applied over a change of its own."),
    _claim(WHEN_STALE, PROCESSOR, "monotonic-reads-per-replica", f"{SHIPPED} {SYNCED}", "older-event-mended"),
    _claim(INCARNATION, PROCESSOR, "convergence", SHIPPED, "remade"),
    _claim(IN_FLIGHT, PROCESSOR, "convergence", f"{DDL}, as these words have it (before IMPALA-12543)", "own-event",
           note="The event may be processed before the list has its version; the next event is taken for it."),
    _claim(IN_FLIGHT, PROCESSOR, "convergence", f"{DDL}, noted before the metastore is asked", "own-event-mended"),
    _claim(ERROR, PROCESSOR, "convergence", "before IMPALA-12827 and IMPALA-12832", "unknown-abort",
           predicts="violated"),
    _claim("invalidate metadata is performed automatically upon event process failure of that specific table(s)",
           f"{FLAGS}, invalidate_metadata_on_event_processing_failure", "convergence",
           "before IMPALA-12827, with the flag (IMPALA-12832)", "failed-event"),
    _claim(ALLOCATED, "MetastoreEvents.java, AllocWriteIdEvent", "convergence", "before IMPALA-12851",
           "forgotten-allocation", note="Of a table that the same batch of events makes they are forgotten."),
    _claim(ALLOCATED, "MetastoreEvents.java, AllocWriteIdEvent", "convergence", SHIPPED,
           "forgotten-allocation-mended"),
    _claim(CONSISTENT, "CatalogServiceCatalog.java, getOrLoadTable", "freshness", SHIPPED, "list-after-table",
           note="What is loaded is older than its list by the changes between the two calls."),
    _claim(CONSISTENT, "CatalogServiceCatalog.java, getOrLoadTable", "freshness", LIST_FIRST,
           "list-after-table-mended"),
    _claim(CONSISTENT, "CatalogServiceCatalog.java, getOrLoadTable", "no-dirty-reads", SHIPPED, "open-change",
           note="The metastore hands out what is not committed, and no list says so."),
    _claim(SAME_ID, "CatalogServiceCatalog.java, getOrLoadTable", "right-incarnation",
           "requests of Impala's metastore endpoint, which pass no id on", "no-table-id"),
    _claim(SAME_ID, "CatalogServiceCatalog.java, getOrLoadTable", "right-incarnation",
           "requests with the table's id, as of a front end", "no-table-id-mended"),
    _claim(OLDER, f"{FLAGS}, enable_skipping_older_events", "convergence", f"{SHIPPED} {SYNCED}", "synced-late-event",
           note="The load asks for the last event when it has read the table: what is skipped is not in it."),
    _claim(OLDER, f"{FLAGS}, enable_skipping_older_events", "convergence", LIST_FIRST, "synced-late-event-mended"),
    _claim(SYNC, f"{FLAGS}, enable_sync_to_latest_event_on_ddls", "convergence", f"{SHIPPED} {SYNCED}",
           "synced-on-change"),
    _claim("when this flag is false, the catalogd cache could still be updated by the event processor",
           f"{FLAGS}, invalidate_hms_cache_on_ddls", "convergence", "the flag off", "unforgotten-changes"),
    _claim("Removes the tables from catalogd when it receives the DROP TABLE or DROP DATABASE events", METADATA,
           "convergence", SHIPPED, "follows-names", "remade"),
    _claim(PARTITION, METADATA, "convergence", SHIPPED, "follows-partitions"),
    _claim(PARTITION, METADATA, "convergence", f"{SHIPPED}, a partition that Hive gives another name",
           "partition-rename",
           note="The event's new partition is looked for among those that are loaded; the old one is not looked at."),
    _claim(PARTITION, METADATA, "convergence", "the event's old name looked at, too (shipped by nobody)",
           "partition-rename-mended"),
    _claim("No INVALIDATE METADATA is needed when the changes are made by impalad",
           "docs/topics/impala_invalidate_metadata.xml", "convergence", f"{DDL}, and by nobody else", "own-changes"),
    _claim("No INVALIDATE METADATA is needed when the changes are made by impalad",
           "docs/topics/impala_invalidate_metadata.xml", "read-your-writes",
           f"{DDL}, while Hive changes the table, too", "older-event",
           note="IMPALA-10926; it is there again when the event of the own change has come."),
)  # fmt: skip
"""Every sentence that a schedule can answer."""
