"""How a mutant of Hudi dies, and how those of the metadata table and of damaged markers do; see
`tests.search.hudi.test_mutants`."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from sim.hudi.build import OPTIMISTIC, PREFERRING, SHIPPED_BEATS, Writers
from sim.hudi.damaged_markers import GONE, LISTED, SERVED, TRIED_AGAIN, UNTYPED
from sim.hudi.metadata_tables import DIES, LISTED_BY
from sim.hudi.rollbacks import ZOMBIE
from sim.hudi.statements import Read, Upsert

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Kill(NamedTuple):
    """How a mutant dies: actors and statements, the property, and how the table or the world differs."""

    mutant: str
    broken: str
    writers: Writers
    world: Mapping[str, Any] = NOTHING


TIDY = "clean-at-quiescence"
UPSERTED: Writers = {"w1": [Upsert(((1, "A"),))]}
BY_METADATA = {"options": (*OPTIMISTIC, LISTED_BY)}
BEATING = {"options": (*OPTIMISTIC, *SHIPPED_BEATS, LISTED_BY)}
METADATA_KILLS = (
    Kill("lists-no-upserts", "committed-files-listed", UPSERTED, BY_METADATA),
    Kill(
        "lists-after-commit",
        "snapshot-isolation",
        {**UPSERTED, "r": [Read()]},
        {**BY_METADATA, "yield_points": ("create", "list")},
    ),
    Kill(
        "rollback-leaves-listing",
        "listed-files-exist",
        ZOMBIE,
        {**BEATING, "faults": DIES, "yield_points": ("create", "delete", "rename", "try_lock", "sleep")},
    ),
)
STRUCK = ("create", "close", "delete")
"""The steps at which something of markers changes."""
DAMAGE_KILLS = (
    Kill("markers-need-their-type", TIDY, UNTYPED, {"options": SERVED, "yield_points": STRUCK}),
    Kill("rollback-never-lists", TIDY, GONE, {"options": (*PREFERRING, LISTED), "yield_points": STRUCK}),
    Kill("server-reconciles-by-files", TIDY, TRIED_AGAIN, {"options": SERVED, "yield_points": STRUCK}),
)
