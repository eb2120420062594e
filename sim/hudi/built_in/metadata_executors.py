"""Hudi scenarios of clustering that two carry out (`sim.hudi.built_in.clustering_executors`), beside a metadata table.

Each announces a delta commit of the plan's instant there when it has begun, rolls back the other one's if it finds one,
and completes its own: nobody is told that there are two. What the one has announced is what the other one writes.
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.variants import CLUSTERINGS_BEAT
from sim.hudi.build import PREFERRING, WRITES, race
from sim.hudi.built_in.clustering import PLAN_STAYS
from sim.hudi.built_in.clustering_executors import BOTH
from sim.hudi.built_in.metadata_tables import ASKED, LISTED_BY
from sim.world.scenario import Scenario

OTHERWISE = "hudi/cluster-executors breaks it without a metadata table, and so does what this scenario shows"
TABLE: dict[str, Any] = {"options": (*PREFERRING, LISTED_BY), "rules": SHIPPED, "yield_points": WRITES}


def _broken(name: str, summary: str, broken: str) -> Scenario:
    """Both carry it out, and one property is asked, which breaks."""
    but = dict.fromkeys([one for one in ASKED if one != broken], OTHERWISE)
    return race(name, summary, BOTH, properties=ASKED, broken=broken, but=but, pair="metadata-executors-beat", **TABLE)


METADATA_EXECUTORS = (
    _broken(
        "metadata-executors",
        "Two carry out one clustering: the first one's commit lists its file, which the second one has deleted, and "
        "nobody can read the table.",
        "readable",
    ),
    _broken(
        "metadata-executors-unlisted",
        "The first one commits before the second one rolls back its delta commit of the metadata table: its file is "
        "there, and no reader is told of it.",
        "committed-files-listed",
    ),
    race(
        "metadata-executors-beat",
        "The same where clustering has a heartbeat, as a compaction has: the other one lets it be.",
        BOTH,
        properties=ASKED,
        but=PLAN_STAYS,
        counters=(coverage.CLUSTERED, coverage.CLUSTERING_BUSY, coverage.METADATA_WRITTEN),
        pair="metadata-executors",
        **{**TABLE, "rules": CLUSTERINGS_BEAT, "yield_points": ("create", "try_lock")},
    ),
)
