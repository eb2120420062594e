"""Mutants of Spark SQL on branches. Source: `model.iceberg.spark_branches`, `model.iceberg.spark_target`."""

from typing import Any

from model.iceberg import spark_branches
from model.iceberg.merging import MergeAppend
from model.iceberg.metadata import TableMetadata
from model.iceberg.spark_target import MAIN_ALONE, Target
from tests.mutants.damage import left_out, replaced
from tests.mutants.mutant import Mutant


class ToMain(MergeAppend):
    """Commits to main, whatever it is told."""

    def to_branch(self, branch: str) -> None:
        pass


def looks_for_no_branch(_: Any, branch: str) -> bool:
    """Every branch is there."""
    return True


def reads_main(_: Target, metadata: TableMetadata) -> TableMetadata:
    """A scan is of main, whatever is named."""
    return metadata


def is_of_main(_: Target, __: TableMetadata) -> Target:
    """The pinned scan is compared with main's head."""
    return MAIN_ALONE


SQL_BRANCHES: tuple[Mutant, ...] = (
    replaced("branch-insert-goes-to-main", spark_branches, "MergeAppend", ToMain, "rows that nobody audited"),
    left_out("staged-insert-goes-to-main", MergeAppend, "stage_only", "rows that nobody audited"),
    replaced("branch-made-by-insert", spark_branches, "has_branch", looks_for_no_branch, "a branch that nobody made"),
    replaced("branch-scan-is-of-main", Target, "seen", reads_main, "rows of main for those of a branch"),
    left_out("branch-change-goes-to-main", Target, "aim", "rows that nobody audited"),
    replaced("pinned-scan-is-of-main", Target, "pinned", is_of_main, "a needless refusal"),
)
