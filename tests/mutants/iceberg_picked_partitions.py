"""Mutants of cherry-picking what has replaced partitions (`model.iceberg.cherry_pick`)."""

from model.iceberg.cherry_pick import CherryPick
from model.iceberg.metadata import APPEND
from tests.mutants.damage import left_out, replaced
from tests.mutants.mutant import Mutant


def of_appends_alone(self: CherryPick) -> bool:
    """What has replaced partitions is as any overwrite."""
    return self._picked.operation == APPEND


PICKED_PARTITIONS: tuple[Mutant, ...] = (
    replaced("replacement-needs-forward", CherryPick, "_is_committed_anew", property(of_appends_alone), "needless"),
    left_out("replaced-partitions-may-change", CherryPick, "_refuse_changed_partitions", "rows that came since go"),
    left_out("replaced-files-may-be-gone", CherryPick, "fail_missing_delete_paths", "two replace one file"),
    left_out("replacement-of-another-line", CherryPick, "_refuse_unless_ancestor", "kinder than upstream"),
)  # fmt: skip
