"""Mutants of cleaning; see `tests.mutants.hudi`."""

from model.hudi import clean_policies
from model.hudi.clean_policies import Policy
from model.hudi.cleaning import SliceCleaner
from model.hudi.file_groups import CommitMetadata
from model.hudi.names import BaseFile, parse_base_file
from model.hudi.rules import SHIPPED
from model.hudi.timeline import Instant
from model.hudi.variants import NAMED_FILES_CLEANED
from tests.mutants.mutant import Mutant


def pending_too(policy: Policy, names: tuple[str, ...]) -> tuple[str, ...]:
    """A file that no commit names yet goes as well."""
    files = [file for name in names if (file := parse_base_file(name)) is not None]
    unknown = [file.name for file in files if file.instant not in policy.seen.completed_times]
    return (*unknown, *OLD(policy, names))


def newest_too(policy: Policy, file: BaseFile, done: list[BaseFile]) -> bool:
    """A slice older than what is retained goes, though there is none newer."""
    return policy.earliest is not None and file.instant < policy.earliest


def one_too_few(policy: Policy, file: BaseFile, done: list[BaseFile]) -> bool:
    """Where slices are counted, one fewer stays than is to."""
    slices = sorted([each.instant for each in done if each.file_id == file.file_id])
    return policy.earliest is None and file.instant in slices[: len(slices) - policy.versions + 1]


def oldest_kept(policy: Policy, file: BaseFile, done: list[BaseFile]) -> bool:
    """Where slices are counted, the oldest ones stay."""
    slices = sorted([each.instant for each in done if each.file_id == file.file_id])
    return policy.earliest is None and file.instant in slices[policy.versions :]


def hidden_alone(policy: Policy, names: tuple[str, ...]) -> bool:
    """A partition is empty if no committed file is in it."""
    files = [file for name in names if (file := parse_base_file(name)) is not None]
    return any(policy._is_out(file) for file in files)


def replaced_alone(cleaner: SliceCleaner, instant: Instant, metadata: CommitMetadata) -> list[str]:
    """A partition in which a file group has a slice more is not looked into."""
    return [partition for partition, _ in metadata.replaced]


OLD = Policy.old
CLEANING_MUTANTS: tuple[Mutant, ...] = (
    Mutant("cleans-pending-files", "what is being written goes", (
        (Policy, "old", pending_too),
    ), NAMED_FILES_CLEANED),
    Mutant("cleans-newest-slice", "an old slice is the newest one", ((Policy, "_goes", newest_too),), SHIPPED),
    Mutant("cleans-last-version", "slices are counted", ((Policy, "_goes", one_too_few),), SHIPPED),
    Mutant("cleans-newest-versions", "slices are counted", ((Policy, "_goes", oldest_kept),), SHIPPED),
    Mutant("hours-are-seconds", "what a pending write looks for goes before the hours have passed", (
        (clean_policies, "HOUR_MS", 1_000),
    ), SHIPPED),
    Mutant("cleans-where-groups-went", "what a metadata table lists again stays listed", (
        (SliceCleaner, "_touched", replaced_alone),
    ), SHIPPED),
    Mutant("cleans-partition-in-use", "a partition is deleted that holds new rows", (
        (Policy, "is_empty", hidden_alone),
    ), SHIPPED),
)  # fmt: skip
