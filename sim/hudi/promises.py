"""Which properties Hudi promises, of which settings and in which world, and who says so.

Besides the options, settings hold what was drawn of the world, under the names below; a promise that is asked of
options alone takes the world to be kind.
"""

from __future__ import annotations

from model.hudi.keys import (
    ANY_COMMIT,
    AS_OF,
    BLOOM_DIRECT,
    CHECK_COMMIT,
    CLEAN_POLICY,
    EARLY,
    EARLY_STRATEGY,
    EVENT_TIME,
    FILE_SYSTEM,
    INCREMENTAL,
    LAZY,
    LOCK_PROVIDER,
    MARKERS,
    MERGE_MODE,
    METADATA,
    METASTORE,
    MODE,
    NON_BLOCKING,
    OCC,
    QUERY_TYPE,
    SERVER_MARKERS,
    STORAGE_BASED,
    USING_MARKERS,
)
from model.hudi.keys import TRANSACTIONAL_DIRECT as TRANSACTIONAL
from sim.generation.generator import Promise, Settings
from sim.hudi.build import EXPIRE, RETRIES

NEW_ROWS, BESIDE, ELSEWHERE = "new rows", "with the others", "in a partition of their own"
WRITERS, APART = "writers", "writers of different file groups"
GROUPED, SAVED, BACK, CLEANED = "clustering", "savepoints", "restores", "cleaners"
COUNTS, PASSED, SHARED = "slices are counted", "hours are counted", "clustering of others' plans"
STORAGE, CLOCKS, FAULTS, LEFTOVERS, DEAD, PASSES = "storage", "clocks", "faults", "leftovers", "dead writers", "passes"
NEWS, PAST, LATER_PAST = "consumers", "who reads what was", "who reads as of later commits"
VANISHED, UNWRITTEN = "vanished-marker", "unwritten-marker"
"""What is said of faults where a marker file vanishes, or is not written and nothing else happens."""
KIND: Settings = {
    WRITERS: "2", APART: "no", STORAGE: "atomic", CLOCKS: "in time", FAULTS: "", LEFTOVERS: "no", PASSES: "on time",
    NEWS: "yes", PAST: "yes", LATER_PAST: "yes",
}  # fmt: skip
"""The world as it is taken to be where nothing is said of it."""

POLLED = (FILE_SYSTEM, STORAGE_BASED, METASTORE)
DOCS = "Hudi docs, concurrency control"
RFC = "RFC-56"
FILE_SYSTEMS = f"{DOCS}: the file-system lock works for DFS with atomic create"


def _of(settings: Settings, key: str) -> str:
    return settings.get(key, KIND.get(key, "no"))


def controlled(settings: Settings) -> bool:
    """Whether there is anything to promise: one writer, or several that are kept apart as Hudi says they must be.

    A storage-based lock, or a metastore's, does not once its holder stands still, or is cut off, for longer than it
    lives.
    No lock file keeps writers apart on a storage whose create is not atomic, nor once it has expired while its holder
    stood still; no lock orders clocks that are further apart than the skew that is waited for, and no beat shows a
    clock that is further ahead than what may be missed that somebody is alive.
    """
    if _of(settings, WRITERS) == "1":
        return True
    if settings[MODE] not in (OCC, NON_BLOCKING) or _of(settings, CLOCKS) != "in time":
        return False
    if settings[LOCK_PROVIDER] in (STORAGE_BASED, METASTORE):
        return "pause" not in _of(settings, FAULTS) and "partition" not in _of(settings, FAULTS)
    by_file = settings[LOCK_PROVIDER] == FILE_SYSTEM
    expires = settings[EXPIRE] != "0" and "pause" in _of(settings, FAULTS)
    return not by_file or (_of(settings, STORAGE) == "atomic" and not expires)


def undisturbed(settings: Settings) -> bool:
    """Whether besides there are no faults."""
    return controlled(settings) and not _of(settings, FAULTS)


def _tidy(settings: Settings) -> bool:
    """Whether what is left behind is found: nothing happened but to a marker file.

    A file of markers that is not written is told of (#19368). Of one that has vanished, rollbacks that list files need
    none, and a server goes by what it remembers where a commit looks for what failed attempts have left; but who cleans
    just then may fail before it is done with a heartbeat. A cleaner takes nothing back where that is not his. Who is at
    work beside a restore leaves what it writes then, and a restore that takes back what a dead writer has begun leaves
    the heartbeat.
    """
    faults = _of(settings, FAULTS)
    by_listing = settings.get(USING_MARKERS) == "false" and _served(settings) and _of(settings, CLEANED) == "no"
    found = faults in ("", UNWRITTEN) or (faults == VANISHED and by_listing)
    own = _of(settings, BACK) == "no" or (_of(settings, WRITERS) == "1" and _of(settings, DEAD) == "no")
    return controlled(settings) and found and _of(settings, LEFTOVERS) == "no" and own and _lazy(settings)


def _lazy(settings: Settings) -> bool:
    return settings.get(CLEAN_POLICY, LAZY) == LAZY


def _patient(settings: Settings) -> bool:
    """Whether nobody need give up: locks are waited for, and nobody gives way to a dead writer, as for its
    markers, or to cluster, and nobody restores what another one has begun."""
    gives_way = settings[EARLY] == "true" or _of(settings, GROUPED) == "yes"
    haunted = gives_way and _of(settings, DEAD) == "yes"
    return undisturbed(settings) and settings[RETRIES] == "50" and not haunted and _of(settings, BACK) != "yes"


def _early(settings: Settings) -> bool:
    return controlled(settings) and settings[EARLY] == "true"


def _served(settings: Settings) -> bool:
    return settings[MARKERS] == SERVER_MARKERS


def _listed(settings: Settings) -> bool:
    return undisturbed(settings) and settings.get(METADATA) == "true"


def _locks(settings: Settings) -> bool:
    return settings[MODE] in (OCC, NON_BLOCKING)


def _by_commit(settings: Settings) -> bool:
    """Whether besides the last commit of a row counts, not the larger value."""
    return controlled(settings) and settings.get(MERGE_MODE) != EVENT_TIME


def _forward(settings: Settings) -> bool:
    """Whether besides nobody takes commits back that have been seen."""
    return _by_commit(settings) and _of(settings, BACK) == "no"


def _told(settings: Settings) -> bool:
    """Whether besides somebody reads incrementally."""
    return controlled(settings) and settings.get(QUERY_TYPE) == INCREMENTAL and _of(settings, NEWS) == "yes"


WITH_CONTROL = (
    "one writer, or optimistic control with a lock that excludes and clocks within the skew and what beats may miss"
)
BY_COMMIT = f"{WITH_CONTROL}; rows in the order of commits"
QUERIES, CONSUMERS = "Hudi docs, incremental queries", f"{WITH_CONTROL}; somebody reads incrementally"
LISTED_BY = "no faults, and a metadata table"
FORWARD = f"{BY_COMMIT}; nobody restores"
PROMISES = (
    Promise("readable", "Hudi technical specification"),
    Promise("table-invariants", "Hudi technical specification, timeline", controlled, WITH_CONTROL),
    Promise("no-aborted-reads", "Hudi technical specification, timeline", controlled, WITH_CONTROL),
    Promise("acknowledged-writes-survive", DOCS, _by_commit, BY_COMMIT),
    Promise("monotonic-reads", f"{DOCS}: snapshot isolation of readers", _forward, FORWARD),
    Promise("read-your-writes", f"{DOCS}: snapshot isolation of readers", _forward, FORWARD),
    Promise("no-lost-update", f"{DOCS}: writers of one file group conflict", _by_commit, BY_COMMIT),
    Promise(
        "snapshot-isolation", f"{DOCS}: snapshot isolation between writers",
        lambda s: _by_commit(s) and s[MODE] != NON_BLOCKING, f"{BY_COMMIT}; writers that are compared",
    ),
    Promise(
        "events-in-order", "Hudi docs, record mergers: the record with the larger event time",
        lambda s: controlled(s) and s.get(MERGE_MODE) == EVENT_TIME, f"{WITH_CONTROL}; rows in the order of events",
    ),
    Promise(
        "one-lock-holder", "LockProvider",
        lambda s: _locks(s) and controlled(s), f"a lock is needed; {WITH_CONTROL}",
    ),
    Promise(
        "somebody-finishes", f"{RFC}: not failing together", _patient,
        "no faults, nobody restores, and the lock is waited for",
    ),
    Promise("sound-early-aborts", f"{RFC}: a conflict is detected", _early, "early detection"),
    Promise("tries-do-not-stop-each-other", f"{RFC}: the write is retried", _early, "early detection"),
    Promise(
        "marker-checks-exclusive", f"{RFC}: only one writer can check and create",
        lambda s: _early(s) and s[EARLY_STRATEGY] == TRANSACTIONAL, "early detection with transactions",
    ),
    Promise(
        "visible-conflicts-found-early", f"{RFC}: check commit conflict",
        lambda s: _early(s) and s[CHECK_COMMIT] == "true" and not _served(s),
        "early detection with direct markers and check of commits",
    ),
    Promise(
        "made-markers-noticed", f"{RFC}: conflict checking before the writers creating markers",
        lambda s: s[EARLY] == "true" and s[EARLY_STRATEGY] == BLOOM_DIRECT and undisturbed(s),
        "early detection with Bloom files of direct markers, and no faults",
    ),
    Promise(
        "prompt-early-aborts", f"{RFC}: conflicts are asynchronously and periodically checked",
        lambda s: _served(s) and s[EARLY] == "true" and undisturbed(s) and _of(s, PASSES) == "on time",
        "early detection with the timeline server's markers, no faults, and passes are on time",
    ),
    Promise("rollback-is-final", "Hudi technical specification, rollback", controlled, WITH_CONTROL),
    Promise(
        "clean-at-quiescence", "BaseHoodieTableServiceClient.rollbackFailedWrites",
        _tidy,
        "no faults, or a server's file of markers is not written, or vanishes where rollbacks list files and nobody "
        "cleans meanwhile; nothing was left before, and nobody restores, or the only writer there ever was; failed "
        "writes are cleaned lazily",
    ),
    Promise(
        "savepoint-kept", "BaseHoodieWriteClient.savepoint: will never be cleaned",
        lambda s: undisturbed(s) and _of(s, SAVED) == "yes", "no faults, and somebody makes a savepoint",
    ),
    Promise(
        "committed-files-listed", "Hudi docs, metadata table: the listing of files", _listed, LISTED_BY,
    ),
    Promise(
        "listed-files-exist", "Hudi docs, metadata table: the listing of files", _listed, LISTED_BY,
    ),
    Promise(
        "all-writes-commit", f"{DOCS}: writers of different file groups both succeed",
        lambda s: _patient(s) and _of(s, APART) == "yes" and s[LOCK_PROVIDER] not in POLLED and _of(s, BACK) == "no",
        "no faults, each file group has one writer, nobody restores, and who waits for the lock is not outlasted: "
        "files and objects are polled",
    ),
    Promise("news-are-committed", QUERIES, _told, CONSUMERS),
    Promise(
        "no-news-missed", QUERIES,
        lambda s: _told(s) and _by_commit(s), f"{CONSUMERS}; rows in the order of commits",
    ),
    Promise("news-told-once", QUERIES, _told, CONSUMERS),
    Promise(
        "first-stays", "Hudi docs, time travel queries",
        lambda s: controlled(s) and s.get(QUERY_TYPE) == INCREMENTAL and _of(s, PAST) == "yes",
        f"{WITH_CONTROL}; somebody reads as of an instant",
    ),
    Promise(
        "instants-stay", "Hudi docs, time travel queries",
        lambda s: controlled(s) and s.get(AS_OF) == ANY_COMMIT and _of(s, LATER_PAST) == "yes",
        f"{WITH_CONTROL}; somebody reads as of commits of the race",
    ),
)  # fmt: skip
