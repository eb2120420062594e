"""Mutants of PyIceberg 0.12.0 that show where rows are deleted by positions, or where a table never had a row.

Source: `pyiceberg/table/update/validate.py`, where what two commits have deleted is looked for from the head's sequence
number on, and V104.
"""

from pyiceberg.table.update import validate
from pyiceberg.table.update.snapshot import CommitWindow

from tests.mutants.damage import nothing
from tests.mutants.mutant import Mutant, Patch
from tests.mutants.pyiceberg import UNREQUIRED

BY_FILTER: Patch = (validate, "_validate_no_new_delete_files", nothing)
BY_FILE: Patch = (validate, "_validate_no_new_deletes_for_data_files", nothing)


def empty_without_base(self: CommitWindow) -> bool:
    """A writer that began on a table without a snapshot has nothing to validate."""
    return self.head is None or self.base is None or self.base.snapshot_id == self.head.snapshot_id


OF_PYTHON_TABLES: tuple[Mutant, ...] = (
    Mutant("pyiceberg-new-deletes-not-seen", "rows that were deleted by positions come back", (BY_FILTER, BY_FILE)),
    Mutant("pyiceberg-new-deletes-by-file-alone", "what was deleted two commits ago comes back", (BY_FILTER,)),
    Mutant(
        "pyiceberg-empty-table-not-validated", "of two who overwrite an empty table both are there",
        ((CommitWindow, "is_empty", empty_without_base), UNREQUIRED),
    ),
)  # fmt: skip
