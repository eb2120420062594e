"""What would mend findings about Iceberg's Java code that no named rules of the model mend, each as a patch of it.

The defect that it is of must be there without it, and not with it. What rules mend, they mend by their names.
"""

from __future__ import annotations

from collections.abc import Mapping

from model.iceberg import clock_rule
from model.iceberg.clock_rule import HOUR_MS
from model.iceberg.expressions import IdBetween
from model.iceberg.files import IdRange, Partition
from model.iceberg.manifest_filter import ManifestFilter
from sim.iceberg.statements import Overwrite
from tests.mutants.damage import replaced
from tests.mutants.iceberg_specs import BY_NAME as OF_SPECS
from tests.mutants.mutant import Mutant

_drop_partition = ManifestFilter.drop_partition


def _by_rows_too(self: ManifestFilter, partition: Partition) -> None:
    """Whatever has no other rows than the partition goes with it, by whichever spec it was written."""
    _drop_partition(self, partition)
    if isinstance(partition, IdRange):
        self.remove_by_row_filter(IdBetween(partition.low, partition.high))


JAVA_REPAIRS: Mapping[str, Mutant] = {
    "iceberg/overwrite-overwrite": replaced(
        "overwrites-validated", Overwrite, "level", property(lambda _: "serializable"), "nobody leaves validations out",
    ),
    "iceberg/spec-upsert": OF_SPECS["deletes-of-any-spec"],
    "iceberg/spec-replace-partitions": replaced(
        "partitions-dropped-by-rows-too", ManifestFilter, "drop_partition", _by_rows_too, "older specs keep nothing",
    ),
    "iceberg/clock-ahead-append": replaced(
        "clocks-not-compared", clock_rule, "TOLERANCE_MS", 1_000_000 * HOUR_MS, "nobody is refused for a clock",
    ),
}  # fmt: skip
