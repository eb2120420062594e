"""Hudi scenarios: partitions whose names have `.marker` in them, which is what tells a marker from its data file.

`WriteMarkers.stripMarkerSuffix` (1.2.0, and main) cuts a marker's path at the first `.marker`: of `p.marker/<file>` it
makes `p`. So nothing in such a partition is deleted by a rollback, which says that it is done, or by a reconciliation;
and where there is a partition `p` as well, both fail, and with them each commit in the other, each rollback, and each
write that begins with one.
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.variants import FIXED
from sim.hudi.build import EVERYTHING, ONE_GROUP, PREFERRING, TWO_GROUPS, WRITES, race
from sim.hudi.built_in.locks import DISJOINT

NAMED, BESIDE = ("p.marker",), ("p", "p.marker")
TIDY: dict[str, Any] = {"properties": EVERYTHING, "yield_points": WRITES}
MARKER_NAMES = (
    race(
        "marker-in-partition",
        "A partition has `.marker` in its name: the rollback of who lost a conflict there says that it is done, and "
        "leaves the file that it should have deleted.",
        ONE_GROUP,
        rules=SHIPPED,
        options=PREFERRING,
        partitions=NAMED,
        broken="clean-at-quiescence",
        pair="marker-in-partition-fixed",
        **TIDY,
    ),
    race(
        "marker-in-partition-fixed",
        "The same where a marker's path is cut at the last `.marker`: the file is deleted.",
        ONE_GROUP,
        rules=FIXED,
        options=PREFERRING,
        partitions=NAMED,
        counters=(coverage.CONFLICT_FOUND, coverage.ROLLED_BACK),
        pair="marker-in-partition",
        **TIDY,
    ),
    race(
        "marker-partition-beside",
        "Two partitions, of which the one is called as the other and `.marker`: no commit in it succeeds, for its "
        "reconciliation would delete the other one, and the rollback of such a commit fails for ever.",
        DISJOINT,
        groups=TWO_GROUPS,
        rules=SHIPPED,
        options=PREFERRING,
        partitions=BESIDE,
        properties=EVERYTHING,
        broken="clean-at-quiescence",
        yield_points=WRITES,
        pair="marker-partition-beside-fixed",
    ),
    race(
        "marker-partition-beside-fixed",
        "The same where a marker's path is cut at the last `.marker`: both commit.",
        DISJOINT,
        groups=TWO_GROUPS,
        rules=FIXED,
        options=PREFERRING,
        partitions=BESIDE,
        properties=("all-writes-commit", *EVERYTHING),
        counters=(coverage.COMMITTED,),
        yield_points=WRITES,
        pair="marker-partition-beside",
    ),
)
