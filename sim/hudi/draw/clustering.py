"""Clustering in generated Hudi races: now and then somebody clusters beside the others; always where it is said what
becomes of updates beside a plan.

It is drawn when all else has been, so that a race without it is what it was. There is none under the bucket strategy,
nor with the timeline server's early detection, as there are no overwrites there (`sim.hudi.draw.replacing`), nor in
tables of version 6. Nothing fails, unless that is drawn at the end (`sim.hudi.draw.clustering_faults`).
"""

from __future__ import annotations

from model.hudi import HudiConfig
from model.hudi.keys import ALLOW_UPDATES, BUCKET_CONFLICTS, REJECT_UPDATES, UPDATES
from sim.generation.draws import Draws, PinError
from sim.hudi.setting_names import UNSET
from sim.hudi.settings import RARELY, told
from sim.hudi.statements import Cluster, Statement

CLUSTERING, STRATEGY = "clustering", "updates beside plans"
STRATEGIES = (REJECT_UPDATES, ALLOW_UPDATES)


def asked(draws: Draws) -> str | None:
    """What is said of updates beside a plan, where somebody has to cluster for it; None if it is free."""
    pinned = told(draws, UPDATES)
    return pinned if pinned in STRATEGIES else None


def draw_clustering(draws: Draws, actors: list[list[Statement]], config: HudiConfig) -> list[list[Statement]]:
    """Draw, now and then, an actor more who clusters. Raises: `PinError`."""
    pinned = asked(draws)
    if config.detects_by_server or config.layout == 1 or config.conflict_strategy == BUCKET_CONFLICTS:
        if pinned:
            raise PinError(f"option {UPDATES}: expected {UNSET} where nobody can cluster, got {pinned!r}")
        return actors
    if draws.one_of(CLUSTERING, RARELY, "yes" if pinned else None) == "no":
        return actors
    return [*actors, draws.list_of("clusters", 1, 2, lambda _: Cluster())]


def draw_updates(draws: Draws) -> tuple[tuple[str, str], ...]:
    """Draw whether updates are allowed beside a plan. Returns: what is set for it; nothing, as by default."""
    strategy = draws.one_of(STRATEGY, STRATEGIES, asked(draws))
    return () if strategy == REJECT_UPDATES else ((UPDATES, strategy),)
