"""What scenarios of some ways are about: features that any configuration draws, but too rarely for a sample.

They are no focuses of a search, whose seeds would have other meanings for them.
"""

from collections.abc import Mapping

from sim.generation.focus import Focus
from sim.iceberg.focuses import JAVA, NO, SQL_OVER_REST, UNMANAGED, YES

_OF_JAVA = {**UNMANAGED, "makes tables": NO, "several tables": NO, "specs": YES, "renames": NO, "faults": ("0",)}
FOCUSES: Mapping[str, tuple[Focus, ...]] = {
    "iceberg": (
        Focus("partition specs change, Java API", _OF_JAVA, JAVA),
        Focus(
            "buckets, Java API",
            {**_OF_JAVA, "transform then": ("bucket",), "ids a partition then": ("2", "4"),
             "spec changed": ("before", "beside", "in a transaction")},
            JAVA,
        ),
        Focus(
            "partition fields altered, Spark SQL",
            {"specs, in SQL": YES, "calls procedures": NO, "purges": NO, "faults": ("0",)}, SQL_OVER_REST,
        ),
        Focus(
            "buckets, Spark SQL",
            {"specs, in SQL": YES, "specs are": ("in buckets",), "calls procedures": NO, "purges": NO,
             "faults": ("0",)},
            SQL_OVER_REST,
        ),
    ),
}  # fmt: skip
