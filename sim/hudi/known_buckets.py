"""Known findings about buckets under optimistic control; see `sim.hudi.known`."""

from __future__ import annotations

from model.hudi.keys import BUCKET_INDEX, CONFLICTS, INDEX, PREFER_WRITER, SIMPLE_CONFLICTS
from sim.generation.causes import Known
from sim.hudi.known_rows import OWN, SURVIVE, rows, without

OF_BUCKETS: tuple[Known, ...] = (
    *rows(
        "bucket-prefer-writer",
        {
            SURVIVE: ("duplicated-row", "lost-row"),
            OWN: ("missed-own-write",),
            "snapshot-isolation": ("write-overlap@stated", "stale-read@stated", "G-single"),
            "no-lost-update": ("lost-update",),
        },
        (INDEX, (BUCKET_INDEX,)),
        (CONFLICTS, (PREFER_WRITER, SIMPLE_CONFLICTS)),
        rules=without("buckets-compared", "fixed"),
    ),
)
