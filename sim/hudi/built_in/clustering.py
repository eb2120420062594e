"""Hudi scenarios: clustering beside other writes; it writes rows anew that somebody may have changed or deleted.

Under the default conflict strategy clustering compares with nobody when it commits: writers are to find its plan, and
deletions of partitions find it only where they begin after it. Under the strategy that prefers writers it compares, but
a deletion that commits after it does not.
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.keys import ALLOW_UPDATES, UPDATES
from model.hudi.variants import REPLACED_COMPARED
from sim.hudi.build import EVERYTHING, OPTIMISTIC, PREFERRING, WRITES, Writers, race
from sim.hudi.statements import Cluster, DeletePartition, Insert, Overwrite, Read, Upsert

DELETED: Writers = {"w1": [DeletePartition()], "w2": [Cluster()]}
UPDATED: Writers = {"w1": [Upsert(((1, "A"),))], "w2": [Cluster()]}
PLAN_STAYS = {"clean-at-quiescence": "a plan that was refused stays"}
ALLOWING = (*PREFERRING, (UPDATES, ALLOW_UPDATES))
PREFERRED: dict[str, Any] = {
    "options": PREFERRING, "yield_points": WRITES, "properties": EVERYTHING, "but": PLAN_STAYS,
}  # fmt: skip
BY_DEFAULT: dict[str, Any] = {
    "options": OPTIMISTIC, "yield_points": WRITES, "properties": EVERYTHING, "but": PLAN_STAYS,
}  # fmt: skip
CLUSTERING = (
    race(
        "cluster-delete",
        "Clustering brings back the rows of a partition that was deleted meanwhile: it compares with nobody, and nor "
        "does the deletion.",
        DELETED,
        rules=SHIPPED,
        broken="acknowledged-writes-survive",
        pair="cluster-delete-compared",
        **BY_DEFAULT,
    ),
    race(
        "cluster-delete-prefer-writer",
        "The same where clustering gives way to writers: it finds no file group in what the deletion has announced, "
        "and the deletion compares nothing when it commits last.",
        DELETED,
        rules=SHIPPED,
        broken="acknowledged-writes-survive",
        pair="cluster-delete-compared",
        **PREFERRED,
    ),
    race(
        "cluster-delete-compared",
        "The same where a deletion compares the file groups that it takes out: one of the two is refused.",
        DELETED,
        rules=REPLACED_COMPARED,
        counters=(coverage.CONFLICT_FOUND, coverage.CLUSTERED, coverage.PLAN_RESPECTED),
        pair="cluster-delete-prefer-writer",
        **PREFERRED,
    ),
    race(
        "cluster-older-instant",
        "Clustering in the place of a first upsert: one that began before the plan and writes after it is committed "
        "is not seen.",
        UPDATED,
        rules=SHIPPED,
        broken="acknowledged-writes-survive",
        pair="cluster-upsert",
        **{**BY_DEFAULT, "yield_points": (*WRITES, "list")},
    ),
    race(
        "cluster-upsert",
        "Clustering gives way to an upsert that has begun, and one that begins while a plan is pending is refused.",
        UPDATED,
        rules=SHIPPED,
        counters=(coverage.CONFLICT_FOUND, coverage.CLUSTERED, coverage.PLAN_RESPECTED),
        **PREFERRED,
    ),
    race(
        "cluster-upsert-allowed",
        "The same where updates are allowed beside a plan: it is clustering that is refused then.",
        UPDATED,
        rules=SHIPPED,
        counters=(coverage.CONFLICT_FOUND, coverage.CLUSTERED),
        **{**PREFERRED, "options": ALLOWING},
    ),
    race(
        "cluster-overwrite",
        "An overwrite and clustering, which looks at no pending plan: one of the two is refused at its commit.",
        {"w1": [Overwrite(((1, "A"),))], "w2": [Cluster()]},
        rules=SHIPPED,
        counters=(coverage.CONFLICT_FOUND, coverage.CLUSTERED),
        **PREFERRED,
    ),
    race(
        "cluster-twice",
        "Two clients that cluster: the second one plans what is in no pending plan, so that each row is there once.",
        {"w1": [Cluster()], "w2": [Cluster()]},
        rules=SHIPPED,
        counters=(coverage.CLUSTERED,),
        **BY_DEFAULT,
    ),
    race(
        "cluster-reader",
        "An insert, clustering of what there is then, and a reader beside them: it sees each row once.",
        {"w1": [Insert(((5, "e"),)), Cluster()], "r1": [Read()]},
        rules=SHIPPED,
        options=PREFERRING,
        properties=(*EVERYTHING, "all-writes-commit"),
        yield_points=(*WRITES, "list"),
        counters=(coverage.CLUSTERED,),
    ),
)
