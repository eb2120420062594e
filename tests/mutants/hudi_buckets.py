"""Mutants of the bucket index under optimistic control; see `tests.mutants.hudi`."""

from collections.abc import Iterable

from model.hudi import bucket_index
from model.hudi.bucket_index import Bucket
from model.hudi.config import HudiConfig
from model.hudi.conflicts import ConflictStrategy
from model.hudi.file_groups import Changes, Group
from model.hudi.jobs import Parts, Slice, changes_of
from model.hudi.rules import SHIPPED
from model.hudi.slices import FileSlice
from model.hudi.variants import BUCKETS_COMPARED
from tests.mutants.mutant import Mutant


def what_is_held(
    slices: Iterable[Slice], parts: Parts, config: HudiConfig
) -> tuple[list[tuple[Slice, Changes]], dict[str, str]]:
    """A new row does not go to its bucket's file group."""
    return changes_of(list(slices), parts)


def as_file_groups(strategy: ConflictStrategy, groups: frozenset[Group]) -> frozenset[Group]:
    """What two writers must not both change is told by its whole name."""
    return groups


def nothing_there(slices: Iterable[tuple[str, FileSlice]], config: HudiConfig) -> dict[Bucket, FileSlice]:
    """The index finds no bucket whose rows are in log files."""
    return {}


def always_first(key: str, buckets: int) -> int:
    """A key's hash is not asked for."""
    return 0


BUCKET_MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "new-rows-begin-buckets", "a row that a bucket does not hold begins another file group of it",
        ((bucket_index, "changes_in_buckets", what_is_held),), SHIPPED,
    ),
    Mutant(
        "log-files-begin-buckets", "who comes to a bucket begins another file group of it",
        ((bucket_index, "logged_buckets", nothing_there),), SHIPPED,
    ),
    Mutant(
        "buckets-not-compared", "two begin one bucket", ((ConflictStrategy, "_compared", as_file_groups),),
        BUCKETS_COMPARED,
    ),
    Mutant(
        "keys-to-the-first-bucket", "a row that another bucket holds is written to the first one, too",
        ((bucket_index, "number_of", always_first),), SHIPPED,
    ),
)  # fmt: skip
