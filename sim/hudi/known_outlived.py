"""Known findings about executors of clustering that are outlived, and about those beside a metadata table; see
`sim.hudi.known`."""

from __future__ import annotations

from sim.generation.causes import Known
from sim.hudi.known_metadata import LISTS
from sim.hudi.known_rows import CLUSTERING, INVARIANTS, LOST, rows, without
from sim.hudi.promises import SHARED

LISTED_TWICE = {
    "readable": ("unreadable-table",),
    "listed-files-exist": ("metadata-file-gone",),
    "committed-files-listed": ("metadata-file-unlisted",),
}
OF_OUTLIVED: tuple[Known, ...] = (
    *rows(  # who stands still misses beats, and goes on beside who has taken over meanwhile
        "cluster-executors",
        {INVARIANTS: ("completed-twice",), "no-aborted-reads": ("thin-air-read",)},
        (SHARED, ("yes",)),
        rules=("clusterings-beat", "fixed"),
        faults=(("pause",),),
        beside=LOST,
        needs=(CLUSTERING,),
    ),
    *rows(
        "metadata-executors",
        LISTED_TWICE,
        (SHARED, ("yes",)),
        LISTS,
        rules=without("clusterings-beat", "fixed"),
        needs=(CLUSTERING,),
    ),
)
