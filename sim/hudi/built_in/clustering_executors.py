"""Hudi scenarios: clustering that somebody else carries out than has planned it, or that two carry out.

A writer plans (`hoodie.clustering.schedule.inline`) and a job carries out what is pending (`HoodieClusteringJob`,
`call run_clustering`); or each writer with inline clustering carries out what it finds pending before it plans anything
of its own. Nobody looks whether somebody is at it: an executor has no heartbeat for it, as that of a compaction has.
What is inflight is rolled back, its files are deleted, and it is done anew, while the first executor goes on.
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.variants import CLUSTERINGS_BEAT
from sim.hudi.build import EVERYTHING, PREFERRING, WRITES, Writers, race
from sim.hudi.built_in.clustering import PLAN_STAYS
from sim.hudi.statements import Cluster, PlanClustering, Read, Upsert

THEIRS = Cluster(pending=True)
BOTH: Writers = {"c1": [Cluster()], "w1": [Upsert(((2, "B"),)), THEIRS]}
PLANNED: Writers = {"w1": [Upsert(((1, "A"),)), PlanClustering()], "w2": [Upsert(((2, "B"),))], "j1": [THEIRS]}
SEEN: Writers = {"w1": [Upsert(((1, "A"),)), PlanClustering()], "j1": [THEIRS], "r1": [Read(), Read()]}
LEFT = "what is committed without its file, or beside another one's, breaks it, too"
LOOKS = ("create", "list")
ROWS = ("readable", "acknowledged-writes-survive")
LOOKS = ("create", "list")
TABLE: dict[str, Any] = {
    "options": PREFERRING, "rules": SHIPPED, "yield_points": WRITES, "properties": EVERYTHING, "but": PLAN_STAYS,
}  # fmt: skip
CLUSTERING_EXECUTORS = (
    race(
        "cluster-executors",
        "Somebody clusters, and a writer that clusters inline carries out what it finds pending: it takes the other "
        "one for dead and deletes its file, before or after that is written, committed or neither.",
        BOTH,
        broken="acknowledged-writes-survive",
        pair="cluster-executors-beat",
        **{**TABLE, "but": dict.fromkeys([one for one in EVERYTHING if one not in ROWS], LEFT)},
    ),
    race(
        "cluster-executors-beat",
        "The same where clustering has a heartbeat, as a compaction has: the other one lets it be.",
        BOTH,
        counters=(coverage.CLUSTERED, coverage.CLUSTERING_BUSY),
        pair="cluster-executors",
        **{**TABLE, "rules": CLUSTERINGS_BEAT},
    ),
    race(
        "cluster-planned",
        "A writer plans and a job carries it out, beside another writer: an upsert that began before the plan is done "
        "and clustering gives way to it, or the other way round; one that begins beside the plan is refused.",
        PLANNED,
        counters=(coverage.CLUSTERED, coverage.CONFLICT_FOUND, coverage.PLAN_RESPECTED),
        **{**TABLE, "yield_points": LOOKS},
    ),
    race(
        "cluster-planned-read",
        "A reader beside a job that carries out what a writer has planned sees each row once.",
        SEEN,
        counters=(coverage.CLUSTERED,),
        **{**TABLE, "properties": (*EVERYTHING, "monotonic-reads"), "yield_points": LOOKS},
    ),
)
