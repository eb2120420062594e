"""Findings about Hudi that are known, as failures of generated scenarios meet them.

Most are what a built-in scenario is about, but generated ones ask more properties of longer races: so one finding has a
row for each way in which it shows first. Each says under which options it can happen, and which rules have it:
elsewhere the same failure would be news.
"""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi import VARIANTS
from model.hudi.config import (
    BLOOM_DIRECT,
    BUCKET_CONFLICTS,
    CHECK_COMMIT,
    CONFLICTS,
    EARLY_STRATEGY,
    FILE_SYSTEM,
    LOCK_PROVIDER,
    MARKERS,
    METASTORE,
    MODE,
    NON_BLOCKING,
    SERVER_MARKERS,
    SIMPLE_CONFLICTS,
    STORAGE_BASED,
    TRANSACTIONAL_DIRECT,
)
from sim.generation.causes import Known
from sim.hudi.promises import COUNTS, ELSEWHERE, NEW_ROWS

Where = tuple[str, tuple[str, ...]]
OVERWRITING, DELETING = ("insert_overwrite", "insert_overwrite_table"), ("delete_partition",)
CLUSTERING, CLEANING, SAVING = ("cluster",), ("clean",), ("savepoint",)
SAVED = (*SAVING, "delete_savepoint")
COMPACTING = ("compact",)
ANY = ("clean", *COMPACTING, *SAVED, "insert", "read", "upsert", "bulk_insert", *CLUSTERING, *OVERWRITING, *DELETING)
LOST: tuple[str, ...] = ("crash", "drop", "late", "partition", "pause")
NONE: tuple[str, ...] = ()
NEW_IDS = "ids that no file holds"
SURVIVE, INVARIANTS, LOST_UPDATE = "acknowledged-writes-survive", "table-invariants", "no-lost-update"
OWN, KEPT = "read-your-writes", "savepoint-kept"


def _without(*repaired: str) -> tuple[str, ...]:
    """The rules but for those in which a finding is repaired."""
    return tuple([name for name in VARIANTS if name not in repaired])


def _rows(
    scenario: str,
    shows: Mapping[str, tuple[str, ...]],
    *where: Where,
    rules: tuple[str, ...] = tuple(VARIANTS),
    faults: tuple[tuple[str, ...], ...] = (NONE, LOST),
    beside: tuple[str, ...] = (),
    needs: tuple[tuple[str, ...], ...] = (),
) -> tuple[Known, ...]:
    """A finding's rows: each property with its anomalies, with each set of `faults`; no rules repair it unless it says
    which have it."""
    return tuple([
        Known(f"hudi/{scenario}", broken, anomaly, ANY, kinds, where, rules, beside, needs)
        for broken, anomalies in shows.items()
        for anomaly in anomalies
        for kinds in faults
    ])  # fmt: skip


DEAD_MARKER = {"sound-early-aborts": ("aborted-by-dead-instant",)}
FINISHED_MARKER = {"sound-early-aborts": ("aborted-by-finished-instant",)}
BY_FILE = (LOCK_PROVIDER, (FILE_SYSTEM,))
BY_OBJECT = (LOCK_PROVIDER, (STORAGE_BASED,))
BY_METASTORE = (LOCK_PROVIDER, (METASTORE,))
BY_SERVER = (MARKERS, (SERVER_MARKERS,))
UNBLOCKED = (MODE, (NON_BLOCKING,))
BY_BLOOM = (EARLY_STRATEGY, (BLOOM_DIRECT,))
PROMPT = "prompt-early-aborts"
UNNOTICED = {"made-markers-noticed": ("unnoticed-marker",)}
BLOOMS = ("bloom-first", "bloom-first-or-markers")
AS_DOCUMENT = ("as-document", "as-document-all-instants", *BLOOMS)
"""The rules that RFC-56 has: its own, and readings of what it is silent about."""
KNOWN: tuple[Known, ...] = (
    *_rows(
        "savepoint-partition",
        {KEPT: ("savepoint-file-gone",), INVARIANTS: ("missing-file",)},
        rules=_without("savepoints-kept", "named-files-cleaned", "fixed"),
        faults=(NONE,),
        needs=(SAVING, CLEANING, (*DELETING, *OVERWRITING)),
    ),
    *_rows(
        "savepoint-versions",
        {KEPT: ("savepoint-incomplete",)},
        (COUNTS, ("yes",)),
        rules=_without("savepoints-kept", "fixed"),
        needs=(SAVING, CLEANING),
    ),
    *_rows(
        "clean-versions",
        {
            SURVIVE: ("duplicated-row", "lost-row", "lost-write"),
            LOST_UPDATE: ("lost-update",),
            OWN: ("missed-own-write",),
        },
        (COUNTS, ("yes",)),
        rules=_without("pending-minded", "fixed"),
        needs=(CLEANING,),
    ),
    *_rows(
        "savepoint-clean",
        {KEPT: ("savepoint-file-gone", "savepoint-incomplete")},
        rules=_without("savepoints-kept", "fixed"),
        needs=(SAVING, CLEANING),
    ),
    *_rows(
        "clean-partition",
        {SURVIVE: ("lost-row", "lost-write"), OWN: ("missed-own-write",), "table-invariants": ("missing-file",)},
        rules=_without("named-files-cleaned", "fixed"),
        needs=(CLEANING, (*DELETING, *OVERWRITING)),
    ),
    *_rows(
        "cluster-delete",
        {SURVIVE: ("lost-write", "resurrected-row", "duplicated-row"), LOST_UPDATE: ("lost-update",)},
        rules=_without("replaced-compared", "fixed"),
        faults=(NONE,),
        needs=(CLUSTERING, DELETING),
    ),
    *_rows(
        "cluster-older-instant",
        {SURVIVE: ("lost-write",), OWN: ("missed-own-write",), LOST_UPDATE: ("lost-update",)},
        (CONFLICTS, (SIMPLE_CONFLICTS,)),
        rules=("shipped", "as-document", *BLOOMS, "1.0"),
        faults=(NONE,),
        needs=(CLUSTERING,),
    ),
    *_rows(  # two rows of one key in one file: but one of them is left
        "same-new-key",
        {SURVIVE: ("lost-write",)},
        (NEW_IDS, ("yes",)),
        faults=(NONE,),
        needs=(CLUSTERING,),
    ),
    *_rows(
        "nbcc-new-group",
        {
            SURVIVE: ("lost-row",),
            OWN: ("missed-own-write",),
            "monotonic-reads": ("vanished-row",),
            "events-in-order": ("older-event-read",),
        },
        UNBLOCKED,
        (NEW_ROWS, (ELSEWHERE,)),
        rules=_without("pending-log-skipped", "fixed"),
    ),
    *_rows("nbcc-older-instant", {SURVIVE: ("lost-write",), OWN: ("missed-own-write",)}, UNBLOCKED),
    *_rows(
        "older-instant",
        {SURVIVE: ("lost-write",), OWN: ("missed-own-write",), LOST_UPDATE: ("lost-update",)},
        (CONFLICTS, (SIMPLE_CONFLICTS, BUCKET_CONFLICTS)),
        rules=("shipped", "as-document", *BLOOMS, "1.0"),
    ),
    *_rows(
        "same-new-key",
        {SURVIVE: ("duplicated-row",), OWN: ("missed-own-write",), LOST_UPDATE: ("lost-update",)},
        (NEW_IDS, ("yes",)),
    ),
    *_rows(  # the second one of the key is hidden before anybody reads it
        "same-new-key",
        {"snapshot-isolation": ("write-overlap@stated",)},
        (NEW_IDS, ("yes",)),
        needs=((*OVERWRITING, *DELETING),),
    ),
    *_rows(
        "delete-partition",
        {
            LOST_UPDATE: ("lost-update",),
            SURVIVE: ("lost-write", "resurrected-row", "duplicated-row"),
            OWN: ("missed-own-write",),
            "snapshot-isolation": ("write-overlap@stated",),
        },
        rules=_without("replaced-compared", "fixed"),
        needs=(DELETING,),
    ),
    *_rows(
        "overwrite-twice",
        {SURVIVE: ("duplicated-row",), OWN: ("missed-own-write",), LOST_UPDATE: ("lost-update",)},
        rules=_without("replaced-compared", "fixed"),
        needs=(OVERWRITING,),
    ),
    *_rows(  # an overwrite hides the first one of the key, and not the second
        "same-new-key",
        {SURVIVE: ("resurrected-row",), "snapshot-isolation": ("duplicated-row",)},
        (NEW_IDS, ("yes",)),
        needs=(OVERWRITING,),
    ),
    *_rows(
        "file-lock",
        {
            "one-lock-holder": ("two-lock-holders",),
            SURVIVE: ("lost-write",),
            OWN: ("missed-own-write",),
            LOST_UPDATE: ("lost-update",),
            "snapshot-isolation": ("stale-read@stated",),
        },
        BY_FILE,
        rules=_without("owned-lock", "fixed"),
    ),
    *_rows(
        "storage-lock-unanswered",
        {
            "one-lock-holder": ("two-lock-holders",),
            SURVIVE: ("lost-write",),
            OWN: ("missed-own-write",),
            LOST_UPDATE: ("lost-update",),
        },
        BY_OBJECT,
        faults=(LOST,),
    ),
    *_rows(
        "metastore-lock-beat",
        {
            "one-lock-holder": ("two-lock-holders",),
            SURVIVE: ("lost-write",),
            OWN: ("missed-own-write",),
            LOST_UPDATE: ("lost-update",),
        },
        BY_METASTORE,
        rules=_without("fixed"),
        faults=(LOST,),
    ),
    *_rows(
        "early-transactional-shipped",
        {"marker-checks-exclusive": ("two-in-marker-check",)},
        (EARLY_STRATEGY, (TRANSACTIONAL_DIRECT,)),
        rules=_without(*AS_DOCUMENT, "fixed"),
    ),
    *_rows("dead-marker", DEAD_MARKER, rules=_without("abort-is-death", "fixed"), faults=(NONE,)),
    *_rows("dead-marker", DEAD_MARKER, faults=(LOST,)),
    *_rows(
        "similar-names",
        {"sound-early-aborts": ("aborted-without-marker",), "all-writes-commit": ("refused-EarlyConflict",)},
        rules=_without(*AS_DOCUMENT, "fixed"),
    ),
    *_rows("finished-marker", FINISHED_MARKER, rules=_without("abort-is-death", "fixed"), faults=(NONE,)),
    *_rows("finished-marker", FINISHED_MARKER, faults=(LOST,)),
    *_rows(
        "async-unreadable",
        {PROMPT: ("marker-overlooked",)},
        BY_SERVER,
        rules=_without(*AS_DOCUMENT, "fixed"),
    ),
    *_rows(
        "async-check-commit",
        {PROMPT: ("commit-overlooked",)},
        (CHECK_COMMIT, ("true",)),
        rules=_without(*AS_DOCUMENT, "fixed"),
    ),
    *_rows("bloom-after-marker", UNNOTICED, BY_BLOOM, rules=_without(*BLOOMS, "fixed"), faults=(NONE,)),
    *_rows("bloom-rewritten", UNNOTICED, BY_BLOOM, rules=("bloom-first",), faults=(NONE,)),
    *_rows("async-flag-stays", DEAD_MARKER, BY_SERVER),
    *_rows("check-commit-older", {"visible-conflicts-found-early": ("visible-conflict-found-late",)}),
    *_rows(
        "mor-executor-outlived",
        {
            INVARIANTS: ("completed-twice", "missing-file"),
            "snapshot-isolation": ("write-overlap@stated",),
        },
        rules=_without("fixed", "leased"),
        faults=(LOST,),
        needs=(COMPACTING,),
    ),
    *_rows("retry-too-soon", {"tries-do-not-stop-each-other": ("refused-by-lonely-try",)}),
    *_rows(
        "zombie-completed",
        {INVARIANTS: ("completed-and-rolled-back", "missing-file")},
        rules=_without("rollback-aware", "fixed", "leased"),
        faults=(LOST,),
    ),
    *_rows(
        "late-completion",
        {
            INVARIANTS: ("completed-and-rolled-back", "missing-file"),
            SURVIVE: ("lost-write",),
            LOST_UPDATE: ("lost-update",),
            "rollback-is-final": ("completed-after-rollback",),
            "snapshot-isolation": ("stale-read@stated", "write-overlap@stated"),
        },
        faults=(("late",),),
        beside=LOST,
    ),
    *_rows(
        "torn-completion",
        {SURVIVE: ("lost-write",), OWN: ("missed-own-write",), LOST_UPDATE: ("lost-update",)},
        rules=_without("empty-refused", "fixed"),
        faults=(("torn",),),
    ),
    *_rows(
        "late-requested", {LOST_UPDATE: ("lost-update",), SURVIVE: ("lost-write",)}, rules=("1.0", "late-requested")
    ),
)
