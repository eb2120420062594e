"""Clustering in generated Hudi races: now and then somebody clusters beside the others, and nothing fails.

It is drawn when all else has been, so that a race without it is what it was. There is none under the bucket strategy,
nor with the timeline server's early detection, as there are no overwrites there (`sim.hudi.generate_replacing`), nor in
tables of version 6.
"""

from __future__ import annotations

from model.hudi import HudiConfig
from model.hudi.keys import ALLOW_UPDATES, BUCKET_CONFLICTS, REJECT_UPDATES, UPDATES
from sim.generation.draws import Draws
from sim.hudi.settings import RARELY
from sim.hudi.statements import Cluster, Statement

CLUSTERING, STRATEGY = "clustering", "updates beside plans"


def draw_clustering(draws: Draws, actors: list[list[Statement]], config: HudiConfig) -> list[list[Statement]]:
    """Draw, now and then, an actor more who clusters."""
    served = config.detects_by_server
    never = served or config.layout == 1 or config.conflict_strategy == BUCKET_CONFLICTS
    if never or draws.one_of(CLUSTERING, RARELY) == "no":
        return actors
    return [*actors, draws.list_of("clusters", 1, 2, lambda _: Cluster())]


def draw_updates(draws: Draws) -> tuple[tuple[str, str], ...]:
    """Draw whether updates are allowed beside a plan. Returns: what is set for it; nothing, as by default."""
    strategy = draws.one_of(STRATEGY, (REJECT_UPDATES, ALLOW_UPDATES))
    return () if strategy == REJECT_UPDATES else ((UPDATES, strategy),)
