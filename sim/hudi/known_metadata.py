"""Known findings about the metadata table; see `sim.hudi.known`."""

from __future__ import annotations

from model.hudi.keys import COPY_ON_WRITE, MERGE_ON_READ, METADATA, METADATA_COMPACT_AFTER, TABLE_TYPE
from sim.generation.causes import Known
from sim.hudi.known_rows import (
    ARCHIVING,
    CLEANING,
    DELETING,
    FENCED,
    INVARIANTS,
    LOST,
    NONE,
    OVERWRITING,
    OWN,
    RESTORING,
    SAVING,
    SURVIVE,
    rows,
    without,
)

LISTS = (METADATA, ("true",))
COMPACTS = (METADATA_COMPACT_AFTER, ("1", "2", "4"))
OF_METADATA: tuple[Known, ...] = (
    *rows(
        "metadata-compacted",
        {"readable": ("unreadable-table",), "listed-files-exist": ("metadata-file-gone",)},
        LISTS,
        COMPACTS,
        rules=without("named-files-cleaned", "fixed"),
        needs=(CLEANING, (*DELETING, *OVERWRITING)),
    ),
    *rows(
        "metadata-restore-stuck",
        {INVARIANTS: ("stuck-restore",), "listed-files-exist": ("metadata-file-gone",)},
        LISTS,
        COMPACTS,
        rules=without("metadata-remade", "fixed"),
        needs=(SAVING, RESTORING),
    ),
    *rows(  # it is told of a file before the commit fails that a restore has taken back, and lists it for good
        "restore-beside",
        {"listed-files-exist": ("metadata-file-gone",)},
        LISTS,
        (TABLE_TYPE, (COPY_ON_WRITE,)),
        rules=without(*FENCED),
        faults=(NONE,),
        needs=(RESTORING,),
    ),
    *rows(
        "mor-restore-overlap",
        {"listed-files-exist": ("metadata-file-gone",)},
        LISTS,
        (TABLE_TYPE, (MERGE_ON_READ,)),
        rules=without(*FENCED),
        faults=(NONE,),
        needs=(RESTORING,),
    ),
    *rows(
        "metadata-partition",
        {
            "committed-files-listed": ("metadata-file-unlisted",),
            "listed-files-exist": ("metadata-file-gone",),
            "readable": ("unreadable-table",),
            SURVIVE: ("lost-row", "lost-write"),
            OWN: ("missed-own-write",),
        },
        LISTS,
        rules=without("named-files-cleaned", "fixed"),
        needs=(CLEANING, (*DELETING, *OVERWRITING)),
    ),
    *rows(
        "metadata-archived",
        {"readable": ("unreadable-table",)},
        LISTS,
        rules=without("rollback-aware", "fixed"),
        faults=(LOST,),
        needs=(ARCHIVING,),
    ),
    *rows(  # a committed file that a rollback has deleted is listed, where listing would show the slice before it
        "zombie-completed",
        {"readable": ("unreadable-table",), "listed-files-exist": ("metadata-file-gone",)},
        LISTS,
        rules=without("rollback-aware", "leased", "fixed"),
        faults=(LOST,),
    ),
)
