"""Whether a workload's rows can be in buckets: who writes them, and how their file groups are called."""

from __future__ import annotations

from model.hudi.bucket_index import DIGITS, begins_alike, bucket_named, number_of, several
from model.hudi.config import HudiConfig
from model.hudi.errors import ConfigError
from model.hudi.keys import BUCKETS, INDEX
from sim.hudi.statements import BulkInsert, Cluster, Insert, Overwrite, PlanClustering, Upsert
from sim.hudi.workload import HudiWorkload


def check_buckets(workload: HudiWorkload, config: HudiConfig) -> None:
    """Check that each file group is a bucket, and that rows are upserted alone: an overwrite has new buckets, and Hudi
    refuses it (`BaseSparkBucketIndexBucketInfoGetter`). Raises: ConfigError."""
    placed, more = workload.placed, several(config)
    if workload.has(Insert, BulkInsert, Overwrite) or (not more and len(set(placed)) < len(placed)):
        allowed = "SIMPLE where somebody inserts or overwrites, or a partition of one bucket has two file groups"
        raise ConfigError(INDEX, config.index_type, allowed)
    if len(set(dict(workload.elsewhere).values())) > 1:  # whoever begins them calls their file groups the same
        raise ConfigError("elsewhere", workload.elsewhere, f"one partition where {INDEX} is {config.index_type}")
    if more:
        _check_several(workload, config)


def _check_several(workload: HudiWorkload, config: HudiConfig) -> None:
    """Check what there is of several buckets in a partition. Raises: ConfigError."""
    tasks = any(isinstance(each, Upsert) and each.tasks > 1 for each in workload.statements)
    if tasks or workload.has(Cluster, PlanClustering):
        raise ConfigError(BUCKETS, config.buckets, "1 where somebody clusters, or writes with tasks side by side")
    if not workload.partitions:
        raise ConfigError("partitions", (), "that of each file group where a partition has several buckets")
    for name, rows in workload.groups:
        numbers = [f"{number_of(str(key), config.buckets):0{DIGITS}d}" for key, _ in rows]
        if any(not name.startswith(f"{number}-") for number in numbers):
            raise ConfigError("groups", name, f"a name that begins with the bucket of its rows ({', '.join(numbers)}-)")
    found = [
        bucket_named(partition, name, config)
        for partition, (name, _) in zip(workload.placed, workload.groups, strict=True)
    ]
    if len(set(found)) < len(found):
        raise ConfigError("groups", workload.groups, "one file group of each bucket")
    begun = len(found) < config.buckets * len(dict.fromkeys(workload.placed))
    if begins_alike(config) and workload.elsewhere and begun:
        raise ConfigError(
            "elsewhere", workload.elsewhere, "none where buckets of other partitions are not there either"
        )
