"""Known findings about updates that read before they write; see `sim.hudi.known`."""

from __future__ import annotations

from model.hudi.keys import MERGE_ON_READ, PREPPED, TABLE_TYPE
from sim.generation.causes import Known
from sim.hudi.known_rows import CLUSTERING, LOST_UPDATE, OWN, SURVIVE, rows, without
from sim.hudi.setting_names import UNSET

READING_FIRST, INSERTING = ("update", "delete"), ("upsert", "insert", "bulk_insert")
MOVED = {SURVIVE: ("lost-write", "lost-row", "resurrected-row"), OWN: ("missed-own-write",)}
"""What becomes of what is written to a file group that clustering has replaced."""
OF_UPDATES: tuple[Known, ...] = (
    *rows(
        "update-read-first",
        {
            LOST_UPDATE: ("lost-update",),
            SURVIVE: ("lost-write",),
            "snapshot-isolation": ("write-overlap@stated", "stale-read@stated", "G-single"),
        },
        rules=without("updates-read-within", "fixed"),
        needs=(READING_FIRST,),
    ),
    *rows(
        "update-logs-clustered",
        MOVED,
        (TABLE_TYPE, (MERGE_ON_READ,)),
        (PREPPED, (UNSET, "true")),
        rules=without("updates-read-within", "fixed"),
        needs=(READING_FIRST, CLUSTERING),
    ),
    *rows(
        "update-moved",
        {SURVIVE: ("duplicated-row", "resurrected-row"), OWN: ("missed-own-write",)},
        rules=without("updates-read-within", "fixed"),
        needs=(("delete",), READING_FIRST, INSERTING),
    ),
)
