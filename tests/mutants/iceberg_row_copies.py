"""Mutants of the row ids that Spark SQL copies. Source: `model.iceberg.row_copies`, and who asks it."""

from model.iceberg import plans, row_copies, spark_changes
from model.iceberg.files import DataFile, Lineage, Row
from model.iceberg.row_copies import OPEN, Copy, lineage_at
from model.iceberg.scan import ScanTask
from tests.mutants.damage import replaced
from tests.mutants.mutant import Mutant


def as_new(task: ScanTask, position: int, row: Row) -> Copy:
    """A row that is written again is a new one."""
    return Copy(row)


def as_changed(task: ScanTask, position: int, row: Row) -> Copy:
    """A row that is copied counts as changed."""
    return Copy(row, (lineage_at(task.file, task.number, position)[0], None))


def as_copied(task: ScanTask, position: int, row: Row) -> Copy:
    """A row that is changed counts as copied."""
    return Copy(row, lineage_at(task.file, task.number, position))


def as_the_first(task: ScanTask, position: int, row: Row) -> Copy:
    """The row's id is looked up without its position."""
    return Copy(row, (lineage_at(task.file, task.number, 0)[0], None))


def by_position(file: DataFile, number: int, position: int) -> Lineage:
    """A reader does not look at the columns."""
    return OPEN if file.first_row_id is None else (file.first_row_id + position, number)


ROW_COPIES: tuple[Mutant, ...] = (
    replaced("changed-rows-take-new-ids", spark_changes, "changed", as_new, "a row gets another id when it changes"),
    replaced("copied-rows-take-new-ids", spark_changes, "copied", as_new, "a row gets another id when it is copied"),
    replaced("copied-rows-count-as-changed", spark_changes, "copied", as_changed, "a row that nobody has touched"),
    replaced("changed-rows-count-as-copied", spark_changes, "changed", as_copied, "a change that nobody is told of"),
    replaced("changed-rows-take-the-first-id", spark_changes, "changed", as_the_first, "two rows have one id"),
    replaced("compacted-rows-take-new-ids", plans, "copied", as_new, "a row gets another id when it is moved"),
    replaced("compacted-rows-count-as-changed", plans, "copied", as_changed, "a row that nobody has touched"),
    replaced("row-ids-by-position-alone", row_copies, "lineage_at", by_position, "a row that was copied before"),
)
