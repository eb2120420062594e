"""How a mutant of Hudi dies, and how those of the metadata table, of damaged markers, and of log files that are
replaced, restored or clustered do; see `tests.search.hudi.test_mutants`."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from model.hudi.keys import LOG_COMPACT_AFTER
from model.hudi.rules import SHIPPED
from model.hudi.variants import CLUSTERINGS_BEAT, REPLACED_COMPARED, RESTORE_FENCED
from sim.hudi.build import ONE_GROUP, OPTIMISTIC, PREFERRING, SHIPPED_BEATS, TWO_GROUPS, WRITES, Writers
from sim.hudi.built_in.archived_reads import NEWS_ARCHIVED
from sim.hudi.built_in.archiving import SMALLEST
from sim.hudi.built_in.bucket_logs import LOGGED
from sim.hudi.built_in.buckets import BEGUN, NEW_KEY
from sim.hudi.built_in.buckets import PREFERRING as PREFERRING_BUCKETS
from sim.hudi.built_in.cleaning import ONE_RETAINED
from sim.hudi.built_in.clustering_logs import COMPACTED as CLUSTERED_BESIDE
from sim.hudi.built_in.damaged_markers import GONE, LISTED, SERVED, TRIED_AGAIN, UNTYPED
from sim.hudi.built_in.deletes import CLUSTERED as DELETE_CLUSTERED
from sim.hudi.built_in.eager import DIED, EAGERLY
from sim.hudi.built_in.eager import ONE as ONE_WRITER
from sim.hudi.built_in.evolving import ADDS, LOOKS
from sim.hudi.built_in.log_compactions import LOGS as LOG_OPTIONS
from sim.hudi.built_in.merge_on_read import CHANGED, MERGED
from sim.hudi.built_in.metadata_compactions import EVERY_FOURTH, REFILLED, REFILLING
from sim.hudi.built_in.metadata_restores import AFTER_TWO, ANEW, ONE_SLICE, updates
from sim.hudi.built_in.metadata_tables import DIES, EACH, LISTED_BY
from sim.hudi.built_in.news import LATE, REWRITTEN, TABLE_APART, THREE_ROWS, VERSION_6
from sim.hudi.built_in.non_blocking import NON_BLOCKING
from sim.hudi.built_in.replacing_logs import COMPACTED
from sim.hudi.built_in.restored_logs import ALONE as RESTORED_ALONE
from sim.hudi.built_in.restored_logs import MERGING as RESTORED_MERGING
from sim.hudi.built_in.rollbacks import ZOMBIE
from sim.hudi.built_in.several_buckets import ODD_AND_EVEN, THERE, two
from sim.hudi.built_in.time_travel import CLEANED as TRAVELLED
from sim.hudi.built_in.time_travel import LATER as LATER_TRAVELLED
from sim.hudi.built_in.updates import LOGGED as UPDATED_LOGS
from sim.hudi.built_in.updates import RETRIED, UPDATE
from sim.hudi.statements import (
    Archive,
    Clean,
    Cluster,
    Compact,
    Delete,
    DeletePartition,
    Read,
    ReadFirst,
    Restore,
    Savepoint,
    Update,
    Upsert,
)
from sim.world.scenario import FaultSpace

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Kill(NamedTuple):
    """How a mutant dies: actors and statements, the property, and how the table or the world differs."""

    mutant: str
    broken: str
    writers: Writers
    world: Mapping[str, Any] = NOTHING


TIDY = "clean-at-quiescence"
UPSERTED: Writers = {"w1": [Upsert(((1, "A"),))]}
BY_METADATA = {"options": (*OPTIMISTIC, LISTED_BY)}
LOGS = {"rules": REPLACED_COMPARED, "options": (*PREFERRING, *MERGED)}
FENCED = {**LOGS, "rules": RESTORE_FENCED, "yield_points": ("create", "try_lock")}
CLUSTERED = {"rules": SHIPPED, "options": (*PREFERRING, *MERGED)}
BEATING = {"options": (*OPTIMISTIC, *SHIPPED_BEATS, LISTED_BY)}
COMPACTED_EACH = {"options": (*OPTIMISTIC, LISTED_BY, EACH)}
COMPACTED_BEATING = {"options": (*OPTIMISTIC, *SHIPPED_BEATS, LISTED_BY, EACH)}
LISTED_AGAIN: Writers = {
    "w1": [*REFILLED[:-2], *[Upsert(((key, "E"),)) for key in (5, 2)], Upsert(((2, "F"),)), Clean(), Archive()]
}
"""An update of the partition that is filled again has the clean look into it."""
METADATA_KILLS = (
    Kill("lists-no-upserts", "committed-files-listed", UPSERTED, BY_METADATA),
    Kill(
        "lists-after-commit",
        "snapshot-isolation",
        {**UPSERTED, "r": [Read()]},
        {**BY_METADATA, "yield_points": ("create", "list")},
    ),
    Kill(
        "rollback-leaves-listing",
        "listed-files-exist",
        ZOMBIE,
        {**BEATING, "faults": DIES, "yield_points": ("create", "delete", "rename", "try_lock", "sleep")},
    ),
    Kill(
        "compacts-records-alone",
        "committed-files-listed",
        {"w1": [Upsert(((1, "A"),)), Upsert(((1, "B"),)), Upsert(((1, "C"),))]},
        COMPACTED_EACH,
    ),
    Kill(
        "compaction-hides-late-records",
        "committed-files-listed",
        {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),))]},
        {**COMPACTED_EACH, "groups": TWO_GROUPS, "yield_points": ("create", "try_lock")},
    ),
    Kill(
        "cleans-where-groups-went",
        "readable",
        LISTED_AGAIN,
        {
            "rules": SHIPPED,
            "options": REFILLING,
            "groups": TWO_GROUPS,
            "partitions": ("p1", "p2"),
            "yield_points": ("create",),
        },
    ),
    Kill(
        "compacts-what-is-pending",
        "listed-files-exist",
        {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),)), Clean(3000)]},
        {**COMPACTED_BEATING, "groups": TWO_GROUPS, "faults": DIES, "yield_points": ("create", "try_lock", "sleep")},
    ),
)
RESTORED_LISTED: Writers = {"w1": [Savepoint(), Upsert(((1, "A"),)), Restore()]}
METADATA_RESTORES_KILLS = (
    Kill("restore-leaves-listing", "listed-files-exist", RESTORED_LISTED, BY_METADATA),
    Kill(
        "restored-listing-not-compared",
        "listed-files-exist",
        {"w1": ANEW[:-1]},
        {"options": (*PREFERRING, LISTED_BY, AFTER_TWO)},
    ),
    Kill(
        "metadata-cleans-all",
        "readable",
        {"w1": updates(6)},
        {"options": (*PREFERRING, LISTED_BY, EVERY_FOURTH, *ONE_SLICE), "yield_points": ("create",)},
    ),
)
OF_LOGS = Compact(logs=True)
COMPACTING_LOGS = {"rules": SHIPPED, "options": (*PREFERRING, *LOG_OPTIONS), "yield_points": WRITES}
LOG_COMPACTION_KILLS = (
    Kill(
        "compacted-block-last",
        "acknowledged-writes-survive",
        {"w1": [Upsert(((1, "B"),)), Upsert(((1, "A"),))], "c1": [OF_LOGS]},
        {**COMPACTING_LOGS, "history": CHANGED},
    ),
    Kill(
        "compacted-block-alone",
        "acknowledged-writes-survive",
        {"w1": [Upsert(((1, "B"),)), OF_LOGS, Upsert(((1, "A"),))]},
        COMPACTING_LOGS,
    ),
    Kill(
        "compacts-logs-backwards",
        "acknowledged-writes-survive",
        {"w1": [Upsert(((1, "B"),)), Upsert(((1, "A"),)), OF_LOGS]},
        COMPACTING_LOGS,
    ),
    Kill("log-compaction-markers-stay", TIDY, {"w1": [Upsert(((1, "A"),)), OF_LOGS]}, COMPACTING_LOGS),
)
RESTORED_LOGS_KILLS = (
    Kill("restore-leaves-logs", TIDY, RESTORED_ALONE, {**LOGS, "rules": SHIPPED}),
    Kill("restore-leaves-compactions", "acknowledged-writes-survive", RESTORED_ALONE, {**LOGS, "rules": SHIPPED}),
    Kill("compaction-planned-beside-restore", "acknowledged-writes-survive", RESTORED_MERGING, FENCED),
    Kill("compaction-committed-beside-restore", "acknowledged-writes-survive", RESTORED_MERGING, FENCED),
)
REPLACING_LOGS_KILLS = (
    Kill(
        "hides-based-groups-alone", "acknowledged-writes-survive",
        {"w1": [Upsert(((5, "A"),)), DeletePartition("p2")]},
        {"options": NON_BLOCKING, "elsewhere": ((5, "p2"),), "yield_points": WRITES},
    ),
    Kill("hides-older-slices-alone", "acknowledged-writes-survive", COMPACTED, {**LOGS, "yield_points": WRITES}),
)  # fmt: skip
CLUSTERING_LOGS_KILLS = (
    Kill("clusters-without-logs", "acknowledged-writes-survive", {"w1": [*UPSERTED["w1"], Cluster()]}, CLUSTERED),
    Kill("clusters-what-is-compacted", "acknowledged-writes-survive", CLUSTERED_BESIDE, CLUSTERED),
    Kill("compacts-what-is-clustered", "acknowledged-writes-survive", CLUSTERED_BESIDE, CLUSTERED),
)
STRUCK = ("create", "close", "delete")
"""The steps at which something of markers changes."""
LOGS_KILLS = (*REPLACING_LOGS_KILLS, *RESTORED_LOGS_KILLS, *CLUSTERING_LOGS_KILLS, *LOG_COMPACTION_KILLS)
DAMAGE_KILLS = (
    Kill("markers-need-their-type", TIDY, UNTYPED, {"options": SERVED, "yield_points": STRUCK}),
    Kill("rollback-never-lists", TIDY, GONE, {"options": (*PREFERRING, LISTED), "yield_points": STRUCK}),
    Kill("server-reconciles-by-files", TIDY, TRIED_AGAIN, {"options": SERVED, "yield_points": STRUCK}),
)
DYING = FaultSpace({"try_lock": ("crash",)}, limit=1, actors=("c1",), words="the first executor dies")
EXECUTORS_KILLS = (
    Kill(
        "takes-clustering-as-it-is",
        "acknowledged-writes-survive",
        {"c1": [Cluster()], "c2": [Clean(200_000), Cluster(pending=True)]},
        {"rules": CLUSTERINGS_BEAT, "faults": DYING, "yield_points": WRITES},
    ),
)
READING = {**TABLE_APART, "rules": SHIPPED, "yield_points": ("list",)}
KEEPING_ONE = (*PREFERRING, *SMALLEST)
PAST_ARCHIVED = {**NEWS_ARCHIVED, "c1": [ReadFirst()]}
NEWS_KILLS = (
    Kill("news-by-request", "no-news-missed", LATE, READING),
    Kill("news-past-holes", "no-news-missed", LATE, {**READING, "options": (*OPTIMISTIC, VERSION_6)}),
    Kill("travels-by-completion", "instants-stay", LATER_TRAVELLED, READING),
    Kill("travels-behind-cleans", "first-stays", TRAVELLED, {**READING, "options": (*OPTIMISTIC, ONE_RETAINED)}),
    Kill("news-of-whole-files", "news-told-once", REWRITTEN, {**READING, "groups": THREE_ROWS}),
    Kill("archived-news-missed", "no-news-missed", NEWS_ARCHIVED, {**READING, "options": KEEPING_ONE}),
    Kill("archived-past-missing", "first-stays", PAST_ARCHIVED, {**READING, "options": KEEPING_ONE}),
)
UPDATE_KILLS = (
    Kill("no-write-tried-again", "all-writes-commit", ONE_GROUP, {"options": RETRIED, "yield_points": WRITES}),
    Kill("updates-read-first", "no-lost-update", UPDATE, {"options": PREFERRING, "yield_points": WRITES}),
    Kill(
        "updates-read-base-files",
        "no-lost-update",
        {"w1": [Upsert(((1, "B"),)), Update(((1, "A"),))]},
        {"options": UPDATED_LOGS, "yield_points": WRITES},
    ),
)
DELETED_LOGS = {"options": UPDATED_LOGS, "yield_points": WRITES}
DELETE_KILLS = (
    Kill(
        "base-files-keep-deleted", "acknowledged-writes-survive", {"w1": [Delete((1,))]},
        {"options": PREFERRING, "yield_points": WRITES},
    ),
    Kill("log-files-delete-nothing", "acknowledged-writes-survive", {"w1": [Delete((1,))]}, DELETED_LOGS),
    Kill(
        "compacted-logs-delete-nothing", "acknowledged-writes-survive",
        {"w1": [Upsert(((2, "B"),)), Delete((1,)), Compact(logs=True)]},
        {"options": (*UPDATED_LOGS, (LOG_COMPACT_AFTER, "2")), "yield_points": WRITES},
    ),
    Kill(
        "hidden-groups-passed-by", "acknowledged-writes-survive", DELETE_CLUSTERED,
        {"options": PREFERRING, "yield_points": LOOKS},
    ),
)  # fmt: skip
BUCKETS = {"options": PREFERRING_BUCKETS, "yield_points": WRITES}
BUCKET_KILLS = (
    Kill("new-rows-begin-buckets", "acknowledged-writes-survive", NEW_KEY, BUCKETS),
    Kill(
        "log-files-begin-buckets", "acknowledged-writes-survive", NEW_KEY,
        {"options": LOGGED, "yield_points": WRITES, **BEGUN},
    ),
    Kill("buckets-not-compared", "acknowledged-writes-survive", NEW_KEY, {**BUCKETS, **BEGUN}),
    Kill(
        "keys-to-the-first-bucket", "acknowledged-writes-survive", ODD_AND_EVEN,
        {"options": two(PREFERRING_BUCKETS), "yield_points": WRITES, **THERE},
    ),
)  # fmt: skip
EVOLVED = {"options": PREFERRING, "groups": TWO_GROUPS, "yield_points": LOOKS}
SCHEMA_KILLS = (
    Kill("columns-not-compared", "table-invariants", ADDS, EVOLVED),
    Kill("writes-without-columns", "table-invariants", ADDS, {**EVOLVED, "yield_points": WRITES}),
    Kill("clusters-without-columns", "table-invariants", {"w1": [*ADDS["w1"], Cluster()]}, {"options": PREFERRING}),
    Kill("compacts-without-columns", "table-invariants", {"w1": [*ADDS["w1"], Compact()]}, {"options": UPDATED_LOGS}),
)
EAGER_KILLS = (
    Kill("begins-beside-the-dead", TIDY, ONE_WRITER, {"rules": SHIPPED, "options": EAGERLY, "history": DIED}),
    Kill("beats-for-nobody", TIDY, ONE_WRITER, {"rules": SHIPPED, "options": EAGERLY}),
)
OTHER_KILLS = (
    *NEWS_KILLS, *UPDATE_KILLS, *DELETE_KILLS, *BUCKET_KILLS, *SCHEMA_KILLS, *EAGER_KILLS, *EXECUTORS_KILLS,
    *METADATA_KILLS, *METADATA_RESTORES_KILLS, *DAMAGE_KILLS, *LOGS_KILLS,
)  # fmt: skip
