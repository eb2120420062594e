"""Restores beside archiving in generated Hudi races: half of the time somebody goes back to a savepoint where another
one archives, deletes it, writes on and archives as well.

They are drawn when all else has been, so that a race without them is what it was. A savepoint that stays keeps all that
is newer in the active timeline, so it goes mostly. There is none beside who cleans, clusters or makes savepoints, where
something fails or clocks are apart, with early detection, with a metadata table, nor under the bucket strategy.
"""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi.keys import BUCKET_CONFLICTS, EARLY, METADATA
from sim.generation.draws import Draws
from sim.hudi.draw.restores import TRIES, Actors, Groups
from sim.hudi.setting_names import UNSET
from sim.hudi.settings import config_of
from sim.hudi.statements import (
    Archive,
    Clean,
    Cluster,
    DeleteSavepoint,
    Restore,
    Savepoint,
    Statement,
    Upsert,
    anybody,
)

ARCHIVED, OR_NOT = "restores beside archiving", ("no", "yes")
DELETED, STAYS = "the savepoint then", ("goes", "goes", "stays")
UNLIKE = (Clean, Cluster, Restore, Savepoint)


def draw_restores_archived(
    draws: Draws, settings: Mapping[str, str], actors: Actors, groups: Groups, *, disturbed: bool
) -> Actors:
    """Draw whether one more actor restores, and archives in the end. Args: `groups`: the file groups, and their rows;
    `disturbed`: there are faults, or clocks are apart. Returns: the actors."""
    alone = disturbed or settings[EARLY] == "true" or settings[METADATA] != UNSET
    never = alone or config_of(settings).conflict_strategy == BUCKET_CONFLICTS or anybody(actors, *UNLIKE)
    if never or not anybody(actors, Archive) or draws.one_of(ARCHIVED, OR_NOT) == "no":
        return actors
    rows = [key for _, some in groups for key, _ in some]
    todo: list[Statement] = [Savepoint(), *_upserts(draws, "changed before", rows), Restore(TRIES)]
    if draws.one_of(DELETED, STAYS) == "goes":
        todo.append(DeleteSavepoint())
    return [*actors, [*todo, *_upserts(draws, "changed after", rows), Archive()]]


def _upserts(draws: Draws, name: str, rows: list[int]) -> list[Statement]:
    """Up to two changes of a row each."""
    return list(draws.list_of(name, 0, 2, lambda n: Upsert(((draws.one_of(f"row {name}", rows), f"{name} {n + 1}"),))))
