"""Known findings about executors of clustering that are outlived; see `sim.hudi.known`."""

from __future__ import annotations

from sim.generation.causes import Known
from sim.hudi.known_rows import CLUSTERING, INVARIANTS, LOST, rows
from sim.hudi.promises import SHARED

OF_OUTLIVED: tuple[Known, ...] = rows(  # who stands still misses beats, and goes on beside who has taken over meanwhile
    "cluster-executors",
    {INVARIANTS: ("completed-twice",), "no-aborted-reads": ("thin-air-read",)},
    (SHARED, ("yes",)),
    rules=("clusterings-beat", "fixed"),
    faults=(("pause",),),
    beside=LOST,
    needs=(CLUSTERING,),
)
