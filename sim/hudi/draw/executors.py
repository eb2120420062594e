"""Who carries clustering out in generated Hudi races: now and then somebody else than has planned it.

A writer does, that clusters inline and so takes what is pending; or one job or two, beside those that plan alone. It is
drawn last of actors, so that a race without it is what it was, and beside a metadata table last of all; not where
rollbacks list files, nor beside cleaners of merge-on-read tables, which count commits.
"""

from __future__ import annotations

from model.hudi import HudiConfig
from sim.generation.draws import Draws
from sim.hudi.draw.clustering import asked
from sim.hudi.statements import Clean, Cluster, PlanClustering, Statement, Upsert, anybody

EXECUTORS, PLANNER, WRITER, JOBS = "who carries clustering out", "who plans it", "a writer, too", "jobs alone"
LISTED = "who carries clustering out beside a metadata table"
SELDOM, OFTEN = (PLANNER, PLANNER, WRITER, JOBS), (PLANNER, WRITER, WRITER, JOBS, JOBS)
"""The second where it is said what becomes of updates beside a plan."""
MOST = 4
"""How many actors there are at most already."""
Actors = list[list[Statement]]


def draw_executors(draws: Draws, actors: Actors, config: HudiConfig, name: str = EXECUTORS) -> Actors:
    """Draw who carries out what somebody plans to cluster, as `name`, which says whether that is beside a metadata
    table."""
    never = config.metadata != (name == LISTED) or not config.rollback_using_markers or config.bucketed
    if never or len(actors) > MOST or (config.merge_on_read and anybody(actors, Clean)) or not anybody(actors, Cluster):
        return actors
    who = draws.one_of(name, OFTEN if asked(draws) else SELDOM)
    if who == PLANNER:
        return actors
    theirs: list[Statement] = [Cluster(pending=True)]
    if who == JOBS:
        plans: Actors = [[PlanClustering() if isinstance(one, Cluster) else one for one in todo] for todo in actors]
        return [*plans, *draws.list_of("jobs", 1, 2, lambda _: theirs)]
    writer = next((number for number, todo in enumerate(actors) if anybody([todo], Upsert)), None)
    if writer is None:
        return [*actors, theirs]
    return [[*todo, *theirs] if number == writer else todo for number, todo in enumerate(actors)]
