"""Findings about Hudi that are known, as failures of generated scenarios meet them.

Most are what a built-in scenario is about, but generated ones ask more properties of longer races: so one finding has a
row for each way in which it shows first. Each says under which options it can happen, and which rules have it:
elsewhere the same failure would be news.
"""

from __future__ import annotations

from model.hudi.keys import (
    BLOOM_DIRECT,
    BUCKET_CONFLICTS,
    CHECK_COMMIT,
    CONFLICTS,
    EARLY_STRATEGY,
    MARKERS,
    MODE,
    NON_BLOCKING,
    SERVER_MARKERS,
    SIMPLE_CONFLICTS,
    TABLE_VERSION,
    TRANSACTIONAL_DIRECT,
)
from sim.generation.causes import Known
from sim.hudi.known_archived import OF_ARCHIVED_RESTORES
from sim.hudi.known_buckets import OF_BUCKETS
from sim.hudi.known_consumers import OF_CONSUMERS
from sim.hudi.known_locks import OF_LOCKS
from sim.hudi.known_metadata import OF_METADATA
from sim.hudi.known_outlived import OF_OUTLIVED
from sim.hudi.known_readers import OF_READERS
from sim.hudi.known_rows import (
    BLOOMS,
    COMPACTING,
    COMPACTING_LOGS,
    DELETING,
    INVARIANTS,
    LOST,
    LOST_UPDATE,
    NEW_IDS,
    NEWER_BASES,
    NONE,
    OVERWRITING,
    OWN,
    SEVERAL,
    SURVIVE,
    rows,
    without,
)
from sim.hudi.known_schemas import OF_SCHEMAS
from sim.hudi.known_services import OF_SERVICES
from sim.hudi.known_updates import OF_UPDATES
from sim.hudi.promises import ELSEWHERE, NEW_ROWS

DEAD_MARKER = {"sound-early-aborts": ("aborted-by-dead-instant",)}
FINISHED_MARKER = {"sound-early-aborts": ("aborted-by-finished-instant",)}
BY_SERVER = (MARKERS, (SERVER_MARKERS,))
UNBLOCKED = (MODE, (NON_BLOCKING,))
BY_BLOOM = (EARLY_STRATEGY, (BLOOM_DIRECT,))
HIDDEN = {SURVIVE: ("lost-row",), OWN: ("missed-own-write",)}
PROMPT = "prompt-early-aborts"
UNNOTICED = {"made-markers-noticed": ("unnoticed-marker",)}
AS_DOCUMENT = ("as-document", "as-document-all-instants", *BLOOMS)
"""The rules that RFC-56 has: its own, and readings of what it is silent about."""
KNOWN: tuple[Known, ...] = (
    *rows(
        "nbcc-delete-partition",
        HIDDEN,
        UNBLOCKED,
        rules=without("buckets-begun-anew", "fixed"),
        needs=(DELETING,),
    ),
    *rows("nbcc-delete-beside", {**HIDDEN, SURVIVE: ("lost-row", "resurrected-row")}, UNBLOCKED, needs=(DELETING,)),
    *OF_SERVICES,
    *OF_READERS,
    *OF_METADATA,
    *OF_ARCHIVED_RESTORES,
    *rows(
        "nbcc-new-group",
        {
            SURVIVE: ("lost-row",),
            OWN: ("missed-own-write",),
            "monotonic-reads": ("vanished-row",),
            "events-in-order": ("older-event-read",),
        },
        UNBLOCKED,
        (NEW_ROWS, (ELSEWHERE,)),
        rules=without("pending-log-skipped", "fixed"),
    ),
    *rows("nbcc-older-instant", {SURVIVE: ("lost-write",), OWN: ("missed-own-write",)}, UNBLOCKED),
    *rows(
        "older-instant",
        {SURVIVE: ("lost-write",), OWN: ("missed-own-write",), LOST_UPDATE: ("lost-update",)},
        (CONFLICTS, (SIMPLE_CONFLICTS, BUCKET_CONFLICTS)),
        rules=("shipped", "as-document", *BLOOMS, "1.0"),
    ),
    *rows(  # an older one that looks, and commits, last takes out what a newer one has written; version 6 has it first
        "older-instant",
        {SURVIVE: ("lost-row",)},
        (TABLE_VERSION, ("6",)),
        needs=((*OVERWRITING, *DELETING),),
    ),
    *rows(  # or reads what a newer one has made anew, and is older all the same
        "older-instant",
        {"snapshot-isolation": ("G1c",)},
        (TABLE_VERSION, ("6",)),
        rules=NEWER_BASES,
        needs=((*OVERWRITING, *DELETING),),
    ),
    *rows(
        "same-new-key",
        {SURVIVE: ("duplicated-row",), OWN: ("missed-own-write",), LOST_UPDATE: ("lost-update",)},
        (NEW_IDS, ("yes",)),
    ),
    *rows(  # the second one of the key is hidden before anybody reads it
        "same-new-key",
        {"snapshot-isolation": ("write-overlap@stated",)},
        (NEW_IDS, ("yes",)),
        needs=((*OVERWRITING, *DELETING),),
    ),
    *rows(
        "delete-partition",
        {
            LOST_UPDATE: ("lost-update",),
            SURVIVE: ("lost-write", "resurrected-row", "duplicated-row"),
            OWN: ("missed-own-write",),
            "snapshot-isolation": ("write-overlap@stated",),
        },
        rules=without("replaced-compared", "fixed"),
        needs=(DELETING,),
    ),
    *rows(
        "overwrite-twice",
        {SURVIVE: ("duplicated-row",), OWN: ("missed-own-write",), LOST_UPDATE: ("lost-update",)},
        rules=without("replaced-compared", "fixed"),
        needs=(OVERWRITING,),
    ),
    *rows(  # an overwrite hides the first one of the key, and not the second
        "same-new-key",
        {SURVIVE: ("resurrected-row",), "snapshot-isolation": ("duplicated-row",)},
        (NEW_IDS, ("yes",)),
        needs=(OVERWRITING,),
    ),
    *OF_LOCKS,
    *rows(
        "early-transactional-shipped",
        {"marker-checks-exclusive": ("two-in-marker-check",)},
        (EARLY_STRATEGY, (TRANSACTIONAL_DIRECT,)),
        rules=without(*AS_DOCUMENT, "fixed"),
    ),
    *rows("dead-marker", DEAD_MARKER, rules=without("abort-is-death", "fixed"), faults=(NONE,)),
    *rows("dead-marker", DEAD_MARKER, faults=(LOST,)),
    *rows(
        "similar-names",
        {"sound-early-aborts": ("aborted-without-marker",), "all-writes-commit": ("refused-EarlyConflict",)},
        rules=without(*AS_DOCUMENT, "fixed"),
    ),
    *rows("finished-marker", FINISHED_MARKER, rules=without("abort-is-death", "fixed"), faults=(NONE,)),
    *rows("finished-marker", FINISHED_MARKER, faults=(LOST,)),
    *rows(
        "async-unreadable",
        {PROMPT: ("marker-overlooked",)},
        BY_SERVER,
        rules=without(*AS_DOCUMENT, "fixed"),
    ),
    *rows(
        "cut-markers",
        {"clean-at-quiescence": ("leftover-failed-clean",)},
        (MARKERS, (SERVER_MARKERS,)),
        rules=without("cut-markers-listed", "fixed"),
        faults=(NONE,),
    ),
    *rows(
        "unwritten-markers",
        {"clean-at-quiescence": ("leftover-data",)},
        (MARKERS, (SERVER_MARKERS,)),
        rules=without("fixed"),
        faults=(("drop",),),
    ),
    *rows(
        "async-check-commit",
        {PROMPT: ("commit-overlooked",)},
        (CHECK_COMMIT, ("true",)),
        rules=without(*AS_DOCUMENT, "fixed"),
    ),
    *rows("bloom-after-marker", UNNOTICED, BY_BLOOM, rules=without(*BLOOMS, "fixed"), faults=(NONE,)),
    *rows(
        "bloom-rewritten",
        UNNOTICED,
        BY_BLOOM,
        (SEVERAL, ("yes",)),  # nobody writes a Bloom file over for the file group that it tells of already
        rules=("bloom-first",),
        faults=(NONE,),
    ),
    *rows("async-flag-stays", DEAD_MARKER, BY_SERVER),
    *rows(
        "check-commit-older",
        {"visible-conflicts-found-early": ("visible-conflict-found-late",)},
        rules=without("commits-since-instant"),
    ),
    *rows(
        "mor-executor-outlived",
        {
            INVARIANTS: ("completed-twice", "missing-file"),
            "snapshot-isolation": ("write-overlap@stated",),
        },
        rules=without("fixed", "leased"),
        faults=(LOST,),
        needs=(COMPACTING,),
    ),
    *rows(  # who stands still misses beats of his own, however many that fail are tried again
        "mor-executor-outlived",
        {INVARIANTS: ("completed-twice", "missing-file")},
        rules=("log-compactions-beat", "fixed"),
        faults=(("pause",),),
        beside=LOST,
        needs=((*COMPACTING, *COMPACTING_LOGS),),
    ),
    *rows("retry-too-soon", {"tries-do-not-stop-each-other": ("refused-by-lonely-try",)}),
    *rows(
        "zombie-completed",
        {
            INVARIANTS: ("completed-and-rolled-back", "missing-file"),
            # what was left of its rollback, or planned beside another, is carried out when the commit is there
            SURVIVE: ("commit-not-in-lineage",),
            "no-aborted-reads": ("vanished-write-read",),
        },
        rules=without("rollback-aware", "fixed", "leased"),
        faults=(LOST,),
    ),
    *rows(
        "late-completion",
        {
            INVARIANTS: ("completed-and-rolled-back", "missing-file"),
            SURVIVE: ("lost-write",),
            LOST_UPDATE: ("lost-update",),
            "rollback-is-final": ("completed-after-rollback",),
            "snapshot-isolation": ("stale-read@stated", "write-overlap@stated", "G-single"),
        },
        rules=without("commits-decided"),
        faults=(("late",),),
        beside=LOST,
    ),
    *rows(  # what it takes out has been changed, and acknowledged, before it comes
        "late-completion",
        {SURVIVE: ("lost-row",)},
        faults=(("late",),),
        beside=LOST,
        needs=((*OVERWRITING, *DELETING),),
    ),
    *rows(
        "torn-completion",
        {SURVIVE: ("lost-write",), OWN: ("missed-own-write",), LOST_UPDATE: ("lost-update",)},
        rules=without("empty-refused", "fixed"),
        faults=(("torn",),),
    ),
    *rows("late-requested", {LOST_UPDATE: ("lost-update",), SURVIVE: ("lost-write",)}, rules=("1.0", "late-requested")),
    *OF_OUTLIVED,
    *OF_UPDATES,
    *OF_BUCKETS,
    *OF_SCHEMAS,
    *OF_CONSUMERS,
)
