"""Hudi scenarios: clustering on merge-on-read tables, beside log files and compaction.

It reads what a plan names: base files, and log files that were completed by then. What is written meanwhile to a file
group in a plan would be hidden with it, so that is refused, as on copy-on-write tables (`built_in.clustering`); and
neither clustering nor compaction plans what is in a plan of the other one. An upsert that is older than clustering, and
looks for its rows after it, is lost there and kept here: its log file belongs to the new slice by the time of its
completion. A deletion of a partition meets it as there.

File groups that are buckets are not clustered. They are planned for all the same, and what nobody can carry out stays
pending: whoever begins an upsert of them from then on is refused, and no compaction takes them.
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.variants import REPLACED_COMPARED
from sim.hudi.build import EVERYTHING, OPTIMISTIC, PREFERRING, WRITES, Writers, race
from sim.hudi.built_in.clustering import ALLOWING, DELETED, PLAN_STAYS, UPDATED
from sim.hudi.built_in.merge_on_read import MERGED
from sim.hudi.built_in.non_blocking import NON_BLOCKING
from sim.hudi.statements import Cluster, Compact, Read, Upsert

WRITTEN: Writers = {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),)), Cluster()]}
COMPACTED: Writers = {"w1": [Upsert(((1, "A"),)), Cluster()], "c1": [Compact()]}
READ: Writers = {"w1": [Upsert(((1, "A"),)), Cluster()], "r1": [Read(), Read()]}
ALONE: Writers = {"w1": [Upsert(((1, "A"),)), Cluster(), Upsert(((2, "B"),))]}
TABLE: dict[str, Any] = {
    "options": (*PREFERRING, *MERGED), "yield_points": WRITES, "properties": EVERYTHING, "but": PLAN_STAYS,
}  # fmt: skip
BY_DEFAULT: dict[str, Any] = {**TABLE, "options": (*OPTIMISTIC, *MERGED)}
CLUSTERED = (coverage.CLUSTERED, coverage.LOGS_CLUSTERED)
CLUSTERING_LOGS = (
    race(
        "mor-cluster-upsert",
        "Clustering of log files beside an upsert gives way to it if it has begun, and one that begins while a plan is "
        "pending is refused.",
        WRITTEN,
        rules=SHIPPED,
        counters=(*CLUSTERED, coverage.CONFLICT_FOUND, coverage.PLAN_RESPECTED),
        **TABLE,
    ),
    race(
        "mor-cluster-upsert-allowed",
        "The same where updates are allowed beside a plan: it is clustering that is refused then.",
        WRITTEN,
        rules=SHIPPED,
        counters=(*CLUSTERED, coverage.CONFLICT_FOUND),
        **{**TABLE, "options": (*ALLOWING, *MERGED)},
    ),
    race(
        "mor-cluster-older-instant",
        "Clustering beside an upsert under the default strategy: one that began before the plan, and writes after "
        "clustering is committed, belongs to what that has made.",
        UPDATED,
        rules=SHIPPED,
        counters=(coverage.CLUSTERED, coverage.CONFLICT_FOUND, coverage.LOGS_MERGED),
        pair="cluster-older-instant",
        **{**BY_DEFAULT, "yield_points": (*WRITES, "list")},
    ),
    race(
        "mor-cluster-delete",
        "Clustering brings back the rows of a partition that was deleted meanwhile, as on copy-on-write tables.",
        DELETED,
        rules=SHIPPED,
        broken="acknowledged-writes-survive",
        pair="mor-cluster-delete-compared",
        **BY_DEFAULT,
    ),
    race(
        "mor-cluster-delete-compared",
        "The same where clustering gives way to writers, and a deletion compares the file groups that it takes out: "
        "one of the two is refused.",
        DELETED,
        rules=REPLACED_COMPARED,
        counters=(coverage.CONFLICT_FOUND, coverage.CLUSTERED, coverage.PLAN_RESPECTED),
        pair="mor-cluster-delete",
        **TABLE,
    ),
    race(
        "mor-cluster-compact",
        "Clustering beside a compaction: whichever is planned first, the other one leaves its file group alone.",
        COMPACTED,
        rules=SHIPPED,
        counters=(*CLUSTERED, coverage.COMPACTED),
        **TABLE,
    ),
    race(
        "mor-cluster-read",
        "A reader beside an upsert and clustering of its log file sees neither twice nor too early what it did.",
        READ,
        rules=SHIPPED,
        options=(*PREFERRING, *MERGED),
        properties=(*EVERYTHING, "all-writes-commit", "monotonic-reads"),
        yield_points=("create", "list"),
        counters=(*CLUSTERED, coverage.LOGS_MERGED),
    ),
    race(
        "nbcc-cluster",
        "Somebody clusters a table whose file groups are buckets: that is planned, and cannot be carried out, and "
        "every upsert from then on is refused for the plan.",
        ALONE,
        rules=SHIPPED,
        broken="all-writes-commit",
        pair="mor-cluster-upsert",
        **{**TABLE, "options": NON_BLOCKING, "properties": (*EVERYTHING, "all-writes-commit")},
    ),
)
