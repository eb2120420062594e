"""Known findings about updates that read before they write; see `sim.hudi.known`."""

from __future__ import annotations

from sim.generation.causes import Known
from sim.hudi.known_rows import LOST_UPDATE, SURVIVE, rows, without

UPDATING = ("update",)
OF_UPDATES: tuple[Known, ...] = (
    *rows(
        "update-read-first",
        {
            LOST_UPDATE: ("lost-update",),
            SURVIVE: ("lost-write",),
            "snapshot-isolation": ("write-overlap@stated", "stale-read@stated", "G-single"),
        },
        rules=without("updates-read-within", "fixed"),
        needs=(UPDATING,),
    ),
)
