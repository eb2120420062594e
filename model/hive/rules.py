"""The rules of the protocol as options: the design document, what was shipped, and what repairs it.

Every default is the reference: the design with the repairs of hive/4. A variant is `dataclasses.replace(FIXED, ...)`.

Source: hive/2.2 (read rules), hive/3.1 and hive/3.2 (CachedStore 4.0), hive/3.4 (the unmerged patch), hive/4 (state
machine), hive/6.2 (R1 to R10).
"""

from dataclasses import dataclass, replace
from typing import Literal

from model.hive.catalogd_rules import CatalogRules
from model.hive.comparison import ReadRule


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Switches of the protocol; a boolean's name is a statement that is true of the variant.

    * `caches`: there is a cache at all (`metastore.rawstore.impl` is CachedStore, not ObjectStore).

    Reading from the cache:
    * `read_rule`: which tag may answer which list (hive/2.2; 4.0 looks at neither, hive/3.2).
    * `checks_table_id`: the entry must be of the table that the request means (hive/4.2; not so in 4.0). Its id and its
      list are read with its row locked: a rename in between would leave a list of nothing.
    * `null_list_on_managed`: what a read without a list gets (the design document, "Changes in Other Components"); of
      the unmerged patch, an answer of the database.
    * `caches_external`: tables without lists are read from the cache as well.
    * `writes_name_table`: an allocation of a write id, a change of a managed table, and a request for the lock of an
      update of its rows say which table they mean, and are refused if another one has the name, or none (hive/4.7,
      hive/1.2: write ids start again with each table of a name). Upstream looks at the name alone; locks hold drops
      back there, if sessions take them.
    * `looks_again`: a read without a list that has been to the database takes the entry that the cache has got
      meanwhile, if it has: the next such read will, and must not go back.
    * `fills_on_miss`: the table that a read of it found missing is kept as an entry, without partitions (R6).
    * `changes_ask_cache`: a change looks for tables in the cache before it begins in the database (R10): a create and a
      rename for the name to be taken, an alter and a rename for the table. What the cache has stands, whatever the
      database has; what it lacks is looked for in the database, and kept if misses are.
    * `changes_believe_cache`: what the cache has of a table stands for changes of its partitions, too, their renames
      among them, and for its drop (`model.hive.believed`); else these look into the database. So in the default mode:
      in event mode whoever is in a transaction asks the database (`CachedStore.getPartition`).

    * `asks_for_statistics`: statistics that an entry lacks are looked for in the database (not so in 4.0: a refresh
      reads none, and a prewarm keeps none).

    * `partition_statistics_by_list`: those of a partition are told to whom they may be used by; or to everybody, for
      the cache asks the parameters of the table's files whether it has write ids (`getPartColStatsList` 4.0.1).

    * `takes_unnamed_statistics`: a partition's statistics go if they are deleted without a column's name; or stay
      (`SharedCache.removePartitionColStats` 4.0.1).

    * `aggregates`: statistics of partitions together are told to whom each of them may be told; or that of all is kept
      when it was told once, for everybody (event mode of 4.0.1); or is as of the last refresh, for who sends no list.

    * `loads_constraints`: a load brings a table's constraints; or those of another one, of which there are none, are
      asked for, and it is taken to have none (`AllTableConstraintsRequest` 4.0.1, in the wrong order).

    Following the log:
    * `unfinished`: an entry with writes that are not settled is not served; or it has one flag, which every change
      clears and every commit sets (hive/3.4); or nobody keeps track (hive/4.4).
    * `tags`: they follow every allocation, commit and abort; or, as the unmerged patch has it, commits alone, and all
      that is below a commit beyond the high-water mark counts as committed (hive/3.4).
    * `entries_by`: write ids belong to the entry of a table's id, or to the one of its name (hive/3.4).
    * `looks_up`: all write ids of a commit are looked up in the database, or the first one (hive/3.4).
    * `reloads_forgotten`: a transaction of which the database knows no write ids (any more) costs a load of each entry
      whose tag has open ones, which may be its; or nothing is done, and an entry that has them is never served again
      (hive/1.7: a consumer that lags and looks up may find nothing).
    * `rename`: the entry moves to its new name; or is one entry under both names, which a change of the replica's own
      does; or is looked for under the new name, which is what the event of a rename names: mostly none is there, and
      the old name keeps what it had (R3).
    * `batch`: events per poll, from 1 (hive/3.2: up to a million).
    * `position`: moves with each event, whose effects are one critical section; or when a whole batch has been applied,
      so that a batch of which one event fails is applied again from its start (hive/3.2).
    * `bad_event`: an event of a kind that is not known costs a reload of its table, or is tried again for ever, or is
      passed over (4.0: "not supported for cache invalidation").
    * `checks_gaps`: events that were cleaned before they were read are noticed (hive/5, HIVE-25796).
    * `write_ids`: the ALLOC events stand for a commit's write ids if the OPEN was seen, or "unless" (hive/4.5).
    * `follows`: all events, or those of content (hive/3.2); or nothing: a timer reads the database anew (hive/3.1).
    * `prewarm`: events up to the load are skipped, and a tag is of the table that is loaded with it; or neither, as
      designed (hive/4.6); or the former, with tags made from a list that was taken before the load (the design
      document, "Bootstrap").
    * `prewarm_ends_at_gone`: a table that is gone when a prewarm comes to it ends that, and it begins again beside what
      it has loaded (in 4.0.1 `getTable` says null, and nobody catches what comes of that before the timer).
    * `keeps_position`: a replica's position in the log survives its process, and the next one follows the log from
      there; or it follows from where the log is when it fills its cache. 4.0.1 keeps none: `lastEventId` is a static
      field, which `triggerPreWarm` sets (hive/4.6).

    The database side (hive/1, hive/5):
    * `exclusive_writes`: clients commit with `exclWriteEnabled`, as by default (`hive.txn.xlock.write`): they rely on
      exclusive locks, and the commit looks for no conflict.
    * `conflict_abort_is_logged`: a transaction that a write conflict aborts leaves an event (R7).
    * `timeout_abort_is_logged`: one that times out does (HIVE-27797, in 4.0.1).
    * `locks_need_open_txn`: a request for locks is refused to a transaction that has committed (not so in 4.0.1:
      `EnsureValidTxnFunction` lets it pass as long as its row is there).
    * `cleaner_keeps_write_ids`: an aborted transaction is not forgotten as long as write ids of it are known (not so in
      4.0.1: they then count as committed).
    * `lists_count_cleaned_ids`: a list ends with the highest write id that its transactions have got, cleaned or not;
      or with the highest that is left (4.0.1: `GetValidWriteIdsForTableFunction`): if that was aborted, a higher one
      that is committed and cleaned is in no list until another one is given.
    * `keeps_min_history`: whom an open transaction may have missed is noted (`metastore.txn.use.minhistorylevel`, on by
      default); or commits keep what they have changed, inserts too, until nobody open can have missed it.
    * `cleaner_dates_inserts`: else an insert is as old as its commit is when the cleaner first sees that; or as what
      its commit saw without a lock: whoever begins before that has ended is above (4.0.1: `CommitTxnFunction`).
    * `rename_moves_write_ids_with_it`: in one database transaction, not on a connection of its own (R8).
    * `renames_databases`: a database gets another name with its tables; or what is known of their writes gets it, and
      nothing else (`model.hive.databases`).
    * `opens_count_commit`: an open of a transaction that took too long is noticed after its commit, too, and another
      one is made; or 4.0.1 has looked at the clock by then (`TxnHandler.openTxns`, since HIVE-27481), and its id may be
      in no snapshot's exceptions (`metastore.txn.opentxn.timeout`).
    * `opens_begin_with_id`: a transaction is as old as its id; or as the database transaction that opened it (4.0.1 on
      PostgreSQL: `current_timestamp`), which may have waited: who is missing below it seems to be nobody.
    * `truncates_what_is_there`: a truncate changes the table and the partitions that there are; or what it has read of
      them before, from the cache if that has the table (`model.hive.truncates`).
    * `drop_tells_write_id`: the event of a partition's drop has the write id of the change, as those of other changes;
      or not: `JSONDropPartitionMessage` has no field for it (hive/5).

    What the shipped cache does on top:
    * `pulls_after_write`: a change lets its replica follow the log to the end (hive/3.2); a call that makes several
      has no time limit any more then, and is refused the next one (`model.hive.truncates`).
    * `applies_own_changes`: a replica's cache has its own changes at once, before they are committed (hive/3.1).
    * `replay_writes_database`: an alter that is polled is written to the database, again (R1, R2).
    * `replay_reads_statistics`: then those of the table are read, with a time limit that has not begun; so it fails if
      there are some (`updateStatsForAlterTable`, `Deadline.checkTimeout` 4.0.1).
    * `passes_expected_parameter`: an alter's condition reaches the database (R9).
    * `drops_wait`: a drop that is followed waits until the database has no partitions under its name. If the table was
      made anew with some, that is for ever, and no change through the replica is answered any more (R5).

    * `catalogd`: the replica is a catalog daemon of Impala, with rules of its own; None: a metastore (hive/4.9).
    """

    caches: bool = True
    read_rule: ReadRule = "superset"
    checks_table_id: bool = True
    null_list_on_managed: Literal["error", "eventual", "database"] = "error"
    caches_external: bool = True
    writes_name_table: bool = True
    looks_again: bool = True
    fills_on_miss: bool = False
    changes_ask_cache: bool = False
    changes_believe_cache: bool = False
    asks_for_statistics: bool = True
    partition_statistics_by_list: bool = True
    takes_unnamed_statistics: bool = True
    aggregates: Literal["by-list", "kept", "refreshed"] = "by-list"
    loads_constraints: bool = True

    unfinished: Literal["per-write", "one-flag", "ignored"] = "per-write"
    tags: Literal["exact", "patched"] = "exact"
    entries_by: Literal["id", "name"] = "id"
    looks_up: Literal["all", "first"] = "all"
    reloads_forgotten: bool = True
    rename: Literal["moves", "keeps-old-name", "asks-new-name"] = "moves"
    batch: int = 1
    position: Literal["each-event", "after-batch"] = "each-event"
    bad_event: Literal["rebuild", "retry", "skip"] = "rebuild"
    checks_gaps: bool = True
    write_ids: Literal["seen-open", "unless-seen-open"] = "seen-open"
    follows: Literal["everything", "content", "nothing"] = "everything"
    prewarm: Literal["guarded", "as-designed", "outdated-list"] = "guarded"
    prewarm_ends_at_gone: bool = False
    keeps_position: bool = False

    exclusive_writes: bool = False
    conflict_abort_is_logged: bool = True
    timeout_abort_is_logged: bool = True
    locks_need_open_txn: bool = True
    cleaner_keeps_write_ids: bool = True
    lists_count_cleaned_ids: bool = True
    keeps_min_history: bool = True
    cleaner_dates_inserts: bool = True
    rename_moves_write_ids_with_it: bool = True
    truncates_what_is_there: bool = True
    drop_tells_write_id: bool = True
    renames_databases: bool = True
    opens_count_commit: bool = True
    opens_begin_with_id: bool = True

    pulls_after_write: bool = False
    applies_own_changes: bool = False
    replay_writes_database: bool = False
    replay_reads_statistics: bool = False
    passes_expected_parameter: bool = True
    drops_wait: bool = False

    catalogd: CatalogRules | None = None


FIXED = Rules()

# The reference over what 4.0.1 does in the database: what is shipped there, whatever the cache is.
ON_4_0 = replace(
    FIXED,
    conflict_abort_is_logged=False,
    locks_need_open_txn=False,
    cleaner_keeps_write_ids=False,
    lists_count_cleaned_ids=False,
    cleaner_dates_inserts=False,
    rename_moves_write_ids_with_it=False,
    truncates_what_is_there=False,
    drop_tells_write_id=False,
    renames_databases=False,
    opens_count_commit=False,
    opens_begin_with_id=False,
)

# The design document, read literally where it can be: upstream's comparison, its prewarm, its "unless".
DESIGN = replace(
    FIXED,
    read_rule="lexicographic",
    reloads_forgotten=False,
    write_ids="unless-seen-open",
    prewarm="as-designed",
)

# Hive 4.0's CachedStore in event mode (`metastore.cache.can.use.event`, off by default): lists and table ids travel,
# and nobody looks at them. Its drops do not wait: little could be said of a run after one, and a counter says where.
SHIPPED = replace(
    ON_4_0,
    read_rule="none",
    checks_table_id=False,
    null_list_on_managed="eventual",
    writes_name_table=False,
    looks_again=False,
    fills_on_miss=True,
    changes_ask_cache=True,
    asks_for_statistics=False,
    partition_statistics_by_list=False,
    takes_unnamed_statistics=False,
    aggregates="kept",
    loads_constraints=False,
    unfinished="ignored",
    rename="asks-new-name",
    batch=1_000_000,
    position="after-batch",
    bad_event="skip",
    checks_gaps=False,
    follows="content",
    prewarm="as-designed",
    prewarm_ends_at_gone=True,
    pulls_after_write=True,
    replay_writes_database=True,
    replay_reads_statistics=True,
    passes_expected_parameter=False,
)
# All of it: the drop that waits, too.
SHIPPED_HANGING = replace(SHIPPED, drops_wait=True)
# The first with one method added, so that an alter's expected parameter reaches the database.
SHIPPED_CAS = replace(SHIPPED, passes_expected_parameter=True)
# And without the write back on replay.
SHIPPED_CAS_NO_REPLAY = replace(SHIPPED_CAS, replay_writes_database=False)
# Its default mode, `metastore.cache.can.use.event` off, as in 3.1: no event is read, a timer reads the database anew
# (`metastore.cached.rawstore.cache.update.frequency`, 60 s), and a replica's own changes are in its cache at once.
SHIPPED_REFRESH = replace(
    SHIPPED,
    changes_believe_cache=True,
    aggregates="refreshed",
    follows="nothing",
    rename="keeps-old-name",
    applies_own_changes=True,
    pulls_after_write=False,
    replay_writes_database=False,
    replay_reads_statistics=False,
)
# The last patch of HIVE-21637, which was not merged (patch 51; HIVE-23571 carried it on).
PATCH_51 = replace(
    ON_4_0,
    read_rule="lexicographic-names",
    checks_table_id=False,
    null_list_on_managed="database",
    caches_external=False,
    writes_name_table=False,
    looks_again=False,
    unfinished="one-flag",
    tags="patched",
    entries_by="name",
    looks_up="first",
    reloads_forgotten=False,
    rename="asks-new-name",
    batch=1_000_000,
    bad_event="skip",
    checks_gaps=False,
    prewarm="as-designed",
    timeout_abort_is_logged=False,
)
# Metastores without it (`metastore.rawstore.impl` is ObjectStore).
UNCACHED = replace(
    SHIPPED,
    caches=False,
    fills_on_miss=False,
    changes_ask_cache=False,
    asks_for_statistics=True,
    aggregates="by-list",
    loads_constraints=True,
    pulls_after_write=False,
    replay_writes_database=False,
    replay_reads_statistics=False,
    passes_expected_parameter=True,
)
