"""What was planted in Hudi, as rows of `tests.search.planted`: the configurations and the property of each."""

from collections.abc import Iterator
from dataclasses import replace

from sim.hudi.bounds import name_of
from sim.hudi.generate import GENERATOR
from sim.search.run import Run
from tests.mutants.hudi import BEATS_ONCE, CLOSES_ONCE, MUTANTS
from tests.mutants.hudi_archiving import ARCHIVING_MUTANTS
from tests.mutants.hudi_bloom import BLOOM_MUTANTS
from tests.mutants.hudi_cleaning import CLEANING_MUTANTS
from tests.mutants.hudi_clustering import CLUSTERING_LOGS_MUTANTS, CLUSTERING_MUTANTS, EXECUTORS_MUTANTS
from tests.mutants.hudi_eager import EAGER_MUTANTS
from tests.mutants.hudi_log_compaction import LOG_COMPACTION_MUTANTS
from tests.mutants.hudi_merge_on_read import MERGE_ON_READ_MUTANTS
from tests.mutants.hudi_metadata import METADATA_MUTANTS
from tests.mutants.hudi_metastore_lock import METASTORE_LOCK_MUTANTS, NEVER_BEATS
from tests.mutants.hudi_news import NEWS_MUTANTS
from tests.mutants.hudi_non_blocking import NON_BLOCKING_MUTANTS
from tests.mutants.hudi_restores import RESTORE_MUTANTS
from tests.mutants.hudi_savepoints import SAVEPOINT_MUTANTS
from tests.mutants.hudi_schemas import SCHEMA_MUTANTS
from tests.mutants.hudi_server import SERVER
from tests.mutants.hudi_storage_lock import NEVER_RENEWED, STORAGE_LOCK_MUTANTS
from tests.mutants.hudi_vectors import OF_VECTORS
from tests.search.hudi.asked import (
    ARCHIVING,
    ASYNC,
    BLOOM,
    BLOOM_ASYNC,
    EARLY,
    LOGS,
    MERGED,
    METADATA_ARCHIVING,
    METADATA_COMPACTED,
    NEWS,
    OLD_NEWS,
    SERVERS,
    SEVERAL,
    history,
)
from tests.search.hudi.planted_findings import FINDINGS, REPAIRED, REPAIRS
from tests.search.planted import Planted, any_failure, explained_by

WHERE: dict[str, tuple[str, ...]] = {
    **{mutant.name: ASYNC if "checker" in mutant.name or "flag" in mutant.name else SERVERS for mutant in SERVER},
    **{mutant.name: BLOOM_ASYNC if "server" in mutant.name else BLOOM for mutant in BLOOM_MUTANTS},
    "bloom-file-decides-alone": ("early-bloom-crowded",),
    "forgets-who-was-pending": ("default", "zookeeper"),
    "requested-after-unlock": ("default", "zookeeper"),
    "commits-when-expired": ("default", "short-heartbeats"),
    "completes-without-inflight": ("default", "short-heartbeats"),
    "own-rollback-ignored": ("default", "short-heartbeats"),
    "prefers-older-writers": ("prefer-writer",),
    "loser-keeps-heartbeat": EARLY,
    "looks-at-larger-instants": EARLY,
    "dead-markers-count": EARLY,
    "early-loser-looks-alive": EARLY,
    "marker-after-unlock": ("early-transactional",),
    "file-id-by-substring": EARLY,
    "closes-what-others-hold": ("file-lock",),
    "lock-file-overwritten": ("file-lock",),
    "compares-up-to-underscore": ASYNC,
    "server-markers-up-to-underscore": SERVERS,
    **dict.fromkeys([mutant.name for mutant in (*STORAGE_LOCK_MUTANTS, NEVER_RENEWED)], ("storage-lock",)),
    **dict.fromkeys([mutant.name for mutant in (*METASTORE_LOCK_MUTANTS, NEVER_BEATS)], ("metastore-lock",)),
    **dict.fromkeys(
        [each.name for each in (*CLUSTERING_MUTANTS, *CLEANING_MUTANTS, *SAVEPOINT_MUTANTS, *RESTORE_MUTANTS)],
        ("prefer-writer",),
    ),
    **dict.fromkeys([each.name for each in RESTORE_MUTANTS if "compact" in each.name or "logs" in each.name], MERGED),
    **dict.fromkeys([each.name for each in EXECUTORS_MUTANTS], ("clustering",)),
    **dict.fromkeys(["plans-what-is-planned", "plan-is-no-candidate"], ("default",)),
    **dict.fromkeys([mutant.name for mutant in ARCHIVING_MUTANTS], ARCHIVING),
    **dict.fromkeys(
        [
            "archives-late-commits",
            "archives-what-was-replaced",
            "archives-by-older-timeline",
            "saves-what-is-being-archived",
        ],
        ARCHIVING[:1],
    ),
    "archives-uncompacted": METADATA_ARCHIVING,
    **dict.fromkeys([mutant.name for mutant in (*MERGE_ON_READ_MUTANTS, *CLUSTERING_LOGS_MUTANTS)], MERGED),
    **dict.fromkeys([mutant.name for mutant in LOG_COMPACTION_MUTANTS], LOGS),
    **dict.fromkeys([mutant.name for mutant in NON_BLOCKING_MUTANTS], ("non-blocking",)),
    **dict.fromkeys(
        ["begins-bucket-of-its-own", "events-merged-by-commit", "plan-begins-no-slice"], ("non-blocking-events",)
    ),
    **dict.fromkeys([mutant.name for mutant in METADATA_MUTANTS], ("metadata",)),
    **dict.fromkeys([each.name for each in METADATA_MUTANTS if "compact" in each.name], METADATA_COMPACTED),
    "restored-listing-not-compared": METADATA_COMPACTED,
    "cleans-where-groups-went": METADATA_COMPACTED[:1],
    "metadata-cleans-all": ("metadata-cleaned",),
    "hides-older-slices-alone": MERGED,
    "no-wait-for-skew": ("zookeeper", "prefer-writer-zookeeper"),
    **dict.fromkeys(["cleans-last-version", "cleans-newest-versions"], ("file-versions",)),
    "hours-are-seconds": ("hours",),
    "markers-need-their-type": ("server-markers",),
    **dict.fromkeys(["rollback-never-lists", "server-reconciles-by-files"], ("server-markers-listed",)),
    "closes-once": ("file-lock",),
    "deletes-lock-on-release": ("file-lock-expiring",),
    **dict.fromkeys(["finds-no-executor", "one-log-for-all"], ("metadata",)),
    "hides-based-groups-alone": ("non-blocking",),
    "no-write-tried-again": ("tried-again",),
    **dict.fromkeys([mutant.name for mutant in NEWS_MUTANTS], NEWS),
    "news-past-holes": OLD_NEWS,
    **dict.fromkeys(["archived-news-missed", "archived-past-missing"], ("incremental-archiving",)),
    "travels-by-completion": ("incremental-as-of",),
    "travels-behind-cleans": ("incremental-archiving",),
    "updates-read-base-files": ("merge-on-read-tried-again",),
    "base-files-keep-deleted": ("deletes",),
    "log-files-delete-nothing": ("deletes-logs",),
    "compacted-logs-delete-nothing": ("deletes-log-compaction",),
    "hidden-groups-passed-by": ("deletes",),
    "new-rows-begin-buckets": ("bucket-index",),
    "log-files-begin-buckets": ("bucket-index-logs",),
    "buckets-not-compared": ("bucket-index-prefer-writer",),
    "keys-to-the-first-bucket": ("two-buckets",),
    **dict.fromkeys([mutant.name for mutant in SCHEMA_MUTANTS], ("columns",)),
    "compacts-without-columns": ("columns-logs",),
    **dict.fromkeys([mutant.name for mutant in EAGER_MUTANTS], ("single-writer-eager",)),
}
"""The configurations that a mutant is looked for in, where it needs one."""
ASKED = {
    "completes-without-inflight": "rollback-is-final",
    "checker-ends-after-failure": "prompt-early-aborts",
    "checker-comes-by-once": "prompt-early-aborts",
    "checker-finds-no-markers": "prompt-early-aborts",
    "checker-finds-no-commits": "prompt-early-aborts",
    "flag-is-not-looked-at": "prompt-early-aborts",
    "compares-up-to-underscore": "sound-early-aborts",
    **dict.fromkeys([mutant.name for mutant in (*STORAGE_LOCK_MUTANTS, NEVER_RENEWED)], "one-lock-holder"),
    **dict.fromkeys([mutant.name for mutant in (*METASTORE_LOCK_MUTANTS, NEVER_BEATS)], "one-lock-holder"),
    **dict.fromkeys([mutant.name for mutant in SAVEPOINT_MUTANTS], "savepoint-kept"),
    "saves-what-is-being-archived": "savepoint-kept",
    "executors-do-not-look": "table-invariants",
    "archives-late-commits": "no-lost-update",
    **dict.fromkeys(["archives-what-was-replaced", "cleans-partition-in-use"], "acknowledged-writes-survive"),
    **dict.fromkeys(["begins-bucket-of-its-own", "events-merged-by-commit"], "events-in-order"),
    "news-by-request": "no-news-missed",
    "news-past-holes": "no-news-missed",
    "news-of-whole-files": "news-told-once",
    "travels-behind-cleans": "first-stays",
    "travels-by-completion": "instants-stay",
    **dict.fromkeys([mutant.name for mutant in SCHEMA_MUTANTS], "table-invariants"),
    "non-blocking-compares": "all-writes-commit",
    **dict.fromkeys(
        ["failure-to-close-swallowed", "rollback-never-lists", "server-reconciles-by-files"], "clean-at-quiescence"
    ),
}
"""The property that a mutant is asked, where all that are promised would show a known finding first, or where few
scenarios promise it."""
COMPARED = (
    "archives-by-older-timeline", "archives-uncompacted", "archives-what-was-replaced", "cleans-partition-in-use",
    "hides-older-slices-alone", "hides-based-groups-alone",
    "hours-are-seconds", "restore-leaves-compactions", "restore-leaves-listing", "restored-listing-not-compared",
    "takes-clustering-as-it-is", "travels-behind-cleans", "clusters-without-columns", "compacts-without-columns",
)  # fmt: skip
"""Mutants that fail as a known finding does: what their scenarios show without them decides alone."""
MISSING = {
    "cleans-where-groups-went": "a reader of what a metadata table lists again: nobody else is told what is left",
    "late-beat-is-life": "more luck: a pause of the writer, and one of its cleaner at one call, until the writer beats",
    "metastore-lock-not-kept": "more time: nobody holds the lock for the five minutes in which it times out",
    "closes-once": "a failure: it is a repair",
    "no-write-tried-again": "a promise of how often a write is tried: to be refused loses nothing",
    "rolled-back-commit-stays": "a promise of its own: G-6, which is known, breaks the same ones first",
    "deletes-lock-on-release": "a promise of its own: G-8, which is known, breaks the same one first",
    **dict.fromkeys(
        ["finds-no-executor", "one-log-for-all"],
        "a promise of its own: hudi/metadata-executors, which is known, breaks the same ones first",
    ),
    **dict.fromkeys(
        ["rollback-leaves-listing", "compacts-what-is-pending"], "a promise of what is listed where somebody dies"
    ),
    **dict.fromkeys(
        ["compaction-heartbeat-stays", "compaction-markers-stay", "log-compaction-markers-stay"],
        "a promise that nothing is left where somebody compacts: a plan may stay",
    ),
    **dict.fromkeys(
        [mutant.name for mutant in EAGER_MUTANTS], "a promise that nothing is left where a cleaner takes nothing back"
    ),
}
"""What there would have to be for the others to be found."""


def planted() -> Iterator[Planted]:
    """Every mutant, then every known finding, then what issues tell of."""
    for mutant in (*MUTANTS, BEATS_ONCE, CLOSES_ONCE, NEVER_RENEWED, NEVER_BEATS, *OF_VECTORS):
        where, missing = WHERE.get(mutant.name, SEVERAL), MISSING.get(mutant.name, "")
        broken = ASKED.get(mutant.name, "")
        one = Planted(mutant.name, GENERATOR, where, name_of(mutant.base), mutant, broken, is_news, missing)
        yield replace(one, shows=any_failure) if mutant.name in COMPARED else one
    for name, (broken, where, rules) in FINDINGS.items():
        repaired, repair = REPAIRED.get(name), REPAIRS.get(name)
        shows = explained_by(GENERATOR, f"hudi/{name}", name_of(rules), alone=repaired is None)
        one = Planted(f"hudi/{name}", GENERATOR, where, name_of(rules), None, broken, shows, repaired=repaired)
        yield replace(one, repair=repair)
    yield from history()


def is_news(run: Run) -> bool:
    """Whether no known finding explains a run."""
    return not GENERATOR.known_of(run)
