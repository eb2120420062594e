"""Known findings about restores beside archiving; see `sim.hudi.known`."""

from __future__ import annotations

from sim.generation.causes import Known
from sim.hudi.known_rows import ARCHIVING, NONE, RESTORING, rows, without

OF_ARCHIVED_RESTORES: tuple[Known, ...] = rows(
    "restore-archived",
    {"no-aborted-reads": ("aborted-read", "thin-air-read")},
    rules=without("history-read", "fixed"),
    faults=(NONE,),
    needs=(RESTORING, ARCHIVING),
)
