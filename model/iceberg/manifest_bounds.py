"""What a manifest list says of the partitions that a manifest has files of, and which are passed over for it.

Source: specification of the table format, `field_summary`; `core/ManifestWriter.java` and `core/PartitionSummary.java`
(entries of every status count); `core/util/ManifestFileUtil.java` (`canContainAny`) of 1.11.0.

Choices: the bounds are those of the one field that is not void.
"""

from collections.abc import Iterable

from model.iceberg.buckets import Bucket
from model.iceberg.files import Bounds, IdRange, ManifestFile, Partition, is_whole, spec_id_of


def bounds_of(partitions: Iterable[Partition]) -> Bounds | None:
    """The least and the greatest of partitions of one spec; None: there is none, or the spec has no partitions."""
    ordered = sorted([each for each in partitions if not is_whole(each)], key=_order)
    return (ordered[0], ordered[-1]) if ordered else None


def may_have(bounds: Bounds | None, partition: Partition) -> bool:
    """Whether a manifest of these bounds may have a file of this partition, which is of its spec."""
    return bounds is None or _order(bounds[0]) <= _order(partition) <= _order(bounds[1])


def may_be_of(manifest: ManifestFile, partitions: Iterable[Partition]) -> bool:
    """Whether a manifest may have a file of one of these partitions. Source: `ManifestFileUtil.canContainAny`."""
    own = [each for each in partitions if spec_id_of(each) == manifest.spec_id]
    return any(may_have(manifest.bounds, each) for each in own)


def _order(partition: Partition) -> tuple[int, str]:
    if isinstance(partition, IdRange):
        return partition.low, ""
    return (partition.number, "") if isinstance(partition, Bucket) else (0, partition or "")
