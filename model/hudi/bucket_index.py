"""The simple bucket index: a row's key and its partition say to which file group it belongs.

Of `hoodie.bucket.index.num.buckets` in each partition a key has one by its hash, whose number is before all else in the
name of its file group. Whoever writes to a bucket without a file group begins one; two that do so at once begin two,
unless their conflict strategy compares these numbers. Then nobody can write to the partition: the index, which maps all
buckets of a partition to which somebody writes, finds two file groups. Non-blocking writers call the one that they
begin the same, and do not ask the index. On a merge-on-read table rows go into log files of the bucket's file group,
which begins with a base file but for those (seen on 1.2.0), and nobody looks at what a bucket holds.

Source: `HoodieSimpleBucketIndex.loadBucketIdToFileIdMappingForPartition` ("Find multiple files at partition path"),
`BucketIdentifier.getBucketId`, `bucketIdFromFileId`, `newBucketFileIdPrefix`, `newBucketFileIdForNBCC`,
`SparkBucketIndexPartitioner` (1.2.0), HUDI-5682.

Choices: what the rows of a bucket are is read when the index is, as with the simple index; Hudi reads them when it
merges. Where a partition is one bucket, file groups may have names without its number.
"""

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from model.hudi.config import HudiConfig
from model.hudi.errors import BucketTwice
from model.hudi.file_groups import Changes
from model.hudi.java_hash import hash_of_text
from model.hudi.jobs import Parts, Slice
from model.hudi.slices import FileSlice

S = TypeVar("S", Slice, FileSlice)
DIGITS = 8
OF_ALL = "0000-0000-0000-000000000000"


class Bucket(NamedTuple):
    """One bucket of one partition."""

    partition: str
    number: int


Turn = tuple[list[tuple[Slice, Changes]], Parts]
"""The slices that a part of a write changes, with the changes; and the rows of that part."""


def several(config: HudiConfig) -> bool:
    """Whether a partition has more than one bucket."""
    return config.bucketed and config.buckets > 1


def begins_alike(config: HudiConfig) -> bool:
    """Whether whoever begins a bucket calls its file group the same, and nobody asks the index."""
    return config.appends_to_buckets and not config.resolves_conflicts


def number_of(key: str, buckets: int) -> int:
    """The bucket of a key: Java's hash of the list that holds it alone, without its sign."""
    return ((31 + hash_of_text(key)) & 0x7FFFFFFF) % buckets


def begun_as(number: int, bucket: int = 0) -> str:
    """The file group of a bucket, where a writer under optimistic control begins it with this number."""
    return f"{bucket:0{DIGITS}d}-{number}"


def begun_alike(bucket: int = 0, number: int = 0) -> str:
    """The file group of a bucket, where non-blocking writers begin it: for the first time, as shipped."""
    return f"{bucket:0{DIGITS}d}-{OF_ALL}-{number}"


def begun_alike_before(bucket: int, names: Iterable[str]) -> int:
    """How often that has been, of these names of file groups."""
    return sum(name.startswith(begun_alike(bucket)[:-1]) for name in names)


def parts_of_buckets(parts: Parts, config: HudiConfig) -> Parts:
    """The rows of each bucket, in the order in which they are written: a partition may come again and again."""
    if not several(config):
        return parts
    found: dict[Bucket, Changes] = {}
    for partition, rows in parts:
        numbers = [number_of(key, config.buckets) for key, _ in rows]
        for bucket in sorted(set(numbers)):
            own = [row for row, number in zip(rows, numbers, strict=True) if number == bucket]
            found[Bucket(partition, bucket)] = tuple(own)
    return tuple([(each.partition, rows) for each, rows in found.items()])


def bucket_of(partition: str, rows: Changes, config: HudiConfig) -> Bucket:
    """The bucket of rows that are all in one."""
    return Bucket(partition, number_of(rows[0][0], config.buckets) if several(config) else 0)


def bucket_named(partition: str, file_id: str, config: HudiConfig) -> Bucket:
    """The bucket of a file group, by its name."""
    return Bucket(partition, int(file_id[:DIGITS]) if several(config) else 0)


def changes_in_buckets(
    slices: Iterable[Slice], parts: Parts, config: HudiConfig
) -> tuple[list[tuple[Slice, Changes]], dict[str, str | None]]:
    """The slice of each part's bucket, with all rows that are written to it; and what these rows are, None for a key
    that it does not hold. Raises: BucketTwice.
    """
    known: dict[str, str | None] = {}
    found = _one_of_each([(each.partition, each.file.file_id, each) for each in slices], config)
    asked = [(bucket_of(partition, rows, config), rows) for partition, rows in parts]
    changes = [(found[bucket], rows) for bucket, rows in asked if bucket in found]
    for each, rows in changes:
        known.update({key: each.rows.get(key) for key, _ in rows})
    return changes, known


def logged_buckets(slices: Iterable[tuple[str, FileSlice]], config: HudiConfig) -> dict[Bucket, FileSlice]:
    """The slice of each bucket, where rows go into log files. Raises: BucketTwice."""
    return _one_of_each([(partition, each.file_id, each) for partition, each in slices], config)


def _one_of_each(named: Iterable[tuple[str, str, S]], config: HudiConfig) -> dict[Bucket, S]:
    """The slice of each bucket. Args: partition, file group and slice. Raises: BucketTwice."""
    found: dict[Bucket, tuple[str, S]] = {}
    for partition, file_id, each in named:
        bucket = bucket_named(partition, file_id, config)
        if bucket in found:
            one = found[bucket][0]
            raise BucketTwice(f"write {partition}: expected one file group of its bucket, got {one} and {file_id}")
        found[bucket] = file_id, each
    return {bucket: each for bucket, (_, each) in found.items()}


def turns(changes: list[tuple[Slice, Changes]], parts: Parts, config: HudiConfig) -> list[Turn]:
    """What is written one after the other: changes and then new rows; of several buckets one bucket at a time, be that
    there or not."""
    if not several(config):
        return [(changes, parts)]
    of = {bucket_named(each.partition, each.file.file_id, config): (each, rows) for each, rows in changes}
    buckets = [bucket_of(partition, rows, config) for partition, rows in parts]
    return [([of[each]] if each in of else [], (part,)) for each, part in zip(buckets, parts, strict=True)]
