"""Known findings about savepoints and restores beside archiving; see `sim.hudi.known`."""

from __future__ import annotations

from model.hudi.keys import COPY_ON_WRITE, TABLE_TYPE
from sim.generation.causes import Known
from sim.hudi.known_rows import (
    ARCHIVING,
    CLEANING,
    FENCED,
    INVARIANTS,
    KEPT,
    LOST,
    NONE,
    RESTORING,
    SAVING,
    SURVIVE,
    rows,
    without,
)

OF_ARCHIVED_RESTORES: tuple[Known, ...] = (
    *rows(
        "restore-archived",
        {"no-aborted-reads": ("aborted-read", "thin-air-read")},
        rules=without("history-read", "fixed"),
        faults=(NONE,),
        needs=(RESTORING, ARCHIVING),
    ),
    *rows(
        "archive-savepoint",
        {KEPT: ("savepoint-commit-gone",)},
        rules=without("archiving-locked", "fixed"),
        faults=(NONE,),
        needs=(SAVING, ARCHIVING),
    ),
    *rows(
        "archive-restored",
        {SURVIVE: ("lost-row", "duplicated-row")},  # who upserts then has not found the row
        rules=without("archiving-locked", "fixed"),
        faults=(NONE,),
        needs=(RESTORING, ARCHIVING),
    ),
    *rows(  # what is rolled back when it is committed is archived, and nobody but who reads notices
        "zombie-completed",
        {SURVIVE: ("lost-row",)},
        rules=without("rollback-aware", "fixed", "leased"),
        faults=(LOST,),
        needs=(ARCHIVING, CLEANING),
    ),
    *rows(  # who is taken back commits, and no restore comes after it: the savepoint's commit is archived
        "restore-beside",
        {INVARIANTS: ("missing-file",)},
        (TABLE_TYPE, (COPY_ON_WRITE,)),
        rules=without(*FENCED),
        faults=(NONE,),
        needs=(RESTORING, ARCHIVING),
    ),
)
