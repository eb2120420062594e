"""Faults beside clustering in generated Hudi races: now and then something fails where somebody clusters, or plans to.

They are drawn when all else has been, so that a race without them is what it was: what is drawn before may need that
nothing fails. There are none beside restores.
"""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi.keys import LOCK_PROVIDER, METASTORE, STORAGE_BASED
from sim.generation.draws import Draws
from sim.hudi.draw.faults import at_lock_object, draw_faults
from sim.hudi.settings import config_of
from sim.hudi.statements import Cluster, PlanClustering, Restore, Statement, anybody
from sim.world.scenario import FaultSpace

STRUCK, SELDOM = "something fails beside clustering", ("no", "no", "yes")


def draw_clustering_faults(
    draws: Draws, settings: Mapping[str, str], actors: list[list[Statement]], faults: FaultSpace, *, hosts: bool
) -> FaultSpace:
    """Draw whether something fails beside clustering, and what. Args: `hosts`: actors have hosts of their own.

    Returns: the faults.
    """
    clusters = anybody(actors, Cluster, PlanClustering) and not anybody(actors, Restore)
    if not clusters or faults.limit or draws.one_of(STRUCK, SELDOM) == "no":
        return faults
    config = config_of(settings)
    drawn = draw_faults(draws, config, hosts=hosts)
    return at_lock_object(drawn, config) if settings[LOCK_PROVIDER] in (STORAGE_BASED, METASTORE) else drawn
