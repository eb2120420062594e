"""Known findings about readers beside a clean; see `sim.hudi.known`."""

from __future__ import annotations

from sim.generation.causes import Known
from sim.hudi.known_rows import CLEANING, OWN, SAVING, rows, without

OF_READERS: tuple[Known, ...] = (
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
    *rows(  # of the newest slice that he knows nothing is left
        "clean-reader",
        {"snapshot-isolation": ("lost-row",), "monotonic-reads": ("vanished-row",), OWN: ("missed-own-write",)},
        rules=without("cleans-fenced", "fixed"),
        needs=(CLEANING, ("read",)),
    ),
)
