"""Mutants of formats. Source: `model.iceberg.formats`, `TableMetadata.next_sequence_number`, `MergingProducer`."""

from model.iceberg import metadata, updates
from model.iceberg.metadata import Snapshot, TableMetadata
from model.iceberg.row_delta import RowDelta
from model.iceberg.validations import Window
from tests.mutants.damage import left_out, replaced
from tests.mutants.mutant import Mutant


def numbered(self: TableMetadata) -> int:
    """Whatever the format is."""
    return self.last_sequence_number + 1


def any_format(base: TableMetadata, version: int) -> TableMetadata:
    """Later or earlier."""
    return base._replace(format_version=version)


def looked_for(_: Window) -> bool:
    """Whatever the format is."""
    return True


ROWS = metadata.refuse_stale_rows


def rows_of_old_formats(base: TableMetadata, snapshot: Snapshot) -> None:
    """A snapshot that was made for an earlier format is taken."""
    if snapshot.first_row_id is not None:
        ROWS(base, snapshot)


FORMATS: tuple[Mutant, ...] = (
    replaced(
        "format-1-numbered", TableMetadata, "next_sequence_number", property(numbered), "numbers that nobody writes"
    ),
    left_out("format-looked-at-once", RowDelta, "_refuse_added_of_other_format", "deletes of the format before"),
    replaced("deletes-looked-for-in-format-1", Window, "_may_have_deletes", looked_for, "a history that is not needed"),
    replaced("rows-without-ids-allowed", metadata, "refuse_stale_rows", rows_of_old_formats, "a row without an id"),
    replaced("older-format-allowed", updates, "upgraded", any_format, "deletes in a format that has none"),
)
