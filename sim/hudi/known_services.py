"""Known findings about table services beside writers: cleaning, savepoints, clustering, archiving; see
`sim.hudi.known`."""

from __future__ import annotations

from model.hudi.keys import (
    CONFLICTS,
    COPY_ON_WRITE,
    INDEX,
    MERGE_ON_READ,
    SIMPLE_CONFLICTS,
    SIMPLE_INDEX,
    TABLE_TYPE,
    USING_MARKERS,
)
from sim.generation.causes import Known
from sim.hudi.known_rows import (
    ARCHIVING,
    BLOOMS,
    CLEANING,
    CLUSTERING,
    COMPACTING,
    COMPACTING_LOGS,
    DAMAGING,
    DELETING,
    FENCED,
    INVARIANTS,
    KEPT,
    LOST,
    LOST_UPDATE,
    NEW_IDS,
    NEWER_BASES,
    NONE,
    OVERWRITING,
    OWN,
    RESTORING,
    SAVING,
    SKIPPING,
    SURVIVE,
    rows,
    without,
)
from sim.hudi.promises import COUNTS, PASSED

OF_SERVICES: tuple[Known, ...] = (
    *rows(
        "savepoint-partition",
        {KEPT: ("savepoint-file-gone",), INVARIANTS: ("missing-file",)},
        rules=without("savepoints-kept", "named-files-cleaned", "fixed"),
        faults=(NONE,),
        needs=(SAVING, CLEANING, (*DELETING, *OVERWRITING)),
    ),
    *rows(
        "savepoint-versions",
        {KEPT: ("savepoint-incomplete",)},
        (COUNTS, ("yes",)),
        rules=without("savepoints-kept", "fixed"),
        needs=(SAVING, CLEANING),
    ),
    *rows(
        "clean-overwritten",
        {SURVIVE: ("duplicated-row",)},
        (COUNTS, ("no",)),
        (PASSED, ("no",)),
        rules=without("pending-minded", "fixed"),
        needs=(CLEANING, OVERWRITING),
    ),
    *rows(  # its one row is as after the deletion, which it has not seen
        "clean-overwritten",
        {"snapshot-isolation": ("lost-row",)},
        (COUNTS, ("no",)),
        (PASSED, ("no",)),
        rules=without("pending-minded", "fixed"),
        needs=(CLEANING, (*DELETING, *OVERWRITING)),
    ),
    *rows(
        "clean-versions",
        {
            SURVIVE: ("duplicated-row", "lost-row", "lost-write"),
            LOST_UPDATE: ("lost-update",),
            "snapshot-isolation": ("lost-row",),
            OWN: ("missed-own-write",),
            "monotonic-reads": ("vanished-row",),
        },
        (COUNTS, ("yes",)),
        rules=without("pending-minded", "fixed"),
        needs=(CLEANING,),
    ),
    *rows(
        "clean-hours",
        {
            SURVIVE: ("duplicated-row", "lost-row", "lost-write"),
            LOST_UPDATE: ("lost-update",),
            OWN: ("missed-own-write",),
        },
        (PASSED, ("yes",)),
        rules=without("pending-minded", "fixed"),
        needs=(CLEANING,),
    ),
    *rows(
        "savepoint-clean",
        {KEPT: ("savepoint-file-gone", "savepoint-incomplete")},
        rules=without("savepoints-kept", "fixed"),
        needs=(SAVING, CLEANING),
    ),
    *rows(
        "savepoint-read",
        {
            "monotonic-reads": ("non-monotonic-read",),
            "snapshot-isolation": ("stale-read@stated", "G-single"),
            OWN: ("missed-own-write",),
            "no-aborted-reads": ("thin-air-read",),  # what it had before the race
        },
        rules=without("cleans-fenced", "fixed"),
        needs=(SAVING, CLEANING, ("read",)),
    ),
    *rows(
        "restore-named",
        {KEPT: ("savepoint-file-gone",)},
        rules=without("savepoints-kept", "fixed"),
        needs=(SAVING, RESTORING),
    ),
    *rows(
        "restore-beside",
        {
            SURVIVE: ("lost-write",),
            LOST_UPDATE: ("lost-update",),
            "snapshot-isolation": ("stale-read@stated", "write-overlap@stated", "G-single"),
        },
        (TABLE_TYPE, (COPY_ON_WRITE,)),
        rules=without(*FENCED),
        faults=(NONE,),
        needs=(RESTORING,),
    ),
    *rows(
        "restore-read",
        {
            "read-atomic": ("fractured-read",),
            "snapshot-isolation": ("stale-read@stated", "fractured-read", "G-single"),
        },
        rules=without("readers-fenced", "fixed"),
        faults=(NONE,),
        needs=(RESTORING, ("read",)),
    ),
    *rows(
        "mor-restore-overlap",
        {
            "snapshot-isolation": ("stale-read@stated", "write-overlap@stated", "G-single"),
            INVARIANTS: ("missing-file",),  # it commits when its file is being taken back
            "events-in-order": ("older-event-read",),
        },
        (TABLE_TYPE, (MERGE_ON_READ,)),
        rules=without(*FENCED),
        faults=(NONE,),
        needs=(RESTORING,),
    ),
    *rows(  # a restore that fails, and is not tried again
        "mor-restore-once",
        {SURVIVE: ("lost-write",), LOST_UPDATE: ("lost-update",)},
        (TABLE_TYPE, (MERGE_ON_READ,)),
        rules=without(*FENCED),
        faults=(NONE,),
        needs=(RESTORING, COMPACTING),
    ),
    *rows(
        "mor-restore-compact",
        {"readable": ("unreadable-table",)},
        (TABLE_TYPE, (MERGE_ON_READ,)),
        rules=without(*SKIPPING),
        faults=(NONE,),
        needs=(RESTORING, COMPACTING),
    ),
    *rows(
        "mor-restore-logs",
        {INVARIANTS: ("stuck-restore",)},
        rules=without("log-plans-taken-back", "fixed"),
        needs=(RESTORING, COMPACTING_LOGS),
    ),
    *rows(
        "mor-logs-taken",
        {INVARIANTS: ("completed-and-rolled-back", "completed-twice", "missing-file")},
        rules=without("log-compactions-beat", "fixed"),
        needs=(COMPACTING_LOGS,),
    ),
    *rows(  # who begins before a write that is committed first, and whose own value was merged before that
        "mor-logs-older",
        {SURVIVE: ("lost-write",), OWN: ("missed-own-write",)},
        (CONFLICTS, (SIMPLE_CONFLICTS,)),
        rules=NEWER_BASES,
        needs=(COMPACTING_LOGS,),
    ),
    *rows(
        "restore-overwrite",
        {"readable": ("unreadable-table",)},
        rules=without(*SKIPPING),
        faults=(NONE,),
        needs=(RESTORING, (*DELETING, *OVERWRITING)),
    ),
    *rows(
        "overwrite-listed",
        {"clean-at-quiescence": ("leftover-failed-clean",)},
        (USING_MARKERS, ("false",)),
        rules=without("replacements-listed", "fixed"),
        needs=((*DELETING, *OVERWRITING),),
    ),
    *rows(
        "rollback-overwrite",
        {"readable": ("unreadable-table",)},
        rules=without(*SKIPPING),
        faults=(LOST,),
        needs=(CLEANING, (*DELETING, *OVERWRITING)),
    ),
    *rows(
        "clean-partition",
        {SURVIVE: ("lost-row", "lost-write"), OWN: ("missed-own-write",), "table-invariants": ("missing-file",)},
        (TABLE_TYPE, (COPY_ON_WRITE,)),  # of others no slices are cleaned
        rules=without("named-files-cleaned", "fixed"),
        needs=(CLEANING, (*DELETING, *OVERWRITING)),
    ),
    *rows(
        "cluster-delete",
        {SURVIVE: ("lost-write", "resurrected-row", "duplicated-row"), LOST_UPDATE: ("lost-update",)},
        (INDEX, (SIMPLE_INDEX,)),  # buckets are not clustered
        rules=without("replaced-compared", "fixed"),
        faults=(NONE,),
        needs=(CLUSTERING, DELETING),
    ),
    *rows(
        "cluster-older-instant",
        {SURVIVE: ("lost-write",), OWN: ("missed-own-write",), LOST_UPDATE: ("lost-update",)},
        (CONFLICTS, (SIMPLE_CONFLICTS,)),
        (TABLE_TYPE, (COPY_ON_WRITE,)),
        rules=("shipped", "as-document", *BLOOMS, "1.0"),
        faults=(NONE,),
        needs=(CLUSTERING,),
    ),
    *rows(  # two rows of one key in one file: but one of them is left
        "same-new-key",
        {SURVIVE: ("lost-write",)},
        (NEW_IDS, ("yes",)),
        faults=(NONE,),
        needs=(CLUSTERING,),
    ),
    *rows(
        "archive-rolled-back",
        {"no-aborted-reads": ("aborted-read",)},
        rules=without("history-read", "fixed"),
        faults=(LOST,),
        needs=(ARCHIVING,),
    ),
    *rows(
        "rollback-unlisted",
        {"no-aborted-reads": ("aborted-read", "thin-air-read")},  # of who died before, no operation is told
        rules=without("markers-listed", "history-read", "fixed"),
        faults=(LOST,),
        needs=(ARCHIVING, CLEANING),
    ),
    *rows(
        "marker-vanished-read",
        {  # of who died before, no operation is told; of who died since, no answer is
            "no-aborted-reads": ("aborted-read", "thin-air-read", "vanished-write-read"),
        },
        rules=without("history-read", "fixed"),
        needs=(ARCHIVING, DAMAGING),
    ),
    *rows(
        "mor-marker-vanished",
        {"no-aborted-reads": ("aborted-read",), SURVIVE: ("row-from-nowhere",), "snapshot-isolation": ("G1a",)},
        (TABLE_TYPE, (MERGE_ON_READ,)),
        needs=(COMPACTING, DAMAGING),
    ),
    *rows(
        "archive-conflict",
        {LOST_UPDATE: ("lost-update",), SURVIVE: ("lost-write",), OWN: ("missed-own-write",)},
        rules=without("completion-minded", "fixed"),
        needs=(ARCHIVING,),
    ),
)
