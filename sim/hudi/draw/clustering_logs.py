"""Clustering in generated Hudi races on merge-on-read tables: now and then somebody clusters beside the others.

It is drawn after all else, so that a race without it is what it was; where nothing fails, and nobody saves or restores.
There is none under the bucket strategy, nor with a metadata table. Of non-blocking writers it stops some.
"""

from __future__ import annotations

from model.hudi import HudiConfig
from model.hudi.keys import BUCKET_CONFLICTS, MERGE_ON_READ, UPDATES
from sim.generation.draws import Draws, PinError
from sim.hudi.draw.clustering import asked, draw_updates
from sim.hudi.draw.merging import too_many
from sim.hudi.setting_names import UNSET
from sim.hudi.statements import Cluster, Restore, Savepoint, Statement, anybody
from sim.hudi.workload import Options

CLUSTERING_LOGS, SELDOM = "clustering of log files", ("no", "no", "no", "yes")
Actors = list[list[Statement]]


def draw_clustering_logs(
    draws: Draws, actors: Actors, config: HudiConfig, earlier: int, beside: Options, *, disturbed: bool
) -> tuple[Actors, Options]:
    """Draw, now and then, an actor more who clusters. Args: `earlier`: how many writes there were before the race.

    Returns: the actors, and what is set `beside` the settings. Raises: `PinError`.
    """
    if config.merge_on_read and asked(draws):
        raise PinError(f"option {UPDATES}: expected {UNSET} on {MERGE_ON_READ} tables, got {asked(draws)!r}")
    unlike = not config.merge_on_read or config.metadata or config.detects_by_server
    never = unlike or disturbed or anybody(actors, Savepoint, Restore) or too_many(actors, config, earlier + 2)
    if never or config.conflict_strategy == BUCKET_CONFLICTS or draws.one_of(CLUSTERING_LOGS, SELDOM) == "no":
        return actors, beside
    clustering: list[Statement] = [Cluster() for _ in range(draws.number("clusterings", 1, 2))]
    return [*actors, clustering], (*beside, *draw_updates(draws))
