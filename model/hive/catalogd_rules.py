"""What a catalog daemon of Impala does otherwise than a metastore's cache, as options.

Source: hive/4.9; Impala at b21595276c (`CatalogServiceCatalog.java`, `TableLoader.java`, `HdfsTable.load`,
`CatalogOpExecutor.java`, `MetastoreEvents.java`, `MetastoreServiceHandler.java`); the flags of
`be/src/catalog/catalog-server.cc`.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogRules:
    """The defaults are what Impala ships, its flags as by default, asked through its metastore endpoint.

    * `loads`: a load reads the table, then its list of write ids and the last event, then its partitions
      (`TableLoader.load`, `HdfsTable.load`); or the list and the event first,
      and again if later events have been processed by its end; what an event cannot load is forgotten. Nobody ships it.
    * `answers`: who asked for a load is answered with what is kept, though it may be somebody else's and no newer than
      the load's own list (`replaceTableIfUnchanged`); or with what was loaded, as nobody ships it.
    * `own_changes`: a change through the daemon makes it forget what it has loaded (`invalidate_hms_cache_on_ddls`); or
      it applies the table's events up to the last one (`enable_sync_to_latest_event_on_ddls`, IMPALA-10926, off); or it
      loads the table and takes the change's event for its own when it comes (DDL of Impala's shell); or it does nothing
      about it before its event comes (none of these flags).
    * `in_flight`: a change of its own is noted as such before the metastore is asked; or when the table has been
      loaded, by which time its event may have been processed (before IMPALA-12543).
    * `older_events`: those that the table has been loaded after are applied, or skipped
      (`enable_skipping_older_events`, off).
    * `old_partitions`: a changed partition of a managed table is looked at as to when the table was made
      (IMPALA-11160), or taken from its event in any case.
    * `renamed_partitions`: the event of a partition's rename is taken for a change of the one that has the new name
      now, which is not loaded: it is passed over, and the old one stays (`AlterPartitionEvent` looks at
      `partitionAfter_` alone, `reloadPartitionsFromEvent` at what is loaded); or the partition moves. Nobody ships it.
    * `merges`: events of one table's partitions are processed as one, in the place of the last of them, and so after
      commits that came between them (`BatchPartitionEvent`); or one by one, as nobody ships it.
    * `truncates`: what a truncate's event says is remembered to its commit, which is when its files are loaded
      (IMPALA-14637); or a commit loads no files that only a truncate has left.
    * `allocations`: write ids are remembered of all tables, or of those alone that were loaded when the batch of events
      was read (before IMPALA-12851).
    * `unseen_ids`: write ids whose allocation nobody has seen, or whose table was renamed, are unknown when their
      transaction ends; or looked up in the metastore, as nobody ships it.
    * `failures`: an event that cannot be applied costs what is loaded of its tables (IMPALA-12832), or the processing
      of events stops for good.
    * `unknown_aborts`: an aborted write id that is not among a list's exceptions is passed over (IMPALA-12827), or
      cannot be applied.
    """

    loads: Literal["table-first", "list-first"] = "table-first"
    answers: Literal["kept", "loaded"] = "kept"
    own_changes: Literal["forgotten", "synced", "loaded", "followed"] = "forgotten"
    in_flight: Literal["before", "after"] = "before"
    older_events: Literal["applied", "skipped"] = "applied"
    old_partitions: Literal["checked", "taken"] = "checked"
    renamed_partitions: Literal["passed-over", "moved"] = "passed-over"
    merges: bool = True
    truncates: Literal["remembered", "forgotten"] = "remembered"
    allocations: Literal["all", "of-loaded-tables"] = "all"
    unseen_ids: Literal["unknown", "looked-up"] = "unknown"
    failures: Literal["forget", "stop"] = "forget"
    unknown_aborts: Literal["passed-over", "refused"] = "passed-over"
