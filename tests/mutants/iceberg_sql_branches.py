"""Mutants of Spark SQL's INSERT into a branch. Source: `model.iceberg.spark_branches`."""

from typing import Any

from model.iceberg import spark_branches
from model.iceberg.merging import MergeAppend
from tests.mutants.damage import left_out, replaced
from tests.mutants.mutant import Mutant


class ToMain(MergeAppend):
    """Commits to main, whatever it is told."""

    def to_branch(self, branch: str) -> None:
        pass


def looks_for_no_branch(_: Any, branch: str) -> bool:
    """Every branch is there."""
    return True


SQL_BRANCHES: tuple[Mutant, ...] = (
    replaced("branch-insert-goes-to-main", spark_branches, "MergeAppend", ToMain, "rows that nobody audited"),
    left_out("staged-insert-goes-to-main", MergeAppend, "stage_only", "rows that nobody audited"),
    replaced("branch-made-by-insert", spark_branches, "has_branch", looks_for_no_branch, "a branch that nobody made"),
)
