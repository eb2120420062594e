"""The simple bucket index, of one bucket a partition: a row's partition says to which file group it belongs.

Whoever writes to a bucket without a file group begins one, with the bucket's number before all else in its name; two
that do so at once begin two, unless their conflict strategy compares these numbers. Then nobody can write to the
bucket: the index finds two file groups. Non-blocking writers call the one that they begin the same, and do not ask the
index. On a merge-on-read table rows go into log files of the bucket's file group, which begins with a base file but for
those (seen on 1.2.0), and nobody looks at what a bucket holds.

Source: `HoodieSimpleBucketIndex.loadBucketIdToFileIdMappingForPartition` ("Find multiple files at partition path"),
`BucketIdentifier.newBucketFileIdPrefix`, `newBucketFileIdForNBCC` (1.2.0), HUDI-5682.

Choices: what the rows of a bucket are is read when the index is, as with the simple index; Hudi reads them when it
merges.
"""

from collections.abc import Iterable

from model.hudi.errors import BucketTwice
from model.hudi.file_groups import Rows
from model.hudi.jobs import Parts, Slice
from model.hudi.slices import FileSlice

FIRST_BUCKET = "00000000-0000-0000-0000-000000000000-0"
"""The file group of the first bucket, where non-blocking writers begin it."""


def begun_as(number: int) -> str:
    """The file group of the first bucket, where a writer under optimistic control begins it with this number."""
    return f"{FIRST_BUCKET[:8]}-{number}"


def changes_in_buckets(slices: Iterable[Slice], parts: Parts) -> tuple[list[tuple[Slice, Rows]], dict[str, str | None]]:
    """The slice of each partition's bucket, with all rows that are written to it; and what these rows are, None for a
    key that it does not hold. Raises: BucketTwice.
    """
    known: dict[str, str | None] = {}
    found: dict[str, Slice] = {}
    for each in slices:
        if each.partition in found:
            raise _twice(each.partition, found[each.partition].file.file_id, each.file.file_id)
        found[each.partition] = each
    changes = [(found[partition], rows) for partition, rows in parts if partition in found]
    for each, rows in changes:
        known.update({key: each.rows.get(key) for key, _ in rows})
    return changes, known


def logged_buckets(slices: Iterable[tuple[str, FileSlice]]) -> dict[str, FileSlice]:
    """The slice of each partition's bucket, where rows go into log files. Raises: BucketTwice."""
    found: dict[str, FileSlice] = {}
    for partition, each in slices:
        if partition in found:
            raise _twice(partition, found[partition].file_id, each.file_id)
        found[partition] = each
    return found


def _twice(partition: str, one: str, other: str) -> BucketTwice:
    return BucketTwice(f"write {partition}: expected one file group of its bucket, got {one} and {other}")
