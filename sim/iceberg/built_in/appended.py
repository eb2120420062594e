"""Scenarios of appends by manifests that their caller has written, as imports of files that are there make them.

Source: `model.iceberg.appended_manifests`, `model.iceberg.manifest_appends`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from model.iceberg import coverage
from sim.iceberg.manifest_merging import COUNT
from sim.iceberg.manifests import AppendManifest, ClusterManifests
from sim.iceberg.scenarios import ANY_REST_FAULT, CATALOG_STEPS, SAFETY, race
from sim.iceberg.workload import Append, Statement, Transaction
from sim.world.scenario import Scenario

NEW, OTHER = ((3, "x"),), ((4, "y"),)
HISTORY = (Append(((2, "b"),)),)
AT_ONCE, FROM_THREE = ((COUNT, "2"),), ((COUNT, "3"),)
"""How a table is set whose manifests are merged from two on, or from three."""
REUSED: Mapping[str, Sequence[Statement]] = {
    "w1": [Transaction((AppendManifest(NEW, merge=True),))], "w2": [ClusterManifests()],
}  # fmt: skip

APPENDED: tuple[Scenario, ...] = (
    race(
        "append-manifest-append",
        "`appendManifest` by two, on a table that merges its manifests: the commit whose files are in a merged one"
        " deletes what it was given.",
        {"w1": [AppendManifest(NEW, merge=True)], "w2": [AppendManifest(OTHER, merge=True)]},
        catalog="java-api", rows=((1, "a"),), history=HISTORY, table_properties=AT_ONCE, yield_points=CATALOG_STEPS,
        counters=(coverage.RETRY, coverage.APPENDED_MERGED),
    ),
    race(
        "append-manifest-format-1",
        "The same in format 1, where copies are committed: both delete what they have written themselves.",
        {"w1": [AppendManifest(NEW, merge=True)], "w2": [AppendManifest(OTHER)]},
        catalog="java-api", rows=((1, "a"),), history=HISTORY, yield_points=CATALOG_STEPS,
        table_properties=(("format-version", "1"), *AT_ONCE),
        counters=(coverage.RETRY, coverage.APPENDED_COPIED),
    ),
    race(
        "append-manifest-transaction",
        "A transaction that merges a manifest that it was given, is applied again where fewer are there, and lists it."
        " Its first application has noted it for deletion, and it stays.",
        REUSED,
        catalog="java-api", rows=((1, "a"),), history=HISTORY, table_properties=FROM_THREE, properties=SAFETY,
        counters=(coverage.UPDATES_APPLIED_AGAIN, coverage.NOTED_BUT_COMMITTED),
    ),
    race(
        "import-reply-faults",
        "An import as Spark's `add_files` makes it of a table with partitions, and any call may fail: after an unknown"
        " outcome, too, it deletes the manifest that the table has by then.",
        {"w1": [AppendManifest(NEW, merge=True, cleans="after any error")]},
        rows=((1, "a"),), history=HISTORY, faults=ANY_REST_FAULT, properties=SAFETY, broken="readable",
    ),
    race(
        "import-reply-faults-safe",
        "The same by a caller who deletes it after an error that says that nothing was committed.",
        {"w1": [AppendManifest(NEW, merge=True)]},
        rows=((1, "a"),), history=HISTORY, faults=ANY_REST_FAULT, properties=SAFETY,
        counters=(coverage.KEPT_AFTER_FAILURE,),
    ),
)  # fmt: skip
